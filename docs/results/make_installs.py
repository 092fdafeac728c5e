"""Write docs/results/installs.md from the rows of campaigns/installs.py.

python campaigns/installs.py --work FOLDER --out docs/results/installs.json    (see its --help)
python docs/results/make_installs.py
"""

from __future__ import annotations

import json
from pathlib import Path

HERE = Path(__file__).parent
INTRODUCTION = """# Installs

Every row is a new environment into which the wheel was installed: on one Python, with one set of
extras. There the same commands ran: those of the core on embedded data, a text and a page, and for
every extra what it is for (`campaigns/extras.py` lists them). Where `slant doctor` finds the extras
of a command, the command must work; where it does not, it must end with exit code 2 and one line
that names what to install, or work because another extra happens to bring the packages. *Held*
counts the commands of which that is true.

Rows that begin with *lowest* have each dependency at the lower bound of pyproject.toml, the others
the highest versions that constraints.txt allows. Seconds are of a machine that did other work
beside.

```
python campaigns/installs.py --python python3.11 --python python3.12 --work FOLDER --out FILE
```
"""
COLUMNS = (
    "core works", "extras work", "refused", "MB", "seconds to install", "seconds of commands",
)  # fmt: skip


def cells(values: list[str]) -> str:
    return "| " + " | ".join(value.replace("|", "\\|") for value in values) + " |"


def table(rows: list[dict]) -> list[str]:
    heads = ["Python", "extras", "installed", "held", *COLUMNS]
    lines = [cells(heads), cells(["---"] * len(heads))]
    for row in rows:
        python, _, extras = row["what"].partition(" ")
        figures = row["figures"]
        told = [f"{figures[name]:,}" if name in figures else "" for name in COLUMNS]
        installed = "yes" if "MB" in figures else "no"
        held = f"{row['held']} of {row['tried']}"
        lines.append(cells([python, extras.replace(",", ", "), installed, held, *told]))
    return lines


def main() -> None:
    rows = json.loads((HERE / "installs.json").read_text("utf-8"))["rows"]
    parts = [INTRODUCTION, "\n".join(table(rows)) + "\n"]
    failures = [(row["what"], one) for row in rows for one in row["failures"]]
    if failures:
        told = "\n".join(f"- {what}: `{one}`" for what, one in failures)
        parts.append(f"Did not hold:\n\n{told}\n")
    (HERE / "installs.md").write_text("\n".join(parts), "utf-8")


if __name__ == "__main__":
    main()
