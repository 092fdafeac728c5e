"""The row of people beside the models: one annotator's pass scored against another's.

Every score is symmetric, so that it does not matter which of two annotators is taken for gold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from slant.annotate.concordance import agreement
from slant.annotate.formats import read_annotated
from slant.errors import DataError
from slant.runs.baitfates import Asked, Said
from slant.types import Example

HUMAN = "human"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two annotators over the articles that both annotated.

    Fields:
        name: of the row.
        people: their names, the one taken for gold first.
        passes: (articles,) the two annotators' articles, in one order.
    """

    name: str
    people: tuple[str, str]
    passes: tuple[tuple[Example, Example], ...]

    def asked(self, place: int) -> list[Asked]:
        """The articles with the second annotator's pass as an answer, numbered from `place`."""
        run = "-".join(self.people)
        return [
            Asked(place + n, one.item, one.gold, (Said(self.name, 0, run, other.gold),))
            for n, (one, other) in enumerate(self.passes)
        ]


def read_pairs(folder: Path, examples: Sequence[Example], codes: Sequence[str]) -> list[Pair]:
    """Every two annotators of a run, from annotators/*.jsonl.

    Args:
        folder: of the run.
        examples: the articles that are scored; others are left out.
        codes: of all biases.

    Returns:
        The one pair is called "human", several "human: a, b" and so on. None where fewer than two
        annotators are there; articles that one of two has not annotated are not in their row.

    Raises:
        DataError: a file is damaged, has another text or another bias; two have no article in
            common.
    """
    articles = folder / "gold.jsonl"
    passes: dict[str, Mapping[str, Example]] = {}
    for path in sorted((folder / "annotators").glob("*.jsonl")):
        read = read_annotated(path, articles=articles, format="jsonl", codes=codes)
        passes[path.stem] = {example.item.id: example for example in read}
    people = list(combinations(passes, 2))
    pairs = []
    for one, other in people:
        common = [
            (passes[one][example.item.id], passes[other][example.item.id])
            for example in examples
            if example.item.id in passes[one] and example.item.id in passes[other]
        ]
        if not common:
            found = f"{one} and {other} have no article of the run in common"
            do = "Give passes over the articles of gold.jsonl"
            raise DataError(f"Reading '{folder / 'annotators'}'", found, do)
        name = HUMAN if len(people) == 1 else f"{HUMAN}: {one}, {other}"
        pairs.append(Pair(name, (one, other), tuple(common)))
    return pairs


def pair_agreement(pair: Pair, codes: Sequence[str], seed: int, resamples: int) -> dict[str, Any]:
    """How far two annotators agree (table 2)."""
    first, second = zip(*pair.passes, strict=True)
    return agreement(first, second, codes, seed, names=pair.people, resamples=resamples)
