"""One document in memory -> its articles, by the reader of its kind."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from slant.analysis.article import Article
from slant.analysis.docx import docx_article
from slant.analysis.feeds import feed_articles
from slant.analysis.kinds import HEAD, TABLES, Kind, is_lines_of_json, kind_of
from slant.analysis.pages import page_article
from slant.analysis.pdf import pdf_article
from slant.analysis.plain import plain_article
from slant.analysis.tables import Columns, json_articles, table_articles
from slant.analysis.unpacking import unpacked_data
from slant.analysis.warc import warc_articles
from slant.errors import DataError


@dataclass(frozen=True, slots=True)
class Asked:
    """The columns that were named, and the kinds of document that were met."""

    columns: Columns
    met: set[Kind] = field(default_factory=set)

    def checked(self, articles: Iterator[Article], name: str) -> Iterator[Article]:
        """Articles; an error behind the last where columns were named and there was no table."""
        yield from articles
        if (named := self.columns.named()) and not self.met & {"table", "json"}:
            options = " and ".join(f"--{one}" for one in named)
            found = f"there is no table, a column of which {options} could name"
            raise DataError(f"Reading '{name}'", found, f"Leave out {options}, or give a table")


@dataclass(frozen=True, slots=True)
class Document:
    """One document in memory; `file` is a name whose ending counts, where `name` is none."""

    data: bytes
    name: str
    short: str
    asked: Asked
    file: str = ""
    media: str = ""
    charset: str = ""
    url: str = ""
    packed: bool = False

    def articles(self) -> Iterator[Article]:
        """Its articles, with the id and origin that they have where it has none of its own.

        Raises:
            DataError: it cannot be read. UnknownName: no such column.
        """
        data, name = self.data, self.name
        asked = f"Reading '{name}'"
        file = self.file or name
        kind = kind_of(data[:HEAD], file, self.media, asked)
        if kind == "json" and is_lines_of_json(data[:HEAD]):
            kind = "table"
        self.asked.met.add(kind)
        readers: dict[Kind, Callable[[], Iterator[Article]]] = {
            "text": lambda: iter([plain_article(data, name)]),
            "page": lambda: iter([page_article(data, asked, url=self.url, charset=self.charset)]),
            "pdf": lambda: iter([pdf_article(data, asked)]),
            "docx": lambda: iter([docx_article(data, asked)]),
            "json": lambda: json_articles(data, name, self.asked.columns),
            "feed": lambda: feed_articles(data, asked),
            "warc": lambda: warc_articles(io.BytesIO(data), asked),
            "table": self._table,
        }
        if kind == "gzip" and is_archive(file):
            kind = "warc"
        if kind == "gzip":
            yield from self._unpacked(asked).articles()
            return
        for article in named_articles(readers[kind](), name, self.short):
            yield replace(article, url=article.url or self.url)

    def _unpacked(self, asked: str) -> Document:
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
            yield from table_articles(path, self.name, self.asked.columns)


def is_archive(name: str) -> bool:
    """Whether a packed file is an archive of the web by its name.

    >>> is_archive("news.warc.gz"), is_archive("news.txt.gz")
    (True, False)
    """
    return ".warc" in PurePosixPath(name.lower()).suffixes


def named_articles(articles: Iterator[Article], name: str, short: str) -> Iterator[Article]:
    """Articles with an id, and the origin of a row behind that of its file."""
    for article in articles:
        row = article.origin.rpartition(" ")[2]
        own = article.id or (f"{short}:{row}" if row else short)
        yield replace(
            article, id=own, origin=f"{name}, {article.origin}" if article.origin else name
        )
