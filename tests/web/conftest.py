import shutil
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "report"))

from accessibility import needed_axe
from chromium import opened_browser
from served import Served


@pytest.fixture(scope="session")
def store(tmp_path_factory, light_detectors):
    """One store, so that the light detector is trained once."""
    made = tmp_path_factory.mktemp("store")
    shutil.copytree(light_detectors, made / "analysis")
    return made


@pytest.fixture(autouse=True)
def own_store(store, monkeypatch):
    monkeypatch.setenv("SLANT_CACHE", str(store))
    monkeypatch.delenv("SLANT_DATA", raising=False)
    monkeypatch.delenv("SLANT_TOKEN", raising=False)


@pytest.fixture(scope="session")
def served(store):
    """A server of this machine alone that keeps nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLANT_CACHE", str(store))
        with Served() as one:
            yield one


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    yield from opened_browser(tmp_path_factory)


@pytest.fixture
def axe():
    return needed_axe()
