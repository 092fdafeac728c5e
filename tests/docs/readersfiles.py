"""Files that a reader of the docs would have, made from the embedded data, and the work that a
person does by hand between two documented commands."""

from __future__ import annotations

import csv
import json
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from documented import ROOT, blocks

from slant.annotate.formats import write_annotated
from slant.data.baitsamples import load_bait_samples
from slant.data.samples import load_pairs, load_sentences
from slant.types import Answer, Example, Item

ARTICLES = 3
ANNOTATED = ROOT / "samples" / "annotated"


def examples(by: str = "gold") -> list[Example]:
    """A few embedded articles with what gold, or one annotator, has marked."""
    chosen = [one for one in load_bait_samples() if one.gold.marks][:ARTICLES]
    if by == "gold":
        return [replace(one, annotators={}) for one in chosen]
    return [Example(one.item, one.annotators[by]) for one in chosen]


def texts(folder: Path) -> None:
    """The articles that two people annotated apart from each other, as plain texts."""
    folder.mkdir(parents=True)
    for name in ("n18", "n20", "n25", "n30", "n31", "n33"):
        text = (ANNOTATED / "articles" / f"{name}.txt").read_bytes()
        (folder / f"{name}.txt").write_bytes(text)


def annotated(by: str, kind: str) -> Callable[[Path], None]:
    """A maker of gold, or of one annotator's marks, in a format."""

    def make(path: Path) -> None:
        write_annotated(examples(by), path, format=kind)

    return make


def propaganda(example: Example) -> Example:
    """The article with one mark, under the name that the propaganda corpus would give it."""
    number = 700 + int(example.item.id[1:])
    mark = replace(example.gold.marks[0], category="Doubt", spans=example.gold.marks[0].spans[:1])
    return Example(Item(str(number), example.item.text), Answer(frozenset({"Doubt"}), (mark,)))


def propaganda_articles(folder: Path) -> None:
    folder.mkdir(parents=True)
    for one in map(propaganda, examples()):
        (folder / f"article{one.item.id}.txt").write_text(one.item.text, encoding="utf-8")


def propaganda_lines(kind: str) -> dict[str, str]:
    """Label lines by article: with the technique for `flc`, the span alone for `si`."""
    lines = {}
    for one in map(propaganda, examples()):
        span = one.gold.marks[0].spans[0]
        middle = "\tDoubt" if kind == "flc" else ""
        lines[one.item.id] = f"{one.item.id}{middle}\t{span.start}\t{span.end}\n"
    return lines


def propaganda_labels(folder: Path) -> None:
    folder.mkdir(parents=True)
    for name, line in propaganda_lines("si").items():
        (folder / f"article{name}.task-si.labels").write_text(line)


def propaganda_file(kind: str) -> Callable[[Path], None]:
    return lambda path: path.write_text("".join(propaganda_lines(kind).values()))


def schema_of_the_page(path: Path) -> None:
    """The schema that docs/bait-schema.md shows."""
    page = (ROOT / "docs/bait-schema.md").read_text(encoding="utf-8")
    shown = next(block for block in blocks(page) if block.language == "toml")
    path.write_text("\n".join(shown.lines), encoding="utf-8")


def page_of_an_article(path: Path) -> None:
    title, *paragraphs = examples()[0].item.text.split("\n\n")
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    path.write_text(
        f"<!doctype html><html lang=en><head><title>{title}</title></head>"
        f"<body><article><h1>{title}</h1>{body}</article></body></html>",
        encoding="utf-8",
    )


def rows_of_articles(path: Path) -> None:
    rows = [{"id": one.item.id, "text": one.item.text} for one in examples()]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def one_text(path: Path) -> None:
    path.write_text(examples()[1].item.text, encoding="utf-8")


def council(path: Path) -> None:
    """The text that the README reads."""
    shown = (ROOT / "README.md").read_text(encoding="utf-8").split("$ cat council.txt\n", 1)[1]
    path.write_text(shown.split("$ ", 1)[0], encoding="utf-8")


def sentences(path: Path) -> None:
    """Rows of open/sentences with the columns that the docs name."""
    table = load_sentences().head(300)
    rows = [
        {
            "sentence": one["text"],
            "biased": one["label"],
            "words": [one["text"][start:end] for start, end in one["rationale"]],
        }
        for one in table.iter_rows(named=True)
    ]
    if path.suffix == ".csv":
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, ["sentence", "biased"], extrasaction="ignore")
            writer.writeheader()
            writer.writerows(rows)
        return
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def pairs(path: Path) -> None:
    """Rows of open/pairs, with their pictures beside them."""
    rows = []
    for one in load_pairs().head(40).iter_rows(named=True):
        picture = path.parent / one["image"]
        picture.parent.mkdir(parents=True, exist_ok=True)
        picture.write_bytes(one["image_png"])
        # labels in words of one's own, where the docs name them
        label = ("fair", "slanted")[one["label"]] if path.stem == "slanted" else one["label"]
        columns = {"text": one["text"], "label": label, "picture": one["image"]}
        rows.append(columns | {"why": one["reason"]})
    if path.suffix == ".csv":
        pl.DataFrame(rows).write_csv(path)
    else:
        pl.DataFrame(rows).write_ndjson(path)


def pictures(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for one in load_pairs().head(40).iter_rows(named=True):
            archive.writestr(one["image"], one["image_png"])


def baseline_run(folder: Path) -> None:
    """A run of BAIT without any language model."""
    from slant.cli import main

    words = ["bait", "run", "--data", "bait/sample", "--baselines", "cues", "-q", "-o"]
    with pytest.raises(SystemExit) as ended:
        main([*words, str(folder)])
    assert not ended.value.code


MAKERS: dict[str, Callable[[Path], None]] = {
    "articles": texts,
    "folder": texts,
    "news": texts,
    "article.html": page_of_an_article,
    "articles.jsonl": rows_of_articles,
    "text.txt": one_text,
    "council.txt": council,
    "gold.jsonl": annotated("gold", "jsonl"),
    "mine.jsonl": annotated("a", "jsonl"),
    "p.jsonl": annotated("b", "jsonl"),
    "annotator-a": annotated("a", "brat"),
    "annotator-b": annotated("b", "brat"),
    "brat-project": annotated("gold", "brat"),
    "train-articles": propaganda_articles,
    "labels.tsv": propaganda_file("flc"),
    "labels": propaganda_labels,
    "mine.tsv": propaganda_file("si"),
    "my-biases.toml": schema_of_the_page,
    "runs/bait": baseline_run,
    "news.csv": sentences,
    "news.jsonl": sentences,
    "pairs.csv": pairs,
    "pairs.jsonl": pairs,
    "slanted.csv": pairs,
    "pictures.zip": pictures,
}
"""What the sandbox makes when a documented command names it."""

OF_PAGES = {("docs/bait-scoring.md", "articles"): propaganda_articles}
"""Where a page means something else by a name."""


def marked_by_hand(sandbox: Path) -> None:
    """Two annotators mark the articles of their packages."""
    for package, annotator in (("ann", "a"), ("ben", "b")):
        for path in (sandbox / "work" / package / "annotations").glob("*.ann"):
            path.write_bytes((ANNOTATED / annotator / path.name).read_bytes())


def decided_by_hand(sandbox: Path) -> None:
    """A third person decides each open case."""
    sheet = sandbox / "merged" / "adjudication.csv"
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    with sheet.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows({**row, "decision": "keep"} for row in rows)


BY_HAND: dict[str, Callable[[Path], None]] = {
    r"annotate new .*--annotators ann,ben": marked_by_hand,
    r"annotate merge .*--out merged": decided_by_hand,
}
"""A person's work that follows a command."""


def work_by_hand(command: str, sandbox: Path) -> None:
    """Do what a person does after this command."""
    for pattern, work in BY_HAND.items():
        if re.search(pattern, command):
            work(sandbox)
