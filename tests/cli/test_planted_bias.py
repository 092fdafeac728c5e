"""The whole chain, from raw text to the table: what is planted is found, what is not is not."""

from __future__ import annotations

import json

from called import slant
from scipy.stats import binom

SMALL = ["--dimensions", "20", "--epochs", "5", "--bucket", "0", "--jobs", "1", "--quiet"]


def done(capsys, *command):
    code, printed, err = slant(capsys, *command)
    assert code == 0, err
    return printed


def plant(capsys, folder, strength, seed):
    made = f"--words 30000 --strength {strength} --seed {seed}".split()
    done(capsys, "embed", "plant", "-o", folder, *made)


def associations(capsys, folder, *more, corpora=("planted", "plain"), replicas=1):
    """What `slant assoc run` says of the corpora of a folder."""
    trained = [folder / "emb" / corpus for corpus in corpora]
    for out in trained:
        corpus = folder / f"{out.name}.jsonl"
        done(capsys, "embed", "train", corpus, "-o", out, "--replicas", replicas, *SMALL)
    sets = ("--sets", folder / "sets.json", "--resamples", 200)
    return json.loads(
        done(capsys, "assoc", "run", *trained, *sets, "--jobs", 1, "--json", "-q", *more)
    )


def test_a_planted_association_is_found_with_its_sign_and_stands_in_the_table(tmp_path, capsys):
    for strength, sign in ((0.8, 1), (-0.8, -1)):
        folder, out = tmp_path / f"at{sign}", tmp_path / f"run{sign}"
        plant(capsys, folder, strength, 5)
        read = associations(capsys, folder, "--out", out, replicas=2)
        found = {(one["vectors"], one["name"]): one for one in read["tests"]}
        there = found["planted", "planted"]
        assert there["adjusted"]["bonferroni"] < 0.05
        assert sign * there["d"] > 1
        assert min(sign * there["low"], sign * there["high"]) > 0
        for elsewhere in (("planted", "control"), ("plain", "planted"), ("plain", "control")):
            assert found[elsewhere]["adjusted"]["bonferroni"] > 0.05
        differs = {one["name"]: one["p"] for one in read["compared"]}
        assert differs["planted"] < 0.05 < differs["control"]
        done(capsys, "report", out)
        table = (out / "tables" / "effects.md").read_text()
        assert f"{there['d']:.3f}".replace("-", "−") in table.replace("-", "−")


def test_twenty_null_corpora_are_significant_as_often_as_chance(tmp_path, capsys):
    # One corpus of each language: two of the same one share which words stand together.
    p = []
    for seed in range(20):
        plant(capsys, tmp_path / str(seed), 0, 100 + seed)
        read = associations(capsys, tmp_path / str(seed), corpora=["plain"])
        p += [one["p"] for one in read["tests"]]
    assert len(p) == 40
    # Two tests of other words on each: 95% of binomial draws of 40 at 0.05 lie in 0 to 5.
    assert binom.interval(0.95, 40, 0.05) == (0, 5)
    assert sum(one < 0.05 for one in p) <= 5
    # As often below a half as above, within 99.9% of binomial draws; 72 of 140 in a longer trial.
    low, high = binom.interval(0.999, 40, 0.5)
    assert low <= sum(one < 0.5 for one in p) <= high
