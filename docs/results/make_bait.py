"""Write docs/results/bait.md and its figures from runs of BAIT: no number in it is typed by hand.

    python docs/results/make_bait.py SAMPLES PTC LOCAL

Each is a folder of `slant bait run` with its report (`slant report`).
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

HERE = Path(__file__).parent
TABLES = {
    "samples": ("leaderboard", "leaderboard-without", "biases-0", "counts", "agreement", "gold"),
    "ptc": ("leaderboard", "counts", "landing"),
    "local": ("leaderboard", "systems", "answers", "steps"),
}
FIGURES = {"samples": ("biases", "counts"), "ptc": (), "local": ()}


def part(name: str, run: Path) -> list[str]:
    """The lines of one run: what was done, its tables, its figures."""
    place = HERE / "bait"
    lines = ["", *(place / f"{name}.md").read_text("utf-8").splitlines()]
    for table in TABLES[name]:
        lines += ["", (run / "tables" / f"{table}.md").read_text("utf-8").strip()]
    for figure in FIGURES[name]:
        shutil.copyfile(run / "figures" / f"{figure}.svg", place / f"{name}-{figure}.svg")
        lines += ["", f"![{figure}](bait/{name}-{figure}.svg)"]
    return lines


def main() -> None:
    """Write the page."""
    lines = [
        "# Cognitive bias triggers, measured",
        "",
        "Made by `docs/results/make_bait.py` from what these commands left:",
        "",
        "```",
        *(HERE / "bait" / "commands.txt").read_text("utf-8").splitlines(),
        "```",
    ]
    for name, run in zip(TABLES, sys.argv[1:], strict=True):
        lines += part(name, Path(run))
    (HERE / "bait.md").write_text("\n".join(lines).rstrip() + "\n", "utf-8")


if __name__ == "__main__":
    main()
