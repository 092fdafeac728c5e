"""The door: anything that can be read -> articles, one at a time."""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Final

from slant.analysis.article import Article
from slant.analysis.docx import docx_article
from slant.analysis.feeds import feed_articles
from slant.analysis.fetching import Fetched, fetch_page, is_address
from slant.analysis.kinds import ENDINGS, HEAD, TABLES, Kind, is_lines_of_json, kind_of
from slant.analysis.language import text_language, why_not_english
from slant.analysis.limits import MOST_BYTES, check_size
from slant.analysis.pages import page_article
from slant.analysis.pdf import pdf_article
from slant.analysis.plain import plain_article
from slant.analysis.tables import json_articles, table_articles
from slant.analysis.unpacking import unpacked_data
from slant.analysis.warc import warc_articles
from slant.errors import DataError, SlantError, UnknownName, WorkFailed

STDIN: Final = "-"
_STDIN_NAME: Final = "standard input"
Fetch = Callable[[str], Fetched]


def read_any(
    targets: Sequence[str],
    *,
    text_column: str | None = None,
    fetch: Fetch | None = fetch_page,
    language: str | None = None,
    strict: bool | None = None,
) -> Iterator[Article]:
    """The articles of files, folders, addresses and standard input, one in memory at a time.

    Rule: kinds are told by `kinds.kind_of`; a folder is walked in the order of its names, hidden
    files left out. A text in another language than English, an empty one, and, unless `strict`,
    what cannot be read become articles that say so in `why`. Ids are those of rows and entries,
    else file names and addresses; one that comes again gets -2, -3 and so on.

    Args:
        targets: paths, addresses, or "-".
        text_column: the column of the text in tables and JSON; None: told.
        fetch: what gets an address; None: addresses are refused.
        language: of all texts, where it is known: it is not told then.
        strict: whether a document that cannot be read is an error; None: yes for a single target
            that is no folder.

    Returns:
        Articles with unique ids. Targets are looked at before the first one is read.

    Raises:
        DataError: no target, a path that is not there, a document that cannot be read.
        UnknownName: no such column. MissingExtra: packages of the extra `analyze` are missing.
        WorkFailed: an address that does not answer.
    """
    if not targets:
        raise DataError("Reading articles", "nothing was named", "Name files, addresses, or -")
    for target in targets:
        _check_target(target, fetch)
    if list(targets).count(STDIN) > 1:
        raise DataError("Reading '-'", "standard input is named twice", "Name it once")
    if strict is None:
        strict = len(targets) == 1 and not Path(targets[0]).is_dir()
    return _finished(_all(targets, text_column, fetch, strict), language)


def read_document(
    data: bytes,
    name: str,
    *,
    text_column: str | None = None,
    language: str | None = None,
    media: str = "",
) -> Iterator[Article]:
    """The articles of one document in memory, such as an upload or a pasted text.

    Args:
        data: its bytes.
        name: its file name; its ending counts.
        text_column, language: see `read_any`.
        media: the media type, where one was named.

    Raises:
        DataError, UnknownName, MissingExtra: see `read_any`.
    """
    check_size(len(data), f"Reading '{name}'")
    document = _Document(data, name, name, text_column, media=media)
    return _finished(document.articles(), language)


def _check_target(target: str, fetch: Fetch | None) -> None:
    asked = f"Reading '{target}'"
    if target == STDIN:
        return
    if is_address(target):
        if fetch is None:
            raise DataError(asked, "addresses are not fetched here", "Save the page, give the file")
        return
    if "://" in target:
        raise DataError(asked, "only http and https are fetched", "Save the page, give the file")
    try:
        there = Path(target).exists()
    except (ValueError, OSError):
        there = False
    if not target or not there:
        raise DataError(asked, "there is no such file", "Name a file or folder that is there")
    if not os.access(target, os.R_OK):
        raise DataError(asked, "it may not be read", "Change its permissions")


def _all(
    targets: Sequence[str], text_column: str | None, fetch: Fetch | None, strict: bool
) -> Iterator[Article]:
    for target in targets:
        if target != STDIN and not is_address(target) and Path(target).is_dir():
            yield from _of_folder(Path(target), text_column, strict)
            continue
        try:
            if target == STDIN:
                yield from _of_stdin(text_column)
            elif is_address(target) and fetch is not None:
                yield from _of_address(target, text_column, fetch)
            else:
                yield from _of_file(Path(target), target, text_column, Path(target).name)
        except (DataError, UnknownName, WorkFailed) as error:
            if strict:
                raise
            yield _unread(target if is_address(target) else Path(target).name, target, error)


def _of_folder(folder: Path, text_column: str | None, strict: bool) -> Iterator[Article]:
    empty = True
    for path in _walked(folder):
        empty = False
        name = path.relative_to(folder).as_posix()
        try:
            if path.suffix.lower() not in ENDINGS:
                found = f"the ending '{path.suffix}' is not known"
                raise DataError(f"Reading '{path}'", found, "Name the file itself to have it read")
            yield from _of_file(path, str(path), text_column, name)
        except (DataError, UnknownName) as error:
            if strict:
                raise
            yield _unread(name, str(path), error)
    if empty:
        raise DataError(f"Reading '{folder}'", "the folder holds no file", "Name another")


def _walked(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (
            path
            for name in sorted(files)
            if not name.startswith(".") and (path := Path(place, name)).is_file()
        )


def _of_file(path: Path, name: str, text_column: str | None, short: str) -> Iterator[Article]:
    asked = f"Reading '{name}'"
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
        kind = kind_of(head, name)
        if kind == "warc" or (kind == "gzip" and _is_archive(name)):
            with path.open("rb") as file:
                yield from _named(warc_articles(file, asked), name, short)
        elif kind == "table" and path.suffix.lower() in TABLES:
            yield from _named(table_articles(path, name, text_column), name, short)
        else:
            check_size(path.stat().st_size, asked)
            yield from _Document(path.read_bytes(), name, short, text_column).articles()
    except OSError as error:
        found = f"it cannot be read ({error.strerror or error})"
        raise DataError(asked, found, "Look at the file") from None


def _of_stdin(text_column: str | None) -> Iterator[Article]:
    data = sys.stdin.buffer.read(MOST_BYTES + 1)
    check_size(len(data), f"Reading {_STDIN_NAME}")
    yield from _Document(data, _STDIN_NAME, _STDIN_NAME, text_column).articles()


def _of_address(url: str, text_column: str | None, fetch: Fetch) -> Iterator[Article]:
    got = fetch(url)
    file = got.url.partition("?")[0].rpartition("/")[2] or "page"
    yield from _Document(got.body, url, url, text_column, file, got.media, got.charset,
                         got.url).articles()  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Document:
    """One document in memory; `file` is a name whose ending counts, where `name` is none."""

    data: bytes
    name: str
    short: str
    text_column: str | None = None
    file: str = ""
    media: str = ""
    charset: str = ""
    url: str = ""
    packed: bool = False

    def articles(self) -> Iterator[Article]:
        data, name = self.data, self.name
        asked = f"Reading '{name}'"
        file = self.file or name
        kind = kind_of(data[:HEAD], file, self.media, asked)
        if kind == "json" and is_lines_of_json(data[:HEAD]):
            kind = "table"
        readers: dict[Kind, Callable[[], Iterator[Article]]] = {
            "text": lambda: iter([plain_article(data, name)]),
            "page": lambda: iter([page_article(data, asked, url=self.url, charset=self.charset)]),
            "pdf": lambda: iter([pdf_article(data, asked)]),
            "docx": lambda: iter([docx_article(data, asked)]),
            "json": lambda: json_articles(data, name, self.text_column),
            "feed": lambda: feed_articles(data, asked),
            "warc": lambda: warc_articles(io.BytesIO(data), asked),
            "table": self._table,
        }
        if kind == "gzip" and _is_archive(file):
            kind = "warc"
        if kind == "gzip":
            yield from self._unpacked(asked).articles()
            return
        for article in _named(readers[kind](), name, self.short):
            yield replace(article, url=article.url or self.url)

    def _unpacked(self, asked: str) -> _Document:
        if self.packed:
            raise DataError(asked, "it is packed within a packed file", "Unpack it")
        inner = unpacked_data(self.data, asked)
        file = PurePosixPath(self.file or self.name)
        return replace(self, data=inner, packed=True, media="",
                       file=file.stem if file.suffix.lower() == ".gz" else file.name)  # fmt: skip

    def _table(self) -> Iterator[Article]:
        # The readers of tables take a file: they never hold a whole one.
        ending = PurePosixPath(self.file or self.name).suffix.lower()
        if self.data.startswith(b"PAR1"):
            ending = ".parquet"
        elif ending not in TABLES:
            ending = ".jsonl"
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, f"table{ending}")
            path.write_bytes(self.data)
            yield from table_articles(path, self.name, self.text_column)


def _is_archive(name: str) -> bool:
    return ".warc" in PurePosixPath(name.lower()).suffixes


def _named(articles: Iterator[Article], name: str, short: str) -> Iterator[Article]:
    """Articles with an id, and the origin of a row behind that of its file."""
    for article in articles:
        row = article.origin.rpartition(" ")[2]
        own = article.id or (f"{short}:{row}" if row else short)
        yield replace(
            article, id=own, origin=f"{name}, {article.origin}" if article.origin else name
        )


def _unread(id_: str, origin: str, error: SlantError) -> Article:
    return Article(id_, "", origin=origin, why=f"{error.found[:1].upper()}{error.found[1:]}.")


def _finished(articles: Iterator[Article], language: str | None) -> Iterator[Article]:
    seen: dict[str, int] = {}
    for article in articles:
        count = seen[article.id] = seen.get(article.id, 0) + 1
        own = article.id if count == 1 else f"{article.id}-{count}"
        while own != article.id and own in seen:
            count = seen[article.id] = count + 1
            own = f"{article.id}-{count}"
        seen.setdefault(own, 1)
        # A page or table may call anything its address: only such may become a link.
        url = article.url if is_address(article.url) else ""
        code = language if language is not None or article.why else text_language(article.text)
        yield replace(
            article, id=own, url=url, language="" if article.why else code or "",
            why=article.why or why_not_english(code or ""),
        )  # fmt: skip
