"""Every reader is fuzzed, for a few tries; and a reader that breaks is reported."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "campaigns"))

from fuzzed.damaging import damaged  # noqa: E402
from fuzzed.drawing import CONTENTS, drawn_contents  # noqa: E402
from fuzzed.jsondamage import damaged_json, damaged_lines  # noqa: E402
from fuzzed.modules import reading_modules, untold  # noqa: E402
from fuzzed.readers import Reader, content, lines  # noqa: E402
from fuzzed.trying import tried, unclear  # noqa: E402
from fuzzing_readers import inputs_of, row_of  # noqa: E402
from slant.errors import DataError  # noqa: E402


def campaign(tmp_path, *words):
    out = tmp_path / "rows.json"
    ended = subprocess.run(
        [sys.executable, "campaigns/fuzzing_readers.py", "--out", str(out), *words],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert out.exists(), ended.stderr
    return ended, json.loads(out.read_text())


def test_damaged_answers_of_models_are_read_or_refused(tmp_path):
    ended, found = campaign(tmp_path, "--times", "60", "--only", "answers:")
    assert ended.returncode == 0, ended.stdout
    assert [(row["tried"], row["held"]) for row in found["rows"]] == [(60, 60)] * 6
    assert found["campaign"] == "fuzzing_readers"


def test_every_module_that_reads_is_tried_or_left_out_for_a_reason():
    assert len(reading_modules()) > 100
    assert untold() == []


def fragile(folder):
    """It holds what it was made for, and no more: an index that may not be there."""
    return content(folder).split(b",")[1]


def rows_of(read, tmp_path, times=80):
    reader = Reader("made", read, [{"a.csv": b"id,text\n1,x\n"}])
    return row_of(reader, tmp_path / "place", inputs_of(reader, times, 13, [b"one word"]))


def test_a_reader_that_breaks_is_reported_with_its_input(tmp_path):
    row = rows_of(fragile, tmp_path)
    assert row.tried == 80
    assert 0 < row.held < 80
    assert "IndexError" in row.failures[0]
    assert "a.csv" in row.failures[0]


def test_the_same_seed_gives_the_same_tries(tmp_path):
    assert rows_of(fragile, tmp_path).failures == rows_of(fragile, tmp_path).failures


def test_a_reader_that_refuses_its_own_sound_file_does_not_hold(tmp_path):
    def refusing(folder):
        raise DataError("Reading it", "it is damaged", "Mend it")

    row = rows_of(refusing, tmp_path)
    assert (row.tried, row.held) == (80, 79)
    assert "a sound file was refused" in row.failures[0]


def test_a_slow_reader_and_one_of_several_lines_do_not_hold(monkeypatch):
    monkeypatch.setattr("fuzzed.trying.LONGEST", 0.0)
    how, failure = tried(lambda: sum(range(300_000)))
    assert how == "read"
    assert "it took" in failure
    assert unclear("one\ntwo").startswith("an error of several lines")
    assert unclear("x" * 5000).startswith("an error of 5,000 characters")
    assert unclear("Reading 'a': it is cut. Get it again.") is None


@pytest.mark.parametrize(
    "sound", [b'{"a": [1, {"b": "c"}]}', b"id,text\n1,x\n2,y\n", b"<a><b>c</b></a>"]
)
def test_damage_never_fails_whatever_it_damages(sound):
    by = Random(5)
    made = {damaged(one, by, [b"drawn"]) for one in [sound, gzip.compress(sound)] * 400}
    assert len(made) > 500
    assert b"drawn" in made


@settings(deadline=None, max_examples=60)
@given(
    st.dictionaries(
        st.text(max_size=4), st.lists(st.integers() | st.text(max_size=5), max_size=3), min_size=1
    )
)
def test_structural_damage_leaves_most_of_a_document_readable(value):
    by = Random(1)
    whole = json.dumps(value).encode()
    made = [damaged_json(whole, by) for _ in range(30)]
    assert any(one != whole for one in made)
    rows = lines([{"a": 1}, {"a": 2}, {"a": 3}])
    assert any(damaged_lines(rows, by) != rows for _ in range(10))


def test_contents_are_drawn_alike_for_the_same_seed():
    assert drawn_contents(20, 3) == drawn_contents(20, 3)
    assert drawn_contents(20, 3) != drawn_contents(20, 4)


@settings(deadline=None, max_examples=150)
@given(CONTENTS)
def test_what_hypothesis_draws_is_a_table_or_one_clear_error(tmp_path_factory, drawn):
    from slant.data.given import read_given
    from slant.data.streams import read_rows

    folder = tmp_path_factory.mktemp("drawn")
    for name in ("a.csv", "a.jsonl", "a.tsv", "a.parquet"):
        (folder / name).write_bytes(drawn)
        for read in (read_given, lambda path: list(read_rows(path))):
            path = folder / name
            assert tried(lambda read=read, path=path: read(path))[1] is None


def test_without_atheris_its_engine_says_what_is_missing(tmp_path):
    pytest.importorskip("fuzzed.coverage")
    from importlib.util import find_spec

    if find_spec("atheris"):
        pytest.skip("atheris is installed here")
    ended = subprocess.run(
        [sys.executable, "campaigns/fuzzing_readers.py", "--engine", "atheris", "--times", "3"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 1
    assert (
        ended.stderr
        == "error: --engine atheris needs the package atheris. Run pip install atheris.\n"
    )
