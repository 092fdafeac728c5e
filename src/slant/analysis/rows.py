"""Analyses as rows of tables, for csv and parquet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from slant.analysis.analyses import Analysis, DetectorFacts, Measure
from slant.analysis.comparing import Event, Group
from slant.analysis.detectors import verdict
from slant.data.formulas import disarmed
from slant.types import Estimate

Row = dict[str, Any]

SENTENCE_COLUMNS: Final = (
    *("article", "outlet", "date", "topic", "sentence", "start", "end", "paragraph", "voice"),
    *("detector", "task", "f1", "f1_low", "f1_high", "probability", "low", "high", "verdict"),
    *("abstained", "words", "cues", "trigger_cues", "triggers", "text"),
)
PROFILE_COLUMNS: Final = (
    *("article", "title", "outlet", "date", "topic", "key", "says", "value", "low", "high"),
    *("level", "n", "method", "why"),
)
GROUP_COLUMNS: Final = (
    *("by", "name", "articles", "texts", "sentences", "key", "says", "value", "low", "high"),
    *("level", "n", "method", "why"),
)
EVENT_COLUMNS: Final = ("event", "article", "similarity", "articles", "outlets")


def kind_columns(detectors: Iterable[DetectorFacts]) -> tuple[str, ...]:
    """The columns of the kinds of bias that detectors tell, behind `SENTENCE_COLUMNS`."""
    return tuple(f"kind:{kind.name}" for one in detectors for kind in one.good_kinds)


def sentence_rows(analysis: Analysis) -> list[Row]:
    """One row for each sentence and detector; one without detector where none was asked.

    Args:
        analysis: of one article.

    Returns:
        Rows of `SENTENCE_COLUMNS` and `kind_columns`. `words` are "word weight", the heaviest
        first, above 0 towards biased, `cues` "cue (category)", `trigger_cues` and `triggers` "CODE
        passage", each parted by "; ". A kind has a probability where the sentence is called biased.
    """
    article, text = analysis.article, analysis.article.text
    rows = []
    columns = (*SENTENCE_COLUMNS, *kind_columns(analysis.detectors))
    for number, one in enumerate(analysis.sentences, 1):
        by_grade: dict[str, list[str]] = {"cue found": [], "trigger found": []}
        for cue in one.triggers:
            passage = " … ".join(_said(text, span.start, span.end) for span in cue.spans)
            by_grade[cue.grade].append(f"{cue.bias} {passage}")
        shared = {
            "article": article.id,
            "outlet": article.outlet,
            "date": article.date,
            "topic": article.topic,
            "sentence": number,
            "start": one.start,
            "end": one.end,
            "paragraph": one.paragraph,
            "voice": one.voice,
        }
        found = {
            "cues": "; ".join(f"{_said(text, c.start, c.end)} ({c.category})" for c in one.cues),
            "trigger_cues": "; ".join(by_grade["cue found"]),
            "triggers": "; ".join(by_grade["trigger found"]),
            "text": text[one.start : one.end],
        }
        for facts in analysis.detectors:
            told = one.probabilities.get(facts.name)
            own = {
                "detector": facts.name,
                "task": facts.task,
                **_f1(facts),
                "probability": told.value if told else None,
                "low": told.low if told else None,
                "high": told.high if told else None,
                "verdict": verdict(one, facts),
                "abstained": one.abstained.get(facts.name, ""),
                "words": "; ".join(
                    f"{_said(text, w.start, w.end)} {w.weight:+.6g}"
                    for w in one.words
                    if w.detector == facts.name
                ),
            }
            kinds = {f"kind:{k.name}": one.kinds.get(k.name) for k in facts.good_kinds}
            rows.append(_ordered({**shared, **own, **found, **kinds}, columns))
        if not analysis.detectors:
            rows.append(_ordered({**shared, **found}, columns))
    return rows


def profile_rows(analysis: Analysis) -> list[Row]:
    """One row for each measure of an article's profile."""
    article = analysis.article
    shared = {
        "article": article.id,
        "title": article.title,
        "outlet": article.outlet,
        "date": article.date,
        "topic": article.topic,
    }
    return [_ordered({**shared, **_measured(one)}, PROFILE_COLUMNS) for one in analysis.profile]


def group_rows(groups: Iterable[Group]) -> list[Row]:
    """One row for each measure of each group; `n` is the number of different texts."""
    return [
        _ordered(
            {
                "by": group.by,
                "name": group.name,
                "articles": group.articles,
                "texts": group.texts,
                "sentences": group.sentences,
                **_measured(one),
            },
            GROUP_COLUMNS,
        )
        for group in groups
        for one in group.profile
    ]


def event_rows(events: Iterable[Event]) -> list[Row]:
    """One row for each article of each event, events numbered from 1."""
    return [
        {
            "event": number,
            "article": article,
            "similarity": event.similarity,
            "articles": len(event.articles),
            "outlets": len(event.outlets),
        }
        for number, event in enumerate(events, 1)
        for article in event.articles
    ]


def spreadsheet_row(row: Mapping[str, Any]) -> Row:
    """A row whose text no spreadsheet runs: a text that begins as a formula has a ' before it.

    >>> spreadsheet_row({"text": "=1+1", "probability": -0.5, "voice": "outlet"})
    {'text': "'=1+1", 'probability': -0.5, 'voice': 'outlet'}
    """
    return {key: disarmed(value) if isinstance(value, str) else value for key, value in row.items()}


def _f1(facts: DetectorFacts) -> Row:
    one = facts.f1
    if not isinstance(one, Estimate):
        return {}
    return {"f1": one.value, "f1_low": one.low, "f1_high": one.high}


def _measured(measure: Measure) -> Row:
    one = measure.estimate
    head = {"key": measure.key, "says": measure.says}
    if not isinstance(one, Estimate):
        return {**head, "why": one.why}
    return {
        **head,
        "value": one.value,
        "low": one.low,
        "high": one.high,
        "level": one.level,
        "n": one.n,
        "method": one.method,
        "why": "",
    }


def _ordered(row: Mapping[str, Any], columns: Sequence[str]) -> Row:
    return {name: row.get(name) for name in columns}


def _said(text: str, start: int, end: int) -> str:
    return " ".join(text[start:end].split())
