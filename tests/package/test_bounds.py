"""What pyproject.toml asks for: each package once bounded, and every place that repeats it agrees."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from slant.runs.checkup import BUILDERS, PURPOSES, too_old

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
LISTS = {"": PROJECT["dependencies"], **EXTRAS}
BROUGHT = {
    "markdown_it": "rich",
    "markupsafe": "jinja2",
    "starlette": "fastapi",
    "safetensors": "transformers",
    "huggingface_hub": "transformers",
}
"""Modules that are imported and come with a package that is asked for."""
NOT_THE_NAME = {
    "PIL": "pillow",
    "fasttext_pybind": "fasttext-community",
    "sklearn": "scikit-learn",
    "vl_convert": "vl-convert-python",
}


def read_bounds():
    """Package -> its bounds in every list that names it."""
    bounds = {}
    for lines in LISTS.values():
        for line in lines:
            requirement = Requirement(line)
            bounds.setdefault(canonicalize_name(requirement.name), set()).add(
                str(requirement.specifier)
            )
    return bounds


def imported_modules():
    """The modules outside the standard library that the package imports anywhere."""
    found = set()
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {one.name.split(".")[0] for one in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                found.add(node.module.split(".")[0])
    return found - sys.stdlib_module_names - {"slant"}


def test_each_package_has_one_lower_bound_and_no_upper_one():
    """An upper bound keeps users from what works; what breaks with a new version is mended."""
    for name, bounds in read_bounds().items():
        assert len(bounds) == 1, f"{name}: {bounds}"
        assert re.fullmatch(r">=[\d.]+", next(iter(bounds))), f"{name}: {bounds}"


def test_all_that_is_imported_is_asked_for():
    asked = set(read_bounds())
    for module in imported_modules():
        name = BROUGHT.get(module) or NOT_THE_NAME.get(module) or module
        assert canonicalize_name(name) in asked, module


def test_a_module_that_comes_with_another_package_is_required_by_it():
    for module, package in BROUGHT.items():
        owners = packages_distributions().get(module)
        if owners is None:
            pytest.skip(f"{module} is not installed")
        needed = {canonicalize_name(Requirement(line).name) for line in requires(package) or ()}
        assert {canonicalize_name(one) for one in owners} & needed, module


def test_the_pinned_versions_are_asked_for_and_within_the_bounds():
    bounds = read_bounds()
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pins = [line.split("==") for line in lines if line and not line.startswith("#")]
    assert pins
    for name, version in pins:
        (bound,) = bounds[canonicalize_name(name)]
        assert not too_old(version, name + bound), f"{name}=={version}, {bound}"


def test_the_set_up_with_everything_has_every_extra():
    (listed,) = re.findall(r"'\.\[([\w,]+)\]'", (ROOT / "Makefile").read_text("utf-8"))
    assert sorted(listed.split(",")) == sorted(EXTRAS)


def test_the_page_on_installing_lists_every_extra_for_users():
    page = (ROOT / "docs/install.md").read_text("utf-8")
    listed = re.findall(r"^\| `([a-z]+)` \| ", page, flags=re.MULTILINE)
    assert sorted(listed) == sorted(set(EXTRAS) - {"dev"})


def test_the_checkup_knows_what_every_extra_is_for():
    used = {name for _, _, needs in PURPOSES for name in needs}
    assert used == set(EXTRAS) - BUILDERS


def test_the_classifiers_begin_with_the_least_python():
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert named == sorted(named)
    assert PROJECT["requires-python"] == f">={named[0]}"
