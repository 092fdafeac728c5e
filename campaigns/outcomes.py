"""What a campaign of faults found: rows of tries, how many held, and what did not."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

KEPT_FAILURES = 20


@dataclass
class Row:
    """One thing put to the test.

    Args:
        what: a reader, a command, a fault: "slant run", "read a mediaeval folder".
        tried: how many inputs, kills or faults it met.
        held: how many of these ended as they must.
        figures: other counts worth a column: {"refused in one line": 9120}.
        failures: what did not hold, told so that it can be done again; at most 20 are kept.
    """

    what: str
    tried: int = 0
    held: int = 0
    figures: dict[str, int | float | str] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def count(self, failure: str | None) -> None:
        """Take one try in: `failure` is None where it held."""
        self.tried += 1
        if failure is None:
            self.held += 1
        elif len(self.failures) < KEPT_FAILURES:
            self.failures.append(failure)


def conducted(
    name: str, about: str, times: int, trial: Callable[[int, int, Sequence[str]], list[Row]]
) -> int:
    """Read the command line of a campaign, run it, print and write what it found.

    Args:
        name: of the script; results go to `--out`, where one is given.
        about: what must hold, in one sentence.
        times: how often by default.
        trial: of (times, seed, the chosen names or none for all) -> rows.

    Returns:
        0 where every try held, else 1.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--times", type=int, default=times, help=f"tries of each ({times})")
    parser.add_argument("--seed", type=int, default=13, help="of every random choice (13)")
    parser.add_argument("--only", action="append", default=[], help="a row's name; repeatable")
    parser.add_argument("--out", type=Path, help="a JSON file of the rows")
    chosen = parser.parse_args()
    rows = trial(chosen.times, chosen.seed, chosen.only)
    for row in rows:
        told = "  ".join(f"{key}: {value}" for key, value in row.figures.items())
        print(f"{row.what:48} {row.held:>7,} of {row.tried:>7,} held  {told}")
        for failure in row.failures:
            print(f"    {failure}")
    if chosen.out:
        asked = {"seed": chosen.seed, "times": chosen.times}
        found = {"campaign": name, "about": about, **asked}
        text = json.dumps({**found, "rows": [asdict(row) for row in rows]}, indent=1)
        chosen.out.write_text(text + "\n", "utf-8")
    return 0 if rows and all(row.tried == row.held > 0 for row in rows) else 1
