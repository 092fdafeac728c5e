"""Builds the sample of articles with bias triggers from samples/bait and samples/annotated.

    python samples/build_bait.py [FOLDER]

samples/annotated has articles, the two passes as brat saves them (made from packages of `slant
annotate new`) and the sheet that the third person answered; the functions of `slant annotate merge`
and `adjudicate` make gold of them. samples/bait has sources with the passages marked in the text: a
source has an article, a line of three hyphens, and one line for each trigger:

    B01 | gold 1 5 7 | a3 1 5 7 | b2 1 5 | why: ...

In the article <5>these words</5> are passage 5; passages may lie in one another. `gold 1 5 7` is a
trigger of three spans in the gold set, `gold -` none; `a3 1 5 7` is what annotator a marked, with
confidence 3. `why` is the adjudicator's reason and must stand where the inclusion rule sends a
trigger to adjudication: confidence below 3, and the other annotator marked nothing of this bias
there.
"""

from __future__ import annotations

import csv
import json
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from slant.annotate.adjudication import read_adjudicated
from slant.annotate.cases import merge_files
from slant.annotate.firstpass import read_passes
from slant.annotate.formats import write_annotated
from slant.annotate.merging import merged_gold
from slant.data.schemas import load_schema

SOURCES = Path(__file__).parent / "bait"
ANNOTATED = Path(__file__).parent / "annotated"
FOLDER = Path(__file__).parents[1] / "src" / "slant" / "data" / "samples" / "bait"
SURE = 3
_TAG = re.compile(r"<(/?)(\d+)>")
_COLUMN = re.compile(r"(gold|[ab])([123]?)((?: \d+)+| -)$")
Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Line:
    """One line under an article: who marked which ranges ("gold", "a", "b"), how surely, why."""

    bias: str
    marked: Mapping[str, tuple[Range, ...]]
    confidence: Mapping[str, int]
    why: str


def article(source: str) -> tuple[str, dict[str, Range]]:
    """The text without its tags, and each passage's [start, end)."""
    text, at, ranges = "", 0, dict[str, list[int]]()
    for tag in _TAG.finditer(source):
        text, at = text + source[at : tag.start()], tag.end()
        ranges.setdefault(tag[2], []).append(len(text))
        assert len(ranges[tag[2]]) == (2 if tag[1] else 1), tag[0]
    text += source[at:]
    for name, (start, end) in ranges.items():
        passage = text[start:end]
        assert passage == passage.strip(), (name, passage)
        assert "\n" not in passage, name
    assert not re.search(r"[<>]", text)
    return text, {name: (start, end) for name, (start, end) in ranges.items()}


def lines(block: str, ranges: Mapping[str, Range], codes: Iterable[str]) -> list[Line]:
    """What stands under an article, checked."""
    found = []
    for row in block.strip().splitlines():
        bias, *columns = (part.strip() for part in row.split("|"))
        assert bias in codes, row
        why, marked, confidence = "", {}, {}
        for column in columns:
            if column.startswith("why: "):
                why = column.removeprefix("why: ")
                continue
            match = _COLUMN.fullmatch(column)
            assert match is not None, row
            names = match[3].split()
            if names != ["-"]:
                marked[match[1]] = tuple(sorted(ranges[name] for name in names))
                assert (match[1] == "gold") == (match[2] == ""), row
                confidence |= {match[1]: int(match[2])} if match[2] else {}
        found.append(Line(bias, marked, confidence, why))
    return found


def overlapping(one: Iterable[Range], others: Iterable[Line], bias: str, who: str) -> list[Line]:
    """The lines on which `who` marked words of the same bias that share a character with `one`."""
    ranges = list(one)
    return [
        line
        for line in others
        if line.bias == bias
        and any(a < d and c < b for a, b in ranges for c, d in line.marked.get(who, ()))
    ]


def adjudicated(found: list[Line]) -> list[dict[str, Any]]:
    """What the adjudicator alone decided; also checks that gold follows from the two passes."""
    decided = []
    for line in found:
        if "gold" in line.marked:
            passes = [overlapping(line.marked["gold"], found, line.bias, who) for who in "ab"]
            assert any(passes), line
        sent = []
        for who, other in ("ab", "ba"):
            if who not in line.marked:
                continue
            ranges = line.marked[who]
            both = overlapping(ranges, found, line.bias, other)
            kept = bool(overlapping(ranges, found, line.bias, "gold"))
            if line.confidence[who] == SURE or both:
                assert kept, (line, "must be kept")
                continue
            sent.append(who)
            decided.append(
                {"bias": line.bias, "annotator": who, "confidence": line.confidence[who]}
                | {"spans": ranges, "kept": kept, "why": line.why}
            )
        assert bool(sent) == bool(line.why), (line, "a reason for what was adjudicated, only")
    return decided


def triggers(found: list[Line], who: str, text: str) -> list[dict[str, Any]]:
    """One pass, or the gold, in slant's own JSON; gold has the higher of the two confidences."""
    rows = []
    marked = [line for line in found if who in line.marked]
    for line in sorted(marked, key=lambda one: (one.marked[who], one.bias)):
        ranges = line.marked[who]
        if who == "gold":
            passes = [
                (one, name) for name in "ab" for one in overlapping(ranges, found, line.bias, name)
            ]
            confidence = max(one.confidence[name] for one, name in passes)
        else:
            confidence = line.confidence[who]
        row: dict[str, Any] = {
            "id": f"T{len(rows) + 1}",
            "bias": line.bias,
            "spans": spans(ranges, text),
            "confidence": confidence,
        }
        if who == "gold" and line.why:
            row["note"] = f"Adjudicated. {line.why}"
        rows.append(row)
    return rows


def spans(ranges: Iterable[Range], text: str) -> list[dict[str, Any]]:
    """Ranges as slant's own JSON has them."""
    return [{"start": start, "end": end, "text": text[start:end]} for start, end in ranges]


def annotated() -> dict[str, list[dict[str, Any]]]:
    """The rows of the four files for the articles whose two passes were merged by slant itself."""
    first, second = ANNOTATED / "a", ANNOTATED / "b"
    passes = read_passes(first, second, ANNOTATED / "articles", "brat", "bait", "annA,annB")
    merged = merged_gold(passes.first, passes.second, passes.codes, names=passes.names)
    sheet = ANNOTATED / "adjudication.csv"
    found: dict[str, list[dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path, content in merge_files(merged, folder).items():
            path.write_bytes(content)
        gold = read_adjudicated(folder, sheet).examples
        for part, examples in (
            ("articles", gold), ("annotator-a", passes.first), ("annotator-b", passes.second),
        ):  # fmt: skip
            write_annotated(examples, folder / f"{part}.jsonl", format="jsonl")
            lines_ = (folder / f"{part}.jsonl").read_text("utf-8").splitlines()
            found[part] = [_labelled(json.loads(line)) for line in lines_]
    texts = {row["id"]: row["text"] for row in found["articles"]}
    found["adjudicated"] = []
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            who = re.match(r"ann([AB]) \((\d)\)", row["who"])
            assert who is not None, row
            both = row["kind"] == "boundaries"
            places = [tuple(map(int, one.split(".."))) for one in row["spans"].split("; ")]
            found["adjudicated"].append(
                {
                    "article": row["article"],
                    "bias": row["bias"],
                    "annotator": "both" if both else who[1].lower(),
                    "confidence": int(who[2]),
                    "spans": spans(places, texts[row["article"]]),  # type: ignore[arg-type]
                    "kept": row["decision"] != "drop",
                    "why": row["note"],
                }
            )
    return found


def _labelled(row: dict[str, Any]) -> dict[str, Any]:
    """An article with the biases of its triggers, where it has any, as all files have them."""
    labels = sorted({one["bias"] for one in row["triggers"]})
    named = {"labels": labels} if labels else {}
    return {"id": row["id"], "text": row["text"], **named, "triggers": row["triggers"]}


def build(folder: Path) -> None:
    """Writes the four files of the sample."""
    codes = load_schema("bait").codes
    files: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("articles", "annotator-a", "annotator-b", "adjudicated")
    }
    for path in sorted(SOURCES.glob("*.txt")):
        source, block = path.read_text("utf-8").split("\n---\n")
        text, ranges = article(source + "\n")
        found = lines(block, ranges, codes)
        unused = ranges.keys() - set(re.findall(r"(?<= )\d+(?=[ \n]|$)", block))
        assert not unused, (path.name, unused)
        for name, who in (("articles", "gold"), ("annotator-a", "a"), ("annotator-b", "b")):
            rows = triggers(found, who, text)
            labels = sorted({row["bias"] for row in rows})
            row: dict[str, Any] = {"id": path.stem, "text": text}
            row |= {"labels": labels} if labels else {}
            files[name].append({**row, "triggers": rows})
        files["adjudicated"] += [
            {"article": path.stem, **one, "spans": spans(one["spans"], text)}
            for one in adjudicated(found)
        ]
    for name, rows in annotated().items():
        files[name] += rows
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in files.items():
        content = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_bytes(content.encode())


if __name__ == "__main__":
    if any(one.startswith("-") for one in sys.argv[1:]):
        raise SystemExit(__doc__)
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
