"""The door: anything that can be read -> articles, one at a time."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from slant.analysis.article import Article
from slant.analysis.document import Asked, Document, is_archive, named_articles
from slant.analysis.fetching import Fetched, fetch_page, is_address
from slant.analysis.kinds import ENDINGS, HEAD, TABLES, kind_of
from slant.analysis.language import text_language, why_not_english
from slant.analysis.limits import MOST_BYTES, check_size
from slant.analysis.tables import TOLD, Columns, table_articles
from slant.analysis.warc import warc_articles
from slant.data.addresses import without_credentials
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
    columns: Columns = TOLD,
) -> Iterator[Article]:
    """The articles of files, folders, addresses and standard input, one in memory at a time.

    Rule: kinds are told by `kinds.kind_of`; a folder is walked in the order of its names, hidden
    files left out. A text in another language than English, an empty one, and, unless `strict`,
    what cannot be read become articles that say so in `why`. Ids are those of rows and entries,
    else file names and addresses; one that comes again gets -2, -3 and so on.

    Args:
        targets: paths, addresses, or "-".
        text_column: the column of the text in tables and JSON; None: that of `columns`.
        fetch: what gets an address; None: addresses are refused.
        language: of all texts, where it is known: it is not told then.
        strict: whether a document that cannot be read is an error; None: yes for a single target
            that is no folder.
        columns: of tables and JSON that say what; told where they are not named.

    Returns:
        Articles with unique ids. Targets are looked at before the first one is read.

    Raises:
        DataError: no target, a path that is not there, a document that cannot be read, columns
            named and no table among all that was read.
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
    asked = Asked(replace(columns, text=text_column or columns.text))
    articles = asked.checked(_all(targets, asked, fetch, strict), ", ".join(targets[:3]))
    return _finished(articles, language)


def read_document(
    data: bytes,
    name: str,
    *,
    text_column: str | None = None,
    language: str | None = None,
    media: str = "",
    columns: Columns = TOLD,
) -> Iterator[Article]:
    """The articles of one document in memory, such as an upload or a pasted text.

    Args:
        data: its bytes.
        name: its file name; its ending counts.
        text_column, language, columns: see `read_any`.
        media: the media type, where one was named.

    Raises:
        DataError, UnknownName, MissingExtra: see `read_any`.
    """
    check_size(len(data), f"Reading '{name}'")
    asked = Asked(replace(columns, text=text_column or columns.text))
    document = Document(data, name, name, asked, media=media)
    return _finished(asked.checked(document.articles(), name), language)


def _check_target(target: str, fetch: Fetch | None) -> None:
    asked = f"Reading '{without_credentials(target)}'"
    if target == STDIN:
        return
    if is_address(target):
        if fetch is None:
            raise DataError(asked, "addresses are not fetched here", "Save the page, give the file")
        if without_credentials(target).partition("?")[0] != target.partition("?")[0]:
            raise DataError("Reading an address", "it holds a name or password", "Leave them out")
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
    targets: Sequence[str], asked: Asked, fetch: Fetch | None, strict: bool
) -> Iterator[Article]:
    for target in targets:
        if target != STDIN and not is_address(target) and Path(target).is_dir():
            yield from _of_folder(Path(target), asked, strict)
            continue
        try:
            if target == STDIN:
                yield from _of_stdin(asked)
            elif is_address(target) and fetch is not None:
                yield from _of_address(target, asked, fetch)
            else:
                yield from _of_file(Path(target), target, asked, Path(target).name)
        except (DataError, UnknownName, WorkFailed) as error:
            if strict:
                raise
            own = without_credentials(target)
            yield _unread(own if is_address(target) else Path(target).name, own, error)


def _of_folder(folder: Path, asked: Asked, strict: bool) -> Iterator[Article]:
    empty = True
    for path in _walked(folder):
        empty = False
        name = path.relative_to(folder).as_posix()
        try:
            if path.suffix.lower() not in ENDINGS:
                found = f"the ending '{path.suffix}' is not known"
                raise DataError(f"Reading '{path}'", found, "Name the file itself to have it read")
            yield from _of_file(path, str(path), asked, name)
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


def _of_file(path: Path, name: str, asked: Asked, short: str) -> Iterator[Article]:
    doing = f"Reading '{name}'"
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
        kind = kind_of(head, name)
        if kind == "warc" or (kind == "gzip" and is_archive(name)):
            with path.open("rb") as file:
                yield from named_articles(warc_articles(file, doing), name, short)
        elif kind == "table" and path.suffix.lower() in TABLES:
            asked.met.add(kind)
            yield from named_articles(table_articles(path, name, asked.columns), name, short)
        else:
            check_size(path.stat().st_size, doing)
            yield from Document(path.read_bytes(), name, short, asked).articles()
    except OSError as error:
        found = f"it cannot be read ({error.strerror or error})"
        raise DataError(doing, found, "Look at the file") from None


def _of_stdin(asked: Asked) -> Iterator[Article]:
    data = sys.stdin.buffer.read(MOST_BYTES + 1)
    check_size(len(data), f"Reading {_STDIN_NAME}")
    yield from Document(data, _STDIN_NAME, _STDIN_NAME, asked).articles()


def _of_address(url: str, asked: Asked, fetch: Fetch) -> Iterator[Article]:
    got = fetch(url)
    file = got.url.partition("?")[0].rpartition("/")[2] or "page"
    own, last = without_credentials(url), without_credentials(got.url)
    yield from Document(got.body, own, own, asked, file, got.media, got.charset,
                         last).articles()  # fmt: skip


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
