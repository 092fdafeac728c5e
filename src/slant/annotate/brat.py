"""brat's standoff format, read: a .txt and a .ann file an article.

Source: brat.nlplab.org/standoff.html, and brat's own server for what it reads and refuses.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from slant.annotate.bratwriting import (
    CONFIDENCE,
    GROUP,
    LINE_END,
    LINE_GAP,
    NOTE,
    TRIGGER_ID,
    write_brat,
)
from slant.annotate.confidence import confidence_value
from slant.annotate.folders import (
    article_id,
    article_of,
    article_text,
    check_unique,
    lines_of,
)
from slant.annotate.standoff import (
    Part,
    Place,
    Reading,
    checked_span,
    joined,
    losses,
    text_differs,
)
from slant.errors import DataError
from slant.types import Answer, Example, Item, Mark, Span

__all__ = ["read_brat", "write_brat"]

_PAIR = r"-?[0-9]{1,18} -?[0-9]{1,18}"
_HEAD = re.compile(rf"(\S+) ({_PAIR}(?:;{_PAIR})*)\s*")
_KEY = re.compile(r"[A-Za-z#]\S*|\*")
_LEFT = {"E": "events", "N": "normalisations"}


@dataclass(slots=True)
class _File:
    """The lines of one .ann file."""

    spans: dict[str, tuple[Place, Mark]] = field(default_factory=dict)
    links: list[tuple[Place, str, str]] = field(default_factory=list)
    facts: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    left: Counter[str] = field(default_factory=Counter)


def read_brat(path: Path, articles: Mapping[str, Item] | None) -> Reading:
    """The annotated articles of a folder of .txt and .ann files, or of one .ann file.

    Rule: spans of one T line, and of T lines that a relation, an equivalence or an attribute
    `Group` joins within one category, are one trigger. Fragments that only line ends separate are
    one span, which is how brat itself writes a span across lines.

    Args:
        path: the folder, or a .ann file.
        articles: by id, where the .txt files stand elsewhere.

    Raises:
        DataError: a line that brat would not read, words that are not those of the text, a .txt
            without its .ann or the other way round.
    """
    files = sorted(path.glob("*.ann")) if path.is_dir() else [path]
    if not files:
        raise DataError(f"Reading '{path}'", "the folder has no .ann file", "Name another folder")
    if path.is_dir() and articles is None:
        for text in path.glob("*.txt"):
            if not text.with_suffix(".ann").exists():
                found = f"'{text.name}' has no .ann file beside it"
                do = "Annotate it, write an empty .ann file, or take it away"
                raise DataError(f"Reading '{path}'", found, do)
    examples: list[Example] = []
    left: Counter[str] = Counter()
    for one in files:
        example, lost = _article(one, articles)
        examples.append(example)
        left += lost
    check_unique([(e.item.id, Place(f, "line 1")) for e, f in zip(examples, files, strict=True)])
    return Reading(examples, losses(left))


def _article(path: Path, articles: Mapping[str, Item] | None) -> tuple[Example, Counter[str]]:
    identity, beside = article_id(path.stem), path.with_suffix(".txt")
    if articles is not None:
        item = article_of(identity, articles, Place(path, "the name"))
    elif beside.exists():
        item = Item(identity, article_text(beside))
    else:
        found = f"there is no '{beside.name}' beside it"
        raise DataError(f"Reading '{path}'", found, "Give the articles too")
    content = article_text(path).removeprefix("\ufeff")
    file = _file(path, content, item.text)
    parts = [_part(key, file, place, mark) for key, (place, mark) in file.spans.items()]
    for key in file.facts:
        if key not in file.spans:
            file.left[f"attributes and notes of {key[0]} lines"] += 1
    links = []
    for place, one, other in file.links:
        for key in (one, other):
            if key not in file.spans and key.startswith("T"):
                raise place.fault(f"names {key}, which no line has", "Correct the line")
        if one in file.spans and other in file.spans:
            links.append((one, other))
        else:
            file.left["relations of events"] += 1
    marks, across = joined(parts, links)
    return Example(item, Answer(marks=marks)), file.left + across


def _file(path: Path, content: str, text: str) -> _File:
    # Offsets of tools that do not count a byte order mark: only where the words say so.
    shifts = (0, 1) if text.startswith("\ufeff") else (0,)
    fault: DataError | None = None
    for shift in shifts:
        try:
            return _lines(path, content, text, shift)
        except DataError as error:
            fault = fault or error
    raise fault or DataError(f"Reading '{path}'", "it cannot be read", "Give another file")


def _lines(path: Path, content: str, text: str, shift: int) -> _File:
    file = _File()
    seen: set[str] = set()
    for number, line in lines_of(content):
        place = Place(path, f"line {number}")
        key, tab, rest = line.partition("\t")
        if not tab or not _KEY.fullmatch(key):
            found = f"is no line of brat: it starts with {line[:20]!r}"
            raise place.fault(found, "A line is an id, a tab and the annotation")
        if key in seen and key != "*":
            raise place.fault(f"has the id {key} a second time", "Give every line an id of its own")
        seen.add(key)
        _take_line(file, key, rest, place, text, shift)
    return file


def _take_line(file: _File, key: str, rest: str, place: Place, text: str, shift: int) -> None:
    head, _, tail = rest.partition("\t")
    words = head.split()
    if key[0] == "T":
        mark, comment = _text_bound(key, rest, place, text, shift)
        file.spans[key] = (place, mark)
        file.left["words after the text of T lines"] += comment
    elif key == "*" and len(words) >= 3:
        file.links += [(place, words[1], other) for other in words[2:]]
    elif key[0] == "R" and len(words) == 3 and all(":" in word for word in words[1:]):
        one, other = (word.partition(":")[2] for word in words[1:])
        file.links.append((place, one, other))
    elif key[0] in "AM" and len(words) in {2, 3}:
        name = next((n for n in (CONFIDENCE, GROUP) if n.lower() == words[0].lower()), None)
        if name is None or len(words) == 2:
            file.left[f"attributes '{words[0]}'"] += 1
        else:
            file.facts.setdefault(words[1], {}).setdefault(name, []).append(words[2])
    elif key[0] == "#" and len(words) == 2:
        if words[0] in {NOTE, TRIGGER_ID}:
            file.facts.setdefault(words[1], {}).setdefault(words[0], []).append(tail)
        else:
            file.left[f"notes '{words[0]}'"] += 1
    elif key[0] in _LEFT:
        file.left[_LEFT[key[0]]] += 1
    else:
        found = f"is no annotation of brat that is known: '{key}' with {head[:40]!r}"
        raise place.fault(found, "Correct the line, or take it away")


def _text_bound(key: str, rest: str, place: Place, text: str, shift: int) -> tuple[Mark, bool]:
    head, tab, tail = rest.partition("\t")
    found = _HEAD.fullmatch(head)
    if found is None or not tab:
        raise place.fault(
            f"has no 'TYPE START END', a tab and the words after {key}: {rest[:40]!r}",
            "Write for example T1, a tab, B01 0 5, a tab, Words",
        )
    spans: list[Span] = []
    for pair in found[2].split(";"):
        start, end = (int(number) + shift for number in pair.split(" "))
        spans.append(checked_span(text, start, end, place))
    words = [text[span.start : span.end] for span in spans]
    ways = [LINE_END.sub(" ", between.join(words)) for between in (" ", "")]
    plain = LINE_END.sub(" ", tail)
    for way in ways:
        after = plain[len(way) :]
        if plain.startswith(way) and (not after or after[0].isspace()):
            return Mark(found[1], _across_lines(spans, text), id=key), bool(after.strip())
    raise text_differs(text, spans[0].start, ways[0], plain, place)


def _across_lines(spans: Sequence[Span], text: str) -> tuple[Span, ...]:
    whole = [spans[0]]
    for span in spans[1:]:
        if LINE_GAP.fullmatch(text, whole[-1].end, span.start):
            whole[-1] = Span(whole[-1].start, span.end)
        else:
            whole.append(span)
    return tuple(whole)


def _part(key: str, file: _File, place: Place, mark: Mark) -> Part:
    facts = file.facts.get(key, {})
    for name in (CONFIDENCE, GROUP, TRIGGER_ID):
        if len(set(facts.get(name, []))) > 1:
            raise place.fault(f"has two values of {name} ({', '.join(facts[name])})", "Keep one")
    sure = facts.get(CONFIDENCE)
    mark = replace(
        mark,
        confidence=confidence_value(sure[0], place) if sure else None,
        id=facts.get(TRIGGER_ID, [key])[0],
        note="\n".join(facts.get(NOTE, [])),
    )
    return Part(key, mark, facts.get(GROUP, [None])[0], place)
