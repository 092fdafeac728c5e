"""Passages of an article, however they overlap, against a brute force over characters."""

from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.report.baitarticles import file_names
from slant.report.baitnames import short_codes, system_labels
from slant.report.baitpassages import (
    FATE_WORDS,
    FATES,
    LANES,
    SIGNS,
    Passage,
    fate_words,
    lanes_used,
    passages_html,
    piece,
)


class Read(HTMLParser):
    """The text without tags, and for each of its characters the (lane, fate) of its lines."""

    def __init__(self, html):
        super().__init__()
        self.text, self.lines, self.tags, self._now, self._tag = [], [], [], [], False
        self.feed(str(html))
        self.close()

    def handle_starttag(self, tag, attrs):
        kinds = dict(attrs)["class"].split()
        self._tag = tag == "a"
        if self._tag:
            self.tags.append("")
        else:
            self._now = [(kind[0], int(kind[1])) for kind in kinds[1:]]

    def handle_endtag(self, tag):
        self._now, self._tag = [], False

    def handle_data(self, data):
        if self._tag:
            self.tags[-1] += data
            return
        self.text += list(data)
        self.lines += [self._now] * len(data)


def passage(start, end, trigger=1, fate=0):
    return Passage(start, end, trigger, "B01", "Illusory Truth", fate)


TEXT = "a<b>&\U0001f600e\u0301 \u05d0\u05d1 end of it."
PASSAGES = st.lists(
    st.builds(
        lambda start, length, trigger, fate: passage(
            start, min(start + length, len(TEXT)), trigger, fate
        ),
        st.integers(0, len(TEXT)),
        st.integers(0, 9),
        st.integers(1, 4),
        st.integers(0, 4),
    ),
    max_size=8,
)


@given(PASSAGES)
def test_every_character_has_a_line_for_each_passage_on_it(passages):
    read = Read(passages_html(TEXT, passages, "p"))
    assert "".join(read.text) == TEXT
    for at, lines in enumerate(read.lines):
        on = sorted(one.fate for one in passages if one.start <= at < one.end)
        assert len({lane for lane, _ in lines}) == len(lines)
        if lanes_used(passages) < len(LANES):
            assert sorted(fate for _, fate in lines) == on
        else:
            assert len(lines) <= len(on)


@given(PASSAGES)
def test_every_passage_has_its_tag_and_no_place_needs_more_lanes_than_it_has_passages(passages):
    read = Read(passages_html(TEXT, passages, "p"))
    assert sorted(read.tags) == sorted(f"B01·{one.trigger} {SIGNS[one.fate]}" for one in passages)
    most = max(
        (sum(one.start <= at < one.end for one in passages) for at in range(len(TEXT))), default=0
    )
    assert lanes_used(passages) == min(most, len(LANES))


def test_a_passage_keeps_its_lane_from_start_to_end():
    # Two nested in the first, one crossing its end: a is the outer, b and c those inside.
    spans = [passage(0, 12), passage(2, 4, 2, 1), passage(3, 14, 3, 2)]
    read = Read(passages_html(TEXT, spans, "p"))
    assert {lane for lines in read.lines for lane, fate in lines if fate == 0} == {"a"}
    assert {lane for lines in read.lines for lane, fate in lines if fate == 1} == {"b"}
    assert {lane for lines in read.lines for lane, fate in lines if fate == 2} == {"c"}


def test_equal_passages_of_two_biases_have_a_line_and_a_tag_each():
    read = Read(passages_html(TEXT, [passage(1, 5, 1, 0), passage(1, 5, 2, 4)], "g"))
    assert read.tags == ["B01·1 ✓", "B01·2 ✗"]
    assert read.lines[2] == [("a", 0), ("b", 4)]


def test_more_passages_than_lanes_keep_their_tags():
    read = Read(passages_html(TEXT, [passage(0, 9, n) for n in range(1, 10)], "p"))
    assert len(read.tags) == 9
    assert [lane for lane, _ in read.lines[0]] == list(LANES)


@given(st.text(alphabet="a\r\n", max_size=12), st.lists(st.integers(0, 12), max_size=4))
def test_cutting_a_text_anywhere_changes_no_line_end(text, cuts):
    places = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    pieces = [piece(text, a, b) for a, b in pairwise(places)]
    assert "".join(pieces) == text.replace("\r\n", "\n").replace("\r", "\n")


def test_a_megabyte_and_two_thousand_passages_are_cut_in_a_moment():
    text = "word " * 220_000
    spans = [passage(10 * i, 10 * i + 4_000, i + 1, i % 5) for i in range(2_000)]
    html = passages_html(text, spans, "p")
    # Six lines at most on any piece: the page grows with the passages, not with their square.
    assert len(html) < len(text) + 2_000 * 600
    assert html.count('class="tag') == 2_000


def test_signs_differ_and_so_do_their_words():
    assert len(set(SIGNS)) == len(set(FATE_WORDS)) == len(FATES)
    assert fate_words(0, "g") == "found"


@given(st.lists(st.text(max_size=90), max_size=8))
def test_file_names_are_safe_and_differ_even_where_case_does_not_count(ids):
    names = file_names(ids)
    assert len({name.casefold() for name in names}) == len(ids)
    for name in names:
        assert name.endswith(".html")
        assert len(name) < 100
        assert not name.startswith((".", "-"))
        assert name.isascii()
        assert not set(name) & set('/\\:*?"<>| ')


@pytest.mark.parametrize("device", ["con", "NUL", "com1", "aux.x"])
def test_no_file_has_the_name_of_a_device(device):
    assert file_names([device]) == [f"article-{device}.html"]


@given(st.lists(st.text("Ab_ -,1", min_size=1, max_size=20), unique=True, max_size=20))
def test_short_codes_differ(codes):
    shorts = short_codes(codes)
    assert list(shorts) == codes
    assert len(set(shorts.values())) == len(codes)


def test_models_are_called_by_their_name_and_by_their_provider_too_where_two_share_it():
    assert system_labels([("a/x", "model"), ("b/x", "model"), ("a/y", "model")]) == [
        "a/x", "b/x", "y",
    ]  # fmt: skip
    assert system_labels([("cues/of", "baseline")]) == ["cues/of"]
