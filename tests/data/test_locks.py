"""Locks whose file is removed while somebody waits for it."""

from __future__ import annotations

import pytest
from filelock import FileLock, Timeout

from slant.data.locks import remove_held, take


class Waited(FileLock):
    """A lock that is got when its first holder lets go, who had removed its file before."""

    def acquire(self, *args, **more):
        """First the removed file, then the one that has its name."""
        got = super().acquire(*args, **more)
        if not getattr(self, "waited", False):
            self.waited = True
            (self.path).unlink()
        return got


def test_who_waited_for_a_lock_that_was_removed_holds_the_one_of_that_name(tmp_path):
    path = tmp_path / "work" / ".lock"
    second = Waited(path, timeout=0)
    second.path = path
    take(second)
    assert path.exists()
    # With the removed file alone locked, a third would be let in beside the second.
    with pytest.raises(Timeout):
        FileLock(path, timeout=0).acquire()
    second.release()
    FileLock(path, timeout=0).acquire().lock.release()


def test_a_folder_that_goes_while_its_lock_is_waited_for_is_made_again(tmp_path):
    class Gone(FileLock):
        def acquire(self, *args, **more):
            """First there is no folder any more, as after the end of a crawl or a prediction."""
            if not getattr(self, "waited", False):
                self.waited = True
                (tmp_path / "work").rmdir()
            return super().acquire(*args, **more)

    lock = Gone(tmp_path / "work" / ".lock", timeout=0)
    take(lock)
    assert lock.is_locked
    lock.release()


def test_a_lock_that_can_never_be_made_is_given_up(tmp_path):
    class Never(FileLock):
        def acquire(self, *args, **more):
            """There is never such a file."""
            raise FileNotFoundError(2, "No such file or directory", self.lock_file)

    with pytest.raises(FileNotFoundError):
        take(Never(tmp_path / ".lock"))


def test_the_folder_of_a_lock_is_made(tmp_path):
    lock = FileLock(tmp_path / "a" / "b" / ".lock", timeout=0)
    take(lock)
    assert lock.is_locked
    lock.release()


def test_a_held_folder_goes_with_its_lock_last(tmp_path, monkeypatch):
    """Whoever finds no lock any more may come in: by then there must be nothing left to go."""
    folder = tmp_path / "work"
    (folder / "cells").mkdir(parents=True)
    for name in ("cells/a", "0.parquet", ".entrance.lock", "zz"):
        (folder / name).write_text("")
    lock = FileLock(folder / ".lock", timeout=0)
    take(lock)
    gone, unlink = [], type(folder).unlink

    def noted(path, **more):
        gone.append(path.name)
        unlink(path, **more)

    monkeypatch.setattr(type(folder), "unlink", noted)
    remove_held(folder)
    lock.release()
    assert not folder.exists()
    assert gone[-1] == ".lock"


def test_a_folder_that_another_process_has_meanwhile_stays(tmp_path, monkeypatch):
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / ".lock").write_text("")
    unlink = type(folder).unlink

    def taken(path, **more):
        unlink(path, **more)
        (folder / ".lock").write_text("")

    monkeypatch.setattr(type(folder), "unlink", taken)
    remove_held(folder)
    assert (folder / ".lock").exists()
    remove_held(tmp_path / "none")
