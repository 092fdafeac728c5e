"""What is given to others: the same bytes whoever builds it, and no file too many or too few."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
BACKEND = PROJECT["build-system"]["build-backend"].split(".")[0]
NEEDED = ("src", "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff")
KINDS = {".py", ".toml", ".jsonl", ".md", ".png", ".j2", ".css", ".js", ".typed"}
EPOCH = "1700000000"


def sources():
    """Every file of the package, relative to src."""
    folder = ROOT / "src"
    return {
        path.relative_to(folder).as_posix()
        for path in (folder / "slant").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def built(folder, clock):
    """Wheel and sdist, made from a copy of the project whose files have another time and place."""
    copy = folder / f"copy-{clock}"
    copy.mkdir(parents=True)
    for name in NEEDED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy / name)
    for path in copy.rglob("*"):
        os.utime(path, (clock, clock))
    out = folder / f"out-{clock}"
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(copy)]
    environment = os.environ | {"SOURCE_DATE_EPOCH": EPOCH, "PYTHONHASHSEED": str(clock % 1000)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,), (sdist,) = out.glob("*.whl"), out.glob("*.tar.gz")
    return wheel, sdist


@pytest.fixture(scope="module")
def twice(tmp_path_factory):
    missing = [name for name in ("build", BACKEND) if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} not installed: nothing can be built without a network")
    folder = tmp_path_factory.mktemp("distribution")
    return built(folder, 1_500_000_000), built(folder, 1_600_000_001)


def test_two_builds_at_two_times_in_two_places_have_the_same_bytes(twice):
    for first, second in zip(*twice, strict=True):
        assert first.name == second.name
        sums = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (first, second)]
        assert sums[0] == sums[1], first.name


def test_the_wheel_holds_the_package_and_its_own_notes_and_nothing_else(twice):
    with zipfile.ZipFile(twice[0][0]) as archive:
        held = {name for name in archive.namelist() if not name.endswith("/")}
    notes = {name for name in held if PurePosixPath(name).parts[0].endswith(".dist-info")}
    assert held - notes == sources()
    kinds = {PurePosixPath(name).name for name in notes}
    assert kinds == {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "LICENSE"}


def test_the_sdist_builds_from_the_project_alone(twice):
    with tarfile.open(twice[0][1]) as archive:
        held = {PurePosixPath(one.name) for one in archive.getmembers() if one.isfile()}
    inside = {PurePosixPath(*name.parts[1:]).as_posix() for name in held}
    assert {f"src/{name}" for name in sources()} <= inside
    assert {"pyproject.toml", "README.md", "LICENSE", "PKG-INFO"} <= inside


def test_the_package_holds_samples_cards_schemas_and_templates():
    held = sources()
    for name in (
        "slant/data/samples/sentences.jsonl",
        "slant/data/samples/pairs.jsonl",
        "slant/data/samples/images/p01.png",
        "slant/data/samples/bait/articles.jsonl",
        "slant/data/samples/card.toml",
        "slant/data/cards/babe.toml",
        "slant/data/schemas/bait.toml",
        "slant/systems/surfacecues.toml",
        "slant/report/templates/report.html.j2",
    ):
        assert name in held
    assert {PurePosixPath(name).suffix for name in held} - KINDS <= {""}
