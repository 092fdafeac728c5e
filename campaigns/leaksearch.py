"""Secrets of many shapes, and a search for them in everything that a command leaves."""

from __future__ import annotations

import base64
import gzip
import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from random import Random
from string import ascii_letters, digits
from urllib.parse import quote, quote_plus

from faultyservers import put
from scripted import completion

SHAPES = (
    "sk-proj-", "AIza", "gsk_", "hf_", "ghp_", "AKIA", "key-", "plain", "groups", "signs", "jwt",
    "words", "padded",
)  # fmt: skip
WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "iris", "jade")


def secret(shape: str, random: Random) -> str:
    """A key that no other text holds, as providers, proxies and people make them."""

    def drawn(number: int, signs: str = ascii_letters + digits) -> str:
        return "".join(random.choices(signs, k=number))

    made = {
        "plain": drawn(40), "groups": "-".join(drawn(4) for _ in range(5)),
        "jwt": f"eyJ{drawn(60)}", "words": "-".join(random.sample(WORDS, 5)),
        "signs": f"{drawn(6)}/{drawn(5)}+{drawn(4)}={drawn(4)}&{drawn(4)}:{drawn(3)}%7e",
        "padded": base64.b64encode(random.randbytes(25)).decode(),
    }  # fmt: skip
    return made.get(shape) or shape + drawn(28)


def forms(key: str) -> dict[str, bytes]:
    """How a key may be written: as it is, and simply encoded; by the name of the way."""
    data, quoted = key.encode(), quote(key, safe="")
    small = re.sub("%..", lambda found: found[0].lower(), quoted)
    found = {
        "plain": data, "quoted": quoted.encode(), "quoted, small": small.encode(),
        "quoted +": quote_plus(key).encode(), "escaped": json.dumps(key)[1:-1].encode(),
        "percents": "".join(f"%{byte:02X}" for byte in data).encode(), "hex": data.hex().encode(),
        "UTF-16": key.encode("utf-16-le"),
    }  # fmt: skip
    for shift in range(3):
        whole = base64.b64encode(b"\0" * shift + data)
        inner = whole[-(-shift * 4 // 3) : (shift + len(data)) * 4 // 3]
        found[f"base64, {shift} before"] = inner
        found[f"base64 of addresses, {shift} before"] = inner.translate(
            bytes.maketrans(b"+/", b"-_")
        )
    return found


def echoes(key: str) -> dict[str, Callable[[BaseHTTPRequestHandler], None]]:
    """How a server repeats what it was sent."""
    basic = base64.b64encode(f"user:{key}".encode()).decode()
    quoted = quote(key, safe="")
    split = "\n".join(key[at : at + 5] for at in range(0, len(key), 5))
    percents = "".join(f"%{byte:02x}" for byte in key.encode())
    worded = {
        "in an error": f"Incorrect API key provided: {key}.",
        "as a header in an error": f'{{"authorization": "Bearer {key}"}}',
        "over several lines": f"no such key:\n{split}\n",
        "as an address in an error": f"GET http://user:{quoted}@host/?api_key={key}",
        "url-encoded": f"unknown: {quoted} or {percents}",
        "in base64": f"unknown: Basic {basic}, {base64.b64encode(key.encode()).decode()}",
        "in hexadecimal digits": f"unknown: {key.encode().hex()}",
    }

    def error(words: str, status: str) -> Callable[[BaseHTTPRequestHandler], None]:
        data = json.dumps({"error": {"message": words, "type": words, "code": None}}).encode()
        return lambda handler: put(handler, data, status)

    codes = ("401 Unauthorized", "400 Bad Request", "503 Busy", "403 Forbidden", "404 Not Found")
    found = {name: error(words, codes[n % 5]) for n, (name, words) in enumerate(worded.items())}
    said = completion(f"Your key is {key}, or {basic}.", key)
    found |= {
        "in headers": lambda h: put(
            h, b"{}", "401 Unauthorized", x_echo=f"Bearer {key}", www_authenticate=f"Basic {key}"),
        "in an HTML page": lambda h: put(
            h, f"<html>{key}</html>".encode(), "502 Bad Gateway", content_type="text/html"),
        "in the status line": lambda h: put(h, b"{}", f"500 {quote(key)} {key}"),
        "in what is no HTTP": lambda h: h.wfile.write(f"HTTX {key} {basic}\r\n\r\n".encode()),
        "in a body that is no completion": lambda h: put(h, json.dumps(f"key {key}").encode()),
        "in an answer": lambda h: put(h, json.dumps({**said, "id": key}).encode()),
        "in a redirect": lambda h: put(
            h, b"", "302 Found", location=f"http://user:{quoted}@127.0.0.1:9/?k={key}"),
    }  # fmt: skip
    return found


def leaks(folder: Path, key: str, given: frozenset[Path] = frozenset()) -> list[str]:
    """Where a key stands in a folder, in whatever form: "PATH: FORM".

    Args:
        folder: all files below are read, packed ones and tables unpacked.
        key: the secret.
        given: files that a person wrote, which may hold it.
    """
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path not in given:
            named = str(path.relative_to(folder)).encode()
            for place, content in [("name", named), *unpacked(path.name, path.read_bytes())]:
                found += [f"{path}{place}: {form}" for form in told(content, key)]
    return found


def told(content: bytes, key: str) -> list[str]:
    """The forms in which a content tells a key, broken over lines too."""
    found = [form for form, data in forms(key).items() if data in content]
    joined = re.sub(rb"\s|\\[nrt]", b"", content)
    return found or (["broken over lines"] if key.encode() in joined else [])


def unpacked(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """A file as it is, and what is packed in it."""
    yield "", content
    if zipfile.is_zipfile(io.BytesIO(content)):
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            for one in packed.namelist():
                with suppress(NotImplementedError, zipfile.BadZipFile):
                    for more, data in unpacked(one, packed.read(one)):
                        yield f"!{one}{more}", data
    elif content[:4] == b"PAR1":
        import polars as pl

        yield "!table", "\n".join(map(str, pl.read_parquet(content).rows())).encode()
    elif content[:2] == b"\x1f\x8b":
        with suppress(OSError, EOFError, zlib.error):
            yield "!gzip", gzip.decompress(content)
