"""Readers of gold sets: articles, every annotation format, packages, merges and their answers."""

from __future__ import annotations

import csv
import io
import tempfile
from functools import partial
from pathlib import Path

from fuzzed.readers import Files, Reader, from_tests, taken

TEXTS = {
    "1": "Aa bb cc dd ee ff gg hh ii jj",
    "7": "The reckless plan \U0001f642, again.\r\nHe said no.",
}
FORMATS = ("brat", "webanno", "label-studio", "doccano", "jsonl", "ptc")
ARTICLES = {f"articles/{name}.txt": text.encode() for name, text in TEXTS.items()}
MODULES = {
    "brat": ("annotate.brat",),
    "webanno": ("annotate.webanno", "annotate.webannolayers", "annotate.webannorows"),
    "label-studio": ("annotate.labelstudio",),
    "doccano": ("annotate.doccano",),
    "jsonl": ("annotate.jsonl",),
    "ptc": ("annotate.ptc",),
}


def _examples() -> list[object]:
    made = from_tests("annotate", "made_passes")
    word = made.word
    return [
        made.article(
            "1", TEXTS["1"], made.mark("B01", word(1), word(4), sure=2, note="n"), labels=["B01"]
        ),
        made.article(
            "7", TEXTS["7"], made.mark("B02", (4, 12), sure=3), made.mark("B01", (18, 26))
        ),
    ]


def _written(format_: str) -> Files:
    from slant.annotate.formats import write_annotated

    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "given" / ("x.jsonl" if format_ in ("jsonl", "doccano") else "x.json")
        if format_ in ("brat", "webanno", "ptc"):
            out = Path(place) / "given"
        write_annotated(_examples(), out, format=format_)  # type: ignore[arg-type]
        return {**taken(Path(place)), **ARTICLES}


def annotated(format_: str, folder: Path) -> object:
    from slant.annotate.formats import read_reported
    from slant.annotate.recognition import recognised

    given = folder / "given"
    whole = given if format_ in ("brat", "webanno", "ptc") else next(given.iterdir())
    found = read_reported(whole, articles=folder / "articles", format=format_)
    return found, recognised(whole)


def told_alone(folder: Path) -> object:
    """The format told from the content, and no articles beside it."""
    from slant.annotate.firstpass import read_pass

    given = folder / "given"
    inside = list(given.iterdir())
    return read_pass(given if len(inside) > 1 else inside[0])


def articles(folder: Path) -> object:
    from slant.annotate.folders import read_articles

    inside = [path for path in folder.iterdir() if path.suffix != ".txt"]
    return read_articles(inside[0] if inside else folder)


def package(folder: Path) -> object:
    from slant.annotate.firstpass import read_passes

    return read_passes(folder / "ann", folder / "ben", None, None, None, None)


def merge(folder: Path) -> object:
    from slant.annotate.adjudication import read_adjudicated, read_record

    return read_record(folder), read_adjudicated(folder, partial=True)


def sheet(folder: Path) -> object:
    from slant.runs.judgesheets import read_marks

    return read_marks(folder / "sheet.csv", ["a", "b"])


def _packages() -> Files:
    from slant.annotate.packages import write_packages
    from slant.data.schemas import load_schema
    from slant.types import Item

    with tempfile.TemporaryDirectory() as place:
        items = [Item(name, text) for name, text in TEXTS.items()]
        write_packages(
            items,
            Path(place),
            ["ann", "ben"],
            load_schema("bait"),
            tool="jsonl",
            seed=1,
            codebook={},
        )
        made = dict(taken(Path(place)))
    own = {name: content for name, content in made.items() if "README" not in name}
    sheets = [name for name in own if name.endswith("first-pass.csv")]
    return own | {name: _ticked(own[name]) for name in sheets}


def _ticked(sheet: bytes) -> bytes:
    rows = list(csv.DictReader(io.StringIO(sheet.decode("utf-8-sig"), newline="")))
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    codes = [name for name in rows[0] if name[:1] in "BE" and name[1:].isdecimal()]
    writer.writerows({**row, **dict.fromkeys(codes[:2], "1")} for row in rows)
    return out.getvalue().encode()


def _merge() -> Files:
    from slant.annotate.cases import ANSWERS, merge_files
    from slant.annotate.merging import merged_gold

    made = from_tests("annotate", "made_passes")
    mark, article, word, text = made.mark, made.article, made.word, TEXTS["1"]
    first = [article("1", text, mark("B01", word(1), sure=2), mark("B02", word(3, 4), sure=3))]
    second = [article("1", text, mark("B02", word(4, 5), sure=3), mark("B03", word(8), sure=3))]
    merged = merged_gold(first, second, ("B01", "B02", "B03"), names=("ann", "ben"))
    with tempfile.TemporaryDirectory() as place:
        for path, content in merge_files(merged, Path(place)).items():
            path.write_bytes(content)
        found = dict(taken(Path(place)))
    rows = list(csv.DictReader(io.StringIO(found[ANSWERS].decode("utf-8-sig"), newline="")))
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows({**row, "decision": "keep"} for row in rows)
    return found | {ANSWERS: out.getvalue().encode()}


def readers() -> list[Reader]:
    """The readers of this module, with their files made."""
    seeds = {name: _written(name) for name in FORMATS}
    of_texts: list[Files] = [
        {f"{name}.txt": text.encode() for name, text in TEXTS.items()},
        {"a.csv": b"id,text\n1,Aa bb\n7,The plan\n"},
        {"a.jsonl": b'{"id": "1", "text": "Aa bb"}\n{"id": "7", "text": "The plan"}\n'},
    ]
    marks = b"key,supports_gold,faithful,note\na,yes,no,\nb,no,,x\n"
    return [
        Reader("annotate: articles", articles, of_texts, ("annotate.folders",)),
        *(
            Reader(f"annotate: {name}", partial(annotated, name), [seeds[name]], MODULES[name])
            for name in FORMATS
        ),
        Reader(
            "annotate: a format to be told",
            told_alone,
            list(seeds.values()),
            ("annotate.recognition", "annotate.formats"),
        ),
        Reader(
            "annotate: two packages",
            package,
            [_packages()],
            ("annotate.firstpass", "annotate.sheets"),
        ),
        Reader("annotate: a merge and its answers", merge, [_merge()], ("annotate.adjudication",)),
        Reader(
            "annotate: a judge's marked sheet", sheet, [{"sheet.csv": marks}], ("runs.judgesheets",)
        ),
    ]
