"""One try: an action that must end in a result or in one clear error, soon and in little memory."""

from __future__ import annotations

import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from types import FrameType

from slant.errors import SlantError

LONGEST = 5.0
"""Seconds of the processor that a try may take, whatever else the machine does meanwhile."""
GIVEN_UP = 60
"""Seconds after which it is broken off."""
ASKED_FROM = 0.05
"""Seconds from which a try is asked how much memory it took."""
MOST_GROWN = 400_000_000
"""Bytes by which the process may grow in one try."""
LONGEST_LINE = 1300
"""Characters of an error that can still be read in one line."""


MOST = 10_000_000_000
"""Bytes that the process may ask for at all, so that no input takes the machine."""


def bound_memory() -> None:
    """Let what asks for `MOST` fail, in this process and from now on."""
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (MOST, hard))


_highest = 0


class TooLong(BaseException):
    """A try that did not end by itself."""


def _broken_off(number: int, frame: FrameType | None) -> None:
    raise TooLong


def peak() -> int:
    """The most bytes of memory that this process had so far."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def bounded(action: Callable[[], object]) -> tuple[object, str | None]:
    """What an action returns, and what was wrong with its time and memory; it may raise.

    Raises:
        TooLong: it did not end.
    """
    begin, busy = time.monotonic(), time.process_time()
    signal.signal(signal.SIGALRM, _broken_off)
    signal.alarm(GIVEN_UP)
    try:
        found = action()
    finally:
        signal.alarm(0)
    return found, overspent(begin, busy)


def overspent(begin: float, busy: float) -> str | None:
    """What is wrong with the time and memory since `begin` of the clock and `busy` of the processor."""
    global _highest
    taken = time.process_time() - busy
    if taken > LONGEST:
        return f"it took {taken:.1f} s"
    # Asking takes milliseconds on some systems, and who is done at once has not filled much.
    if time.monotonic() - begin < ASKED_FROM:
        return None
    before, _highest = _highest, peak()
    grown = _highest - (before or _highest)
    return f"it took {grown:,} bytes" if grown > MOST_GROWN else None


def tried(action: Callable[[], object]) -> tuple[str, str | None]:
    """How a reader's try ended - "read" or "refused" - and what did not hold."""
    begin, busy = time.monotonic(), time.process_time()
    try:
        _, failure = bounded(action)
    except SlantError as error:
        return "refused", unclear(str(error)) or overspent(begin, busy)
    except TooLong:
        return "refused", f"it did not end within {GIVEN_UP} s"
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return "refused", told(error)
    return "read", failure


def unclear(line: str) -> str | None:
    """What makes an error's text no clear line; None where nothing does."""
    if "\n" in line or "\r" in line:
        return f"an error of several lines: {line[:200]!r}"
    if len(line) > LONGEST_LINE:
        return f"an error of {len(line):,} characters: {line[:200]!r}"
    return None


def told(error: BaseException) -> str:
    """An exception that is none of ours: its kind, its first words and where it came from."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "/slant/" in frame.filename] or frames
    place = f"{own[-1].filename.rpartition('/slant/')[2]}:{own[-1].lineno}" if own else "?"
    words = " ".join(str(error).split())[:160]
    return f"{type(error).__name__} at {place}: {words}"
