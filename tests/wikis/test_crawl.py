"""Crawls of a scripted wiki: what is asked, what is written, what goes wrong."""

import dataclasses
import itertools
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from email.utils import formatdate

import pytest
from scriptedwiki import QUICK, Made, Said, made_pages, serving

from slant.errors import DataError, MissingExtra, OptionError, RunError, SlantError, WorkFailed
from slant.wikis import fetching
from slant.wikis.crawl import crawl
from slant.wikis.pages import read_pages, read_source, sample


def texts(path):
    return {int(page.id): (page.title, page.revision, page.text) for page in read_pages(path)}


def expected(pages):
    return {id_: (one.title, one.revision, one.text) for id_, one in pages.items()}


def inside(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("format_", ["html", "wikitext"])
@pytest.mark.parametrize("old", [False, True], ids=["now", "before 1.25"])
def test_every_content_page_is_asked_once_and_written(wiki, tmp_path, format_, old):
    wiki.old = old
    wiki.pages[4] = Made("A redirect", 40, "#REDIRECT [[B]]", redirect=True)
    wiki.pages[7] = Made("A module", 70, "return 1", model="Scribunto")
    out = tmp_path / "w.parquet"
    done = crawl(wiki.url, out, format=format_, manners=QUICK)
    kept = {id_: one for id_, one in wiki.pages.items() if id_ not in {4, 7}}
    assert texts(out) == expected(kept)
    assert wiki.asked_pages() == sorted(kept) if format_ == "html" else [*kept] * 4
    assert (done.pages, done.asked, done.kept, done.dropped) == (8, 8, 0, 0)
    assert wiki.lists() == 3  # ten pages, four an answer
    assert inside(tmp_path) == ["w.parquet"]
    assert read_source(out) == {
        "kind": "api", "api": f"{wiki.url}/w/api.php", "format": format_, "slant": "0.1.0",
        "name": "Scripted", "language": "en", "licence": "CC0", "licence_url": "https://cc0.example",
        "revisions": [10, 280],
    }  # fmt: skip


def test_one_connection_that_says_who_asks_serves_the_whole_crawl(wiki, tmp_path):
    crawl(wiki.url, tmp_path / "w.parquet", manners=QUICK)
    assert wiki.connections == 1
    assert wiki.agents == {"slant/0.1.0 (jo@uni.example)"}
    requests = [one for one in wiki.asked if one["path"] == wiki.place and "pageid" in one]
    assert {one["maxlag"] for one in requests} == {"5"}


def test_without_a_reader_of_html_the_wiki_is_not_asked(wiki, tmp_path, monkeypatch):
    monkeypatch.setattr("slant.wikis.crawl.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"slant\[wikis\].*or give --format wikitext"):
        crawl(wiki.url, tmp_path / "w.parquet", manners=QUICK)
    assert not wiki.asked
    assert inside(tmp_path) == []


def test_a_contact_that_would_break_the_header_is_refused(wiki, tmp_path):
    manners = dataclasses.replace(QUICK, contact="jo@uni.example\r\nX: y")
    with pytest.raises(OptionError, match="a header cannot hold it"):
        crawl(wiki.url, tmp_path / "w.parquet", manners=manners)
    assert not wiki.asked


@pytest.mark.parametrize(
    ("address", "place", "link"),
    [
        ("/", "/w/api.php", True),
        ("/wiki/Some_page", "/odd/api.php", True),
        ("/wiki/Some_page", "/wiki/api.php", False),
        ("/kb/index.php/Missing", "/kb/api.php", False),
        ("/odd/api.php?action=help", "/odd/api.php", False),
    ],
)
def test_the_api_is_found_from_any_address_of_the_wiki(wiki, tmp_path, address, place, link):
    wiki.place = place
    wiki.front = wiki.front.replace("/w/api.php", place) if link else "<html>no link</html>"
    assert crawl(wiki.url + address, tmp_path / "w.parquet", manners=QUICK).pages == 10


def test_an_address_without_scheme_and_a_redirect_are_followed(wiki, tmp_path):
    def moved(path, params):
        return Said(301, "", {"Location": "/wiki/Some_page"}) if path == "/old" else None

    wiki.script = moved
    address = wiki.url.removeprefix("http://") + "/old"
    assert crawl(address, tmp_path / "w.parquet", manners=QUICK).pages == 10


# What a wiki can answer that ends the crawl: what the one line says, its exit code.
LOGIN = {"error": {"code": "readapidenied", "info": "You need read permission."}}
DISABLED = {"error": {"code": "moduledisabled", "info": "The query module has been disabled."}}
OLD_DISABLED = (
    "MediaWiki API is not enabled for this site. Add the following line to your "
    "LocalSettings.php<pre><b>$wgEnableAPI=true;</b></pre>"
)
TOO_OLD = {"query": {"general": {"generator": "MediaWiki 1.19.2"}}}
OTHER = {"query": {"general": {"generator": "DokuWiki"}}}
ENDINGS = {
    "login": (Said(200, LOGIN), "this wiki wants a login: it answers 'readapidenied'", 2),
    "disabled": (Said(200, DISABLED), "the API is disabled: it answers 'moduledisabled'", 2),
    "disabled, old": (Said(200, OLD_DISABLED), "the API is disabled", 2),
    "401": (Said(401, "<html>Who?"), "wants a login: the server answers 401", 2),
    "403": (Said(403, "<html>No."), "the server answers 403, so that its API is blocked", 2),
    "404": (Said(404, "<html>No."), "the server answers 404, so that its API is blocked or not", 2),
    "too old": (Said(200, TOO_OLD), "it is 'MediaWiki 1.19.2', which cannot be asked", 2),
    "another program": (Said(200, OTHER), "it is 'DokuWiki', which cannot be asked", 2),
    "another API": (Said(200, {"a": 1}), "it answers as no MediaWiki does", 2),
    "not JSON": (Said(200, "<html>Please wait"), "200 with '<html>Please wait', which is no JSON", 1),
    "a list": (Said(200, "[]"), "'\\[\\]', which is no JSON", 1),
    "500": (Said(500, "<html>Oops"), "the server answers 500 with '<html>Oops'.*at attempt 3", 1),
    "503": (Said(503, "", {"Retry-After": "0"}), "the server answers 503.*at attempt 3", 1),
    "a day": (Said(503, "", {"Retry-After": "86400"}), "asks to wait 86400 s", 1),
    "lag": (
        Said(200, {"error": {"code": "maxlag", "info": "9 s lagged"}}, {"Retry-After": "0"}),
        "the wiki answers 'maxlag' \\(9 s lagged\\) at attempt 3", 1,
    ),
    "cut": (Said(200, '{"query":', {"Content-Length": "999999"}), "no answer from 127.0.0.1", 1),
    "broken gzip": (Said(200, b"no gzip", {"Content-Encoding": "gzip"}), "broken gzip", 1),
    "an unknown error": (
        Said(200, {"error": {"code": "odd", "info": "Very."}}), "the wiki answers 'odd' \\(Very.\\)", 2,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ENDINGS)
def test_an_api_that_cannot_be_read_ends_in_one_line(wiki, tmp_path, name):
    said, line, code = ENDINGS[name]
    quick = dataclasses.replace(QUICK, timeout=0.3)
    wiki.script = lambda path, params: said if path == wiki.place else None
    with pytest.raises(SlantError, match=line) as caught:
        crawl(f"{wiki.url}/w/api.php", tmp_path / "w.parquet", manners=quick)
    assert caught.value.exit_code == code
    assert "\n" not in str(caught.value)
    assert not inside(tmp_path)


@pytest.mark.parametrize("name", ["login", "disabled", "disabled, old", "401", "403", "503"])
def test_the_same_is_said_where_the_front_page_was_given(wiki, tmp_path, name):
    said, line, code = ENDINGS[name]
    wiki.script = lambda path, params: said if path == wiki.place else None
    with pytest.raises(SlantError, match=line.partition(" with")[0]) as caught:
        crawl(wiki.url, tmp_path / "w.parquet", manners=QUICK)
    assert caught.value.exit_code == code


def test_a_password_to_which_a_wiki_leads_on_and_a_token_stand_in_no_file(tmp_path):
    with serving(made_pages(2)) as wiki:
        there = f"{wiki.url.replace('//', '//me:hunter2@')}/wiki/Some_page?token=hunter2"
        wiki.script = lambda path, params: (
            Said(302, "", {"Location": there}) if path == "/a" else None
        )
        crawl(f"{wiki.url}/a?access_token=hunter2", tmp_path / "w.parquet", manners=QUICK,
              format="wikitext")  # fmt: skip
        assert read_source(tmp_path / "w.parquet")["api"] == f"{wiki.url}/w/api.php"
        wiki.front, wiki.place = "<html>A shop</html>", "/none"
        with pytest.raises(DataError, match=r"access_token=\[key\]") as refused:
            crawl(f"{wiki.url}/?access_token=hunter2", tmp_path / "v.parquet", manners=QUICK)
    assert "hunter2" not in str(refused.value)
    assert b"hunter2" not in (tmp_path / "w.parquet").read_bytes()


def test_no_server_no_host_and_no_wiki_are_told_apart(tmp_path, monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(WorkFailed, match=r"no answer from 127.0.0.1 \(Connection refused\)"):
        crawl(closed, tmp_path / "w.parquet", manners=QUICK)

    def unknown(*_args, **_more):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    with monkeypatch.context() as patched:
        patched.setattr(socket, "getaddrinfo", unknown)
        patched.setenv("no_proxy", "*")
        with pytest.raises(WorkFailed, match=r"from no.invalid \(Name or service not known\)"):
            crawl("no.invalid", tmp_path / "w.parquet", manners=QUICK)
    with serving({}) as wiki:
        wiki.front, wiki.place = "<html>A shop</html>", "/none"
        with pytest.raises(DataError, match=r"no MediaWiki is there\. Check"):
            crawl(wiki.url, tmp_path / "w.parquet", manners=QUICK)
        with pytest.raises(DataError, match=r"no MediaWiki is there \(the server answers 404\)"):
            crawl(f"{wiki.url}/nothing", tmp_path / "w.parquet", manners=QUICK)
    for address in ("http://me:hunter2@a.example", "http://hunter2@a.example/w/api.php"):
        with pytest.raises(DataError, match=r"a name or password of a\.example") as refused:
            crawl(address, tmp_path / "w.parquet", manners=QUICK)
        assert "hunter2" not in str(refused.value)
    for address in ("ftp://a.example", "https://", "a b", "http://[::1", "http://a:x"):
        with pytest.raises(DataError, match="it is none of the web"):
            crawl(address, tmp_path / "w.parquet", manners=QUICK)


def test_a_wiki_without_pages_is_an_error(tmp_path):
    with serving({}) as wiki, pytest.raises(DataError, match="the wiki lists no content page"):
        crawl(wiki.url, tmp_path / "w.parquet", manners=QUICK)
    assert not inside(tmp_path)


def test_robots_are_obeyed_unless_someone_of_the_wiki_allowed_it(wiki, tmp_path):
    wiki.robots = "User-agent: *\nDisallow: /w/\n"
    line = "robots.txt of 127.0.0.1 forbids it"
    for address in ("", "/w/api.php"):
        with pytest.raises(DataError, match=line):
            crawl(wiki.url + address, tmp_path / "w.parquet", manners=QUICK)
    assert not [one for one in wiki.asked if one["path"] == wiki.place]
    allowed = dataclasses.replace(QUICK, allowed_by="Jo Doe")
    assert crawl(wiki.url, tmp_path / "w.parquet", manners=allowed).pages == 10
    wiki.robots = "User-agent: *\nDisallow: /w/\nAllow: /w/api.php?action="
    assert crawl(wiki.url, tmp_path / "v.parquet", manners=QUICK).pages == 10


def test_a_crawl_delay_and_a_pause_stand_between_requests(tmp_path):
    with serving(made_pages(3)) as wiki:
        for delay, pause, least in ((0.1, 0.0, 0.1), (0.0, 0.15, 0.15), (0.1, 0.15, 0.15)):
            wiki.robots = f"User-agent: slant\nCrawl-delay: {delay}"
            times = []
            wiki.script = lambda path, params, times=times: times.append(time.monotonic())
            manners = dataclasses.replace(QUICK, pause=pause)
            crawl(wiki.url, tmp_path / f"{pause}{delay}.parquet", manners=manners)
            assert min(b - a for a, b in itertools.pairwise(times)) > least - 0.02


@pytest.mark.parametrize("kind", ["503", "503 by a date", "429", "maxlag", "dropped", "not JSON"])
def test_a_busy_wiki_is_asked_again_after_the_time_it_wants(wiki, tmp_path, kind):
    busy = {
        "503": lambda: Said(503, "busy", {"Retry-After": "1"}),
        "503 by a date": lambda: Said(
            503, "busy", {"Retry-After": formatdate(time.time() + 2, usegmt=True)}
        ),
        "429": lambda: Said(429, "slow down", {"Retry-After": "1"}),
        "maxlag": lambda: Said(
            200, {"error": {"code": "maxlag", "info": "lagged"}}, {"Retry-After": "1"}
        ),
        "dropped": lambda: Said(200, '{"par', {"Content-Length": "999"}),
        "not JSON": lambda: Said(200, "<html>Checking your browser"),
    }
    times = []

    def script(path, params):
        if params.get("pageid") == "10":
            times.append(time.monotonic())
            return busy[kind]() if len(times) == 1 else None
        return None

    wiki.script = script
    heard = []
    done = crawl(
        wiki.url, tmp_path / "w.parquet",
        manners=dataclasses.replace(QUICK, timeout=0.3), progress=lambda *told: heard.append(told),
    )  # fmt: skip
    assert done.pages == 10
    assert texts(tmp_path / "w.parquet") == expected(wiki.pages)
    waits = [what for _, _, what in heard if what.startswith("waiting")]
    assert len(times) == 2
    assert len(waits) == 1
    if kind not in {"dropped", "not JSON"}:
        assert times[1] - times[0] > 0.95
        assert waits[0].startswith(("waiting 1 s", "waiting 2 s"))


def test_a_page_that_vanishes_or_becomes_a_redirect_is_left_out_and_told(wiki, tmp_path):
    def script(path, params):
        if params.get("pageid") == "1":
            del wiki.pages[10]
            wiki.pages[13] = wiki.pages[13]._replace(redirect=True)
            wiki.pages[16] = wiki.pages[16]._replace(revision=161, text="A newer text.")

    wiki.script = script
    done = crawl(wiki.url, tmp_path / "w.parquet", manners=QUICK)
    assert set(done.left_out) == {10, 13}
    assert "There is no page with ID 10" in done.left_out[10]
    assert "redirect" in done.left_out[13]
    found = texts(tmp_path / "w.parquet")
    assert len(found) == 8
    assert found[16] == ("Title 16", 161, "A newer text.")


@pytest.mark.parametrize("format_", ["html", "wikitext"])
def test_a_page_that_breaks_the_wiki_is_left_out_and_the_others_come(wiki, tmp_path, format_):
    def script(path, params):
        ids = params.get("pageid") or params.get("pageids") or ""
        return Said(500, "<html>Out of memory") if "10" in ids.split("|") else None

    wiki.script = script
    done = crawl(wiki.url, tmp_path / "w.parquet", format=format_, manners=QUICK)
    assert list(done.left_out) == [10]
    assert "the server answers 500" in done.left_out[10]
    assert len(texts(tmp_path / "w.parquet")) == 9


def test_an_answer_that_is_too_large_leaves_its_page_out(wiki, tmp_path):
    wiki.pages[10] = wiki.pages[10]._replace(text="a" * 1_000_000)  # a thousandth of it, packed
    small = dataclasses.replace(QUICK, largest=100_000)
    done = crawl(wiki.url, tmp_path / "w.parquet", manners=small)
    assert list(done.left_out) == [10]
    assert "more than 100,000 bytes" in done.left_out[10]


def test_a_wiki_that_refuses_page_after_page_ends_the_crawl(tmp_path, monkeypatch):
    monkeypatch.setattr(fetching, "REFUSED_IN_A_ROW", 4)
    denied = {"error": {"code": "permissiondenied", "info": "Not you."}}
    with serving(made_pages(10)) as wiki:
        wiki.script = lambda path, params: Said(200, denied) if "pageid" in params else None
        with pytest.raises(DataError, match=r"4 pages in a row are refused.*'permissiondenied'"):
            crawl(wiki.url, tmp_path / "w.parquet", manners=QUICK)
        assert len(wiki.asked_pages()) == 4


def test_a_list_that_goes_on_for_ever_is_an_error(wiki, tmp_path):
    again = {"query": {"pages": []}, "continue": {"gapcontinue": "A", "continue": "||"}}
    wiki.script = lambda path, params: Said(200, again) if "generator" in params else None
    with pytest.raises(WorkFailed, match="goes on at the same place"):
        crawl(wiki.url, tmp_path / "w.parquet", manners=QUICK)


def test_the_next_crawl_asks_for_changed_and_new_pages_only(wiki, tmp_path):
    out = tmp_path / "w.parquet"
    crawl(wiki.url, out, manners=QUICK)
    wiki.asked.clear()
    assert crawl(wiki.url, out, manners=QUICK).kept == 10
    assert not wiki.asked_pages()
    wiki.pages[4] = wiki.pages[4]._replace(revision=41, text="Changed.")
    wiki.pages[99] = Made("New", 990, "New.")
    del wiki.pages[7], wiki.pages[28]
    done = crawl(wiki.url, out, manners=QUICK)
    assert wiki.asked_pages() == [4, 99]
    assert (done.pages, done.asked, done.kept, done.dropped) == (9, 2, 7, 2)
    assert texts(out) == expected(wiki.pages)
    # It is the file that a crawl from nothing writes.
    crawl(wiki.url, tmp_path / "anew.parquet", manners=QUICK)
    assert out.read_bytes() == (tmp_path / "anew.parquet").read_bytes()


def test_a_sample_asks_for_its_own_pages_only_and_can_grow(wiki, tmp_path):
    out = tmp_path / "w.parquet"
    ids = list(map(str, wiki.pages))
    crawl(wiki.url, out, sample_size=3, seed=5, manners=QUICK)
    first = sorted(map(int, sample(ids, 3, 5)))
    assert sorted(texts(out)) == first == wiki.asked_pages()
    assert read_source(out)["sample"] == 3
    wiki.asked.clear()
    crawl(wiki.url, out, sample_size=5, seed=5, manners=QUICK)
    assert len(wiki.asked_pages()) == 2
    assert sorted(texts(out)) == sorted(map(int, sample(ids, 5, 5)))


def test_an_output_of_something_else_is_not_touched_but_with_fresh(wiki, tmp_path):
    out = tmp_path / "w.parquet"
    crawl(wiki.url, out, manners=QUICK)
    with pytest.raises(RunError, match="format: html there, wikitext asked"):
        crawl(wiki.url, out, format="wikitext", manners=QUICK)
    out.write_bytes(b"my own")
    with pytest.raises(RunError, match=r"no whole file of pages.*--fresh"):
        crawl(wiki.url, out, manners=QUICK)
    assert out.read_bytes() == b"my own"
    assert inside(tmp_path) == ["w.parquet"]
    assert crawl(wiki.url, out, format="wikitext", manners=QUICK, fresh=True).pages == 10


def broken_off(wiki, out, after):
    """A crawl whose wiki dies when `after` pages have come."""
    asked = []

    def script(path, params):
        asked.append(params.get("pageid"))
        return Said(503, "") if sum(map(bool, asked)) > after else None

    wiki.script = script
    with pytest.raises(WorkFailed, match="it goes on where it stopped"):
        crawl(wiki.url, out, manners=QUICK)
    wiki.script = lambda path, params: None
    wiki.asked.clear()


def test_the_parts_of_another_crawl_are_not_gone_on_with(wiki, tmp_path):
    out = tmp_path / "w.parquet"
    broken_off(wiki, out, 4)
    with pytest.raises(RunError, match="sample: None there, 3 asked"):
        crawl(wiki.url, out, sample_size=3, manners=QUICK)
    assert crawl(wiki.url, out, sample_size=3, manners=QUICK, fresh=True).pages == 3


def test_a_journal_that_is_cut_at_any_byte_is_gone_on_with(wiki, tmp_path):
    whole, out = tmp_path / "whole.parquet", tmp_path / "w.parquet"
    crawl(wiki.url, whole, manners=QUICK)
    broken_off(wiki, out, 4)
    folder = tmp_path / ".w.parquet.crawl"
    pages, listed = ((folder / name).read_bytes() for name in ("pages.jsonl", "listed.jsonl"))
    asked = (folder / "asked.json").read_bytes()
    draw = random.Random(1)
    for at in [0, len(pages), *(draw.randrange(len(pages)) for _ in range(6))]:
        folder.mkdir(exist_ok=True)
        (folder / "asked.json").write_bytes(asked)
        (folder / "pages.jsonl").write_bytes(pages[:at])
        cut = listed if at % 2 else listed[: draw.randrange(len(listed))]
        (folder / "listed.jsonl").write_bytes(cut)
        wiki.asked.clear()
        out.unlink(missing_ok=True)
        assert crawl(wiki.url, out, manners=QUICK).pages == 10
        came = pages[:at].count(b"\n")
        assert wiki.asked_pages() == sorted(wiki.pages)[came:]
        assert wiki.lists() == 3 - cut.count(b"\n")
        assert out.read_bytes() == whole.read_bytes()


def test_a_kill_around_the_last_write_asks_for_nothing_again(wiki, tmp_path, monkeypatch):
    whole, out = tmp_path / "whole.parquet", tmp_path / "w.parquet"
    crawl(wiki.url, whole, manners=QUICK)

    def killed(*_args):
        raise KeyboardInterrupt

    for name in ("write_pages", "Journal.end"):  # before the file is there, and after
        wiki.asked.clear()
        with monkeypatch.context() as patched:
            patched.setattr(f"slant.wikis.crawl.{name}", killed)
            with pytest.raises(KeyboardInterrupt):
                crawl(wiki.url, out, manners=QUICK)
        assert out.exists() == (name == "Journal.end")
        crawl(wiki.url, out, manners=QUICK)
        assert wiki.asked_pages() == sorted(wiki.pages)
        assert wiki.lists() == 3
        assert out.read_bytes() == whole.read_bytes()
        out.unlink()


def test_two_processes_do_not_crawl_into_one_file(wiki, tmp_path):
    out = tmp_path / "w.parquet"
    held, go = threading.Event(), threading.Event()

    def script(path, params):
        if params.get("pageid") == "4":
            held.set()
            go.wait(10)

    wiki.script = script
    first = threading.Thread(target=crawl, args=(wiki.url, out), kwargs={"manners": QUICK})
    first.start()
    held.wait(10)
    with pytest.raises(RunError, match="another process does so"):
        crawl(wiki.url, out, manners=QUICK)
    go.set()
    first.join()
    assert len(texts(out)) == 10


CRAWL = """
import sys
from scriptedwiki import QUICK
from slant.wikis.crawl import crawl
from pathlib import Path
print(crawl(sys.argv[1], Path(sys.argv[2]), manners=QUICK).pages)
"""


def test_a_crawl_killed_at_random_moments_ends_with_the_same_file(tmp_path):
    pages = made_pages(60)
    with serving(pages) as wiki:
        wiki.limit = 20
        crawl(wiki.url, tmp_path / "whole.parquet", manners=QUICK)
        wiki.asked.clear()
        out, draw = tmp_path / "w.parquet", random.Random()
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        # Answers, counted from the first of the kind, at which the process is killed: at once, or
        # some milliseconds later, when the next request may be on its way.
        kills = [
            ("generator", 2),
            ("pageid", draw.randrange(1, 20)),
            ("pageid", draw.randrange(1, 35)),
        ]
        for kind, at in [*kills, ("", 0)]:
            with subprocess.Popen(
                [sys.executable, "-c", CRAWL, wiki.url, str(out)],
                env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            ) as process:  # fmt: skip
                seen = []

                def after(path, params, kind=kind, at=at, seen=seen, process=process):
                    seen.append(kind in params)
                    if kind and seen[-1] and sum(seen) == at:
                        time.sleep(draw.random() / 20)
                        process.send_signal(signal.SIGKILL)

                wiki.after = after
                printed, said = process.communicate(timeout=60)
                assert process.returncode == (-signal.SIGKILL if kind else 0), said
        assert printed.split() == ["60"]
        assert out.read_bytes() == (tmp_path / "whole.parquet").read_bytes()
        # A request that the kill met on its way is the one that must be sent again.
        asked = wiki.asked_pages()
        assert sorted(set(asked)) == sorted(pages)
        assert len(asked) - len(pages) <= sum(kind == "pageid" for kind, _ in kills)
        assert wiki.lists() <= 3 + 1


def test_what_the_journal_holds_is_plain_json(wiki, tmp_path):
    broken_off(wiki, tmp_path / "w.parquet", 2)
    lines = (tmp_path / ".w.parquet.crawl" / "pages.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == [1, 4]


@pytest.mark.parametrize("content", ["null", '"x"', "[1]", "{}", "["])
def test_a_journal_of_odd_json_is_of_another_crawl_or_not_there(tmp_path, content):
    from slant.wikis.journal import Journal

    kept = Journal(tmp_path / "out.parquet")
    kept.folder.mkdir()
    (kept.folder / "asked.json").write_text(content)
    with pytest.raises(RunError, match="something else"):
        kept.begin({"sample": 3})
    for name in ("listed.jsonl", "pages.jsonl"):
        (kept.folder / name).write_text(f"{content}\n")
    assert (list(kept.listings()), list(kept.pages()), kept.known()) == ([], [], {})


@pytest.mark.parametrize(
    "query",
    ["b", [], {"pages": "x"}, {"pages": ["x"]}, {"pages": [{"pageid": 3, "revisions": [1]}]}],
)
def test_an_answer_that_is_built_as_none_is_one_clear_error(query):
    import contextlib

    from slant.errors import SlantError
    from slant.wikis.api import content_pages, page_wikitexts

    class Odd:
        url = "https://w.example/api.php"

        def ask(self, **params):
            return {"query": query}

    for ask in (lambda: page_wikitexts(Odd(), [3]), lambda: next(content_pages(Odd(), 0))):
        with contextlib.suppress(SlantError):
            ask()
