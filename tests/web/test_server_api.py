"""The JSON API of a real server."""

import http.client
import http.server
import io
import json
import re
import socket
import threading

import polars as pl
import pytest
from served import TEXT, Served, multipart, until

from slant.report.analysispage import write_analysis
from slant.runs.analysing import analyse, analysed_now
from slant.runs.analysisfolder import ANALYSES
from slant.web.settings import Limits, Settings

TABLE = "text,outlet\n" + "".join(
    f'"{TEXT.strip()} Number {i} of all.",O{i % 2}\n' for i in range(20)
)


def test_a_text_gives_what_the_command_gives_number_by_number(served, tmp_path):
    found = served.done(served.post({"text": TEXT, "language": "en"}))
    (tmp_path / "a.txt").write_text(TEXT)
    (expected,) = json.loads(json.dumps(analysed_now([str(tmp_path / "a.txt")], language="en")))
    (result,) = found["result"]
    assert result["sentences"] == expected["sentences"]
    assert result["profile"] == expected["profile"]
    assert result["detectors"] == expected["detectors"]
    # “We will crush them,” is quoted; of the two others the counts are those of the page.
    assert sum(sum(one.values()) for one in found["verdicts"].values()) == 2


def test_a_table_gives_the_files_of_the_command_byte_by_byte(served, tmp_path, monkeypatch):
    found = served.done(served.upload("news.csv", TABLE.encode(), language="en"))
    (tmp_path / "news.csv").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    command = "slant analyze news.csv --out report --language en"
    done = analyse(["news.csv"], "report", language="en", jobs=1, command=command)
    assert (
        (found["articles"], found["sentences"]) == (done["articles"], done["sentences"]) == (20, 80)
    )
    assert found["signature"] == done["signature"]
    own = f"/analyses/{found['id']}"
    for name in (ANALYSES, "sentences.csv", "sentences.parquet", "groups.csv", "comparison.json"):
        assert served.get(f"{own}/{name}").body == (tmp_path / "report" / name).read_bytes()
    # The pages differ in the link to the list of analyses alone.
    pages = write_analysis(tmp_path / "report", home="/")
    for page in (pages[0], pages[7]):
        name = page.relative_to("report" if not page.is_absolute() else tmp_path / "report")
        assert served.get(f"{own}/{name}").text == page.read_text()


def test_sentences_are_given_as_csv_and_parquet(served):
    found = served.done(served.post({"text": TEXT, "language": "en"}))
    csv = served.get(f"/api/v1/analyses/{found['id']}/sentences.csv")
    parquet = served.get(f"/api/v1/analyses/{found['id']}/sentences.parquet")
    assert csv.headers["content-type"] == "text/csv; charset=utf-8"
    assert "sentences.csv" in csv.headers["content-disposition"]
    frame = pl.read_parquet(io.BytesIO(parquet.body))
    assert frame["text"].to_list() == pl.read_csv(csv.body)["text"].to_list()
    assert len(frame) == 3


def test_every_table_that_a_page_offers_is_given_by_the_api(served):
    # Two outlets of 10 articles each; the one-article analysis has neither groups nor events.
    many = served.done(served.upload("news.csv", TABLE.encode(), language="en"))
    one = served.done(served.post({"text": TEXT, "language": "en"}))
    for found, offered in ((many, 8), (one, 4)):
        page = served.get(f"/analyses/{found['id']}/report.html").text
        links = re.findall(r'href="([a-z]+\.(?:csv|parquet))"', page)
        assert len(set(links)) == offered
        for name in links:
            answer = served.get(f"/api/v1/analyses/{found['id']}/{name}")
            assert answer.status == 200
            assert name in answer.headers["content-disposition"]
            assert answer.body == served.get(f"/analyses/{found['id']}/{name}").body
    groups = served.get(f"/api/v1/analyses/{many['id']}/groups.csv").text
    assert "O0" in groups
    assert "O1" in groups


@pytest.mark.parametrize("name", ["groups.csv", "groups.parquet", "events.csv", "events.parquet"])
def test_tables_of_several_articles_are_not_there_for_one(served, name):
    found = served.done(served.post({"text": TEXT, "language": "en"}))
    answer = served.get(f"/api/v1/analyses/{found['id']}/{name}")
    assert answer.status == 404
    assert answer.json["found"] == "it holds one article, and these are of several"
    assert answer.json["do"] == "Ask for sentences or profiles"


def test_the_history_lists_the_latest_first_and_forgets_what_is_deleted(store):
    with Served() as own:
        first = own.done(own.post({"text": "The first text.", "language": "en"}))
        second = own.done(own.post({"text": "The second text.", "language": "en"}))
        listed = own.get("/api/v1/analyses").json
        assert [one["title"] for one in listed["analyses"]] == [
            "The second text.",
            "The first text.",
        ]
        assert own.get("/api/v1/analyses?limit=1&offset=1").json["analyses"][0]["id"] == first["id"]
        path = f"/api/v1/analyses/{second['id']}"
        assert own.call("DELETE", path).status == 204
        assert own.get(path).status == own.call("DELETE", path).status == 404
        assert own.call("DELETE", "/api/v1/analyses").status == 204
        assert own.get("/api/v1/analyses").json == {"total": 0, "analyses": []}


def test_the_first_page_shows_the_kinds_and_the_card_as_the_page_of_an_analysis_does(served):
    found = served.done(served.post({"text": TEXT, "language": "en"}))
    of_server = served.get("/")
    assert of_server.status == 200
    of_analysis = served.get(f"/analyses/{found['id']}/report.html").text
    section = re.compile(r'<section id="detectors".*?</section>', re.S)
    own, other = section.search(of_server.text)[0], section.search(of_analysis)[0]
    assert own == other
    assert own.count("<table") >= 2


def test_every_page_is_there(served):
    failed = served.done(served.upload("a.pdf", b"%PDF-1.7 and no more"))
    long = served.post({"text": TEXT * 3_000, "language": "en"}).json["id"]
    for path, status, said in (
        ("/", 200, "Paste a text"),
        ("/?page=7", 200, "Paste a text"),
        ("/api", 200, "profiles.parquet"),
        (f"/analyses/{long}", 200, "<progress"),
        (f"/analyses/{failed['id']}", 200, "Start again"),
        ("/absent", 404, "there is nothing"),
    ):
        answer = served.get(path)
        assert (path, answer.status) == (path, status)
        assert said in answer.text
    served.call("DELETE", f"/api/v1/analyses/{long}")


def test_detectors_come_with_their_f1_and_card(served):
    (one,) = served.get("/api/v1/detectors").json["detectors"]
    assert one["name"].startswith("open-light")
    assert one["f1"]["low"] < one["f1"]["value"] < one["f1"]["high"]
    assert one["measured"]
    assert one["card"] or one["card_text"]
    kinds = one["kinds"]
    assert kinds
    assert all("value" in kind["f1"] for kind in kinds)


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b"{", 400, "JSON"),
        (b"", 400, "JSON"),
        (b"\xff\xfe", 400, ""),
        (b"[" * 100_000, 400, ""),
        (b"[]", 422, ""),
        (b"{}", 422, "names nothing"),
        ({"text": ""}, 422, "at least 1"),
        ({"text": " \n"}, 422, "is empty"),
        ({"text": 5}, 422, "text"),
        ({"text": "a", "address": "https://a.org"}, 422, "both"),
        ({"text": "a", "more": 1}, 422, "more"),
        ({"text": "a", "language": "English"}, 422, "language"),
        ({"text": "a", "language": "zzz"}, 422, "ISO 639-1"),
        ({"text": "a", "language": "xx"}, 422, "ISO 639-1"),
        ({"text": "a", "language": "eng"}, 422, "ISO 639-1"),
        ({"text": "a", "language": "sw"}, 202, ""),
        ({"address": "ftp://a.org"}, 422, "no address"),
        ({"address": "file:///etc/passwd"}, 422, "no address"),
        (b'{"text": "\\ud800"}', 400, ""),
        ({"text": "%PDF-1.7"}, 202, ""),
        ({"text": "\x89PNG"}, 202, ""),
    ],
)
def test_a_body_is_taken_or_refused_with_what_to_do(served, body, status, said):
    answer = served.post(body)
    assert answer.status == status
    if status != 202:
        assert list(answer.json) == ["asked", "found", "do"]
        assert said in answer.json["found"]


def test_kinds_that_are_not_read_are_refused_at_once(served):
    for name, data in (
        ("a.png", b"\x89PNG\r\n"),
        ("a.doc", b"\xd0\xcf\x11\xe0"),
        ("x", b"\x7fELF"),
    ):
        answer = served.upload(name, data)
        assert answer.status == 415
        assert answer.json["do"]
    assert served.post(b"a", content_type="text/plain").status == 415
    assert served.post(b"a", content_type="application/x-www-form-urlencoded").status == 415


def test_what_cannot_be_read_fails_with_the_sentence_of_the_command(served):
    found = served.done(served.upload("a.pdf", b"%PDF-1.7 and no more"))
    assert found["state"] == "failed"
    assert found["error"]["asked"] == "Reading 'a.pdf'"
    assert found["error"]["do"]
    assert found["progress"] is None
    assert served.get(f"/api/v1/analyses/{found['id']}/sentences.csv").status == 409
    page = served.get(f"/analyses/{found['id']}")
    assert "Start again" in page.text
    again = served.call("POST", f"/api/v1/analyses/{found['id']}/start")
    assert served.done(again)["state"] == "failed"


def test_a_done_analysis_cannot_be_started_again(served):
    found = served.done(served.post({"text": TEXT, "language": "en"}))
    answer = served.call("POST", f"/api/v1/analyses/{found['id']}/start")
    assert (answer.status, answer.json["found"]) == (409, "it is done")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/v1/analyses/absent", 404),
        ("GET", "/api/v1/analyses/%00%ff", 404),
        ("GET", "/api/v1/nothing", 404),
        ("PUT", "/api/v1/analyses", 405),
        ("GET", "/api/v1/analyses?limit=0", 422),
        ("GET", "/api/v1/analyses?limit=x", 422),
        ("GET", f"/api/v1/analyses?offset={2**70}", 422),
        ("POST", "/api/v1/analyses/absent/start", 404),
    ],
)
def test_what_is_not_there_is_said_as_json(served, method, path, status):
    answer = served.call(method, path)
    assert answer.status == status
    assert set(answer.json) == {"asked", "found", "do"}


def test_openapi_names_every_operation_and_the_page_needs_nothing_else(served):
    told = served.get("/api/openapi.json").json
    asked = {(method, path) for path, one in told["paths"].items() for method in one}
    assert asked == {
        ("post", "/api/v1/analyses"), ("get", "/api/v1/analyses"), ("delete", "/api/v1/analyses"),
        ("get", "/api/v1/analyses/{id}"), ("delete", "/api/v1/analyses/{id}"),
        ("post", "/api/v1/analyses/{id}/start"), ("get", "/api/v1/detectors"),
        *(("get", f"/api/v1/analyses/{{id}}/{name}{ending}")
          for name in ("sentences", "profiles", "groups", "events")
          for ending in (".csv", ".parquet")),
    }  # fmt: skip
    assert len(
        {one["operationId"] for some in told["paths"].values() for one in some.values()}
    ) == len(asked)
    post = told["paths"]["/api/v1/analyses"]["post"]
    assert set(post["requestBody"]["content"]) == {"application/json", "multipart/form-data"}
    assert {"202", "413", "415", "429"} <= set(post["responses"])
    page = served.get("/api").text
    assert all(path in page for _, path in asked)
    assert "https://" not in page.replace("https://example", "")


class _Moves(http.server.BaseHTTPRequestHandler):
    """A page at /page; every other path leads to where its query says."""

    def do_GET(self):
        if self.path == "/page":
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(
                f"<html><body><article><p>{TEXT * 3}</p></article></body></html>".encode()
            )
            return
        self.send_response(302)
        self.send_header("Location", self.path.partition("?")[2])
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def moves():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Moves) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize(
    "address",
    ["http://127.0.0.1:{port}/page", "http://localhost:{port}/page", "http://2130706433:{port}/page",
     "http://[::1]:{port}/page", "http://10.0.0.1/", "http://169.254.169.254/latest/meta-data/"],
)  # fmt: skip
def test_addresses_of_private_networks_are_refused_at_once(served, moves, address):
    before = served.get("/api/v1/analyses").json["total"]
    answer = served.post({"address": address.format(port=moves.rpartition(":")[2])})
    assert answer.status == 422
    assert "is not public" in answer.json["found"]
    assert served.get("/api/v1/analyses").json["total"] == before


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("https://me:hunter2@example.org/a", "name or password"),
        ("https://me@example.org/a", "name or password"),
        ("https://me:hunter2@10.0.0.1/", "name or password"),
        ("https://example.org/a?api_key=hunter2", "or a key"),
        ("https://", "only addresses"),
        ("https:///a", "only addresses"),
        ("http://[broken/", "no address"),
        ("http://a.org:99999/", "no address"),
        ("http://a.org:x/", "no address"),
        ("http://a.org:25/", "port 25"),
        ("http://a b.org/", "white space"),
        (f"http://{'a' * 64}.org/", "no address"),
    ],
)
def test_an_address_that_can_be_none_is_refused_and_nothing_of_it_is_kept(
    served, monkeypatch, address, said
):
    looked_up = []
    system = socket.getaddrinfo

    def numbers_alone(host, *more, flags=0, **options):
        if not flags & socket.AI_NUMERICHOST:
            looked_up.append(host)
        return system(host, *more, flags=flags, **options)

    before = served.get("/api/v1/analyses").json["total"]
    mark = served.mark
    body, media = multipart({"mark": mark, "address": address})
    own = http.client.HTTPConnection("127.0.0.1", served.port, timeout=30)
    own.connect()
    monkeypatch.setattr(socket, "getaddrinfo", numbers_alone)
    own.request("POST", "/analyses", body, {"content-type": media})
    answer = own.getresponse()
    page = answer.read().decode()
    own.close()
    monkeypatch.undo()
    assert answer.status == 422
    assert looked_up == []
    told = served.post({"address": address})
    assert told.status == 422
    assert said in told.json["found"]
    assert "hunter2" not in told.text + page
    assert "hunter2" not in served.get("/").text
    assert served.get("/api/v1/analyses").json["total"] == before


@pytest.fixture(scope="module")
def near(store):
    """A server that may fetch from this machine, so that a redirect from it can be looked at."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLANT_CACHE", str(store))
        with Served(Settings(jobs=1, loopback=True)) as one:
            yield one


def test_an_address_that_leads_to_a_private_network_is_refused(near, moves):
    for there in ("http://10.0.0.1/", "http://169.254.169.254/", "http://192.168.1.1:8080/a"):
        found = near.done(near.post({"address": f"{moves}/go?{there}"}))
        assert found["state"] == "failed"
        assert "is not public" in found["error"]["found"]


def test_an_address_is_read_and_called_by_its_title_or_itself(near, moves):
    found = near.done(near.post({"address": f"{moves}/page", "language": "en"}))
    assert found["state"] == "done", found["error"]
    assert found["sentences"] == 9
    assert found["kind"] == "address"


def test_too_many_at_once_are_asked_to_come_again(store):
    with Served(Settings(jobs=1, limits=Limits(waiting=2))) as own:
        long = {"text": TEXT * 2_000, "language": "en"}
        own.post(long)
        until(lambda: own.get("/api/v1/analyses").json["analyses"][0]["state"] == "working")
        taken = [own.post({"text": TEXT}).status for _ in range(2)]
        assert taken == [202, 202]
        answer = own.post({"text": TEXT})
        assert answer.status == 429
        assert int(answer.headers["retry-after"]) > 0
        # The server answers while it works, and stops what is deleted.
        working = own.get("/api/v1/analyses").json["analyses"][-1]
        assert working["progress"]["says"]
        assert own.call("DELETE", "/api/v1/analyses").status == 204
        assert own.done(own.post({"text": TEXT, "language": "en"}))["state"] == "done"
