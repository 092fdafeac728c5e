"""The campaign of keys runs, and its search finds a key however it is written or packed."""

from __future__ import annotations

import gzip
import json
import sys
import zipfile
from base64 import b64encode
from pathlib import Path

import polars as pl
import pytest
from conducting import conducted, ran

sys.path.append(str(Path(__file__).parents[2] / "campaigns"))

from leaksearch import forms, leaks

KEY = "sk-Ab3/dEf6+hIj9kLm2"
LEAK = """
import leaks, leakscenes
def leak(place):
    (place.home / "notes.txt").write_text(f"It is {place.key}.")
    return [0]
leakscenes.SCENES["a leak"] = leak
(row,) = leaks.trial(3, 1, ["a leak"])
print(row.tried - row.held, *row.failures, sep="\\n")
"""


@pytest.mark.parametrize("form", forms(KEY))
def test_a_key_is_found_in_each_form(tmp_path, form):
    (tmp_path / "log").write_bytes(b"before " + forms(KEY)[form] + b" after")
    assert any(one.endswith(f"log: {form}") for one in leaks(tmp_path, KEY))


def test_a_key_is_found_inside_of_what_surrounds_it_in_base64(tmp_path):
    for number, before in enumerate(("", "u", "us", "user:")):
        (tmp_path / f"{number}").write_bytes(b64encode(f"{before}{KEY}, and more".encode()))
        assert any(f"{number}: base64" in one for one in leaks(tmp_path, KEY))


def test_a_key_is_found_in_archives_tables_names_and_broken_lines(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.eval", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("sample.json", json.dumps({"deep": [KEY]}))
    pl.DataFrame({"text": [f"It is {KEY}."] * 9}).write_parquet(tmp_path / "b.parquet")
    (tmp_path / "c.gz").write_bytes(gzip.compress(KEY.encode()))
    (tmp_path / "d.txt").write_text(f"{KEY[:6]}\n  {KEY[6:]}")
    (tmp_path / f"e-{KEY.replace('/', '')}").touch()
    found = leaks(tmp_path, KEY)
    for name in ("a.eval!sample.json", "b.parquet!table", "c.gz!gzip", "d.txt"):
        assert any(name in one for one in found), name
    assert any("name" in one for one in leaks(tmp_path, KEY.replace("/", "")))


def test_nothing_is_found_where_nothing_is(tmp_path):
    (tmp_path / "log").write_text("sk-Ab3/dEf6 was broken off; [key]")
    assert leaks(tmp_path, KEY) == []


def test_a_few_keys_of_two_scenes_leak_nowhere(tmp_path):
    pytest.importorskip("inspect_ai", reason="inspect-ai is not installed: pip install slant[llm]")
    names = ["keys among the arguments", "wiki crawl"]
    only = [word for name in names for word in ("--only", name)]
    done, rows = conducted(tmp_path, "campaigns/leaks.py", "--times", "3", *only)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [row["what"] for row in rows.values()] == names
    assert [row["figures"]["planted and found"] for row in rows.values()] == [3, 3]


def test_a_command_that_writes_its_key_is_told_with_file_and_form():
    pytest.importorskip("inspect_ai", reason="inspect-ai is not installed: pip install slant[llm]")
    done = ran("-c", LEAK)
    assert done.returncode == 0, done.stderr
    wrong, *failures = done.stdout.splitlines()
    assert int(wrong) == len(failures) == 3
    assert all("/notes.txt: plain" in one for one in failures)
