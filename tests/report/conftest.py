import os
from pathlib import Path

import pytest
from accessibility import needed_axe
from chromium import opened_browser
from made_scores import made_comparison, made_run, made_runs

from slant.report.page import write_report

GOLDEN = Path(__file__).parents[1] / "golden" / "report"


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """A report of two systems on eight tasks, on disk, with its list of files."""
    out = tmp_path_factory.mktemp("report")
    return out, write_report(made_runs(), [made_comparison()], out)


@pytest.fixture(scope="session")
def crowded(tmp_path_factory):
    """A report of eight runs under three protocols."""
    out = tmp_path_factory.mktemp("crowded")
    two = {"mbib/gender-bias": ["075", "106"], "mbib/racial-bias": ["075", "110"]}
    runs = made_runs() + [
        made_run(share=share, seed=3, level=0.6 + share / 9) for share in (0.1, 0.5)
    ]
    runs += [made_run(system="minilm-lr", tasks=two), made_run(preset="official", level=0.8)]
    runs += [made_run(system="encoder:<b>&", level=0.75), made_run(system="a" * 90, level=0.74)]
    return out, write_report(runs, [made_comparison(), made_comparison("x_y", "z")], out)


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    yield from opened_browser(tmp_path_factory)


@pytest.fixture
def axe():
    return needed_axe()


@pytest.fixture
def same_as_golden():
    """Compares a text with the file of tests/golden; UPDATE_GOLDEN=1 writes it anew."""

    def compare(name, text):
        path = GOLDEN / name
        if os.environ.get("UPDATE_GOLDEN") == "1":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8"), (
            f"{name} changed: look at it, then UPDATE_GOLDEN=1"
        )

    return compare
