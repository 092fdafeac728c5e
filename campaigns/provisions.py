"""What the commands of a campaign work on: small made inputs, and servers on 127.0.0.1."""

from __future__ import annotations

import csv
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1] / "tests"
sys.path += [str(TESTS / name) for name in ("runs", "systems", "wikis")]

PAGE = (
    "<page><title>T{0}</title><ns>0</ns><id>{0}</id><revision><id>{0}0</id><timestamp>"
    "2020-01-01T00:00:00Z</timestamp><text>Page {0} is of bridges and of rain.</text></revision>"
    "</page>"
)
HEAD = '<mediawiki version="0.11"><siteinfo><sitename>W</sitename></siteinfo>'
ANALYSED = (
    "The regime's thugs came at night. The bridge opens on Monday.",
    "Rain is likely. Critics say the corrupt council lied to us all, as ever.",
    "A train left on time. Nobody was hurt.",
)


def write_inputs(folder: Path, needed: str) -> None:
    """Write all that needs no command of slant: data, checkpoint, vectors, articles, a dump.

    Args:
        folder: to write to.
        needed: the commands; a checkpoint is made where one of them is about a detector.
    """
    from made_babe import write_babe
    from made_vectors import made_vectors, write_lists, write_vectors
    from tiny import save_tiny
    from tiny_detector import made_texts

    import slant

    write_babe(folder / "data", 64)
    write_babe(folder / "published", 40)
    if any(word in needed for word in ("encoder", "detector", "study")):
        save_tiny(folder / "tiny", "bert")
    write_vectors(folder / "one.txt", made_vectors(1, 1.0))
    write_vectors(folder / "two.txt", made_vectors(2))
    write_lists(folder / "lists.json")
    with (folder / "corpus.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["text"], *([text] for text in made_texts(60))])
    with (folder / "own.csv").open("w", newline="") as file:
        rows = [[text, str((n + 1) % 2)] for n, text in enumerate(made_texts(60))]
        csv.writer(file).writerows([["sentence", "biased"], *rows])
    pages = "".join(PAGE.format(n) for n in range(1, 40))
    (folder / "wiki.xml").write_text(f"{HEAD}{pages}</mediawiki>")
    (folder / "articles").mkdir()
    for number, text in enumerate(ANALYSED):
        (folder / "articles" / f"a{number}.txt").write_text(text)
    samples = Path(slant.__file__).parent / "data" / "samples" / "bait"
    for name, place in (("articles", "gold"), ("annotator-a", "ann"), ("annotator-b", "ben")):
        lines = (samples / f"{name}.jsonl").read_text("utf-8").splitlines(keepends=True)
        (folder / f"{place}.jsonl").write_text("".join(lines[:6]), "utf-8")


def decide(folder: Path) -> None:
    """Answer every case of a sheet for adjudication with keep."""
    path = folder / "adjudication.csv"
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows({**row, "decision": "keep"} for row in rows)


@contextmanager
def served(pause: float = 0.0) -> Iterator[dict[str, str]]:
    """Servers in a process of their own: models that answer by rule, and a wiki.

    Args:
        pause: seconds before each answer of a model.

    Yields:
        {"llm": address, "vision": address, "wiki": address}.
    """
    here, there = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(here)
        with suppress(BaseException):
            _serve(there, pause)
        os._exit(0)
    os.close(there)
    with os.fdopen(here) as told:
        found = json.loads(told.readline())
    try:
        yield found
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _serve(there: int, pause: float) -> None:
    from scriptedmodel import Reply, scripted_server
    from scriptedvision import Said, ruling, vision_server
    from scriptedwiki import made_pages, serving

    triggers = json.dumps({"biases_present": [], "triggers": []})
    label = json.dumps({"label": "biased", "rationale": "It is loaded."})

    def seen(sent: object, before: int) -> Said:
        return Said(ruling() if getattr(sent, "model", "") == "judge" else label, wait=pause)

    with (
        scripted_server(lambda text, before, body: Reply(triggers, wait=pause)) as llm,
        vision_server(seen) as vision,
        serving(made_pages(30)) as wiki,
    ):
        found = {"llm": llm.url, "vision": vision.url, "wiki": wiki.url}
        os.write(there, json.dumps(found).encode() + b"\n")
        os.close(there)
        threading.Event().wait()
