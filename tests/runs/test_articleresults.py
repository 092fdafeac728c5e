"""`slant.analyze` in Python: what `slant analyze` would write, as results."""

from __future__ import annotations

import json
import pickle

import polars as pl
import pytest

import slant
from slant.errors import DataError, OptionError, UnknownName

TEXT = "The corrupt regime lied again. The council met on Tuesday and agreed a budget for schools."


def test_a_text_is_analysed_as_the_file_that_holds_it(tmp_path):
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    given = slant.analyze(text=TEXT, language="en")
    (read,) = slant.analyze(str(tmp_path / "a.txt"), language="en")
    (own,) = given
    assert own["sentences"] == read["sentences"]
    assert own["article"]["text"] == TEXT
    assert json.loads(json.dumps(given))[0]["sentences"][0]["start"] == 0
    assert repr(given) == "<Analyses of 1 articles, 2 sentences>"
    assert pickle.loads(pickle.dumps(given)).to_polars().equals(given.to_polars())


def test_its_tables_are_the_files_of_a_folder(tmp_path):
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    path = str(tmp_path / "a.txt")
    now = slant.analyze(path, language="en")
    folder = slant.analyze([path], tmp_path / "out", language="en", jobs=1)
    for name in ("sentences", "profiles"):
        assert now.to_polars(name).equals(folder.to_polars(name))
        written = pl.read_parquet(tmp_path / "out" / f"{name}.parquet")
        assert folder.to_polars(name).equals(written)
    assert list(folder.tables) == ["sentences", "profiles", "groups", "events"]
    assert folder["articles"] == 1
    assert repr(folder).startswith(
        f"<AnalysedFolder {str(tmp_path / 'out')!r}: analysis|articles:1"
    )
    assert len(now.to_pandas()) == 2
    with pytest.raises(UnknownName, match="Did you mean sentences"):
        now.to_polars("sentence")


def test_a_text_stands_alone_and_must_be_one(tmp_path):
    with pytest.raises(OptionError, match="Give the text alone"):
        slant.analyze("a.txt", text=TEXT)
    with pytest.raises(OptionError, match="Give the text alone"):
        slant.analyze(text=TEXT, out=tmp_path / "out")
    with pytest.raises(DataError, match="Reading 'text'"):
        slant.analyze(text="lone \ud800 surrogate", language="en")
    with pytest.raises(DataError, match="nothing was named"):
        slant.analyze()


def test_bait_runs_take_names_and_show_what_was_asked(tmp_path):
    done = slant.run_bait("bait/sample", str(tmp_path / "run"), baselines=["cues"])
    assert dict(done.to_polars().iter_rows()) == {
        "asked": 0, "stored": 0, "failed": 0, "left": 0, "unbegun": 0
    }  # fmt: skip
    found = slant.score_bait(tmp_path / "run", jobs=1)
    own = found.to_polars().filter((pl.col("system") == "cues") & (pl.col("part") == "scores"))
    told = found["systems"][0]["settings"][0]["scores"]
    assert dict(own["measure", "estimate"].iter_rows()) == {k: v["value"] for k, v in told.items()}
    assert "<caption>" in done._repr_html_()
    assert "cues" in found._repr_html_()


def test_every_name_of_the_package_can_be_had():
    for name in slant.__all__:
        assert callable(getattr(slant, name)), name
    assert set(slant.__all__) <= set(dir(slant))


def test_explain_is_the_verb_though_a_folder_has_its_name(tmp_path):
    import slant.explain.methods

    with pytest.raises(slant.errors.RunError, match="there is no such"):
        slant.explain(tmp_path / "absent")
    assert slant.explain.methods.METHODS
