"""Runs of a system that learns all tasks of a run together."""

from __future__ import annotations

import csv
import json
from importlib.util import find_spec

import pytest
from made_news import write_news
from tiny_detector import save_tiny

from slant.data.added import add_dataset
from slant.data.hashes import user_store
from slant.runs.run import run
from slant.runs.scoring import score

absent = not all(find_spec(n) for n in ("torch", "transformers", "accelerate"))
pytestmark = pytest.mark.skipif(absent, reason="the extra 'encoders' is not installed")

QUICK = {"epochs": 1, "lr": 3e-3, "batch": 16, "max_length": 16}


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    return save_tiny(tmp_path_factory.mktemp("tiny"), "bert")


@pytest.fixture
def two_tasks(tmp_path, own_store):
    """Two data sets of 120 sentences; the second ends with the first's last 60."""
    first = write_news(tmp_path / "first.csv", 120, 1)
    other = write_news(tmp_path / "other.csv", 60, 2)
    with first.open(encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    with other.open("a", encoding="utf-8", newline="") as file:
        # Turned round, or one seed would deal both data sets alike.
        csv.writer(file).writerows(rows[:59:-1])
    for name, path in (("first", first), ("second", other)):
        add_dataset(
            name, path, text="sentence", label="biased", tasks=["fake-news"], store=user_store()
        )
    return ["added/first", "added/second"]


def cells(folder):
    return {path.name + path.parent.name: path for path in folder.rglob("cells/**/*.parquet")}


def test_a_lost_cell_is_made_again_with_the_same_bytes_whatever_the_workers(
    two_tasks, checkpoint, tmp_path
):
    system = f"encoder-multitask:{checkpoint}"
    run(two_tasks, system, tmp_path / "a", params=QUICK, jobs=1)
    run(two_tasks, system, tmp_path / "b", params=QUICK, jobs=2)
    bytes_of = {name: path.read_bytes() for name, path in cells(tmp_path / "a").items()}
    assert len(bytes_of) == 10
    assert bytes_of == {name: path.read_bytes() for name, path in cells(tmp_path / "b").items()}
    lost, *others = cells(tmp_path / "b").values()
    kept = [path.stat().st_mtime_ns for path in others]
    before = (tmp_path / "b/scores.json").read_bytes()
    lost.unlink()
    run(two_tasks, system, tmp_path / "b", params=QUICK, jobs=1)
    assert {name: path.read_bytes() for name, path in cells(tmp_path / "b").items()} == bytes_of
    assert [path.stat().st_mtime_ns for path in others] == kept
    assert (tmp_path / "b/scores.json").read_bytes() == before


def test_what_the_other_task_tests_is_not_learnt_and_the_counts_say_so(
    two_tasks, checkpoint, tmp_path
):
    run(two_tasks, "majority", tmp_path / "single", jobs=1)
    run(two_tasks, f"encoder-multitask:{checkpoint}", tmp_path / "joint", params=QUICK, jobs=1)
    single, joint = (
        json.loads((tmp_path / name / "scores.json").read_text()) for name in ("single", "joint")
    )
    for task in two_tasks:
        assert joint["counts"]["train"][task] < single["counts"]["train"][task]
        assert joint["tasks"][task]["n"] == single["tasks"][task]["n"]
    again = score(tmp_path / "joint")
    assert again["counts"] == joint["counts"]
    assert "|system:encoder-multitask:" in joint["signature"]
