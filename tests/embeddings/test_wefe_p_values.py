"""docs/wefe-p-values.md says what the golden file holds, and exact p-values are as there."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
GOLDEN = json.loads((ROOT / "tests/golden/wefe.json").read_text())
PAGE = (ROOT / "docs/wefe-p-values.md").read_text()
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if line.startswith("| ")
]
BY_TEST = {tuple(row["test"]): row for row in GOLDEN["p_values"]}
SCIENCE = ("science", "arts_2", "male_names", "female_names")
ARTS = ("arts_2", "science", "male_names", "female_names")
CAREER = ("career", "family", "male_names", "female_names")


def called(test, kind="two_sided"):
    return next(r for r in GOLDEN["calls"] if (tuple(r["test"]), r["kind"]) == (test, kind))


@pytest.mark.parametrize("test", BY_TEST, ids=lambda test: "-".join(test[:2]))
def test_exact_p_values_are_the_share_of_all_splits(test):
    hx, hy = BY_TEST[test]["h"]
    h = np.array(hx + hy)
    sums = np.array([h[list(first)].sum() for first in combinations(range(16), 8)])
    differences = (2 * sums - h.sum()) / 8
    seen = np.mean(hx) - np.mean(hy)
    exact = BY_TEST[test]["exact"]
    assert np.mean(np.abs(differences) >= abs(seen) - 1e-12) == pytest.approx(exact["two_sided"])
    assert np.mean(differences >= seen - 1e-12) == pytest.approx(exact["right_sided"])


def test_exchanging_x_and_y_leaves_the_exact_p_and_turns_that_of_wefe_into_one():
    assert BY_TEST[SCIENCE]["exact"]["two_sided"] == BY_TEST[ARTS]["exact"]["two_sided"] < 0.001
    assert called(SCIENCE)["wefe"] < 0.01
    assert called(ARTS)["wefe"] == 1


def test_the_transcribed_rule_gives_the_p_of_wefe_on_the_same_draws():
    assert len(GOLDEN["calls"]) == 4
    for row in GOLDEN["calls"]:
        assert row["wefe"] == row["transcribed"]
    assert sum(0.05 < row["wefe"] < 0.95 for row in GOLDEN["calls"]) == 2


@pytest.mark.parametrize(("names", "test"), [("science, arts", SCIENCE), ("arts, science", ARTS)])
def test_the_page_says_what_wefe_said_of_both_orders(names, test):
    hx, hy = BY_TEST[test]["h"]
    d = (np.mean(hx) - np.mean(hy)) / np.std(hx + hy)
    exact, wefe = BY_TEST[test]["exact"]["two_sided"], called(test)["wefe"]
    assert [names, f"{d:.2f}", f"{exact:.5f}", f"{wefe:.5f}"] in ROWS


def test_the_page_says_how_far_seeds_differ():
    low, high = BY_TEST[SCIENCE]["seeds"]["two_sided"]
    assert f"from {low:.5f} to {high:.5f}" in PAGE
    assert high > 5 * low


@pytest.mark.parametrize(
    ("names", "test"), [("science, arts", SCIENCE), ("career, family", CAREER)]
)
@pytest.mark.parametrize("kind", ["two_sided", "right_sided"])
def test_the_page_says_where_the_rule_with_replacement_tends(names, test, kind):
    exact, rule = BY_TEST[test]["exact"][kind], BY_TEST[test]["million"][kind]
    row = [f"{names}, male and female names", kind.replace("_", "-")]
    assert [*row, f"{exact:.5f}", f"{rule:.5f}", f"{rule / exact:.1f}"] in ROWS


@pytest.mark.parametrize(
    "row", GOLDEN["false_positives"], ids=lambda row: f"{row['n_x']}-{row['n_y']}-{row['mean']}"
)
def test_the_page_says_how_often_each_is_wrong(row):
    share = {name: f"{value:.4f}" for name, value in row["shares"].items()}
    names = [
        "exact.two_sided",
        "wefe.two_sided",
        "wefe.two_sided.is_1",
        "exact.right_sided",
        "wefe.right_sided",
    ]
    head = [f"{row['n_x']} and {row['n_y']}", f"{row['mean']:g}"]
    assert [*head, *(share[name] for name in names)] in ROWS


def test_the_page_on_measures_says_how_far_tolerances_of_the_classifier_matter():
    page = (ROOT / "docs/associations.md").read_text()
    values = [entry["wefe"] for entry in GOLDEN["tests"]]
    most = max(abs(one["rnsb"] - one["rnsb.default_tolerance"]) for one in values)
    assert f"the two differ by up to {most:.1e}." in page
    ratio = max(one["rnsb.holdout.high"] / one["rnsb.holdout.low"] for one in values)
    assert f"up to {ratio:.1f} times" in page
