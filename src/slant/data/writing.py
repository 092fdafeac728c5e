"""Files written whole or not at all."""

from __future__ import annotations

import errno
import hashlib
import os
import platform
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path

from slant.errors import DiskFull, OptionError, PlaceRefused, SlantError, WorkFailed


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path beside `path` that takes its place when the block ends well.

    Args:
        path: the file to write; its folder is made where it does not exist.

    Yields:
        The path to write to.

    Raises:
        WorkFailed: the disk is full or the folder cannot be written.
    """
    if not path.name:
        raise OptionError("Writing a file", "the path names none", "Give one")
    temporary = temporary_beside(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        clear_abandoned(path.parent)
        yield temporary
        os.replace(temporary, path)
    except SlantError:
        raise
    except Exception as error:
        if not (cause := _said_by_system(error, temporary)):
            raise
        raise write_failed(path, cause) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


@contextmanager
def no_empty_folders(folder: Path) -> Iterator[None]:
    """At the end of the block a folder, and those above it, are gone where new and empty."""
    made = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        yield
    finally:
        with suppress(OSError):
            for one in made:
                one.rmdir()


def temporary_beside(path: Path) -> Path:
    """The hidden path that a file of this process is written to before it takes its name.

    It names the machine too: on a shared folder, processes of several machines, in containers most
    of all, have the same number.
    """
    return path.with_name(f".{path.name}.{_machine()}-{os.getpid()}.tmp")


@contextmanager
def temporary_folder(path: Path) -> Iterator[Path]:
    """A hidden folder beside `path` for what is to take its name, removed when the block ends.

    Yields:
        The folder, empty; to be renamed, or what is in it.

    Raises:
        OSError: it cannot be made.
    """
    temporary = temporary_beside(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    clear_abandoned(path.parent)
    shutil.rmtree(temporary, ignore_errors=True)
    try:
        temporary.mkdir()
        yield temporary
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


@lru_cache(maxsize=4096)
def clear_abandoned(folder: Path) -> None:
    """Remove what was left in a folder by processes of this machine that were killed as they wrote.

    A process looks once into each folder. What lies there of processes that live, or of other
    machines, whose processes cannot be seen from here, stays.

    Args:
        folder: whose own files and folders are looked at, not those deeper.
    """
    if os.name != "posix":  # elsewhere to ask for a process by its number may end it
        return
    machine = _machine()
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            named = _TEMPORARY.fullmatch(entry.name)
            if named and named["machine"] == machine and _is_gone(int(named["process"])):
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    with suppress(OSError):
                        os.unlink(entry.path)


_TEMPORARY = re.compile(r"\..+\.(?P<machine>[0-9a-f]{8})-(?P<process>\d+)\.tmp", re.DOTALL)


def _machine() -> str:
    # Containers of one host name may each count their processes anew.
    counted = ""
    with suppress(OSError):
        counted = os.readlink("/proc/self/ns/pid")
    return hashlib.sha256(f"{platform.node()} {counted}".encode()).hexdigest()[:8]


def _is_gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False


def sealed(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file and beside it, as .sha256, the sum that `intact` holds it against.

    Args:
        path: the file.
        write: called with the path to write to.
    """
    with replacing(path) as temporary:
        write(temporary)
        # Killed between the two, the file has no or another sum, and is made again.
        with replacing(path.with_suffix(".sha256")) as sum_file:
            sum_file.write_text(hashlib.sha256(temporary.read_bytes()).hexdigest() + "\n")


def intact(path: Path) -> bytes | None:
    """The bytes of a file that `sealed` wrote; None where it is absent or any bit of it changed."""
    try:
        content = path.read_bytes()
        known = path.with_suffix(".sha256").read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return content if hashlib.sha256(content).hexdigest() == known else None


def write_failed(path: Path, error: OSError) -> WorkFailed:
    """The error for a file that the system did not take.

    Args:
        path: the file.
        error: what the system said.
    """
    return refusal(f"Writing '{path}'", error)


def refusal(asked: str, error: Exception, do: str = "") -> WorkFailed:
    """The error for what the system, or a library in its name, said of a disk or a folder.

    Args:
        asked: what was attempted, naming the path.
        error: what was said.
        do: what the user should do, where that is more than to mend the place.

    Returns:
        DiskFull or PlaceRefused where another place must be given, WorkFailed otherwise.

    >>> refusal("Writing 'a'", OSError(28, "No space left on device")).found
    'no space is left on the disk'
    """
    number = _number(error)
    if number in _FULL:
        do = do or "Free some space and run the same command again"
        return DiskFull(asked, "no space is left on the disk", do)
    said = os.strerror(number) if number else str(error)
    kind = PlaceRefused if number in _OF_THE_PLACE else WorkFailed
    return kind(asked, f"the system says '{said}'", do or "Check the folder and its rights")


_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_OF_THE_PLACE = frozenset(
    {errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.EISDIR, errno.EEXIST,
     errno.ENOTEMPTY, errno.ENAMETOOLONG, errno.ELOOP, errno.EFBIG}
)  # fmt: skip
_WORDS = {
    "No space left": errno.ENOSPC,
    "disk is full": errno.ENOSPC,
    "PytorchStreamWriter": errno.ENOSPC,
    "inline_container": errno.ENOSPC,
    "readonly database": errno.EROFS,
    "unable to open database": errno.EACCES,
}
"""What libraries and SQLite say in place of a number."""


def _number(error: Exception) -> int | None:
    """The system's own number of a fault, however a library wraps it; None where it has none."""
    if isinstance(error, OSError) and error.errno:
        return error.errno
    if told := re.search(r"os error (\d+)", str(error)):
        return int(told[1])
    return next((number for words, number in _WORDS.items() if words in str(error)), None)


_ASKED = 1 << 20


def _said_by_system(error: Exception, temporary: Path) -> OSError | None:
    """What the system said where a file could not be written; None where it was not the system."""
    if number := _number(error):
        return OSError(number, os.strerror(number))
    if isinstance(error, OSError):
        return error
    # polars says of a full disk now and then that "the file is out of specification".
    return _refused(temporary)


def check_room(folder: Path) -> None:
    """Ask the system whether a folder takes a file, where a library failed and does not say why.

    Raises:
        DiskFull, PlaceRefused, WorkFailed: it does not.
    """
    path = temporary_beside(folder / "room")
    try:
        if said := _refused(path):
            raise write_failed(folder, said)
    finally:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def _refused(path: Path) -> OSError | None:
    """What the system says when a mebibyte is added to a file; None where it takes it."""
    try:
        with path.open("ab") as file:
            file.write(bytes(_ASKED))
            file.flush()
            os.fsync(file.fileno())
    except OSError as said:
        return said
    return None
