"""Training against the official fastText, and analogies against gensim, each in one run.

    SLANT_DATA=DIR python benchmarks/embedding.py [--dimensions 168] [--epochs 3] [--least 5]

Training: the same tokens of WikiText-2 (validation), skipgram, 5 negatives, the same vocabulary,
n-grams and buckets on both sides, one thread; words per second of the processor are tokens times
epochs over all that `train_replica` and `train_official` do, writing the file included. The two
take turns, and the best of each counts.

Analogies: Mikolov's questions over the words of GoogleNews at hand, and over the same words among
10,000, the others random; ours is `askable` and `analogy_accuracy` together. Both must answer the
same questions right.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from ratios import say_ratio
from slant.embeddings.analogies import analogy_accuracy, askable, read_questions
from slant.embeddings.encoded import drawn, encode
from slant.embeddings.official import train_official
from slant.embeddings.settings import Settings
from slant.embeddings.training import train_replica
from slant.embeddings.vectors import Vectors, read_vectors


def seconds_of(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def texts_of(path: Path) -> Iterator[list[list[str]]]:
    for line in path.read_text("utf-8").splitlines():
        yield [re.findall("[a-z]+", one.lower()) for one in line.split(" . ")]


def compare_training(folder: Path, data: Path, settings: Settings, repeats: int) -> None:
    corpus = encode(texts_of(data / "weat/corpora/wikitext2_valid.txt"), 5, folder, "WikiText-2")
    own = drawn(corpus, "all", 0)
    tokens = own.length()[1] * (settings.epochs or 1)
    print(f"  {tokens:,} tokens, {len(corpus.words):,} words, {settings.dimensions} dimensions")
    mine, other = [], []
    for _ in range(repeats):
        mine.append(seconds_of(lambda: train_replica(own, settings, 0, [], folder / "a.bin")))
        other.append(seconds_of(lambda: train_official(own, settings, 0, folder / "b.bin")))
    for name, times in (("slant, by gensim", mine), ("official fastText", other)):
        print(f"  {name}: {tokens / min(times):,.0f} words/s ({min(times):.1f} s)")
    say_ratio(
        "word vectors trained (gensim), words", min(other) / min(mine), "the official fastText"
    )


def compare_analogies(vectors: Vectors, path: Path, restrict: int, least: float) -> float:
    from gensim.models import KeyedVectors

    held = KeyedVectors(vectors.matrix.shape[1])
    held.add_vectors(list(vectors.rows), vectors.matrix)
    sections = read_questions(path)

    def ours() -> list[tuple[int, int]]:
        asked = askable(vectors.rows, sections, restrict=restrict)
        return [(one.right, one.asked) for one in analogy_accuracy(vectors.matrix, asked)]

    def theirs() -> list[tuple[int, int]]:
        found = held.evaluate_word_analogies(path, restrict_vocab=restrict)[1][:-1]
        return [(len(one["correct"]), len(one["correct"]) + len(one["incorrect"])) for one in found]

    if ours() != theirs():
        raise SystemExit("the two sides count differently")
    mine = min(seconds_of(ours) for _ in range(3))
    other = seconds_of(theirs)
    asked = sum(one[1] for one in ours())
    print(f"  {asked:,} questions, {len(vectors.rows):,} words")
    print(f"  slant {mine:.2f} s, gensim {other:.2f} s")
    say_ratio(f"analogies over {len(vectors.rows):,} words", other / mine, "gensim", least)
    return other / mine


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dimensions", type=int, default=168)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--least", type=float, default=5.0)
    asked = parser.parse_args()
    if not os.environ.get("SLANT_DATA"):
        raise SystemExit("Give the folder of the data: SLANT_DATA=DIR")
    data = Path(os.environ["SLANT_DATA"])
    print("training")
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(dimensions=asked.dimensions, epochs=asked.epochs)
        compare_training(Path(folder), data, settings, asked.repeats)
    print("analogies")
    few = read_vectors(data / "weat/googlenews_analogy_words.txt")
    more = {f"w{n}": len(few.rows) + n for n in range(10_000 - len(few.rows))}
    random = np.random.default_rng(0).normal(size=(len(more), few.matrix.shape[1]))
    matrix = np.concatenate([few.matrix, random.astype(np.float32)])
    many = replace(few, rows={**few.rows, **more}, matrix=matrix)
    path = data / "weat/questions-words.txt"
    ratios = [compare_analogies(one, path, 300_000, asked.least) for one in (few, many)]
    if min(ratios) < asked.least:
        raise SystemExit(f"analogies are {min(ratios):.1f} times faster: {asked.least:g} are due")


if __name__ == "__main__":
    main()
