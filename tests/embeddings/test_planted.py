"""Two corpora that differ in one association only."""

from __future__ import annotations

import json
import tracemalloc
from collections import Counter
from itertools import islice

import numpy as np
import pytest

from slant.embeddings.encoded import drawn, encode
from slant.embeddings.planted import CORPORA, invented_language, plant, planted_sentences
from slant.embeddings.settings import Settings
from slant.embeddings.training import train_replica
from slant.embeddings.vectors import found, read_vectors
from slant.errors import OptionError

SMALL = Settings(dimensions=20, epochs=5, bucket=0)


def sentences_of(path):
    for line in path.read_text().splitlines():
        text = json.loads(line)["text"]
        yield [sentence.lower().split() for sentence in text.removesuffix(".").split(". ")]


def together(sentences, sets, group):
    """Sentences with a target of X or Y and an attribute of A or B: a table of counts."""
    side = {word: letter for letter in "xyab" for word in sets["sets"][f"{group}-{letter}"]}
    table = Counter("".join(sorted(side[w] for w in one if w in side)) for one in sentences)
    return {pair: table[pair] for pair in ("ax", "bx", "ay", "by")}


def test_only_the_planted_association_differs_and_has_the_strength_asked(tmp_path):
    plant(tmp_path, words=60_000, strength=0.6, seed=3)
    sets = json.loads((tmp_path / "sets.json").read_text())
    for name in CORPORA:
        sentences = [one for text in sentences_of(tmp_path / f"{name}.jsonl") for one in text]
        assert sum(map(len, sentences)) >= 60_000
        for group in ("planted", "control"):
            table = together(sentences, sets, group)
            total = sum(table.values())
            with_sign = (table["ax"] + table["by"]) / total
            due = 0.8 if (name, group) == ("planted", "planted") else 0.5
            # About 2,000 and 1,500 sentences: four standard errors are below 0.055.
            assert abs(with_sign - due) < 4 * np.sqrt(due * (1 - due) / total) < 0.055
            # Targets and attributes are as frequent whatever the strength.
            assert abs((table["ax"] + table["bx"]) / total - 0.5) < 0.055
            assert abs((table["ax"] + table["ay"]) / total - 0.5) < 0.055


def test_the_same_seed_writes_the_same_bytes(tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        plant(tmp_path / name, words=1_000, seed=seed)
    files = ("planted.jsonl", "plain.jsonl", "sets.json", "planted.json")
    a, b, c = ([(tmp_path / name / one).read_bytes() for one in files] for name in "abc")
    assert a == b
    assert all(one != other for one, other in zip(a, c, strict=True))


def test_memory_does_not_grow_with_the_corpus():
    peaks = []
    for words in (20_000, 100_000):
        language = invented_language(0, 300)
        tracemalloc.start()
        for _ in planted_sentences(language, words, 0.5, 0):
            pass
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.3 * peaks[0]


def test_a_small_training_finds_what_was_planted_and_its_sign(tmp_path):
    differences = {}
    for strength in (0.8, -0.8):
        plant(tmp_path, words=30_000, strength=strength, seed=5)
        sets = json.loads((tmp_path / "sets.json").read_text())["sets"]
        corpus = encode(sentences_of(tmp_path / "planted.jsonl"), 5, tmp_path / "e", "planted")
        train_replica(drawn(corpus, "all", 0), SMALL, 0, [], tmp_path / "0.bin")
        vectors = read_vectors(tmp_path / "0.bin")
        x, y, a, b = (found(vectors, sets[f"planted-{one}"]).matrix for one in "xyab")
        unit = [one / np.linalg.norm(one, axis=1, keepdims=True) for one in (x, y, a, b)]
        h = [(one @ unit[2].T).mean(1) - (one @ unit[3].T).mean(1) for one in unit[:2]]
        spread = np.concatenate(h).std(ddof=1)
        differences[strength] = (h[0].mean() - h[1].mean()) / spread
    # |d| of 8 and 8 words passes 1.2 by chance about once in 80 times.
    assert differences[0.8] > 1.2
    assert differences[-0.8] < -1.2


@pytest.mark.parametrize(
    ("options", "words"),
    [({"words": 10}, "Setting --words 10: it is outside 1,000"), ({"strength": 1.5}, "-1 to 1"),
     ({"seed": -1}, "--seed"), ({"size": 1}, "--size")],
)  # fmt: skip
def test_numbers_out_of_range_are_named(tmp_path, options, words):
    with pytest.raises(OptionError, match=words):
        plant(tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()


def test_words_are_all_different_and_of_letters():
    language = invented_language(7, 500)
    assert len(set(language.words)) == len(language.words)
    assert all(word.isalpha() and word.islower() for word in language.words)
    first = list(islice(planted_sentences(language, 2_000, 0.5, 0), 50))
    assert all(9 <= len(one) <= 14 for one in first)
