"""Write docs/results/faults.md from the campaigns' files in docs/results/faults.

python campaigns/kills.py --out docs/results/faults/kills.json    (and so on)
python docs/results/make_faults.py
"""

from __future__ import annotations

import json
from pathlib import Path

HERE = Path(__file__).parent
INTRODUCTION = """# Faults

Every table is one campaign: a script of `campaigns/` that does one kind of harm to readers and commands,
at random from a seed, and counts. The command above a table makes it again. Nothing here is an estimate:
a row says how often it was tried and how often it held; rows that take long were tried less often, and
what did not hold at first was mended and its row tried anew.
"""


def cells(values: list[str]) -> str:
    return "| " + " | ".join(value.replace("|", "\\|") for value in values) + " |"


def table(campaign: dict) -> list[str]:
    names = list(dict.fromkeys(key for row in campaign["rows"] for key in row["figures"]))
    lines = [cells(["", "tried", "held", *names]), cells(["---"] * (3 + len(names)))]
    for row in campaign["rows"]:
        figures = [row["figures"].get(name, "") for name in names]
        told = [f"{one:,}" if isinstance(one, int) else str(one) for one in figures]
        lines.append(cells([row["what"], f"{row['tried']:,}", f"{row['held']:,}", *told]))
    return lines


def main() -> None:
    parts = [INTRODUCTION]
    for path in sorted((HERE / "faults").glob("*.json")):
        campaign = json.loads(path.read_text("utf-8"))
        name = campaign["campaign"]
        parts.append(f"## {name.replace('_', ' ').capitalize()}\n\n{campaign['about']}\n")
        times = f"--times {campaign['times']} " if "times" in campaign else ""
        asked = f"{times}--seed {campaign['seed']}"
        parts.append(f"```\npython campaigns/{name}.py {asked}\n```\n")
        parts.append("\n".join(table(campaign)) + "\n")
        failures = [one for row in campaign["rows"] for one in row["failures"]]
        if failures:
            parts.append("Did not hold:\n\n" + "\n".join(f"- `{one}`" for one in failures) + "\n")
    (HERE / "faults.md").write_text("\n".join(parts), "utf-8")


if __name__ == "__main__":
    main()
