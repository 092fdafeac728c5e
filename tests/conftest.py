"""What all tests share: a store of their own, and the real data where they are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_store(tmp_path_factory, monkeypatch):
    """A store that no other test run writes to; SLANT_DATA only where a test asks for it."""
    monkeypatch.setenv("SLANT_CACHE", str(tmp_path_factory.mktemp("store")))
    monkeypatch.delenv("SLANT_DATA", raising=False)


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
