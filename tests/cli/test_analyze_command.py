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
    assert "thugs (loaded)" in rows[0][head.index("cues")]
    # words of either side, with their sign
    assert "regime +" in rows[0][head.index("words")]
    assert "The −" in rows[0][head.index("words")]
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
        (["-", "--language", "zzz"], "no code of a language"),
    ],
)
def test_what_is_wrong_is_one_line_and_leaves_nothing(slant, tmp_path, more, said):
    code, out, err = slant(
        "analyze", "--out", tmp_path / "r", "-q", "--language", "en", *more, stdin=TEXT
    )
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert not (tmp_path / "r" / "run.json").exists()


def test_what_is_taught_once_is_said_before_and_only_then(slant, tmp_path, monkeypatch):
    from slant.runs import lightdetector

    taught = [False]
    monkeypatch.setattr(lightdetector, "is_taught", lambda: taught[0])
    given = ["analyze", "-", "--language", "en"]
    said = "Teaching the light detector on open/sentences, once: about 20 seconds\n"
    assert slant(*given, stdin=TEXT)[2].startswith(said)
    for quiet in ("--json", "--quiet"):
        assert said not in slant(*given, quiet, stdin=TEXT)[2]
    assert said not in slant(*given, "--detector", tmp_path, stdin=TEXT)[2]
    taught[0] = True
    assert said not in slant(*given, stdin=TEXT)[2]


def test_articles_are_counted_while_nobody_knows_how_many_there_are(capsys, monkeypatch):
    from slant.cli import show

    now = [0.0]
    monkeypatch.setattr(show.time, "monotonic", lambda: now[0])
    with show.progress(False, "articles") as told:
        for seconds, done, total, what in (
            (0, 0, 0, "loading detectors"),
            (25, 1, 0, "reading"),
            (26, 2, 0, "reading"),  # too soon
            (50, 40, 0, "reading"),
            (75, 10, 40, "articles"),
            (100, 20, 40, "articles"),
        ):
            now[0] = seconds
            told(done, total, what)
    assert capsys.readouterr().err.splitlines() == [
        "1 article read", "40 articles read", "10 of 40 articles: articles",
        "20 of 40 articles, about 1 min left: articles",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", " \n", "Der Senator hat gestern die ganze Stadt verraten."])
@pytest.mark.parametrize("place", [(), ("--out", "r"), ("--json",)])
def test_where_no_text_was_looked_at_the_command_does_not_end_well(
    slant, tmp_path, monkeypatch, text, place
):
    monkeypatch.chdir(tmp_path)
    code, _, err = slant("analyze", "-", "-q", *place, stdin=text)
    assert code == 1
    assert err.splitlines()[-1].startswith("error: Looking for bias: the text was not looked at. ")


def test_in_a_pipe_several_articles_are_one_table_that_names_them(slant, tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.txt").write_text(TEXT, "utf-8")
    (tmp_path / "three.txt").write_text("", "utf-8")
    paths = [tmp_path / f"{name}.txt" for name in ("one", "two", "three")]
    code, out, _ = slant("analyze", *paths, "--language", "en", "-q")
    head, *rows = [line.split("\t") for line in out.splitlines()]
    assert (code, head[:2]) == (0, ["article", "sentence"])
    assert [row[0] for row in rows] == ["one.txt"] * 3 + ["two.txt"] * 3


def test_what_can_be_refused_is_so_before_anything_is_taught(slant, tmp_path, monkeypatch):
    from slant.runs import analysing, lightdetector

    analysing._loaded.cache_clear()
    monkeypatch.setenv("SLANT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(lightdetector, "trained_light", lambda: pytest.fail("it was taught"))
    absent, file = tmp_path / "absent.txt", tmp_path / "file"
    file.write_text("")
    assert slant("analyze", absent, "--out", tmp_path / "r", "-q")[0] == 2
    assert slant("analyze", file, "--out", file, "-q")[0] == 2
    monkeypatch.setenv("SLANT_CACHE", str(file / "cache"))
    code, _, err = slant("analyze", "-", "--language", "en", "-q", stdin=TEXT)
    assert code == 2
    assert f"Writing '{file / 'cache'}" in err


@pytest.mark.parametrize("place", [(), ("--json",), ("--out", "r")])
def test_a_feed_without_an_entry_is_one_clear_error(slant, tmp_path, monkeypatch, place):
    monkeypatch.chdir(tmp_path)
    feed = tmp_path / "feed.xml"
    feed.write_text(
        "<?xml version='1.0'?><rss version='2.0'><channel><title>x</title></channel></rss>"
    )
    code, out, err = slant("analyze", feed, "-q", *place)
    said = "error: Reading articles: there is none. Give something with a text in it.\n"
    assert (code, out, err) == (2, "", said)
