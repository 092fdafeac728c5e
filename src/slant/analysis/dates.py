"""Dates as documents write them -> ISO 8601."""

from __future__ import annotations

import re
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

_WRITTEN = ("%B %d %Y", "%b %d %Y", "%d %B %Y", "%d %b %Y", "%Y/%m/%d", "%Y.%m.%d")
_DAY = re.compile(r"\d{4}-?\d{2}-?\d{2}")
_LONGEST = 80


def iso_date(said: Any) -> str:
    """A date, with its time where one is given.

    Rule: ISO 8601, RFC 822 (as feeds have it), a written English month, or year first. A date
    that may be read in two ways (03/04/2019), or in none, is left out.

    Args:
        said: a text, or a date as a table holds it.

    Returns:
        ISO 8601, or "".

    >>> iso_date("Tue, 02 Apr 2019 10:00:00 GMT"), iso_date("April 2, 2019"), iso_date("03/04/2019")
    ('2019-04-02T10:00:00+00:00', '2019-04-02', '')
    """
    if hasattr(said, "isoformat"):
        return str(said.isoformat())
    text = " ".join(str(said or "")[:_LONGEST].split())
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
    try:
        return parsedate_to_datetime(text).isoformat() if text[:1].isalnum() else ""
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""
