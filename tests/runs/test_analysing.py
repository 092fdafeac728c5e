"""Articles analysed into a folder: whole, resumable, the same whoever works and however often."""

import csv
import io
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from made_reading import MadeDetector, write_articles

from slant.analysis.tables import Columns
from slant.errors import DataError, OptionError, RunError, WorkFailed
from slant.runs import analysing
from slant.runs.analysing import ARTICLES, analyse, analysed_now
from slant.runs.analysisfolder import target_sums

SCRIPT = Path(__file__).with_name("made_reading.py")


@pytest.fixture(autouse=True)
def made(monkeypatch):
    """The made detector stands for the light one."""
    analysing._loaded.cache_clear()
    monkeypatch.setattr(analysing, "analysis_detectors", lambda folders: [MadeDetector()])
    yield
    analysing._loaded.cache_clear()


def contents(folder):
    """Every file of a report but what the work leaves."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".work" not in path.parts
    }


def run(targets, out, **more):
    return analyse([str(one) for one in targets], out, **{"language": "en", "jobs": 1, **more})


def test_a_report_holds_every_article_in_its_order_with_its_tables(tmp_path):
    given = write_articles(tmp_path / "a.jsonl", 2 * ARTICLES + 3)
    done = run([given], tmp_path / "out", command="slant analyze a.jsonl")
    assert (done["articles"], done["sentences"]) == (35, 105)
    out = tmp_path / "out"
    lines = [json.loads(line) for line in (out / "analyses.jsonl").read_text().splitlines()]
    assert [one["article"]["id"] for one in lines] == [f"r{i}" for i in range(35)]
    rows = pl.read_parquet(out / "sentences.parquet")
    assert rows.height == 105
    written = list(csv.DictReader(io.StringIO((out / "sentences.csv").read_text())))
    assert [row["article"] for row in written] == rows["article"].to_list()
    # Unrounded: the csv gives back the very numbers.
    assert [float(row["probability"]) for row in written] == rows["probability"].to_list()
    groups = pl.read_parquet(out / "groups.parquet")
    assert set(groups["by"]) == {"outlet", "topic", "date"}
    a = groups.filter((pl.col("by") == "outlet") & (pl.col("name") == "A"))
    assert set(a["articles"]) == {18}
    record = json.loads((out / "run.json").read_text())
    assert record["command"] == "slant analyze a.jsonl"
    assert record["signature"].startswith("analysis|articles:35|data:")


def test_places_in_every_file_are_those_of_the_text(tmp_path):
    text = '😀 The meek\r\nwere "here". Ünd <b>so</b>…'
    (tmp_path / "a.txt").write_bytes(text.encode())
    run([tmp_path / "a.txt"], tmp_path / "out")
    read = json.loads((tmp_path / "out/analyses.jsonl").read_text())
    rows = pl.read_parquet(tmp_path / "out/sentences.parquet").to_dicts()
    for row in rows:
        assert read["article"]["text"][row["start"] : row["end"]] == row["text"]


def test_killed_outright_the_same_command_ends_with_the_same_bytes(tmp_path):
    given = write_articles(tmp_path / "a.jsonl", 4 * ARTICLES)
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    command = [sys.executable, str(SCRIPT), str(given)]
    subprocess.run([*command, str(whole), "0", "1"], check=True)
    process = subprocess.Popen([*command, str(broken), "0.3", "1"])
    shards = broken / ".work"
    for _ in range(600):
        if list(shards.glob("*.jsonl")) and (shards / "00000001.jsonl").exists():
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (broken / "run.json").exists()
    told = []
    progress = lambda done, total, what: told.append((done, what))  # noqa: E731
    run([given], broken, command="slant analyze made", progress=progress)
    assert (ARTICLES, "resumed") in told
    assert (4 * ARTICLES, "resumed") not in told
    assert contents(broken) == contents(whole)


def test_two_processes_write_what_one_writes(tmp_path, monkeypatch):
    # Processes know nothing of the made detector: the light one is asked.
    monkeypatch.undo()
    monkeypatch.setenv("SLANT_CACHE", str(tmp_path / "store"))
    analysing._loaded.cache_clear()
    given = write_articles(tmp_path / "a.jsonl", ARTICLES + 1)
    for jobs in (1, 2):
        run([given], tmp_path / str(jobs), jobs=jobs)
    assert contents(tmp_path / "1") == contents(tmp_path / "2")


def test_the_same_again_does_nothing_and_another_thing_is_refused(tmp_path):
    given = write_articles(tmp_path / "a.jsonl", 3)
    out = tmp_path / "out"
    first = run([given], out)
    before = contents(out)
    assert run([given], out) == first
    assert contents(out) == before
    with pytest.raises(RunError, match="begun with other schema"):
        run([given], out, schema="ptc")
    write_articles(given, 4)
    with pytest.raises(RunError, match="begun with other targets"):
        run([given], out)
    assert contents(out) == before
    assert run([given], out, fresh=True)["articles"] == 4


@pytest.mark.parametrize("name", ["analyses.jsonl", "profiles.parquet", "groups.csv"])
def test_a_table_that_was_damaged_is_made_again_with_the_same_bytes(tmp_path, name):
    asked = {"language": "en", "jobs": 1}
    (tmp_path / "a.txt").write_text("The regime’s thugs came. The bridge opens on Monday.", "utf-8")
    done = analyse([str(tmp_path / "a.txt")], tmp_path / "r", **asked)
    hurt = tmp_path / "r" / name
    whole = hurt.read_bytes()
    for damage in (whole[: len(whole) // 2], b"", bytes(len(whole))):
        hurt.write_bytes(damage)
        assert analyse([str(tmp_path / "a.txt")], tmp_path / "r", **asked) == done
        assert hurt.read_bytes() == whole
    hurt.unlink()
    assert analyse([str(tmp_path / "a.txt")], tmp_path / "r", **asked) == done
    assert hurt.read_bytes() == whole


def test_a_file_of_the_reader_s_own_in_the_folder_is_no_damage(tmp_path, monkeypatch):
    given = write_articles(tmp_path / "a.jsonl", 3)
    done = run([given], tmp_path / "out")
    (tmp_path / "out" / "notes.csv").write_text("mine\n")
    monkeypatch.setattr(analysing, "_run", lambda *_: pytest.fail("it was made again"))
    assert run([given], tmp_path / "out") == done


def test_a_damaged_report_keeps_what_is_whole_where_its_target_cannot_be_read_again(
    tmp_path, monkeypatch
):
    given = write_articles(tmp_path / "a.jsonl", 3)
    out = tmp_path / "out"
    run([given], out)
    (out / "groups.csv").write_text("")
    before = contents(out)

    def unreachable(*_, **__):
        raise WorkFailed("Fetching", "no answer", "Try later")

    monkeypatch.setattr(analysing, "given_articles", unreachable)
    with pytest.raises(WorkFailed):
        run([given], out)
    assert contents(out) == before


def test_the_record_of_a_report_holds_no_key_of_an_address():
    (one,) = target_sums(["https://a.org/1?token=hunter2"])
    assert one == {"target": "https://a.org/1?token=[key]"}


def test_fresh_removes_what_the_last_report_left_and_nothing_else(tmp_path):
    given, out = write_articles(tmp_path / "a.jsonl", 3), tmp_path / "out"
    run([given], out)
    (out / "articles").mkdir()
    (out / "articles" / "old.html").write_text("old")
    (out / "mine.txt").write_text("mine")
    run([given], out, fresh=True)
    assert not (out / "articles").exists()
    assert (out / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize("name", ["run.json", "notes.txt"])
def test_a_folder_of_something_else_is_refused_and_untouched(tmp_path, name):
    given, out = write_articles(tmp_path / "a.jsonl", 3), tmp_path / "out"
    out.mkdir()
    (out / name).write_text('{"kind": "bait"}')
    with pytest.raises(RunError, match=r"another command|is there and no"):
        run([given], out)
    assert contents(out) == {name: b'{"kind": "bait"}'}


def test_fresh_throws_away_no_folder_that_holds_no_report(tmp_path):
    (tmp_path / "out").mkdir()
    own = tmp_path / "out" / "sentences.csv"
    own.write_text("mine")
    with pytest.raises(RunError, match=r"'sentences.csv' is there and no run.json"):
        run([write_articles(tmp_path / "a.jsonl", 2)], tmp_path / "out", fresh=True)
    assert own.read_text() == "mine"


def test_what_failed_before_anything_was_finished_binds_no_folder(tmp_path):
    with pytest.raises(DataError):
        run([tmp_path / "absent.txt"], tmp_path / "out")
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(DataError):
        run([tmp_path / "empty.jsonl"], tmp_path / "out")
    given = write_articles(tmp_path / "a.jsonl", 2)
    assert run([given], tmp_path / "out")["articles"] == 2


def test_the_run_of_another_command_is_not_even_thrown_away_with_fresh(tmp_path):
    given, out = write_articles(tmp_path / "a.jsonl", 3), tmp_path / "out"
    out.mkdir()
    (out / "run.json").write_text('{"kind": "bait"}')
    with pytest.raises(RunError, match="another command"):
        run([given], out, fresh=True)
    assert (out / "run.json").exists()


def test_a_file_in_the_place_of_the_folder_is_one_error(tmp_path):
    given = write_articles(tmp_path / "a.jsonl", 1)
    with pytest.raises(OptionError, match="a file is there"):
        run([given], given)


@pytest.mark.parametrize("place", ["/proc/x", "/dev/null/x"])
def test_a_place_that_cannot_be_written_to_is_one_error(tmp_path, place):
    given = write_articles(tmp_path / "a.jsonl", 1)
    with pytest.raises(OptionError, match=r"it cannot be made \("):
        run([given], place)


def test_dates_that_are_kept_as_text_are_counted_and_stand_in_no_month(tmp_path):
    rows = [{"text": f"It rains on {i}.", "day": day} for i, day in enumerate(
        ["03/04/2019", "25/04/2019", "soon", ""])]  # fmt: skip
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = run([tmp_path / "a.jsonl"], tmp_path / "out", columns=Columns(date="day"))
    assert done["undated"] == 2
    groups = pl.read_parquet(tmp_path / "out" / "groups.parquet").filter(pl.col("by") == "date")
    assert dict(zip(groups["name"], groups["articles"], strict=True)) == {
        "2019-04": 1, "date not read": 2, "": 1,
    }  # fmt: skip
    first = run([tmp_path / "a.jsonl"], tmp_path / "mdy", columns=Columns(date="day", order="mdy"))
    assert first["undated"] == 2  # the day 25 is no month


class Typed(io.TextIOWrapper):
    """Standard input with something in it."""

    def __init__(self, text):
        super().__init__(io.BytesIO(text.encode()), encoding="utf-8")


def test_standard_input_is_read_again_and_must_be_the_same(tmp_path, monkeypatch):
    out = tmp_path / "out"
    monkeypatch.setattr(sys, "stdin", Typed("They were here. So it is."))
    first = run(["-"], out)
    monkeypatch.setattr(sys, "stdin", Typed("They were here. So it is."))
    assert run(["-"], out) == first
    monkeypatch.setattr(sys, "stdin", Typed("Another text."))
    with pytest.raises((RunError, OptionError), match="something else than before"):
        run(["-"], out)


def test_an_article_that_cannot_be_scored_is_counted_with_its_reason(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("They were here.")
    (tmp_path / "in" / "b.txt").write_text("")
    done = run([tmp_path / "in"], tmp_path / "out")
    assert done["articles"] == 2
    assert sum(done["left_out"].values()) == 1


def test_a_faulty_target_leaves_no_report(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        run([tmp_path / "absent.txt"], tmp_path / "out")
    assert contents(tmp_path / "out") == {}


def test_without_a_folder_a_few_articles_are_analysed_and_no_more(tmp_path):
    few = write_articles(tmp_path / "few.jsonl", 20)
    assert len(analysed_now([str(few)], language="en")) == 20
    many = write_articles(tmp_path / "many.jsonl", 21)
    with pytest.raises(OptionError, match="more than 20"):
        analysed_now([str(many)], language="en")
