"""`slant analyze` as its user types it."""

import io
import json
import sys

import pytest

from slant.cli import main


@pytest.fixture(scope="module", autouse=True)
def store(tmp_path_factory):
    """One store for the module, so that the light detector is trained once."""
    return tmp_path_factory.mktemp("store")


@pytest.fixture
def slant(capsys, monkeypatch, store):
    monkeypatch.setenv("SLANT_CACHE", str(store))

    def call(*arguments, stdin=""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(one) for one in arguments])
        out, err = capsys.readouterr()
        return ended.value.code or 0, out, err

    return call


TEXT = "The regime’s thugs came. “We will crush them,” he said. The bridge opens on Monday.\n"


def test_a_short_text_is_shown_with_what_was_found(slant):
    code, out, err = slant("analyze", "-", "--language", "en", stdin=TEXT)
    assert code == 0
    head, *rows = [line.split("\t") for line in out.splitlines()]
    assert head[:3] == ["sentence", "verdict", "probability"]
    assert [row[-1] for row in rows] == [
        "The regime’s thugs came.", "“We will crush them,” he said.", "The bridge opens on Monday.",
    ]  # fmt: skip
    assert "thugs (loaded)" in rows[0][4]
    assert "Labels are contested" in err


def test_json_is_one_document_and_nothing_else(slant):
    code, out, _ = slant("analyze", "-", "--language", "en", "--json", stdin=TEXT)
    assert code == 0
    (read,) = json.loads(out)
    assert read["article"]["text"].startswith("The regime")


def test_a_report_is_written_and_its_page_named(slant, tmp_path):
    file = tmp_path / "a.txt"
    file.write_text(TEXT)
    code, out, _ = slant("analyze", file, "--out", tmp_path / "r", "--quiet", "--language", "en")
    assert code == 0
    assert out.split("\t")[0] == str(tmp_path / "r" / "report.html")
    assert (tmp_path / "r" / "report.html").read_text().count("Labels are contested") == 1
    code, out, _ = slant("analyze", file, "--out", tmp_path / "r", "--json", "--language", "en")
    done = json.loads(out)
    assert (done["articles"], done["sentences"]) == (1, 3)
    record = json.loads((tmp_path / "r" / "run.json").read_text())
    assert record["command"].startswith("slant")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["absent.txt"], "no such file"),
        (["-", "--schema", "bite"], "Did you mean bait"),
        (["-", "--detector", "absent"], "no such folder"),
        (["ftp://example.org/a"], "only http and https"),
    ],
)
def test_what_is_wrong_is_one_line_and_leaves_nothing(slant, tmp_path, more, said):
    code, out, err = slant(
        "analyze", *more, "--out", tmp_path / "r", "-q", "--language", "en", stdin=TEXT
    )
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert not (tmp_path / "r" / "run.json").exists()
