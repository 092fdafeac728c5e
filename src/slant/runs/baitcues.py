"""Whether misplaced predictions of a BAIT run carry the surface cue of their bias (section 7.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from slant.data.schemas import Schema
from slant.runs.baitfates import ScoringRules
from slant.stats.cueanalysis import CueCase, cue_analysis
from slant.systems.cues import SURFACE, cue_keys, has_cue
from slant.types import Example, Span


def surface_cues(
    fates: Mapping[str, Sequence[Mapping[str, Any]]],
    models: Sequence[str],
    examples: Sequence[Example],
    schema: Schema,
    rules: ScoringRules,
    shots: int,
) -> dict[str, Any] | None:
    """The fates of predicted spans by bias, and the cues in those on text that nobody marked.

    Args:
        fates: by system, the lines of fates.jsonl of all its runs at the largest number of
            examples.
        models: the systems that are pooled.
        examples: all articles with gold.
        schema: of the biases; those that `slant.systems.cues` knows negative words, authorities or
            references to the past for have a cue.
        rules: seed, level, resamples, and random stretches for each prediction.
        shots: the largest number of examples.

    Returns:
        What `slant.stats.cueanalysis.cue_analysis` says of all models together, with "shots" and
        "systems", the same of each. None where nothing was predicted.
    """
    keys = {code: key for code, key in cue_keys(schema).items() if key in SURFACE}
    articles = {one.item.id: one for one in examples}
    cases = {name: list(_cases(lines, articles)) for name, lines in fates.items()}
    pooled = [case for name in models for case in cases[name]]
    if not any(cases.values()):
        return None

    def cued(code: str, passage: str) -> bool:
        return has_cue(keys[code], passage)

    def analysed(own: Sequence[CueCase]) -> dict[str, Any]:
        return cue_analysis(
            own, cued, tuple(keys), seed=rules.seed, articles=tuple(articles),
            draws=rules.stretches, level=rules.level, resamples=rules.resamples,
        )  # fmt: skip

    each = {name: analysed(own) for name, own in cases.items()}
    return {**analysed(pooled), "shots": shots, "systems": each}


def _cases(
    lines: Iterable[Mapping[str, Any]], articles: Mapping[str, Example]
) -> Iterable[CueCase]:
    for line in lines:
        example = articles[line["article"]]
        text = example.item.text
        gold = example.gold.labels | {mark.category for mark in example.gold.marks}
        for trigger in line["triggers"]:
            bias = trigger["bias"]
            for span in trigger["spans"]:
                place = Span(span["start"], span["end"])
                yield CueCase(
                    example.item.id, text, bias, place, span["fate"], bias in gold
                )  # fmt: skip
            for _ in trigger["unlocated"]:
                yield CueCase(example.item.id, text, bias, None, "unlocated", bias in gold)
