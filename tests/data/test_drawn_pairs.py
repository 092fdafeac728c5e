"""The drawn pairs `open/pairs`: labels, twins, pictures, the script, and what the surface tells."""

from __future__ import annotations

import importlib.util
import io
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from slant.data.samples import load_pairs
from slant.stats.resampling import generator

CARD = tomllib.loads(
    files("slant.data").joinpath("samples", "card.toml").read_text(encoding="utf-8")
)["pairs"]
SENTENCE_END = re.compile(r"\.(?: |$)")
GROUPINGS = 5
Numbers = NDArray[np.float32]
Model = Callable[[], Any]


@pytest.fixture(scope="module")
def pairs() -> pl.DataFrame:
    return load_pairs()


@cache
def pixels(png: bytes) -> Numbers:
    image = pytest.importorskip("PIL.Image", reason="Pillow opens the images; it is not installed")
    with image.open(io.BytesIO(png)) as opened:
        opened.load()
        return np.asarray(opened.convert("RGB"), dtype=np.float32) / 255


# --- labels and twins ----------------------------------------------------------------------------


def test_a_pair_is_biased_where_its_text_or_its_image_is(pairs):
    for row in pairs.iter_rows(named=True):
        assert row["label"] == (row["text_label"] | row["image_label"]), row["id"]


def test_every_biased_pair_has_one_fair_twin_of_its_kind_technique_and_topic(pairs):
    twins = pairs.group_by("pair").agg(
        pl.len(), pl.col("label").sum(), pl.col("kind", "technique", "topic").n_unique()
    )
    assert twins.drop("pair").unique().rows() == [(2, 1, 1, 1, 1)]
    # A technique is named where the picture of the biased twin has one, and only there.
    biased = pairs.filter(pl.col("label") == 1)
    assert ((biased["technique"] == "none") == (biased["image_label"] == 0)).all()


def test_neither_the_order_nor_the_parity_of_the_ids_tells_the_label(pairs):
    assert pairs["id"].to_list() == [f"open-p{n:02d}" for n in range(1, pairs.height + 1)]
    first, second = pairs.gather_every(2), pairs.gather_every(2, 1)
    # Twins stand together; of 42 first places 21 are biased ones.
    assert first["pair"].equals(second["pair"])
    assert first["label"].sum() == second["label"].sum() == 21


def test_hard_negatives_are_fair_pairs(pairs):
    hard = pairs.filter("hard_negative")
    assert hard["label"].sum() == 0
    assert {"card", "lines", "scene"} <= set(hard["kind"])


def test_the_first_twelve_pairs_keep_their_labels(pairs):
    kept = pairs.head(12).select("pair", "text_label", "image_label").rows()
    assert kept == [
        *(("e31", 0, 1), ("e31", 0, 0), ("e32", 0, 0), ("e32", 1, 1), ("e33", 0, 1)),
        *(("e33", 0, 0), ("e34", 0, 0), ("e34", 1, 1), ("e35", 0, 0), ("e35", 1, 0)),
        *(("e36", 0, 1), ("e36", 0, 0)),
    ]


def test_a_pair_has_a_headline_three_to_five_sentences_and_a_rationale(pairs):
    for row in pairs.iter_rows(named=True):
        headline, body = row["text"].split("\n")
        assert headline == row["headline"]
        assert 20 <= len(headline) <= 50, row["id"]
        assert 3 <= len(SENTENCE_END.findall(body)) <= 5, row["id"]
        assert 190 <= len(body) <= 330, row["id"]
        assert 8 <= len(row["reason"].split()) <= 60, row["id"]
        assert row["reason"].endswith(".")
        assert row["text"].isascii()
        assert not set('!"') & set(row["text"])


def test_a_rationale_of_a_biased_picture_names_it_and_a_fair_text_is_called_so(pairs):
    for row in pairs.filter(pl.col("label") == 1).iter_rows(named=True):
        reason = row["reason"]
        if row["image_label"]:
            assert re.search(r"picture|bars|map|axis|card|coin|barrel|pie|turbine", reason), row[
                "id"
            ]
        else:
            assert re.search(r"picture .*(is|are) (dramatic|fair|grave|neutral)|scene", reason)
        if not row["text_label"]:
            assert reason.startswith(("The text is neutral", "The text says")), row["id"]


def test_no_two_texts_are_alike_beyond_twins_of_one_event(pairs):
    rows = pairs.select("pair", "text").rows()
    for place, (pair, text) in enumerate(rows):
        for other, again in rows[place + 1 :]:
            most = 0.7 if pair == other else 0.5
            assert Levenshtein.normalized_similarity(text, again) < most, (pair, other)
    assert pairs["headline"].is_unique().all()
    assert pairs["reason"].is_unique().all()


# --- pictures ------------------------------------------------------------------------------------


def test_every_picture_decodes_to_480_by_300_in_under_12_kilobytes(pairs):
    for row in pairs.iter_rows(named=True):
        assert pixels(row["image_png"]).shape == (300, 480, 3), row["id"]
        assert 2_000 < len(row["image_png"]) < 12_000, row["id"]
        assert row["image"] == f"images/{row['id'].removeprefix('open-')}.png"
    assert pairs["image_png"].bin.size().sum() < 1_000_000


def test_no_two_pictures_are_the_same(pairs):
    assert pairs["image_png"].n_unique() == pairs.height
    small = np.array([pixels(png)[::4, ::4] for png in pairs["image_png"]])
    for place, picture in enumerate(small[:-1]):
        assert (np.abs(small[place + 1 :] - picture).mean(axis=(1, 2, 3)) > 1e-4).all()


def test_no_file_beside_the_listed_ones_lies_in_the_folder(pairs):
    folder = files("slant.data").joinpath("samples", "images")
    assert {f"images/{entry.name}" for entry in folder.iterdir()} == set(pairs["image"])


@pytest.fixture
def script(monkeypatch) -> ModuleType:
    pytest.importorskip("PIL", reason="Pillow draws the images; it is not installed")
    path = Path(__file__).parents[2] / "samples" / "draw_pairs.py"
    monkeypatch.syspath_prepend(str(path.parent))
    spec = importlib.util.spec_from_file_location("draw_pairs", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_script_draws_the_committed_images_again(script, pairs, tmp_path):
    script.draw_all(tmp_path)
    for row in pairs.iter_rows(named=True):
        name = Path(row["image"]).name
        again = (tmp_path / name).read_bytes()
        # Another FreeType may shade the edges of letters otherwise, no more than that.
        different = np.abs(pixels(again) - pixels(row["image_png"])).max(axis=2) > 0.19
        assert different.mean() < 0.01, name


def test_the_check_names_what_is_missing_changed_or_too_much(script, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(
        script, "IMAGES", {name: script.IMAGES[name] for name in ("p02.png", "p21.png", "p60.png")}
    )
    script.draw_all(tmp_path)
    # A second drawing is the first to the byte.
    assert script.main(["--check", str(tmp_path)]) == 0
    (tmp_path / "p60.png").unlink()
    (tmp_path / "p02.png").write_bytes((tmp_path / "p21.png").read_bytes())
    (tmp_path / "p99.png").write_bytes(b"")
    assert script.main(["--check", str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "p99.png: not drawn here",
        "p02.png: differs",
        "p60.png: missing",
    ]


# --- what the surface tells ----------------------------------------------------------------------


def text_surface(row: dict[str, Any]) -> list[float]:
    text, headline = row["text"].split("\n")[1], row["headline"]
    words = text.split()
    return [
        *(len(text), len(words), len(SENTENCE_END.findall(text)), text.count(",")),
        *(sum(c.isdigit() for c in text), sum(c.isupper() for c in text)),
        *(len(headline), sum(c.isdigit() for c in headline)),
        *(sum(c in "':;-" for c in headline + text), len(text) / len(words)),
        len(re.findall(r"\bsaid\b", text)),
    ]


def image_surface(row: dict[str, Any]) -> list[float]:
    seen = pixels(row["image_png"])
    grey = seen @ np.full(3, 1 / 3, dtype=np.float32)
    seen = seen[::3, ::3]
    steps = np.abs(np.diff(grey, axis=0))[:, :-1] + np.abs(np.diff(grey, axis=1))[:-1]
    return [
        *(len(row["image_png"]), (steps > 0.1).mean(), (grey < 0.3).mean()),
        *seen.mean(axis=(0, 1)),
        *seen.std(axis=(0, 1)),
        (seen.max(axis=2) - seen.min(axis=2)).mean(),
    ]


def on_numbers() -> Any:
    return make_pipeline(StandardScaler(), LogisticRegression(class_weight="balanced"))


def on_words() -> Any:
    return make_pipeline(TfidfVectorizer(), LogisticRegression(C=10, class_weight="balanced"))


def probed(
    features: Sequence[Any], labels: Sequence[int], groups: Sequence[str], model: Model
) -> float:
    """F1 of the biased class in five folds that keep twins together, mean of five groupings."""
    with threadpool_limits(1):  # Threads cost more than they bring with 84 rows.
        return _probed(features, labels, groups, model)


def _probed(
    features: Sequence[Any], labels: Sequence[int], groups: Sequence[str], model: Model
) -> float:
    held = np.empty(len(features), dtype=object)
    held[:] = features
    gold, names = np.array(labels), sorted(set(groups))
    scores = []
    for grouping in range(GROUPINGS):
        order = generator(grouping, ["drawn pairs"]).permutation(len(names))
        fold = dict(zip(np.array(names)[order], np.arange(len(names)) % 5, strict=True))
        folds = np.array([fold[group] for group in groups])
        found = np.zeros_like(gold)
        for test in range(5):
            fitted = model().fit(list(held[folds != test]), gold[folds != test])
            found[folds == test] = fitted.predict(list(held[folds == test]))
        scores.append(f1_score(gold, found))
    return float(np.mean(scores))


@pytest.fixture(scope="module")
def surface(pairs) -> dict[str, list[list[float]]]:
    rows = list(pairs.iter_rows(named=True))
    text, image = [text_surface(row) for row in rows], [image_surface(row) for row in rows]
    place = [[float(n), float(n % 2)] for n in range(len(rows))]
    everything = [[*a, *b, *c] for a, b, c in zip(text, image, place, strict=True)]
    return {"text": text, "image": image, "place": place, "everything": everything}


def test_the_probe_finds_a_length_that_gives_the_label_away(pairs):
    # The probe itself: were biased texts longer by some letters, it would say so.
    told = [[len(text) + 120 * label] for text, label in pairs.select("text", "label").rows()]
    assert probed(told, pairs["label"], pairs["pair"], on_numbers) > 0.75


@pytest.mark.parametrize("features", ["text", "image", "place", "everything"])
def test_the_surface_does_not_tell_the_label(pairs, surface, features):
    found = probed(surface[features], pairs["label"], pairs["pair"], on_numbers)
    assert found <= 0.6
    assert found == pytest.approx(CARD["surface"][features], abs=0.03)


@pytest.mark.parametrize(("features", "target"), [("text", "text_label"), ("image", "image_label")])
def test_the_surface_of_text_or_image_does_not_tell_its_own_label(pairs, surface, features, target):
    found = probed(surface[features], pairs[target], pairs["pair"], on_numbers)
    assert found <= 0.6
    assert found == pytest.approx(CARD["surface"][target], abs=0.03)


def test_words_do_not_tell_which_twin_has_the_biased_picture(pairs):
    twins = pairs.group_by("pair").agg(pl.col("text_label").sum().alias("texts"))
    alone = pairs.join(twins.filter(pl.col("texts") == 0), on="pair", maintain_order="left")
    found = probed(alone["text"].to_list(), alone["label"], alone["pair"], on_words)
    assert found <= 0.6
    assert found == pytest.approx(CARD["surface"]["words_image_only"], abs=0.03)


def test_no_single_number_of_the_surface_parts_the_twins(pairs, surface):
    # Of 42 events, the biased twin has the higher value in 12 to 30 of those that differ by it:
    # a fair coin leaves this range in 1 of 150 series of 42.
    made = np.array([a + b for a, b in zip(surface["text"], surface["image"], strict=True)])
    label = pairs["label"].to_numpy()
    biased, fair = made[label == 1], made[label == 0]
    for column in range(made.shape[1]):
        higher = int((biased[:, column] > fair[:, column]).sum())
        lower = int((biased[:, column] < fair[:, column]).sum())
        assert abs(higher - lower) <= 18, (column, higher, lower)


# --- the card ------------------------------------------------------------------------------------


def test_the_card_has_the_counts_of_the_pairs(pairs):
    combinations = Counter(pairs.select("text_label", "image_label").rows())
    assert CARD["rows"] == pairs.height
    assert CARD["biased"] == pairs["label"].sum()
    assert CARD["events"] == pairs["pair"].n_unique()
    assert CARD["hard_negatives"] == pairs["hard_negative"].sum()
    assert CARD["bytes"] == pairs["image_png"].bin.size().sum()
    assert CARD["labels"] == {
        "text_only": combinations[1, 0],
        "image_only": combinations[0, 1],
        "both": combinations[1, 1],
        "neither": combinations[0, 0],
    }
    for column in ("kind", "technique", "topic"):
        assert CARD[f"{column}s"] == Counter(pairs[column]), column
