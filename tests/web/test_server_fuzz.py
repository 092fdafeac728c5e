"""Anything sent to a server: an answer or a refusal that says what to do, never a fault."""

import http.client
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from served import TEXT, multipart

# starlette leaves the file that a damaged form began to the collector of garbage, which closes it
pytestmark = pytest.mark.filterwarnings("ignore:Unclosed file <tempfile.Spooled:ResourceWarning")

NAMES = ["a.txt", "a.html", "a.pdf", "a.docx", "a.csv", "a.tsv", "a.json", "a.jsonl", "a.parquet",
         "a.rss", "a.warc", "a.gz", "a.warc.gz", "a", "", "é\u202e.txt", "\x00", "../a"]  # fmt: skip
HEADS = [b"%PDF-1.7\n", b"PK\x03\x04", b"PAR1", b"\x1f\x8b\x08", b"WARC/1.0\r\n", b"<html><body>",
         b"<rss>", b"{", b"[", b'{"text": "', b"text,title\n", b"\xff\xfe", b"\xef\xbb\xbf", b""]  # fmt: skip
TYPES = ["application/json", "multipart/form-data", "multipart/form-data; boundary=0123456789abcdef",
         "multipart/form-data; boundary=", "multipart/form-data; boundary=x; charset=nonsense",
         "application/x-www-form-urlencoded", "text/plain", "", "a/b;;;=", "é"]  # fmt: skip
PATHS = ["/api/v1/analyses", "/analyses", "/login", "/delete-all", "/api/v1/analyses/a/start"]
FINE = {202, 303, 400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 429, 503}


def assert_a_clear_answer(served, answer):
    """Neither a fault of the server nor, once it is worked on, one of its process."""
    assert answer.status in FINE, (answer.status, answer.body)
    if answer.status == 202:
        found = served.done(answer)
        assert found["state"] in {"done", "failed"}
        if found["state"] == "failed":
            assert all(found["error"].values())
            for word in ("fault", "was lost"):
                assert word not in found["error"]["found"], found["error"]
        else:
            assert served.get(f"/analyses/{found['id']}/report.html").status == 200
        served.call("DELETE", f"/api/v1/analyses/{found['id']}")
    elif answer.headers.get("content-type", "").startswith("application/json"):
        assert all(answer.json.values())


def mutated(chance, data):
    """Bytes of which a few are others, are gone or come twice."""
    data = bytearray(data)
    for _ in range(chance.randrange(8)):
        at = chance.randrange(len(data) + 1)
        how = chance.randrange(3)
        if how == 0:
            data[at : at + 1] = bytes([chance.randrange(256)])
        elif how == 1:
            del data[at : at + chance.randrange(20)]
        else:
            data[at:at] = data[at : at + chance.randrange(200)]
    return bytes(data)


def random_bytes(chance):
    body = bytes(chance.randrange(256) for _ in range(chance.randrange(300)))
    return chance.choice(HEADS) + chance.choice([body, TEXT.encode() * 2, b""]) + chance.choice([b"", b"\n", body])  # fmt: skip


def one_try(served, chance):
    """Something of any kind, sent in any way."""
    name, data = chance.choice(NAMES), mutated(chance, random_bytes(chance))
    kind = chance.randrange(4)
    if kind == 0:
        more = {"language": chance.choice(["", "en", "EN", "xx", "é", "en\r\n"]),
                "text_column": chance.choice(["", "text", "t\x00", "é" * 130])}  # fmt: skip
        answer = served.upload(
            name, data, **{key: more[key] for key in more if chance.randrange(2)}
        )
    elif kind == 1:
        body, media = multipart({"mark": served.mark, "text": TEXT, "file": (name, data)})
        answer = served.call(
            "POST", chance.choice(PATHS), mutated(chance, body), content_type=media
        )
    elif kind == 2:
        body = mutated(
            chance, b'{"text": "One sentence. Two.", "language": "en", "text_column": null}'
        )
        answer = served.post(body)
    else:
        try:
            answer = served.call(chance.choice(["POST", "PUT", "DELETE", "GET"]), chance.choice(PATHS[:3]),
                                 data, content_type=chance.choice(TYPES).encode("latin-1").decode("latin-1"))  # fmt: skip
        except (http.client.HTTPException, ConnectionError):
            assert served.get("/").status == 200
            return
        if answer.status in {200, 204}:
            return
    assert_a_clear_answer(served, answer)


@pytest.mark.parametrize("seed", range(4))
def test_random_uploads_and_bodies_give_a_result_or_a_clear_error(served, seed):
    chance = random.Random(seed)
    for _ in range(60):
        one_try(served, chance)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=st.text(min_size=1, max_size=200))
def test_any_text_that_is_one_is_read_and_comes_back_whole(served, text):
    answer = served.post({"text": text, "language": "en"})
    if answer.status == 202:
        found = served.done(answer)
        if found["state"] == "done" and not text.lstrip("\ufeff \t\r\n").startswith(
            ("<", "{", "[")
        ):
            assert found["result"][0]["article"]["text"] == text
        served.call("DELETE", f"/api/v1/analyses/{found['id']}")
    else:
        assert answer.status in {400, 415, 422}
