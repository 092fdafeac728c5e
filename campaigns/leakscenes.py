"""Commands that hold a key or meet one: how each is given it, and what the server does with it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final
from urllib.parse import quote, urlsplit

from scripted import Said, made_pages, serving

MODEL: Final = "openai-api/faulty/small"
ASKED: Final = ["--max-retries", "1", "--max-connections", "2", "--model-arg", "max_retries=0"]
Slant = Callable[[Sequence[str], dict[str, str]], int]
"""Run a command with more variables of the environment; gives its exit code."""


@dataclass(frozen=True)
class Place:
    """Where a try takes place.

    Fields:
        home: an empty folder with the data.
        key: the secret; `quoted` as addresses hold it.
        url: of a server that repeats it.
        random: of the try.
        slant: runs a command.
        given: files that a person wrote, and that may hold the key.
    """

    home: Path
    key: str
    url: str
    random: Random
    slant: Slant
    given: set[Path] = field(default_factory=set)

    @property
    def quoted(self) -> str:
        """The key in an address."""
        return quote(self.key, safe="")

    @property
    def place(self) -> str:
        """Host and port of the server."""
        return urlsplit(self.url).netloc

    @property
    def known(self) -> dict[str, str]:
        """The variables of the provider."""
        return {"FAULTY_API_KEY": self.key, "FAULTY_BASE_URL": self.url}

    def bait(self, *more: str) -> list[str]:
        """`slant bait run` about two articles."""
        data = ["--data", str(self.home / "articles.jsonl"), "--shots", "0"]
        words = [
            "bait",
            "run",
            *data,
            "--zero-shot-runs",
            "1",
            "-o",
            str(self.home / "run"),
            *ASKED,
        ]
        return [*words, *(more or ["-m", MODEL])]


def bait_run(place: Place) -> list[int]:
    """The key in the environment, twice the same command."""
    return [place.slant(place.bait(), place.known) for _ in range(2)]


def vilbias_run(place: Place) -> list[int]:
    """Models that answer or repeat the key, then a judge that repeats it."""
    run = ["-o", str(place.home / "run"), *ASKED, "--planted", "1", "--data", "open/pairs"]
    run += [
        "--items",
        "all",
        "--limit",
        "2",
        "--open",
        "--no-images",
        "-m",
        "openai-api/faulty/well",
    ]
    judge = ["vilbias", "judge", str(place.home / "run"), "-j", "openai-api/faulty/judge", *ASKED]
    return [
        place.slant(["vilbias", "run", *run, "-m", MODEL], place.known),
        place.slant([*judge, "--planted", "1", "--no-images"], place.known),
    ]


def analyze_model(place: Place) -> list[int]:
    """A model that is asked about articles that are analysed."""
    words = ["analyze", str(place.home / "texts.jsonl"), "--language", "en", "--jobs", "1"]
    asked = ["-m", MODEL, "--out", str(place.home / "report")]
    return [place.slant([*words, *asked], place.known)]


def inspect_eval(place: Place) -> list[int]:
    """`inspect eval slant/bait` with its own logs."""
    from inspect_ai import eval as evaluate

    from slant.runs.baittask import bait

    before = dict(os.environ)
    os.environ.update(place.known)
    try:
        evaluate(bait(str(place.home / "articles.jsonl")), model=MODEL, max_retries=1,
                 model_args={"max_retries": 0}, display="none",
                 log_dir=str(place.home / "logs"))  # fmt: skip
    finally:
        for name in place.known:
            os.environ.pop(name)
        os.environ.update(before)
    return [0]


def arguments(place: Place) -> list[int]:
    """Keys among the arguments are refused, and are not repeated."""
    key, well = place.key, {"FAULTY_API_KEY": "sk-another-0123456789", "FAULTY_BASE_URL": place.url}
    header = json.dumps({"Authorization": f"Bearer {key}"})
    ways = [
        ["--model-arg", f"api_key={key}"], ["--model-arg", f"default_headers={header}"],
        ["--base-url", f"http://user:{place.quoted}@{place.place}/v1"],
        ["--base-url", f"http://{place.quoted}@{place.place}/v1"],
        ["--base-url", f"{place.url}?api_key={place.quoted}"], [f"--api-key={key}"],
        ["--base-url", f"{place.url}#{place.quoted}"], ["--max-cost", key], ["--model-arg", key],
    ]  # fmt: skip
    more = place.random.choice(ways)
    return [place.slant(place.bait("-m", MODEL, *more), well)]


def address_variable(place: Place) -> list[int]:
    """The key in the address of the provider's variable, which is where it may be."""
    urls = [f"http://user:{place.quoted}@{place.place}/v1", f"http://{place.quoted}@{place.place}/v1",
            f"{place.url}?api_key={place.quoted}"]  # fmt: skip
    url = place.random.choice(urls)
    return [place.slant(place.bait(), {"FAULTY_API_KEY": "none", "FAULTY_BASE_URL": url})]


def proxy_password(place: Place) -> list[int]:
    """A proxy that repeats its password, to models and to a wiki."""
    proxy = f"http://user:{place.quoted}@{place.place}"
    given = {"FAULTY_API_KEY": "none", "FAULTY_BASE_URL": "http://models.invalid/v1"}
    given |= {"HTTP_PROXY": proxy, "HTTPS_PROXY": proxy, "http_proxy": proxy, "https_proxy": proxy}
    crawl = ["wiki", "crawl", "http://wiki.invalid/", "-o", str(place.home / "w.parquet")]
    return [place.slant(place.bait(), given), place.slant(crawl, given)]


def wiki_crawl(place: Place) -> list[int]:
    """The key in the address of a wiki that is there, of one that leads on, of one that is not."""
    key, codes = place.quoted, []
    with serving(made_pages(3)) as wiki:
        host = urlsplit(wiki.url).netloc
        there = {"Location": f"http://user:{key}@{host}/wiki/Some_page?token={key}"}
        wiki.script = lambda path, params: Said(302, "", there) if path == "/moved" else None
        urls = [f"http://user:{key}@{host}/w/api.php", f"{wiki.url}/w/api.php?token={key}",
                f"{wiki.url}/?access_token={key}", f"{wiki.url}/moved",
                f"{wiki.url}/none/api.php?api_key={key}"]  # fmt: skip
        for number, url in enumerate(place.random.sample(urls, 2)):
            out = ["-o", str(place.home / f"{number}.parquet"), "--format", "wikitext"]
            codes.append(place.slant(["wiki", "crawl", url, *out], {}))
    return codes


def analyze_addresses(place: Place) -> list[int]:
    """The key in addresses of articles, alone and beside a file."""
    host, key = place.random.choice([place.place, "news.invalid"]), place.quoted
    url = place.random.choice(
        [f"http://user:{key}@{host}/a", f"http://{host}/a?token={key}", f"http://{host}/?sig={key}"]
    )
    alone = ["analyze", url, "--out", str(place.home / "alone"), "--jobs", "1"]
    texts, out = str(place.home / "texts.jsonl"), str(place.home / "both")
    both = ["analyze", url, texts, "--language", "en", "--out", out, "--jobs", "1"]
    return [place.slant(alone, {}), place.slant(both, {})]


def images_of_data(place: Place) -> list[int]:
    """The key in addresses of images."""
    url = f"https://user:{place.quoted}@{place.place}/a.png?token={place.quoted}"
    table = place.home / "pairs.csv"
    table.write_text("text,label,image\n" + f'One,biased,"{url}"\nTwo,fair,"{url}"\n' * 3)
    place.given.add(table)
    words = ["data", "add", "leaky", str(table), "--text", "text", "--label", "label"]
    return [place.slant([*words, "--image", "image", "--fetch-images"], {})]


def dotenv(place: Place) -> list[int]:
    """The key in a file `.env` of the working folder, which inspect-ai reads."""
    path = place.home / ".env"
    path.write_text(f"FAULTY_API_KEY='{place.key}'\nFAULTY_BASE_URL={place.url}\n")
    place.given.add(path)
    return [place.slant(place.bait(), {})]


def serve_token(place: Place) -> list[int]:
    """The token of a server: right, wrong and repeated requests, then Ctrl-C."""
    key = place.key
    named = place.random.choice([["--token", key], []])
    words = [sys.executable, "-m", "slant", "serve", "--port", "0", "--history",
             str(place.home / "history.sqlite3"), "--jobs", "1", *named]  # fmt: skip
    own = {**os.environ, **({} if named else {"SLANT_TOKEN": key})}
    with subprocess.Popen(words, env=own, cwd=place.home, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        address = server.stdout.readline().decode().split()[0].rstrip("/")
        texts = [{"text": "The bridge fell."}, {"address": f"https://user:{place.quoted}@a.org/b"},
                 {"address": f"https://a.org/b?token={place.quoted}"}, {"text": ""}]  # fmt: skip
        for shown in (key, f"{key}x", ""):
            for text in texts:
                request = urllib.request.Request(
                    f"{address}/api/v1/analyses", json.dumps(text).encode(),
                    {"Authorization": f"Bearer {shown}", "Content-Type": "application/json"},
                )  # fmt: skip
                with suppress(urllib.error.URLError):
                    (place.home / f"answer-{len(list(place.home.iterdir()))}").write_bytes(
                        urllib.request.urlopen(request, timeout=60).read()
                    )
        server.send_signal(signal.SIGINT)
        return [server.wait(60)]


SCENES: Final[dict[str, Callable[[Place], list[int]]]] = {
    "bait run": bait_run, "vilbias run and judge": vilbias_run, "analyze --model": analyze_model,
    "inspect eval": inspect_eval, "keys among the arguments": arguments,
    "a key in the variable of an address": address_variable, "a proxy's password": proxy_password,
    "wiki crawl": wiki_crawl, "analyze addresses": analyze_addresses,
    "images that are fetched": images_of_data, "a key in .env": dotenv, "serve": serve_token,
}  # fmt: skip
REPEATING: Final = (
    "bait run",
    "vilbias run and judge",
    "analyze --model",
    "inspect eval",
    "a key in the variable of an address",
    "a proxy's password",
    "a key in .env",
)
"""Of which every way of repeating a key is tried."""
