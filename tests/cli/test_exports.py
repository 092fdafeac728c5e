"""What `slant data export` writes."""

from __future__ import annotations

import csv

from called import slant


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_with_folds_every_text_is_tested_once_and_learnt_from_elsewhere(capsys, tmp_path):
    out = tmp_path / "folds.csv"
    options = ("--with-folds", "--set", "folds=4", "--set", "groups=pair")
    assert slant(capsys, "data", "export", "open/pairs", *options, "--out", out)[0] == 0
    rows = read(out)
    assert list(rows[0])[4:] == ["fold_0", "fold_1", "fold_2", "fold_3"]
    for row in rows:
        roles = [row[f"fold_{number}"] for number in range(4)]
        assert roles.count("test") == 1
        assert set(roles) <= {"train", "dev", "test"}
        assert "train" in roles


def test_the_folds_are_those_of_a_run_at_the_same_seed(capsys, tmp_path):
    import polars as pl

    run, out = tmp_path / "run", tmp_path / "folds.csv"
    same = ("--seed", "7")
    given = ("run", "open/pairs", "--system", "majority", "--jobs", "1", "-q", *same)
    assert slant(capsys, *given, "--out", run)[0] == 0
    assert slant(capsys, "data", "export", "open/pairs", "--with-folds", *same, "-o", out)[0] == 0
    rows = read(out)
    for fold in range(5):
        (cell,) = run.rglob(f"7-{fold}.parquet")
        said = set(pl.read_parquet(cell)["id"].to_list())
        assert said == {row["id"] for row in rows if row[f"fold_{fold}"] == "test"}


def test_the_embedded_articles_come_with_what_two_annotators_marked(capsys, tmp_path):
    out = tmp_path / "sample"
    assert slant(capsys, "data", "export", "open/articles", "--out", out)[0] == 0
    assert len(list((out / "articles").glob("*.txt"))) == 34
    passes = [out / f"annotator-{name}.jsonl" for name in "ab"]
    asked = ("annotate", "agree", *passes, "--articles", out / "articles", "--resamples", 100)
    code, said, _ = slant(capsys, *asked)
    assert code == 0
    # The Bandwagon Effect of samples/bait/README.md: 12 and 13 articles, 11 of them shared.
    assert "B03\t12\t13\t11\t" in said
    code, _, err = slant(capsys, "data", "export", "open/articles", "--with-folds", "--out", out)
    assert (code, err.count("\n")) == (2, 1)
    (out / "other.txt").write_text("mine")
    assert "other.txt" in slant(capsys, "data", "export", "open/articles", "--out", out)[2]
