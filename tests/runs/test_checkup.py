"""The checkup says what is here, and what to type for what is not."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from slant.data.cards import card_names
from slant.runs import checkup
from slant.runs.checkup import BUILDERS, PURPOSES, examine_surroundings, too_old
from slant.runs.modelplaces import hub_cache, model_places

ROOT = Path(__file__).parents[2]
STATED = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def with_requirements(monkeypatch, *lines):
    monkeypatch.setattr(checkup, "requires", lambda name: list(lines))
    checkup._requirements.cache_clear()


@pytest.fixture(autouse=True)
def fresh_requirements():
    checkup._requirements.cache_clear()
    yield
    checkup._requirements.cache_clear()


def test_every_extra_of_the_package_serves_a_command():
    served = {extra for _, _, needs in PURPOSES for extra in needs}
    assert served == set(STATED["optional-dependencies"]) - BUILDERS


def test_here_nothing_of_the_core_is_missing_and_the_store_can_be_written():
    found = examine_surroundings()
    assert found.extras[0].name == ""
    assert found.extras[0].missing == ()
    names = {re.split(r"[>=]", line)[0].lower() for line in STATED["dependencies"]}
    assert set(found.extras[0].here) == names
    assert found.broken == ()
    assert found.machine.writable
    assert found.machine.cores >= 1
    assert [one.name.removeprefix("mbib/") for one in found.data][:2] == ["003", "009"]
    assert len(found.data) == len(card_names())


def test_a_package_that_is_missing_or_too_old_makes_its_extra_missing_and_names_what_to_type(
    monkeypatch,
):
    with_requirements(
        monkeypatch,
        "numpy>=1.26",
        "nobody-has-this>=1; extra == 'wikis'",
        "numpy>=999; extra == 'llm'",
        "numpy>=1; extra == 'analyze'",
        "numpy>=999; extra == 'dev'",
    )
    found = examine_surroundings()
    by_name = {one.name: one for one in found.extras}
    assert set(by_name) == {"", "wikis", "llm", "analyze"}
    assert by_name["wikis"].missing == ("nobody-has-this>=1",)
    assert by_name["llm"].missing == ("numpy>=999",)
    assert by_name["llm"].do == 'pip install "slant[llm]"'
    ready = {(one.command, one.what): one for one in found.purposes}
    assert not ready["slant wiki", "a wiki or its dump"].ready
    assert ready["slant analyze", "web pages, PDF, telling languages"].ready
    # an extra that the installed package does not know of is not there either
    assert ready["slant embed", "word vectors trained and read"].do.endswith('"slant[embeddings]"')
    assert found.broken == ()


def test_a_core_that_lacks_a_package_is_broken(monkeypatch):
    with_requirements(monkeypatch, "nobody-has-this>=1")
    assert any("nobody-has-this>=1" in line for line in examine_surroundings().broken)


def test_a_store_that_cannot_be_written_is_broken(monkeypatch, tmp_path):
    """Below a file no folder can be made, whoever asks."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SLANT_CACHE", str(tmp_path / "file" / "store"))
    found = examine_surroundings()
    assert not found.machine.writable
    assert any("cannot be written" in line for line in found.broken)


def test_a_data_folder_that_is_not_there_is_broken_and_the_rest_is_still_said(
    monkeypatch, tmp_path
):
    monkeypatch.setenv("SLANT_DATA", str(tmp_path / "nowhere"))
    found = examine_surroundings()
    assert any("SLANT_DATA" in line for line in found.broken)
    assert len(found.data) == len(card_names())


def test_a_data_set_is_found_by_its_folder_without_reading_it(monkeypatch, tmp_path):
    monkeypatch.setenv("SLANT_DATA", str(tmp_path))
    (tmp_path / "babe").mkdir()
    (tmp_path / "babe" / "final_labels_SG2.csv").write_bytes(b"")
    by_name = {one.name: one for one in examine_surroundings().data}
    assert by_name["babe"].place == str(tmp_path / "babe")
    assert by_name["mbib/072"].place is None
    assert by_name["mbib/072"].do == "slant data fetch mbib/072"


def test_the_hubs_cache_is_found_as_its_client_finds_it(monkeypatch, tmp_path):
    for name in ("HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert hub_cache() == Path("~/.cache/huggingface/hub").expanduser()
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    assert hub_cache() == tmp_path / "home" / "hub"
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    (tmp_path / "models--owner--name" / "snapshots" / "1").mkdir(parents=True)
    (tmp_path / "datasets--owner--data" / "snapshots").mkdir(parents=True)
    assert [one.name for one in model_places() if one.what == "from the hub"] == ["owner/name"]


def test_versions_are_compared_as_numbers():
    assert too_old("1.9", "a>=1.10")
    assert not too_old("1.10", "a>=1.9")
    assert not too_old("5", "a>=5.0")
    assert not too_old("0.11.9.post2", "a>=0.11.9")
    assert not too_old("2.60.0", "ray[client]>=2.40")


def test_torch_is_not_imported_to_find_out_that_it_is_here():
    code = (
        "import sys; from slant.runs.checkup import examine_surroundings as look; look();"
        "print(sorted({'torch', 'transformers', 'gensim', 'sklearn', 'ray'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
