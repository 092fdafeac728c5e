"""The pages of a wiki as a Parquet file: written whole, in constant memory, read a few at a time,
sampled by a seed."""

from __future__ import annotations

import hashlib
import heapq
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from slant.data.jsonvalues import json_value
from slant.data.writing import replacing, temporary_beside
from slant.errors import DataError, OptionError

COLUMNS = ("id", "title", "revision", "text")
SOURCE = "slant.source"
PAGES_AT_ONCE = 1000
CHARACTERS_AT_ONCE = 8_000_000
Parts = list[Path]


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a wiki.

    Fields:
        id: the wiki's own number of the page, in digits; unique in a file.
        title: with its namespace, blanks for underscores.
        revision: the number of the version that the text is of.
        text: running text, paragraphs parted by an empty line; "" where the page has none.
    """

    id: str
    title: str
    revision: int
    text: str


def write_pages(path: Path, pages: Iterable[Page], source: Mapping[str, Any]) -> int:
    """Write pages to a Parquet file, sorted by the number that their id is.

    Memory holds about `PAGES_AT_ONCE` pages whatever their number, if they come nearly sorted; each
    stretch that begins below the last one costs as much again. The same pages and source give the
    same bytes, in whatever order the pages come.

    Args:
        path: the file; it appears whole or not at all.
        pages: in any order.
        source: where they are from, kept as JSON in the file's metadata.

    Returns:
        How many pages were written.

    Raises:
        DataError: an id that is no number or that two pages have.
        WorkFailed: the disk is full or cannot be written.
    """
    said = {SOURCE: json.dumps(source, ensure_ascii=False, sort_keys=True)}
    folder = temporary_beside(path.with_name(f"{path.name}.parts"))
    shutil.rmtree(folder, ignore_errors=True)
    numbers = count()
    try:
        with replacing(path) as temporary:
            folder.mkdir(parents=True)
            stretches = _stretches(_batches(pages, path), folder, numbers)
            if len(stretches) > 1:
                merged = heapq.merge(*map(_rows, stretches), key=_number)
                stretches = _stretches(_batches(merged, path), folder, numbers)
            parts = stretches[0] if stretches else [_write_part(folder, [], numbers)]
            written = _checked_count(parts, path)
            _join(parts, temporary, said)
            return written
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def read_pages(path: Path) -> Iterator[Page]:
    """The pages of a file, in its order, a few at a time in memory.

    Raises:
        DataError: no such file, or one that `write_pages` did not write.
    """
    from slant.data.given import PARQUET_FAULTS

    read_source(path)
    try:
        yield from _rows([path])
    except PARQUET_FAULTS:
        raise _no_pages(path) from None


def read_source(path: Path) -> dict[str, Any]:
    """Where the pages of a file are from.

    Raises:
        DataError: no such file, or one that `write_pages` did not write.
    """
    import polars as pl

    asked = f"Reading '{path}'"
    if not path.is_file():
        raise DataError(asked, "no such file is there", "Make it by `slant wiki crawl` or `dump`")
    from slant.data.given import PARQUET_FAULTS

    try:
        source = json_value(pl.read_parquet_metadata(path)[SOURCE])
        kinds = pl.read_parquet_schema(path)
    except (*PARQUET_FAULTS, KeyError, ValueError):
        raise _no_pages(path) from None
    wanted = dict(zip(COLUMNS, (pl.String, pl.String, pl.Int64, pl.String), strict=True))
    if not isinstance(source, dict) or any(kinds.get(one) != kind for one, kind in wanted.items()):
        raise _no_pages(path)
    return source


def _no_pages(path: Path) -> DataError:
    found = "it is no whole file of pages that `slant wiki` wrote"
    return DataError(
        f"Reading '{path}'", found, "Make it by `slant wiki crawl` or `slant wiki dump`"
    )


def sample(ids: Iterable[str], n: int, seed: int) -> frozenset[str]:
    """A random sample of pages, the same for the same ids in any order.

    It takes the n pages with the smallest hash of seed and id, so that pages which come or go
    change no other page's place, and a smaller sample is part of a larger one. Memory: n ids.

    Args:
        ids: of all pages, each once.
        n: how many; all are taken where there are no more.
        seed: another seed draws another sample.

    Returns:
        min(n, number of ids) ids.

    Raises:
        OptionError: n is below 1.

    Source: section 3.1 (50,000 randomly selected articles of Wikipedia).

    >>> sorted(sample(["1", "2", "3", "4"], 2, seed=0), key=int)
    ['1', '4']
    """
    if n < 1:
        raise OptionError(f"Taking a sample of {n} pages", "it would be empty", "Ask for 1 or more")
    return frozenset(heapq.nsmallest(n, ids, key=lambda one: _place(one, seed)))


def _place(id_: str, seed: int) -> bytes:
    return hashlib.blake2b(f"{seed} {id_}".encode(), digest_size=16).digest()


def _number(page: Page) -> int:
    return int(page.id)


def _batches(pages: Iterable[Page], path: Path) -> Iterator[list[Page]]:
    batch: list[Page] = []
    characters = 0
    for page in pages:
        if not (page.id.isascii() and page.id.isdigit() and str(int(page.id)) == page.id):
            found = f"the page '{page.title}' has the id '{page.id}', which is no number"
            raise DataError(f"Writing '{path}'", found, "Give every page its number as its id")
        batch.append(page)
        characters += len(page.text)
        if len(batch) == PAGES_AT_ONCE or characters >= CHARACTERS_AT_ONCE:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _stretches(batches: Iterable[list[Page]], folder: Path, numbers: Iterator[int]) -> list[Parts]:
    """Part files of all batches; the ids of one stretch never fall."""
    stretches: list[Parts] = []
    highest = -1
    for batch in batches:
        batch.sort(key=_number)
        if not stretches or _number(batch[0]) < highest:
            stretches.append([])
        highest = _number(batch[-1])
        stretches[-1].append(_write_part(folder, batch, numbers))
    return stretches


def _write_part(folder: Path, batch: Sequence[Page], numbers: Iterator[int]) -> Path:
    import polars as pl

    part = folder / f"{next(numbers):08}.parquet"
    kinds = {"id": pl.String, "title": pl.String, "revision": pl.Int64, "text": pl.String}
    rows = {name: [getattr(page, name) for page in batch] for name in COLUMNS}
    pl.DataFrame(rows, schema=kinds).write_parquet(part, compression="zstd", compression_level=1)
    return part


def _join(parts: Parts, out: Path, said: dict[str, str]) -> None:
    import polars as pl

    pl.scan_parquet(list(parts), glob=False).sink_parquet(
        out, compression="zstd", row_group_size=PAGES_AT_ONCE, metadata=said
    )


def _rows(parts: Parts) -> Iterator[Page]:
    import polars as pl

    for part in parts:
        frame = pl.scan_parquet(part, glob=False).select(*COLUMNS)
        height = frame.select(pl.len()).collect().item()
        # Slices, since a stream of batches holds several row groups at once.
        for start in range(0, height, PAGES_AT_ONCE):
            for row in frame.slice(start, PAGES_AT_ONCE).collect().iter_rows():
                yield Page(*row)


def _checked_count(parts: Parts, path: Path) -> int:
    """How many pages the parts hold, which must be sorted; an id that comes twice is an error."""
    import polars as pl

    pages, before = 0, ""
    for part in parts:
        ids = pl.read_parquet(part, columns=["id"], glob=False)["id"].to_list()
        for id_ in ids:
            if id_ == before:
                found = f"two pages have the id {id_}"
                raise DataError(f"Writing '{path}'", found, "Give every page once")
            before = id_
        pages += len(ids)
    return pages
