"""Circuits of kept models: discovered, verified, summed up, and resumed."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest
from made_babe import train_tiny, write_babe

if not find_spec("transformers"):
    pytest.skip("the extra 'encoders' is not installed", allow_module_level=True)

from slant.errors import DataError, OptionError, UnknownName
from slant.explain.circuits import set_runs
from slant.runs import circuits as verb
from slant.runs import headcircuits
from slant.runs.circuits import circuit
from slant.runs.circuitscores import (
    SetLogits,
    TestRuns,
    curves,
    plain,
    readout_score,
    sample_of,
)
from slant.runs.circuitsettings import PAPER, CircuitSettings, sizes_of
from slant.runs.circuitsummary import agreement

QUICK = {"k": (0, 1, 4), "shares": (), "draws": 2, "resamples": 100, "jobs": 1}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Data, and two runs: BERT of two seeds and GPT-2 of one."""
    folder = tmp_path_factory.mktemp("circuits")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLANT_CACHE", str(folder / "store"))
        data = write_babe(folder / "data")
        train_tiny("bert", data, folder / "runs" / "bert", folder / "checkpoints", (42, 43))
        train_tiny("gpt2", data, folder / "runs" / "gpt2", folder / "checkpoints")
    return folder


@pytest.fixture(scope="module")
def found(home):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLANT_CACHE", str(home / "store"))
        return circuit(home / "runs", data=home / "data", **QUICK)


@pytest.mark.parametrize("name", ["bert", "gpt2"])
def test_all_heads_isolated_are_the_clean_texts_and_eliminated_the_corrupted(found, name):
    curve = found["models"][name]["curves"]["corruption"]["words"]
    base = curve["base"]["value"]
    assert curve["base"]["low"] > 0
    none, one, every = curve["points"]
    assert [point["k"] for point in curve["points"]] == [0, 1, 4]
    assert every["share"] == 1.0
    for point, there, left in ((none, 0.0, base), (every, base, 0.0)):
        assert point["circuit"]["value"] == pytest.approx(there, abs=1e-4)
        assert point["none"]["value"] == pytest.approx(left, abs=1e-4)
        for number in ("sufficiency", "completeness", "retention"):
            assert point[number]["value"] == pytest.approx(there / base, abs=1e-4)
    assert none["rescue"]["value"] == pytest.approx(-base, abs=1e-4)
    assert every["rescue"]["value"] == pytest.approx(base, abs=1e-4)
    assert every["random"]["sufficiency"]["median"] == pytest.approx(1, abs=1e-4)
    assert none["random"]["rescue"]["high"] == pytest.approx(-base, abs=1e-4)
    # One head of four does something, and not everything.
    assert 0.01 < one["sufficiency"]["value"] < 0.99


@pytest.mark.parametrize("name", ["bert", "gpt2"])
def test_between_classes_no_circuit_isolated_is_the_corrupted_gap(found, name):
    curve = found["models"][name]["curves"]["classes"]["words"]
    none, _, every = curve["points"]
    base = curve["base"]["value"]
    assert every["circuit"]["value"] == pytest.approx(base, abs=1e-4)
    assert none["none"]["value"] == pytest.approx(base, abs=1e-4)
    assert none["circuit"]["value"] == pytest.approx(every["none"]["value"], abs=1e-4)
    assert none["circuit"]["value"] < base - 0.1


def test_the_excess_is_paired_and_its_shares_between_classes_are_undefined(found):
    for model in found["models"].values():
        for curve in model["curves"].values():
            for key in ("circuit", "none", "rescue"):
                for place in range(3):
                    of = {kind: own["points"][place][key]["seeds"] for kind, own in curve.items()}
                    wanted = np.subtract(of["words"], of["random_words"])
                    assert of["excess"] == pytest.approx(wanted, abs=1e-9)
        excess = model["curves"]["classes"]["excess"]
        assert excess["base"]["value"] == 0
        for point in excess["points"]:
            for number in ("sufficiency", "completeness", "retention"):
                assert point[number]["value"] is None
                assert point[number]["why"] == "the base is 0"
            assert point["random"]["rescue"] == dict.fromkeys(("low", "median", "high"))


def test_a_model_says_what_it_is_and_how_sure_its_ranking_is(found):
    assert list(found["models"]) == ["bert", "gpt2"]
    assert (found["task"], found["discovery"], found["verification"]) == ("babe", "dev", "test")
    bert, gpt2 = found["models"].values()
    assert (bert["layers"], bert["heads"], bert["total"]) == (2, [2, 2], 4)
    assert bert["blocks"] == ["layer 0", "layer 1"]
    assert bert["seeds"] == [42, 43]
    assert sorted(bert["order"]) == ["42-0", "43-0"]
    for model in (bert, gpt2):
        for order in model["order"].values():
            assert sorted(map(tuple, order)) == [(0, 0), (0, 1), (1, 0), (1, 1)]
        for part in model["texts"]:
            assert 0 < part["dev"] < 24
            assert 0 < part["changed"] < part["test"] == 24
        words, others, excess = (
            np.array(model["effects"][k]) for k in ("words", "random_words", "excess")
        )
        assert excess == pytest.approx(words - others)
        assert -1 <= model["reliability"]["value"] <= 1
        assert -1 <= model["attribution_patching"]["spearman"]["value"] <= 1
        assert model["probe"]["class_f1"]["value"] > 0.7
    assert bert["agreement"]["pairs"] == 1
    assert gpt2["agreement"]["value"] is None
    assert gpt2["agreement"]["why"] == "there is one seed"
    first = bert["effects"]["words"][bert["order"]["42-0"][0][0]]
    assert max(first) > 0


def raw(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ("circuits" in path.parts or path.name == "circuit.json")
    }


def test_a_killed_run_goes_on_and_leaves_the_same_bytes(home, found, tmp_path, monkeypatch):
    wanted = raw(home / "runs")
    assert any("verification" in name for name in wanted)
    shutil.copytree(home / "runs", tmp_path / "runs")
    again = {"data": home / "data", **QUICK}
    calls = []

    def dying(*given):
        calls.append(1)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return set_runs(*given)

    monkeypatch.setattr(headcircuits, "set_runs", dying)
    (tmp_path / "runs" / "circuit.json").unlink()
    with pytest.raises(KeyboardInterrupt):
        circuit(tmp_path / "runs", fresh=True, **again)
    left = raw(tmp_path / "runs")
    assert sorted({name.split(".")[1] for name in left}) == ["discovery", "estimates", "probe"]
    monkeypatch.setattr(headcircuits, "set_runs", set_runs)
    circuit(tmp_path / "runs", **again)
    assert raw(tmp_path / "runs") == wanted

    def never(*given):
        raise AssertionError("it was there already")

    monkeypatch.setattr(headcircuits, "set_runs", never)
    monkeypatch.setattr(headcircuits, "head_runs", never)
    circuit(tmp_path / "runs", **again)
    assert raw(tmp_path / "runs") == wanted


def test_two_processes_leave_the_same_bytes_as_one(home, found, tmp_path):
    shutil.copytree(home / "runs", tmp_path / "runs")
    told = []
    asked = {**QUICK, "jobs": 2}
    circuit(
        tmp_path / "runs", data=home / "data", fresh=True, progress=lambda *a: told.append(a),
        **asked,
    )  # fmt: skip
    assert raw(tmp_path / "runs") == raw(home / "runs")
    assert told[-1][:2] == (3, 3)


def test_the_papers_choices_and_estimates_reuse_nothing_that_differs(home, found, tmp_path):
    shutil.copytree(home / "runs" / "bert", tmp_path / "bert")
    asked = {**QUICK, "draws": 0, "data": home / "data", "k": (1,)}
    paper = circuit(tmp_path / "bert", **asked, **PAPER)
    assert (paper["corruption"], paper["scale"]) == ("mask", "probability")
    model = paper["models"]["bert"]
    for curve in model["curves"].values():
        assert -1 <= curve["words"]["base"]["value"] <= 1
        assert curve["words"]["points"][0]["random"]["rescue"]["median"] is None
    effects = np.abs(np.array(found["models"]["bert"]["effects"]["words"]))
    assert np.array(model["effects"]["words"]) != pytest.approx(effects)
    estimated = circuit(tmp_path / "bert", **asked, patching="attribution", readout="head")
    assert estimated["models"]["bert"]["attribution_patching"] is None
    assert np.isfinite(estimated["models"]["bert"]["effects"]["words"]).all()
    left = sorted({name.split(".")[1] for name in raw(tmp_path / "bert") if "42-0" in name})
    assert left == ["discovery", "estimates", "probe", "verification"]


def by_hand(seed, clean, corrupt, other, clusters="abcd"):
    """Four texts, two biased, the first three changed; one circuit halfway between."""
    clean, corrupt, other = (np.array(x, dtype=float) for x in (clean, corrupt, other))
    by = {
        name: SetLogits(said, (0.75 * clean + 0.25 * said)[None], ((clean + said) / 2)[None])
        for name, said in (("words", corrupt), ("random_words", other))
    }
    random = SetLogits(
        corrupt,
        np.stack([0.5 * clean + 0.5 * corrupt, corrupt])[:, None],
        np.stack([clean, clean])[:, None],
    )
    changed = np.array([True, True, True, False])
    return TestRuns(seed, 0, list(clusters), np.array([1, 1, 0, 0]), changed, clean, by, random)


def test_the_numbers_of_four_texts_by_hand():
    one = by_hand(1, [4, 2, 0, -2], [1, -1, 0, -2], [3, 2, -1, -2])
    two = by_hand(2, [6, 2, 0, -2], [0, 2, 0, -2], [6, 2, 0, -2])
    sample = sample_of([one, two], 200, 7, "task")
    assert sample.counts[0][0].tolist() == [1, 1, 1, 1]
    assert (sample.counts[0] == sample.counts[1]).all()
    assert (sample.counts[0][1:].sum(1) == 4).all()
    made = curves([one, two], sample, [{"k": 1, "share": 0.25, "asked": "k"}])
    words = made["corruption"]["words"]
    # Base: (3 + 3 + 0) / 3 = 2 and (6 + 0 + 0) / 3 = 2.
    assert words["base"]["seeds"] == pytest.approx([2, 2])
    point = words["points"][0]
    assert point["circuit"]["seeds"] == pytest.approx([1.5, 1.5])
    assert point["none"]["value"] == pytest.approx(1)
    assert point["rescue"]["value"] == pytest.approx(0.5)
    others = made["corruption"]["random_words"]["base"]
    assert others["seeds"] == pytest.approx([2 / 3, 0])
    assert others["spread"] == pytest.approx((2 / 3) / 2**0.5)
    assert made["corruption"]["excess"]["base"]["seeds"] == pytest.approx([4 / 3, 2])
    # Classes: clean (3 - -1) and (4 - -1), corrupted (0 - -1) and (1 - -1).
    classes = made["classes"]["words"]
    assert classes["base"]["seeds"] == pytest.approx([4, 5])
    point = classes["points"][0]
    assert point["circuit"]["seeds"] == pytest.approx([3.25, 4.25])
    assert point["none"]["seeds"] == pytest.approx([2.5, 3.5])
    # Draws: halfway (2.5, 3.5) and the corrupted (1, 2), none always clean.
    band = point["random"]["rescue"]
    assert band["median"] == pytest.approx(((2.5 - 4 + 3.5 - 5) / 2 + (1 - 4 + 2 - 5) / 2) / 2)
    assert band["low"] == pytest.approx(-3 + 0.025 * 1.5)
    assert band["high"] == pytest.approx(-1.5 - 0.025 * 1.5)


def test_an_interval_holds_its_value_and_draws_a_text_alike_for_all_seeds():
    stream = np.random.default_rng(0)
    clean = stream.normal(2, 1, 60)
    labels = np.arange(60) % 2
    same = SetLogits(np.zeros(60), clean[None] / 2, clean[None] / 4)
    one = TestRuns(1, 0, [f"c{i}" for i in range(60)], labels, np.ones(60, bool), clean,
                   {"words": same, "random_words": same}, None)  # fmt: skip
    sizes = [{"k": 1, "share": 0.5, "asked": "k"}]
    alone = curves([one], sample_of([one], 2000, 3, "t"), sizes)["corruption"]["words"]
    base = alone["base"]
    half = 1.96 * clean.std() / 60**0.5
    assert base["low"] == pytest.approx(clean.mean() - half, abs=0.04)
    assert base["high"] == pytest.approx(clean.mean() + half, abs=0.04)
    sufficiency = alone["points"][0]["sufficiency"]
    assert (sufficiency["low"], sufficiency["high"]) == pytest.approx((0.5, 0.5))
    assert alone["points"][0]["completeness"]["value"] == pytest.approx(0.75)
    # A second seed with the same texts adds nothing that is not known, so that no interval shrinks.
    both = [one, replace(one, seed=2)]
    twice = curves(both, sample_of(both, 2000, 3, "t"), sizes)["corruption"]["words"]
    assert twice["base"]["low"] == pytest.approx(base["low"])


def test_a_share_is_undefined_where_the_interval_of_the_base_holds_zero():
    one = by_hand(1, [1, -1, 0.1, 0], [0, 0, 0, 0], [0, 0, 0, 0])
    sample = sample_of([one], 500, 1, "task")
    point = curves([one], sample, [{"k": 1}])["corruption"]["words"]["points"][0]
    for number in ("sufficiency", "completeness", "retention"):
        assert point[number]["value"] is None
        assert "holds 0" in point[number]["why"]
        assert point["random"][number] == {"low": None, "median": None, "high": None}
    assert point["rescue"]["value"] == pytest.approx(0.25 * 0.1 / 3)


def test_the_readouts_class_f1_is_scikit_learns():
    from sklearn.metrics import f1_score

    one = by_hand(1, [4, -2, 0.5, -2], [0] * 4, [0] * 4)
    sample = sample_of([one], 50, 1, "task")
    wanted = f1_score([1, 1, 0, 0], [1, 0, 1, 0], average="macro")
    assert readout_score([one], sample, 0.0)["value"] == pytest.approx(wanted)
    chance = replace(one, clean=np.array([0.9, 0.2, 0.5, 0.1]))
    assert readout_score([chance], sample, 0.5)["value"] == pytest.approx(wanted)


def test_the_folds_of_a_seed_are_one_number():
    runs = [replace(by_hand(s, [c, c, 0, 0], [0] * 4, [0] * 4), fold=f)
            for s, f, c in ((1, 0, 1.0), (1, 1, 3.0), (2, 0, 6.0), (2, 1, 6.0))]  # fmt: skip
    made = curves(runs, sample_of(runs, 50, 1, "t"), [{"k": 1}])
    assert made["classes"]["words"]["base"]["seeds"] == pytest.approx([2, 6])
    assert made["classes"]["words"]["base"]["value"] == pytest.approx(4)


def test_seeds_agree_as_spearman_says_and_models_of_one_seed_are_not_compared():
    ranks = np.array([[1.0, 2, 3], [3.0, 2, 1], [1.0, 2, 3]])
    assert agreement(ranks, [1, 1, 2])["value"] == pytest.approx((1 - 1) / 2)
    assert agreement(ranks, [1, 1, 2])["pairs"] == 2
    assert plain([1.0, float("nan")])["value"] is None


def test_sizes_are_sorted_once_each_and_shares_are_whole_heads():
    asked = CircuitSettings(k=(30, 1, 18), shares=(0.25, 0.01, 0.1))
    sizes = [(one.k, one.asked) for one in sizes_of(asked, 72)]
    assert sizes == [(1, "k"), (7, "share"), (18, "k"), (30, "k")]
    assert [one.k for one in sizes_of(CircuitSettings(k=(), shares=(0.01,)), 72)] == [1]


@pytest.mark.parametrize(
    ("changed", "kind", "words"),
    [
        ({"k": (1, 5)}, OptionError, "the models of 'bert' have 4 heads. Give k from 0 to 4"),
        ({"k": (-1,)}, OptionError, "it is below 0"),
        ({"k": (), "shares": ()}, OptionError, "there is no size of circuits"),
        ({"shares": (1.5,)}, OptionError, "it is no share of the heads"),
        ({"corruption": "masked"}, UnknownName, "Did you mean mask?"),
        ({"readout": "prob"}, UnknownName, "Did you mean probe?"),
        ({"draws": -1}, OptionError, "it is below 0"),
    ],
)
def test_a_wrong_option_is_told_before_any_work(home, monkeypatch, changed, kind, words):
    monkeypatch.setattr(verb, "worked_off", None)
    with pytest.raises(kind, match=words):
        circuit(home / "runs", data=home / "data", **{**QUICK, **changed})


def test_a_corruption_that_the_tokenizer_lacks_is_told_before_any_work(home, monkeypatch):
    monkeypatch.setattr(verb, "worked_off", None)
    with pytest.raises(OptionError, match=r"no mask token\. Choose corruption=resample"):
        circuit(home / "runs" / "gpt2", data=home / "data", **QUICK, corruption="mask")


def test_no_marked_word_one_class_or_no_model_is_told_before_any_work(home, tmp_path, monkeypatch):
    monkeypatch.setattr(verb, "worked_off", None)
    own = verb.parts_of

    def without_marks(*given):
        parts = own(*given)
        bare = tuple(replace(one, gold=replace(one.gold, marks=())) for one in parts.test)
        return replace(parts, test=bare)

    monkeypatch.setattr(verb, "parts_of", without_marks)
    with pytest.raises(DataError, match="no text of its test part has a marked word"):
        circuit(home / "runs", data=home / "data", **QUICK)

    def one_class(*given):
        parts = own(*given)
        return replace(parts, train=tuple(one for one in parts.train if one.gold.biased))

    monkeypatch.setattr(verb, "parts_of", one_class)
    with pytest.raises(DataError, match="seed 42, fold 0: the labels of its train part are of one"):
        circuit(home / "runs", data=home / "data", **QUICK)
    with pytest.raises(Exception, match="no run there has any"):
        circuit(tmp_path, data=home / "data", **QUICK)


def test_an_unknown_architecture_and_a_tokenizer_without_offsets_are_told(home, tmp_path):
    import transformers

    shutil.copytree(home / "runs" / "bert", tmp_path / "bert")
    for folder in (tmp_path / "bert" / "models" / "babe").iterdir():
        config = json.loads((folder / "config.json").read_text())
        size = {key: config[key] for key in ("vocab_size", "pad_token_id")}
        small = transformers.AlbertConfig(
            hidden_size=32, num_attention_heads=2, num_hidden_layers=2, intermediate_size=32,
            embedding_size=16, **size,
        )  # fmt: skip
        transformers.AlbertForSequenceClassification(small).save_pretrained(folder)
        for noted in folder.glob(".*.sum"):
            noted.unlink()
    with pytest.raises(OptionError, match="type 'albert': its architecture is not supported"):
        circuit(tmp_path / "bert", data=home / "data", **QUICK)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transformers.PreTrainedTokenizerFast, "is_fast", False)
        with pytest.raises(OptionError, match="it gives no character offsets"):
            circuit(home / "runs" / "bert", data=home / "data", **QUICK)
