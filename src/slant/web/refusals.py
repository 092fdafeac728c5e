"""What a server refuses: an error with the status that HTTP has for it."""

from __future__ import annotations

from typing import Any, Final

from slant.errors import MissingExtra, SlantError, WorkFailed

WAIT: Final = 30
"""Seconds after which it may be tried again, where nothing better is known."""


class Refusal(SlantError):
    """A request that is not done.

    Args:
        status: of HTTP.
        asked, found, do: see `SlantError`.
        retry: seconds after which it may be tried again; 0 for never.
    """

    def __init__(self, status: int, asked: str, found: str, do: str, retry: int = 0) -> None:
        super().__init__(asked, found, do)
        self.status, self.retry = status, retry

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.status, self.asked, self.found, self.do, self.retry)


def refused(error: SlantError) -> Refusal:
    """An error as a refusal: 503 where the machine lacks something, else 422.

    >>> refused(SlantError("Reading 'a'", "it is empty", "Give a text")).status
    422
    """
    if isinstance(error, Refusal):
        return error
    lacking = isinstance(error, WorkFailed | MissingExtra)
    retry = WAIT if isinstance(error, WorkFailed) else 0
    return Refusal(503 if lacking else 422, error.asked, error.found, error.do, retry)


def error_json(error: SlantError) -> dict[str, str]:
    """What a client is told of an error.

    >>> error_json(SlantError("Reading 'a'.", "It is empty.", "Give a text."))
    {'asked': "Reading 'a'", 'found': 'It is empty', 'do': 'Give a text'}
    """
    return {"asked": error.asked, "found": error.found, "do": error.do}
