"""The pages of `slant analyze`: what they hold, and what hostile texts cannot do to them."""

import base64
import csv
import io
import json
import re
from html.parser import HTMLParser

import pytest
from made_analysis import (
    NASTY,
    made_analysis,
    made_article,
    made_detector,
    made_kind,
    made_sentence,
)

from slant.report.analysisarticles import Place, article_page, f1_line, web_address
from slant.report.analysisboards import kind_board
from slant.report.analysisgrades import ABSTAINED, GRADES, grade_of
from slant.report.analysisgroups import group_boards, listed
from slant.report.analysismarks import text_html
from slant.report.analysisnotes import sentence_lines
from slant.report.analysispage import csv_link, index_page, write_analysis
from slant.report.formats import table_csv

VOID = {"meta", "link", "br", "wbr", "img", "input", "hr"}


class Page(HTMLParser):
    """Every element is closed in its turn; ids are unique; collects links and what describes."""

    def __init__(self, html):
        super().__init__()
        self.open, self.ids, self.links, self.described, self.article = [], [], [], [], []
        self.feed(html)
        assert self.open == []
        assert len(self.ids) == len(set(self.ids))

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.ids += [values["id"]] if "id" in values else []
        self.links += [values["href"]] if "href" in values else []
        self.described += [values["aria-describedby"]] if "aria-describedby" in values else []
        if tag not in VOID:
            self.open.append((tag, values.get("class")))

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop()[0] == tag

    def handle_data(self, data):
        if ("div", "article") in self.open:
            self.article.append(data)


def shown_text(text):
    """A text as a page shows it: line ends as one, control characters as their pictures."""
    return text.replace("\r\n", "\n").replace("\x00", "␀").replace("\x1b", "␛")


def test_every_grade_of_probability_has_a_sign_and_a_line_of_its_own():
    marked = [one for one in GRADES if one.line]
    assert (
        len({one.sign for one in marked}) == len({one.line for one in marked}) == len(marked) == 5
    )


@pytest.mark.parametrize(
    ("p", "grade"), [(0.0, 1), (0.2499, 1), (0.25, 2), (0.5, 3), (0.75, 4), (0.9, 5), (1.0, 5)]
)
def test_a_grade_begins_at_its_lower_end(p, grade):
    sentence = {"probabilities": {"d": {"value": p}}, "abstained": {}}
    assert grade_of(sentence, "d") == grade
    assert grade_of({**sentence, "abstained": {"d": "near"}}, "d") == ABSTAINED
    assert grade_of(sentence, "other") == 0


@pytest.mark.parametrize(
    "text", [NASTY, "", "x", "\r\n", "No stop", "😀" * 3 + ". Ä. é.", " a. \n"]
)
def test_the_text_is_whole_and_in_order_whatever_it_holds(text):
    page = Page(article_page(made_analysis(text)))
    assert "".join(page.article) == shown_text(text)


def test_nothing_of_a_text_title_card_or_cue_becomes_an_element():
    read = made_analysis(article={"title": "<img src=x onerror=alert(1)>", "outlet": "<b>O</b>",
                                  "url": "javascript:alert(1)", "topic": "\"'><script>"})  # fmt: skip
    html = article_page(read)
    assert html.lower().count("<script") == 1
    for bad in (
        "<img",
        "<b>warn",
        "<i>crush",
        "<b>O",
        "<naming>",
        "<us>",
        "<Truth>",
        "javascript:",
    ):
        assert bad not in html


def test_a_policy_lets_only_the_page_s_own_script_run():
    html = article_page(made_analysis())
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)[1]
    assert "default-src 'none'" in policy
    assert "unsafe-inline'; script" in policy
    assert re.search(r"script-src 'sha256-[\w+/=]+'", policy)


def test_each_marked_sentence_is_a_link_to_its_note_which_leads_back():
    page = Page(article_page(made_analysis()))
    marked = [link for link in page.links if re.fullmatch(r"#n\d+", link)]
    # Probabilities .95 .8 .55 .3 .1 .62: all but the fifth are marked.
    assert marked == ["#n1", "#n2", "#n3", "#n4", "#n6"]
    assert page.described == ["d1", "d2", "d3", "d4", "d6"]
    assert {*(f"n{i}" for i in range(1, 7)), *(f"d{i}" for i in range(1, 7))} <= set(page.ids)
    for link in page.links:
        assert not link.startswith("#") or link[1:] in page.ids, link


def test_a_note_holds_words_with_weights_cues_with_their_rule_and_both_grades_of_triggers():
    html = article_page(made_analysis())
    first, second = (re.search(rf'<li id="n{i}">.*?</li>\n', html, re.S)[0] for i in (1, 2))
    assert "light#1f00ab12: 0.950 [0.870, 1.000], biased; F1 0.712 [0.641, 0.779]." in first
    assert "<bdi>ruin</bdi> <b>+1.235</b>" in first
    assert "<bdi>Experts</bdi> <b>−0.200</b>" in first
    towards, away = first.index("Words towards biased"), first.index("Words towards neutral")
    assert towards < first.index("<bdi>ruin") < away < first.index("<bdi>Experts")
    assert "Towards biased: ruin. Towards neutral: Experts." in first
    assert "△ cue found: Illusory &lt;Truth&gt;" in first
    assert 'href="#bias-1"' in first
    defined = re.search(r'<div id="bias-1".*?</div>', html, re.S)[0]
    assert "Repeated &amp; believed." in defined
    assert "Said once." in defined
    assert "loaded: judges while &lt;naming&gt;" in second
    assert "▲ trigger found: Group" in second
    assert "It sets &lt;us&gt; against them." in second
    assert "Part of it is quoted speech." in second
    assert "(quoted)" in second


def test_abstention_is_said_with_its_reason():
    third = re.search(r'id="d3">([^<]+)', article_page(made_analysis()))[1]
    assert "no verdict (the probability is within 0.1 of one half)" in third


def test_the_page_says_that_labels_are_contested_and_leads_to_the_measured_f1():
    html = article_page(made_analysis())
    contested = re.search(r'<p class="contested">.*?</p>', html, re.S)[0]
    assert "Labels are contested" in contested
    assert 'href="#detectors"' in contested
    assert '<section id="detectors"' in html
    assert "0.712" in html
    assert "[0.641, 0.779]" in html


def test_a_card_on_the_web_is_linked_and_one_in_a_folder_is_named():
    detectors = [made_detector(card="https://example.org/card"), made_detector("b#2", card="m/b")]
    html = article_page(made_analysis(detectors=detectors))
    assert 'href="https://example.org/card"' in html
    assert "<code>m/b</code>" in html


def test_with_two_detectors_the_reader_chooses_who_marks():
    html = article_page(made_analysis(detectors=[made_detector(), made_detector("b#2")]))
    assert html.count('type="radio"') == 2
    assert 'class="s k0g5 k1g4 tc" id="s1"' in html
    assert "body:has(#kind-1:checked) .k1g4" in html
    first = re.search(r'id="d1">(.*?)</p>', html, re.S)[1]
    lines = re.findall(r'<span class="line">([^<]+)</span>', first)
    # each in its own line, with the F1 that was measured of it
    assert lines[:2] == [
        "light#1f00ab12: 0.950 [0.870, 1.000], biased; F1 0.712 [0.641, 0.779].",
        "b#2: 0.800 [0.720, 0.880], biased; F1 0.712 [0.641, 0.779].",
    ]


def test_kinds_stand_with_their_f1_and_those_that_no_detector_is_good_enough_at_are_listed():
    detector = made_detector()
    detector["kinds"] = [
        made_kind(),
        made_kind("gender-bias", threshold=0.5),
        made_kind("age", False),
    ]
    read = made_analysis(detectors=[detector])
    read["sentences"][0]["kinds"] = {"racial-bias": 0.3456, "gender-bias": 0.1}
    html = article_page(read)
    Page(html)
    first = re.search(r'<li id="n1">.*?</li>\n', html, re.S)[0]
    assert "racial-bias <b>0.346</b>" in first
    assert "at least its threshold 0.200; F1 0.512 [0.641, 0.779], precision 0.654 [0.641" in first
    assert 'gender-bias <b>0.100</b> <span class="said">below its threshold 0.500' in first
    assert "Of the kind racial-bias." in first
    assert "Of the kind" not in re.search(r'<li id="n2">.*?</li>\n', html, re.S)[0]
    board = kind_board([detector])
    assert [row.cells[-1].value for row in board.rows] == [
        "asked",
        "asked",
        "no detector good enough",
    ]
    assert [row.cells[4].value for row in board.rows] == [0.6543] * 3
    assert "&lt;racial&gt;" in html
    assert sentence_lines(read)[0][3] == "racial-bias 0.346"


def test_a_kind_at_which_half_of_no_calls_are_right_has_no_threshold():
    kind = {**made_kind(good=False, threshold=None), "precision": {"value": None, "why": "none"}}
    cells = kind_board([{**made_detector(), "kinds": [kind]}]).rows[0].cells
    assert (cells[4].value, cells[4].note, cells[6].value) == (None, "none", None)
    assert "at no threshold" in cells[6].note


def test_a_report_made_before_kinds_were_told_is_still_a_page():
    read = made_analysis()
    for one in (*read["detectors"], *read["sentences"]):
        one.pop("kinds")
    assert 'id="kinds"' not in article_page(read)
    assert kind_board(read["detectors"]) is None


def test_an_article_that_was_not_looked_at_says_why_and_shows_its_text_unmarked():
    read = made_analysis("Der Fluss.", {"why": "It is in <German>."})
    read.update(sentences=[], profile=[], most=[], least=[], left_out=["The article: German."])
    html = article_page(read)
    assert "It is in &lt;German&gt;." in html
    assert "Der Fluss." in html
    assert 'class="s ' not in html


def test_an_empty_article_is_a_page():
    read = made_analysis("")
    read.update(profile=[], most=[], least=[], left_out=[])
    html = article_page(read)
    assert "There is no text." in html
    Page(html)


@pytest.mark.parametrize(
    "bad", ["javascript:alert(1)", "data:text/html,x", "//x", "http://a b", ""]
)
def test_only_addresses_of_the_web_are_linked(bad):
    assert web_address(bad) == ""
    assert web_address("HTTPS://example.org/?a=1&b") == "HTTPS://example.org/?a=1&b"


def test_each_line_is_a_block_and_a_line_without_end_is_broken_between_sentences():
    text = "Head\r\n\r\nOne. Two.\n" + "Word here. " * 3000
    html = article_page(made_analysis(text))
    blocks = re.findall(r'<div class="p">(.*?)</div>', html, re.S)
    bare = [re.sub(r"<[^>]+>", "", block) for block in blocks]
    assert bare[:3] == ["Head\n", "\n", "One. Two.\n"]
    # 33,000 characters in blocks of at most 10,000 and a space.
    assert [len(block) for block in bare[3:]] == [9999, 9999, 9999, 3003]
    assert all(block.startswith(("Word", " Word")) for block in bare[3:])


def test_spans_that_overlap_cut_a_sentence_once_at_each_end():
    text = "abcdef."
    word = {"start": 1, "end": 4, "weight": 1.0, "detector": "d", "quoted": False}
    cue = {"start": 2, "end": 6, "category": "c", "rule": "r", "quoted": False}
    sentence = made_sentence(text, 0, 7, 0.95, "d", words=[word], cues=[cue], quoted=[[0, 99]])
    html = str(text_html(text, [sentence], ["d"]))
    assert re.findall(r'<span class="([^"]+)">([^<]+)</span>', html) == [
        ("q", "a"), ("q w", "b"), ("q w c", "cd"), ("q c", "ef"), ("q", "."),
    ]  # fmt: skip


def test_a_csv_within_the_page_is_the_csv_and_a_long_one_is_left_to_the_file():
    (link,) = csv_link("a,b\n1,😀\n", "../x y")
    kind, _, kept = link.address.partition(",")
    assert kind == "data:text/csv;charset=utf-8;base64"
    assert base64.b64decode(kept).decode() == "a,b\n1,😀\n"
    assert link.file == "x-y.csv"
    assert csv_link("x" * 400_001, "x") == csv_link("", "x") == []


def test_ten_thousand_sentences_and_a_megabyte_line_make_a_page():
    many = "\n".join(f"Sentence number {i} of the council." for i in range(10_000))
    html = article_page(made_analysis(many))
    assert html.count('class="s k0') == 10_000
    # Without the text itself a sentence costs less than 800 characters of page.
    assert len(html) < 10_000 * 800 + len(many)
    line = "word " * 200_000
    made = article_page(made_analysis(line))
    assert len(made) < 1_100_000 + 40_000


def measure(key, value=0.2, low=0.1, high=0.3, **more):
    return {"key": key, "says": key, "value": value, "low": low, "high": high, "level": 0.95,
            "n": 5, "method": "m", **more}  # fmt: skip


def made_groups():
    profile = [measure("quoted"), measure("biased:d"), measure("cues:loaded")]
    alone = [measure("quoted", low=None, high=None, n=1), measure("biased:d", 0.9, None, None, n=1)]
    return [
        {"by": "outlet", "name": "<A>", "articles": 5, "texts": 5, "sentences": 90, "profile": profile},
        {"by": "outlet", "name": "B", "articles": 1, "texts": 1, "sentences": 9, "profile": alone},
        {"by": "outlet", "name": "", "articles": 2, "texts": 2, "sentences": 9, "profile": profile},
    ]  # fmt: skip


def test_groups_keep_their_order_and_a_group_without_interval_says_so():
    first, cues = group_boards("outlet", made_groups())
    assert first.head == ("outlet", "articles", "sentences", "called biased", "quoted")
    assert [row.cells[0].value for row in first.rows] == ["<A>", "B", "no outlet named"]
    # of one article: how many there are, and no share
    assert [row.cells[1].value for row in first.rows] == [5, 1, 2]
    assert [row.cells[3].value for row in first.rows] == [0.2, None, 0.2]
    assert first.rows[1].cells[3].note.startswith("fewer than 3 articles")
    assert cues.head[3:] == ("cue: loaded",)
    assert cues.rows[1].cells[3].value is None
    rows = list(csv.DictReader(io.StringIO(table_csv(first))))
    assert (rows[0]["called biased low"], rows[1]["called biased low"]) == ("0.1", "")


def test_kinds_cues_and_triggers_of_groups_stand_in_tables_of_their_own():
    keys = ("quoted", "kind:age", "cues:loaded", "trigger cue:B01", "trigger:B01")
    groups = [{**made_groups()[0], "profile": [measure(key) for key in keys]}]
    boards = group_boards("outlet", groups)
    assert [one.name for one in boards] == [
        "groups-outlet", "groups-outlet-kinds", "groups-outlet-cues", "groups-outlet-triggers",
    ]  # fmt: skip
    assert [one.head[3:] for one in boards] == [
        ("quoted",), ("kind: age",), ("cue: loaded",), ("trigger cue: B01", "trigger: B01"),
    ]  # fmt: skip


def test_a_share_without_interval_of_enough_articles_says_why():
    group = {
        **made_groups()[0],
        "profile": [measure("quoted", low=None, high=None, method="<why>")],
    }
    (board,) = group_boards("outlet", [group])
    assert (board.rows[0].cells[3].value, board.rows[0].cells[3].note) == (None, "<why>")


def test_the_measured_f1_and_what_it_does_not_hold_for_stand_beside_the_answer():
    html = article_page(made_analysis())
    head = re.search(r"<header>.*?</header>", html, re.S)[0]
    line = re.sub(r"<[^>]+>", "", re.search(r'<p class="measured">(.*?)</p>', head)[1])
    assert line == (
        "F1 of light#1f00ab12: 0.712 [0.641, 0.779]; not measured on real news, likely worse."
    )
    assert f1_line([]) == ""


def test_a_page_names_files_without_their_folders(tmp_path):
    origin = "/home/anna/secret/a.jsonl, row 3"
    read = made_analysis(article={"origin": origin}, detectors=[made_detector(card="/home/anna/m/b/README.md")])  # fmt: skip
    html = article_page(read, command="slant analyze /home/anna/secret/a.jsonl --out /home/anna/r")
    assert "anna" not in html
    assert "<h1><bdi>a.jsonl, row 3</bdi></h1>" in html
    assert "slant analyze a.jsonl --out r" in html
    assert "<code>b/README.md</code>" in html
    many = write_folder(tmp_path, [read, made_analysis(article={"id": "b", "origin": origin})])
    record = json.loads((many / "run.json").read_text())
    record["command"] = "slant analyze /home/anna/secret --out=/home/anna/r"
    (many / "run.json").write_text(json.dumps(record))
    for page in write_analysis(many):
        assert "anna" not in page.read_text()


@pytest.mark.parametrize(
    ("sentences", "articles", "left", "said"),
    [
        (18, 3, 1, "18 sentences of 2 articles were read; 1 article was not looked at."),
        (18, 4, 2, "18 sentences of 2 articles were read; 2 articles were not looked at."),
        (1, 2, 1, "1 sentence of 1 article was read; 1 article was not looked at."),
    ],
)
def test_one_article_is_no_articles(sentences, articles, left, said):
    summary = {
        "articles": articles,
        "sentences": sentences,
        "left_out": {"why": left} if left else {},
    }
    record = {"summary": summary, "detectors": [], "command": "", "signature": "", "slant": ""}
    html = index_page(record, {"groups": {}, "events": [], "similarity": 0.3}, [], [])
    assert said in html


def test_nothing_is_grouped_by_what_no_article_names():
    assert group_boards("topic", made_groups()[2:]) == []


def test_the_index_leads_to_every_article_and_shows_events_side_by_side():
    reads = [made_analysis(article={"id": f"a{i}", "title": f"<T{i}>"}) for i in range(3)]
    record = {"summary": {"articles": 3, "sentences": 18, "left_out": {"It is <empty>.": 1},
                          "undated": 2},
              "detectors": [made_detector()], "command": "slant analyze <x>", "signature": "s|t",
              "slant": "0.1.0"}  # fmt: skip
    comparison = {"groups": {"outlet": made_groups(), "topic": [], "date": []},
                  "events": [{"articles": ["a0", "a2", "gone"], "similarity": 0.4, "outlets": []}],
                  "similarity": 0.3}  # fmt: skip
    html = index_page(record, comparison, [listed(one) for one in reads], ["x/0", "x/1", "x/2"])
    page = Page(html)
    assert [link for link in page.links if link.startswith("x/")] == [
        "x/0",
        "x/2",
        "x/0",
        "x/1",
        "x/2",
    ]
    assert "1 further article is in events.csv" in html
    assert "It is &lt;empty&gt;." in html
    assert "2 articles have a date that can be read in two ways or in none" in html
    assert "sentences.parquet" in page.links
    assert "<T0>" not in html
    assert "Labels are contested" in html
    assert "<script" not in html


def write_folder(folder, reads):
    """A folder as `slant analyze` leaves it, but for its parquet files."""
    lines = [json.dumps(read) for read in reads]
    (folder / "analyses.jsonl").write_text("".join(f"{line}\n" for line in lines))
    rows = [[read["article"]["id"], i] for read in reads for i in range(len(read["sentences"]))]
    with (folder / "sentences.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([["article", "sentence"], *rows])
    summary = {"articles": len(reads), "sentences": len(rows), "left_out": {}}
    record = {"kind": "analysis", "summary": summary, "detectors": [made_detector()],
              "command": "slant analyze", "signature": "s", "slant": "0.1.0"}  # fmt: skip
    (folder / "run.json").write_text(json.dumps(record))
    comparison = {"groups": {}, "events": [], "similarity": 0.3}
    (folder / "comparison.json").write_text(json.dumps(comparison))
    return folder


def test_one_article_is_the_report_itself(tmp_path):
    paths = write_analysis(write_folder(tmp_path, [made_analysis()]))
    assert [path.name for path in paths] == ["report.html"]
    links = Page(paths[0].read_text()).links
    assert "sentences.csv" in links
    assert "groups.csv" not in links


def test_each_of_many_articles_has_a_page_with_its_own_rows(tmp_path):
    reads = [made_analysis(article={"id": name}) for name in ("a/b", "A-B", "c")]
    reads[1]["sentences"] = []
    paths = write_analysis(write_folder(tmp_path, reads))
    names = ["report.html", "a-b.html", "A-B-2.html", "c.html"]
    assert [path.name for path in paths] == names
    pages = [Page(path.read_text()) for path in paths]
    assert [link for link in pages[0].links if link.startswith("articles/")] == [
        f"articles/{name}" for name in names[1:]
    ]
    kept = [link for link in pages[3].links if link.startswith("data:")]
    text = base64.b64decode(kept[0].partition(",")[2]).decode()
    assert text.splitlines() == ["article,sentence", *(f"c,{i}" for i in range(6))]
    assert not [link for link in pages[2].links if link.startswith("data:")]
    assert "../report.html#articles" in pages[1].links


def test_pages_stand_between_the_pages_before_and_after():
    links = Page(article_page(made_analysis(), place=Place("i.html", "", "b.html"))).links
    assert links[1:3] == ["i.html", "b.html"]


def test_the_made_analyses_have_the_keys_of_the_real_ones():
    from dataclasses import fields

    from slant.analysis.analyses import Analysis, DetectorFacts, KindFacts, Sentence
    from slant.analysis.analysisjson import analysis_json
    from slant.analysis.article import Article

    real = analysis_json(Analysis(Article("a", ""), (), (), (), (), (), (), ()))
    assert set(made_analysis()) == set(real)
    assert set(made_article()) == {one.name for one in fields(Article)}
    assert set(made_detector()) == {one.name for one in fields(DetectorFacts)}
    assert set(made_kind()) == {one.name for one in fields(KindFacts)}
    assert set(made_sentence("a", 0, 1)) == {one.name for one in fields(Sentence)}
