"""What an analysis did not look at, and why."""

from __future__ import annotations

from collections.abc import Sequence

from slant.analysis.analyses import DetectorFacts, Sentence
from slant.analysis.article import Article
from slant.analysis.dates import date_doubt
from slant.analysis.sentences import LONGEST, divided
from slant.data.schemas import Schema
from slant.systems.cues import cue_keys


def left_out(
    article: Article,
    sentences: Sequence[Sentence],
    detectors: Sequence[DetectorFacts],
    schema: Schema,
    silent: str,
) -> tuple[str, ...]:
    """What was not looked at in an article, one line each.

    Args:
        article: with its text.
        sentences: of it, with what was found.
        detectors: those asked.
        schema: of the biases.
        silent: why no model looked for triggers, empty where one did.

    >>> from slant.data.schemas import load_schema
    >>> left_out(Article("a", "", why="It is in German."), [], [], load_schema("bait"), "")
    ('The article: It is in German.',)
    """
    if article.why:
        return (f"The article: {article.why}",)
    if not sentences:
        return ("The article: it holds no sentence.",)
    lines = []
    if doubt := date_doubt(article.date):
        lines.append(f"The date: {doubt}; it is kept as text and belongs to no month.")
    if article.title and not any(one.title for one in sentences):
        lines.append("The title: it does not stand in the text.")
    if long := divided(article.text):
        lines.append(
            f"Sentences as wholes: {long:,} longer than {LONGEST:,} characters, read in pieces."
        )
    if quoted := sum(one.voice == "quoted" for one in sentences):
        lines.append(
            f"Quoted speech: {quoted:,} of {len(sentences):,} sentences, at least half of whose "
            "words are quoted, are marked but do not count in the profile."
        )
    for facts in detectors:
        name = facts.name
        if number := sum(name in one.abstained for one in sentences):
            lines.append(f"{name}: no verdict on {number:,} of {len(sentences):,} sentences.")
        if poor := [kind.name for kind in facts.kinds if not kind.good]:
            lines.append(
                f"Kinds of bias: {name} is not good enough at {', '.join(poor)}, and was not asked "
                "for them; the F1 and precision that were measured stand with it."
            )
    if without := [code for code in schema.codes if code not in cue_keys(schema)]:
        lines.append(f"Biases without surface cues: {', '.join(without)}.")
    if silent:
        lines.append(f"Triggers: {silent}; only cues were looked for, and a cue is not a trigger.")
    return tuple(lines)
