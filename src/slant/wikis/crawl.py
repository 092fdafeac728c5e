"""A wiki -> a file of its content pages, over its API."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from slant import __version__
from slant.errors import DataError, MissingExtra, OptionError, RunError, unknown_name
from slant.wikis.api import Api, Wiki, content_pages
from slant.wikis.discovery import find_wiki
from slant.wikis.fetching import FORMATS, fetched
from slant.wikis.journal import Journal, check_same
from slant.wikis.pages import Page, read_pages, read_source, sample, write_pages
from slant.wikis.visits import Manners, Visitor

Progress = Callable[[float, int, str], None]
"""Told the pages done, the pages in all, and what is done."""

OF_WIKI = ("name", "language", "licence", "licence_url", "allowed_by")
"""What the file keeps of what the wiki, and whoever crawls it, said when the crawl began."""


@dataclass(frozen=True, slots=True)
class Crawled:
    """What a crawl did.

    Fields:
        out: the file of pages.
        wiki: what the wiki says of itself.
        pages: in the file.
        asked: pages that were asked for, in all sittings of this crawl.
        kept: pages whose text is that of an earlier crawl, as they have not changed.
        dropped: pages of an earlier crawl that are not in the file any more.
        empty: pages in the file without running text.
        left_out: id -> why, for listed pages that are not in the file.
    """

    out: Path
    wiki: Wiki
    pages: int
    asked: int
    kept: int
    dropped: int
    empty: int
    left_out: Mapping[int, str]


def crawl(
    url: str,
    out: Path,
    *,
    format: str = "html",
    sample_size: int | None = None,
    seed: int = 0,
    manners: Manners | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
) -> Crawled:
    """Write the running text of all content pages of a wiki to a Parquet file.

    Pages come one after another in the order of their ids; redirects are skipped. A crawl that was
    ended at any moment goes on where it was and leaves the file that it would have left. Where
    `out` is of an earlier crawl of the same wiki, only pages that changed or are new are asked for.

    Args:
        url: any address of the wiki.
        out: the file; it appears, or is replaced, at the end and whole.
        format: "html" asks for each page as the wiki shows it, as the paper did; "wikitext" for 50
            pages at once as they were written, which leaves out what templates say.
        sample_size: take a random sample of that many pages; None: all.
        seed: of the sample.
        manners: how the wiki is asked.
        fresh: forget `out` and what a broken crawl left.
        progress: told after every answer.

    Raises:
        DataError: no MediaWiki is there, it does not want to be read, or it has no pages.
        UnknownName: the format. OptionError: `out` is no .parquet, the sample is empty.
        MissingExtra: selectolax is not installed.
        RunError: `out` or a broken crawl is of something else, or another process crawls into it.
        WorkFailed: the wiki, the network or the disk fails; what has come is kept.

    Source: section 3.1.
    """
    if out.suffix != ".parquet":
        raise OptionError(f"Crawling into '{out}'", "pages are a .parquet file", "Name it so")
    if format not in FORMATS:
        raise unknown_name("format", format, FORMATS)
    if format == "html" and not find_spec("selectolax"):
        found = "the package selectolax, which reads HTML, is not installed"
        do = 'Run pip install "slant[wikis]", or give --format wikitext'
        raise MissingExtra(f"Crawling into '{out}'", found, do)
    if sample_size is not None:
        sample((), sample_size, seed)
    told = progress or (lambda done, total, what: None)
    done, total = 0.0, 0

    def show(now: float, of: int, what: str) -> None:
        nonlocal done, total
        done, total = now, of
        told(now, of, what)

    visitor = Visitor(
        manners or Manners(),
        lambda why, wait: told(done, total, f"waiting {wait:.0f} s: {why}"),
    )

    journal = Journal(out)
    try:
        wiki = find_wiki(url, visitor)
        with journal.held():
            return _crawled(Api(wiki.api, visitor), wiki, journal, format,
                            (sample_size, seed), fresh, show)  # fmt: skip
    finally:
        visitor.close()


def _crawled(
    api: Api,
    wiki: Wiki,
    journal: Journal,
    format_: str,
    drawn: tuple[int | None, int],
    fresh: bool,
    told: Progress,
) -> Crawled:
    out = journal.out
    same = {"kind": "api", "api": wiki.api, "format": format_, "slant": __version__}
    if fresh:
        journal.forget()
        out.unlink(missing_ok=True)
    if out.exists():
        check_same(_earlier(out), same, f"Crawling into '{out}', which is there")
    size, seed = drawn
    draw = {"sample": size, "seed": seed if size is not None else None}
    said = {**asdict(wiki), "allowed_by": api.visitor.manners.allowed_by}
    asked = journal.begin({**same, **draw, "wiki": said})
    listed = _listed(api, wiki, journal, told)
    if not listed:
        journal.end()
        found = "the wiki lists no content page"
        raise DataError(f"Crawling {wiki.api}", found, "Check that this is the wiki you mean")
    if size is not None:
        taken = sample(map(str, listed), size, seed)
        listed = {id_: revision for id_, revision in listed.items() if str(id_) in taken}
    earlier = _revisions(out)
    known = journal.known()
    current = {id_ for id_, revision in listed.items() if earlier.get(id_) == revision}
    todo = sorted(id_ for id_ in listed if id_ not in known and id_ not in current)
    done = len(listed) - len(todo)
    told(done, len(listed), wiki.name)
    with journal.fetching() as writer:
        for count, title in fetched(api, todo, format_, writer):
            told(done + count, len(listed), title)
    known = journal.known()
    kept = current - known.keys()
    empty = 0

    def merged() -> Iterator[Page]:
        nonlocal empty
        old = (page for page in read_pages(out) if int(page.id) in kept) if kept else iter(())
        for page in heapq.merge(old, journal.pages(), key=lambda one: int(one.id)):
            empty += not page.text
            yield page

    came = {id_: number for id_, number in known.items() if isinstance(number, int)}
    left_out = {id_: why for id_, why in known.items() if isinstance(why, str)}
    numbers = [*came.values(), *(earlier[id_] for id_ in kept)]
    of_wiki = {key: asked["wiki"][key] for key in OF_WIKI}
    range_ = [min(numbers), max(numbers)] if numbers else None
    source = {**same, **draw, **of_wiki, "revisions": range_}
    source = {key: value for key, value in source.items() if value is not None}
    pages = write_pages(out, merged(), source)
    journal.end()
    dropped = sum(1 for id_ in earlier if id_ not in listed or id_ in left_out)
    return Crawled(out, wiki, pages, len(known), len(kept), dropped, empty, left_out)


def _earlier(out: Path) -> Mapping[str, Any]:
    try:
        return read_source(out)
    except DataError as error:
        do = "Choose another --out, or give --fresh to replace it"
        raise RunError(f"Crawling into '{out}', which is there", error.found, do) from None


def _revisions(out: Path) -> dict[int, int]:
    import polars as pl

    if not out.exists():
        return {}
    table = pl.read_parquet(out, columns=["id", "revision"], glob=False)
    return dict(zip(map(int, table["id"]), table["revision"], strict=True))


def _listed(api: Api, wiki: Wiki, journal: Journal, told: Progress) -> dict[int, int]:
    """Id and latest revision of all content pages; what is listed already is not asked again."""
    found: dict[int, int] = {}
    ends: dict[int, Mapping[str, str] | None] = {}
    for namespace, listing in journal.listings():
        found.update(listing.pages)
        ends[namespace] = listing.next
    with journal.listing() as writer:
        for namespace in wiki.namespaces:
            if namespace in ends and ends[namespace] is None:
                continue
            for listing in content_pages(api, namespace, ends.get(namespace)):
                writer.listed(namespace, listing)
                found.update(listing.pages)
                told(len(found), max(len(found), wiki.articles), f"listing {wiki.name}")
    return found
