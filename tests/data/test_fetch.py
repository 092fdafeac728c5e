"""Downloads against a server on this machine that breaks in every way a real one does."""

import errno
import hashlib
import http.server
import socket
import threading
import time
from pathlib import Path

import pytest

from slant.data import transfers
from slant.data.cards import Download, load_card
from slant.data.fetch import fetch_file, fetch_set
from slant.data.transfers import Patience
from slant.errors import DataError, WorkFailed

BODY = bytes(range(256)) * 1200  # 307,200 bytes, more than one piece
SIZE = len(BODY)
QUICK = Patience(attempts=3, timeout=0.4, pause=0.01)


class Server(http.server.ThreadingHTTPServer):
    """Answers by the path and remembers what it was asked."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, str | None]] = []
        self.body, self.etag = BODY, '"one"'

    def times(self, path):
        return sum(1 for asked, _ in self.asked if asked == path)

    def handle_error(self, request, client_address):
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_args):
        pass

    def do_GET(self):
        span = self.headers.get("Range")
        self.server.asked.append((self.path, span))
        getattr(self, "do_" + self.path.strip("/").split("/")[0].replace("-", "_"))(span)

    def _send(self, span, *, upto=None, ranges=True, etag=True):
        body, start = self.server.body, 0
        fresh = self.headers.get("If-Range") in (None, self.server.etag)
        if span and ranges and fresh:
            start = int(span.removeprefix("bytes=").rstrip("-"))
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(body) - start))
        if etag:
            self.send_header("ETag", self.server.etag)
        self.end_headers()
        self.wfile.write(body[start : upto or len(body)])

    def do_whole(self, span):
        self._send(span)

    def do_cut(self, span):
        self._send(span, upto=100_000 if self.server.times(self.path) == 1 else None)

    def do_always_cut(self, span):
        self._send(span, upto=100_000, ranges=False)

    def do_no_range(self, span):
        self._send(span, upto=100_000 if self.server.times(self.path) == 1 else None, ranges=False)

    def do_changed(self, span):
        first = self.server.times(self.path) == 1
        if first:
            self.server.body, self.server.etag = BODY[::-1], '"old"'
        self._send(span, upto=100_000 if first else None)
        self.server.body, self.server.etag = BODY, '"one"'

    def do_joined(self, span):
        """Another file at the first attempt, no mark to tell it by."""
        first = self.server.times(self.path) == 1
        self.server.body = BODY[::-1] if first else BODY
        self._send(span, upto=100_000 if first else None, etag=False)

    def do_busy(self, span):
        if self.server.times(self.path) < 3:
            self.send_response(503)
            self.send_header("Retry-After", "0")
            self.end_headers()
        else:
            self._send(span)

    def do_busy_for_long(self, _span):
        self.send_response(503)
        self.send_header("Retry-After", "86400")
        self.end_headers()

    def do_slow(self, span):
        if self.server.times(self.path) == 1:
            self.send_response(200)
            self.send_header("Content-Length", str(len(BODY)))
            self.send_header("ETag", self.server.etag)
            self.end_headers()
            self.wfile.write(BODY[:1000])
            time.sleep(1.0)
        else:
            self._send(span)

    def do_moved(self, _span):
        self.send_response(302)
        self.send_header("Location", "/whole")
        self.end_headers()

    def do_moved_out(self, _span):
        self.send_response(302)
        self.send_header("Location", "http://example.org/whole")
        self.end_headers()

    def do_gone(self, _span):
        self.send_error(404)


@pytest.fixture
def server():
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def download(server, path, *, size=SIZE, sha256=None):
    url = f"http://127.0.0.1:{server.server_port}/{path}"
    return Download(url, "raw/file.csv", sha256 or hashlib.sha256(BODY).hexdigest(), size)


def got(server, path, folder, **facts):
    return fetch_file(
        download(server, path, **facts), folder / "file.csv", None, QUICK
    ).read_bytes()


def files(folder: Path):
    return sorted(p.name for p in folder.iterdir())


def test_a_file_arrives_whole_with_its_progress_told(server, tmp_path):
    told = []
    path = fetch_file(
        download(server, "whole"), tmp_path / "a" / "file.csv", lambda *t: told.append(t), QUICK
    )
    assert path.read_bytes() == BODY
    assert files(path.parent) == ["file.csv"]
    assert told[-1] == ("file.csv", len(BODY), len(BODY))
    assert [done for _, done, _ in told] == sorted({done for _, done, _ in told})


def test_a_file_that_is_there_is_not_asked_for(server, tmp_path):
    (tmp_path / "file.csv").write_bytes(BODY)
    assert got(server, "whole", tmp_path) == BODY
    assert server.asked == []


def test_a_file_that_was_altered_is_fetched_again(server, tmp_path):
    (tmp_path / "file.csv").write_bytes(b"other")
    assert got(server, "whole", tmp_path) == BODY


def test_after_a_cut_only_the_rest_is_asked_for(server, tmp_path):
    assert got(server, "cut", tmp_path) == BODY
    assert server.asked == [("/cut", None), ("/cut", "bytes=100000-")]


def test_what_an_earlier_run_left_is_gone_on_with(server, tmp_path):
    with pytest.raises(WorkFailed, match="goes on where it stopped"):
        fetch_file(download(server, "cut"), tmp_path / "file.csv", None, Patience(1, 0.4, 0.0))
    assert not (tmp_path / "file.csv").exists()
    assert got(server, "cut", tmp_path) == BODY
    assert server.asked[-1] == ("/cut", "bytes=100000-")
    assert files(tmp_path) == ["file.csv"]


def test_what_is_left_of_another_address_is_not_gone_on_with(server, tmp_path):
    with pytest.raises(WorkFailed):
        fetch_file(download(server, "cut"), tmp_path / "file.csv", None, Patience(1, 0.4, 0.0))
    assert got(server, "whole", tmp_path) == BODY
    assert server.asked[-1] == ("/whole", None)


def test_a_server_that_knows_no_ranges_sends_the_whole_again(server, tmp_path):
    assert got(server, "no-range", tmp_path) == BODY
    assert server.asked[-1] == ("/no-range", "bytes=100000-")


def test_a_file_that_changed_between_two_attempts_is_fetched_from_the_start(server, tmp_path):
    assert got(server, "changed", tmp_path) == BODY
    assert len(server.asked) == 2


def test_bytes_of_two_versions_are_never_kept_together(server, tmp_path):
    assert got(server, "joined", tmp_path) == BODY
    assert server.asked[-1] == ("/joined", None)


def test_a_connection_that_always_breaks_fails_after_some_attempts(server, tmp_path):
    with pytest.raises(
        WorkFailed, match=r"ended at byte 100,000 of 307,200 at attempt 3|broke at byte"
    ):
        got(server, "always-cut", tmp_path)
    assert not (tmp_path / "file.csv").exists()


def test_a_silent_server_is_asked_again(server, tmp_path):
    assert got(server, "slow", tmp_path) == BODY
    assert server.asked[-1][1] == "bytes=1000-"


def test_what_is_noted_of_a_download_goes_where_its_file_is_there_already(server, tmp_path):
    """A kill between the file's renaming and the removal of its note leaves both."""
    target = tmp_path / "file.csv"
    target.write_bytes(BODY)
    (tmp_path / ".file.csv.part.json").write_text("{}")
    assert fetch_file(download(server, "/whole"), target, patience=QUICK) == target
    assert [path.name for path in tmp_path.iterdir()] == ["file.csv"]


def test_a_busy_server_is_given_the_time_it_asks_for(server, tmp_path, monkeypatch):
    waits = []
    monkeypatch.setattr(transfers.time, "sleep", waits.append)
    assert got(server, "busy", tmp_path) == BODY
    assert waits == [0.0, 0.0]


def test_a_server_that_asks_for_a_day_is_not_waited_for(server, tmp_path):
    with pytest.raises(WorkFailed, match="answers 503 at attempt 1, and asks to wait 86400 s"):
        got(server, "busy-for-long", tmp_path)


def test_a_date_to_wait_for_is_understood():
    later = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 60))
    assert 50 < transfers._retry_after({"Retry-After": later}) <= 60
    assert transfers._retry_after({"Retry-After": "soon"}) is None


def test_a_date_to_wait_for_is_by_the_servers_clock_and_not_by_ours():
    """Our clock may stand in 1970: the server's two dates are 90 seconds apart all the same."""
    said = {"Retry-After": "Tue, 02 Jan 2029 00:01:30 GMT", "Date": "Tue, 02 Jan 2029 00:00:00 GMT"}
    assert transfers._retry_after(said) == 90.0
    assert transfers._retry_after({**said, "Date": "Tue, 02 Jan 2029 00:09:00 GMT"}) == 0.0


def test_wrong_bytes_are_deleted_and_both_checksums_named(server, tmp_path):
    wanted = "0" * 64
    found = hashlib.sha256(BODY).hexdigest()
    with pytest.raises(WorkFailed, match=f"sha256 {found}, the card states {wanted}"):
        got(server, "whole", tmp_path, sha256=wanted)
    assert files(tmp_path) == []
    assert len(server.asked) == 1


@pytest.mark.parametrize("size", [len(BODY) - 1, len(BODY) + 1])
def test_another_size_than_the_cards_is_refused_before_it_is_read(server, tmp_path, size):
    with pytest.raises(WorkFailed, match=f"has 307,200 bytes, the card states {size:,} bytes"):
        got(server, "whole", tmp_path, size=size)
    assert files(tmp_path) == []


def test_a_missing_page_fails_at_once_with_the_way_out(server, tmp_path):
    with pytest.raises(
        WorkFailed, match=r"answers 404 Not Found\. Get the file from the home page"
    ):
        got(server, "gone", tmp_path)
    assert len(server.asked) == 1


def test_a_redirect_is_followed_but_not_to_plain_http_elsewhere(server, tmp_path):
    assert got(server, "moved", tmp_path) == BODY
    with pytest.raises(WorkFailed, match=r"sends us on to 'http://example.org/whole'"):
        got(server, "moved-out", tmp_path / "b")


def test_plain_http_to_another_machine_is_refused(tmp_path):
    with pytest.raises(DataError, match="only https is allowed"):
        fetch_file(Download("http://example.org/a", "a", "0" * 64, 1), tmp_path / "a")
    with pytest.raises(DataError, match="only https is allowed"):
        fetch_file(Download("file:///etc/hosts", "a", "0" * 64, 1), tmp_path / "a")


def test_no_network_fails_with_the_hosts_name(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    lost = Download(f"http://127.0.0.1:{port}/a", "a", "0" * 64, 1)
    with pytest.raises(
        WorkFailed, match=r"no answer from 127.0.0.1 .*refused.* at attempt 3"
    ) as error:
        fetch_file(lost, tmp_path / "a", None, QUICK)
    assert error.value.exit_code == 1


def test_a_full_disk_names_the_file_and_the_bytes_and_leaves_nothing(server, tmp_path, monkeypatch):
    def _full(_number):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(transfers.os, "fsync", _full)
    with pytest.raises(WorkFailed, match=r"file.csv'.*no space is left; 307,200 bytes are needed"):
        got(server, "whole", tmp_path)
    assert files(tmp_path) == []


def test_a_data_set_is_fetched_file_by_file_into_its_folder(server, tmp_path):
    card = load_card("072")
    raw = card.form("raw")
    sums = {"sha256": hashlib.sha256(BODY).hexdigest(), "size": len(BODY)}
    port = server.server_port
    pieces = tuple(
        f.model_copy(update={**sums, "url": f"http://127.0.0.1:{port}/whole"}) for f in raw.files
    )
    local = card.model_copy(update={"forms": (raw.model_copy(update={"files": pieces}),)})
    fetch_set(local, tmp_path, None, QUICK)
    assert files(tmp_path / "mbib" / "072_Liar" / "raw") == ["test.tsv", "train.tsv", "valid.tsv"]


def test_a_set_on_request_cannot_be_fetched_and_says_how_it_is_had(tmp_path):
    with pytest.raises(DataError, match=r"access is on request\. Fill in the form"):
        fetch_set(load_card("066"), tmp_path)
