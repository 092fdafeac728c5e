"""The inclusion rule and what it makes of two passes: kept, left out, or for a third person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from slant.errors import OptionError
from slant.metrics.matching import check_share
from slant.types import Answer, Example, Item, Mark

LOWEST: Final = 1
RESERVED: Final = frozenset({"keep", "drop", "edit"})
"""What a third person writes; no annotator can have such a name."""
Both = Literal["overlap", "match"]
Tie = Literal["adjudicate", "union", "shorter"]
Regrouped = Literal["adjudicate", "keep"]
Unrated = Literal["low", "high"]
Kind = Literal["trigger", "boundaries", "first pass"]


@dataclass(frozen=True, slots=True)
class Rule:
    """The inclusion rule, and what the paper leaves open.

    Fields:
        both: when two triggers of one bias are the same: "overlap": they share a character;
            "match": they match as in the scores, with `least`.
        least: IoU of spans and overlap (dice) of triggers, for "match".
        tie: whose boundaries a trigger gets that both marked with equal confidence: a third
            person's, the union of both, or those with fewer characters (equal: a third person's).
        regrouped: what becomes of a trigger that shares characters with one of the other annotator
            which is paired with another trigger: a third person decides, or it is kept beside it as
            marked by both, so that gold has two triggers over one passage.
        unrated: what a trigger without confidence counts as.
        high: the lowest confidence that keeps a trigger that one alone marked, and the highest
            that there may be.
    """

    both: Both = "overlap"
    least: float = 0.5
    tie: Tie = "adjudicate"
    regrouped: Regrouped = "adjudicate"
    unrated: Unrated = "low"
    high: float = 3

    def __post_init__(self) -> None:
        choices: Mapping[str, tuple[str, ...]] = {
            "both": ("overlap", "match"),
            "tie": ("adjudicate", "union", "shorter"),
            "regrouped": ("adjudicate", "keep"),
            "unrated": ("low", "high"),
        }
        for name, known in choices.items():
            if getattr(self, name) not in known:
                found = f"'{getattr(self, name)}' is none of its values"
                raise OptionError(f"Setting {name}", found, f"Give {', '.join(known)}")
        check_share(self.least, "overlap of triggers")
        if not self.high > LOWEST:
            found = f"the scale would go from {LOWEST} to {self.high:g}"
            raise OptionError("Setting high", found, f"Give more than {LOWEST}")


@dataclass(frozen=True, slots=True)
class Kept:
    """A trigger that the rule puts into gold, with who marked it and why it is kept."""

    article: str
    mark: Mark
    who: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Dropped:
    """A trigger that the rule leaves out, with why."""

    article: str
    mark: Mark
    who: str
    why: str


@dataclass(frozen=True, slots=True)
class Open:
    """What a third person decides.

    Fields:
        article: its id.
        kind: "trigger": whether it is one; "boundaries": where it begins and ends; "first pass":
            whether the article has a bias that was ticked and never marked.
        mark: what "keep" puts into gold; for "boundaries" the union.
        sides: what each annotator marked, by name; empty for "first pass".
        who: the annotators who said so.
        why: the reason in words.
    """

    article: str
    kind: Kind
    mark: Mark
    sides: Mapping[str, Mark]
    who: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Merged:
    """What became of two passes; the three lists are in order of articles and of the text."""

    items: tuple[Item, ...]
    codes: tuple[str, ...]
    names: tuple[str, str]
    rule: Rule
    kept: list[Kept] = field(default_factory=list)
    open: list[Open] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)

    @property
    def examples(self) -> list[Example]:
        """The gold so far: what is kept without a third person."""
        marks = [(one.article, one.mark) for one in self.kept]
        return gold_examples(self.items, self.codes, marks, [])


def gold_examples(
    items: Sequence[Item],
    codes: Sequence[str],
    marks: Sequence[tuple[str, Mark]],
    labels: Sequence[tuple[str, str]],
) -> list[Example]:
    """Articles with their gold: triggers in order of the text, named T1, T2 and so on.

    Rule: an article's labels are the biases of its triggers and those given.

    Args:
        items: the articles.
        codes: the order of biases that begin at the same place.
        marks: (article, trigger).
        labels: (article, bias) that a third person kept without a trigger.
    """
    order = {code: at for at, code in enumerate(codes)}
    by_article: dict[str, list[Mark]] = {item.id: [] for item in items}
    extra: dict[str, set[str]] = {item.id: set() for item in items}
    for article, mark in marks:
        by_article[article].append(mark)
    for article, code in labels:
        extra[article].add(code)
    examples = []
    for item in items:
        own = sorted(
            by_article[item.id], key=lambda m: (*place(m)[:1], order[m.category], place(m))
        )
        named = tuple(replace(mark, id=f"T{n}") for n, mark in enumerate(own, 1))
        biases = frozenset(mark.category for mark in named) | extra[item.id]
        examples.append(Example(item, Answer(labels=biases, marks=named)))
    return examples


def place(mark: Mark) -> tuple[tuple[int, int], ...]:
    """Where a trigger stands, to sort by; one that stands nowhere comes last."""
    return tuple(sorted((s.start, s.end) for s in mark.spans)) or ((1 << 60, 0),)
