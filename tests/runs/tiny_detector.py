"""A detector that is trained in seconds: a tiny checkpoint on texts that only their words tell."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "systems"))

from tiny import CALM, FILLER, HARSH, save_tiny

__all__ = ["CALM", "FILLER", "HARSH", "made_texts", "save_tiny", "write_toy"]


def made_texts(n, start=0):
    """n different texts, every second one harsh."""
    texts = []
    for i in range(start, start + n):
        words = (HARSH, CALM)[i % 2]
        chosen = [words[(i // 2) % 8], words[(i // 16) % 8], words[(i // 128 + 3) % 8]]
        texts.append(f"{FILLER[i % 8]} {' '.join(chosen)} {FILLER[(i // 8) % 8]}")
    return texts


def write_toy(path, n):
    """A labelled csv of made texts."""
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["sentence", "biased"])
        rows.writerows([text, (i + 1) % 2] for i, text in enumerate(made_texts(n)))
    return path
