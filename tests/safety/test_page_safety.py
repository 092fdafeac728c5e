"""Texts, names, labels and addresses of strangers on every page that slant writes: text, no more.

Every string that comes from outside is made hostile, and each page is read back by a parser: no
element, attribute, address or script of it is the enemy's, and the page's own policy lets no other
script run than its own.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import hostile
import made_associations
import made_bait
import pytest
from made_analysis import made_analysis, made_detector
from made_scores import made_comparison, made_run
from made_study import made_circuit, made_explain
from vilbiasfolders import opened, pair, png, verdict_line, write_folder
from vilbiasfolders import ruling as made_ruling

from slant.report.adjudicationpage import adjudication_page
from slant.report.analysisarticles import article_page
from slant.report.associationpage import write_associations
from slant.report.baitpage import write_bait
from slant.report.codebook import codebook
from slant.report.demopage import index_page
from slant.report.judgesheet import sheet_page
from slant.report.page import write_comparison, write_report
from slant.report.studies import study
from slant.report.studypage import study_report
from slant.report.vilbiaspage import write_vilbias
from slant.report.webpages import api_page, error_page, home_page, login_page, waiting_page

assert hostile  # where the made records lie

OPEN = "\"'><evil a=b onload=evil()>"
BAD = f"{OPEN}</script></style></title></textarea></td>--><script>evil()</script><img src=x onerror=evil()>{{{{7*7}}}}${{7*7}}&lt;evil&gt; javascript:evil()"  # fmt: skip
URLS = (
    "javascript:evil()", "JaVaScRiPt:evil()", " javascript:evil()", "java\tscript:evil()",
    "data:text/html,<evil>", "vbscript:evil()", "//evil.example/a", "https://a.org/\"onclick=evil()",
    "file:///etc/passwd", "https://a.org/'><evil>",
)  # fmt: skip
VOID = {"evil", "iframe", "object", "embed", "base", "applet", "frame", "foreignobject"}
ADDRESSES = {"href", "src", "action", "formaction", "xlink:href", "data", "srcset", "poster"}


class Page(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.scripts, self.text = [], [], ""
        self._in = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._in = tag
        if tag == "script":
            self.scripts.append("")

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        self._in = ""

    def handle_data(self, data):
        if self._in == "script":
            self.scripts[-1] += data
        self.text += data


def check(html):
    """The page, where nothing of it is somebody else's."""
    page = Page(html)
    kinds = {given.get("type", "") for tag, given in page.tags if tag == "script"}
    assert kinds <= {"", "application/json"}
    for tag, given in page.tags:
        assert tag not in VOID, (tag, given)
        for name, value in given.items():
            assert not name.startswith("on"), (tag, name)
            if name in ADDRESSES and value:
                scheme = re.match(r"[\s\x00-\x20]*([a-zA-Z][\w+.-]*\s*):", value.replace("\t", ""))
                safe = {None, "http", "https", "mailto"}
                inline = value.startswith(("data:image/", "data:text/csv;")) or tag == "link"
                assert (scheme and scheme[1].lower()) in safe or inline, (tag, name, value[:80])
                assert not value.startswith("//"), (tag, name, value[:80])
        if tag == "meta" and given.get("http-equiv", "").lower() == "refresh":
            assert re.fullmatch(r"\d+", given["content"])
    policies = [
        given["content"] for tag, given in page.tags
        if tag == "meta" and given.get("http-equiv", "") == "Content-Security-Policy"
    ]  # fmt: skip
    run = [
        script for script, (tag, given) in
        zip(page.scripts, (one for one in page.tags if one[0] == "script"), strict=True)
        if given.get("type", "") != "application/json"
    ]  # fmt: skip
    for script in run:
        assert "evil" not in script
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert not policies or f"sha256-{digest}" in policies[0]
    for policy in policies:
        assert "default-src 'none'" in policy
        assert "script-src" not in policy or "unsafe" not in policy.partition("script-src")[2].split(";")[0]  # fmt: skip
    return page


def poisoned(value, *names, more=BAD):
    """A record in which each string that holds one of these has hostile text behind it."""
    if isinstance(value, dict):
        return {
            poisoned(key, *names, more=more): poisoned(one, *names, more=more)
            for key, one in value.items()
        }
    if isinstance(value, list | tuple):
        return type(value)([poisoned(one, *names, more=more) for one in value])
    if isinstance(value, str) and any(name in value for name in names):
        return value + more
    return value


def pages_in(folder):
    found = sorted(folder.rglob("*.html"))
    assert found
    return found


def check_files(folder, least=1):
    """Every page and figure of a folder; how often the hostile text stands on them as text."""
    told = sum(check(path.read_text(encoding="utf-8")).text.count("<evil") for path in pages_in(folder))  # fmt: skip
    assert told >= least
    for path in folder.rglob("*.svg"):
        drawing = check(path.read_text(encoding="utf-8"))
        assert "script" not in {tag for tag, _ in drawing.tags}
    return told


def test_the_report_of_runs(tmp_path):
    runs = [
        made_run(system=f"encoder:a{BAD}", seed=1, level=0.7),
        made_run(system="tfidf-lr", seed=1, level=0.6),
    ]
    for record, scores in runs:
        record.update(command=BAD, versions={"python": BAD}, signature=f"s{OPEN}")
        scores["command"] = BAD
    write_report(runs, [], tmp_path)
    check_files(tmp_path)


def test_the_report_of_a_comparison(tmp_path):
    made = made_comparison(a=f"a{OPEN}", b=f"b{OPEN}")
    write_comparison([made], tmp_path)
    figures = list(tmp_path.rglob("*.svg"))
    assert figures
    for path in figures:
        assert "script" not in {tag for tag, _ in check(path.read_text(encoding="utf-8")).tags}


def test_the_report_of_a_study():
    explain = poisoned(made_explain(), "radical", "https://")
    _, figures, html = study_report(study(explain, made_circuit()))
    assert figures
    # The made sentences are hostile themselves.
    assert "<script>alert(1)</script>" in check(html).text
    assert "<script>alert" not in html


def test_the_report_of_associations(tmp_path):
    read = made_associations.made_associations(methods=("weat",))
    names = set(made_associations.CORPORA)
    told = json.dumps(read)
    for name in sorted(names, key=len, reverse=True):
        told = told.replace(json.dumps(name)[1:-1], json.dumps(f"{name}{OPEN}")[1:-1])
    write_associations(json.loads(told), tmp_path)
    check_files(tmp_path)


def test_the_report_of_cognitive_biases(tmp_path):
    folder = made_bait.write_folder(tmp_path)
    write_bait(made_bait.made_bait(), folder, folder / "out")
    for path in pages_in(folder / "out"):
        page = check(path.read_text(encoding="utf-8"))
        assert "<script>alert" not in "".join(page.scripts)
    text = "".join(check(path.read_text("utf-8")).text for path in pages_in(folder / "out" / "articles"))  # fmt: skip
    assert "<script>alert('x')</script>" in text


def test_the_report_of_images_and_their_pairs(tmp_path):
    from slant.runs.vilbiasrecords import read_vilbias_scores
    from slant.runs.vilbiasscoring import PairRules, score_vilbias

    folder = tmp_path / "run"
    system, judge = f"local/m{OPEN}", f"j/j{OPEN}"
    gold = [
        pair(f"p{n}{OPEN}", n % 2, text=BAD, image=image, rationale=BAD, outlet=BAD)
        for n, image in enumerate(("images/a.png", "images/b.svg", "../c.png", "javascript:evil()",
                                   "https://evil.example/a.png", None))
    ]  # fmt: skip
    write_folder(
        folder, gold, {(system, "open-k0"): {one["id"]: opened(True, BAD) for one in gold}},
        verdicts={(judge, system, "open-k0"): [verdict_line(one["id"], made_ruling(True, "text"))
                                               for one in gold]},
        images={"images/a.png": png(), "images/b.svg": b"<svg onload='evil()'/>"},
    )  # fmt: skip
    score_vilbias(folder, PairRules(resamples=100, permutations=99))
    write_vilbias(read_vilbias_scores(folder), folder, tmp_path / "out")
    check_files(tmp_path / "out")
    assert not list((tmp_path / "out").rglob("*.svg")) or not list((tmp_path / "out" / "images").glob("*.svg"))  # fmt: skip


@pytest.mark.parametrize("url", URLS)
def test_the_page_of_an_article(url):
    article = {"title": BAD, "outlet": BAD, "topic": BAD, "date": BAD, "url": url, "id": BAD,
               "origin": BAD}  # fmt: skip
    name = f"light{OPEN}"
    text = f"Thugs came. {BAD} They left."
    detector = made_detector(name=name, card=BAD) | {"card_text": f"# {BAD}\n\n[x]({url})\n\n{BAD}"}
    read = made_analysis(text, article=article, detectors=[detector])
    page = check(article_page(read, command=BAD, signature=BAD, version="1"))
    assert page.text.count("<evil") > 5
    assert (
        text.replace("\r\n", "\n") in re.sub(r"\s+", " ", page.text) or "Thugs came." in page.text
    )
    links = {given.get("href", "") for tag, given in page.tags if tag == "a"}
    assert url not in links or url.startswith("https://")


def test_the_page_of_several_articles():
    from slant.report.analysispage import csv_link, file_names, listed
    from slant.report.analysispage import index_page as articles_index

    names = [f"a{n}{OPEN}" for n in range(len(URLS))]
    reads = [
        made_analysis(article={"id": name, "title": BAD, "outlet": BAD, "url": url})
        for name, url in zip(names, URLS, strict=True)
    ]
    record = {"summary": {"articles": 10, "sentences": 60, "left_out": {BAD: 1}, "undated": 2},
              "detectors": [made_detector(name=f"d{OPEN}", card=BAD)], "command": BAD,
              "signature": BAD, "slant": BAD}  # fmt: skip
    comparison = {"groups": {"outlet": [], "topic": [], "date": []}, "similarity": 0.3,
                  "events": [{"articles": names[:2], "similarity": 0.4, "outlets": [BAD]}]}  # fmt: skip
    files = file_names(names)
    assert all(re.fullmatch(r"[\w.-]+\.html", file) for file in files)
    html = articles_index(record, comparison, [listed(one) for one in reads], files)
    assert check(html).text.count("<evil") > 10
    for name in names:
        for link in csv_link("a,b\n", name):
            check(article_page(reads[0], downloads=[link], command="", signature="", version="1"))


def test_the_page_of_an_adjudication():
    from slant.annotate.cases import merge_record
    from slant.annotate.inclusion import Rule
    from slant.annotate.merging import merged_gold
    from slant.types import Answer, Example, Item, Mark, Span

    text = f"He said {BAD} and left."
    marks = (Mark("B01", (Span(0, 12),), confidence=3), Mark("B01", (Span(3, 20),), confidence=3))  # fmt: skip
    sides = [
        [Example(Item(f"x{OPEN}", text), Answer(frozenset({"B01"}), (mark,)))] for mark in marks
    ]
    merged = merged_gold(*sides, ["B01"], names=("ann", "ben"), rule=Rule())
    html = adjudication_page(merge_record(merged).model_dump(), {"B01": BAD})
    assert check(html).text.count("<evil") >= 1


def test_the_page_of_a_judging_sheet():
    row = {"key": OPEN, "text": BAD, "image": "data:image/png;base64,AAAA", "label": BAD, "rationale": BAD}  # fmt: skip
    assert check(sheet_page([row], {"faithful": BAD})).text.count("<evil") > 2


def test_the_page_of_a_codebook(tmp_path):
    from slant.data.schemas import read_schema

    said = json.dumps(BAD)
    file = tmp_path / "a.toml"
    file.write_text(
        f'title = {said}\nrules = [{said}]\n[[biases]]\ncode = "X"\nname = {said}\n'
        f"definition = {said}\npositive = {said}\n", encoding="utf-8",
    )  # fmt: skip
    assert check(codebook(read_schema(file))).text.count("<evil") > 3


def test_the_index_of_the_demonstration():
    from slant.report.demopage import PARTS

    part = {"headline": {BAD: {"value": 0.5, "why": BAD}}, "commands": [BAD], "left_out": [BAD]}
    check(index_page(dict.fromkeys(PARTS, part)))


def entry(**more):
    return {
        "id": "a", "title": BAD, "state": "failed", "kind": "address", "name": BAD, "created": "2026-01-01T00:00:00Z",
        "error": {"asked": BAD, "found": BAD, "do": BAD}, "progress": None, "verdicts": {f"d{OPEN}": {"biased": 1, "not biased": 2, "abstained": 0}},
        "left_out": {BAD: 1}, "sentences": 3, "articles": 1, **more,
    }  # fmt: skip


def test_the_pages_of_the_server():
    error = {"asked": BAD, "found": BAD, "do": BAD}
    assert check(error_page(error)).text.count("<evil") >= 3
    assert check(waiting_page(entry(), "mark")).text.count("<evil") >= 1
    progress = {"says": BAD, "total": 3, "done": 1}
    assert check(waiting_page(entry(state="working", error=None, progress=progress), "m"))
    check(login_page(OPEN, True))
    schema = {
        "paths": {f"/a{OPEN}": {"get": {"summary": BAD, "responses": {"200": {"description": BAD}},
                                        "parameters": [{"name": BAD, "description": BAD}]}}},
    }  # fmt: skip
    assert check(api_page(schema, f"http://a{OPEN}")).text.count("<evil") > 3
    check(
        home_page([entry()], 1, 1, 10, [made_detector(name=f"d{OPEN}", card=BAD)],
                  limits={"size": 1, "characters": 1, "sentences": 1, "articles": 1},
                  mark=OPEN, kept=BAD, secured=True)
    )  # fmt: skip


def test_every_template_has_a_test_above():
    from pathlib import Path

    import slant.report

    folder = Path(slant.report.__file__).parent / "templates"
    # What a notebook shows stands in tests/report/test_notebook_html.py.
    parts = {"notebook", "analysisdetectors", "analysisfoot", "demotables", "webfaultlines"}
    whole = {path.name.partition(".")[0] for path in folder.glob("*.html.j2")} - parts
    assert whole == {
        "adjudication", "analysis", "analysisarticle", "associations", "bait", "baitarticle",
        "codebook", "demo", "judgesheet", "report", "study", "vilbias", "vilbiaspairs", "web",
        "webapi", "webfault", "webhome", "weblogin", "webwaiting",
    }  # fmt: skip
