"""A file like BABE's: texts of which harsh words tell the label, those words marked."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "systems"))

from tiny import CALM, FILLER, HARSH

HEADER = "text;news_link;outlet;topic;type;label_bias;label_opinion;biased_words"


def made_rows(n):
    """(text, marked words): every second text has two harsh words among four others."""
    rows = []
    for i in range(n):
        words = (HARSH, CALM)[i % 2]
        one, two = words[(i // 2) % 8], words[(i // 16 + 3) % 8]
        text = " ".join(
            [FILLER[i % 8], one, CALM[(i // 3) % 8], two, FILLER[(i // 8) % 8], CALM[(i + 5) % 8]]
        )
        rows.append((text, [] if i % 2 else [one, two]))
    return rows


def write_babe(folder, n=160):
    """Write final_labels_SG2.csv into folder/babe; give the folder for --data."""
    home = folder / "babe"
    home.mkdir(parents=True, exist_ok=True)
    lines = [HEADER]
    for i, (text, marked) in enumerate(made_rows(n)):
        label = "Non-biased" if i % 2 else "Biased"
        lines.append(f"{text};http://news/{i};Fox;trump;right;{label};No agreement;{marked}")
    (home / "final_labels_SG2.csv").write_text("\n".join([*lines, ""]), encoding="utf-8")
    return folder
