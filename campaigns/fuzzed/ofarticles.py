"""Readers of articles: documents of every kind, fetched bodies, and reports that were made."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

from fuzzed.readers import Files, Reader, content, encoded, from_tests, lines, only, text

KINDS = {
    "plain text": ("plain.txt", "plain.txt.gz"),
    "a web page": ("page.html",),
    "a PDF": ("paper.pdf",),
    "a Word document": ("letter.docx",),
    "JSON": ("article.json", "rows.jsonl"),
    "a table": ("rows.csv", "rows.parquet"),
    "a feed": ("feed.rss", "feed.atom"),
    "a web archive": ("crawl.warc", "crawl.warc.gz"),
}
MODULES = {
    "plain text": ("analysis.plain", "analysis.unpacking", "analysis.document", "analysis.kinds"),
    "a web page": ("analysis.pages", "analysis.dates"),
    "a PDF": ("analysis.pdf",),
    "a Word document": ("analysis.docx", "analysis.elements"),
    "JSON": ("analysis.tables",),
    "a table": ("analysis.tables",),
    "a feed": ("analysis.feeds", "analysis.elements"),
    "a web archive": ("analysis.warc", "analysis.unpacking"),
}


def document(folder: Path) -> object:
    from slant.analysis.intake import read_document

    path = only(folder)
    found = list(read_document(path.read_bytes(), path.name, language="en"))
    for article in found:
        "".join([article.text, article.title, article.outlet, article.url]).encode()
    return found


def target(folder: Path) -> object:
    from slant.analysis.intake import read_any

    found = list(read_any([str(only(folder))], fetch=None, language="en"))
    for article in found:
        "".join([article.text, article.title, article.outlet, article.url]).encode()
    return found


def body(folder: Path) -> object:
    from slant.analysis.unpacking import decoded_body

    data = content(folder)
    coding = {b"\x1f\x8b": "gzip", b"\x78\x9c": "deflate"}.get(data[:2], "deflate")
    return decoded_body(data, coding, "Reading a body")


def characters(folder: Path) -> object:
    from slant.analysis.pages import fragment_text, page_characters

    head, _, rest = content(folder).partition(b"\n")
    return page_characters(rest, head.decode("latin-1")), fragment_text(text(folder))


def date(folder: Path) -> object:
    from slant.analysis.dates import date_doubt, is_date, iso_date, told_date

    said = text(folder)
    return iso_date(said), told_date(said, "dmy"), is_date(said), date_doubt(said)


def report(folder: Path) -> object:
    from slant.analysis.summaries import read_summary
    from slant.runs.analysisfolder import read_analyses

    return [read_summary(one) for one in read_analyses(folder)]


def submission(folder: Path) -> object:
    from slant.web.submissions import json_submission

    return json_submission(content(folder))


def upload(folder: Path) -> object:
    from slant.web.submissions import (
        address_submission,
        file_name,
        file_submission,
        text_submission,
    )

    said = text(folder)
    name, _, rest = said.partition("\n")
    return (
        file_name(name),
        file_submission(name, rest.encode(), None, "en"),
        _refusing(lambda: address_submission(name, None, "en")),
        _refusing(lambda: text_submission(rest, name, None)),
    )


def _refusing(act: Callable[[], object]) -> object:
    from slant.errors import SlantError

    try:
        return act()
    except SlantError:
        return None


def readers() -> list[Reader]:
    """The readers of this module, with their files made."""
    made = from_tests("analysis", "madefiles").all_kinds()
    found = [
        Reader(f"analysis: {kind}", document, [{name: made[name]} for name in names], MODULES[kind])
        for kind, names in KINDS.items()
    ]
    every: list[Files] = [{name: one} for name, one in made.items()]
    pages = [
        b"utf-8\n" + made["page.html"],
        b"latin-1\n<p>caf\xe9</p>",
        b"\n<meta charset=koi8-r>x",
    ]
    dates = [
        "2019-04-02",
        "Tue, 02 Apr 2019 10:00:01 GMT",
        "2 April 2019",
        "1556000000",
    ]
    asked = {"text": "A text to analyse.", "language": "en"}
    found += [
        Reader("analysis: a target on disk", target, every, ("analysis.intake",)),
        Reader(
            "analysis: a packed body",
            body,
            [
                {"body": gzip.compress(made["page.html"], mtime=0)},
                {"body": _deflated(made["page.html"])},
            ],
            ("analysis.unpacking",),
        ),
        Reader(
            "analysis: characters of a page",
            characters,
            [{"page": one} for one in pages],
            ("analysis.pages",),
        ),
        Reader(
            "analysis: a date", date, [{"date": one.encode()} for one in dates], ("analysis.dates",)
        ),
        Reader(
            "analysis: a report's analyses",
            report,
            [_report()],
            ("runs.analysisfolder", "analysis.summaries"),
        ),
        Reader(
            "web: a submission in JSON",
            submission,
            [{"body": encoded(asked)}],
            ("web.submissions",),
        ),
        Reader(
            "web: an upload",
            upload,
            [{"body": b"a.txt\nThe reckless plan."}, {"body": b"a.html\n" + made["page.html"]}],
            ("web.submissions",),
        ),
    ]
    return found


def _deflated(data: bytes) -> bytes:
    import zlib

    return zlib.compress(data)


def _report() -> Files:
    """analyses.jsonl as `slant analyze` writes it, of an article without a detector."""
    return {"analyses.jsonl": lines([json.loads(json.dumps(_analysis()))])}


def _analysis() -> object:
    import dataclasses

    from slant.analysis.analysisjson import analysis_json
    from slant.analysis.article import Article
    from slant.analysis.reading import analysed
    from slant.data.schemas import load_schema

    names = {one.name for one in dataclasses.fields(Article)}
    given = {"id": "a", "text": "The reckless plan failed. He said no.", "language": "en"}
    article = Article(**{name: one for name, one in given.items() if name in names})
    (made,) = analysed([article], [], load_schema("bait"))
    return analysis_json(made)
