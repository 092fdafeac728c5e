from __future__ import annotations

import random

import numpy as np
import pytest

from slant.data.near import SHINGLE, linked, near_duplicates, similar_pairs


def jaccard(a, b):
    sets = []
    for text in (a, b):
        raw = text.encode().ljust(SHINGLE)
        sets.append({raw[i : i + SHINGLE] for i in range(len(raw) - SHINGLE + 1)})
    return len(sets[0] & sets[1]) / len(sets[0] | sets[1])


@pytest.fixture(scope="module")
def sentences():
    """300 invented sentences, a third of them edited copies of others."""
    rng = random.Random(4)
    words = [
        "mayor",
        "river",
        "school",
        "budget",
        "strike",
        "harbour",
        "market",
        "winter",
        "bridge",
        "farm",
        "court",
        "vote",
    ]
    texts = [" ".join(rng.choices(words, k=rng.randint(4, 14))) for _ in range(200)]
    for text in rng.sample(texts, 100):
        parts = text.split()
        parts[rng.randrange(len(parts))] = rng.choice(words)
        texts.append(" ".join(parts))
    return texts


@pytest.mark.parametrize("threshold", [0.6, 0.8])
def test_the_pairs_are_those_of_comparing_all_with_all(sentences, threshold):
    truth = {
        (i, j)
        for i in range(len(sentences))
        for j in range(i + 1, len(sentences))
        if jaccard(sentences[i], sentences[j]) >= threshold
    }
    first, second = similar_pairs(sentences, threshold)
    found = set(zip(first.tolist(), second.tolist(), strict=True))
    assert len(truth) > 20
    assert found <= truth
    # at 0.6 a pair is proposed with probability 0.988, above it more often
    assert len(found) >= 0.97 * len(truth)


def test_equal_texts_are_one_cluster_however_many():
    texts = ["the same short text"] * 500 + ["another one"]
    clusters = near_duplicates(texts, 0.9)
    assert clusters.tolist() == [0] * 500 + [1]


def test_short_and_empty_texts_do_not_fail():
    assert near_duplicates(["", "a", "a", "ab", ""], 0.9).tolist() == [0, 1, 1, 2, 0]


def test_no_text_is_no_cluster():
    assert near_duplicates([], 0.5).tolist() == []


def test_letters_of_all_alphabets_count():
    texts = ["выборы мэра прошли вчера", "выборы мэра прошли вчера!", "совсем другое дело"]
    assert near_duplicates(texts, 0.6).tolist() == [0, 0, 1]


def test_chains_link_and_clusters_are_numbered_by_first_appearance():
    # 0-3, 3-1; 2 alone
    assert linked(4, np.array([0, 1]), np.array([3, 3])).tolist() == [0, 0, 1, 0]


def test_the_order_of_the_texts_does_not_change_who_is_with_whom(sentences):
    order = np.random.default_rng(0).permutation(len(sentences))
    straight = near_duplicates(sentences, 0.7)
    shuffled = near_duplicates([sentences[i] for i in order], 0.7)
    together = straight[order][:, None] == straight[order][None, :]
    assert (together == (shuffled[:, None] == shuffled[None, :])).all()
