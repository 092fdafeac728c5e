"""Replicas as cells of a run: the same bits whoever trains them, and nothing trained twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from slant.embeddings.planted import plant
from slant.embeddings.settings import Settings
from slant.embeddings.vectors import read_embedding, read_vectors, replica_files
from slant.errors import DataError, OptionError, RunError, SlantError
from slant.runs.embeddingruns import train_embeddings

pytest.importorskip("gensim")
SMALL = Settings(dimensions=6, epochs=2, bucket=100)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("planted")
    plant(folder, words=4_000, seed=1)
    return folder / "planted.jsonl"


def sums(folder):
    return [one["sha256"] for one in read_embedding(folder)["replicas"]]


def train(corpus, out, **options):
    return train_embeddings(
        corpus, out, **{"settings": SMALL, "seeds": (0, 1, 2), "jobs": 1, **options}
    )


def test_replicas_are_the_same_bits_whatever_the_number_of_jobs(corpus, tmp_path):
    alone = train(corpus, tmp_path / "alone")
    train(corpus, tmp_path / "together", jobs=2)
    assert sums(tmp_path / "alone") == sums(tmp_path / "together")
    assert len(set(sums(tmp_path / "alone"))) == 3
    assert [path.name for path in replica_files(tmp_path / "alone")] == ["0.bin", "1.bin", "2.bin"]
    assert alone["replicas"][1]["seed"] == 1
    assert alone["settings"]["dimensions"] == 6
    assert read_vectors(tmp_path / "alone" / "2.bin").matrix.shape[1] == 6
    assert not (tmp_path / "alone" / ".corpus").exists()


def test_a_finished_replica_is_never_trained_again_and_more_can_be_added(corpus, tmp_path):
    train(corpus, tmp_path, seeds=(0, 1))
    before = (tmp_path / "0.bin").stat().st_mtime_ns
    sum_of_1 = sums(tmp_path)[1]
    (tmp_path / "1.bin").write_bytes(b"damaged")
    told = []
    train(corpus, tmp_path, progress=lambda done, total, what: told.append((done, total, what)))
    assert (1, 3, "resumed") in told
    assert (tmp_path / "0.bin").stat().st_mtime_ns == before
    assert sums(tmp_path)[1] == sum_of_1
    assert len(replica_files(tmp_path)) == 3


def test_a_tokenised_corpus_that_a_killed_run_left_is_taken_away_by_the_next_call(corpus, tmp_path):
    train(corpus, tmp_path, seeds=(0,))
    before = (tmp_path / "embedding.json").read_bytes()
    (tmp_path / ".corpus").mkdir()
    (tmp_path / ".corpus" / "of.json").write_text("{}")
    train(corpus, tmp_path, seeds=(0,))
    assert not (tmp_path / ".corpus").exists()
    assert (tmp_path / "embedding.json").read_bytes() == before


def test_another_training_is_refused_unless_it_starts_over(corpus, tmp_path):
    train(corpus, tmp_path, seeds=(0,))
    (tmp_path / "notes.json").write_text("{}")
    other = Settings(dimensions=7, epochs=1, bucket=0)
    with pytest.raises(RunError, match="dimensions: 6 there, 7 asked"):
        train(corpus, tmp_path, seeds=(0,), settings=other)
    train(corpus, tmp_path, seeds=(1,), settings=other, fresh=True)
    assert [path.name for path in sorted(tmp_path.glob("*.bin"))] == ["1.bin"]
    assert (tmp_path / "notes.json").exists()


@pytest.mark.parametrize("documents", ["bootstrap", "shuffled"])
def test_documents_are_drawn_anew_for_each_replica(corpus, tmp_path, documents):
    record = train(corpus, tmp_path, seeds=(0, 1), documents=documents)
    tokens = [one["tokens"] for one in record["replicas"]]
    counts = [read_vectors(path).counts for path in replica_files(tmp_path)]
    # A bootstrap changes how often words occur, shuffling does not.
    assert (counts[0] == counts[1]) == (documents == "shuffled")
    assert (tokens[0] == tokens[1]) == (documents == "shuffled")


KILLED = """
import sys
from slant.embeddings.settings import Settings
from slant.runs.embeddingruns import train_embeddings
train_embeddings(sys.argv[1], sys.argv[2], seeds=(0, 1, 2), jobs=1,
                 settings=Settings(dimensions=6, epochs=2, bucket=100))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 on this system")
def test_a_killed_run_ends_with_the_same_bits(corpus, tmp_path):
    train(corpus, tmp_path / "whole")
    out = tmp_path / "killed"
    command = [sys.executable, "-c", KILLED, str(corpus), str(out)]
    with subprocess.Popen(command, env=os.environ) as child:
        while not (out / "0.json").exists() and child.poll() is None:
            time.sleep(0.01)
        child.kill()
    assert (out / "0.bin").exists()
    before = (out / "0.bin").stat().st_mtime_ns
    train(corpus, out)
    assert (out / "0.bin").stat().st_mtime_ns == before
    assert sums(out) == sums(tmp_path / "whole")
    assert {path.name for path in out.iterdir() if path.suffix == ".tmp"} == set()


def test_a_tokenised_corpus_that_was_damaged_is_tokenised_again(corpus, tmp_path):
    train(corpus, tmp_path / "whole")
    out = tmp_path / "killed"
    command = [sys.executable, "-c", KILLED, str(corpus), str(out)]
    with subprocess.Popen(command, env=os.environ) as child:
        while not (out / ".corpus" / "of.json").exists() and child.poll() is None:
            time.sleep(0.01)
        child.kill()
    tokens = out / ".corpus" / "tokens.i32"
    data = bytearray(tokens.read_bytes())
    data[8] ^= 1  # another word of the vocabulary, which nothing else would tell
    tokens.write_bytes(data)
    train(corpus, out)
    assert sums(out) == sums(tmp_path / "whole")


def test_what_cannot_be_trained_is_one_sentence_and_leaves_no_vectors(corpus, tmp_path):
    empty, rare = tmp_path / "empty.jsonl", tmp_path / "rare.jsonl"
    empty.write_text("")
    rare.write_text('{"id": "0", "text": "Every word stands here once."}\n')
    with pytest.raises(SlantError, match=r"empty\.jsonl"):
        train(empty, tmp_path / "a")
    with pytest.raises(DataError, match="its most frequent word occurs 1 times, less than 5"):
        train(rare, tmp_path / "b")
    with pytest.raises(SlantError, match=r"none\.jsonl"):
        train(tmp_path / "none.jsonl", tmp_path / "c")
    for options, words in (
        ({"seeds": ()}, "there is none"), ({"seeds": (1, 1)}, "one twice"),
        ({"trainer": "gensin"}, "Did you mean gensim"), ({"documents": "drawn"}, "bootstrap"),
    ):  # fmt: skip
        with pytest.raises(SlantError, match=words):
            train(corpus, tmp_path / "d", **options)
    with pytest.raises(OptionError, match="--out"):
        train(corpus, "")
    assert not list(tmp_path.rglob("*.bin"))
    assert not list(tmp_path.rglob("embedding.json"))
