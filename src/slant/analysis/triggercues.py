"""Cues and triggers of cognitive biases: two grades, with what a passage must meet."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from slant.analysis.analyses import BiasFacts, Sentence, TriggerCue
from slant.analysis.evidence import stands_in
from slant.data.schemas import Schema
from slant.systems.cues import cue_keys, cue_spans, packaged_cues
from slant.types import Answer, Span

CUES = "surface cues"
"""The source of what is only a cue."""


def bias_facts(schema: Schema) -> tuple[BiasFacts, ...]:
    """Each bias of a schema with its definition, its condition and its surface cues.

    >>> from slant.data.schemas import load_schema
    >>> facts = bias_facts(load_schema("bait"))[5]
    >>> facts.code, facts.name, facts.cue
    ('B06', 'Declinism', 'references to the past')
    """
    keys = cue_keys(schema)
    return tuple(
        BiasFacts(
            code=bias.code,
            name=bias.name,
            definition=bias.definition or bias.line,
            condition=bias.boundary,
            cue=packaged_cues()[keys[bias.code]].says if bias.code in keys else "",
        )
        for bias in schema.biases
    )


def cues_found(
    text: str, sentences: Sequence[Sentence], schema: Schema
) -> list[tuple[TriggerCue, ...]]:
    """The surface cues of each bias in each sentence: grade "cue found".

    Rule: as `slant.systems.cues.cue_spans` over the whole text; a cue that does not lie within one
    sentence is left out. It says that such words stand there, not that the passage meets the
    condition of the bias.

    Args:
        text: of the article.
        sentences: of it, from left to right.
        schema: its biases are recognised by their names; those without cues are not looked for.

    Returns:
        One tuple a sentence, from left to right.

    >>> from slant.data.schemas import load_schema
    >>> cue = cues_found("It was so in 1954.", [Sentence(0, 18)], load_schema("bait"))[0][0]
    >>> cue.bias, cue.grade, cue.rule
    ('B06', 'cue found', 'references to the past')
    """
    own: list[list[TriggerCue]] = [[] for _ in sentences]
    starts = [one.start for one in sentences]
    for code, key in cue_keys(schema).items():
        name, says = schema.bias(code).name, packaged_cues()[key].says
        for span in cue_spans(key, text):
            at = bisect_right(starts, span.start) - 1
            if at < 0 or span.end > sentences[at].end:
                continue
            quoted = stands_in(span, sentences[at].quoted)
            own[at].append(
                TriggerCue(
                    bias=code, name=name, grade="cue found", spans=(span,), rule=says,
                    source=CUES, quoted=quoted,
                )
            )  # fmt: skip
    return [tuple(sorted(cues, key=_order)) for cues in own]


def triggers_found(
    sentences: Sequence[Sentence], answer: Answer, schema: Schema, model: str
) -> list[tuple[TriggerCue, ...]]:
    """The triggers that a model marked, in each sentence that they touch: grade "trigger found".

    Args:
        sentences: of the article, from left to right.
        answer: its marks have spans in the article's text; marks without a place are left out.
        schema: that the model was asked with; a mark of no bias of it is left out.
        model: who answered.

    Returns:
        One tuple a sentence. A trigger that touches two sentences stands in both, with all its
        spans.
    """
    own: list[list[TriggerCue]] = [[] for _ in sentences]
    starts = [one.start for one in sentences]
    for mark in answer.marks:
        if mark.category not in schema.codes or not mark.spans:
            continue
        spans = tuple(sorted(mark.spans, key=lambda one: (one.start, one.end)))
        touched = {at for span in spans for at in _touched(sentences, starts, span)}
        for at in sorted(touched):
            inside = [one for one in spans if _meet(one, sentences[at])]
            own[at].append(
                TriggerCue(
                    bias=mark.category,
                    name=schema.bias(mark.category).name,
                    grade="trigger found",
                    spans=spans,
                    rule="",
                    source=model,
                    reason=mark.note or answer.reason or "",
                    quoted=all(stands_in(one, sentences[at].quoted) for one in inside),
                )
            )
    return [tuple(sorted(triggers, key=_order)) for triggers in own]


def _touched(sentences: Sequence[Sentence], starts: Sequence[int], span: Span) -> list[int]:
    at, found = max(0, bisect_right(starts, span.start) - 1), []
    while at < len(sentences) and sentences[at].start < span.end:
        if _meet(span, sentences[at]):
            found.append(at)
        at += 1
    return found


def _meet(span: Span, sentence: Sentence) -> bool:
    return span.start < sentence.end and span.end > sentence.start


def _order(one: TriggerCue) -> tuple[int, int, str]:
    return one.spans[0].start, one.spans[0].end, one.bias
