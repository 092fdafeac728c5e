"""Whether the words that a linear detector goes by are those that people marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl

from slant.errors import DataError
from slant.explain.baselines import idf_scores, lexicon_scores, random_scores, word_rarity
from slant.explain.words import Words, rationale_words, text_words
from slant.metrics.rationale import plausibility
from slant.runs.explained import marked_spans
from slant.runs.explanationscores import LEVEL, SCORES, Told, difference, plausibility_scores
from slant.runs.lightwords import contributed
from slant.runs.linearmodels import Recipe, fitted, linear_weights, nameless
from slant.runs.signature import signature
from slant.stats.overseeds import drawn_clusters, estimate
from slant.systems.linear import fitted_terms
from slant.tasks.options import Options
from slant.tasks.prepare import Prepared, examples_of, fingerprint
from slant.tasks.protocols import fold_of
from slant.types import Array, Example, Floats

LINEAR: Final = "linear"
BASELINES: Final = ("idf", "lexicon", "random")
"""Rarity in train, the packaged lexicon, and chance: what any explanation is held against."""
C: Final = 10.0
RESAMPLES: Final = 2_000
Scorer = Callable[[str, Words], Floats]
"""Id and words of a text -> (words,) the higher the more it counts."""


@dataclass(slots=True)
class _Seen:
    """Texts of all folds with their marked words, and the scores of each method."""

    examples: list[Example] = field(default_factory=list)
    gold: list[Array] = field(default_factory=list)
    scores: dict[str, list[Floats]] = field(default_factory=dict)


def linear_words(ready: Prepared, options: Options) -> dict[str, Any]:
    """Plausibility of a linear detector's words, beside what needs no model.

    Rule: in each fold a logistic regression (C 10) over TF-IDF of single words learns from train;
    a word of a tested text scores what it adds to the log odds of biased, 0 where the detector does
    not know it. Only texts with marked words count, each in the fold that tests it.

    Args:
        ready: a task whose texts have marked words, prepared.
        options: its protocol.

    Returns:
        JSON-able: "methods" {name: {score: value, low, high, ...}} of `explanationscores.SCORES`,
        names `LINEAR` and `BASELINES`; "difference": AUROC of the linear words less that of the
        best baseline, "best"; "texts", "words", "marked"; "signature".

    Raises:
        DataError: no text has marked and unmarked words.
    """
    rows = pl.read_parquet(ready.rows, glob=False)
    examples = examples_of(rows)
    seen = _Seen()
    for number in range(options.splits):
        fold = fold_of(examples, rows[f"role_{number}"].to_numpy())
        tested = {item.id for item in fold.test}
        own = [one for one in examples if one.item.id in tested and marked_spans(one)]
        _score(seen, own, _scorers(fold.train, ready.seed))
    found = {name: _told(seen, name) for name in seen.scores}
    if not found or not found[LINEAR].ids:
        why = "no text has both marked and unmarked words"
        raise DataError(f"Explaining '{ready.task}'", why, "Give a task with marked words")
    drawn = drawn_clusters(found[LINEAR].clusters, RESAMPLES, ready.seed, ["linear words"])
    methods = {name: plausibility_scores([one], drawn) for name, one in found.items()}
    best = max(BASELINES, key=lambda name: float(methods[name]["auroc"]["value"]))
    more, _ = difference([found[LINEAR]], [found[best]], "auroc", drawn)
    shown = found[LINEAR].plausibility
    line = signature(
        [ready.task], options, fingerprint([ready]), [ready.seed], f"{LINEAR}(C={C:g},ngram=1)"
    )
    return {
        "methods": methods,
        "scores": list(SCORES),
        "best": best,
        "difference": estimate(more, LEVEL),
        "texts": len(found[LINEAR].ids),
        "words": shown.words,
        "marked": shown.marked,
        "level": LEVEL,
        "resamples": RESAMPLES,
        "signature": line,
    }


def linear_words_of(task: str, seed: int = 42, data: Path | None = None) -> dict[str, Any]:
    """`linear_words` of a task under the preset clean.

    Args:
        task: full name of a task whose texts have marked words.
        seed: of folds.
        data: folder with the data; None: SLANT_DATA, then the user's store.
    """
    from slant.tasks.options import chosen_options
    from slant.tasks.prepare import prepared

    options = chosen_options("clean", {}, [task])
    return linear_words(prepared(task, options, seed, data, {}), options)


def _scorers(train: Sequence[Example], seed: int) -> dict[str, Scorer]:
    texts = [one.item.text for one in train]
    gold = np.array([one.gold.biased for one in train], np.int64)
    terms, x = fitted_terms(LINEAR, texts, 1, 1)
    recipe = Recipe(LINEAR, C, seed, RESAMPLES, bins=0)
    detector = nameless(LINEAR, linear_weights(terms, [fitted(x, gold, recipe)]))
    rarity = word_rarity(texts)
    return {
        LINEAR: lambda name, words: contributed(detector, words),
        "idf": lambda name, words: idf_scores(words, rarity),
        "lexicon": lambda name, words: lexicon_scores(words),
        "random": lambda name, words: random_scores(words, seed, name),
    }


def _score(seen: _Seen, examples: Sequence[Example], scorers: dict[str, Scorer]) -> None:
    for one in examples:
        words = text_words(one.item.text)
        seen.examples.append(one)
        seen.gold.append(rationale_words(words, marked_spans(one)))
        for name, scorer in scorers.items():
            seen.scores.setdefault(name, []).append(scorer(one.item.id, words))


def _told(seen: _Seen, name: str) -> Told:
    found = plausibility(seen.gold, seen.scores[name])
    shown = [seen.examples[place] for place in found.shown.tolist()]
    ids = tuple(one.item.id for one in shown)
    return Told(found, ids, tuple(str(one.cluster) for one in shown))
