"""A result in a notebook: tables that stand by themselves, escaped, in light and dark."""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from accessibility import axe_path, violations
from made_analysis import NASTY, made_analysis
from made_associations import made_associations
from made_bait import made_bait
from made_scores import made_comparison, made_run
from made_study import made_circuit, made_explain

import slant
from slant.report.notebook import MOST_ROWS, notebook_html
from slant.report.tables import rounded
from slant.runs.articleresults import AnalysedFolder, Analyses
from slant.runs.results import (
    AskedQuestions,
    Associations,
    BaitScores,
    Circuits,
    Comparisons,
    Explanations,
    LoadedScores,
    Scores,
)

sys.path.append(str(Path(__file__).parents[1] / "runs"))

HOSTILE = "<script>alert(1)</script>|\u202eevil"
VOID = {"wbr"}


class Read(HTMLParser):
    """Elements are closed in their turn; ids, references and tables are collected."""

    def __init__(self, html):
        super().__init__()
        self.open, self.ids, self.named, self.tags, self.links = [], [], [], [], []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append(tag)
        self.ids += [given["id"]] if "id" in given else []
        self.named += given.get("aria-labelledby", "").split()
        self.links += [given["href"]] if "href" in given else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def scores(system="tfidf-lr", **more):
    return Scores(made_run(system=system, **more)[1])


def shown(*read):
    """Analyses that were made as JSON."""
    found = Analyses(())
    found.extend(read)
    return found


def results():
    return {
        "scores": scores(),
        "hostile": scores(HOSTILE),
        "comparisons": Comparisons([made_comparison(), made_comparison(HOSTILE, "z")]),
        "explanations": Explanations(made_explain()),
        "circuits": Circuits(made_circuit()),
        "associations": Associations(made_associations()),
        "bait": BaitScores(made_bait()),
        "asked": AskedQuestions(
            {"asked": 2, "stored": 0, "failed": 1, "left": 1, "unbegun": 0,
             "errors": [{"model": HOSTILE, "run": "k0", "article": "7", "error": HOSTILE}],
             "stopped": {HOSTILE: "no such key"}}
        ),
        "analyses": shown(made_analysis()),
        "folder": AnalysedFolder(
            {"out": HOSTILE, "articles": 3, "sentences": 70, "left_out": {"It is empty.": 1},
             "signature": "analysis|articles:3"}
        ),
    }  # fmt: skip


RESULTS = results()


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Every kind of result as HTML."""
    from vilbiasfolders import made_folder

    from slant.runs.vilbiasscoring import PairRules, score_vilbias

    folder = made_folder(tmp_path_factory.mktemp("pairs") / "run", seeds=(17, 23))
    every = {**RESULTS, "vilbias": score_vilbias(folder, PairRules(resamples=50, permutations=49))}
    return {name: one._repr_html_() for name, one in every.items()}


def test_every_result_is_one_well_formed_element_whose_tables_have_captions_and_scopes(pages):
    for name, html in pages.items():
        read = Read(html)
        assert read.tags[0] == "div", name
        assert read.tags.count("table") == read.tags.count("caption") > 0, name
        assert set(read.named) <= set(read.ids), name
        assert len(set(read.ids)) == len(read.ids), name
        assert {link[1:] for link in read.links} <= set(read.ids), name
        assert re.search(r'<th scope="col"', html), name
        assert re.search(r'<th scope="row"', html), name


def test_nothing_in_a_result_is_more_than_text(pages):
    for name, html in pages.items():
        assert "<script" not in html, name
        assert not re.search(r"\son\w+=", re.sub(r">[^<]*<", "><", html)), name
        assert not re.search(r"(src|href)=\"(?!#)", html), name
        assert "@import" not in html, name
        assert "url(" not in html, name
    assert "&lt;script&gt;alert(1)" in pages["hostile"]
    assert "&lt;script&gt;" in pages["asked"]
    assert "&lt;b&gt;warn&lt;/b&gt; of ruin" in pages["analyses"]
    assert "<b>warn" in NASTY


def test_scores_stand_with_interval_controls_and_signature():
    read = scores()
    html = read._repr_html_()
    for facts in read["tasks"].values():
        one = facts["scores"]["micro_f1"]
        ends = f"[{rounded(one['low'])}, {rounded(one['high'])}]"
        assert f'{rounded(one["value"])} <span class="interval">{ends}</span>' in html
    for control in ("source-only", "random", "majority"):
        assert re.search(rf'class="control"><th scope="row"><bdi>{control}</bdi>', html)
    assert read["signature"] in html.replace("<wbr>", "")


def test_what_is_loaded_shows_its_scores():
    record, read = made_run()
    assert LoadedScores(record, Scores(read))._repr_html_() == Scores(read)._repr_html_()


def test_two_results_of_one_page_share_no_id_and_one_twice_is_the_same():
    one, other = Read(scores()._repr_html_()), Read(scores(level=0.8)._repr_html_())
    assert not set(one.ids) & set(other.ids)
    assert scores()._repr_html_() == scores()._repr_html_()


def test_a_long_article_is_shown_in_part_and_says_so():
    text = " ".join(f"The council met on day {n}." for n in range(60))
    html = shown(made_analysis(text))._repr_html_()
    assert f"The first {MOST_ROWS} of 60 rows" in html
    assert html.count('<th scope="row">') == MOST_ROWS


def test_what_is_no_result_is_refused():
    with pytest.raises(TypeError, match="dict is no result of slant"):
        notebook_html({})
    assert slant.notebook_html is notebook_html


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_rules_that_a_machine_can_check_hold_in_light_and_dark(
    pages, scheme, browser, tmp_path
):
    if axe_path() is None:
        pytest.skip("axe-core-python is not installed: pip install slant[dev]")
    paper, ink = ("#fff", "#111") if scheme == "light" else ("#111", "#eee")
    shown = [pages[name] for name in ("scores", "comparisons", "vilbias", "asked", "analyses")]
    body = "\n".join(f"<section>{html}</section>" for html in shown)
    page = tmp_path / "notebook.html"
    page.write_text(
        f"<!doctype html><html lang=en><meta charset=utf-8><title>A notebook</title>"
        f"<body style='background:{paper};color:{ink};font-family:sans-serif'><main>"
        f"<h1>Results</h1>{body}</main></body></html>",
        encoding="utf-8", errors="replace",
    )  # fmt: skip
    browser.open(page)
    assert violations(browser) == []
    wide = browser.value("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
