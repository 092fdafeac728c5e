"""A real server on 127.0.0.1 in a thread, and a client that may lie."""

import http.client
import json
import threading
import time
from urllib.parse import urlsplit

from slant.web.serving import serve
from slant.web.settings import Settings

DEADLINE = 240.0
TEXT = "The regime’s thugs came. “We will crush them,” he said. The bridge opens on Monday.\n"


def until(true, what="it to happen", seconds=DEADLINE):
    """What a function gives once it is true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := true():
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited {seconds} s for {what}")


class Answer:
    """Status, headers and body of an answer."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def text(self):
        return self.body.decode()


class Served:
    """A server while a test runs."""

    def __init__(self, settings=None, **more):
        self._said, self._stop, self._error = [], threading.Event(), None
        self._thread = threading.Thread(
            target=self._run, args=(settings or Settings(jobs=1), more), daemon=True
        )
        self._thread.start()
        until(lambda: self._said or not self._thread.is_alive(), "the server to start")
        if self._error:
            raise self._error
        self.address, self.token = self._said[0]
        parts = urlsplit(self.address)
        self.host, self.port = parts.hostname, parts.port

    def _run(self, settings, more):
        try:
            serve(settings, port=0, told=lambda *said: self._said.append(said), stop=self._stop,
                  **more)  # fmt: skip
        except Exception as error:
            self._error = error

    def close(self):
        self._stop.set()
        self._thread.join(DEADLINE)
        assert not self._thread.is_alive()
        assert self._error is None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def call(self, method, path, body=None, **headers):
        """One request; names of headers with _ for -."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE)
        own = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token and "authorization" not in own and "cookie" not in own:
            own["authorization"] = f"Bearer {self.token}"
        try:
            line.request(method, path, body, {k: v for k, v in own.items() if v is not None})
            answer = line.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            line.close()

    def get(self, path, **headers):
        return self.call("GET", path, **headers)

    def post(self, content, path="/api/v1/analyses", **headers):
        """JSON to the API."""
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        return self.call("POST", path, body, **{"content_type": "application/json", **headers})

    def upload(self, name, data, path="/api/v1/analyses", **fields):
        """A file by multipart, to the API or as the form of a page."""
        body, media = multipart({**fields, "file": (name, data)})
        return self.call("POST", path, body, content_type=media)

    def send(self, path, **fields):
        """The form of a page, with the mark that the page gives."""
        body, media = multipart({"mark": self.mark, **fields})
        return self.call("POST", path, body, content_type=media)

    @property
    def mark(self):
        return self.get("/").text.partition('name="mark" value="')[2].partition('"')[0]

    def done(self, answer):
        """The analysis that was taken, once nothing more happens to it."""
        assert answer.status == 202, answer.body
        own = answer.json["id"]

        def ended():
            found = self.get(f"/api/v1/analyses/{own}").json
            return found if found["state"] not in {"waiting", "working"} else None

        return until(ended, "an analysis to end")


def multipart(fields):
    """A form and its media type."""
    mark = "0123456789abcdef"
    parts = []
    for name, value in fields.items():
        more = ""
        if isinstance(value, tuple):
            more = f'; filename="{value[0]}"\r\nContent-Type: application/octet-stream'
            value = value[1]  # noqa: PLW2901
        data = value if isinstance(value, bytes) else value.encode()
        head = f'--{mark}\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n'
        parts.append(head.encode() + data + b"\r\n")
    return b"".join(parts) + f"--{mark}--\r\n".encode(), f"multipart/form-data; boundary={mark}"
