"""Runs of associations: published numbers, null data, replicas, corpora compared, resumed runs."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from made_vectors import (
    LISTS,
    TEST,
    made_vectors,
    write_lists,
    write_replicas,
    write_vectors,
)

from slant.embeddings.testnames import BATTERIES
from slant.errors import DataError, OptionError, RunError, UnknownName
from slant.runs.associationcells import associations_of, permuted
from slant.runs.associations import FILE, associate
from slant.runs.associationsettings import AssociationSettings
from slant.runs.locatedtests import Located
from slant.runs.wordvectors import Replica

QUICK = AssociationSettings(resamples=100, permutations=2000)


@pytest.fixture
def made(tmp_path):
    """A file of lists, and two folders of three replicas each."""
    return (
        write_lists(tmp_path / "lists.json"),
        write_replicas(tmp_path / "emb" / "left", range(3), lean=2.0),
        write_replicas(tmp_path / "emb" / "right", range(3, 6), lean=0.0),
    )


def one_test(vectors, sets, settings=QUICK, **more):
    return associate(vectors, sets, settings=settings, jobs=1, **{"tests": [TEST], **more})


def test_the_published_effects_and_p_values_come_out_of_the_published_items(real_data):
    weat = real_data / "weat"
    found = associate(
        [weat / "glove840b_items_shared.txt"],
        weat / "cbn_items.tsv",
        settings=replace(QUICK, alternative="greater", resamples=0),
        outside=f"{weat / 'wefat' / 'professionsBLS2015.tsv'}:Women:TotalEmployed",
        jobs=1,
    )
    tests = {one["name"]: one for one in found["tests"]}
    # Caliskan, Bryson and Narayanan 2017, table 1 and figure 1.
    published = {"WEAT1": 1.50, "WEAT2": 1.53, "WEAT4": 1.50, "WEAT5": 1.28, "WEAT6": 1.81,
                 "WEAT7": 1.06, "WEAT9": 1.38}  # fmt: skip
    for name, d in published.items():
        # 1.0550 of WEAT7 is 1.06 rounded half up: within half a hundredth, not half to even.
        assert abs(tests[name]["d"] - d) < 0.00501, name
    # 1 of 12,870 splits; 202 of 12,870; 4 of 924.
    assert tests["WEAT6"]["p"] == pytest.approx(1 / 12870)
    assert tests["WEAT7"]["p"] == pytest.approx(202 / 12870)
    assert tests["WEAT9"]["p"] == pytest.approx(4 / 924)
    assert tests["WEAT6"]["p_min"] == pytest.approx(1 / 12870)
    fact = next(one for one in found["facts"] if one["name"] == "WEFAT1")
    assert round(fact["outside"]["r"], 2) == 0.90
    assert fact["outside"]["n"] == 50
    # Words weighted by their number of employed too, docs/associations.md.
    assert round(fact["outside"]["weighted_r"]["r"], 3) == 0.788
    assert {one["name"] for one in found["left_out"]} == {"WEAT8", "WEAT10"}
    assert "OldNames" in found["left_out"][0]["why"]


def test_strict_p_is_that_of_splits_larger_than_the_observed_one(real_data):
    weat = real_data / "weat"
    found = associate(
        [weat / "glove840b_items_shared.txt"],
        weat / "cbn_items.tsv",
        tests=["WEAT6", "WEAT7", "WEAT9"],
        settings=replace(QUICK, alternative="greater", resamples=0, strict=True),
        jobs=1,
    )
    # 0; 201 of 12,870; 3 of 924.
    assert [one["p"] for one in found["tests"]] == pytest.approx([0, 201 / 12870, 3 / 924])


def test_x_and_y_exchanged_negate_d_and_leave_the_two_sided_p(made):
    sets, left, _ = made
    found = one_test([left], sets, tests=[TEST, "y/x:a/b", "y/x:b/a"])
    one, other, twice = found["tests"]
    assert one["d"] == pytest.approx(-other["d"])
    assert one["d"] == pytest.approx(twice["d"])
    assert one["p"] == other["p"] == twice["p"]
    assert one["d"] > 0.5


@pytest.mark.parametrize("replicas", [1, 8])
def test_over_null_data_p_is_uniform(replicas):
    """2,000 data sets in which X and Y differ by chance only; p takes the values 1/35, ... 1."""
    stream = np.random.default_rng(replicas)
    where = Located({role: tuple(f"{role}{i}" for i in range(4)) for role in "xyab"}, ())
    words = [word for one in where.words.values() for word in one]
    p = []
    for _ in range(2000):
        # Replicas of one corpus: the same words, each with noise of its own.
        common = stream.normal(size=(len(words), 5))
        every = [
            Replica(
                dict(zip(words, common + 0.5 * stream.normal(size=common.shape), strict=True)),
                (), (), len(words), 5, False, {}, {},
            )
            for _ in range(replicas)
        ]  # fmt: skip
        hx, hy = associations_of(where, every, "weat")
        p.append(permuted(hx.mean(axis=0), hy.mean(axis=0), QUICK).p)
    # C(8, 4) = 70 splits in pairs of equal size: 35 values, each with chance 1/35.
    counts = np.bincount(np.rint(np.array(p) * 35).astype(int), minlength=36)[1:]
    expected = 2000 / 35
    # chi-squared with 34 degrees of freedom: 65.2 at p = 0.001
    assert ((counts - expected) ** 2 / expected).sum() < 65.2
    # binomial(2000, 1/35): 57 +- 3 x 7.4
    assert 34 < counts[0] < 80


def test_the_deviation_over_the_vocabulary_is_that_of_all_its_words(tmp_path):
    # h(w) = first less second coordinate at length 1. Of the words of the file: a 1, b -1, x 0.2,
    # y -0.2, u -1, v 1: mean 0, squares 4.08, / 6 = 0.68. d = 0.4 / sqrt(0.68)
    vectors = {"a": [1, 0], "b": [0, 1], "x": [0.8, 0.6], "y": [1.2, 1.6], "u": [-3, 0],
               "v": [0, -2]}  # fmt: skip
    file = write_vectors(tmp_path / "v.txt", vectors)
    sets = write_lists(tmp_path / "s.json", {name: [name] for name in "xyab"})
    settings = replace(QUICK, deviation="vocabulary")
    found = one_test([file], sets, settings)["tests"][0]
    assert found["d"] == pytest.approx(0.4 / np.sqrt(0.68), rel=1e-6)
    assert found["low"] is None
    # WEATvec: h is the projection on (1, -1) / sqrt 2; without the root: 1, -1, 0.2, -0.4, -3, 2.
    # Mean -0.2, squares 15.2, less 6 x 0.04, / 6 = 2.493333. d = 0.6 / 1.579029
    found = one_test([file], sets, replace(settings, methods=("weatvec",)))["tests"][0]
    assert found["d"] == pytest.approx(0.6 / np.sqrt(14.96 / 6), rel=1e-6)


def test_d_is_the_mean_over_replicas_and_p_permutes_the_mean_of_h(made):
    sets, left, _ = made
    found = one_test([left], sets)["tests"][0]
    each = [one["d"] for one in found["replicas"]]
    assert found["d"] == pytest.approx(np.mean(each))
    assert found["spread"] == pytest.approx(np.std(each, ddof=1))
    own = one_test([left / f"{i}.bin" for i in range(3)], sets)["tests"]
    assert each == pytest.approx([one["d"] for one in own])
    assert [one["p"] for one in found["replicas"]] == [one["p"] for one in own]
    h = np.mean([[value for _, value in one["values"]["x"]] for one in own], axis=0)
    assert [value for _, value in found["values"]["x"]] == pytest.approx(h)
    assert "replicas" in found["interval"]
    assert found["low"] < found["d"] < found["high"]


def test_fishers_combination_stands_with_its_error_in_shuffled_labels(tmp_path):
    # Eight replicas that hardly differ: combined as if independent, they find far too much.
    vectors = made_vectors(1)
    stream = np.random.default_rng(1)
    folder = write_replicas(tmp_path / "emb", range(8))
    for seed in range(8):
        near = {word: row + 0.01 * stream.normal(size=6) for word, row in vectors.items()}
        write_vectors(folder / f"{seed}.bin", near)
    fisher = one_test([folder], write_lists(tmp_path / "s.json"))["tests"][0]["fisher"]
    # Equal p in all: -16 log p passes 26.3, chi-squared's 95 % with 16 degrees, from p = 0.193 on.
    assert 0.15 < fisher["false_positives"] < 0.23


def test_replicas_of_documents_drawn_again_carry_the_documents(tmp_path):
    sets = write_lists(tmp_path / "s.json")
    told = {}
    for kind in ("all", "bootstrap"):
        folder = write_replicas(tmp_path / kind, range(4), documents=kind)
        told[kind] = one_test([folder], sets)["tests"][0]
    assert told["bootstrap"]["interval"].endswith("replicas, documents")
    assert "documents" not in told["all"]["interval"]
    width = {name: one["high"] - one["low"] for name, one in told.items()}
    assert width["bootstrap"] > width["all"]


def test_an_effect_is_placed_among_those_of_shuffled_documents(made, tmp_path):
    sets, left, right = made
    null = write_replicas(tmp_path / "shuffled" / "left", range(20, 29), documents="shuffled")
    found = one_test([left], sets, shuffled={"left": null})["tests"][0]["shuffled"]
    own = one_test([null], sets)["tests"][0]["replicas"]
    assert found["d"] == pytest.approx([one["d"] for one in own])
    # (1 + b) / (9 + 1): b of the nine are at least as far from the mean of all ten.
    observed = one_test([left], sets)["tests"][0]["d"]
    middle = (sum(found["d"]) + observed) / 10
    farther = sum(abs(d - middle) >= abs(observed - middle) for d in found["d"])
    assert found["p"] == pytest.approx((1 + farther) / 10)
    assert (found["p_min"], found["count"]) == (0.1, 9)
    with pytest.raises(OptionError, match="not shuffled"):
        one_test([left], sets, shuffled={"left": right})
    with pytest.raises(UnknownName, match="Did you mean left"):
        one_test([left], sets, shuffled={"leftt": null})


def test_unequal_sets_are_kept_whole_or_cut_by_position(made):
    sets, left, _ = made
    kept = one_test([left], sets)["tests"][0]
    cut = one_test([left], sets, replace(QUICK, unequal="cut"))["tests"][0]
    assert (kept["n_x"], kept["n_y"]) == (4, 5)
    assert (cut["n_x"], cut["n_y"]) == (4, 4)
    assert [word for word, _ in cut["values"]["y"]] == ["y1", "y2", "y3", "y4"]


def test_words_without_a_vector_are_named(tmp_path):
    vectors = made_vectors(1)
    del vectors["x2"], vectors["b3"]
    file = write_vectors(tmp_path / "v.txt", vectors)
    found = one_test([file], write_lists(tmp_path / "s.json"))
    assert found["tests"][0]["missing"] == ["x2", "b3"]
    assert (found["tests"][0]["n_x"], found["tests"][0]["n_b"]) == (3, 2)
    covered = found["vectors"]["v"]["coverage"]["x"]
    assert covered == {"known": 3, "of": 4, "missing": ["x2"], "by_grams": []}


def test_a_set_of_which_no_word_is_known_is_an_error(tmp_path):
    file = write_vectors(tmp_path / "v.txt", made_vectors(1))
    sets = write_lists(tmp_path / "s.json", {**LISTS, "b": ["none", "such"]})
    with pytest.raises(DataError, match="none of the 2 words of its set 'b' is known"):
        one_test([file], sets)
    folder = tmp_path / "out"
    folder.mkdir()
    with pytest.raises(DataError, match="is known"):
        one_test([file], sets, out=folder)
    assert not (folder / "cells").exists()
    own = {"sets": {**LISTS, "b": ["none"]}, "tests": [
        {"name": "t", **{role: role for role in "xyab"}}]}  # fmt: skip
    with pytest.raises(DataError, match="is known"):
        one_test([file], write_lists(tmp_path / "t.json", own), tests=None)


def test_two_words_that_the_case_rule_makes_one_are_an_error(tmp_path):
    file = write_vectors(tmp_path / "v.txt", made_vectors(1))
    sets = write_lists(tmp_path / "s.json", {**LISTS, "x": ["Y1", "x1"]})
    with pytest.raises(DataError, match="'Y1' and 'y1' are one word with --case lower"):
        one_test([file], sets, replace(QUICK, case="lower"))
    assert one_test([file], sets)["tests"][0]["missing"] == ["Y1"]


def test_a_word_on_both_ends_of_a_test_is_told(tmp_path):
    file = write_vectors(tmp_path / "v.txt", made_vectors(1))
    sets = write_lists(tmp_path / "s.json", {**LISTS, "b": ["b1", "y1"]})
    assert one_test([file], sets)["tests"][0]["both"] == ["y1"]


def test_a_missing_replica_stops_the_run(made):
    sets, left, _ = made
    (left / "1.bin").unlink()
    with pytest.raises(RunError, match=r"1 of its 3 replicas are missing \(1.bin\)"):
        one_test([left], sets)


@pytest.mark.parametrize(
    ("more", "error", "words"),
    [
        ({"settings": replace(QUICK, methods=("weet",))}, UnknownName, "Did you mean weat"),
        ({"settings": replace(QUICK, methods=())}, OptionError, "names none"),
        ({"settings": replace(QUICK, deviation="n")}, UnknownName, "deviation"),
        ({"settings": replace(QUICK, case="upper")}, UnknownName, "case rule"),
        ({"settings": replace(QUICK, measures=("rndd",))}, UnknownName, "Did you mean rnd"),
        ({"settings": replace(QUICK, resamples=5)}, OptionError, "no interval"),
        ({"settings": replace(QUICK, permutations=0)}, OptionError, "Give 1 or more"),
        ({"against": "rigt"}, UnknownName, "Did you mean right"),
        ({"correction": "bonf"}, UnknownName, "Did you mean bonferroni"),
        ({"family": 1}, OptionError, "there are 2 tests here"),
        ({"outside": "none.tsv"}, DataError, "no such file"),
    ],
)
def test_a_choice_that_is_none_is_refused_before_anything_is_written(
    made, tmp_path, more, error, words
):
    sets, left, right = made
    with pytest.raises(error, match=words):
        associate([left, right], sets, **{"tests": [TEST], "settings": QUICK, "jobs": 1,
                                          "out": tmp_path / "run", **more})  # fmt: skip
    assert not (tmp_path / "run" / FILE).exists()


def test_two_corpora_of_one_name_or_none_are_refused(made, tmp_path):
    sets, left, _ = made
    with pytest.raises(OptionError, match="has the name 'left' too"):
        one_test([left, left], sets)
    with pytest.raises(OptionError, match="none were given"):
        one_test([], sets)
    with pytest.raises(DataError, match="no such file or folder"):
        one_test([tmp_path / "none"], sets)


def test_corpora_are_compared_with_an_interval_and_a_p_value(made, tmp_path):
    sets, left, right = made
    third = write_replicas(tmp_path / "emb" / "third", range(6, 8), lean=2.0)
    found = one_test([left, right, third], sets)
    pairs = [(one["first"], one["second"]) for one in found["compared"]]
    assert pairs == [("left", "right"), ("left", "third"), ("right", "third")]
    d = {one["vectors"]: one["d"] for one in found["tests"]}
    first = found["compared"][0]
    assert first["difference"] == pytest.approx(d["left"] - d["right"])
    assert first["low"] < first["difference"] < first["high"]
    assert 0 < first["p"] <= 1
    assert first["adjusted"]["bonferroni"] == min(1, 3 * first["p"])
    against = one_test([left, right, third], sets, against="right")
    pairs = [(one["first"], one["second"]) for one in against["compared"]]
    assert pairs == [("left", "right"), ("third", "right")]


def test_corpora_are_compared_on_the_words_that_both_know(tmp_path):
    vectors = made_vectors(1)
    whole = write_vectors(tmp_path / "whole.txt", vectors)
    less = write_vectors(tmp_path / "less.txt", {w: v for w, v in vectors.items() if w != "x1"})
    found = one_test([whole, less], write_lists(tmp_path / "s.json"))
    assert [one["n_x"] for one in found["tests"]] == [4, 3]
    compared = found["compared"][0]
    assert (compared["n_x"], compared["missing"]) == (3, ["x1"])
    # The same vectors: no difference on the words of both.
    assert (compared["difference"], compared["p"]) == (0, 1)


def test_a_family_counts_tests_that_were_made_elsewhere(made):
    sets, left, right = made
    found = one_test([left, right], sets, replace(QUICK, methods=("weat", "weatvec")), family=192)
    assert found["family"] == 192
    for one in found["tests"]:
        assert one["adjusted"]["bonferroni"] == pytest.approx(min(1, 192 * one["p"]))
        assert one["adjusted"]["holm"] <= one["adjusted"]["bonferroni"]
        assert one["p"] <= one["adjusted"]["max-t"] + 0.05
    assert [one["method"] for one in found["tests"]] == ["weat", "weatvec"] * 2


def test_tests_of_the_wiki_papers_battery_run_on_two_corpora(real_data, tmp_path):
    sets = real_data / "weat" / "knoche2019_sets.json"
    lists = json.loads(sets.read_text())
    words = sorted({word for one in lists.values() for word in one})
    files = []
    for name in ("one", "two"):
        stream = np.random.default_rng(len(files))
        made = {word: stream.normal(size=8) for word in words}
        files.append(write_vectors(tmp_path / f"{name}.txt", made))
    names = [one for one in BATTERIES["knoche2019"] if one.startswith(("science/", "career/"))]
    settings = replace(QUICK, unequal="cut")
    found = associate(files, sets, tests=names, settings=settings, jobs=1, family=192)
    assert len(names) == 8
    assert len(found["tests"]) == 16
    assert len(found["compared"]) == 8
    science = next(one for one in found["tests"] if one["b"] == "atheism_words")
    assert (science["n_x"], science["n_y"]) == (9, 9)
    # The first nine of math, algebra, ...: 'science' is the ninth, and stands for atheism, too.
    assert science["both"] == ["science"]


def test_measures_neighbours_and_outside_quantities_are_taken_along(tmp_path):
    folder = write_replicas(tmp_path / "emb", range(2))
    sets = write_lists(tmp_path / "s.json")
    (tmp_path / "q.csv").write_text("word,value\nx1,1\nx2,2\nx3,3\nx3,5\ny9,1\n")
    found = one_test(
        [folder], sets, replace(QUICK, measures=("mac", "ripa")), tests=[TEST, "x:a/b"],
        neighbours=["x1", "nothing"], outside=str(tmp_path / "q.csv"),
    )  # fmt: skip
    assert [one["measure"] for one in found["measures"]] == ["mac", "ripa", "ripa"]
    assert found["measures"][0]["value"] == pytest.approx(1, abs=0.5)
    # 4 words of x and 5 of y are no pairs.
    assert found["measures"][1]["value"] is None
    near = found["neighbours"]["x1"]["emb"]
    assert len(near) == 10
    assert near[0][1] == max(cosine for _, cosine in near)
    assert found["neighbours"]["nothing"] == {}
    outside = found["facts"][0]["outside"]
    assert (outside["n"], outside["quantity"], outside["missing"]) == (3, "value", ["x4"])


def test_neighbours_are_nearest_in_the_mean_over_replicas_however_far_they_are_in_one(tmp_path):
    fillers = [f"w{i}" for i in range(1500)]
    every = [made_vectors(seed, more=fillers) for seed in (1, 2)]
    for number, vectors in enumerate(every):
        write_vectors(tmp_path / "emb" / f"{number}.bin", vectors)
    # A word that only the second replica knows is nobody's neighbour.
    write_vectors(tmp_path / "emb" / "1.bin", every[1] | {"only": every[1]["x1"]})
    (tmp_path / "emb" / "embedding.json").write_text('{"seeds": [0, 1]}')
    found = one_test(
        [tmp_path / "emb"], write_lists(tmp_path / "s.json"), QUICK, tests=[TEST], neighbours=["x1"]
    )

    def cosine(vectors, word):
        a, b = vectors["x1"], vectors[word]
        return a @ b / np.linalg.norm(a) / np.linalg.norm(b)

    means = {w: np.mean([cosine(one, w) for one in every]) for w in every[0] if w != "x1"}
    nearest = sorted(means, key=means.get, reverse=True)[:10]
    got = found["neighbours"]["x1"]["emb"]
    assert [word for word, _ in got] == nearest
    assert [value for _, value in got] == pytest.approx([means[word] for word in nearest])


def test_a_killed_run_goes_on_to_the_same_bytes_and_makes_no_cell_twice(made, tmp_path):
    sets, left, right = made
    run = {"tests": [TEST, "y/x:a/b", "x:a/b"], "settings": QUICK}
    associate([left, right], sets, jobs=1, out=tmp_path / "whole", **run)

    class Killed(BaseException):
        pass

    def killing(done, total, what):
        if total > 6 and done >= 3:
            raise Killed

    with pytest.raises(Killed):
        associate([left, right], sets, jobs=1, out=tmp_path / "killed", progress=killing, **run)
    assert not (tmp_path / "killed" / FILE).exists()
    there = {path: path.stat().st_mtime_ns for path in (tmp_path / "killed").rglob("*.json")}
    assert len(there) == 3
    damaged = min(there)
    damaged.write_text("{}")
    associate([left, right], sets, jobs=2, out=tmp_path / "killed", **run)
    assert all(path.stat().st_mtime_ns == at for path, at in there.items() if path != damaged)
    for path in (tmp_path / "whole").rglob("*.json"):
        other = tmp_path / "killed" / path.relative_to(tmp_path / "whole")
        assert path.read_bytes() == other.read_bytes(), path


def test_a_word_that_is_zero_has_no_direction_and_is_named(tmp_path):
    vectors = made_vectors(1) | {"x1": np.zeros(6)}
    file = write_vectors(tmp_path / "v.txt", vectors)
    with pytest.raises(DataError, match="'x1' is zero"):
        one_test([file], write_lists(tmp_path / "s.json"))
