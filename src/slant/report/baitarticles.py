"""A page for each article of BAIT: its gold above, a prediction below, and each span's fate."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from slant.report.bait import Bait
from slant.report.baitnames import FAULT_NAMES, STEP_NAMES, shots_text
from slant.report.baitpassages import (
    FATE_WORDS,
    FATES,
    FOUND,
    LANES,
    LEAD,
    LONG,
    SIGNS,
    TAIL,
    Passage,
    Shown,
    entry_html,
    lanes_used,
    passages_html,
)
from slant.report.escaping import one_line
from slant.report.page import inline_script, rendered
from slant.report.tables import counted, rounded
from slant.types import Example

Read = Mapping[str, Any]

_MISSED = FATES.index("missed")
_NAME = 80
_TRIGGER_SAID = ("trigger not matched", "trigger matched")
_SPANS_FOUND = "spans found:"


@dataclass(frozen=True, slots=True)
class Told:
    """What one run says of an article, ready for the page.

    Fields:
        order: of the system, its number of examples, and the run within them.
        system: the name of the system.
        shots: worked examples.
        data: what the page's script reads.
    """

    order: tuple[int, int, list[tuple[int, str]]]
    system: str
    shots: int
    data: Mapping[str, Any]

    @property
    def missed(self) -> int:
        """How many gold spans it missed."""
        return len(self.data["missed"])


@dataclass(frozen=True, slots=True)
class Article:
    """An article with its gold, its biases (code -> place) and what was said of it."""

    example: Example
    index: dict[str, int]
    told: list[Told] = field(default_factory=list)

    @property
    def spans(self) -> int:
        """How many spans its gold has."""
        return sum(len(mark.spans) for mark in self.example.gold.marks)


def article_of(found: Bait, example: Example) -> Article:
    """An article of which nothing was said yet."""
    codes = [one.code for one in found.categories]
    codes += [mark.category for mark in example.gold.marks]
    return Article(example, {code: n for n, code in enumerate(dict.fromkeys(codes))})


def add_run(found: Bait, article: Article, line: Read) -> None:
    """Adds a line of the fates to its article, but none of people: their gold is another pass."""
    names = [one.name for one in found.systems if one.kind != "human"]
    name, shots = str(line["system"]), int(line["shots"])
    if name in names:
        order = (names.index(name), shots, _natural(str(line["run"])))
        article.told.append(Told(order, name, shots, _run(found, article, line)))


def file_names(ids: Sequence[str]) -> list[str]:
    """A file name for each id, safe on any disk; no two differ by case alone.

    >>> file_names(["a/b", "a?b", "../x", ""])
    ['a-b.html', 'a-b-2.html', 'x.html', 'article.html']
    """
    found: list[str] = []
    taken: set[str] = set()
    for one in ids:
        stem = re.sub(r"[^A-Za-z0-9._-]+", "-", one).strip("-.")[:_NAME].rstrip("-.") or "article"
        # Names of devices, which one system still keeps.
        if re.fullmatch(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?", stem):
            stem = f"article-{stem}"
        name, number = stem, 1
        while name.casefold() in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name.casefold())
        found.append(f"{name}.html")
    return found


def article_page(found: Bait, article: Article, names: Sequence[str], i: int) -> str:
    """The page of one article; the first run is shown without a script, any with one.

    Args:
        found: what was read.
        article: with what was said of it.
        names: of the files of all articles.
        i: which of them this is.
    """
    example, index = article.example, article.index
    gold: list[Shown] = [
        (index[m.category], [[s.start, s.end, 0, ""] for s in m.spans], list(m.quotes))
        for m in example.gold.marks
    ]
    told = sorted(article.told, key=lambda one: one.order)
    systems = list(dict.fromkeys(one.system for one in told))
    runs = [{**one.data, "system": systems.index(one.system)} for one in told]
    labels = [found.label(name) for name in systems]
    biases = [(one.short, one.title) for one in map(found.category, index)]
    first: Mapping[str, Any] = runs[0] if runs else _NO_RUN
    missed, n = set(first["missed"]), 0
    for _, spans, _ in gold:
        for span in spans:
            span[2] = _MISSED if n in missed else 0
            n += 1
    above, below = _passages(gold, biases), _passages(first["marks"], biases)
    text = example.item.text
    data = {
        "text": text, "biases": biases, "systems": labels, "runs": runs, "signs": SIGNS,
        "gold": [(bias, [span[:2] for span in spans], strings) for bias, spans, strings in gold],
        "words": FATE_WORDS, "found": FOUND, "missed": _MISSED, "lanes": LANES, "long": LONG,
        "lead": LEAD, "tail": TAIL, "spansFound": _SPANS_FOUND, "triggerSaid": _TRIGGER_SAID,
    }  # fmt: skip
    script, digest = inline_script("baitarticle.js")
    return rendered(
        "baitarticle.html.j2",
        title=one_line(example.item.id) or "article",
        asked=_asked(example),
        before=names[i - 1] if i > 0 else "",
        after=names[i + 1] if i + 1 < len(names) else "",
        lanes=LANES,
        signs=SIGNS,
        words=FATE_WORDS,
        gold_lanes=lanes_used(above),
        gold_html=passages_html(text, above, "g"),
        gold_list=Markup("").join(
            entry_html("g", k, biases, one, _found_text(one[1]), text)
            for k, one in enumerate(gold, 1)
        ),
        answer_lanes=lanes_used(below),
        answer_html=passages_html(text, below, "p"),
        answer_list=Markup("").join(
            entry_html("p", k, biases, (one[0], one[1], one[2]), _TRIGGER_SAID[one[3]], text)
            for k, one in enumerate(first["marks"], 1)
        ),
        which=first["label"],
        told=first["told"],
        data=_json(data),
        script=script,
        digest=digest,
    )


_NO_RUN: dict[str, Any] = {"label": "none", "told": "No run has this article.", "missed": [],
                           "marks": []}  # fmt: skip


def _run(found: Bait, article: Article, line: Read) -> dict[str, Any]:
    left = Counter((one["bias"], one["start"], one["end"]) for one in line["missed"])
    gold = [(m.category, span) for m in article.example.gold.marks for span in m.spans]
    missed = []
    for n, (bias, span) in enumerate(gold):
        if left[bias, span.start, span.end] > 0:
            left[bias, span.start, span.end] -= 1
            missed.append(n)
    marks = []
    for trigger in line["triggers"]:
        spans = [
            [one["start"], one["end"], FATES.index(one["fate"]), _how(one)]
            for one in trigger["spans"]
        ]
        place = article.index.setdefault(str(trigger["bias"]), len(article.index))
        marks.append([place, spans, list(trigger["unlocated"]), int(bool(trigger["matched"]))])
    name = f"{shots_text(int(line['shots']))}, {line['run']}"
    return {
        "name": name,
        "label": f"{found.label(str(line['system']))}, {name}",
        "told": _told(line.get("fault"), marks, len(gold), len(missed)),
        "missed": missed,
        "marks": marks,
    }


def _how(span: Read) -> str:
    step = span.get("step")
    if step in (None, "exact"):
        return ""
    said = f"located {STEP_NAMES.get(str(step), str(step))}"
    similarity = span.get("similarity")
    return f"{said}, {rounded(float(similarity))}" if step == "fuzzy" and similarity else said


def _told(fault: str | None, marks: Sequence[Sequence[Any]], gold: int, missed: int) -> str:
    if fault:
        said = FAULT_NAMES.get(fault, fault)
        return f"The answer could not be used ({said}): it is scored as empty."
    spans = [span[2] for mark in marks for span in mark[1]]
    strings = sum(len(mark[2]) for mark in marks)
    said = (
        f"{counted(gold - missed)} of {counted(gold)} gold spans found; "
        f"{counted(spans.count(0))} of {counted(len(spans) + strings)} predicted spans matched; "
        f"{counted(sum(mark[3] for mark in marks))} of {counted(len(marks))} predicted triggers "
        "matched"
    )
    return f"{said}; {counted(strings)} not in the article." if strings else f"{said}."


def _natural(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]


def _asked(example: Example) -> str:
    marks = example.gold.marks
    spans = sum(len(mark.spans) for mark in marks)
    n, m = counted(len(marks)), counted(spans)
    return (
        f"{counted(len(example.item.text))} characters; gold: {n} "
        f"trigger{'' if len(marks) == 1 else 's'} of {m} span{'' if spans == 1 else 's'}. Tags "
        "hold a bias, the number of its trigger and a sign; spans of one trigger share the number."
    )


def _passages(marks: Iterable[Sequence[Any]], biases: Sequence[tuple[str, str]]) -> list[Passage]:
    return [
        Passage(start, end, n, short, label, fate)
        for n, mark in enumerate(marks, 1)
        for short, label in [biases[mark[0]]]
        for start, end, fate, _ in mark[1]
    ]


def _found_text(spans: Sequence[Sequence[Any]]) -> str:
    return f"{_SPANS_FOUND} {sum(span[2] == 0 for span in spans)} of {len(spans)}"


def _json(data: Any) -> Markup:
    # Inside a script element nothing but its end tag and a comment means anything.
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(re.sub("[<>&\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text))
