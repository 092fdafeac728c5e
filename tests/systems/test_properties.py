"""What holds for every system in the register."""

from dataclasses import fields, replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from tiny import save_tiny_classifier

import slant
from slant.errors import SlantError
from slant.systems import SYSTEMS, make_system
from slant.types import NO, YES, Example, Fold, Item

BIASED = [
    "the corrupt regime lied shamelessly",
    "a vicious radical mob attacked",
    "shocking fake outrage",
]
PLAIN = ["the council met on monday", "rain is expected in the north", "the train left on time"]

OWN = """
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

classifier = make_pipeline(CountVectorizer(), MultinomialNB())
"""

IMAGES = Path(slant.__file__).parent / "data" / "samples" / "images"


def example(name, text, biased, group="a"):
    image = str(IMAGES / f"p{int(name) % 12 + 1:02}.png")
    return Example(Item(name, text, image, group), YES if biased else NO)


def fold(start, n=12):
    """n train, n dev and n test items; every third word list biased, two data sets."""
    made = []
    for i in range(start, start + 3 * n):
        biased = i % 2 == 0
        text = f"{(BIASED if biased else PLAIN)[i % 3]} {i % 5}"
        made.append(example(f"{i:03}", text, biased, "ab"[i % 3 == 0]))
    return Fold(made[:n], made[n : 2 * n], [e.item for e in made[2 * n :]])


@pytest.fixture(params=sorted(SYSTEMS))
def system(request, tmp_path, monkeypatch, tiny_folders):
    return made(request.param, tiny_folders, tmp_path, monkeypatch)


@pytest.fixture(params=sorted(name for name, one in SYSTEMS.items() if not one.joint))
def separate_system(request, tiny_folders, tmp_path, monkeypatch):
    """Each that learns a fold by itself."""
    return made(request.param, tiny_folders, tmp_path, monkeypatch)


def made(name, tiny_folders, tmp_path, monkeypatch):
    monkeypatch.setenv("SLANT_CACHE", str(tmp_path / "cache"))
    if name == "fusion":
        return make_system("fusion:tfidf+color", {})[1]
    if SYSTEMS[name].extra and not find_spec("torch"):
        pytest.skip("the extra 'encoders' is not installed")
    if name.startswith("encoder"):
        return make_system(f"{name}:{tiny_folders()}", {"max_length": 64, "lr": 3e-3})[1]
    if name == "classifier":
        folder = save_tiny_classifier(tmp_path / "own", "bert", ["fair", "biased"])
        return make_system(f"classifier:{folder}", {"max_length": 64})[1]
    if name == "python":
        file = tmp_path / "own.py"
        file.write_text(OWN)
        return make_system(f"python:{file}:classifier", {})[1]
    if name == "predictions":
        file = tmp_path / "own.csv"
        file.write_text("id,label\n" + "".join(f"{i:03},{i % 2}\n" for i in range(500)))
        name = f"predictions:{file}"
    return make_system(name, {})[1]


def test_each_test_item_gets_one_prediction_in_order(system):
    folds = [fold(0), fold(36)]
    answers = list(system(folds, 42))
    assert [[p.id for p in part] for part in answers] == [[i.id for i in f.test] for f in folds]
    assert all(p.answer is not None and p.fault is None for part in answers for p in part)


def test_probabilities_are_shares(system):
    for part in system([fold(0)], 42):
        assert all(p.probability is None or 0 <= p.probability <= 1 for p in part)


def test_the_same_seed_gives_the_same_answers(system):
    assert list(system([fold(0)], 7)) == list(system([fold(0)], 7))


def test_the_order_of_folds_changes_no_answer(separate_system):
    first, second = fold(0), fold(36)
    forth, back = [first, second], [second, first]
    assert list(separate_system(forth, 42)) == list(separate_system(back, 42))[::-1]


def test_the_order_of_test_items_changes_no_answer(system):
    plain = fold(0)
    turned = replace(plain, test=plain.test[::-1])
    assert next(iter(system([plain], 42))) == next(iter(system([turned], 42)))[::-1]


def test_a_fold_is_predicted_only_when_it_is_asked_for(separate_system):
    broken = Fold([], [], None)
    answers = iter(separate_system([fold(0), broken], 42))
    assert len(next(answers)) == 12
    with pytest.raises((SlantError, TypeError)):
        next(answers)


def test_a_fold_without_test_items_gives_an_empty_list(system):
    assert list(system([replace(fold(0), test=[])], 42)) == [[]]


def test_an_item_holds_nothing_of_the_gold():
    assert {f.name for f in fields(Item)} == {"id", "text", "image", "group"}


@pytest.mark.parametrize("name", ["majority", "source-only", "lexicon", "tfidf-lr", "random"])
def test_an_empty_train_is_one_clear_error(name):
    system = make_system(name, {"stratified": True} if name == "random" else {})[1]
    with pytest.raises(SlantError, match=f"Training {name}: the fold has no training example"):
        list(system([replace(fold(0), train=[])], 42))


@pytest.mark.parametrize("name", ["lexicon", "tfidf-lr"])
@pytest.mark.parametrize("biased", [True, False])
def test_a_train_of_one_class_is_one_clear_error(name, biased):
    train = [e for e in fold(0).train if e.gold.biased == biased]
    with pytest.raises(
        SlantError,
        match=f"All 6 training|all 6 training examples are {'' if biased else 'non-'}biased",
    ):
        list(make_system(name, {})[1]([replace(fold(0), train=train)], 42))


@pytest.mark.parametrize("name", ["lexicon", "tfidf-lr"])
def test_a_system_that_reads_tells_invective_from_minutes(name):
    # Even ids are biased in `fold`, and each class has its own words.
    part = next(iter(make_system(name, {})[1]([fold(0)], 42)))
    assert [p.answer.biased for p in part] == [int(p.id) % 2 == 0 for p in part]
