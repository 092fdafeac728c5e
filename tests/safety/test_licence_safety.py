"""Every package that slant needs stands in docs/licences.md, under a licence that goes with
Apache-2.0, and what does not is of developers alone and named."""

from __future__ import annotations

import importlib.util
import re
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATH = ROOT / "docs" / "reference" / "make_licences.py"
PAGE = ROOT / "docs" / "licences.md"


@pytest.fixture(scope="module")
def made():
    spec = importlib.util.spec_from_file_location("make_licences", PATH)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def listed():
    """Package -> its licence and what it comes with, as the page says."""
    rows = re.findall(r"^\| ([\w.-]+) \| ([^|]+) \| ([^|]+) \|$", PAGE.read_text("utf-8"), re.M)
    return {
        name: (licence.strip(), tuple(extras.strip().split(", ")))
        for name, licence, extras in rows
        if name not in {"package", "---"}
    }


def test_the_search_finds_the_packages(listed):
    assert len(listed) > 150
    assert listed["numpy"][1][0] == "core"


def test_every_installed_package_that_is_needed_is_listed_with_its_licence(made, listed):
    found = made.entries()
    assert found
    for one in found:
        assert one.name in listed, f"{one.name}: run python docs/reference/make_licences.py"
        licence, extras = listed[one.name]
        assert licence == one.licence, one.name
        assert set(one.needed_by) <= set(extras), one.name


def test_every_package_that_the_project_names_is_listed(made, listed):
    from packaging.utils import canonicalize_name

    for extra, wanted in made.requirements().items():
        for one in wanted:
            assert extra in listed[canonicalize_name(one.name)][1], one.name


def test_every_licence_is_known_and_goes_with_apache(made, listed):
    for name, (licence, extras) in listed.items():
        assert licence != "none stated", name
        assert made.unknown(licence) == set(), (name, licence)
        if not made.acceptable(licence, made.PERMISSIVE | made.WEAK):
            # Only whoever tests slant or builds its site has these.
            assert set(extras) <= {"dev", "docs"}, (name, licence)


def test_what_binds_others_is_named_on_the_page_with_its_consequence(made, listed):
    text = PAGE.read_text("utf-8").partition("## Under the GPL")[2]
    strong = {
        name
        for name, (licence, _) in listed.items()
        if not made.acceptable(licence, made.PERMISSIVE | made.WEAK)
    }
    assert strong == set(re.findall(r"^- `([\w.-]+)`", text, re.M))
    assert "falls under the GPL" in " ".join(text.split())


def test_the_package_itself_imports_nothing_under_the_gpl(made, listed):
    strong = {
        name
        for name, (licence, _) in listed.items()
        if not made.acceptable(licence, made.PERMISSIVE | made.WEAK)
    }
    bound = {
        module
        for module, owners in packages_distributions().items()
        if any(owner.lower().replace("_", "-") in strong for owner in owners)
    }
    assert bound
    line = re.compile(rf"^\s*(?:import|from) (?:{'|'.join(sorted(bound))})\b", re.M)
    for path in (ROOT / "src" / "slant").rglob("*.py"):
        assert not line.search(path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize(
    ("licence", "good"),
    [
        ("MIT", True), ("Apache-2.0 AND MIT", True), ("LGPL-2.1-only", True), ("MPL-2.0 AND MIT", True),
        ("GPL-3.0-or-later", False), ("AGPL-3.0-only", False), ("MIT AND GPL-2.0-only", False),
        ("MPL-1.1 OR GPL-2.0-only OR LGPL-2.1-or-later", True), ("", False), ("Proprietary", False),
    ],
)  # fmt: skip
def test_one_choice_of_a_licence_must_be_acceptable_as_a_whole(made, licence, good):
    assert made.acceptable(licence, made.PERMISSIVE | made.WEAK) is good


def test_the_list_is_the_one_that_the_project_states():
    assert 'license = "Apache-2.0"' in (ROOT / "pyproject.toml").read_text("utf-8")
    assert "Apache License" in (ROOT / "LICENSE").read_text("utf-8")
