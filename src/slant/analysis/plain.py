"""Plain text files -> articles, every character as it stands."""

from __future__ import annotations

import codecs
from typing import Final

from slant.analysis.article import Article
from slant.analysis.kinds import READ
from slant.data.rows import user_text
from slant.errors import DataError

_WIDE: Final = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def plain_article(data: bytes, name: str) -> Article:
    """The article that a plain text is.

    Rule: UTF-8, or UTF-16 with a byte order mark. Nothing is normalised: CRLF is two characters, a
    byte order mark is one, as the annotation formats count them.

    Args:
        data: the text.
        name: how it is called in errors.

    Returns:
        An article without id, title and origin; `why` where it is empty.

    Raises:
        DataError: another encoding, or bytes that are no text.

    >>> plain_article("A café\\r\\n".encode(), "a.txt").text
    'A café\\r\\n'
    """
    text = _text(data, name)
    place = text.find("\0")
    if place >= 0:
        found = f"character {place} is the zero of binary files, so that it is no text"
        raise DataError(f"Reading '{name}'", found, f"Give {READ}")
    why = "" if text.strip("\ufeff \t\r\n\f\v\xa0") else "It is empty."
    return Article("", text, why=why)


def _text(data: bytes, name: str) -> str:
    for mark, encoding in _WIDE:
        if data.startswith(mark):
            try:
                return data.decode(encoding)
            except UnicodeDecodeError as error:
                found = f"byte {error.start} is not UTF-16, which its first bytes announce"
                do = "Save the file as UTF-8"
                raise DataError(f"Reading '{name}' as UTF-16", found, do) from None
    try:
        return user_text(data, name)
    except DataError as error:
        raise DataError(
            error.asked, error.found, f"Save the text as UTF-8, or give {READ}"
        ) from None
