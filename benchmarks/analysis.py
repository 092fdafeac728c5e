"""`slant analyze` against plain loops, and its memory over the number of articles.

    [SLANT_DATA=DIR] python benchmarks/analysis.py [--small 100] [--large 1000] [--encoded 2]

Articles are drawn with repeats from the 30 of the folder news/articles of SLANT_DATA, without it
from the 24 embedded ones. Ours is the whole command in one process, without and with the pages:
articles read, sentences cut, asked, weighed and searched for cues, shards, tables, groups, events
written. The first peer does the same work on one sentence after another and writes nothing. The
second is transformers' own pipeline as it comes, one sentence at a time, on MiniLM with a head of
random weights (a random head takes as long as a trained one); it gives probabilities alone. With
`--encoded` N the whole command is asked of N articles with that same MiniLM, too. All its
probabilities are near one half, so that every sentence has its words weighed by a gradient: the
slowest case, a few sentences a second, so that the default is two articles. Ours and its peers are
loaded before the clock starts. Seconds are those of the processor, one thread. Memory is the
highest resident set of the command in a process of its own, as the system counts it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from ratios import say_ratio

PEER = 1_000
"""Sentences that the plain version and the pipeline work off."""


def texts() -> list[str]:
    """The texts that articles are drawn from."""
    home = os.environ.get("SLANT_DATA")
    if home and (folder := Path(home) / "news" / "articles").is_dir():
        read = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]
        return [one.get("content_original") or one["content"] for one in read]
    from slant.data.baitsamples import load_bait_samples
    from slant.data.samples import load_articles

    return [*load_articles()["text"], *(one.item.text for one in load_bait_samples())]


def drawn(path: Path, number: int) -> None:
    """Write so many articles."""
    known, stream = texts(), np.random.default_rng(11)
    with path.open("w", encoding="utf-8") as file:
        for i, which in enumerate(stream.integers(len(known), size=number)):
            outlet = f"outlet {which % 5}"
            row = {"id": f"a{i}", "text": known[which], "outlet": outlet, "date": "2020-01-02"}
            file.write(json.dumps(row) + "\n")


def ours(given: Path, out: Path, detectors: list[str]) -> dict[str, Any]:
    """The whole command, with its seconds and its memory in MB."""
    from slant.report.analysispage import write_analysis
    from slant.runs.analysing import analyse, analysed_now

    with tempfile.TemporaryDirectory() as name:
        first = Path(name, "first.txt")
        first.write_text("The council met on Monday, and the plan was vile.")
        analysed_now([str(first)], detectors=detectors, language="en")
    start = time.process_time()
    done = analyse([str(given)], out, detectors=detectors, language="en", jobs=1)
    read = time.process_time() - start
    write_analysis(out)
    spent = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"sentences": done["sentences"], "seconds": spent, "reading": read, "memory": memory}


def in_a_process(given: Path, out: Path, detectors: list[str]) -> dict[str, Any]:
    """The same, by itself."""
    command = [sys.executable, __file__, "--do", str(given), str(out), *detectors]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return dict(json.loads(said.splitlines()[-1]))


def sentences(out: Path) -> list[str]:
    """The sentences of a report."""
    import polars as pl

    return pl.read_parquet(out / "sentences.parquet", columns=["text"])["text"].to_list()


def one_at_a_time(given: list[str]) -> float:
    """Sentences per second of a loop that does the same work on each by itself."""
    from slant.analysis.article import Article
    from slant.analysis.reading import analysed
    from slant.data.schemas import load_schema
    from slant.runs.analysisdetectors import analysis_detectors

    detectors, schema = analysis_detectors([]), load_schema("bait")
    start = time.process_time()
    for sentence in given:
        analysed([Article("a", sentence)], detectors, schema)
    return len(given) / (time.process_time() - start)


def write_encoder(folder: Path) -> None:
    """MiniLM with a head of random weights, as `slant train` would keep it."""
    from slant.runs.folders import FACTS
    from slant.systems.checkpoints import load_encoder, quiet_transformers

    encoder = load_encoder("minilm", 1)
    with quiet_transformers():
        encoder.model.save_pretrained(folder)
    encoder.tokenizer.save_pretrained(folder)
    facts = {"task": "made", "labels": ["non-biased", "biased"], "temperature": 1.0,
             "threshold": 0.5, "max_length": 128, "long": "window", "system": "random head",
             "signature": "none"}  # fmt: skip
    (folder / FACTS).write_text(json.dumps(facts))


def pipeline_speed(detector: Path, given: list[str]) -> float:
    """Sentences per second of transformers' pipeline as it comes."""
    import torch
    from transformers import pipeline

    from slant.systems.checkpoints import quiet_transformers

    torch.set_num_threads(1)
    with quiet_transformers():
        plain = pipeline("text-classification", str(detector), device="cpu")
        start = time.process_time()
        plain(given, truncation=True)
    return len(given) / (time.process_time() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", type=int, default=100)
    parser.add_argument("--large", type=int, default=1000)
    parser.add_argument("--encoded", type=int, default=2)
    parser.add_argument("--least-loop", type=float, default=1.5)
    parser.add_argument("--least-pipeline", type=float, default=8.0)
    parser.add_argument("--most-memory", type=float, default=1.2)
    parser.add_argument("--do", nargs="+", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.do:
        given, out, *detectors = asked.do
        print(json.dumps(ours(Path(given), Path(out), detectors)))
        return
    with tempfile.TemporaryDirectory() as name:
        measured(asked, Path(name))


def measured(asked: argparse.Namespace, folder: Path) -> None:
    found = {}
    for number in (asked.small, asked.large):
        given = folder / f"{number}.jsonl"
        drawn(given, number)
        found[number] = one = in_a_process(given, folder / f"out-{number}", [])
        print(f"  {number:,} articles, {one['sentences']:,} sentences: "
              f"{one['sentences'] / one['seconds']:.0f}/s with pages, "
              f"{one['sentences'] / one['reading']:.0f}/s without; {one['memory']:.0f} MB",
              flush=True)  # fmt: skip
    small, large = found[asked.small], found[asked.large]
    speed = large["sentences"] / large["reading"]
    own = sentences(folder / f"out-{asked.small}")[:PEER]
    plain = one_at_a_time(own)
    print(f"  the same work on one at a time, {len(own):,} sentences: {plain:.0f}/s",
          flush=True)  # fmt: skip
    say_ratio("slant analyze, sentences", speed / plain, "one sentence at a time", asked.least_loop)
    encoder = folder / "encoder"
    write_encoder(encoder)
    theirs = pipeline_speed(encoder, own)
    print(f"  pipeline on MiniLM, probabilities alone: {theirs:.1f}/s", flush=True)
    peer = "transformers' pipeline on MiniLM"
    say_ratio(
        "slant analyze, the light detector",
        speed / theirs,
        peer,
        asked.least_pipeline,
    )
    if asked.encoded:
        given = folder / "encoded.jsonl"
        drawn(given, asked.encoded)
        one = in_a_process(given, folder / "out-encoded", [str(encoder)])
        ratio = one["sentences"] / one["reading"] / theirs
        say_ratio("slant analyze with that MiniLM, words weighed", ratio, peer)
    grown = large["memory"] / small["memory"]
    what, than = f"memory of slant analyze, {asked.large:,} articles", f"{asked.small:,} articles"
    say_ratio(what, grown, than, most=asked.most_memory)
    missed = []
    if speed / plain < asked.least_loop:
        missed.append(f"it should be {asked.least_loop:g} times as fast as one at a time")
    if speed / theirs < asked.least_pipeline:
        missed.append(f"it should be {asked.least_pipeline:g} times as fast as the pipeline")
    if grown > asked.most_memory:
        missed.append(f"memory should be at most {asked.most_memory:g} times")
    if missed:
        raise SystemExit("; ".join(missed).capitalize())


if __name__ == "__main__":
    main()
