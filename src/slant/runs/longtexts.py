"""How many of a run's tested texts were longer than its encoder reads."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from slant.systems import reads_windows


def long_texts(folder: Path, spec: str) -> dict[str, int]:
    """Texts that were split into windows, and texts that were cut, over all cells of a run.

    Args:
        folder: the run directory.
        spec: its system, as `slant run` was given it.

    Returns:
        texts (tested, over all seeds), split, cut; empty where the system is no encoder, which
        alone notes this in `raw`.
    """
    if not reads_windows(spec):
        return {}
    found = {"texts": 0, "split": 0, "cut": 0}
    for path in (folder / "cells").rglob("*.parquet"):
        raw = pl.read_parquet(path, columns=["raw"], glob=False)["raw"]
        found["texts"] += len(raw)
        found["split"] += int(raw.str.contains("windows$").sum())
        found["cut"] += int(raw.str.contains("tokens were cut off$").sum())
    return found
