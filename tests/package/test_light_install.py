"""The wheel in an environment that has what the core asks for and nothing else, not even pip.

The environment is new; of the packages that are installed here it sees those, and only those, that
an installation without an extra would bring, at the versions that are here.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from slant.runs.checkup import PURPOSES

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "campaigns"))

from extras import CORE, EXTRAS, free_port, make_inputs, why_no_refusal, why_not_works  # noqa: E402

QUICK = ("--help", "doctor --json", "systems", "data list", "bait codebook --out codebook.html")
TRIED = [one for one in EXTRAS if "{models}" not in one.command]
"""All but those that need a run whose models are kept; campaigns/installs.py trains one."""
DRIVER = """
import contextlib, io, json, sys, traceback
from importlib.metadata import entry_points
(script,) = entry_points(group="console_scripts", name="slant")
main, answers = script.load(), {}
for command in json.load(sys.stdin):
    said, code = io.StringIO(), 0
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            main(command.split())
        except SystemExit as end:
            code = end.code or 0
        except BaseException:
            code = 1
            traceback.print_exc(file=said)
    answers[command] = code, said.getvalue()
print(json.dumps(answers))
"""


def core_distributions():
    """The packages that an installation of `slant` without an extra brings."""
    waiting, found = [Requirement("slant")], {}
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        extras = requirement.extras or {""}
        if (name, *sorted(extras)) in found:
            continue
        found[(name, *sorted(extras))] = here = distribution(requirement.name)
        for line in here.requires or ():
            needed = Requirement(line)
            if not needed.marker or any(needed.marker.evaluate({"extra": one}) for one in extras):
                waiting.append(needed)
    return {key[0]: here for key, here in found.items() if key[0] != "slant"}


@pytest.fixture(scope="module")
def light(tmp_path_factory):
    """The interpreter of the environment."""
    for module in ("build", "hatchling"):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed: nothing can be built without a network")
    folder = tmp_path_factory.mktemp("light")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir"]
    subprocess.run([*command, folder, ROOT], check=True, capture_output=True)
    venv.create(folder / "environment", with_pip=False)
    (packages,) = (folder / "environment").glob("lib/python*/site-packages")
    for here in core_distributions().values():
        for name in {path.parts[0] for path in here.files or ()} - {"..", "__pycache__"}:
            if not (packages / name).exists():
                (packages / name).symlink_to(here.locate_file(name))
    (wheel,) = folder.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(packages)
    return folder / "environment/bin/python"


@pytest.fixture(scope="module")
def answers(light, tmp_path_factory):
    """Command -> exit code and all that was printed."""
    folder = tmp_path_factory.mktemp("runs")
    given = make_inputs(folder / "inputs")
    asked = [*QUICK, *(one.command for one in TRIED)]
    names = {**given, "port": str(free_port()), "wiki": "http://127.0.0.1:9"}
    written = {
        command: command.format_map({**names, "out": f"out-{number}"})
        for number, command in enumerate(asked)
    }
    clean = {key: text for key, text in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(
        [light, "-I", "-c", DRIVER],
        input=json.dumps(list(written.values())),
        env=clean | {"SLANT_CACHE": str(folder / "store")},
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout.splitlines()[-1])
    # An analysis that was broken off keeps what it was asked in the hidden .work, to go on.
    left = [path for path in folder.glob("out-*/*") if path.name != ".work"]
    assert left == [], "a refused command leaves nothing that looks like a result"
    return {command: said[text] for command, text in written.items()}


def test_the_commands_of_the_core_work_without_an_extra(answers):
    for command in QUICK:
        assert why_not_works(*answers[command]) is None, command


def test_the_doctor_finds_the_core_whole_and_every_extra_missing(answers):
    found = json.loads(answers["doctor --json"][1])
    assert found["broken"] == []
    assert not found["extras"][0]["missing"]
    assert all(one["missing"] for one in found["extras"][1:])


@pytest.mark.parametrize("probe", TRIED, ids=lambda one: one.command.partition(" --out")[0])
def test_a_command_without_its_extra_names_it_and_says_nothing_else(answers, probe):
    assert why_no_refusal(*answers[probe.command], probe.needs, probe.needs) == ""


def test_every_purpose_that_needs_an_extra_has_a_command_that_is_tried():
    tried = {frozenset(one.needs) for one in EXTRAS}
    assert {frozenset(needs) for _, _, needs in PURPOSES if needs} <= tried


def test_no_command_of_the_core_is_tried_twice_or_needs_an_extra():
    assert len({one.command for one in CORE}) == len(CORE)
    assert not any(one.needs for one in CORE)
