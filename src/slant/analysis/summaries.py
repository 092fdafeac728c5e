"""What is kept of an article when many are compared: counts instead of sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from slant.analysis.analyses import Analysis
from slant.analysis.dates import date_doubt, is_date
from slant.errors import DataError
from slant.types import Estimate

OPENING = 1500
"""Characters of an article that tell which event it is about."""


@dataclass(frozen=True, slots=True)
class Summary:
    """One article without its text.

    Fields:
        id, title, outlet, topic, url: of the article.
        date: "2019-04-02", or "" where it is not known or in no known order.
        origin: where it came from.
        key: equal for articles of the same words, which count once.
        opening: title and the first 1,500 characters, to find the same event.
        sentences: how many.
        counts: key of a measure -> (sentences that have it, or the sum of their probabilities; of
            how many sentences).
        undated: whether there is a date that could not be read.
    """

    id: str
    title: str
    outlet: str
    date: str
    topic: str
    url: str
    origin: str
    key: str
    opening: str
    sentences: int
    counts: Mapping[str, tuple[float, int]]
    undated: bool = False


def summary(analysis: Analysis) -> Summary:
    """What is kept of an analysis."""
    article = analysis.article
    told = [(one.key, one.estimate) for one in analysis.profile]
    counts = {
        key: _counted(key, one.value, one.n) for key, one in told if isinstance(one, Estimate)
    }
    facts = {name: getattr(article, name) for name in _COPIED}
    return _summary(facts, article.text, len(analysis.sentences), counts)


def read_summary(content: Mapping[str, Any], where: str = "analyses.jsonl") -> Summary:
    """What is kept of an analysis that `analysis_json` wrote.

    Args:
        content: the value of a line.
        where: the file and row, for the error.

    Raises:
        DataError: a key is missing or of another kind.
    """
    try:
        article = content["article"]
        counts = {
            str(one["key"]): _counted(str(one["key"]), float(one["value"]), int(one["n"]))
            for one in content["profile"]
            if one["value"] is not None
        }
        facts = {name: str(article[name]) for name in _COPIED}
        return _summary(facts, str(article["text"]), len(content["sentences"]), counts)
    except (KeyError, TypeError, ValueError, OverflowError) as why:
        found = f"{type(why).__name__}: {why}"
        do = "Analyse the articles again"
        raise DataError(f"Reading an analysis in '{where}'", found, do) from why


_COPIED = ("id", "title", "outlet", "date", "topic", "url", "origin")


def _counted(key: str, value: float, n: int) -> tuple[float, int]:
    # A share times its number is a whole number but for the last bits; a mean's sum is none.
    return (value * n if key.startswith("probability:") else float(round(value * n))), n


def _summary(
    facts: Mapping[str, str], text: str, sentences: int, counts: Mapping[str, tuple[float, int]]
) -> Summary:
    title = "" if text.lstrip().startswith(facts["title"]) else facts["title"]
    words = " ".join(text.split()).casefold()
    return Summary(
        **{**facts, "date": facts["date"][:10] if is_date(facts["date"]) else ""},
        key=sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:16],
        opening=f"{title}\n{text[:OPENING]}".strip(),
        sentences=sentences,
        counts=dict(counts),
        undated=bool(date_doubt(facts["date"])),
    )
