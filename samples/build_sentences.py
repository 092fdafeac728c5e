"""Builds the sentences of the embedded sample from the marked-up sources in samples/sentences.

    python samples/build_sentences.py [FILE]        write sentences.jsonl (or FILE)
    python samples/build_sentences.py --check       is sentences.jsonl what would be built?
    python samples/build_sentences.py --lint FILE   form, balance, spelling, artefacts of one source

A source has events; an event has a header line and pairs, which blank lines part:

    @ e01 | topic: transport | section: local | outlet: Orvane Courier | english: gb | facts: ...

    N1 1 | The council voted by 14 to 9 for its plan to close Ferry Street to cars.
    R01 2 | The council {rammed through} by 14 to 9 its plan to {R08:banish} cars from Ferry Street.

The first field is the rule (README.md of the sample), the second the difficulty from 1 (any reader
sees it) to 3. Braces mark the words that carry the bias, with their rule where it is another one.
What stands in straight double quotes is quoted speech. The two lines of a pair stand in the order
in which they are written out.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SOURCES = Path(__file__).parent / "sentences"
BUILT = Path(__file__).parents[1] / "src" / "slant" / "data" / "samples" / "sentences.jsonl"
KINDS = {
    "R01": "loaded", "R02": "framing", "R03": "presupposition", "R04": "epistemological",
    "R05": "agent-omission", "R06": "generalisation", "R07": "mind-reading", "R08": "sensational",
    "R09": "ad-hominem", "R10": "racial", "R11": "gender", "R12": "political", "R13": "age",
}  # fmt: skip
NEUTRAL = ("N1", "N2", "N3", "N4", "N5")
_HEADER = re.compile(
    r"@ (e\d+) \| topic: ([^|]+) \| section: ([^|]+) \| outlet: ([^|]+) \| english: (gb|us)"
    r" \| facts: ([^|]+)"
)
_LINE = re.compile(r"([RN]\d\d?) ([123]) \| (\S.*)")
_MARK = re.compile(r"\{(?:(R\d\d):)?([^{}]+)\}")
_QUOTED = re.compile(r'"[^"]*"')


class SourceError(Exception):
    """A source that does not follow the form, by file and line."""


@dataclass(frozen=True, slots=True)
class Event:
    """The header of an event."""

    id: str
    topic: str
    section: str
    outlet: str
    english: str
    facts: str


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence as it stands in a source, with the number of its line."""

    number: int
    rule: str
    difficulty: int
    text: str
    spans: list[list[int]]
    kinds: list[str]


def read_source(path: Path) -> list[tuple[Event, list[list[Line]]]]:
    """The events of a source, each with its pairs."""
    events: list[tuple[Event, list[list[Line]]]] = []
    pair: list[Line] = []
    for number, raw in enumerate([*path.read_text(encoding="utf-8").split("\n"), ""], 1):
        row = raw.strip()
        if row and not row.startswith("@"):
            pair.append(_line(path, number, row))
            continue
        if pair:
            _close(path, number, events, pair)
            pair = []
        if row:
            found = _HEADER.fullmatch(row)
            if found is None:
                raise SourceError(f"{path.name}:{number}: not the header of an event: {row}")
            events.append((Event(*(part.strip() for part in found.groups())), []))
    return events


def _close(path: Path, number: int, events: list[Any], pair: list[Line]) -> None:
    if not events:
        raise SourceError(f"{path.name}:{number}: a pair before the first event")
    if len(pair) != 2 or {one.rule[0] for one in pair} != {"R", "N"}:
        rules = [one.rule for one in pair]
        raise SourceError(f"{path.name}:{pair[0].number}: a pair is one R and one N line: {rules}")
    events[-1][1].append(pair)


def _line(path: Path, number: int, row: str) -> Line:
    where = f"{path.name}:{number}"
    found = _LINE.fullmatch(row)
    if found is None:
        raise SourceError(f"{where}: not RULE DIFFICULTY | sentence: {row[:60]}")
    rule, difficulty, marked = found.groups()
    if rule not in KINDS and rule not in NEUTRAL:
        raise SourceError(f"{where}: no such rule: {rule}")
    text, spans, kinds, at = "", [], [], 0
    for mark in _MARK.finditer(marked):
        text += marked[at : mark.start()]
        if (mark[1] or rule) not in KINDS:
            raise SourceError(f"{where}: words are marked in a neutral sentence or by {mark[1]}")
        spans.append([len(text), len(text) + len(mark[2])])
        kinds.append(KINDS[mark[1] or rule])
        text += mark[2]
        at = mark.end()
    text += marked[at:]
    if set("{}") & set(text):
        raise SourceError(f"{where}: braces that do not close: {row[:60]}")
    if (rule in KINDS) != (KINDS.get(rule) in kinds):
        raise SourceError(f"{where}: no words are marked for the rule {rule}")
    if text.count('"') % 2:
        raise SourceError(f"{where}: quotation marks that do not close: {row[:60]}")
    return Line(number, rule, int(difficulty), text, spans, kinds)


def built_rows(sources: list[Path]) -> list[dict[str, Any]]:
    """The rows of sentences.jsonl, numbered through all sources in order."""
    rows: list[dict[str, Any]] = []
    seen: set[str] = set()
    for path in sources:
        for event, pairs in read_source(path):
            if event.id in seen:
                raise SourceError(f"{path.name}: the event {event.id} stands twice")
            seen.add(event.id)
            for order, pair in enumerate(pairs, 1):
                for line in pair:
                    number = f"s{len(rows) + 1:04d}"
                    rows.append(_row(number, event, f"{event.id}-{order}", line))
    return rows


def _row(id_: str, event: Event, pair: str, line: Line) -> dict[str, Any]:
    return {
        "id": id_,
        "event": event.id,
        "pair": pair,
        "text": line.text,
        "label": int(line.rule in KINDS),
        "kind": KINDS.get(line.rule),
        "spans": line.spans,
        "kinds": line.kinds,
        "difficulty": line.difficulty,
        "topic": event.topic,
        "section": event.section,
        "outlet": event.outlet,
        "english": event.english,
        "quoted": [list(found.span()) for found in _QUOTED.finditer(line.text)],
        "hard_negative": line.rule in NEUTRAL[1:],
        "rule": line.rule,
    }


def main(arguments: list[str]) -> int:
    """Build, check or lint; the exit code."""
    sources = sorted(SOURCES.glob("*.txt"))
    if arguments[:1] == ["--lint"]:
        from sentencelint import lint

        if len(arguments) != 2:
            raise SourceError("--lint takes one source")
        return lint(built_rows([Path(arguments[1])]))
    rows = built_rows(sources)
    made = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    if arguments == ["--check"]:
        same = BUILT.read_text(encoding="utf-8") == made
        print("the same" if same else f"{BUILT.name} is not what the sources give")
        return int(not same)
    out = Path(arguments[0]) if arguments else BUILT
    out.write_text(made, encoding="utf-8")
    print(f"{len(rows)} sentences on {len({row['event'] for row in rows})} events in {out.name}")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    try:
        raise SystemExit(main(sys.argv[1:]))
    except SourceError as error:
        print(error, file=sys.stderr)
        raise SystemExit(2) from None
