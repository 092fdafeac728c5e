"""Crawls of a real MediaWiki, loaded with an excerpt of the dump of the English Wikipedia."""

import bz2
import dataclasses
import re
import shutil
from xml.etree import ElementTree

import pytest
from realwiki import started
from scriptedwiki import QUICK

from slant.errors import DataError, WorkFailed
from slant.wikis.api import Api, content_pages
from slant.wikis.crawl import crawl
from slant.wikis.pages import read_pages, read_source
from slant.wikis.visits import Visitor

PATIENT = dataclasses.replace(QUICK, timeout=60.0)


def articles(dump):
    """Titles in a dump that are articles and no redirects, read by ElementTree."""
    titles = set()
    with bz2.open(dump) as file:
        for _, page in ElementTree.iterparse(file):
            if page.tag.endswith("}page"):
                space = page.tag.removesuffix("page")
                if page.find(f"{space}ns").text == "0" and page.find(f"{space}redirect") is None:
                    titles.add(page.find(f"{space}title").text)
                page.clear()
    return titles


def test_all_articles_of_the_dump_come_from_the_wiki_that_was_loaded_with_it(mediawiki, tmp_path):
    out = tmp_path / "w.parquet"
    done = crawl(mediawiki.url, out, format="wikitext", manners=PATIENT)
    pages = list(read_pages(out))
    # 206 pages, of which the data's README counts 100 as redirects, and the new wiki's Main Page.
    assert done.pages == len(pages) == 107
    assert {page.title for page in pages} == articles(mediawiki.dump) | {"Main Page"}
    assert [int(page.id) for page in pages] == sorted(int(page.id) for page in pages)
    said = read_source(out)
    assert said["name"] == "Small Wiki"
    assert said["licence_url"] == "https://creativecommons.org/licenses/by-sa/4.0/"


def test_a_page_as_shown_becomes_running_text(mediawiki, tmp_path):
    out = tmp_path / "w.parquet"
    done = crawl(f"{mediawiki.url}/index.php/ASCII", out, sample_size=3, seed=2, manners=PATIENT)
    assert done.pages == 3
    for page in read_pages(out):
        assert not re.search(r"<[a-z/]|\[edit\]|\[\d+\]|\{\{|mw-parser", page.text)
    assert sum(len(page.text) for page in read_pages(out)) > 10_000


def test_changes_in_the_wiki_are_all_that_is_asked_for_next(mediawiki, tmp_path):
    out = tmp_path / "w.parquet"
    for title in ("Zz one", "Zz two", "Zz three"):
        mediawiki.maintain("edit.php", title, given="It was so.")
    crawl(mediawiki.url, out, format="wikitext", manners=PATIENT)
    before = {page.title: page for page in read_pages(out)}
    mediawiki.maintain("edit.php", "Zz one", given="It is otherwise.")
    mediawiki.maintain("edit.php", "Zz two", given="#REDIRECT [[Zz one]]")
    mediawiki.maintain("edit.php", "Zz four", given="A new page.")
    titles = tmp_path / "titles"
    titles.write_text("Zz three\n")
    mediawiki.maintain("deleteBatch.php", titles)
    done = crawl(mediawiki.url, out, format="wikitext", manners=PATIENT)
    after = {page.title: page for page in read_pages(out)}
    assert (done.asked, done.dropped) == (2, 2)
    assert after.pop("Zz one").text == "It is otherwise."
    assert after.pop("Zz four").text == "A new page."
    assert after == {title: one for title, one in before.items() if not title.startswith("Zz")}
    titles.write_text("Zz one\nZz two\nZz four\n")
    mediawiki.maintain("deleteBatch.php", titles)


def test_a_list_in_many_answers_is_the_list_in_one(mediawiki):
    class Small(Api):
        def ask(self, **params):
            return super().ask(**{**params, "gaplimit": 7})

    visitor = Visitor(PATIENT)
    whole, small = ([one.pages for one in content_pages(kind(f"{mediawiki.url}/api.php", visitor), 0)]
                    for kind in (Api, Small))  # fmt: skip
    visitor.close()
    assert len(whole) == 1
    assert len(small) == 16
    found = [page for one in small for page in one]
    assert len(found) == len(whole[0])
    assert set(found) == set(whole[0])


def test_a_lagging_wiki_is_waited_for(mediawiki, tmp_path):
    # On SQLite a lag of -1 is reported, which any maxlag below it takes for too much.
    manners = dataclasses.replace(PATIENT, lag=-2, longest_wait=4.0)
    with pytest.raises(WorkFailed, match=r"'maxlag' .* asks to wait 5 s"):
        crawl(mediawiki.url, tmp_path / "w.parquet", manners=manners)


def test_a_wiki_for_members_says_that_it_wants_a_login(mediawiki, tmp_path):
    folder = tmp_path / "private"
    shutil.copytree(mediawiki.folder, folder)
    with started(folder, mediawiki.dump, PRIVATE="1") as private:
        for address in (private.url, f"{private.url}/api.php"):
            with pytest.raises(
                DataError, match="this wiki wants a login: it answers 'readapidenied'"
            ):
                crawl(address, tmp_path / "w.parquet", manners=PATIENT)
    assert not (tmp_path / "w.parquet").exists()
