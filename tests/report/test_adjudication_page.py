"""The page that a third person reads beside the sheet."""

from __future__ import annotations

from html.parser import HTMLParser

from slant.annotate.cases import merge_record
from slant.annotate.inclusion import Rule
from slant.annotate.merging import merged_gold
from slant.report.adjudicationpage import adjudication_page
from slant.types import Answer, Example, Item, Mark, Span

TEXT = "He said <script>alert(1)</script> & left. \u202eThe rest.\x00 End 😀."


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.ids, self.links, self.text = [], [], [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        found = dict(attrs)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found["href"]] if tag == "a" else []
        assert not {"src", "onclick"} & set(found)

    def handle_data(self, data):
        self.text += data


def page(first, second, **rule):
    sides = (
        [Example(Item("<x>", TEXT), Answer(frozenset(ticks), m))] for ticks, m in (first, second)
    )
    merged = merged_gold(*sides, ["B01", "B02"], names=("ann", "ben"), rule=Rule(**rule))
    reader = Reader()
    html = adjudication_page(merge_record(merged).model_dump(), {"B01": "Illusory Truth"})
    reader.feed(html)
    return html, reader


def test_every_case_stands_there_with_its_words_escaped_and_an_anchor():
    one = Mark("B01", (Span(8, 33),), confidence=2, note="<b>why</b>")
    html, reader = page(({"B02"}, (one,)), (set(), ()))
    assert "<script" not in html
    assert "alert(1)" in reader.text
    assert "B01 Illusory Truth" in reader.text
    assert "Is it a trigger? ann, confidence 2: ben did not mark it." in reader.text
    assert "Is the bias in the article? ann: ticked in the first pass" in reader.text
    assert "\x00" not in html
    assert len(reader.ids) == len(set(reader.ids))
    assert all(link[1:] in reader.ids for link in reader.links)
    assert reader.text.count("8..33") == 1


def test_other_boundaries_are_shown_one_below_the_other():
    one, two = (Mark("B01", (Span(8, end),), confidence=3) for end in (12, 33))
    _, reader = page((set(), (one,)), (set(), (two,)))
    assert "Where does it begin and end?" in reader.text
    assert "8..12" in reader.text
    assert "8..33" in reader.text


def test_nothing_open_is_said():
    _, reader = page((set(), ()), (set(), ()))
    assert "Nothing is open" in reader.text
