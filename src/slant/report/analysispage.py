"""The report of `slant analyze`: a page for one article, or an index with a page for each."""

from __future__ import annotations

import base64
import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from slant.data.writing import replacing
from slant.report.analysisarticles import Download, Place, article_page, f1_line, web_address
from slant.report.analysisboards import detector_board, kind_board
from slant.report.analysiscards import card_html
from slant.report.analysisgroups import (
    Listed,
    article_board,
    event_board,
    group_boards,
    left_out_board,
    listed,
)
from slant.report.analysisplaces import without_folders
from slant.report.baitarticles import file_names
from slant.report.page import rendered
from slant.report.tables import counted, numbered, rounded
from slant.runs.analysisfolder import ANALYSES, RECORD, read_analyses, work_folder
from slant.runs.analysisjoining import COMPARISON
from slant.runs.analysistables import EVENTS, GROUPS, PROFILES, SENTENCES
from slant.runs.store import only_writer, read_json

Read = Mapping[str, Any]
Progress = Callable[[float, int, str], None]

PAGE: Final = "report.html"
ARTICLES: Final = "articles"
MOST_PAGES: Final = 2_000
"""Articles that are listed and have a page; the files hold all."""
MOST_EVENTS: Final = 50
MOST_LINKED: Final = 400_000
"""Characters of the csv that a page keeps within itself."""


def write_analysis(
    folder: Path, progress: Progress = lambda done, total, what: None, home: str = ""
) -> list[Path]:
    """Writes the pages of a report of `slant analyze`, one article in memory at a time.

    Args:
        folder: that `runs.analysing.analyse` filled.
        progress: called with pages written, all pages, and what is done.
        home: where a server lists its analyses, an address that each page leads to.

    Returns:
        The pages: report.html first.

    Raises:
        RunError: the folder lacks what a page needs. WorkFailed: the disk did not take a file.
    """
    # Another process may throw the report away, and then holds the folder.
    with only_writer(work_folder(folder)):
        return _written(folder, progress, home)


def _written(folder: Path, progress: Callable[[int, int, str], None], home: str) -> list[Path]:
    record = read_json(folder / RECORD, "the report's record")
    if record["summary"]["articles"] == 1:
        (read, own), *_ = _with_csv(folder)
        links = [*_links(record), *csv_link(own, read["article"]["id"])]
        _write(folder / PAGE, _article(read, record, links, Place(home=home)))
        return [folder / PAGE]
    articles = [listed(read) for read in islice(read_analyses(folder), MOST_PAGES)]
    names = file_names([one.id for one in articles])
    comparison = read_json(folder / COMPARISON, "the comparison")
    addresses = [f"{ARTICLES}/{name}" for name in names]
    _write(folder / PAGE, index_page(record, comparison, articles, addresses, home))
    pages = [folder / PAGE]
    for i, (read, own) in enumerate(islice(_with_csv(folder), len(names))):
        before = names[i - 1] if i else ""
        after = names[i + 1] if i + 1 < len(names) else ""
        place = Place(f"../{PAGE}#articles", before, after, home)
        links = csv_link(own, read["article"]["id"])
        pages.append(folder / ARTICLES / names[i])
        _write(pages[-1], _article(read, record, links, place))
        progress(i + 1, len(names), "pages")
    return pages


def index_page(
    record: Read, comparison: Read, articles: Sequence[Listed], addresses: Sequence[str],
    home: str = "",
) -> str:  # fmt: skip
    """The page of several articles: profiles of groups, events, and where each article's page is.

    Args:
        record: run.json.
        comparison: comparison.json.
        articles: those that have a page, in the order of the reading.
        addresses: of their pages.
        home: as in `write_analysis`.
    """
    summary, detectors = record["summary"], record["detectors"]
    events = comparison["events"]
    by_id = {one.id: one for one in articles}
    places = {one.id: address for one, address in zip(articles, addresses, strict=True)}
    pages_said = (
        f"The first {counted(MOST_PAGES)} of {counted(summary['articles'])} articles are listed "
        "and have a page; the files hold all."
    )
    return rendered(
        "analysis.html.j2",
        title=numbered(summary["articles"], "article"),
        answer=_answer(summary),
        f1_said=f1_line(detectors),
        home=home,
        detectors=detectors,
        cards=[web_address(one["card"]) for one in detectors],
        card_texts=[card_html(one["card_text"]) for one in detectors],
        groups=[
            boards
            for by, found in comparison["groups"].items()
            if (boards := group_boards(by, found))
        ],
        events=[event_board(event, i, by_id, places)
                for i, event in enumerate(events[:MOST_EVENTS], 1)],
        events_said=_events_said(len(events), comparison["similarity"]),
        undated=_undated_said(summary.get("undated", 0)),
        articles_more=pages_said if summary["articles"] > len(articles) else "",
        tables={
            "articles": article_board(articles, addresses),
            "left_out": left_out_board(Counter(summary["left_out"])),
            "detectors": detector_board(detectors) if detectors else None,
            "kinds": kind_board(detectors),
        },
        downloads=_links(record),
        command=without_folders(record["command"]),
        signature=record["signature"],
        version=record["slant"],
    )  # fmt: skip


def csv_link(content: str, article: str) -> list[Download]:
    """A csv as a link that holds it; none where it is empty or so long that it swells the page.

    Args:
        content: the csv.
        article: id of the article, for the name of the file.
    """
    if not content or len(content) > MOST_LINKED:
        return []
    kept = base64.b64encode(content.encode("utf-8", "replace")).decode()
    file = file_names([article])[0].removesuffix(".html") + ".csv"
    name = "Sentences of this article (csv, kept in this page)"
    return [Download(name, f"data:text/csv;charset=utf-8;base64,{kept}", file)]


def _with_csv(folder: Path) -> Iterator[tuple[dict[str, Any], str]]:
    """Each analysis with the rows of its sentences from the csv beside it."""
    with (folder / f"{SENTENCES.name}.csv").open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        head = next(rows)
        for read in read_analyses(folder):
            number = len(read["sentences"]) * max(1, len(read["detectors"]))
            text = io.StringIO()
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow(head)
            writer.writerows(islice(rows, number))
            yield read, text.getvalue() if number else ""


def _article(read: Read, record: Read, links: Sequence[Download], place: Place) -> str:
    return article_page(
        read, downloads=links, place=place, command=record["command"],
        signature=record["signature"], version=record["slant"],
    )  # fmt: skip


def _links(record: Read) -> list[Download]:
    tables = [SENTENCES, PROFILES]
    if record["summary"]["articles"] > 1:
        tables += [GROUPS, EVENTS]
    found = [
        Download(f"{table.name}{ending}: {table.says}", f"{table.name}{ending}",
                 f"{table.name}{ending}")
        for table in tables
        for ending in (".csv", ".parquet")
    ]  # fmt: skip
    return [*found, Download(f"{ANALYSES}: everything, an article a line", ANALYSES, ANALYSES)]


def _answer(summary: Read) -> str:
    left = sum(summary["left_out"].values())
    sentences, read = summary["sentences"], summary["articles"] - left
    said = (
        f"{numbered(sentences, 'sentence')} of {numbered(read, 'article')} "
        f"{'was' if sentences == 1 else 'were'} read"
    )
    were = "was" if left == 1 else "were"
    return f"{said}; {numbered(left, 'article')} {were} not looked at." if left else f"{said}."


def _events_said(events: int, similarity: float) -> str:
    more = (
        f" The first {MOST_EVENTS} of {counted(events)} are shown." if events > MOST_EVENTS else ""
    )
    return (
        "Articles whose words are alike (cosine similarity of the TF-IDF weights of title and "
        f"beginning at least {rounded(similarity)} to the one that most others are alike to) are "
        "taken to be on one event; "
        f"that can be wrong. Articles of the same words stand for one.{more}"
    )


def _undated_said(number: int) -> str:
    if not number:
        return ""
    whose = "article has a date" if number == 1 else "articles have a date"
    return (
        f"{counted(number)} {whose} that can be read in two ways or in none: it is kept as text "
        "and stands in no month but in a group of its own. --date-order says how such dates are "
        "read."
    )


def _write(path: Path, page: str) -> None:
    with replacing(path) as temporary:
        temporary.write_bytes(page.encode())
