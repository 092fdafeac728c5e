"""A pipeline of transformers answers as it does when it is called by hand."""

from __future__ import annotations

import copy
from importlib.util import find_spec

import pytest
from tiny import save_tiny_classifier, tiny_tokenizer, toy_fold

from slant.errors import OptionError, UnknownName
from slant.systems import named_system
from slant.systems.given import object_system
from slant.systems.pipelines import is_pipeline, pipeline_system
from slant.types import Fold, Item

absent = not all(find_spec(n) for n in ("torch", "transformers", "accelerate"))
pytestmark = pytest.mark.skipif(absent, reason="the extra 'encoders' is not installed")


def pipe(folder, **more):
    from transformers import pipeline

    return pipeline("text-classification", model=str(folder), tokenizer=str(folder), device="cpu", **more)  # fmt: skip


@pytest.fixture(autouse=True)
def one_thread():
    """Several threads would add up by hand in another order than a run does."""
    from slant.systems.encoder import one_thread as alone

    with alone():
        yield


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    made = {}

    def folder(kind="bert", labels=("LABEL_0", "LABEL_1"), **changed):
        key = (kind, labels, *sorted(changed.items()))
        if key not in made:
            place = tmp_path_factory.mktemp("pipe") / kind
            made[key] = save_tiny_classifier(place, kind, list(labels), **changed)
        return made[key]

    return folder


def said(given, fold, **params):
    (found,) = pipeline_system(given, **params)([fold], 1)
    return [one.probability for one in found]


def by_hand(given, fold, label="LABEL_1", **more):
    """Each text alone, no padding."""
    every = [given(item.text, top_k=None, **more) for item in fold.test]
    return [{one["label"]: one["score"] for one in scores}[label] for scores in every]


@pytest.mark.parametrize("kind", ["bert", "roberta", "gpt2", "distilbert"])
def test_the_scores_are_those_of_the_pipeline_called_by_hand(kind, folders):
    given, fold = pipe(folders(kind)), toy_fold()
    expected = by_hand(given, fold)
    assert said(given, fold, batch=1) == expected
    assert said(given, fold) == pytest.approx(expected, abs=1e-6)
    assert min(expected) < 0.5 < max(expected) or len(set(expected)) > 5


def test_the_answer_is_yes_from_a_half_on(folders):
    given, fold = pipe(folders()), toy_fold()
    (found,) = pipeline_system(given)([fold], 1)
    assert [one.answer.biased for one in found] == [one.probability >= 0.5 for one in found]
    assert [one.id for one in found] == [one.id for one in fold.test]


def test_the_label_is_the_one_that_is_named_or_that_its_configuration_names(folders):
    fold = toy_fold()
    plain = pipe(folders())
    assert said(plain, fold, biased="LABEL_0", batch=1) == by_hand(plain, fold, "LABEL_0")
    named = pipe(folders(labels=("BIASED", "Neutral")))
    assert said(named, fold, batch=1) == by_hand(named, fold, "BIASED")
    with pytest.raises(UnknownName, match="LABEL_1"):
        pipeline_system(plain, biased="LABEL_7")


def test_of_labels_that_exclude_each_other_several_may_mean_biased(folders):
    given, fold = pipe(folders(labels=("left", "center", "right"))), toy_fold()
    sums = [a + b for a, b in zip(*(by_hand(given, fold, one) for one in ("left", "right")), strict=True)]  # fmt: skip
    assert said(given, fold, biased="left, right", batch=1) == pytest.approx(sums, abs=1e-12)
    assert said(given, fold, biased="1", batch=1) == by_hand(given, fold, "center")
    with pytest.raises(OptionError, match="labels 0 left, 1 center, 2 right, and none is biased"):
        pipeline_system(given)
    with pytest.raises(OptionError, match="all its labels mean biased"):
        pipeline_system(given, biased="left,center,right")


def test_labels_with_a_logistic_function_each_are_read_one_by_one(folders):
    given = pipe(
        folders(labels=("calm", "biased", "old"), problem_type="multi_label_classification")
    )
    fold = toy_fold()
    assert said(given, fold, batch=1) == by_hand(given, fold, "biased")


def test_a_longer_text_is_cut_to_what_model_and_tokenizer_can_read(folders):
    given = pipe(folders())
    long = Fold([], [], [Item("1", "mob " * 500)])
    cut = by_hand(given, long, truncation=True, max_length=66)
    assert said(given, long) == pytest.approx(cut, abs=1e-6)
    short = by_hand(given, long, truncation=True, max_length=8)
    assert said(given, long, max_length=8) == pytest.approx(short, abs=1e-6)
    own = pipe(folders(), truncation=True, max_length=8)
    assert said(own, long) == pytest.approx(short, abs=1e-6)


def test_the_name_tells_weights_labels_and_length(folders):
    given = pipe(folders())
    name = pipeline_system(given).name
    assert name.startswith("pipeline:bert#")
    assert name.endswith("@1")
    assert pipeline_system(pipe(folders()), batch=3).name == name
    other = copy.deepcopy(given)
    other.model.classifier.bias.data[0] += 0.5
    changed = [
        pipeline_system(other).name,
        pipeline_system(given, biased="LABEL_0").name,
        pipeline_system(given, max_length=9).name,
        pipeline_system(pipe(folders(), function_to_apply="sigmoid")).name,
    ]
    assert len({name, *changed}) == 5


def test_scores_that_are_no_shares_are_refused(folders):
    given = pipe(folders(), function_to_apply="none")
    with pytest.raises(OptionError, match="without function_to_apply"):
        said(given, toy_fold())


def test_a_pipeline_of_another_task_is_refused(folders):
    from transformers import pipeline

    asked = pipeline("feature-extraction", model=str(folders()), tokenizer=str(folders()), device="cpu")  # fmt: skip
    assert is_pipeline(asked)
    with pytest.raises(OptionError, match="its task is feature-extraction"):
        object_system(asked, {})


def test_a_run_sets_label_batch_and_length_and_nothing_else(folders):
    given = pipe(folders())
    _, system = named_system(given, {"biased": "LABEL_0", "batch": "2", "max_length": 9})
    assert (system.biased, system.batch, system.max_length) == (("LABEL_0",), 2, 9)
    with pytest.raises(UnknownName, match="Did you mean biased"):
        named_system(given, {"bised": "LABEL_0"})
    with pytest.raises(OptionError, match="Setting batch of a pipeline: '0' was given"):
        named_system(given, {"batch": 0})


def test_a_tokenizer_without_padding_is_asked_text_by_text(folders):
    given = pipe(folders("gpt2"))
    assert tiny_tokenizer("gpt2").pad_token_id is None
    assert pipeline_system(given).batch == 1


def test_a_fold_without_test_items_is_an_empty_list(folders):
    assert list(pipeline_system(pipe(folders()))([Fold([], [], [])], 1)) == [[]]
