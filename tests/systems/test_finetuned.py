"""The system `encoder:NAME` on small checkpoints that the tests save."""

from dataclasses import replace
from importlib.util import find_spec

import pytest
from tiny import CONFIGS, toy_fold

from slant.errors import DataError, OptionError, UnknownName
from slant.systems import make_system
from slant.systems.encoder import cache_folder
from slant.types import NO, YES, Fold, Item

absent = not all(find_spec(n) for n in ("torch", "transformers", "accelerate"))
pytestmark = pytest.mark.skipif(absent, reason="the extra 'encoders' is not installed")

QUICK = {"epochs": 4, "lr": 3e-3, "batch": 4, "max_length": 32}


def answers(folder, fold, seed=42, **changed):
    return next(iter(make_system(f"encoder:{folder}", {**QUICK, **changed})[1]([fold], seed)))


@pytest.mark.parametrize("kind", sorted(CONFIGS))
def test_each_family_learns_what_words_tell(kind, tiny_folders):
    # Every second text is biased: chance is right on 6 of 12.
    fold = toy_fold(32)
    got = answers(tiny_folders(kind), fold)
    assert sum(p.answer.biased == (int(p.id) % 2 == 0) for p in got) >= 11


def test_the_same_seed_gives_the_same_bits_and_another_seed_others(tiny_folders):
    folder, fold = tiny_folders(), toy_fold(16)
    first, again, other = (answers(folder, fold, seed) for seed in (7, 7, 8))
    assert first == again
    assert first != other


def test_probabilities_and_answers_agree_and_nothing_is_left_behind(tiny_folders):
    got = answers(tiny_folders(), toy_fold(16))
    assert all(0 <= p.probability <= 1 and p.answer.biased == (p.probability >= 0.5) for p in got)
    assert [p.raw for p in got] == [None] * 12
    assert list((cache_folder() / "training").iterdir()) == []


def test_long_texts_are_windowed_or_cut_as_asked_and_it_is_said(tiny_folders):
    plain = toy_fold(16)
    # Two sentences of 11 tokens each; 14 places beside [CLS] and [SEP] hold one.
    long = "the council met on monday and the train left in time . " * 2
    fold = Fold(plain.train, plain.dev, [Item("long", long.strip()), Item("short", "the mob lied")])
    folder = tiny_folders()
    windows, cut = (answers(folder, fold, max_length=16, long=way) for way in ("window", "cut"))
    # 12 tokens a sentence with its full stop: 24 - 14 = 10 are cut off.
    assert [p.raw for p in windows] == ["2 windows", None]
    assert [p.raw for p in cut] == ["10 tokens were cut off", None]


def test_long_training_texts_are_learnt_in_windows(tiny_folders):
    # Only the last words of each text tell the classes apart: cut, they cannot be learnt.
    plain = toy_fold(32)

    def prefixed(text):
        return "the rain was in the north and the time was left . " + text

    examples = [[replace(e, item=replace(e.item, text=prefixed(e.item.text))) for e in part]
                for part in (plain.train, plain.dev)]  # fmt: skip
    fold = Fold(*examples, [replace(i, text=prefixed(i.text)) for i in plain.test])
    folder = tiny_folders()
    right = {
        way: sum(
            p.answer.biased == (int(p.id) % 2 == 0)
            for p in answers(folder, fold, max_length=14, long=way, epochs=10, patience=0)
        )
        for way in ("window", "cut")
    }
    assert right["window"] >= 10
    assert right["cut"] == 6


def test_a_length_that_the_checkpoint_cannot_read_is_refused(tiny_folders):
    with pytest.raises(OptionError, match=r"reads at most 66 tokens\. Give max_length=66 or less"):
        answers(tiny_folders(), toy_fold(16), max_length=67)


@pytest.mark.parametrize("word", ["biased", "non-biased"])
def test_a_train_of_one_class_is_refused_before_the_checkpoint_is_read(word, tiny_folders):
    fold = toy_fold(16)
    train = [e for e in fold.train if e.gold.biased == (word == "biased")]
    with pytest.raises(DataError, match=f"ll 8 training examples are {word}"):
        answers(tiny_folders(), replace(fold, train=train))


@pytest.mark.parametrize(
    ("name", "value"),
    [("epochs", 0), ("lr", -1), ("lr", "nan"), ("batch", 0), ("precision", "fp8"), ("long", "drop"),
     ("warmup", 1.5), ("patience", -1), ("max_length", 3)],
)  # fmt: skip
def test_a_value_that_a_parameter_cannot_take_is_refused(name, value, tiny_folders):
    with pytest.raises(OptionError, match=f"Setting {name} of encoder: '{value}' was given"):
        make_system(f"encoder:{tiny_folders()}", {name: value})


def test_a_family_wants_a_checkpoint_and_knows_its_parameters():
    with pytest.raises(OptionError, match=r"encoder is followed by no name\. Give encoder:NAME"):
        make_system("encoder", {})
    with pytest.raises(UnknownName, match="Did you mean epochs"):
        make_system("encoder:minilm", {"epoch": 3})


def test_balanced_moves_answers_towards_the_rarer_class(tiny_folders):
    # 3 of 4 training texts are not biased, and no word tells: plain learning says so for all.
    fold = toy_fold(16)
    train = [replace(e, item=replace(e.item, text="the rain")) for e in fold.train]
    gold = [fold.train[0].gold, fold.train[1].gold, fold.train[1].gold, fold.train[1].gold]
    train = [replace(e, gold=gold[i % 4]) for i, e in enumerate(train)]
    one = Fold(train, [], [Item("x", "the rain")])
    plain, even = (
        answers(tiny_folders(), one, balanced=flag, epochs=8)[0].probability
        for flag in (False, True)
    )
    assert plain < 0.4
    assert even == pytest.approx(0.5, abs=0.15)


def jointly(folder, folds, seed=42, **changed):
    spec = f"encoder-multitask:{folder}"
    return list(make_system(spec, {**QUICK, **changed})[1](folds, seed))


def turned(fold):
    """The same texts with the opposite labels."""
    other = {YES: NO, NO: YES}
    parts = [[replace(e, gold=other[e.gold]) for e in part] for part in (fold.train, fold.dev)]
    return Fold(*parts, fold.test)


@pytest.mark.parametrize("kind", sorted(CONFIGS))
def test_each_head_answers_its_own_task(kind, tiny_folders):
    # One encoder, two tasks that call the same texts the opposite: only the heads can tell.
    fold = toy_fold(32)
    plain, opposite = jointly(tiny_folders(kind), [fold, turned(fold)], epochs=8, patience=0)
    assert sum(p.answer.biased == (int(p.id) % 2 == 0) for p in plain) >= 11
    assert sum(p.answer.biased == (int(p.id) % 2 == 1) for p in opposite) >= 11


def test_one_task_alone_is_learnt_as_by_the_single_task_system(tiny_folders):
    fold = toy_fold(16)
    (joint,) = jointly(tiny_folders(), [fold])
    assert joint == answers(tiny_folders(), fold)


def test_tasks_learnt_together_share_what_they_learn(tiny_folders):
    # The second task has one text of each class in train, all in words of the first: by itself it
    # is not learnt, with the first it is.
    fold = toy_fold(32)
    few = Fold(fold.train[:2], [], fold.test)

    def right(predictions):
        return sum(p.answer.biased == (int(p.id) % 2 == 0) for p in predictions)

    _, together = jointly(tiny_folders(), [fold, few], epochs=10, patience=0, temperature=100.0)
    assert right(together) > right(answers(tiny_folders(), few, epochs=10, patience=0))


def test_a_task_of_one_class_is_refused_among_others(tiny_folders):
    fold = toy_fold(16)
    one_class = Fold([e for e in fold.train if e.gold == YES], fold.dev, fold.test)
    with pytest.raises(DataError, match="all 8 training examples are biased"):
        jointly(tiny_folders(), [fold, one_class])
