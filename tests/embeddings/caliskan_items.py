"""The items of Caliskan et al. with real GloVe vectors, read as plainly as can be."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np


def glove(folder: Path) -> dict[str, np.ndarray]:
    """Word -> (300,) vector, of the shared 327 words."""
    vectors = {}
    with (folder / "weat/glove840b_items_shared.txt").open(encoding="utf-8") as lines:
        for line in lines:
            word, *numbers = line.rstrip("\n").split(" ")
            vectors[word] = np.array(numbers, dtype=np.float64)
    return vectors


def items(folder: Path) -> dict[tuple[str, str], list[str]]:
    """(study, condition) -> its words."""
    sets: dict[tuple[str, str], list[str]] = {}
    with (folder / "weat/cbn_items.tsv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            sets.setdefault((row["study"], row["condition"]), []).append(row["word"])
    return sets
