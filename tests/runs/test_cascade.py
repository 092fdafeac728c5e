"""The linear model that spares the encoder work: its bands, bound and measures."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest
from tiny_detector import made_texts

from slant.errors import DataError
from slant.runs.cascade import (
    Student,
    chosen_bands,
    errors_allowed,
    load_student,
    measured,
    sample_of,
    save_student,
    student_scores,
    sure,
    taught_student,
)


@pytest.mark.parametrize(("n", "bound"), [(50, 0.1), (150, 0.05), (1000, 0.01), (99, 0.01)])
def test_errors_allowed_are_those_of_the_exact_binomial_interval(n, bound):
    # A two-sided interval of 90 % has the upper end of a one-sided one of 95 %.
    some = range(min(n, 20))
    fits = [k for k in some if binomtest(k, n).proportion_ci(0.9, method="exact").high <= bound]
    assert errors_allowed(n, bound) == max(fits, default=-1)


def held(scores, taught):
    empty = np.zeros(1, dtype=np.float32)
    return Student(empty, empty, 0.0, np.array(scores, float), np.array(taught, float))


def test_no_narrower_bands_keep_to_the_errors_allowed():
    stream = np.random.default_rng(5)
    for threshold in (0.5, 0.6):
        for _ in range(20):
            scores = np.round(stream.normal(0, 2, 40), 1)
            taught = np.where(stream.random(40) < 1 / (1 + np.exp(-2 * scores)), 0.9, 0.1)
            bands = chosen_bands(held(scores, taught), threshold, 0.15)
            middle = np.log(threshold / (1 - threshold))
            wrong = (scores >= middle) != (taught >= threshold)
            best = 0
            for width in np.abs(scores - middle):
                own = np.abs(scores - middle) >= width
                if (own & wrong).sum() <= errors_allowed(40, 0.15):
                    best = max(best, int(own.sum()))
            assert bands.low < middle <= bands.high
            assert bands.share == best / 40
            own = sure(scores, bands)
            assert own.mean() == bands.share
            assert (own & ((scores >= bands.high) != (taught >= threshold))).mean() == (
                bands.disagreement
            )


def test_the_bound_holds_on_new_texts_in_at_least_95_of_100_samples():
    stream = np.random.default_rng(11)

    def drawn(n):
        scores = stream.normal(0, 1.5, n)
        return scores, np.where(stream.random(n) < 1 / (1 + np.exp(-2 * scores)), 0.9, 0.1)

    new, said = drawn(200_000)
    above = 0
    for _ in range(200):
        bands = chosen_bands(held(*drawn(300)), 0.5, 0.05)
        above += ((sure(new, bands)) & ((new >= bands.high) != (said >= 0.5))).mean() > 0.05
    # A share of 0.05 in 200 samples has a standard error of 0.0154: 0.10 is over 3 of them away.
    assert above / 200 < 0.10


def test_where_too_few_texts_prove_the_bound_nothing_is_answered():
    # 0 of 40 has an upper end of 1 - 0.05 ** (1 / 40) = 7.2 %.
    perfect = held(np.arange(40) - 20.0, np.arange(40) >= 20)
    assert chosen_bands(perfect, 0.5, 0.07).share == 0
    assert chosen_bands(perfect, 0.5, 0.08).share == 1


def test_the_sample_does_not_depend_on_the_order_of_the_corpus():
    texts = made_texts(300)
    drawn = sample_of(texts, 50)
    assert drawn == sample_of([*reversed(texts), *texts[:9], " ", ""], 50)
    assert len(set(drawn)) == 50
    assert sorted(sample_of(texts, 1000)) == sorted(set(texts))


@pytest.fixture(scope="module")
def student():
    order = np.random.default_rng(1).permutation(400)
    texts = [made_texts(400)[i] for i in order]
    return taught_student(texts, np.where(order % 2 == 0, 0.95, 0.05))


def test_the_student_learns_the_words_of_its_teacher(student):
    new = made_texts(60, 700)
    assert (student_scores(student, new) > 0).tolist() == [i % 2 == 0 for i in range(60)]
    assert len(student.scores) == 100


def test_a_student_is_read_as_it_was_written(student, tmp_path):
    path = tmp_path / "cascade.safetensors"
    save_student(student, path)
    texts = made_texts(20)
    assert np.array_equal(student_scores(load_student(path), texts), student_scores(student, texts))
    path.write_bytes(b"broken")
    with pytest.raises(DataError, match="no student of a cascade"):
        load_student(path)


def test_share_disagreement_and_loss_are_counted_on_labelled_texts(student):
    texts = made_texts(10)
    bands = chosen_bands(student, 0.5, 0.05)
    # The encoder calls the first text non-biased, the student is sure that it is biased, as gold is.
    said = np.where(np.arange(10) % 2 == 0, 0.9, 0.1)
    said[0] = 0.1
    gold = (np.arange(10) % 2 == 0).astype(np.int64)
    found = measured(student, bands, texts, said, gold, 0.5)
    assert (found["n"], found["share"], found["disagreement"]) == (10, 1.0, 0.1)
    # tp 4, fn 1, tn 5: (8 / 9 + 10 / 11) / 2
    assert found["encoder_class_f1"] == pytest.approx((8 / 9 + 10 / 11) / 2)
    assert found["cascade_class_f1"] == 1
    assert found["loss"] == pytest.approx((8 / 9 + 10 / 11) / 2 - 1)
