"""Articles side by side: profiles of outlets, topics and dates, and articles on one event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Any, Final, Literal, get_args

import numpy as np

from slant.analysis.analyses import Measure
from slant.analysis.detectors import LEVEL
from slant.analysis.profiles import measure_says
from slant.analysis.summaries import Summary
from slant.analysis.widening import widened
from slant.errors import unknown_name
from slant.stats.resampling import generator
from slant.types import Estimate, Floats, Undefined

By = Literal["outlet", "topic", "date"]
RESAMPLES: Final = 1_000
SEED: Final = 42
FEWEST: Final = 3
"""Articles below which a group has no interval: resamples of one or two say nothing of others."""
UNREAD_DATE: Final = "date not read"
"""Name of the group of articles whose date is kept as text."""
SAME_EVENT: Final = 0.4
"""Cosine similarity of TF-IDF weights from which on two articles are on one event."""
MOST: Final = 20_000
"""Articles that are looked through for the same event."""


@dataclass(frozen=True, slots=True)
class Group:
    """Articles that share an outlet, a topic or a date.

    Fields:
        by, name: "outlet" and its name; "" for articles that name none, `UNREAD_DATE` for those
            whose date could not be read.
        articles: how many, those without a sentence left out.
        texts: how many of different words.
        sentences: in all of these.
        profile: shares over all sentences of the group, with intervals over articles.
    """

    by: str
    name: str
    articles: int
    texts: int
    sentences: int
    profile: tuple[Measure, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """Articles that are alike enough to be about the same event.

    Fields:
        lead: id of the article that all others are alike to.
        articles: all their ids, by date and id.
        similarity: the least similarity of an article to the lead, in [threshold, 1].
        outlets: the different outlets, in alphabetical order.
    """

    lead: str
    articles: tuple[str, ...]
    similarity: float
    outlets: tuple[str, ...]


def grouped(summaries: Sequence[Summary], by: By) -> tuple[Group, ...]:
    """The profile of each outlet, topic or month.

    Rule: a share is the sentences of all articles of the group that have it over all that could.
    The interval is the percentile bootstrap over articles, since sentences of one article are
    alike: articles of the same words are one and drawn together. It is made no narrower than
    Wilson's interval over the sentences (`widening.widened`), since resamples of few articles are
    too alike. Below three different texts there is none. Groups stand in alphabetical order, never
    in the order of a share: an order would say more than overlapping intervals allow.

    Args:
        summaries: of the articles; those without a sentence are left out.
        by: "outlet", "topic", or "date" for the month.

    Returns:
        One group for each name, then those of a date that was not read, the nameless last.

    Raises:
        UnknownName: `by` is none of the three.
    """
    if by not in get_args(By):
        raise unknown_name("grouping of articles", by, get_args(By))
    groups: dict[str, list[Summary]] = {}
    for one in summaries:
        if one.sentences:
            groups.setdefault(_name(one, by), []).append(one)
    last = ("", UNREAD_DATE) if by == "date" else ("",)
    order = sorted(groups, key=lambda name: (name == "", name in last, name.casefold(), name))
    return tuple(_group(by, name, groups[name]) for name in order)


def _name(one: Summary, by: By) -> str:
    if by == "date":
        return UNREAD_DATE if one.undated else one.date[:7]
    return str(getattr(one, by)).strip()


def _group(by: str, name: str, articles: Sequence[Summary]) -> Group:
    keys = sorted({one.key for one in articles})
    place = {key: number for number, key in enumerate(keys)}
    names = list(dict.fromkeys(key for one in articles for key in one.counts))
    column = {key: number for number, key in enumerate(names)}
    counts = np.zeros((len(keys), len(names), 2))
    for one in articles:
        for key, pair in one.counts.items():
            counts[place[one.key], column[key]] += pair
    draws = _draws(counts, [by, name])
    return Group(
        by=by,
        name=name,
        articles=len(articles),
        texts=len(keys),
        sentences=sum(one.sentences for one in articles),
        profile=tuple(
            Measure(key, measure_says(key), _estimate(counts[:, number], draws[:, number]))
            for key, number in column.items()
        ),
    )


def _draws(counts: Floats, names: Sequence[str]) -> Floats:
    """(resamples, measures) shares of samples of texts drawn with replacement."""
    size, shape = len(counts), (RESAMPLES, counts.shape[1])
    if size < FEWEST:
        return np.full(shape, np.nan)
    stream = generator(SEED, ["grouped", *names])
    drawn = np.empty((RESAMPLES, counts[0].size))
    for row in range(RESAMPLES):
        often = np.bincount(stream.integers(size, size=size), minlength=size)
        # einsum adds in one order, whatever the number of threads.
        drawn[row] = np.einsum("n,nm->m", often.astype(np.float64), counts.reshape(size, -1))
    drawn = drawn.reshape(*shape, 2)
    draws = np.full(shape, np.nan)
    np.divide(drawn[..., 0], drawn[..., 1], out=draws, where=drawn[..., 1] > 0)
    return draws


def _estimate(counts: Floats, draws: Floats) -> Estimate | Undefined:
    found, of = counts.sum(axis=0).tolist()
    if not of:
        return Undefined("no sentence of these articles could have it")
    told = "share or mean over sentences"
    defined = draws[~np.isnan(draws)]
    if len(counts) < FEWEST:
        told += f"; no interval from fewer than {FEWEST} different texts"
    elif len(defined) < LEVEL * len(draws):
        told += "; no interval, since it is undefined in too many resamples"
    else:
        told += (
            f", percentile bootstrap over articles, {len(defined):,} resamples, no narrower than "
            "Wilson's interval over the sentences"
        )
        low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist()
        low, high = widened(low, high, found, round(of))
        return Estimate(found / of, low, high, level=LEVEL, n=len(counts), method=told)
    return Estimate(found / of, None, None, level=LEVEL, n=len(counts), method=told)


def same_events(summaries: Sequence[Summary], threshold: float = SAME_EVENT) -> tuple[Event, ...]:
    """Groups of articles that are alike enough to be about the same event.

    Rule: TF-IDF weights of the words of title and first 1,500 characters. The article that most
    others reach the threshold of cosine similarity to (of equal ones the first) leads a group of
    itself and these; then the same among the articles that are left. So each article of a group is
    alike to its lead, and no chain of likenesses joins two events. Articles of the same words are
    one; the first stands for it.

    Args:
        summaries: of articles, 20,000 at most are looked through, the first ones.
        threshold: in (0, 1].

    Returns:
        Groups of two or more, the largest first, of equal ones that with the first id.
    """
    from slant.systems.linear import fitted_terms

    unique: dict[str, Summary] = {}
    for one in summaries[:MOST]:
        if one.sentences and any(c.isalnum() for c in one.opening):
            unique.setdefault(one.key, one)
    own = list(unique.values())
    if len(own) < 2:
        return ()
    _, x = fitted_terms("the grouping by event", [one.opening for one in own], 1, 1)
    alike = _similar(x, threshold)
    free, events = set(range(len(own))), []
    heap = [(-len(near), at) for at, near in enumerate(alike) if near]
    heapify(heap)
    while heap:
        known, at = heappop(heap)
        near = alike[at].keys() & free if at in free else set()
        if near and len(near) < -known:
            # Some were taken by another lead since; it waits for its turn again.
            heappush(heap, (-len(near), at))
        elif near:
            free -= near | {at}
            events.append(_event(own, at, near | {at}, min(alike[at][one] for one in near)))
    return tuple(sorted(events, key=lambda one: (-len(one.articles), one.articles)))


def _event(own: Sequence[Summary], lead: int, members: set[int], similarity: float) -> Event:
    some = sorted((own[at] for at in members), key=lambda one: (one.date, one.id))
    return Event(
        lead=own[lead].id,
        articles=tuple(one.id for one in some),
        similarity=similarity,
        outlets=tuple(sorted({one.outlet for one in some if one.outlet})),
    )


def _similar(x: Any, threshold: float) -> list[dict[int, float]]:
    """For each row the others with at least that cosine similarity, a block of rows at a time."""
    from scipy.sparse import csr_array

    rows = csr_array(x)
    found: list[dict[int, float]] = [{} for _ in range(rows.shape[0])]
    for begin in range(0, rows.shape[0], 500):
        block = (rows[begin : begin + 500] @ rows.T).tocoo()
        keep = (block.data >= threshold) & (block.row + begin != block.col)
        pairs = zip(block.row[keep].tolist(), block.col[keep].tolist(), block.data[keep].tolist(),
                    strict=True)  # fmt: skip
        for i, j, value in pairs:
            found[begin + i][j] = min(value, 1.0)
    return found
