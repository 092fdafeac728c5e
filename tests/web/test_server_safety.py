"""What a foreign page, a stranger and a hungry text can do to a server: nothing."""

import http.client
import os
import signal
import sqlite3
import time

import pytest
from served import TEXT, Served, multipart, until

from slant.errors import DataError, OptionError
from slant.web.history import History
from slant.web.serving import listening
from slant.web.settings import MEGABYTE, Limits, Settings

TOKEN = "a-token-of-this-test"


@pytest.fixture(scope="module")
def closed(store):
    """A server that asks for a token."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLANT_CACHE", str(store))
        with Served(token=TOKEN) as one:
            yield one


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:8421", "192.168.1.5", "", "[::2]", "127.0.0.1@evil.example"])  # fmt: skip
def test_a_foreign_name_that_means_this_machine_is_refused(served, host):
    assert served.get("/", host=host).status == 403
    assert served.get("/api/v1/analyses", host=host).json["do"]


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1:9", "[::1]:8421"])
def test_names_of_this_machine_pass_whatever_the_port(served, host):
    assert served.get("/", host=host).status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"origin": "http://[broken"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
    ],
)
def test_a_foreign_page_can_change_nothing(served, headers):
    before = served.get("/api/v1/analyses").json["total"]
    assert served.post({"text": TEXT}, **headers).status == 403
    assert served.call("DELETE", "/api/v1/analyses", **headers).status == 403
    body, media = multipart({"mark": served.mark, "text": TEXT})
    assert served.call("POST", "/analyses", body, content_type=media, **headers).status == 403
    assert served.get("/api/v1/analyses").json["total"] == before


def test_a_form_without_the_mark_of_the_page_is_refused(served):
    for mark in ({}, {"mark": "0" * 64}, {"mark": ("a", b"b")}):
        body, media = multipart({**mark, "text": TEXT})
        assert served.call("POST", "/analyses", body, content_type=media).status == 403
        assert served.call("POST", "/delete-all", body, content_type=media).status == 403


def test_a_form_of_the_own_page_is_taken_and_leads_to_its_analysis(served):
    own = f"http://127.0.0.1:{served.port}"
    body, media = multipart({"mark": served.mark, "text": TEXT, "file": ("", b""), "address": "", "language": "en"})  # fmt: skip
    answer = served.call("POST", "/analyses", body, content_type=media, origin=own, sec_fetch_site="same-origin")  # fmt: skip
    assert answer.status == 303
    where = answer.headers["location"]
    until(lambda: served.get(where).status == 303, "the analysis to end")
    assert served.get(where).headers["location"] == f"{where}/report.html"
    page = served.get(f"{where}/report.html")
    assert "thugs" in page.text
    # The only script that may run is the one whose digest the page named before any text.
    digest = page.text.partition("script-src '")[2].partition("'")[0]
    assert f"script-src '{digest}'" in page.headers["content-security-policy"]


def test_two_things_at_once_are_refused(served):
    answer = served.send("/analyses", text="A text.", address="https://example.org/")
    assert answer.status == 422
    assert "it holds a text and an address" in answer.text


def test_every_answer_forbids_foreign_origins_frames_and_guessing(served):
    for path in ("/", "/api", "/api/openapi.json", "/api/v1/detectors", "/absent", "/login"):
        headers = served.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "http" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in headers
    refused = served.get("/", host="evil.example").headers
    assert "frame-ancestors 'none'" in refused["content-security-policy"]


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": None},
        {"authorization": "Bearer"},
        {"authorization": f"Bearer {TOKEN}x"},
        {"authorization": f"Basic {TOKEN}"},
        {"authorization": "Bearer é"},
        {"cookie": f"slant={TOKEN}"},
    ],
)
def test_without_the_token_nothing_is_told(closed, headers):
    answer = closed.get("/api/v1/analyses", **headers)
    assert (answer.status, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert closed.post({"text": TEXT}, **headers).status == 401
    for path in ("/", "/api", "/api/openapi.json", "/analyses/a"):
        assert closed.get(path, **headers).status in {303, 401}
    assert TOKEN not in closed.get("/login", **headers).text
    assert closed.get(f"/api/v1/analyses?token={TOKEN}", **headers).status == 401


def test_the_token_gives_a_cookie_that_no_script_and_no_foreign_page_gets(closed):
    page = closed.get("/login", authorization=None)
    mark = page.text.partition('name="mark" value="')[2].partition('"')[0]

    def login(token):
        body, media = multipart({"mark": mark, "token": token})
        return closed.call("POST", "/login", body, content_type=media, authorization=None)

    assert login("another-token-of-this").status == 401
    answer = login(TOKEN)
    assert (answer.status, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert TOKEN not in cookie
    own = cookie.partition(";")[0]
    assert closed.get("/", cookie=own, authorization=None).status == 200
    assert closed.get("/", cookie=own + "0", authorization=None).status == 303


def test_a_stranger_may_send_no_more_than_a_token(closed):
    answer = closed.call("POST", "/login", b"a" * 200_000, content_type="text/plain", authorization=None)  # fmt: skip
    assert answer.status == 413


def test_with_another_host_a_token_is_made_and_names_of_the_machine_pass():
    with Served(host="0.0.0.0") as own:
        assert len(own.token) >= 32
        assert own.get("/", authorization=None).status == 303
        assert own.get("/", host="192.168.1.5:8421").status == 200
        assert own.get("/", host="evil.example").status == 403


def test_a_token_that_can_be_guessed_is_refused():
    for token in ("short", "a token with blanks in it", "é" * 20):
        with pytest.raises(OptionError, match="--token"):
            Served(token=token)


@pytest.fixture(scope="module")
def small(store):
    """A server that takes little."""
    limits = Limits(size=100_000, characters=5_000, sentences=50, articles=5, seconds=60)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLANT_CACHE", str(store))
        with Served(Settings(jobs=1, limits=limits)) as one:
            yield one


def test_too_many_bytes_are_refused_while_they_come(small):
    assert small.post({"text": "a" * 200_000}).status == 413
    assert small.upload("a.txt", b"a" * 120_000).status == 413
    # Nothing says how long it is: it is counted as it comes.
    line = http.client.HTTPConnection("127.0.0.1", small.port, timeout=30)
    line.request("POST", "/api/v1/analyses", iter([b"a" * 50_000] * 30), {"content-type": "application/json"}, encode_chunked=True)  # fmt: skip
    answer = line.getresponse()
    assert (answer.status, b"0.1 MB" in answer.read()) == (413, True)
    line.close()
    assert small.get("/").status == 200


@pytest.mark.parametrize(
    ("text", "what"),
    [("a" * 6_000, "5,000 characters"), ("Yes. " * 60, "50 sentences")],
)
def test_too_much_to_read_fails_with_the_limit(small, text, what):
    found = small.done(small.post({"text": text, "language": "en"}))
    assert what in found["error"]["found"]


def test_too_many_articles_fail_with_the_limit(small):
    table = "text\n" + "One sentence.\n" * 6
    found = small.done(small.upload("a.csv", table.encode(), language="en"))
    assert "5 articles" in found["error"]["found"]


def test_a_request_that_stops_in_the_middle_is_given_up(store):
    with Served(Settings(jobs=1, limits=Limits(silence=0.3))) as own:
        line = http.client.HTTPConnection("127.0.0.1", own.port, timeout=30)
        line.putrequest("POST", "/api/v1/analyses")
        line.putheader("content-type", "application/json")
        line.putheader("content-length", "1000")
        line.endheaders(b'{"text": ')
        assert line.getresponse().status == 408
        line.close()


@pytest.mark.parametrize("name", ["../../../etc/passwd", "..\\..\\boot.ini", "/etc/shadow", "a\x00b.txt", "con", ".", "é" * 300 + ".txt", "<script>.txt", "'\"; DROP TABLE analyses.txt"])  # fmt: skip
def test_the_name_of_a_file_is_never_a_path(served, tmp_path, name):
    found = served.done(served.upload(name, TEXT.encode(), language="en"))
    assert found["state"] == "done"
    origin = found["result"][0]["article"]["origin"]
    assert origin == found["name"]
    assert "/" not in origin
    assert "\\" not in origin
    assert len(origin) <= 120
    # The one script is the page's own.
    assert served.get("/").text.count("<script") == 1


@pytest.mark.parametrize(
    ("sent", "shown"),
    [("%22", '"'), ("said %22no%22.txt", 'said "no".txt'), ("50%25.txt", "50%25.txt")],
)
def test_a_quotation_mark_in_a_name_comes_back_as_one(served, sent, shown):
    # Browsers and curl send " as %22 and no other sign so.
    found = served.done(served.upload(sent, TEXT.encode(), language="en"))
    assert found["name"] == shown
    served.call("DELETE", f"/api/v1/analyses/{found['id']}")


@pytest.mark.parametrize("path", ["../../etc/passwd", "..%2f..%2fetc%2fpasswd", "/etc/passwd", "articles/../run.json", "triggers"])  # fmt: skip
def test_files_are_looked_up_by_name_in_the_history_alone(served, path):
    found = served.done(served.post({"text": TEXT, "language": "en"}))
    assert served.get(f"/analyses/{found['id']}/{path}").status == 404


def test_an_analysis_that_takes_too_long_is_stopped_and_the_next_one_works(store):
    with Served(Settings(jobs=1, limits=Limits(seconds=0.5))) as own:
        found = own.done(own.post({"text": TEXT * 5_000, "language": "en"}))
        assert "more than 0.5 s" in found["error"]["found"]


def test_an_analysis_that_takes_too_much_memory_fails_and_the_server_lives_on(store):
    # A short text takes about 130 MB; hundreds of thousands of sentences take more than 300.
    limits = Limits(memory=300 * MEGABYTE, size=60 * MEGABYTE, characters=10**9, sentences=10**9)
    with Served(Settings(jobs=1, limits=limits)) as own:
        found = own.done(own.upload("a.txt", b"Thugs came. " * 250_000, language="en"))
        assert found["state"] == "failed"
        assert "300 MB" in found["error"]["found"] or "memory" in found["error"]["found"]
        assert own.done(own.post({"text": TEXT, "language": "en"}))["state"] == "done"


def children(pid):
    """Processes of a process, by its threads."""
    found = []
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/children") as file:
            found += [int(one) for one in file.read().split()]
    return found


def test_a_process_that_is_killed_fails_its_analysis_alone(store):
    before = set(children(os.getpid()))
    with Served(Settings(jobs=1)) as own:
        (worker,) = set(children(os.getpid())) - before
        answer = own.post({"text": TEXT * 3_000, "language": "en"})
        until(lambda: own.get("/api/v1/analyses").json["analyses"][0]["state"] == "working")
        os.kill(worker, signal.SIGKILL)
        assert "was lost" in own.done(answer)["error"]["found"]
        assert own.done(own.post({"text": TEXT, "language": "en"}))["state"] == "done"
    assert set(children(os.getpid())) <= before


def test_what_a_server_did_not_finish_is_interrupted_and_can_be_started_again(store, tmp_path):
    path = tmp_path / "data" / "history.sqlite3"
    with Served(history=path) as own:
        done = own.done(own.post({"text": TEXT, "language": "en"}))
        own.post({"text": TEXT * 3_000, "language": "en"})
        own.post({"text": "It waits.", "language": "en"})
        until(lambda: own.get("/api/v1/analyses").json["analyses"][1]["state"] == "working")
        with pytest.raises(DataError, match="another server holds it"):
            History(path)
    assert path.stat().st_mode & 0o077 == 0
    with Served(history=path) as own:
        listed = own.get("/api/v1/analyses").json["analyses"]
        assert [one["state"] for one in listed] == ["interrupted", "interrupted", "done"]
        assert own.get(f"/api/v1/analyses/{done['id']}").json == done
        assert "Start again" in own.get(f"/analyses/{listed[0]['id']}").text
        answer = own.send(f"/analyses/{listed[0]['id']}/start")
        assert answer.status == 303
        until(lambda: own.get(answer.headers["location"]).status == 303)


def test_of_a_deleted_text_nothing_is_left_in_the_file(store, tmp_path):
    path = tmp_path / "history.sqlite3"
    with Served(history=path) as own:
        found = own.done(own.post({"text": f"{TEXT} Zebra.", "language": "en"}))
        with sqlite3.connect(path) as base:
            blobs = [row[0] for row in base.execute("SELECT content FROM files")]
        base.close()
        pieces = [one[i : i + 24] for one in blobs for i in range(40, len(one) - 24, 997)]
        raw = path.read_bytes() + path.with_name("history.sqlite3-wal").read_bytes()
        assert sum(piece in raw for piece in pieces) > 10
        own.send(f"/analyses/{found['id']}/delete")
        wal = path.with_name("history.sqlite3-wal")
        raw = path.read_bytes() + (wal.read_bytes() if wal.exists() else b"")
        assert not [piece for piece in pieces if piece in raw]


def test_without_history_no_file_is_written(store, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with Served() as own:
        own.done(own.post({"text": TEXT, "language": "en"}))
        assert "Nothing is kept" in own.get("/").text
    assert [one for one in tmp_path.rglob("*") if one.is_file()] == []


@pytest.mark.parametrize("content", [b"no database at all, but longer than a page" * 200, "other"])
def test_a_file_that_is_no_history_is_refused_and_kept(tmp_path, content):
    path = tmp_path / "a.sqlite3"
    if content == "other":
        with sqlite3.connect(path) as base:
            base.execute("CREATE TABLE mine (a)")
        base.close()
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    with pytest.raises(DataError, match="Opening the history"):
        History(path)
    assert path.read_bytes() == before


def test_a_port_that_is_taken_is_one_clear_error(served):
    with pytest.raises(OptionError, match="another program has the port"):
        listening("127.0.0.1", served.port)
    with pytest.raises(OptionError, match="none of this machine"):
        listening("203.0.113.7", 0)
    with pytest.raises(OptionError, match="none of this machine"):
        listening("no.such.host.invalid", 0)


def test_the_server_answers_while_it_works(served):
    answer = served.post({"text": TEXT * 3_000, "language": "en"})
    until(lambda: served.get("/api/v1/analyses").json["analyses"][0]["state"] == "working")
    longest = 0.0
    for _ in range(20):
        began = time.monotonic()
        assert served.get("/").status == 200
        longest = max(longest, time.monotonic() - began)
    served.call("DELETE", f"/api/v1/analyses/{answer.json['id']}")
    # The work itself takes many times as long.
    assert longest < 5
