"""An article as HTML in which passages are underlined and tagged, however they overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from slant.report.escaping import visible

LANES = "abcdef"
"""Lines under the text at one place; a passage that finds none free has its tag alone."""
FATES = ("matched", "same-bias", "other-bias", "unmarked", "missed", "unlocated")
"""Fates in the order of their numbers in an article's data; a found gold span is matched."""
SIGNS = ("✓", "~", "≠", "+", "✗", "?")
FATE_WORDS = (
    "matched",
    "overlaps gold of its bias, but not enough",
    "on gold of another bias",
    "on unmarked text",
    "missed",
    "not in the article",
)
LONG, LEAD, TAIL = 240, 160, 60
"""Of a quoted passage above so many characters, so many at its start and its end are shown."""
Shown = tuple[int, list[list[Any]], list[str]]
"""A trigger: index of its bias, its spans (start, end, fate, how it was located), its strings."""
FOUND = "found"
"""What a matched span is called on the side of the gold."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One span to underline.

    Fields:
        start, end: code points of the text, end exclusive.
        trigger: the number of its trigger, from 1.
        short: its bias where room is scarce.
        label: its bias in full.
        fate: index into FATES.
    """

    start: int
    end: int
    trigger: int
    short: str
    label: str
    fate: int


def passages_html(text: str, passages: Sequence[Passage], side: str) -> Markup:
    """The text, cut where a passage starts or ends; each piece has a line for each passage on it.

    Rule: passages are taken by their start, longer ones first; each has the first line that is
    free from its start to its end. A tag with bias, trigger and sign stands before each.

    Args:
        text: of the article.
        passages: any number, in any order; they may overlap, repeat and be empty.
        side: g for gold, p for a prediction: the prefix of the ids that tags link to.

    Returns:
        Escaped; the text is whole and in order, but for control characters.

    >>> str(passages_html("a<b", [], "g"))
    'a&lt;b'
    """
    kept = sorted(
        (min(one.start, len(text)), -min(one.end, len(text)), one.trigger, i)
        for i, one in enumerate(passages)
    )
    starts: dict[int, list[Passage]] = {}
    for start, _, _, i in kept:
        starts.setdefault(start, []).append(passages[i])
    cuts = sorted({0, len(text), *starts, *(-end for _, end, _, _ in kept)})
    lanes: list[Passage | None] = [None] * len(LANES)
    parts: list[Markup] = []
    for cut, until in zip(cuts, [*cuts[1:], cuts[-1]], strict=True):
        lanes = [one if one and one.end > cut else None for one in lanes]
        for one in starts.get(cut, ()):
            parts.append(_tag(one, side))
            if None in lanes and one.end > cut:
                lanes[lanes.index(None)] = one
        if until > cut:
            parts.append(_piece(piece(text, cut, until), lanes))
    return Markup("").join(parts)


def lanes_used(passages: Sequence[Passage]) -> int:
    """How many lines any place of the text needs, at most the number of LANES.

    >>> lanes_used([Passage(0, 9, 1, "A", "A", 0), Passage(3, 5, 2, "B", "B", 0)])
    2
    """
    turns = sorted(
        turn for one in passages if one.end > one.start for turn in ((one.start, 1), (one.end, -1))
    )
    most = now = 0
    for _, step in turns:
        now += step
        most = max(most, now)
    return min(most, len(LANES))


def piece(text: str, start: int, end: int) -> str:
    """A part of a text, nothing in it invisible; a line end cut in two is one line end.

    >>> piece("a\\r\\nb", 0, 2), piece("a\\r\\nb", 2, 4)
    ('a', '\\nb')
    """
    part = text[start:end]
    if part.endswith("\r") and text[end : end + 1] == "\n":
        part = part[:-1]
    return visible(part)


def fate_words(fate: int, side: str) -> str:
    """What a fate is called beside its sign.

    >>> fate_words(0, "g"), fate_words(0, "p")
    ('found', 'matched')
    """
    return FOUND if side == "g" and fate == 0 else FATE_WORDS[fate]


def entry_html(
    side: str, n: int, biases: Sequence[tuple[str, str]], mark: Shown, said: str, text: str
) -> Markup:
    """A trigger of a list: its bias and number, what is said of it, its spans with their fates.

    Args:
        side: as in `passages_html`.
        n: the trigger's number.
        biases: what stands for each and its name.
        mark: the trigger.
        said: of the trigger as a whole.
        text: of the article.
    """
    short, label = biases[mark[0]]
    lines = [
        _line(side, fate, _quoted(text[start:end]), how) for start, end, fate, how in mark[1]
    ] + [_line(side, FATES.index("unlocated"), _quoted(string), "") for string in mark[2]]
    return Markup(
        '<li id="{0}{1}" tabindex="-1"><strong>{2}·{1}</strong> <bdi>{3}</bdi> '
        '<span class="said">{4}</span><ul>{5}</ul></li>'
    ).format(side, n, short, label, said, Markup("").join(lines))


def _line(side: str, fate: int, quoted: str, how: str) -> Markup:
    more = Markup(' <span class="said">{}</span>').format(how) if how else ""
    return Markup('<li><span class="fate f{}">{} {}</span> <q dir="auto">{}</q>{}</li>').format(
        fate, SIGNS[fate], fate_words(fate, side), quoted, more
    )


def _quoted(part: str) -> str:
    if len(part) <= LONG:
        return visible(part)
    return f"{visible(part[:LEAD])} … {visible(part[-TAIL:])}"


def _tag(one: Passage, side: str) -> Markup:
    said = f"{one.label}, trigger {one.trigger}: {fate_words(one.fate, side)}"
    return Markup(
        '<a class="tag f{0}" href="#{1}{2}" data-t="{2}" title="{3}" aria-label="{3}">'
        "{4}·{2} {5}</a>"
    ).format(one.fate, side, one.trigger, said, one.short, SIGNS[one.fate])


def _piece(part: str, lanes: Sequence[Passage | None]) -> Markup:
    on = [(lane, one) for lane, one in zip(LANES, lanes, strict=True) if one]
    if not on:
        return Markup("{}").format(part)
    return Markup('<span class="s {}" data-t="{}">{}</span>').format(
        " ".join(f"{lane}{one.fate}" for lane, one in on),
        " ".join(dict.fromkeys(str(one.trigger) for _, one in on)),
        part,
    )
