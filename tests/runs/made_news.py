"""Invented news for the tests of runs."""

from __future__ import annotations

import csv
import random

from slant.data.added import add_dataset

PLAIN = [
    "council",
    "budget",
    "report",
    "road",
    "school",
    "water",
    "meeting",
    "plan",
    "housing",
    "bus",
    "library",
    "park",
]
LOADED = ["disgraceful", "shameless", "radical", "corrupt", "hysterical", "outrageous"]


def write_news(path, n, seed, column="sentence"):
    """n invented sentences; half of them with a loaded word, some of these labelled wrongly."""
    rng = random.Random(seed)
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["number", column, "biased", "article"])
        for number in range(n):
            words = [*rng.sample(PLAIN, 5), f"item{rng.randrange(10**9)}"]
            biased = number % 2
            if rng.random() < (0.8 if biased else 0.15):
                words.insert(2, rng.choice(LOADED))
            rows.writerow([f"n{number}", " ".join(words), biased, f"a{number // 3}"])
    return path


def add_news(name, file, store, n):
    """The data set added/NAME of n of these sentences, three to an article, and its file."""
    add_dataset(
        name, write_news(file, n, 1), text="sentence", label="biased",
        tasks=["reporting-level-bias"], store=store, group="article", id_column="number",
    )  # fmt: skip
