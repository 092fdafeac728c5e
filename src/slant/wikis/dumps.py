"""XML dumps of a MediaWiki: pages of wikitext, one after the other, in constant memory."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Collection, Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

from slant.errors import DataError, WorkFailed
from slant.wikis.packed import broken, opened

Progress = Callable[[int, int, str], None]
"""Told the bytes done, the bytes in all and the title of the last page."""
VERSIONS = frozenset(f"0.{minor}" for minor in range(3, 12))
ARTICLES = frozenset({0})
_CHUNK = 1 << 17
DEEPEST = 50
"""Elements within one another; a dump has six."""
MOST_NAMESPACES = 10_000
LONGEST = 1 << 26
"""Characters of one element. MediaWiki takes pages of 2 MB."""
LONGEST_TAG = 1 << 22
"""Bytes of one tag, comment or other sign of XML, which is held until it ends."""
_AGAIN = "Get the file again"
_GIVE = "Give a file of Special:Export or dumpBackup.php"
_REDIRECT = re.compile(r"\s*#redirect\b", re.IGNORECASE)
_OF_PAGE = frozenset({"title", "ns", "id"})
_OF_REVISION = frozenset({"id", "timestamp", "model", "text"})


class DumpPage(NamedTuple):
    """A page as a dump has it: its newest revision, in wikitext."""

    id: str
    title: str
    revision: int
    wikitext: str


@dataclass(slots=True)
class DumpFacts:
    """What a dump says of its wiki, and what was left out while it was read.

    Fields:
        wiki: its name.
        address: of its main page.
        version: of the export format.
        namespaces: number to name.
        pages: all pages that were read, those left out among them.
        redirects: pages left out since they only lead to another.
        elsewhere: pages left out since they are of other namespaces.
        other: pages left out since they hold no wikitext (deleted, scripts, data).
    """

    wiki: str = ""
    address: str = ""
    version: str = ""
    namespaces: dict[int, str] = field(default_factory=dict)
    pages: int = 0
    redirects: int = 0
    elsewhere: int = 0
    other: int = 0


def read_dump(
    path: Path,
    *,
    namespaces: Collection[int] = ARTICLES,
    facts: DumpFacts | None = None,
    progress: Progress = lambda done, total, what: None,
) -> Generator[DumpPage, None, None]:
    """The pages of a dump in its order: no redirects, of each page its newest revision.

    Args:
        path: an export of version 0.3 to 0.11, as xml, bz2, gz, zst or 7z. It is unpacked while it
            is read, and memory holds a few pages.
        namespaces: numbers of those whose pages are wanted; 0 are the articles.
        facts: filled while the dump is read.
        progress: told the bytes of the file that are read, packed as it is.

    Raises:
        DataError: it is no dump, cut, damaged, of an unknown version, or declares a document type
            or entities, which a dump never does; or it holds what no wiki has, such as a page of
            more than `LONGEST` characters.
        MissingExtra: the package that unpacks it is not installed.
        WorkFailed: the disk cannot be read.
    """
    size = path.stat().st_size if path.is_file() else 0
    reader = _Reader(path, frozenset(namespaces), facts if facts is not None else DumpFacts())
    try:
        with opened(path) as (stream, place):
            while data := stream.read1(_CHUNK):
                reader.read(data)
                progress(min(place(), size), size, reader.last)
                while reader.pages:
                    yield reader.pages.popleft()
            reader.parser.Parse(b"", True)
            progress(size, size, reader.last)
    except expat.ExpatError as error:
        why = expat.errors.messages[error.code]
        if not reader.facts.version and why != expat.errors.XML_ERROR_NO_ELEMENTS:
            found = f"it is no XML dump of a MediaWiki ({why})"
            raise DataError(f"Reading '{path}'", found, _GIVE) from None
        raise reader.fault(why) from None
    except broken() as error:
        if isinstance(error, OSError) and error.errno is not None:
            do = "Check the disk and run the same command again"
            raise WorkFailed(f"Reading '{path}'", str(error.strerror), do) from None
        raise reader.fault(str(error) or type(error).__name__) from None
    yield from reader.pages


class _Reader:
    """Takes a dump apart element by element; `pages` are those read and not fetched yet."""

    def __init__(self, path: Path, wanted: frozenset[int], facts: DumpFacts) -> None:
        self.path = path
        self.wanted = wanted
        self.facts = facts
        self.pages: deque[DumpPage] = deque()
        self.last = ""
        self.above: list[str] = []
        self.page: dict[str, str] = {}
        self.revision: dict[str, str] = {}
        self.newest: dict[str, str] = {}
        self.key = 0
        self.heard: list[str] | None = None
        self.size = 0
        self.given = 0
        # The encoding is UTF-8 whatever a declaration says: the export format knows no other.
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.buffer_size = 1 << 16
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.hear
        self.parser.StartDoctypeDeclHandler = self.refuse

    def read(self, data: bytes) -> None:
        """Take further bytes."""
        self.parser.Parse(data, False)
        self.given += len(data)
        if self.given - self.parser.CurrentByteIndex > LONGEST_TAG:
            raise self.fault(f"a tag or comment has more than {LONGEST_TAG:,} bytes")

    def fault(self, why: str) -> DataError:
        """The error for a file that is cut or damaged: where, and behind which page."""
        byte, line = max(0, self.parser.CurrentByteIndex), self.parser.CurrentLineNumber
        found = f"it is cut or damaged at byte {byte:,} of its XML, line {line:,}"
        behind = f", behind the page '{self.last}'" if self.last else ""
        return DataError(f"Reading '{self.path}'", f"{found}{behind} ({why})", _AGAIN)

    def refuse(self, name: str, *_: object) -> None:
        found = f"it declares the document type '{name}', and a dump has none"
        raise DataError(f"Reading '{self.path}'", found, "Don't trust this file; get it again")

    def hear(self, data: str) -> None:
        if self.heard is not None:
            self.heard.append(data)
            self.size += len(data)
            if self.size > LONGEST:
                raise self.fault(f"an element has more than {LONGEST:,} characters")

    def start(self, name: str, given: dict[str, str]) -> None:
        above = self.above[-1] if self.above else ""
        self.above.append(name)
        if len(self.above) > DEEPEST:
            raise self.fault(f"more than {DEEPEST} elements are within one another")
        if not above:
            self.root(name, given)
        elif name == "page":
            self.page, self.newest = {}, {}
        elif name == "revision":
            self.revision = {}
        elif above == "page" and name == "redirect":
            self.page["redirect"] = ""
        elif name == "namespace":
            self.key = self.number(given.get("key", "0"))
            self.heard, self.size = [], 0
            if len(self.facts.namespaces) > MOST_NAMESPACES:
                raise self.fault(f"it names more than {MOST_NAMESPACES:,} namespaces")
        elif (
            (above == "page" and name in _OF_PAGE)
            or (above == "revision" and name in _OF_REVISION)
            or (above == "siteinfo" and name in {"sitename", "base"})
        ):  # fmt: skip
            self.heard, self.size = [], 0
            if name == "text" and "deleted" in given:
                self.revision["deleted"] = ""

    def root(self, name: str, given: dict[str, str]) -> None:
        asked = f"Reading '{self.path}'"
        if name != "mediawiki":
            found = f"its first element is '{name}', that of a dump is 'mediawiki'"
            raise DataError(asked, found, _GIVE)
        version = given.get("version", "")
        if version not in VERSIONS:
            found = f"it is of the export version '{version}', known are 0.3 to 0.11"
            raise DataError(asked, found, "Export it again with another version")
        self.facts.version = version

    def end(self, name: str) -> None:
        self.above.pop()
        above = self.above[-1] if self.above else ""
        if self.heard is not None:
            text, self.heard = "".join(self.heard), None
            if above == "page":
                self.page[name] = text
            elif above == "revision":
                self.revision[name] = text
            elif name == "namespace":
                self.facts.namespaces[self.key] = text
            elif name == "sitename":
                self.facts.wiki = text
            elif name == "base":
                self.facts.address = text
        elif name == "revision":
            stamp = self.revision.get("timestamp", "")
            if stamp >= self.newest.get("timestamp", ""):
                self.newest = self.revision
        elif name == "page":
            self.take()

    def take(self) -> None:
        """Count a page that has ended, and keep it where it is asked for."""
        page, newest, facts = self.page, self.newest, self.facts
        self.last = page.get("title", "")
        facts.pages += 1
        text = newest.get("text", "")
        if self.space() not in self.wanted:
            facts.elsewhere += 1
        elif "redirect" in page or _REDIRECT.match(text):
            facts.redirects += 1
        elif "deleted" in newest or newest.get("model", "wikitext") != "wikitext" or not newest:
            facts.other += 1
        else:
            number, revision = page.get("id", ""), newest.get("id", "")
            if not (number.isdecimal() and revision.isdecimal()):
                found = f"the page '{self.last}' has the id '{number}', its revision '{revision}'"
                raise DataError(f"Reading '{self.path}'", found, _AGAIN)
            self.pages.append(DumpPage(number, self.last, int(revision), text))

    def number(self, said: str) -> int:
        """The number of a namespace as the dump has it."""
        if not re.fullmatch(r"\s*-?[0-9]{1,9}\s*", said):
            raise self.fault(f"a namespace has the number '{said[:40]}'")
        return int(said)

    def space(self) -> int:
        """The namespace of the page: its own word, which old exports lack, else its title's."""
        if "ns" in self.page:
            return self.number(self.page["ns"])
        prefix, colon, _ = self.page.get("title", "").partition(":")
        spaces = self.facts.namespaces.items() if colon else ()
        return next((key for key, name in spaces if name and name == prefix), 0)
