"""Sentences of an article: their places, paragraphs, title and voice."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from slant.analysis.article import Article
from slant.analysis.sentences import LONGEST, article_sentences, divided
from slant.data.sentences import _END, sentence_spans


def sentences(text, **more):
    return article_sentences(Article("a", text, **more))


def test_a_voice_is_the_outlet_s_until_half_of_the_words_are_quoted():
    # 0 of 3; 1 of 5; 2 of 4; 3 of 3 words are quoted
    text = 'He did it. "Never" he said to us. "No, never," he said. "So it was."'
    assert [one.voice for one in sentences(text)] == ["outlet", "mixed", "quoted", "quoted"]


def test_quoted_speech_over_two_sentences_is_cut_at_their_ends():
    text = "“We lost. It hurts,” he said."
    first, second = sentences(text)
    assert [text[s.start : s.end] for s in first.quoted] == ["“We lost."]
    assert [text[s.start : s.end] for s in second.quoted] == ["It hurts,”"]


def test_paragraphs_are_lines_with_text_counted_from_0():
    found = sentences("One.\r\n\r\nTwo. Three.\n\n\nFour.\rFive.")
    assert [one.paragraph for one in found] == [0, 1, 1, 2, 3]


def test_the_first_line_is_the_title_where_it_is_named_or_stands_alone():
    assert [s.title for s in sentences("Rain again\n\nIt fell.")] == [True, False]
    assert [s.title for s in sentences("Rain  again\nIt fell.", title="Rain again")] == [
        True,
        False,
    ]
    assert [s.title for s in sentences("Rain again\nIt fell.")] == [False, False]
    assert [s.title for s in sentences("Rain fell.\n\nAgain.")] == [False, False]
    assert [s.title for s in sentences("Rain again\n\nIt fell.", title="Sun")] == [False, False]


def test_a_megabyte_without_a_stop_is_read_in_pieces_that_lose_no_word():
    text = "word " * 200_000
    found = sentences(text)
    assert max(one.end - one.start for one in found) <= LONGEST
    assert sum(text[one.start : one.end].count("word") for one in found) == 200_000
    assert divided(text) == 1
    # no white space anywhere: cut at exactly 1,000 characters
    assert [(s.start, s.end) for s in sentences("x" * 2_500)] == [
        (0, 1000), (1000, 2000), (2000, 2500)
    ]  # fmt: skip


def test_an_article_without_text_has_no_sentence():
    for text in ("", " \n\t ", "\ufeff\n"):
        assert all(text[s.start : s.end].strip() for s in sentences(text))
    assert sentences(" \n ") == ()


@given(st.text(max_size=80) | st.text(alphabet="aB .!\n\r\"“”'’😀\u202e\u0301", max_size=80))
def test_sentences_slice_the_text_and_hold_their_quotations(text):
    end = 0
    for one in sentences(text):
        assert end <= one.start < one.end <= len(text)
        assert text[one.start : one.end] == text[one.start : one.end].strip()
        assert all(one.start <= q.start < q.end <= one.end for q in one.quoted)
        end = one.end
    seen = "".join("".join(text[s.start : s.end].split()) for s in sentences(text))
    assert seen == "".join(text.split())


@given(st.text(alphabet='aB.!?…"”) \n', max_size=40))
def test_a_run_of_stops_ends_the_sentences_that_it_ended_when_each_stop_was_tried(text):
    slow = re.compile(r"""[.!?…]+[)"'”’»\]]*(?=\s)|[\r\n]+""")
    assert [m.span() for m in _END.finditer(text)] == [m.span() for m in slow.finditer(text)]


def test_a_long_run_of_stops_is_one_match_and_not_tried_from_each():
    # from each stop anew it would take 10**10 steps
    assert len(sentence_spans("." * 100_000 + "x")) == 1
