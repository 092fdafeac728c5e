import re
from html.parser import HTMLParser

import pytest
from chromium import contrast
from made_scores import HOSTILE, made_comparison, made_run, made_runs, small_runs

from slant.report.page import report

VOID = {"meta", "br", "img", "input", "link", "hr", "wbr"}


class Page(HTMLParser):
    """Checks that tags nest, and gathers what tests ask for."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.ids, self.text = [], [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append((tag, attrs))
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture(scope="module", params=["written", "crowded"])
def page(request):
    out, _ = request.getfixturevalue(request.param)
    return Page((out / "report.html").read_text(encoding="utf-8"))


def test_the_page_nests_and_every_link_inside_it_arrives(page):
    assert len(page.ids) == len(set(page.ids))
    targets = {
        attrs["href"][1:]
        for tag, attrs in page.tags
        if tag == "a" and attrs["href"].startswith("#")
    }
    assert targets <= set(page.ids)


def test_the_page_loads_nothing(page):
    assert not [
        tag for tag, _ in page.tags if tag in ("script", "link", "iframe", "img", "object", "embed")
    ]
    assert not [
        attrs
        for _, attrs in page.tags
        if any(k in attrs for k in ("src", "srcset", "xlink:href", "onerror"))
    ]
    assert not re.search(r"@import|url\(['\"]?(?!#)", "".join(page.text))


def test_tables_have_captions_scopes_and_a_box_that_the_keyboard_can_scroll(page):
    names = [tag for tag, _ in page.tags]
    assert names.count("table") == names.count("caption") > 5
    assert all(
        attrs.get("scope") in ("col", "row", "rowgroup") for tag, attrs in page.tags if tag == "th"
    )
    boxes = [attrs for _, attrs in page.tags if attrs.get("class") == "scroll"]
    assert all(box["tabindex"] == "0" and box["aria-labelledby"] in page.ids for box in boxes)


def test_every_drawing_has_a_name_and_a_table_with_its_numbers(page):
    drawings = [
        attrs for tag, attrs in page.tags if tag == "svg" and attrs.get("aria-hidden") != "true"
    ]
    assert drawings
    for attrs in drawings:
        assert attrs["role"] == "img"
        table = re.search(r"in table (\S+)\.$", attrs["aria-label"])[1]
        assert f"table-{table}" in page.ids


def test_the_page_names_its_language_and_landmarks(page):
    assert ("html", {"lang": "en"}) in page.tags
    assert {"nav", "main", "header"} <= {tag for tag, _ in page.tags}
    sections = [attrs["aria-labelledby"] for tag, attrs in page.tags if tag == "section"]
    assert set(sections) <= set(page.ids)


def test_the_sections_stand_in_their_order(request, page):
    order = [
        "headline",
        "leaderboard",
        "tasks",
        "data-sets",
        "figures",
        "confusion",
        "calibration",
        "learning",
        "comparison",
        "errors",
        "data",
        "faults",
        "runs",
        "cite",
    ]
    if "written" in request.node.name:
        # No run of this one saw a part of the training texts.
        order.remove("learning")
    assert [name for name in page.ids if name in order] == order


def test_texts_are_quoted_whole_and_as_text(page):
    text = "".join(page.text)
    for quoted in HOSTILE:
        if not re.search(r"[\x00\x07\x85\ud800]", quoted):
            assert quoted in text
    assert "nul␀ bell␇ lone� surrogate�" in text


def test_labels_are_said_to_be_contested(page):
    assert "What counts as biased is contested" in "".join(page.text)


def test_the_signature_and_the_command_of_every_run_are_on_the_page(written):
    out, _ = written
    text = "".join(Page((out / "report.html").read_text(encoding="utf-8")).text)
    for _, scores in made_runs():
        assert scores["signature"] in text
        assert scores["command"] in text


def test_without_probabilities_comparisons_or_shares_the_page_says_what_to_do():
    _, _, html = report([made_run(system="lexicon")], [])
    text = " ".join("".join(Page(html).text).split())
    assert "None of these systems gives probabilities" in text
    assert "slant compare DIR DIR tests the difference" in text
    assert "run one system also with --set train_share=0.1" in text


def test_learning_has_no_section_and_no_entry_in_the_contents_without_two_shares():
    _, _, html = report([made_run()], [])
    assert "Learning from size" not in html
    _, _, html = report([made_run(), made_run(share=0.5)], [])
    assert html.count("Learning from size") == 2


def test_every_pair_is_titled_by_its_runs_and_says_which_is_the_reference():
    names = ("lexicon", "tfidf-lr", "minilm-lr")
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    made = [made_comparison(a, b, [f"runs/{a}", f"runs/{b}"]) for a, b in pairs]
    _, _, html = report(made_runs(), made)
    text = " ".join("".join(Page(html).text).split())
    for a, b in pairs:
        assert f"{b} against {a} (reference)" in text
    assert "above zero the second is better" in text
    assert "Each of the 3 pairs is corrected for its own tasks" in text


def test_a_pair_has_the_names_that_its_runs_have_in_the_report():
    runs = [made_run(share=0.5), made_run()]
    signatures = [scores["signature"] for _, scores in runs]
    made = made_comparison("tfidf-lr", "tfidf-lr", signatures=signatures)
    _, _, html = report(runs, [made])
    assert "<bdi>tfidf-lr</bdi> against <bdi>tfidf-lr (50% of training)</bdi>" in html


def test_few_errors_are_open_and_many_folded():
    run, scores = made_run(tasks={"mbib/racial-bias": ["075", "110"]})
    assert '<details class="errors" open>' in report([(run, scores)], [])[2]
    assert '<details class="errors">' in report(made_runs(), [])[2]


def test_one_data_set_alone_is_not_drawn_against_size():
    tasks = {"mbib/racial-bias": ["075"]}
    _, figures, html = report([made_run(tasks=tasks)], [])
    assert "data-sets" not in {figure.name for figure in figures}
    assert "One data set alone" in html


def test_errors_of_a_control_are_not_shown_beside_those_of_systems():
    _, _, html = report([made_run(), made_run(system="majority")], [])
    assert "<h3>majority</h3>" not in html.split('id="errors"')[1].split("</section>")[0]
    assert "<h3>majority</h3>" in html.split('id="runs"')[1]


def test_a_control_alone_can_be_reported():
    tables, _, html = report([made_run(system="majority")], [])
    Page(html)
    board = next(table for table in tables if table.name == "leaderboard")
    # The made run of majority has 0.7 or so, a coin 0.498 and source-only 0.412.
    assert [row.cells[0].value for row in board.rows] == ["majority", "random", "source-only"]


def test_the_same_runs_give_the_same_page():
    assert (
        report(made_runs(), [made_comparison()])[2] == report(made_runs(), [made_comparison()])[2]
    )


def test_colours_stand_out_from_the_ground_in_light_and_dark(written):
    html = (written[0] / "report.html").read_text(encoding="utf-8")
    light, dark = re.findall(r":root \{([^}]*--series-6[^}]*)\}", html)[:2]
    for block in (light, dark):
        found = re.findall(r"--([\w-]+): #([0-9a-f]{6})", block)
        colours = {name: bytes.fromhex(code) for name, code in found}
        # WCAG 2: 4.5 for text, 3 for graphics.
        for ground in ("paper", "wash", "control"):
            for name in ("ink", "muted", "link"):
                assert contrast(colours[name], colours[ground]) >= 4.5, (name, ground)
        for i in range(1, 7):
            assert contrast(colours[f"series-{i}"], colours["paper"]) >= 3


def test_the_page_is_as_it_was_looked_at(same_as_golden):
    _, _, html = report(small_runs(), [])
    same_as_golden("page.html", re.sub(r"<svg role.*?</svg>", "<svg></svg>", html, flags=re.S))
