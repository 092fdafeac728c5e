"""Predicting a corpus: the same bytes whatever happens on the way, and one line per fault."""

from __future__ import annotations

import shutil

import numpy as np
import polars as pl
import pytest
from tiny_detector import made_texts

from slant.data.streams import open_corpus
from slant.errors import DataError, OptionError, RunError, UnknownName, WorkFailed
from slant.runs import predicting, shards
from slant.runs.folders import detector_facts
from slant.runs.predicting import encoder_answers, predict
from slant.runs.shards import Answers, claimed, shard_folder, shard_path
from slant.runs.store import only_writer
from slant.runs.workers import Workers


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.parquet"
    texts = made_texts(90)
    texts[7], texts[11] = "  ", None
    pl.DataFrame({"id": [f"n{i}" for i in range(90)], "text": texts}).write_parquet(path)
    return path


def test_each_row_comes_out_once_and_in_order(toy, corpus, tmp_path):
    done = predict(toy / "detector", corpus, tmp_path / "out.parquet", jobs=1, rows=40)
    table = pl.read_parquet(tmp_path / "out.parquet")
    assert table.columns == ["id", "probability", "biased", "detector", "signature"]
    assert table["id"].to_list() == [f"n{i}" for i in range(90)]
    assert table["probability"].null_count() == table["biased"].null_count() == 2
    assert table["probability"].is_null().arg_true().to_list() == [7, 11]
    assert done["rows"] == 90
    assert (done["texts"], done["blank"]) == (88, 2)
    assert done["biased"] == table["biased"].sum()
    assert table["detector"].unique().item().startswith("detector#")
    assert not shard_folder(tmp_path / "out.parquet").exists()


def test_rows_in_batches_say_what_each_says_alone(toy, corpus, tmp_path):
    predict(toy / "detector", corpus, tmp_path / "out.parquet", jobs=1, rows=40)
    said = pl.read_parquet(tmp_path / "out.parquet")["probability"].to_list()
    for row in (0, 1, 50, 89):
        alone = encoder_answers(toy / "detector", "torch", "window", [made_texts(90)[row]])
        assert said[row] == pytest.approx(float(alone.probability[0]), abs=1e-6)


def test_an_interrupted_corpus_goes_on_and_ends_with_the_same_bytes(
    toy, corpus, tmp_path, monkeypatch
):
    whole, out = tmp_path / "whole.parquet", tmp_path / "out.parquet"
    predict(toy / "detector", corpus, whole, jobs=1, rows=20)
    calls = []
    real = shards.score_shard

    def stopping(path, batch, answering):
        calls.append(path.name)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return real(path, batch, answering)

    monkeypatch.setattr(shards, "score_shard", stopping)
    with pytest.raises(KeyboardInterrupt):
        predict(toy / "detector", corpus, out, jobs=1, rows=20)
    assert not out.exists()
    shard_path(shard_folder(out), 1).write_bytes(b"half a shard")
    predict(toy / "detector", corpus, out, jobs=1, rows=20)
    # Shard 0 is kept; 1 was damaged, 2 stopped, 3 and 4 had not begun.
    assert calls[3:] == [f"{n:08}.parquet" for n in (1, 2, 3, 4)]
    assert out.read_bytes() == whole.read_bytes()


def test_two_processes_write_the_same_bytes_as_one(corpus, tmp_path):
    """With a detector that counts letters, since two processes load torch for many seconds."""

    def answering(texts):
        p = np.array([len(text) / 100 for text in texts])
        whole = np.ones(len(texts), dtype=np.int64)
        return Answers(p, p > 0.2, whole, 0 * whole, whole < 0)

    outs = [tmp_path / f"{jobs}.parquet" for jobs in (1, 2)]
    for jobs, out in enumerate(outs, start=1):
        with only_writer(shard_folder(out)):
            claimed(out, {}, False)
            predicting.scored_corpus(
                open_corpus(corpus, None, None), out, answering, {}, {"detector": "letters"},
                rows=30, workers=Workers(jobs), bands=None, progress=lambda *_: None,
            )  # fmt: skip
    assert outs[0].read_bytes() == outs[1].read_bytes()
    assert pl.read_parquet(outs[0])["probability"].drop_nulls().len() == 88


def test_parts_score_their_own_shards_and_the_plain_command_joins(
    toy, corpus, tmp_path, monkeypatch
):
    whole, out = tmp_path / "whole.parquet", tmp_path / "out.parquet"
    predict(toy / "detector", corpus, whole, jobs=1, rows=20)
    first = predict(toy / "detector", corpus, out, jobs=1, rows=20, part="1/2")
    # 90 rows are shards of 20, 20, 20, 20, 10.
    assert (first["part"], first["rows"]) == ("1/2", 50)
    shards_there = sorted(path.name for path in shard_folder(out).glob("*.parquet"))
    assert shards_there == [f"{n:08}.parquet" for n in (0, 2, 4)]
    assert predict(toy / "detector", corpus, out, jobs=1, rows=20, part="2/2")["rows"] == 40
    assert not out.exists()
    with pytest.raises(RunError, match="they are of something else"):
        predict(toy / "detector", corpus, out, jobs=1, rows=30, part="1/2")
    monkeypatch.setattr(shards, "score_shard", None)
    assert predict(toy / "detector", corpus, out, jobs=1, rows=20)["rows"] == 90
    assert out.read_bytes() == whole.read_bytes()


def test_the_same_command_again_does_nothing_more(toy, corpus, tmp_path, monkeypatch):
    out = tmp_path / "out.parquet"
    first = predict(toy / "detector", corpus, out, jobs=1)
    monkeypatch.setattr(predicting, "scored_corpus", None)
    assert predict(toy / "detector", corpus, out, jobs=1) == first


def test_another_detector_or_corpus_never_meets_the_shards(toy, corpus, tmp_path, monkeypatch):
    out = tmp_path / "out.parquet"

    def stop(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(predicting, "scored_corpus", stop)
        with pytest.raises(KeyboardInterrupt):
            predict(toy / "detector", corpus, out)
    other = tmp_path / "other.txt"
    other.write_text("the regime lied\n")
    with pytest.raises(RunError, match=r"something else .corpus: "):
        predict(toy / "detector", other, out)
    copy = shutil.copytree(toy / "detector", tmp_path / "copy")
    (copy / "detector.json").write_text((copy / "detector.json").read_text() + "\n")
    (copy / ".detector.json.sum").unlink()
    with pytest.raises(RunError, match=r"detector: detector#.* there, copy#"):
        predict(copy, corpus, out)
    predict(copy, other, out, fresh=True, jobs=1)
    with pytest.raises(RunError, match="it is of something else"):
        predict(toy / "detector", other, out)
    pl.DataFrame({"a": [1]}).write_parquet(out)
    with pytest.raises(RunError, match="did not write"):
        predict(toy / "detector", other, out)


def test_long_texts_are_split_or_cut_and_counted(toy, tmp_path):
    corpus = tmp_path / "long.txt"
    sentence = "the council met on monday in the rain."
    corpus.write_text(f"{sentence}\n{sentence} {sentence} {sentence}\n")
    split = predict(toy / "detector", corpus, tmp_path / "a.parquet", jobs=1)
    cut = predict(toy / "detector", corpus, tmp_path / "b.parquet", jobs=1, long="cut")
    assert (split["split"], split["cut"]) == (1, 0)
    assert (cut["split"], cut["cut"]) == (0, 1)
    p = [pl.read_parquet(tmp_path / f"{name}.parquet")["probability"] for name in "ab"]
    # The batches differ, and with them the last bits.
    assert p[0][0] == pytest.approx(p[1][0], rel=1e-3)
    assert p[0][1] != p[1][1]


def test_the_cascade_differs_no_more_than_it_may(toy, tmp_path):
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("\n".join(made_texts(500, 1100)))
    done = predict(
        toy / "detector", corpus, tmp_path / "c.parquet",
        runtime="cascade", max_disagreement=0.05, jobs=1,
    )  # fmt: skip
    predict(toy / "detector", corpus, tmp_path / "e.parquet", jobs=1)
    cascade, encoder = (pl.read_parquet(tmp_path / f"{name}.parquet") for name in "ce")
    assert done["share_linear"] > 0.5
    assert (cascade["biased"] != encoder["biased"]).mean() <= 0.05
    assert (cascade["probability"] != encoder["probability"]).sum() > 250
    threshold = detector_facts(toy / "detector")["threshold"]
    assert ((cascade["probability"] >= threshold) == cascade["biased"]).all()


def test_a_cascade_without_a_student_is_taught_on_the_corpus_itself(toy, tmp_path):
    bare = shutil.copytree(toy / "detector", tmp_path / "bare")
    (bare / "cascade.safetensors").unlink()
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("\n".join(made_texts(600, 240)))
    done = predict(
        bare, corpus, tmp_path / "c.parquet", runtime="cascade", max_disagreement=0.05, jobs=1
    )
    assert done["share_linear"] > 0.5
    assert not (bare / "cascade.safetensors").exists()
    few = tmp_path / "few.txt"
    few.write_text("\n".join(made_texts(20)))
    with pytest.raises(DataError, match="20 different texts, 200 are needed"):
        predict(bare, few, tmp_path / "f.parquet", runtime="cascade", jobs=1)


def test_a_bound_of_nothing_lets_the_encoder_answer_all(toy, tmp_path):
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("\n".join(made_texts(60)))
    done = predict(
        toy / "detector", corpus, tmp_path / "c.parquet",
        runtime="cascade", max_disagreement=0, jobs=1,
    )  # fmt: skip
    assert done["share_linear"] == 0
    assert done["bands"]["low"] is None


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"text": "txt"}, UnknownName, r"column of 'corpus.parquet' 'txt'.*Did you mean text\?"),
        ({"runtime": "onx"}, UnknownName, r"Did you mean onnx\?"),
        ({"long": "wrap"}, OptionError, "Give window or cut"),
        ({"max_disagreement": 2}, OptionError, "2 was given"),
    ],
)
def test_a_wrong_choice_is_one_line(toy, corpus, tmp_path, given, error, words):
    with pytest.raises(error, match=words) as told:
        predict(toy / "detector", corpus, tmp_path / "out.parquet", **given)
    assert told.value.exit_code == 2
    assert not shard_folder(tmp_path / "out.parquet").exists()


def test_a_fault_in_the_last_row_is_told_before_the_work(toy, tmp_path, monkeypatch):
    monkeypatch.setattr(predicting, "run_shards", None)
    path = tmp_path / "bad.txt"
    path.write_bytes(b"the council met\n" * 30 + b"caf\xe9\n")
    # 30 lines of 16 bytes, then 3 letters.
    with pytest.raises(DataError, match=r"byte 483 \(0xE9, line 31\) is not UTF-8"):
        predict(toy / "detector", path, tmp_path / "out.parquet")
    path.write_text(" \n\n \n")
    with pytest.raises(DataError, match="no row has a text"):
        predict(toy / "detector", path, tmp_path / "new.parquet")
    with pytest.raises(OptionError, match=r"Give a name that ends in .parquet"):
        predict(toy / "detector", path, tmp_path / "out.csv")


def test_a_full_disk_is_told_and_the_work_can_go_on(toy, corpus, tmp_path, monkeypatch):
    out = tmp_path / "out.parquet"
    real = pl.DataFrame.write_parquet

    def full(self, path, **more):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(pl.DataFrame, "write_parquet", full)
        with pytest.raises(WorkFailed, match="no space is left") as told:
            predict(toy / "detector", corpus, out, jobs=1)
    assert told.value.exit_code == 2
    assert pl.DataFrame.write_parquet is real
    assert predict(toy / "detector", corpus, out, jobs=1)["rows"] == 90


def test_progress_counts_rows(toy, corpus, tmp_path):
    seen = []
    predict(
        toy / "detector", corpus, tmp_path / "out.parquet", jobs=1, rows=40,
        progress=lambda done, total, what: seen.append((done, total)),
    )  # fmt: skip
    assert seen == [(40, 90), (80, 90), (90, 90)]


def test_a_shard_is_a_function_of_its_batch_alone(toy, corpus):
    first, second = open_corpus(corpus, None, None).batches(45)
    texts = [text for text in second.texts if text.strip()]
    one = encoder_answers(toy / "detector", "torch", "window", texts)
    encoder_answers(toy / "detector", "torch", "window", [t for t in first.texts if t.strip()])
    again = encoder_answers(toy / "detector", "torch", "window", texts)
    assert np.array_equal(one.probability, again.probability)
