"""Write docs/results/vilbias-models.md from a run: no number in it is typed by hand.

    python docs/results/make_vilbias_models.py RUN

RUN is a folder of `slant vilbias run` with its report (`slant report`).
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
TABLES = ("leaderboard", "reasoning", "judges", "planted", "recipe")


def main() -> None:
    """Write the page."""
    run, place = Path(sys.argv[1]), HERE / "vilbias-models"
    lines = [
        "# A small language model and itself as its judge, measured",
        "",
        "Made by `docs/results/make_vilbias_models.py` from what these commands left:",
        "",
        "```",
        *(place / "commands.txt").read_text("utf-8").splitlines(),
        "```",
        "",
        *(place / "reading.md").read_text("utf-8").splitlines(),
    ]
    for name in TABLES:
        lines += ["", (run / "tables" / f"{name}.md").read_text("utf-8").strip()]
    (HERE / "vilbias-models.md").write_text("\n".join(lines).rstrip() + "\n", "utf-8")


if __name__ == "__main__":
    main()
