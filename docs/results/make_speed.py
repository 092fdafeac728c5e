"""Run the benchmarks and write docs/results/speed.md from what they say.

    SLANT_DATA=DIR python docs/results/make_speed.py [NAME ...]     (default: those not yet run)
    python docs/results/make_speed.py --page                        (the page alone)

What each printed stays in docs/results/speed/NAME.txt, its command in the first line and how it ended
in the last.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
KEPT = HERE / "speed"
INTRODUCTION = """# Speed

Every ratio of `benchmarks/`, as one run of each script said it: ours against a peer or a plain version in
the same run, so that the machine cancels out; "memory" and "processor time" compare two sizes. Above 1 is
faster, and for memory and time more. What each measures, and how:
`benchmarks/README.md`.

| what | ratio | peer | mark | command |
| --- | --- | --- | --- | --- |
"""


def names() -> list[str]:
    """The benchmarks, without the module that they share."""
    found = sorted(path.stem for path in (ROOT / "benchmarks").glob("*.py"))
    return [name for name in found if name != "ratios"]


def run(name: str, arguments: list[str]) -> None:
    """Run one benchmark, and keep what it printed."""
    command = [f"benchmarks/{name}.py", *arguments]
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    told = shlex.join(["python", *(_without_place(word) for word in command)])
    last = "held" if done.returncode == 0 else f"missed: {done.stderr.strip().splitlines()[-1]}"
    KEPT.mkdir(exist_ok=True)
    (KEPT / f"{name}.txt").write_text(f"{told}\n{done.stdout}{last}\n", "utf-8")


def _without_place(word: str) -> str:
    """A word of a command, an interpreter of this machine by its role."""
    return "PYTHON" if word.endswith("/bin/python") else word


def page() -> str:
    """The page of all that is kept."""
    rows, missed = [], []
    for name in names():
        path = KEPT / f"{name}.txt"
        if not path.exists():
            missed.append(f"- `benchmarks/{name}.py` was not run here.")
            continue
        command, *lines, last = path.read_text("utf-8").splitlines()
        for line in lines:
            if line.startswith("ratio\t"):
                _, what, ratio, peer, mark = line.split("\t")
                rows.append(f"| {what} | {ratio} | {peer} | {mark} | `{command}` |")
        if last != "held":
            missed.append(f"- `{command}` {last}")
    ending = "\nNot held or not run:\n\n" + "\n".join(missed) + "\n" if missed else ""
    return INTRODUCTION + "\n".join(rows) + "\n" + ending


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="benchmarks; with their arguments as one word")
    parser.add_argument("--page", action="store_true")
    asked = parser.parse_args()
    if not asked.page:
        if not os.environ.get("SLANT_DATA"):
            raise SystemExit("Give the folder of the data: SLANT_DATA=DIR")
        absent = [name for name in names() if not (KEPT / f"{name}.txt").exists()]
        for one in asked.names or absent:
            name, *arguments = shlex.split(one)
            print(name, flush=True)
            run(name, arguments)
    (HERE / "speed.md").write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
