"""A dump -> a Parquet file of running text."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from slant import __version__
from slant.errors import DataError
from slant.wikis.dumps import ARTICLES, DumpFacts, DumpPage, Progress, read_dump
from slant.wikis.elements import HIDDEN
from slant.wikis.markup import markup_text
from slant.wikis.pages import Page, sample, write_pages

_FILES, _CATEGORIES = 6, 14


class Extracted(NamedTuple):
    """What `extract` wrote: the file, its pages, how many of them have no running text, and what
    the dump says of itself."""

    out: Path
    pages: int
    empty: int
    facts: DumpFacts


def extract(
    dump: Path,
    out: Path,
    *,
    namespaces: Collection[int] = ARTICLES,
    sample_size: int | None = None,
    seed: int = 0,
    progress: Progress = lambda done, total, what: None,
) -> Extracted:
    """Write the running text of a dump's pages to a Parquet file.

    The file appears whole or not at all; work that was stopped begins anew. A sample is drawn from
    the ids of all pages that would be written, so that the dump is read twice.

    Args:
        dump: see `read_dump`.
        out: the .parquet to write.
        namespaces: numbers of those whose pages are taken.
        sample_size: how many pages to draw at random; None takes all.
        seed: of the sample.
        progress: told the bytes of the dump that are read.

    Raises:
        DataError: see `read_dump`, and a dump without any page that is asked for.
        WorkFailed: the disk is full or cannot be written.

    Source: Knoche et al. 2019, section 3.1.
    """
    facts = DumpFacts()
    first = DumpFacts()
    with closing(read_dump(dump, namespaces=namespaces, facts=first)) as pages:
        if next(pages, None) is None:
            found = f"it has no page with wikitext in {_named(namespaces, first)}"
            raise DataError(f"Reading '{dump}'", found, "Choose another --namespace or dump")
    size = dump.stat().st_size
    rounds = 1 if sample_size is None else 2

    def read(round_: int, told: DumpFacts) -> Iterator[DumpPage]:
        def shown(done: int, _: int, title: str) -> None:
            progress(round_ * size + done, rounds * size, title)

        return read_dump(dump, namespaces=namespaces, facts=told, progress=shown)

    taken: Collection[str] | None = None
    if sample_size is not None:
        taken = sample((page.id for page in read(0, DumpFacts())), sample_size, seed)
    hidden = HIDDEN | {
        first.namespaces[key].lower() for key in (_FILES, _CATEGORIES) if key in first.namespaces
    }
    empty = 0

    def cleaned() -> Iterator[Page]:
        nonlocal empty
        for page in read(rounds - 1, facts):
            if taken is None or page.id in taken:
                text = markup_text(page.wikitext, hidden)
                empty += not text
                yield Page(page.id, page.title, page.revision, text)

    source = {
        "kind": "dump", "slant": __version__, "file": dump.name, "bytes": size, "name": first.wiki,
        "address": first.address, "export": first.version, "namespaces": sorted(namespaces),
    }  # fmt: skip
    if sample_size is not None:
        source |= {"sample": sample_size, "seed": seed}
    return Extracted(out, write_pages(out, cleaned(), source), empty, facts)


def _named(namespaces: Collection[int], facts: DumpFacts) -> str:
    names = (f"{key} ({facts.namespaces.get(key) or 'articles'})" for key in sorted(namespaces))
    return f"the namespaces {', '.join(names)}"
