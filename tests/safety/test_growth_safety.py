"""A few bytes that unpack to a gigabyte: every reader stops, and no memory is filled.

The readers work in a process of their own (`growing.py`), which has a limit of memory and says how
much each needed. What counts is memory, not time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import growing
import hostile
import pytest

import slant
from slant.data.growth import FREE_BYTES, MOST_TIMES, check_growth
from slant.errors import DataError

MOST = 300
"""MiB that one reader may need beyond what was there: a gigabyte would be 1024."""
READ = {"pdf_flate", "pdf_flate_twice", "pdf_run_length", "warc_content_encoding"}
"""Those that are no error of the whole file: a page of a PDF, or a record, is left out."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What each reader said, and how much memory it took, by the name of the attack."""
    folder = tmp_path_factory.mktemp("growing")
    places = [str(Path(slant.__file__).parents[1]), str(Path(__file__).parent)]
    own = os.environ | {"PYTHONPATH": os.pathsep.join(places), "POLARS_MAX_THREADS": "1"}
    for more in (["make"], []):
        done = subprocess.run([sys.executable, growing.__file__, str(folder), *more], env=own,
                              capture_output=True, text=True, check=False)  # fmt: skip
        assert done.returncode == 0, done.stderr[-2000:]
    told = [json.loads(line) for line in done.stdout.splitlines()]
    return {one["name"]: one for one in told}


@pytest.mark.parametrize("name", growing.ATTACKS)
def test_what_unpacks_to_a_gigabyte_is_refused_before_it_has(found, name):
    one = found[name]
    assert one["grown"] < MOST, one
    if name in READ:
        assert one["said"] == "nothing was refused"
    else:
        # "2" or "1" is the exit code of a clear error.
        assert one["said"][:2] in {"2 ", "1 "}, one


def test_the_files_are_as_small_as_they_should_be(tmp_path):
    # A gigabyte of zeros by deflate: 1,032 to 1, so about a megabyte; each below is 64 MB at most.
    assert len(hostile.deflated_zeros()) < 1_100_000
    assert len(hostile.bzipped(b"")) < 10_000
    assert len(hostile.xzipped(b"", mib=256)) < 100_000


@pytest.mark.parametrize("packed", [1, 1_000, 100_000, 10_000_000])
def test_the_bound_lets_pass_what_texts_do_and_stops_what_they_do_not(packed):
    # Texts pack to a third or a tenth. A file of 100,000 bytes may become 20,000,000 and no more.
    check_growth(packed, 10 * packed, "Reading")
    most = max(FREE_BYTES, MOST_TIMES * packed)
    check_growth(packed, most, "Reading")
    with pytest.raises(DataError, match="more than 200 times"):
        check_growth(packed, most + 1, "Reading")


@pytest.mark.parametrize(
    "how",
    [{}, {"compression": "snappy"}, {"compression": "uncompressed"}, {"row_group_size": 100},
     {"data_page_size": 1000}, {"compression": "gzip"}, {"statistics": False}],
)  # fmt: skip
def test_usual_tables_pass_however_they_were_written(tmp_path, how):
    import polars as pl

    from slant.data.parquetsizes import check_parquet

    rows = range(3000)
    table = pl.DataFrame(
        {
            "text": [f"some text {n} " * 5 for n in rows], "list": [[1, n] for n in rows],
            "part": [{"a": n, "b": "x"} for n in rows], "none": [None] * 3000,
            "truth": [True, False] * 1500, "same": ["same"] * 3000,
        }
    )  # fmt: skip
    table.write_parquet(tmp_path / "a.parquet", **how)
    with (tmp_path / "a.parquet").open("rb") as file:
        check_parquet(file, "Reading")


def test_a_table_of_texts_longer_than_the_first_look_at_a_header_passes(tmp_path):
    import polars as pl

    from slant.data.parquetsizes import check_parquet

    table = pl.DataFrame({"text": [os.urandom(200_000).hex() for _ in range(3)]})
    table.write_parquet(tmp_path / "a.parquet", statistics="full")
    with (tmp_path / "a.parquet").open("rb") as file:
        check_parquet(file, "Reading")


def test_a_parquet_file_damaged_anywhere_is_one_clear_error_or_passes(tmp_path):
    import io

    import polars as pl

    from slant.data.parquetsizes import check_parquet

    out = io.BytesIO()
    pl.DataFrame({"text": ["one", "two"], "id": [1, 2]}).write_parquet(out)
    whole = out.getvalue()
    for place in range(len(whole)):
        for sign in (0, 0x7F, 0xFF):
            data = whole[:place] + bytes([sign]) + whole[place + 1 :]
            file = io.BytesIO(data)
            error = hostile.refusal(lambda file=file: check_parquet(file, "Reading 'a.parquet'"))
            assert error is None or str(error).startswith("Reading 'a.parquet'")
