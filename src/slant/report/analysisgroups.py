"""Several analysed articles as tables: groups, events, the articles themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from slant.analysis.comparing import FEWEST
from slant.analysis.dates import is_date
from slant.report.analysisarticles import heading
from slant.report.escaping import one_line
from slant.report.tables import Cell, Row, Table, numbered, score_cell
from slant.stats.levels import level_percent

Read = Mapping[str, Any]

FIRST: Final = ("probability", "biased", "not biased", "no verdict", "quoted")
"""Kinds of measures that every table of articles shows; the rest has a table of its own."""
_NAMED: Final = ("outlet", "date", "topic")
FEW: Final = "fewer than 3 articles (copies count once), of which no share is said"
_REST: Final = (
    ("kinds", "Kinds of bias", ("kind",)),
    ("cues", "Lexical cues", ("cues",)),
    ("triggers", "Cues and triggers of cognitive biases", ("trigger cue", "trigger")),
)
"""Tables of a grouping beside the first: name, what it shows, kinds of measures."""
_KINDS: Final = {
    "probability": "mean probability",
    "biased": "called biased",
    "not biased": "called not biased",
    "no verdict": "no verdict",
    "quoted": "quoted",
    "kind": "kind",
    "cues": "cue",
    "trigger cue": "trigger cue",
    "trigger": "trigger",
}


@dataclass(frozen=True, slots=True)
class Listed:
    """What the index keeps of an article.

    Fields:
        id, name, outlet, date, topic, why: of the article.
        sentences: how many.
        profile: measures of the kinds of `FIRST`.
    """

    id: str
    name: str
    outlet: str
    date: str
    topic: str
    why: str
    sentences: int
    profile: tuple[Read, ...]


def listed(read: Read) -> Listed:
    """What the index keeps of an analysis."""
    article = read["article"]
    return Listed(
        id=article["id"],
        name=heading(article),
        outlet=one_line(article["outlet"]),
        date=one_line(article["date"][:10] if is_date(article["date"]) else article["date"]),
        topic=one_line(article["topic"]),
        why=one_line(article["why"]),
        sentences=len(read["sentences"]),
        profile=tuple(one for one in read["profile"] if _kind(one["key"]) in FIRST),
    )


def group_boards(by: str, groups: Sequence[Read]) -> list[Table]:
    """The profiles of groups: a table of verdicts and quoted speech, then one of kinds of bias, one
    of lexical cues and one of triggers.

    Args:
        by: what their articles share.
        groups: in the order of their names.

    Returns:
        Those that have a column, none where no article names what they share.
    """
    if not any(group["name"] for group in groups):
        return []
    keys = list(dict.fromkeys(one["key"] for group in groups for one in group["profile"]))
    level = next((one["level"] for g in groups for one in g["profile"] if "level" in one), 0.95)
    said = f"by {'month' if by == 'date' else by}"
    caption = (
        f"Articles {said}: means and shares over the sentences of a group that are not quoted (of "
        f"quoted ones: over all), with {level_percent(level)} intervals from the bootstrap over "
        "articles, no narrower than Wilson's over the sentences, in the order of the names."
    )
    first = sorted((key for key in keys if _kind(key) in FIRST), key=_order)
    boards = [(f"groups-{by}", caption, first)]
    for name, shown, kinds in _REST:
        own = [key for key in keys if _kind(key) in kinds]
        boards.append((f"groups-{by}-{name}", f"{shown} {said}: shares as above.", own))
    return [_group_board(name, says, by, groups, own) for name, says, own in boards if own]


def _group_board(
    name: str, caption: str, by: str, groups: Sequence[Read], keys: Sequence[str]
) -> Table:
    rows = []
    for group in groups:
        found = {one["key"]: one for one in group["profile"]}
        rows.append(
            Row(
                (
                    Cell(one_line(group["name"]) or f"no {by} named"),
                    Cell(group["articles"], "count"),
                    Cell(group["sentences"], "count"),
                    *(_group_share(found.get(key)) for key in keys),
                )
            )
        )
    head = (by, "articles", "sentences", *measure_names(keys))
    return Table(name, caption, head, tuple(rows))


def _group_share(measure: Read | None) -> Cell:
    """A share with its interval; none where there are too few articles for one."""
    if measure and measure["value"] is not None and measure["low"] is None:
        few = measure["n"] < FEWEST
        return Cell(None, "score", note=FEW if few else one_line(measure["method"]))
    return _share(measure)


def event_board(
    event: Read, number: int, articles: Mapping[str, Listed], addresses: Mapping[str, str]
) -> Table:
    """Articles on one event, side by side, in the order of their dates.

    Args:
        event: its articles and their similarity.
        number: of the event, from 1.
        articles, addresses: by id; an article without a page has no address.
    """
    members = [articles[name] for name in event["articles"] if name in articles]
    more = len(event["articles"]) - len(members)
    are = "is" if more == 1 else "are"
    notes = (f"{numbered(more, 'further article')} {are} in events.csv.",) if more else ()
    caption = f"Event {number}: {numbered(len(event['articles']), 'article')}."
    return _article_table(
        f"event-{number}", caption, members, [addresses.get(one.id, "") for one in members], notes
    )


def article_board(articles: Sequence[Listed], addresses: Sequence[str]) -> Table:
    """All articles in the order of the reading, each with a link to its page."""
    caption = (
        "Articles in the order in which they were read, with intervals over the sentences of each."
    )
    return _article_table("articles", caption, articles, addresses, ())


def left_out_board(why: Mapping[str, int]) -> Table | None:
    """Why articles were not looked at, and how many; None where all were."""
    rows = [Row((Cell(one_line(one)), Cell(n, "count"))) for one, n in sorted(why.items())]
    caption = "Articles that were not looked at, and why."
    return Table("left-out", caption, ("why", "articles"), tuple(rows)) if rows else None


def measure_names(keys: Sequence[str]) -> list[str]:
    """Measures where room is scarce; a detector is named only where there are several.

    >>> measure_names(["quoted", "biased:open-light", "cues:loaded"])
    ['quoted', 'called biased', 'cue: loaded']
    """
    kinds = Counter(_kind(key) for key in keys)
    names = []
    for key in keys:
        kind, _, name = key.partition(":")
        named = name and (kind not in FIRST or kinds[kind] > 1)
        short = _KINDS.get(kind, kind)
        names.append(f"{short}: {name}" if named else short)
    return names


def _article_table(
    name: str, caption: str, articles: Sequence[Listed], addresses: Sequence[str],
    notes: tuple[str, ...],
) -> Table:  # fmt: skip
    found_keys = dict.fromkeys(one["key"] for article in articles for one in article.profile)
    keys = sorted(found_keys, key=_order)
    named = [field for field in _NAMED if any(getattr(one, field) for one in articles)]
    rows = []
    for article, address in zip(articles, addresses, strict=True):
        found = {one["key"]: one for one in article.profile}
        missing = article.why or "it has no sentence"
        rows.append(
            Row(
                (
                    Cell(article.name, link=address),
                    *(Cell(getattr(article, field)) for field in named),
                    Cell(article.sentences, "count"),
                    *(_share(found.get(key), missing) for key in keys),
                )
            )
        )
    head = ("article", *named, "sentences", *measure_names(keys))
    return Table(name, caption, head, tuple(rows), notes=notes)


def _share(measure: Read | None, missing: str = "not measured") -> Cell:
    return score_cell(measure, missing=missing)


def _order(key: str) -> int:
    return FIRST.index(_kind(key))


def _kind(key: str) -> str:
    return key.partition(":")[0]
