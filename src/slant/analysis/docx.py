"""Word documents (.docx) -> their paragraphs."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

from slant.analysis.article import Article
from slant.analysis.dates import iso_date
from slant.analysis.elements import read_elements
from slant.analysis.limits import MOST_BYTES
from slant.data.growth import check_growth
from slant.errors import DataError

_BODY: Final = "word/document.xml"
_FACTS: Final = "docProps/core.xml"
_WORD: Final = (
    "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}",
    "{http://purl.oclc.org/ooxml/wordprocessingml/main}",
)
_DUBLIN: Final = "{http://purl.org/dc/elements/1.1/}title"
_CREATED: Final = "{http://purl.org/dc/terms/}created"
_MARKUP: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_GONE: Final = frozenset({"del", "moveFrom", "instrText", "delText", "pPr", "rPr"})
_SIGNS: Final = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "\u2011"}


def docx_article(data: bytes, asked: str) -> Article:
    """The text of a Word document.

    Rule: its paragraphs in order, those in tables and text boxes included, each a line and its
    characters as they stand; no header, footer, note, comment, or text marked as deleted.

    Args:
        data: the file.
        asked: what is attempted, for the error.

    Returns:
        An article without id and origin; `why` where it holds no text.

    Raises:
        DataError: it is another archive, broken, or unpacks to more than any document.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            names = set(packed.namelist())
            if _BODY not in names:
                found = "it is a zip archive without a Word document in it"
                raise DataError(asked, found, "Unpack it and give the files")
            body = read_elements(_unpacked(packed, _BODY, asked), asked)
            facts = _unpacked(packed, _FACTS, asked) if _FACTS in names else b"<none/>"
    except DataError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError,
            RuntimeError, IndexError, KeyError, OverflowError) as error:  # fmt: skip
        found = f"it is no Word document, or cut ({str(error)[:100]})"
        raise DataError(asked, found, "Save it again, or give its text as .txt") from None
    said = read_elements(facts, asked)
    text = "\n".join(_paragraphs(body)).strip("\n")
    return Article(
        "",
        text,
        title=(said.findtext(_DUBLIN) or "").strip(),
        date=iso_date(said.findtext(_CREATED)),
        why="" if text.strip() else "The document holds no text.",
    )


def _unpacked(packed: zipfile.ZipFile, name: str, asked: str) -> bytes:
    facts = packed.getinfo(name)
    # The others are unpacked in pieces of any size, whatever is asked for; Word knows none of them.
    if facts.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"its part {name} is packed by method {facts.compress_type}")
    with packed.open(facts) as part:
        data = part.read(MOST_BYTES + 1)
    check_growth(facts.compress_size, len(data), asked)
    if len(data) > MOST_BYTES:
        found = f"its part {name} unpacks to more than {MOST_BYTES:,} bytes"
        raise DataError(asked, found, "Give its text as a .txt file, or split it")
    return data


def _paragraphs(node: Element) -> Iterator[str]:
    for child in node:
        name = _word(child)
        if name == "p":
            pieces = list(_pieces(child))
            yield "".join(piece for piece in pieces if isinstance(piece, str))
            for box in pieces:
                if isinstance(box, Element):
                    yield from _paragraphs(box)
        elif name not in _GONE and child.tag != f"{_MARKUP}Fallback":
            yield from _paragraphs(child)


def _pieces(node: Element) -> Iterator[str | Element]:
    """The text of a paragraph, and the text boxes that hang on it."""
    for child in node:
        name = _word(child)
        if name == "t":
            yield child.text or ""
        elif name in _SIGNS:
            yield _SIGNS[name]
        elif name == "txbxContent":
            yield child
        elif name not in _GONE and child.tag != f"{_MARKUP}Fallback":
            yield from _pieces(child)


def _word(node: Element) -> str:
    for space in _WORD:
        if node.tag.startswith(space):
            return node.tag[len(space) :]
    return ""
