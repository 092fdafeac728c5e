"""Unified tables of invented sentences."""

from __future__ import annotations

import numpy as np
import polars as pl

WORDS = np.array(
    [
        "north",
        "river",
        "mayor",
        "school",
        "budget",
        "strike",
        "harbour",
        "market",
        "winter",
        "bridge",
        "farm",
        "court",
    ]
)


def table(dataset, rows):
    """A unified table from (text, label[, article[, pair]]) rows."""
    full = [(*row, None, None)[:4] for row in rows]
    return pl.DataFrame(
        {
            "id": [f"{dataset}-{i}" for i in range(len(full))],
            "dataset": dataset,
            "text": [row[0] for row in full],
            "label": [row[1] for row in full],
            "left_out": [None if row[1] in (0, 1) else "undecided" for row in full],
            "source_label": [str(row[1]) for row in full],
            "part": "all",
            "article": [row[2] for row in full],
            "pair": [row[3] for row in full],
        },
        schema_overrides={
            "label": pl.Int8,
            "article": pl.Utf8,
            "pair": pl.Utf8,
            "left_out": pl.Utf8,
        },
    )
