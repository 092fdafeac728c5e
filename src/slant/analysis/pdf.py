"""PDF files -> running text, by pypdf."""

from __future__ import annotations

import io
import re
import time
from statistics import median
from typing import Any, Final

from slant.analysis.article import Article
from slant.analysis.dates import iso_date
from slant.analysis.limits import MOST_PAGES, MOST_SECONDS, MOST_UNPACKED, check_packages
from slant.analysis.pages import quiet
from slant.data.documents import sound
from slant.errors import DataError

NO_TEXT: Final = "Its pages hold no text, perhaps only images of pages: it would have to be read by"
_ENDS: Final = re.compile(r"""[.!?:…][)"'”’»\]]*$""")
_HYPHEN: Final = re.compile(r"[^\W\d_]-$")
_SHORT: Final = 0.8
"""Share of the usual length of a page's lines below which a line ends a paragraph."""


def pdf_article(data: bytes, asked: str) -> Article:
    """The running text of a PDF file.

    Rule: the lines of all pages, see `running_text`. Headers, footers and captions stay, since a
    PDF does not say what they are. Title and date are those of its own metadata.

    Args:
        data: the file.
        asked: what is attempted, for the error.

    Returns:
        An article without id and origin; `why` where its pages are images.

    Raises:
        MissingExtra: pypdf is not installed. DataError: it is broken, wants a password, has more
            than `MOST_PAGES` pages, takes more than `MOST_SECONDS`, or grows too large.
    """
    check_packages(["pypdf"], asked)
    import pypdf

    try:
        with quiet("pypdf"):
            reader = pypdf.PdfReader(io.BytesIO(data))
            if reader.is_encrypted and not reader.decrypt(""):
                raise DataError(asked, "it wants a password", "Save it without one")
            lines = _lines(reader, asked)
            said = reader.metadata
            title, date = (str(said.title or ""), _date(said)) if said else ("", "")
    except DataError:
        raise
    except (Exception, RecursionError) as error:
        # A parser of strangers' files may fail in any way: that is a fault of this file.
        found = f"it is no PDF, or cut ({type(error).__name__}: {str(error)[:100]})"
        raise DataError(asked, found, "Save it again, or give its text as .txt") from None
    text = sound("\n\n".join(page for page in map(running_text, lines) if page))
    why = "" if text else f"{NO_TEXT} OCR first."
    return Article("", text, title=sound(title).strip(), date=date, why=why)


def running_text(lines: list[str]) -> str:
    """The lines of one page as paragraphs.

    Rule: a line is joined to the one before by a blank; by nothing, and without its hyphen, where
    that one ends in a letter and a hyphen and it begins with a small letter. A paragraph ends at a
    blank line, and at one that ends a sentence and is shorter than four fifths of the median.

    Args:
        lines: of one page, in reading order.

    Returns:
        Paragraphs, each one line.

    >>> running_text(["The minis-", "ter resigned on Mon-", "day.", "Nobody was surprised."])
    'The minister resigned on Monday.\\nNobody was surprised.'
    """
    full = median([len(line) for line in lines if line.strip()] or [0])
    done: list[str] = []
    ended = True
    for line in (" ".join(raw.split()) for raw in lines):
        if not line:
            ended = True
            continue
        if ended:
            done.append(line)
        elif _HYPHEN.search(done[-1]) and line[0].islower():
            done[-1] = done[-1][:-1] + line
        else:
            done[-1] = f"{done[-1]} {line}"
        ended = bool(_ENDS.search(line)) and len(line) < _SHORT * full
    return "\n".join(done)


def _lines(reader: Any, asked: str) -> list[list[str]]:
    count = len(reader.pages)
    if count > MOST_PAGES:
        found = f"it has {count:,} pages, more than {MOST_PAGES:,}"
        raise DataError(asked, found, "Split it into articles")
    until = time.monotonic() + MOST_SECONDS
    pages: list[list[str]] = []
    size = 0
    for number, page in enumerate(reader.pages, start=1):
        text = page.extract_text() or ""
        size += len(text)
        if size > MOST_UNPACKED or time.monotonic() > until:
            much = f"{size:,} characters" if size > MOST_UNPACKED else f"{MOST_SECONDS:.0f} s"
            found = f"its first {number} of {count} pages take more than {much}"
            raise DataError(asked, found, "Give its text as a .txt file")
        pages.append(text.split("\n"))
    return pages


def _date(said: Any) -> str:
    try:
        return iso_date(said.creation_date)
    except (ValueError, TypeError):
        return ""
