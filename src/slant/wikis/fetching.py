"""Pages of a wiki, fetched one after another, as running text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from slant.data.documents import sound
from slant.errors import DataError
from slant.wikis.api import MOST_IDS, Api, Revision, page_html, page_wikitexts
from slant.wikis.connection import Later
from slant.wikis.journal import Writer
from slant.wikis.replies import Refusal
from slant.wikis.visits import NoAnswer

FORMATS = ("html", "wikitext")
REFUSED_IN_A_ROW = 20


def fetched(
    api: Api, ids: Sequence[int], format_: str, writer: Writer
) -> Iterator[tuple[int, str]]:
    """Fetch pages and note each of them before the next is asked for.

    Args:
        api: whom to ask.
        ids: of the pages.
        format_: how they come.
        writer: what notes them.

    Yields:
        How many are done, and the title of the last one, after each request.

    Raises:
        DataError: many pages in a row are refused. NoAnswer: the wiki does not answer any more.
    """
    one_by_one = format_ == "html"
    step = 1 if one_by_one else MOST_IDS
    refused = 0
    for start in range(0, len(ids), step):
        part = ids[start : start + step]
        title = ""
        for id_, found in _answers(api, part, one_by_one):
            if isinstance(found, Revision):
                refused = 0
                title = found.title
                _note(found, one_by_one, writer)
                continue
            writer.left_out(id_, found.found)
            refused = 0 if isinstance(found, Refusal) and found.gone else refused + 1
            if refused == REFUSED_IN_A_ROW:
                why = f"{refused} pages in a row are refused, the last so: {found.found}"
                raise DataError(f"Crawling {api.url}", why, found.do)
        yield start + len(part), title


def _answers(
    api: Api, ids: Sequence[int], html: bool
) -> Iterator[tuple[int, Revision | Refusal | NoAnswer]]:
    """Each id with its page or with why there is none."""
    try:
        if html:
            yield ids[0], page_html(api, ids[0])
            return
        found = page_wikitexts(api, ids)
    except Refusal as error:
        if len(ids) == 1:
            yield ids[0], error
            return
    except NoAnswer as error:
        if not _alive(api):
            raise
        # The wiki lives, so that a page breaks it.
        if len(ids) == 1:
            yield ids[0], error
            return
    else:
        for id_ in ids:
            yield id_, found.get(id_) or _gone(api, id_)
        return
    for id_ in ids:
        yield from _answers(api, [id_], html)


def _alive(api: Api) -> bool:
    try:
        api.ask_once(action="query", meta="siteinfo", siprop="general")
    except Later:
        return False
    return True


def _gone(api: Api, id_: int) -> Refusal:
    error = Refusal(f"Asking {api.url}", f"page {id_} is not there any more", "Nothing is to do")
    error.code = "nosuchpageid"
    return error


def _note(page: Revision, html: bool, writer: Writer) -> None:
    if page.redirect:
        writer.left_out(page.id, "it is a redirect by now")
        return
    if page.content is None:
        writer.left_out(page.id, "its text is hidden, or no wikitext")
        return
    text = _running_text(sound(page.content), html)
    writer.came(page.id, sound(page.title), page.number, text)


def _running_text(content: str, html: bool) -> str:
    if html:
        from slant.wikis.paragraphs import page_text

        return page_text(content)
    from slant.wikis.markup import markup_text

    return markup_text(content)
