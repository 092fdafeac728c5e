"""fastText through gensim: the paper's schedule, the same bits, and going on where it was killed."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from slant.embeddings.analogies import Section
from slant.embeddings.encoded import drawn, encode
from slant.embeddings.planted import invented_language, planted_sentences
from slant.embeddings.settings import Settings, bucket_of, check_settings
from slant.embeddings.training import train_replica
from slant.embeddings.vectors import read_vectors
from slant.errors import OptionError

pytest.importorskip("gensim")
SMALL = Settings(dimensions=8, epochs=3, bucket=500)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    language = invented_language(0, 60)
    sentences = planted_sentences(language, 6_000, 0.5, 0)
    texts = [[one] for one in sentences]
    return encode(texts, 5, tmp_path_factory.mktemp("corpus"), "made")


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def questions(corpus, count=60):
    words = corpus.words
    starts = (n % (len(words) - 3) for n in range(count))
    return [Section("s", tuple(tuple(words[n : n + 4]) for n in starts))]


def test_the_same_seed_gives_the_same_bits_and_another_gives_others(corpus, tmp_path):
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        train_replica(drawn(corpus, "all", seed), SMALL, seed, [], tmp_path / name)
    assert digest(tmp_path / "a") == digest(tmp_path / "b") != digest(tmp_path / "c")
    vectors = read_vectors(tmp_path / "a")
    assert vectors.matrix.shape == (len(corpus.words), 8)
    assert vectors.counts == dict(zip(corpus.words, corpus.counts.tolist(), strict=True))


def test_the_learning_rate_is_multiplied_by_the_decay_each_epoch(corpus, tmp_path):
    settings = replace(SMALL, alpha=0.04, decay=0.5)
    trained = train_replica(drawn(corpus, "all", 0), settings, 0, [], tmp_path / "a")
    assert [epoch.alpha for epoch in trained.epochs] == [0.04, 0.02, 0.01]
    assert (trained.kept, trained.stopping, trained.bucket) == (3, "fixed", 500)


def test_training_ends_five_epochs_after_the_best_and_keeps_the_best(corpus, tmp_path, monkeypatch):
    # Accuracies as they might come: the best, 0.5, in epoch 3; 4 to 8 are no better.
    rights = iter([6, 12, 30, 20, 30, 25, 10, 29, 60])

    def answered(matrix, asked):
        return [type("A", (), {"right": next(rights)})()]

    monkeypatch.setattr("slant.embeddings.training.analogy_accuracy", answered)
    settings = replace(SMALL, epochs=None)
    own = drawn(corpus, "all", 0)
    trained = train_replica(own, settings, 0, questions(corpus), tmp_path / "a")
    assert [one.accuracy for one in trained.epochs] == [
        n / 60 for n in (6, 12, 30, 20, 30, 25, 10, 29)
    ]
    assert (trained.kept, trained.stopping, trained.questions) == (3, "analogies", 60)
    train_replica(own, SMALL, 0, [], tmp_path / "b")
    np.testing.assert_array_equal(
        read_vectors(tmp_path / "a").matrix, read_vectors(tmp_path / "b").matrix
    )


@pytest.mark.parametrize("rights", [[0] * 30, [5, *[0] * 29]], ids=["none", "chance in the first"])
def test_accuracies_below_one_in_a_hundred_stop_no_training(corpus, tmp_path, monkeypatch, rights):
    # 5 of 600 questions are 0.8 %.
    left = iter(rights)

    def answered(matrix, asked):
        return [type("A", (), {"right": next(left)})()]

    monkeypatch.setattr("slant.embeddings.training.analogy_accuracy", answered)
    settings = replace(SMALL, epochs=None, dimensions=2, bucket=0)
    trained = train_replica(
        drawn(corpus, "all", 0), settings, 0, questions(corpus, 600), tmp_path / "a"
    )
    assert len(trained.epochs) == trained.kept == 20


def test_with_too_few_analogies_a_stated_number_of_epochs_is_run(corpus, tmp_path):
    settings = replace(SMALL, epochs=None, dimensions=2, bucket=0)
    trained = train_replica(
        drawn(corpus, "all", 0), settings, 0, questions(corpus, 49), tmp_path / "a"
    )
    assert trained.stopping == (
        "fixed: only 49 analogies have all their words in this vocabulary, and 50 are needed, so 20 "
        "epochs are run"
    )
    assert len(trained.epochs) == trained.kept == 20
    assert trained.epochs[0].accuracy is None


KILLED = """
import sys, time
from pathlib import Path
from slant.embeddings.encoded import drawn, read_encoded
from slant.embeddings.settings import Settings
from slant.embeddings.training import train_replica
folder, out = map(Path, sys.argv[1:])
def told(share, what):
    if "epoch 3" in what:
        print("third", flush=True)
        time.sleep(60)
settings = Settings(dimensions=8, epochs=4, bucket=500)
train_replica(drawn(read_encoded(folder), "all", 1), settings, 1, [], out, told=told, save_every=0)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 on this system")
def test_a_killed_training_goes_on_from_its_last_epoch_to_the_same_bits(tmp_path):
    folder = tmp_path / "corpus"
    settings = replace(SMALL, epochs=4)
    language = invented_language(0, 60)
    own = encode([[one] for one in planted_sentences(language, 3_000, 0.5, 0)], 5, folder, "made")
    train_replica(drawn(own, "all", 1), settings, 1, [], tmp_path / "whole.bin")
    command = [sys.executable, "-c", KILLED, str(folder), str(tmp_path / "killed.bin")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ) as child:
        assert child.stdout.readline() == "third\n"
        child.kill()
    assert not (tmp_path / "killed.bin").exists()
    assert (tmp_path / ".killed.state").exists()
    heard = []
    trained = train_replica(
        drawn(own, "all", 1), settings, 1, [], tmp_path / "killed.bin",
        told=lambda share, what: heard.append(what),
    )  # fmt: skip
    assert heard[0] == "epoch 3"
    assert len(trained.epochs) == 4
    assert digest(tmp_path / "killed.bin") == digest(tmp_path / "whole.bin")
    assert not (tmp_path / ".killed.state").exists()


def test_a_state_that_was_not_written_whole_starts_anew(corpus, tmp_path):
    train_replica(drawn(corpus, "all", 0), SMALL, 0, [], tmp_path / "a.bin")
    (tmp_path / ".b.state").write_bytes(b"\x80\x05broken")
    train_replica(drawn(corpus, "all", 0), SMALL, 0, [], tmp_path / "b.bin")
    assert digest(tmp_path / "a.bin") == digest(tmp_path / "b.bin")


def test_without_buckets_no_word_outside_has_a_vector(corpus, tmp_path):
    train_replica(drawn(corpus, "all", 0), replace(SMALL, bucket=0), 0, [], tmp_path / "a.bin")
    vectors = read_vectors(tmp_path / "a.bin")
    assert vectors.grams is None
    assert len(vectors.rows) == len(corpus.words)


def test_buckets_are_twice_the_distinct_n_grams_in_thousands_at_most_two_million():
    # <cat>: 3 of three, 2 of four, 1 of five characters; 600 words of nine different letters and
    # more are far below 2,000,000.
    assert bucket_of(Settings(), {"cat": 1}) == 1000
    words = {f"{n:03}": 1 for n in range(1000)}
    # Each word abc: <ab, abc, bc>, <abc, abc>, <abc>: 100 + 1000 + 100 + 1000 + 1000 + 1000 = 4,200.
    assert bucket_of(Settings(), words) == 9000
    assert bucket_of(Settings(bucket=0), words) == 0
    assert bucket_of(Settings(bucket=77), words) == 77


@pytest.mark.parametrize("seed", [0, 1])
def test_the_official_fasttext_is_as_repeatable(corpus, tmp_path, seed):
    pytest.importorskip("fasttext_pybind", reason="fasttext-community is not installed")
    from slant.embeddings.official import train_official

    own = drawn(corpus, "all", seed)
    for name in ("a.bin", "b.bin"):
        trained = train_official(own, SMALL, seed, tmp_path / name)
    train_official(own, SMALL, seed + 7, tmp_path / "c.bin")
    assert digest(tmp_path / "a.bin") == digest(tmp_path / "b.bin") != digest(tmp_path / "c.bin")
    vectors = read_vectors(tmp_path / "a.bin")
    # fastText counts the ends of lines as a word.
    assert set(vectors.rows) == {*corpus.words, "</s>"}
    assert vectors.counts["</s>"] == own.length()[0]
    assert (trained.kept, len(trained.epochs), trained.tokens) == (3, 3, own.length()[1])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.bin", "b.bin", "c.bin"]


@pytest.mark.parametrize(
    ("change", "words"),
    [({"dimensions": 0}, "--dimensions 0"), ({"alpha": 0.0}, "--alpha 0.0"), ({"decay": 1.5}, "1.5"),
     ({"algorithm": "glove"}, "neither skipgram nor cbow"), ({"maxn": 0, "bucket": 9}, "--bucket 0"),
     ({"epochs": 0}, "--epochs 0")],
)  # fmt: skip
def test_settings_that_cannot_be_are_named(change, words):
    with pytest.raises(OptionError, match=words):
        check_settings(replace(Settings(), **change))
    check_settings(Settings())
