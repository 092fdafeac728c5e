"""Files written whole or not at all."""

from __future__ import annotations

import errno
import hashlib
import os
import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from slant.errors import DiskFull, OptionError, SlantError, WorkFailed


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
        yield temporary
        os.replace(temporary, path)
    except OSError as error:
        raise write_failed(path, error) from error
    except SlantError:
        raise
    except Exception as error:
        # polars wraps what the system says of a full disk into an exception of its own
        if "os error" not in str(error):
            raise
        full = "os error 28" in str(error)
        cause = OSError(errno.ENOSPC if full else errno.EIO, str(error))
        raise write_failed(path, cause) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def temporary_beside(path: Path) -> Path:
    """The hidden path that a file of this process is written to before it takes its name.

    It names the machine too: on a shared folder, processes of several machines, in containers most
    of all, have the same number.
    """
    machine = hashlib.sha256(platform.node().encode()).hexdigest()[:8]
    return path.with_name(f".{path.name}.{machine}-{os.getpid()}.tmp")


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
    if error.errno == errno.ENOSPC:
        found = "no space is left on the disk"
        return DiskFull(
            f"Writing '{path}'", found, "Free some space and run the same command again"
        )
    found = f"the system says '{error.strerror or error}'"
    return WorkFailed(f"Writing '{path}'", found, "Check the folder and its rights")
