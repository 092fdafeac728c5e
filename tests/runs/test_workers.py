from __future__ import annotations

import os
import signal
import time

import pytest

from slant.errors import MissingExtra, OptionError, UnknownName, WorkFailed
from slant.runs import workers
from slant.runs.workers import Workers, ready_workers, worked_off


def doubled(item):
    return 2 * item


def slow(item):
    time.sleep(0.1)
    return item


def failing(item):
    if item == 3:
        raise OptionError("Doing it", "item 3 cannot be done", "Leave it out")
    return item


def deadly(item):
    if item == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return item


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_item_comes_out_once(jobs):
    assert sorted(worked_off(doubled, iter(range(20)), Workers(jobs))) == list(range(0, 40, 2))
    assert list(worked_off(doubled, [], Workers(jobs))) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_ours_comes_through(jobs):
    with pytest.raises(OptionError, match="item 3 cannot be done"):
        list(worked_off(failing, range(20), Workers(jobs)))


@pytest.mark.parametrize("jobs", [1, 2])
def test_items_are_read_no_more_than_two_per_worker_ahead(jobs):
    drawn = []

    def items():
        for item in range(24):
            drawn.append(item)
            yield item

    for taken, _ in enumerate(worked_off(slow, items(), Workers(jobs)), start=1):
        time.sleep(0.3 if taken == 2 else 0)  # slower than those who work
        assert len(drawn) <= taken + (2 * jobs - 1 if jobs > 1 else 0)
    assert len(drawn) == 24


KEPT = []


def grown(item):
    # loky looks once a second; 350 MB are more than it takes for no leak.
    time.sleep(1.1)
    if item:
        KEPT.append(bytearray(os.urandom(1)) * (350 * 10**6))
    return os.getpid()


def test_a_process_that_grows_as_models_do_works_on():
    first = set(worked_off(grown, [0, 0], Workers(2)))
    grown_ones = list(worked_off(grown, [1, 1, 0, 0], Workers(2)))
    assert set(grown_ones) <= first


def test_a_killed_process_is_one_line_that_says_what_to_do():
    with pytest.raises(WorkFailed, match=r"one of them was killed.*What is finished is kept"):
        list(worked_off(deadly, range(20), Workers(2)))


@pytest.mark.parametrize(
    ("engine", "address", "gpus", "error", "says"),
    [
        ("rya", None, 0, UnknownName, r"Did you mean ray\?"),
        ("processes", "auto", 0, OptionError, "Give --engine ray as well"),
        ("processes", None, 1, OptionError, "--gpus-per-worker 1"),
    ],
)
def test_a_wrong_choice_of_workers_is_one_line(engine, address, gpus, error, says):
    with pytest.raises(error, match=says) as told:
        ready_workers(None, 2, engine, address, gpus)
    assert told.value.exit_code == 2


def test_ray_that_is_not_installed_is_said(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r'pip install "slant\[cluster\]"'):
        ready_workers(None, 2, "ray", None, 0)


def test_the_number_of_jobs_is_the_given_one_else_that_of_this_machine():
    assert ready_workers(3, 2, "processes", None, 0) == Workers(3)
    assert ready_workers(None, 2, "processes", None, 0) == Workers(2)
    assert workers.fewer(Workers(8), 3) == Workers(3)
    assert workers.fewer(Workers(8), 0) == Workers(1)
