"""What is tried where `slant` is installed: commands of the core, and one or two of every extra."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "src/slant/data/samples/bait"
TRACE = "Traceback (most recent call last)"
MOST_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Probe:
    """A command, and the extras that it needs.

    Args:
        command: of `slant`; {name} stands for what `inputs` gives, {out} for a place of its own.
        needs: extras; none: the command is one of the core.
        serves: a path that answers once it runs; the command ends when it is interrupted.
    """

    command: str
    needs: tuple[str, ...] = ()
    serves: str = ""


CORE: tuple[Probe, ...] = tuple(
    Probe(command)
    for command in (
        "--help",
        "systems",
        "data list",
        "data show open/sentences",
        "run open/pairs --system majority --out runs/majority --jobs 1",
        "run open/pairs --system tfidf-lr --out runs/tfidf --jobs 1",
        "report runs/majority runs/tfidf --out report",
        "compare runs/majority runs/tfidf --resamples 100",
        "analyze {text} --language en --out analysis --jobs 1",
        "annotate new {articles} --annotators ann,ben --out work",
        "annotate agree {first} {second} --articles {gold} --resamples 100",
        "bait run --baselines cues --data bait/sample --out runs/cues",
        "bait codebook --out codebook.html",
        "demo --parts agreement,words --out demo",
    )
)
"""On embedded data; these work wherever `slant` is installed."""

EXTRAS: tuple[Probe, ...] = (
    Probe("run open/pairs --system minilm-lr --out {out} --jobs 1", ("encoders",)),
    Probe("predict {detector} {text} --out {out}.parquet --jobs 1", ("encoders",)),
    Probe("analyze {text} --language en --detector {detector} --out {out}", ("encoders",)),
    Probe(
        "train open/pairs --system encoder:bge-small --epochs 1 --max-length 16 "
        "--set train_share=0.1 --out {out}",
        ("encoders", "bge"),
    ),
    Probe(
        "explain {models} --methods lime --sample 1 --resamples 100 --no-erase --jobs 1",
        ("encoders", "explain"),
    ),
    Probe(
        "predict {detector} {text} --runtime onnx --out {out}.parquet --jobs 1",
        ("encoders", "onnx"),
    ),
    Probe("run open/pairs --system fusion:tfidf+color --out {out} --jobs 1", ("vision",)),
    Probe(
        "run open/pairs --system fusion:tfidf+efficientnet --out {out} --jobs 1",
        ("encoders", "vision"),
    ),
    Probe("analyze {page} --out {out} --jobs 1", ("analyze",)),
    Probe("analyze {text} --out {out} --jobs 1", ("analyze",)),
    Probe("serve --port {port} --no-history", ("web", "analyze"), "/"),
    Probe("bait run --model mockllm/model --data bait/sample --limit 1 --out {out}", ("llm",)),
    Probe("bait local-model --port {port}", ("llm", "local"), "/health"),
    Probe(
        "vilbias run --model mockllm/model --data open/pairs --limit 1 --out {out}",
        ("llm", "vision"),
    ),
    Probe("wiki dump {zst} --out {out}.parquet", ("wikis",)),
    Probe("wiki dump {seven} --out {out}.parquet", ("wikis",)),
    Probe("wiki crawl {wiki} --contact jo@uni.example --out {out}.parquet", ("wikis",)),
    Probe(
        "embed train {text} --replicas 1 --epochs 1 --dimensions 8 --minimum 1 --out {out}",
        ("embeddings",),
    ),
    Probe(
        "embed train {text} --trainer fasttext --replicas 1 --epochs 1 --dimensions 8 --minimum 1 "
        "--bucket 1000 --out {out}",
        ("embeddings", "fasttext"),
    ),
    Probe(
        "run open/pairs --system majority --engine ray --jobs 1 --out {out}",
        ("cluster",),
    ),
)
"""Of each extra of the package what it is for; the extras of those who build it have no command."""


def why_not_works(code: int, said: str) -> str | None:
    """Why a command that must work did not; None where it did."""
    if TRACE in said:
        return f"a traceback, and exit code {code}: {last_line(said)}"
    return None if code == 0 else f"exit code {code}: {last_line(said)}"


def why_no_refusal(code: int, said: str, needs: Collection[str], lacks: Collection[str]) -> str:
    """Why an answer is no refusal as it must be where an extra is missing; "" where it is one.

    Rule: exit code 2, no traceback, one line that begins with "error:" and names
    `pip install "slant[EXTRAS]"`, of which one at least is missing and none is needless.

    Args:
        code: of exit.
        said: all that was printed.
        needs: the extras of the command.
        lacks: those of them that are missing.
    """
    errors = [line for line in said.splitlines() if line.startswith("error:")]
    if TRACE in said or code != 2 or len(errors) != 1:
        return f"exit code {code}, {len(errors)} errors: {last_line(said)}"
    told = re.search(r'pip install "slant\[([\w,]+)\]"', errors[0])
    if told is None:
        return f"no extra is named: {errors[0]}"
    named = set(told[1].split(","))
    if not named & set(lacks) or named - set(needs):
        return f"of {sorted(needs)} {sorted(lacks)} are missing: {errors[0]}"
    return ""


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def last_line(said: str) -> str:
    lines = [line for line in said.splitlines() if line.strip()]
    return lines[-1][:300] if lines else "nothing was said"


def run_probe(
    probe: Probe,
    words: Sequence[str],
    given: Mapping[str, str],
    folder: Path,
    surroundings: Mapping[str, str],
) -> tuple[int, str]:
    """Run a probe.

    Args:
        probe: what is run.
        words: how `slant` is called: the command line before the command.
        given: what the names in the command stand for.
        folder: where it is run, and what it writes.
        surroundings: the variables of the environment.

    Returns:
        Exit code, and all that was printed; of a server that answered and ended when it was
        interrupted the code is 0.
    """
    command = [*words, *(word.format_map(given) for word in probe.command.split())]
    log = folder / "said.txt"
    with log.open("wb") as file:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=dict(surroundings),
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            if probe.serves and answers(process, f"http://127.0.0.1:{given['port']}{probe.serves}"):
                process.send_signal(signal.SIGINT)
                process.wait(60)
                return 0, log.read_text("utf-8", "replace")
            process.wait(MOST_SECONDS)
        except subprocess.TimeoutExpired:
            return 124, "it did not end in time"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
    return process.returncode, log.read_text("utf-8", "replace")


def answers(process: subprocess.Popen[bytes], url: str) -> bool:
    """Wait until a server answers, whatever it says; False where its process ends before."""
    end = time.monotonic() + MOST_SECONDS
    while process.poll() is None and time.monotonic() < end:
        try:
            urllib.request.urlopen(url, timeout=10).close()
            return True
        except urllib.error.HTTPError:
            return True
        except OSError:
            time.sleep(0.2)
    return False


def make_inputs(folder: Path, words: Sequence[str] | None = None) -> dict[str, str]:
    """Make what the commands read, of every kind, in a folder that need not be there.

    Args:
        folder: to write.
        words: how a `slant` with its encoders is called, which trains what the commands load;
            None: a folder that looks like a detector, which is enough to be refused, and no run.

    Returns:
        Name in the commands of `CORE` and `EXTRAS` -> path.
    """
    import py7zr
    import zstandard

    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        "The radical senator attacked the poor and the rich voters in the council again.",
        "She said that the budget of the city was passed by a vote of nine to four.",
        "Nobody with any decency can defend what this shameless liar did to our town.",
    ]
    text = folder / "text.txt"
    text.write_text("\n".join(lines * 4) + "\n", "utf-8")
    page = folder / "page.html"
    marked = "".join(f"<p>{line}</p>" for line in lines * 4)
    page.write_text(
        f"<html><head><title>A vote</title></head><body><article><h1>A vote</h1>{marked}"
        "</article></body></html>",
        "utf-8",
    )
    articles = folder / "articles"
    articles.mkdir(exist_ok=True)
    (articles / "vote.txt").write_text(" ".join(lines), "utf-8")
    dump = (
        b'<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11">'
        b"<siteinfo><sitename>W</sitename><dbname>w</dbname></siteinfo><page><title>Dog</title>"
        b"<ns>0</ns><id>1</id><revision><id>10</id><timestamp>2024-01-01T00:00:00Z</timestamp>"
        b"<model>wikitext</model><format>text/x-wiki</format><text>A '''dog''' barks at cats."
        b"</text></revision></page></mediawiki>"
    )
    zst = folder / "dump.xml.zst"
    zst.write_bytes(zstandard.ZstdCompressor().compress(dump))
    seven = folder / "dump.7z"
    with py7zr.SevenZipFile(seven, "w") as archive:
        archive.writestr(dump, "dump.xml")
    detector, models = folder / "detector", folder / "models"
    if words is None:
        detector.mkdir()
        facts = {"temperature": 1.0, "threshold": 0.5, "max_length": 32, "long": "window"}
        text_of_facts = json.dumps({"task": "", "labels": [], "signature": "", **facts})
        for name, content in (
            ("detector.json", text_of_facts), ("config.json", "{}"), ("model.safetensors", "")
        ):  # fmt: skip
            (detector / name).write_text(content, "utf-8")
    elif not models.exists():
        teach = ("--system", "encoder:minilm", "--epochs", "1", "--max-length", "32")
        for command in (
            ("train", "open/pairs", *teach, "--out", str(detector)),
            ("train", "open/sentences", *teach, "--seeds", "1", "--set", "folds=2",
             "--set", "train_share=0.1", "--jobs", "1", "--out", str(models)),
        ):  # fmt: skip
            subprocess.run([*words, *command], check=True, stdout=sys.stderr)
    return {
        "text": str(text),
        "page": str(page),
        "articles": str(articles),
        "first": str(SAMPLES / "annotator-a.jsonl"),
        "second": str(SAMPLES / "annotator-b.jsonl"),
        "gold": str(SAMPLES / "articles.jsonl"),
        "zst": str(zst),
        "seven": str(seven),
        "detector": str(detector),
        "models": str(models),
    }
