"""Vectors from counts of neighbours, against the formula worked by hand and by brute force."""

from __future__ import annotations

import json
import math
from collections import Counter

import numpy as np
import pytest

from slant.embeddings.corpus import Cleaning
from slant.embeddings.counted import count_vectors, write_count_vectors
from slant.embeddings.planted import plant
from slant.embeddings.vectors import found, read_vectors
from slant.errors import DataError, OptionError


def information(sentences, window, minimum):
    """PPMI by counting every pair in turn."""
    counts = Counter(word for one in sentences for word in one)
    words = sorted((w for w in counts if counts[w] >= minimum), key=lambda w: (-counts[w], w))
    pairs = Counter()
    for one in sentences:
        for i, a in enumerate(one):
            for j, b in enumerate(one):
                if i != j and abs(i - j) <= window and a in words and b in words:
                    pairs[a, b] += 1
    total = sum(pairs.values())
    own = {w: sum(pairs[w, c] for c in words) for w in words}
    smooth = {c: own[c] ** 0.75 for c in words}
    scale = total / sum(smooth.values())
    table = np.zeros((len(words), len(words)))
    for (a, b), n in pairs.items():
        table[words.index(a), words.index(b)] = max(
            0.0, math.log(n * total / (own[a] * smooth[b] * scale))
        )
    return words, table


def effect(x, y, a, b):
    """WEAT's d: the difference of the mean associations over the deviation of all."""
    x, y, a, b = (one / np.linalg.norm(one, axis=1, keepdims=True) for one in (x, y, a, b))
    both = np.concatenate([x, y])
    associated = (both @ a.T).mean(axis=1) - (both @ b.T).mean(axis=1)
    return (associated[: len(x)].mean() - associated[len(x) :].mean()) / associated.std(ddof=1)


def drawn(seed=0):
    rng = np.random.default_rng(seed)
    return [[f"w{n}" for n in rng.integers(0, 14, rng.integers(1, 9))] for _ in range(60)]


@pytest.mark.parametrize("window", [1, 3, 12])
def test_all_but_one_dimensions_give_back_the_information_of_a_brute_force_count(window):
    sentences = [*drawn(), ["rare", "w1"]]
    words, table = information(sentences, window, 5)
    made = count_vectors(sentences, "x", window=window, minimum=5, dimensions=100)
    assert list(made.rows) == words
    # U sqrt(S) (U sqrt(S))' is U S U': of M = U S V' it has the same rows up to the last of its
    # singular values, and of M M' the same square roots.
    left, values, _ = np.linalg.svd(table)
    expected = (left[:, :-1] * values[:-1]) @ left[:, :-1].T
    assert made.matrix.shape == (len(words), len(words) - 1)
    np.testing.assert_allclose(made.matrix @ made.matrix.T, expected, atol=1e-4)


def test_words_with_the_same_neighbours_lie_close():
    sentences = [["the", animal, "eats", food] for animal in ("cat", "dog") for food in "ab"] * 5
    sentences += [["a", car, "needs", fuel] for car in ("van", "bus") for fuel in "cd"] * 5
    made = count_vectors(sentences, "x", dimensions=4)
    unit = made.matrix / np.linalg.norm(made.matrix, axis=1, keepdims=True)
    cosine = unit @ unit.T
    cat, dog, van = (made.rows[word] for word in ("cat", "dog", "van"))
    assert cosine[cat, dog] > 0.9
    assert abs(cosine[cat, van]) < 0.1


def test_the_same_text_gives_the_same_bytes_and_reads_back(tmp_path):
    plant(tmp_path, words=3_000, seed=1)
    cleaning = Cleaning(tokenizer="regex")
    for name in ("a", "b"):
        made = write_count_vectors(
            tmp_path / "plain.jsonl", tmp_path / f"{name}.vec", text="text", cleaning=cleaning
        )
    assert (tmp_path / "a.vec").read_bytes() == (tmp_path / "b.vec").read_bytes()
    read = read_vectors(tmp_path / "a.vec")
    assert list(read.rows) == list(made.rows)
    np.testing.assert_allclose(read.matrix, made.matrix, rtol=1e-5, atol=1e-7)


def test_only_the_planted_association_is_found(tmp_path):
    plant(tmp_path, words=60_000, strength=0.8, seed=3)
    sets = json.loads((tmp_path / "sets.json").read_text())["sets"]
    cleaning = Cleaning(tokenizer="regex")
    effects = {}
    for corpus in ("planted", "plain"):
        vectors = write_count_vectors(
            tmp_path / f"{corpus}.jsonl", tmp_path / f"{corpus}.vec", text="text", cleaning=cleaning
        )
        for group in ("planted", "control"):
            x, y, a, b = (found(vectors, sets[f"{group}-{side}"]).matrix for side in "xyab")
            effects[corpus, group] = effect(x, y, a, b)
    # d has a largest value of 2; without an association 8 words a side have a spread of about 0.5.
    assert effects.pop(("planted", "planted")) > 1.5
    assert all(abs(value) < 1.3 for value in effects.values())


def test_too_few_words_and_numbers_below_one_are_refused():
    with pytest.raises(DataError, match="1 words occur 5 times"):
        count_vectors([["a"] * 5, ["b"]], "x")
    with pytest.raises(DataError, match="0 words"):
        count_vectors([], "x")
    with pytest.raises(OptionError, match="window is 0"):
        count_vectors([["a"]], "x", window=0)
