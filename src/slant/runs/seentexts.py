"""The texts that a kept model is explained on and judged on, read once."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from slant.explain.baselines import idf_scores, lexicon_scores, random_scores, word_rarity
from slant.explain.words import Aggregation, Aligned
from slant.runs.attributing import explained_examples, loaded, read_texts, scores_by_text
from slant.runs.explained import Trained, marked_spans, parts_of
from slant.runs.explanationscores import Told, told
from slant.runs.kept import KeptModel
from slant.runs.outcomes import outcomes
from slant.types import Array, Example, Floats

Judged = tuple[list[str], Array, Array]
"""Clusters, gold and predictions of the test texts of a seed."""


class Seen:
    """A model's test texts with marked words: read once, whatever is computed of them."""

    def __init__(self, run: Trained, model: KeptModel, part: str = "test") -> None:
        self.run, self.model = run, model
        self.examples: list[Example] = explained_examples(run, model, part, 0)
        self.texts: list[Aligned] = read_texts(run, loaded(model), self.examples)
        self.spans = [marked_spans(one) for one in self.examples]

    def told(self, scores: dict[str, Floats]) -> Told:
        """Plausibility of scores of words."""
        return told(self.examples, self.texts, self.spans, scores)

    def of_file(self, path: Path, aggregation: Aggregation) -> dict[str, Floats]:
        """Scores of words from a file of attributions."""
        return scores_by_text(path, self.texts, self.examples, aggregation)

    def baselines(self) -> dict[str, Told]:
        """Plausibility of what needs no model; a word's rarity is that in train."""
        train = [one.item.text for one in parts_of(self.run, self.model).train]
        rarity = word_rarity(train)
        seed = self.model.seed
        pairs = [
            (one.item.id, text.words) for one, text in zip(self.examples, self.texts, strict=True)
        ]
        return {
            "idf": self.told({name: idf_scores(words, rarity) for name, words in pairs}),
            "lexicon": self.told({name: lexicon_scores(words) for name, words in pairs}),
            "random": self.told({name: random_scores(words, seed, name) for name, words in pairs}),
        }


def judged_texts(run: Trained) -> list[Judged]:
    """Gold and predictions of the test texts of each model of a run."""
    table = outcomes(run.folder, run.ready, 1 + max(one.fold for one in run.models))
    made = []
    for one in run.models:
        rows = table.filter((table["seed"] == one.seed) & (table["fold"] == one.fold))
        gold = rows["label"].to_numpy().astype(np.int64)
        said = rows["predicted"].fill_null(0).to_numpy().astype(np.int64)
        made.append(([str(name) for name in rows["cluster"]], gold, said))
    return made
