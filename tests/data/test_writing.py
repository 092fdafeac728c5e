from __future__ import annotations

from functools import partial

import polars as pl
import pytest

from slant.data.writing import intact, replacing, sealed
from slant.errors import DiskFull, OptionError, WorkFailed

TABLE = pl.DataFrame({"id": ["072-0"], "text": ["a"]})


def test_parquet_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "deep" / "072.parquet"
    sealed(path, TABLE.write_parquet)
    assert pl.read_parquet(path).equals(TABLE)

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", full)
    with pytest.raises(WorkFailed, match="no space is left on the disk"):
        sealed(tmp_path / "other.parquet", TABLE.write_parquet)
    assert [p.name for p in tmp_path.iterdir()] == ["deep"]


def test_polars_own_exception_for_a_full_disk_is_understood(tmp_path, monkeypatch):
    def full(*_, **__):
        raise pl.exceptions.ComputeError("No space left on device (os error 28)")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", full)
    with pytest.raises(WorkFailed, match="no space is left on the disk"):
        sealed(tmp_path / "other.parquet", TABLE.write_parquet)


def test_a_full_disk_is_for_the_user_to_change_and_other_faults_of_the_disk_are_not():
    assert DiskFull.exit_code == 2
    assert WorkFailed.exit_code == 1


def test_a_changed_bit_or_a_missing_sum_is_noticed(tmp_path):
    path = tmp_path / "a.parquet"
    sealed(path, partial(TABLE.write_parquet, compression="zstd"))
    whole = path.read_bytes()
    assert intact(path) == whole
    path.write_bytes(whole[:9] + bytes([whole[9] ^ 1]) + whole[10:])
    assert intact(path) is None
    path.write_bytes(whole)
    path.with_suffix(".sha256").unlink()
    assert intact(path) is None


def test_a_path_without_a_name_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OptionError), replacing(tmp_path.__class__("")):
        pass
