"""Published JSON and XML files -> values and elements, strictly."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from slant.data.jsonvalues import json_value
from slant.data.rows import AGAIN, decoded, read_text
from slant.errors import DataError

_CHUNK = 1 << 20
_GAP = re.compile(r"[\s,]*")


def read_json(path: Path) -> Any:
    """The value in a JSON file."""
    try:
        return json_value(read_text(path))
    except json.JSONDecodeError as error:
        raise _broken_json(path, error) from None
    except RecursionError:
        found = "its arrays and objects stand too deep within one another"
        raise DataError(f"Reading '{path}'", found, AGAIN) from None


def _broken_json(path: Path, error: json.JSONDecodeError, line: int = 0) -> DataError:
    found = f"line {line + error.lineno}, column {error.colno} is no JSON ({error.msg})"
    return DataError(f"Reading '{path}'", found, AGAIN)


@contextmanager
def as_published(path: Path) -> Iterator[None]:
    """Within the block, a value of a JSON file that is not where its makers have it, or of another
    type, is one clear error."""
    try:
        yield
    except (KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError) as error:
        found = f"it is not built as published ({type(error).__name__}: {error})"
        raise DataError(f"Reading '{path}'", found, AGAIN) from error


def text_of(row: Mapping[str, Any], key: str) -> str:
    """The text under a key, `sound`; a KeyError or TypeError where there is none."""
    value = row[key]
    if not isinstance(value, str):
        raise TypeError(f"'{key}' is no text")
    return sound(value)


def read_json_items(path: Path) -> Iterator[Any]:
    """The items of one JSON array, one after the other, holding a few at a time."""
    decoder = json.JSONDecoder()
    decode = codecs.getincrementaldecoder("utf-8-sig")()
    buffer, position, line, opened, last = "", 0, 0, False, False
    with path.open("rb") as file:
        while not last:
            data = file.read(_CHUNK)
            last = not data
            line += buffer.count("\n", 0, position)
            try:
                buffer, position = buffer[position:] + decode.decode(data, last), 0
            except UnicodeDecodeError:
                decoded(path.read_bytes(), path, "utf-8", lossy=False)
            while (start := _next_token(buffer, position)) < len(buffer):
                if not opened:
                    if buffer[start] != "[":
                        found = f"it starts with '{buffer[start]}', an array starts with '['"
                        raise DataError(f"Reading '{path}'", found, AGAIN)
                    opened, position = True, start + 1
                    continue
                if buffer[start] == "]":
                    return
                try:
                    item, position = decoder.raw_decode(buffer, start)
                except json.JSONDecodeError as error:
                    if last:
                        raise _broken_json(path, error, line) from None
                    break
                except (RecursionError, ValueError):
                    deep = json.JSONDecodeError("too many brackets or digits", buffer, start)
                    raise _broken_json(path, deep, line) from None
                yield item
    raise DataError(f"Reading '{path}'", "the array is never closed: the file is cut", AGAIN)


def _next_token(buffer: str, position: int) -> int:
    found = _GAP.match(buffer, position)
    return found.end() if found else position


def read_xml(path: Path) -> ElementTree.Element:
    """The root element of an XML file that declares no document type: with one an entity could grow
    to any size, or name a file of this machine; no published file has one."""
    asked = f"Reading '{path}'"

    class Plain(ElementTree.TreeBuilder):
        def doctype(self, name: str, *_: object) -> None:
            found = f"it declares the document type '{name[:40]}', and published files have none"
            raise DataError(asked, found, AGAIN)

    parser = ElementTree.XMLParser(target=Plain())
    try:
        parser.feed(read_text(path))
        root: ElementTree.Element = parser.close()
        return root
    except ElementTree.ParseError as error:
        line, column = error.position
        found = f"line {line}, column {column} is no XML ({error})"
        raise DataError(asked, found, AGAIN) from None


def sound(text: str) -> str:
    """The text with lone surrogates, which JSON may hold and UTF-8 may not, as U+FFFD.

    >>> sound("a\\ud83d")
    'a�'
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
