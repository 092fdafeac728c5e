"""XML of unknown origin as elements: no entity is declared or loaded, depth and number bounded."""

from __future__ import annotations

from typing import Final
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
from xml.parsers import expat

from slant.errors import DataError

DEEPEST: Final = 200
"""Elements within one another."""
MOST_ELEMENTS: Final = 2_000_000
_DO: Final = "Get the file again, or save its text as .txt"


def read_elements(data: bytes, asked: str) -> Element:
    """The root element of an XML document, names written as {namespace}name.

    Entities that a document declares can grow to any size or name files of this machine, so a
    document that declares one is refused; no external part is ever loaded.

    Args:
        data: the document; its declaration or byte order mark says its encoding.
        asked: what is attempted, for the error.

    Raises:
        DataError: no XML (with line and column), a declared entity, too deep or too large.
    """
    tree = ElementTree.TreeBuilder()
    depth = count = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth, count
        depth, count = depth + 1, count + 1
        if depth > DEEPEST or count > MOST_ELEMENTS:
            much = f"{DEEPEST} elements within one another"
            found = f"it has more than {much if depth > DEEPEST else f'{MOST_ELEMENTS:,} elements'}"
            raise DataError(asked, found, _DO)
        tree.start(_full(name), {_full(key): value for key, value in attributes.items()})

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        tree.end(_full(name))

    def declared(name: str, *_: object) -> None:
        raise DataError(asked, f"it declares the entity '{name[:40]}'", "Remove the declaration")

    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = tree.data
    parser.EntityDeclHandler = declared
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, LookupError, ValueError) as error:
        where = f"line {parser.ErrorLineNumber}, column {parser.ErrorColumnNumber}"
        raise DataError(asked, f"{where} is no XML ({error})", _DO) from None
    return tree.close()


def _full(name: str) -> str:
    return f"{{{name}" if "}" in name else name
