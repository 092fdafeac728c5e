"""A small BABE whose marked words alone tell its labels, and runs on it with tiny models."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "systems"))

import tiny

import slant

HEADER = "text;news_link;outlet;topic;type;label_bias;label_opinion;biased_words"


def write_babe(folder, n=160, marked=True, calm_marks=True):
    """n sentences: in every second one two harsh words, which are marked; with `calm_marks` some
    others have a mark without a harsh word."""
    place = folder / "babe"
    place.mkdir(parents=True)
    rows = []
    for i in range(n):
        words = (tiny.HARSH, tiny.CALM)[i % 2]
        a, b = words[(i // 2) % 8], words[(i // 16 + 3) % 8]
        start, end = tiny.FILLER[i % 8], tiny.FILLER[(i // 8) % 8]
        calm = [tiny.CALM[(i // 3 + shift) % 8] for shift in range(i % 4)]
        text = " ".join([start, a, *calm, b, end, f"item{i}", "."])
        label = "Non-biased" if i % 2 else "Biased"
        found = [a, b] if marked and (i % 2 == 0 or (calm_marks and i % 32 == 1)) else []
        rows.append(f"{text};http://a/{i // 2};Fox;trump;right;{label};No agreement;{found}")
    path = place / "final_labels_SG2.csv"
    path.write_text("\n".join([HEADER, *rows, ""]), encoding="utf-8-sig")
    return folder


def train_tiny(kind, data, out, checkpoints, seeds=(42,)):
    """A run that keeps its models: two layers, two heads each."""
    checkpoint = tiny.save_tiny(checkpoints / kind, kind)
    params = {"epochs": 2, "lr": 0.01, "batch": 16, "max_length": 16, "patience": 0}
    slant.run(
        "babe", f"encoder:{checkpoint}", out, params=params, seeds=seeds, data=data, keep=True,
        jobs=1, options={"near": "1.0", "groups": "article"},
    )  # fmt: skip
    return out
