"""Keys of many shapes, given and repeated in many ways: no file and no line may hold one."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from random import Random
from typing import Any, Final

from faultyservers import put
from leakscenes import REPEATING, SCENES, Place
from leaksearch import SHAPES, echoes, forms, leaks, secret
from outcomes import Row, conducted
from scripted import MadeDetector, completion, listening, made_articles

ABOUT: Final = "No file and no byte of output holds a key, plain or simply encoded."
SERVED: Final = 10
"""Tries of a real server for each fifty of the others."""
PLANTED: Final = "planted"


@contextmanager
def captured(path: Path) -> Iterator[None]:
    """All bytes that this process and its children say, whichever way, go into a file."""
    kept = os.dup(1), os.dup(2)
    with path.open("wb") as file:
        for stream, number in ((sys.stdout, 1), (sys.stderr, 2)):
            stream.flush()
            os.dup2(file.fileno(), number)
        try:
            yield
        finally:
            for stream, number in ((sys.stdout, 1), (sys.stderr, 2)):
                stream.flush()
                os.dup2(kept[number - 1], number)
                os.close(kept[number - 1])


def slant(home: Path, words: Sequence[str], given: dict[str, str]) -> int:
    """A command in this process, in a working folder and with variables of its own."""
    from slant.cli import main

    before, where, argv = dict(os.environ), Path.cwd(), sys.argv
    os.environ.update(given)
    os.chdir(home)
    sys.argv = ["slant", *words]
    try:
        main(words)
    except SystemExit as ended:
        return int(ended.code or 0)
    finally:
        os.environ.clear()
        os.environ.update(before)
        os.chdir(where)
        sys.argv = argv
    return 0


@contextmanager
def at_home(home: Path) -> Iterator[None]:
    """A folder below which everything is written, with two articles."""
    from slant.annotate.formats import write_annotated

    articles = made_articles(2)
    write_annotated(articles, home / "articles.jsonl", format="jsonl")
    lines = [json.dumps({"id": one.item.id, "text": one.item.text}) for one in articles]
    (home / "texts.jsonl").write_text("\n".join(lines) + "\n")
    before = dict(os.environ)
    for name in ("DATA", "CACHE", "STATE", "CONFIG"):
        os.environ[f"XDG_{name}_HOME"] = str(home / name.lower())
    os.environ |= {"HOME": str(home), "TMPDIR": str(home), "SLANT_CACHE": str(home / "store")}
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def tried(scene: str, shape: str, way: str, random: Random) -> tuple[str | None, bool]:
    """What is wrong after one scene, and whether the search found what was planted."""
    key = secret(shape, random)
    with tempfile.TemporaryDirectory() as given:
        home = Path(given) / "home"
        home.mkdir()

        def said(handler: BaseHTTPRequestHandler, body: Any = None) -> None:
            well = {"label": "biased", "rationale": "It is loaded."}
            with suppress(OSError):
                if isinstance(body, dict) and body["model"] == "well":
                    put(handler, json.dumps(completion(json.dumps(well), "m")).encode())
                else:
                    echoes(key)[way](handler)

        with at_home(home), listening(said, said, "HTTP/1.1") as url:
            place = Place(home, key, url, random, partial(slant, home))
            with captured(home / "said"):
                codes = SCENES[scene](place)
        text = (home / "said").read_text("utf-8", "replace")
        planted = random.choice(list(forms(key).values()))
        (home / PLANTED).write_bytes(b"It is " + planted + b".")
        own, found = str(home / PLANTED), leaks(home, key, frozenset(place.given))
    seen = any(one.startswith(own) for one in found)
    wrong = [one.removeprefix(str(home)) for one in found if not one.startswith(own)]
    wrong += [f"exit {code}" for code in codes if code not in (0, 1, 2)]
    wrong += [text[-300:]] if "Traceback" in text else []
    return (f"{shape}, {way}: {'; '.join(wrong)}"[:500] if wrong else None), seen


def put_to(scene: str, times: int, seed: int) -> Row:
    """Tries of one scene: every way of repeating and every shape, in turn."""
    row, begin, seen = Row(scene), time.monotonic(), 0
    ways = list(echoes("")) if scene in REPEATING else ["in an error"]
    for number in range(times):
        random = Random(f"{seed} {scene} {number}")
        shape, way = SHAPES[number % len(SHAPES)], ways[number % len(ways)]
        wrong, found = tried(scene, shape, way, random)
        row.count(wrong)
        seen += found
    row.count(None if seen == times else f"{times - seen} planted keys were not found")
    seconds = round(time.monotonic() - begin, 1)
    row.figures = {"keys": times, "planted and found": seen, "seconds": seconds}
    return row


def trial(times: int, seed: int, only: Sequence[str]) -> list[Row]:
    """A row for each scene."""
    from inspect_ai.model._model import ModelAPI
    from tenacity import wait_none

    from slant.runs import analysing

    # Neither pauses nor the teaching of a detector have anything to do with keys.
    ModelAPI.retry_wait = lambda self: wait_none()  # type: ignore[method-assign]
    analysing.analysis_detectors = lambda folders: [MadeDetector()]  # type: ignore[assignment]
    warnings.simplefilter("ignore", ResourceWarning)
    rows = []
    for scene in SCENES:
        if not only or scene in only:
            number = max(1, times // SERVED) if scene == "serve" else times
            rows.append(put_to(scene, number, seed))
            print(rows[-1], file=sys.stderr, flush=True)
    return rows


if __name__ == "__main__":
    raise SystemExit(conducted("leaks", ABOUT, 50, trial))
