"""One folder with a sound example of everything that readers and commands are pointed at."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

from fuzzed import ofannotations, ofdata, ofvectors
from fuzzed.readers import Files, encoded, from_tests

WORDS = {
    "good": ("fine", "honest", "brave", "warm"),
    "bad": ("corrupt", "vicious", "reckless", "radical"),
    "plain": ("council", "train", "monday", "north", "rain", "budget", "bridge", "report"),
}


def called(*arguments: str) -> tuple[int, str]:
    """Exit code and standard error of one command in this process."""
    from slant.cli import main

    out, errors = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(errors):
        try:
            main(list(arguments))
        except SystemExit as ended:
            return int(ended.code or 0), errors.getvalue()
    return 0, errors.getvalue()


@contextmanager
def surroundings(store: Path) -> Iterator[None]:
    """A store of its own, no data of the user's, and no keys of any provider."""
    _taught(store)
    changed = {"SLANT_CACHE": str(store), "SLANT_DATA": "", "NO_COLOR": "1", "HF_HUB_OFFLINE": "1"}
    gone = [name for name in os.environ if name.endswith(("_API_KEY", "_BASE_URL"))]
    before = {name: os.environ.get(name) for name in (*changed, *gone)}
    os.environ.update(changed)
    for name in ("SLANT_DATA", *gone):
        os.environ.pop(name, None)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _taught(store: Path) -> None:
    """The light detector of the user's own store, where one is: teaching takes half a minute."""
    from slant.data.hashes import user_store

    for path in sorted((user_store() / "analysis").glob("open-light*")):
        if path.suffix in (".npz", ".sha256"):
            (store / "analysis").mkdir(parents=True, exist_ok=True)
            shutil.copy(path, store / "analysis")


def written(folder: Path, contents: Files) -> Path:
    """Files below a folder, which is made."""
    for name, one in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(one)
    return folder


def sentences(number: int) -> list[tuple[str, int]]:
    """Different made sentences, every second one biased."""
    found = []
    for n in range(number):
        side = ("good", "bad")[n % 2]
        first, second = WORDS[side][n // 2 % 4], WORDS["plain"][n // 8 % 8]
        third = WORDS["plain"][n // 64 % 8]
        found.append((f"The {first} {second} met the {third} at {n} o'clock.", n % 2))
    return found


def _set_of_texts(folder: Path) -> Path:
    rows = [
        "id,text,label",
        *(f"r{n},{text},{label}" for n, (text, label) in enumerate(sentences(120))),
    ]
    path = folder / "texts.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def make(world: Path) -> None:
    """Fill a folder; `store` in it is the store of `surroundings`.

    Args:
        world: empty or absent.
    """
    world.mkdir(parents=True, exist_ok=True)
    for table in ofdata.TABLES:
        written(world, table)
    texts = _set_of_texts(world)
    (world / "corpus.txt").write_text("\n".join(text for text, _ in sentences(120)) + "\n")
    _expect(
        called("data", "add", "own", str(texts), "--text", "text", "--label", "label", "--id", "id")
    )
    for system in ("majority", "random"):
        out = str(world / "runs" / system)
        _expect(
            called("run", "added/own", "--system", system, "--out", out, "--quiet", "--jobs", "1")
        )
    made = from_tests("runs", "baitfolders")
    made.made_folder(world / "bait", models=1, articles=3, words=60, seeds=(17,), shots=(0,))
    from_tests("runs", "vilbiasfolders").made_folder(world / "vilbias", models=1, judges=1, pairs=4)
    _vectors(world)
    for format_ in ofannotations.FORMATS:
        written(world / "annotated" / format_, ofannotations._written(format_))
    written(world / "merged", ofannotations._merge())
    written(world / "packages", ofannotations._packages())
    pages = from_tests("analysis", "madefiles").all_kinds()
    written(
        world / "articles",
        {name: pages[name] for name in ("plain.txt", "page.html", "rows.csv", "feed.rss")},
    )
    _published(world)
    (world / "prices.json").write_text(json.dumps({"mockllm/model": {"input": 1, "output": 2}}))
    (world / "wiki.xml").write_bytes(from_tests("wikis", "test_dumps").SOME)
    (world / "pairs.jsonl").write_bytes(_pairs(world))
    _shelves(world)


def _published(world: Path) -> None:
    """A data set as its makers publish it, in a folder and imported, and a whole run of ViLBias."""
    lines = [
        f"{n}.json\t{('true', 'false')[label]}\t{text}\tt"
        for n, (text, label) in enumerate(sentences(120))
    ]
    for name in ("train", "valid", "test"):
        written(world / "published", {f"072_Liar/raw/{name}.tsv": "\n".join(lines).encode()})
    _expect(called("data", "import", "mbib", str(world / "published"), "--quiet"))
    record = json.loads((world / "vilbias" / "run.json").read_text())
    record["judges"] = [{"name": one, "params": {}} for one in record["judges"]]
    record["settings"] |= {"image_side": 64, "images": True}
    (world / "vilbias" / "run.json").write_text(json.dumps(record))
    _expect(called("vilbias", "score", str(world / "vilbias"), "--resamples", "100"))
    code, errors = called("bait", "score", str(world / "bait"), "--jobs", "1")
    if code not in (0, 1):
        raise RuntimeError(f"what is fuzzed could not be made: {errors}")


def _vectors(world: Path) -> None:
    made = from_tests("runs", "made_vectors")
    made.write_vectors(world / "vectors.txt", made.made_vectors(1, 0.5))
    made.write_replicas(world / "replicas", [0, 1])
    made.write_lists(world / "lists.json")
    written(world, {"sets.json": encoded(ofvectors.SETS), "sets.tsv": encoded(ofvectors.TABLE)})
    (world / "questions.txt").write_text(": s\nx1 y1 a1 b1\nx2 y2 a2 b2\n")
    (world / "quantity.csv").write_text("word,value\nx1,1\nx2,3\ny1,2\n")


def _pairs(world: Path) -> bytes:
    picture = from_tests("data", "drawn").picture
    written(world / "images", {f"p{n}.png": picture(color=(20 * n, 30, 90)) for n in range(6)})
    rows = [
        {"id": f"p{n}", "text": f"A text of pair {n}.", "label": n % 2, "image": f"p{n}.png"}
        for n in range(6)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _shelves(world: Path) -> None:
    """Folders that commands made: a schema, a codebook, word vectors' associations."""
    from importlib.resources import files

    (world / "schema.toml").write_bytes(
        files("slant.data").joinpath("schemas", "ptc.toml").read_bytes()
    )
    _expect(
        called(
            "assoc",
            "run",
            str(world / "vectors.txt"),
            "--sets",
            str(world / "lists.json"),
            "--tests",
            "x/y:a/b",
            "--permutations",
            "100",
            "--resamples",
            "0",
            "--jobs",
            "1",
            "--out",
            str(world / "associations"),
            "--quiet",
        )
    )


def _expect(ended: tuple[int, str]) -> None:
    if ended[0]:
        raise RuntimeError(f"what is fuzzed could not be made: {ended[1]}")
