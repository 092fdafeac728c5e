"""What all tests share: a store of their own, and the real data where they are."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from slant.data.writing import intact


@pytest.fixture(scope="session")
def light_detectors(tmp_path_factory) -> Path:
    """Where a light detector goes that a test has taught: that takes 20 seconds, and it is the
    same each time."""
    kept = tmp_path_factory.getbasetemp().parent / "light-detectors"
    kept.mkdir(exist_ok=True)
    return kept


@contextmanager
def taught(store: Path, kept: Path) -> Iterator[None]:
    """Within the block the store has what was taught before; what is taught in it is kept."""
    own = store / "analysis"
    # Nothing writes into a file of the store: each takes its place whole.
    shutil.copytree(kept, own, copy_function=os.link)
    yield
    for made in own.glob("open-light*"):
        if intact(made.with_suffix(".npz")) and not (kept / made.name).exists():
            half = kept / f".{os.getpid()}-{made.name}"
            shutil.copy(made, half)
            half.replace(kept / made.name)


@pytest.fixture(autouse=True)
def own_store(tmp_path_factory, light_detectors, monkeypatch):
    """A store that no other test run writes to; SLANT_DATA only where a test asks for it."""
    store = tmp_path_factory.mktemp("store")
    monkeypatch.setenv("SLANT_CACHE", str(store))
    monkeypatch.delenv("SLANT_DATA", raising=False)
    with taught(store, light_detectors):
        yield
    # Thousands of copies of the detector would fill a disk.
    shutil.rmtree(store, ignore_errors=True)


REAL = os.environ.get("SLANT_DATA")


@pytest.fixture
def real_data(monkeypatch) -> Path:
    """The folder of the real data; the test is skipped where it is absent."""
    if not REAL:
        pytest.skip("SLANT_DATA is not set: the real data are not here")
    monkeypatch.setenv("SLANT_DATA", REAL)
    return Path(REAL)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """In CI everything is there, so that a skip is a fault of the set-up."""
    report = yield
    if report.skipped and os.environ.get("CI") and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped in CI: {report.longrepr}"
    return report
