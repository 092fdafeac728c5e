"""Dates as documents write them -> ISO 8601, or as they stand where nobody can tell."""

from __future__ import annotations

import re
from datetime import date, datetime, time
from email.utils import parsedate_to_datetime
from typing import Any, Final, Literal, get_args

from slant.errors import unknown_name

Order = Literal["dmy", "mdy", "ymd"]
"""Of day, month and year in a date of three numbers."""
ORDERS: Final[tuple[Order, ...]] = get_args(Order)

_WRITTEN: Final = ("%B %d %Y", "%b %d %Y", "%d %B %Y", "%d %b %Y")
_DAY: Final = re.compile(r"\d{4}-?\d{2}-?\d{2}")
_ISO: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?:T[0-9:.+Z-]+)?")
_NUMBERS: Final = re.compile(
    r"(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:[T ]\s*(\d{1,2}:\d{2}(?::\d{2})?)\s*([AaPp][Mm])?)?"
)
_LONGEST: Final = 80
_TWO_DIGITS: Final = 69
"""Years of two digits are 2000 to 2068 below it, else 1969 to 1999, as strptime has it."""


def iso_date(said: Any, order: Order | None = None) -> str:
    """A date, with its time where one is given.

    Rule: ISO 8601, RFC 822 (as feeds have it), a written English month, or three numbers. Of these,
    a year of four digits in front is followed by month and day; else they are read in the order
    that is given, and without one only where there is but one way to read them (25/04/2019).

    Args:
        said: a text, or a date as a table holds it.
        order: of day, month and year; None: not known.

    Returns:
        ISO 8601, or "" where there is no date, two ways to read it, or none.

    >>> iso_date("Tue, 02 Apr 2019 10:00:00 GMT"), iso_date("April 2, 2019"), iso_date("03/04/2019")
    ('2019-04-02T10:00:00+00:00', '2019-04-02', '')
    >>> iso_date("03/04/2019", "dmy"), iso_date("25/04/2019")
    ('2019-04-03', '2019-04-25')
    """
    if hasattr(said, "isoformat"):
        return str(said.isoformat())
    text = _line(said)
    try:
        found = datetime.fromisoformat(text)
        return str(found.date()) if _DAY.fullmatch(text) else found.isoformat()
    except ValueError:
        pass
    plain = text.replace(",", "").replace("Sept ", "Sep ")
    for form in _WRITTEN:
        try:
            return str(datetime.strptime(plain, form).date())
        except ValueError:
            continue
    if _NUMBERS.fullmatch(text):
        ways = date_readings(text, order)
        return ways[0] if len(ways) == 1 else ""
    try:
        return parsedate_to_datetime(text).isoformat() if text[:1].isalnum() else ""
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""


def told_date(said: Any, order: Order | None = None) -> str:
    """A date as `iso_date` reads it, else what stands there: nothing that was said is lost.

    >>> told_date("03/04/2019"), told_date("last week"), told_date(None)
    ('03/04/2019', 'last week', '')
    """
    return iso_date(said, order) or _line(said)


def is_date(text: str) -> bool:
    """Whether a date of an article is one that can be put in order.

    >>> is_date("2019-04-02T10:00:00+00:00"), is_date("03/04/2019"), is_date("")
    (True, False, False)
    """
    return _ISO.fullmatch(text) is not None


def date_doubt(text: str) -> str:
    """Why a date was kept as text; "" for one that was read, and where there is none.

    >>> date_doubt("03/04/2019")
    "'03/04/2019' can be read as 2019-04-03 or as 2019-03-04, and --date-order does not say which"
    >>> date_doubt("last week"), date_doubt("2019-04-02")
    ("'last week' has no form of a date that is known", '')
    """
    if not text or is_date(text):
        return ""
    ways = date_readings(text, None)
    if len(ways) > 1:
        return (
            f"'{text}' can be read as {' or as '.join(ways)}, and --date-order does not say which"
        )
    if ways:
        return f"'{text}' is no date in the order that --date-order says"
    return f"'{text}' has no form of a date that is known"


def date_readings(text: str, order: Order | None) -> tuple[str, ...]:
    """All dates, ISO 8601, that three numbers can be, day first before month first.

    Args:
        text: of one line.
        order: that alone is tried; None: all.

    Raises:
        UnknownName: no such order.

    >>> date_readings("03.04.19", None)
    ('2019-04-03', '2019-03-04', '2003-04-19')
    """
    if order is not None and order not in ORDERS:
        raise unknown_name("order of a date", order, ORDERS)
    parts = _NUMBERS.fullmatch(text)
    if parts is None:
        return ()
    numbers = parts[1], parts[3], parts[4]
    orders: tuple[Order, ...] = ("ymd",) if len(parts[1]) == 4 else (order,) if order else ORDERS
    clock = _clock(parts[5], parts[6])
    found = [_date(dict(zip(one, numbers, strict=True))) for one in orders]
    if clock is None:
        return ()
    return tuple(dict.fromkeys(f"{one}{clock}" for one in found if one))


def _date(said: dict[str, str]) -> str:
    year = said["y"]
    if len(year) not in {2, 4} or len(said["d"]) > 2 or len(said["m"]) > 2:
        return ""
    whole = int(year) + (0 if len(year) == 4 else 2000 if int(year) < _TWO_DIGITS else 1900)
    try:
        return str(date(whole, int(said["m"]), int(said["d"])))
    except ValueError:
        return ""


def _clock(said: str | None, half: str | None) -> str | None:
    """The time behind a date; None where it is none."""
    if not said:
        return ""
    hour, _, rest = said.partition(":")
    if half and not 1 <= int(hour) <= 12:
        return None
    number = int(hour) % 12 + 12 * (half.lower() == "pm") if half else int(hour)
    try:
        return f"T{time.fromisoformat(f'{number:02}:{rest}').isoformat()}"
    except ValueError:
        return None


def _line(said: Any) -> str:
    return " ".join(str("" if said is None else said)[:_LONGEST].split())
