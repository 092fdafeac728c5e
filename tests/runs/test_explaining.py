"""`slant explain` on small kept models: numbers, resuming, and what is refused."""

from __future__ import annotations

import json
import shutil
from importlib.util import find_spec

import numpy as np
import polars as pl
import pytest

from slant.errors import OptionError, RunError, UnknownName
from slant.explain.methods import METHODS
from slant.runs.explained import trained_runs
from slant.runs.explaining import explain, method_list
from slant.runs.explanationscores import class_f1_of, classification_scores, classified
from slant.runs.outcomes import outcomes
from slant.stats.overseeds import drawn_clusters

pytestmark = pytest.mark.skipif(
    not find_spec("torch"), reason="the extra encoders is not installed"
)


@pytest.fixture(scope="module")
def explained(study):
    """What explaining the small study with all methods finds."""
    methods = list(METHODS) if find_spec("captum") else method_list("fast")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLANT_CACHE", str(study / "store"))
        found = explain(
            study / "runs", methods=methods, sample=5, resamples=100, data=study / "data", jobs=1
        )
    assert json.loads((study / "runs/explain.json").read_text()) == found
    return found


def test_auroc_is_scikit_learn_s_over_the_words_of_each_sentence(explained):
    from sklearn.metrics import average_precision_score, roc_auc_score

    for model in explained["models"].values():
        # Sentences that all methods have scored are those of the sample.
        assert len(model["examples"]) == 5 or "shap" not in model["plausibility"]
        own = {"auroc": [], "average_precision": []}
        for one in model["examples"]:
            starts = {start for start, _ in one["marked"]}
            gold = [int(start in starts) for start, _ in one["words"]]
            assert sum(gold) == 2
            said = one["scores"]["occlusion" if "shap" in one["scores"] else "input-gradient"]
            own["auroc"].append(roc_auc_score(gold, said))
            own["average_precision"].append(average_precision_score(gold, said))
        if "shap" in model["plausibility"]:
            for name, values in own.items():
                seeds = model["plausibility"]["occlusion"][name]["seeds"]
                assert seeds[0] == pytest.approx(np.mean(values))


def test_the_number_of_sentences_with_both_classes_stands_beside(explained):
    for model in explained["models"].values():
        for one in model["sentences"]:
            assert one["test"] == 24
            assert one["marked"] == one["shown"] == 12
            assert one["cut"] == 0


def test_attention_supervision_raises_the_attention_on_marked_words(explained):
    (row,) = (
        one
        for one in explained["differences"]
        if one["against_model"] == "encoder-tiny" and one["method"] == "cls-attention"
    )
    assert row["model"] == "encoder-tiny-attention-0.5"
    standard, taught = (
        explained["models"][name]["plausibility"]["cls-attention"]["auroc"]
        for name in ("encoder-tiny", "encoder-tiny-attention-0.5")
    )
    each = [b - a for a, b in zip(standard["seeds"], taught["seeds"], strict=True)]
    assert row["seeds"] == pytest.approx(each)
    assert row["low"] > 0
    assert row["p"] <= row["p_holm"]


def test_random_words_stand_beside_every_erasure_and_the_excess_is_their_difference(explained):
    for model in explained["models"].values():
        assert {"experts", "idf", "rollout"} <= set(model["erasure"])
        for ways in model["erasure"].values():
            assert list(ways) == ["delete", "mask", "unknown"]
            for numbers in ways.values():
                assert numbers["texts"] == 5
                for kind in ("comprehensiveness", "sufficiency"):
                    left = numbers[kind]["value"] - numbers[f"random_{kind}"]["value"]
                    assert numbers[f"excess_{kind}"]["value"] == pytest.approx(left)


def test_precision_recall_and_f1_of_both_classes_are_scikit_learn_s():
    from sklearn.metrics import precision_recall_fscore_support

    rng = np.random.default_rng(3)
    gold, said = rng.integers(2, size=(2, 40))
    clusters = [str(i // 2) for i in range(40)]
    drawn = drawn_clusters(clusters, 20, 1, ["test"])
    found = classification_scores([(clusters, gold, said)], drawn)
    by_class = np.array(precision_recall_fscore_support(gold, said)[:3])  # (3, class)
    for column, name in enumerate(("unbiased", "biased")):
        own = [found[name][key]["value"] for key in ("precision", "recall", "f1")]
        assert own == pytest.approx(by_class[:, column])
    assert found["class_f1"]["value"] == pytest.approx(by_class[2].mean())
    # A resample is its texts, each as often as its cluster was drawn.
    often = drawn.weights(clusters)[7].astype(int)
    taken = np.repeat(np.arange(40), often)
    again = precision_recall_fscore_support(gold[taken], said[taken])[2].mean()
    overall = classified([(clusters, gold, said)], drawn, class_f1_of)
    assert overall.draws[6] == pytest.approx(again)


def test_class_f1_is_that_of_the_run_s_own_scores(explained, study):
    for name, model in explained["models"].items():
        scores = json.loads((study / "runs" / name / "scores.json").read_text())
        own = scores["tasks"]["babe"]["scores"]["micro_class_f1"]["folds"]
        assert model["classification"]["class_f1"]["seeds"] == pytest.approx(own)


def test_a_lost_or_damaged_file_is_made_again_and_workers_change_nothing(
    explained, study, tmp_path, monkeypatch
):
    monkeypatch.setenv("SLANT_CACHE", str(study / "store"))
    copy = shutil.copytree(study / "runs", tmp_path / "runs")
    before = (copy / "explain.json").read_bytes()
    files = sorted((copy / "encoder-tiny/explain").rglob("*.parquet"))
    content = {path: pl.read_parquet(path) for path in files}
    files[0].unlink()
    files[1].write_bytes(files[1].read_bytes()[:-20])
    (copy / "explain.json").unlink()
    methods = list(next(iter(explained["models"].values()))["plausibility"])
    explain(copy, methods=methods, sample=5, resamples=100, data=study / "data", jobs=2)
    assert (copy / "explain.json").read_bytes() == before
    assert all(pl.read_parquet(path).equals(frame) for path, frame in content.items())


def test_what_cannot_be_explained_is_refused_before_the_work(study, tmp_path, monkeypatch):
    monkeypatch.setenv("SLANT_CACHE", str(study / "store"))
    with pytest.raises(UnknownName, match="Did you mean rollout"):
        method_list("rolout")
    with pytest.raises(OptionError, match="names none"):
        method_list(" , ")
    with pytest.raises(UnknownName, match="aggregation"):
        explain(study / "runs", aggregation="median", data=study / "data")
    copy = shutil.copytree(study / "runs", tmp_path / "runs")
    shutil.rmtree(copy / "encoder-tiny/models/babe/43-0")
    with pytest.raises(RunError, match="43-0 are missing"):
        explain(copy, data=study / "data")
    record = copy / "encoder-tiny-attention-0.5/run.json"
    shutil.copytree(study / "runs/encoder-tiny/models", copy / "encoder-tiny/models",
                    dirs_exist_ok=True)  # fmt: skip
    known = json.loads(record.read_text())
    known["options"]["dev_share"] = 0.2
    record.write_text(json.dumps(known))
    record.with_name(".run.json.sum").unlink()
    with pytest.raises(RunError, match="other options"):
        explain(copy, data=study / "data")


def test_predictions_of_both_conditions_are_of_the_same_texts(study, monkeypatch):
    monkeypatch.setenv("SLANT_CACHE", str(study / "store"))
    one, two = trained_runs(study / "runs", study / "data")
    tables = [outcomes(run.folder, run.ready, 1) for run in (one, two)]
    assert tables[0]["id"].equals(tables[1]["id"])
