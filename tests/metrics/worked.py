"""The worked example of docs/bait-scoring.md, and how tests write articles."""

from __future__ import annotations

from hypothesis import strategies as st

from slant.metrics.triggers import trigger_tallies
from slant.types import Answer, Mark, Span

CODES = ("B01", "B02", "B03", "B04")
RULES = {"span_threshold": 0.5, "trigger_threshold": 0.5}


def trigger(bias, *parts):
    """A trigger of (start, end) pairs and strings that are not located."""
    spans = tuple(Span(*one) for one in parts if not isinstance(one, str))
    return Mark(bias, spans, tuple(one for one in parts if isinstance(one, str)))


def article(*marks, labels=()):
    return Answer(frozenset(labels), marks)


GOLD = article(trigger("B01", (0, 10), (40, 50), (80, 90)), trigger("B02", (12, 32)))
SAID = article(
    trigger("B01", (0, 10)),
    trigger("B01", (80, 90)),
    trigger("B02", (12, 24), "absent"),  # six characters
    trigger("B04", (60, 70)),
)
MERGED = article(trigger("B01", (0, 10), (80, 90)), *SAID.marks[2:])
EMPTY = article()


def tallies(gold, said, codes=CODES, **rules):
    units = [f"a{n}" for n in range(len(gold))]
    return trigger_tallies(gold, said, units, codes, **(RULES | rules))


def cells(tally):
    """tp, fp, fn over all articles and biases."""
    return tuple(tally.counts.sum(axis=(0, 1)).tolist()[:3])


def counted(gold, said, **rules):
    """Level -> tp, fp, fn of one article."""
    found = tallies([gold], [said], **rules)
    return {name: cells(tally) for name, tally in found.items()}


PART = st.one_of(
    st.tuples(st.integers(0, 25), st.integers(1, 12)).map(lambda p: (p[0], p[0] + p[1])),
    st.sampled_from(["", "lost", "elsewhere"]),
)
LOCATED = st.tuples(st.integers(0, 25), st.integers(1, 12)).map(lambda p: (p[0], p[0] + p[1]))


def answers(part=PART, most=4):
    """Answers with up to `most` triggers of two biases, and labels of a third."""
    mark = st.tuples(st.sampled_from(["B01", "B02"]), st.lists(part, min_size=1, max_size=3))
    return st.tuples(
        st.lists(mark, max_size=most), st.frozensets(st.sampled_from(["B01", "B03"]))
    ).map(lambda p: article(*(trigger(b, *parts) for b, parts in p[0]), labels=p[1]))
