"""Write docs/results/wikis.md and its figures from a run of associations: no number in it is
typed by hand.

    python docs/results/make_wikis.py RUN EMBEDDING...

RUN holds associations.json and the report (`slant assoc run`, `slant report`); EMBEDDING are the
folders that `slant embed train` left.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).parent
TABLES = ("effects", "tests", "compared", "replicas", "coverage")
FIGURES = ("words-career-family-male-female", "words-science-art-male-female", "replicas-weat")


def training_lines(folder: Path) -> list[str]:
    """What was trained, one line a corpus."""
    found = json.loads((folder / "embedding.json").read_text("utf-8"))
    replicas = found["replicas"]
    epochs = ", ".join(str(len(one["epochs"])) for one in replicas)
    first = replicas[0]
    return [
        f"- {found['name']}: {first['tokens']:,} tokens, {first['words']:,} words that occur five "
        f"times, {len(replicas)} replicas that stopped after {epochs} epochs."
    ]


def main() -> None:
    """Write the page."""
    run, *embeddings = map(Path, sys.argv[1:])
    place = HERE / "wikis"
    place.mkdir(exist_ok=True)
    lines = [
        "# Knoche's word lists on small wiki texts, measured",
        "",
        "Made by `docs/results/make_wikis.py` from what these commands left:",
        "",
        "```",
        *(place / "commands.txt").read_text("utf-8").splitlines(),
        "```",
        "",
        *(line for folder in embeddings for line in training_lines(folder)),
        "",
        *(place / "reading.md").read_text("utf-8").splitlines(),
    ]
    for name in TABLES:
        lines += ["", (run / "tables" / f"{name}.md").read_text("utf-8").strip()]
    for name in FIGURES:
        shutil.copyfile(run / "figures" / f"{name}.svg", place / f"{name}.svg")
        lines += ["", f"![{name}](wikis/{name}.svg)"]
    (HERE / "wikis.md").write_text("\n".join(lines).rstrip() + "\n", "utf-8")


if __name__ == "__main__":
    main()
