"""From strings to places: each step and each choice among places by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slant.errors import UnknownName
from slant.metrics.locate import literal_places, located
from slant.types import Answer, Mark, Span


def found(text, *quotes, gold=(), bias="B01", **options):
    """The places and steps of the quotes of one trigger."""
    answer = Answer(marks=(Mark(bias, quotes=quotes),))
    truth = Answer(marks=tuple(Mark(code, (span,)) for code, span in gold))
    _, resolved = located(text, answer, truth, **options)
    return [(one.span and (one.span.start, one.span.end), one.step) for one in resolved[0]]


def test_the_string_as_it_is_goes_before_all_else():
    # "the tax" stands at 0 in another case and at 10 as it is
    assert found("The tax.. the tax", "the tax") == [((10, 17), "exact")]


def test_another_case_is_found_next():
    assert found("THE TAX falls", "the tax") == [((0, 7), "case")]


def test_other_white_space_is_found_third():
    text = "One\r\n\r\nnew\u00a0tax falls"
    assert found(text, " One new  tax\n") == [((0, 14), "space")]


def test_white_space_and_case_may_differ_at_once_but_the_same_case_is_preferred():
    assert found("THE\nTAX, the\ntax", "the tax") == [((9, 16), "space")]
    assert found("THE\nTAX", "the tax") == [((0, 7), "space")]


def test_a_changed_string_is_found_last_with_its_similarity():
    _, resolved = located(
        "The tax would ruin them",
        Answer(marks=(Mark("B01", quotes=("tax will ruin them",)),)),
        None,
    )
    # tax would ruin them (19) against tax will ruin them (18): i, l -> o, u and d added: 3 edits
    assert resolved[0][0].step == "fuzzy"
    assert resolved[0][0].span == Span(4, 23)
    assert resolved[0][0].similarity == pytest.approx(1 - 3 / 19)


def test_what_is_nowhere_stays_a_string():
    answer = Answer(frozenset({"B02"}), (Mark("B01", quotes=("the moon", "tax"), confidence=2.0),))
    result, resolved = located("The tax falls", answer, None)
    assert result == Answer(
        frozenset({"B02"}), (Mark("B01", (Span(4, 7),), ("the moon",), confidence=2.0),)
    )
    assert [(one.step, one.similarity) for one in resolved[0]] == [
        ("unlocated", None),
        ("exact", 1.0),
    ]


@pytest.mark.parametrize("quote", ["", " ", "\n\t", "\u00a0"])
def test_a_string_without_a_character_to_see_is_nowhere(quote):
    assert found("A text with \n\t spaces \u00a0", quote) == [(None, "unlocated")]


@pytest.mark.parametrize("least", [0.80, 0.85])
def test_the_least_similarity_is_the_callers(least):
    # abcdX against abcde: 1 - 1/5 = 0.8
    assert (found("abcdX", "abcde", least=least)[0][1] == "fuzzy") == (least == 0.80)


def test_one_string_returned_three_times_takes_two_places_and_then_the_first_again():
    text = "Ruin. Then ruin. Ruin."
    assert found(text, "Ruin", "Ruin", "Ruin") == [
        ((0, 4), "exact"), ((17, 21), "exact"), ((0, 4), "exact")
    ]  # fmt: skip


def test_places_are_used_across_triggers_of_a_bias_but_not_across_biases():
    marks = (Mark("B01", quotes=("x",)), Mark("B02", quotes=("x",)), Mark("B01", quotes=("x",)))
    result, _ = located("x x", Answer(marks=marks), None)
    assert [mark.spans[0].start for mark in result.marks] == [0, 0, 2]


def test_a_place_that_the_answer_has_already_is_used():
    answer = Answer(marks=(Mark("B01", (Span(0, 1),), ("x",)),))
    result, _ = located("x x", answer, None)
    assert result.marks[0].spans == (Span(0, 1), Span(2, 3))


def test_places_of_a_repeated_string_may_overlap():
    assert literal_places("aaa", "aa") == ("exact", [Span(0, 2), Span(1, 3)])
    assert found("aaa", "aa", "aa") == [((0, 2), "exact"), ((1, 3), "exact")]


def test_gold_of_the_same_bias_goes_before_the_leftmost():
    text = "tax, tax, tax"
    assert found(text, "tax", gold=[("B01", Span(9, 13)), ("B02", Span(4, 8))]) == [
        ((10, 13), "exact")
    ]
    assert found(text, "tax", gold=[("B02", Span(5, 8))]) == [((0, 3), "exact")]


def test_an_unused_place_goes_before_gold():
    text = "tax, tax"
    assert found(text, "tax", "tax", gold=[("B01", Span(5, 8))]) == [
        ((5, 8), "exact"), ((0, 3), "exact")
    ]  # fmt: skip


def test_a_span_of_gold_goes_before_a_part_of_one():
    # "tax" lies inside gold [0, 7) and is gold at [12, 15)
    gold = [("B01", Span(0, 7)), ("B01", Span(12, 15))]
    assert found("the tax and tax", "tax", gold=gold) == [((12, 15), "exact")]


@pytest.mark.parametrize(
    ("gold_use", "exact", "case"), [("literal", 5, 5), ("exact", 5, 0), ("never", 0, 0)]
)
def test_which_steps_may_look_at_gold_is_named(gold_use, exact, case):
    gold = [("B01", Span(5, 8))]
    assert found("tax, tax", "tax", gold=gold, gold_use=gold_use)[0][0][0] == exact
    assert found("TAX, TAX", "tax", gold=gold, gold_use=gold_use)[0][0][0] == case


def test_another_use_of_gold_is_refused():
    with pytest.raises(UnknownName, match="Did you mean literal"):
        found("tax", "tax", gold_use="litteral")


def test_gold_is_not_looked_at_for_a_changed_string():
    text = "abcdX abcdY"
    assert found(text, "abcde", gold=[("B01", Span(6, 11))]) == [((0, 4), "fuzzy")]


def test_a_changed_string_returned_twice_is_spread_over_equal_places():
    # [0, 4) and [0, 5) are equally similar: the second takes the first window clear of [0, 4)
    assert found("abcdX abcdY", "abcde", "abcde", "abcde") == [
        ((0, 4), "fuzzy"), ((6, 10), "fuzzy"), ((0, 4), "fuzzy")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "quote", "span"),
    [
        ("Straße, Gasse", "GASSE", (8, 13)),  # behind a character that folds to two
        ("Die STRASSE", "straße", (4, 11)),
        ("Die Straße", "STRASSE", (4, 10)),
        ("İİİ ankara", "ANKARA", (4, 10)),  # İ folds to i and a combining dot
        ("ﬃ Office", "oFFice", (2, 8)),  # a ligature folds to three
        ("oﬃce", "OFFICE", (0, 4)),
        ("😀 TAX", "tax", (2, 5)),
    ],
)
def test_offsets_are_right_where_folding_case_changes_lengths(text, quote, span):
    assert found(text, quote) == [(span, "case")]


def test_half_a_folded_character_is_no_place():
    # ß folds to ss: one s of it is not a character of the text
    assert literal_places("aß", "AS") == ("unlocated", [])
    assert literal_places("ßa", "SA") == ("unlocated", [])


def test_line_ends_and_combining_marks_keep_their_offsets():
    text = "a\r\ncafe\u0301 b"
    assert found(text, "cafe\u0301") == [((3, 8), "exact")]
    assert found(text, "a\ncafe\u0301") == [((0, 8), "space")]


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="aAßİ \n\r\u0301x", min_size=1, max_size=30), st.data())
def test_a_string_taken_from_the_text_is_found_as_it_is(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    quote = text[start:end]
    step, places = literal_places(text, quote)
    if quote.strip():
        assert step == "exact"
        assert Span(start, end) in places
        assert all(text[one.start : one.end] == quote for one in places)
        folded, others = literal_places(text, quote.swapcase())
        assert all(
            text[one.start : one.end].casefold().split() == quote.swapcase().casefold().split()
            for one in others
        ), folded


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab ", min_size=1, max_size=40), st.data())
def test_copying_gold_as_strings_gives_gold_back(text, data):
    """Any distinct spans of a bias, whatever strings they share."""
    bounds = st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))
    pairs = data.draw(st.lists(bounds, max_size=6, unique=True))
    spans = [Span(*pair) for pair in pairs if text[pair[0] : pair[1]].strip()]
    gold = Answer(marks=tuple(Mark("B01", (span,)) for span in spans))
    copied = Answer(marks=tuple(Mark("B01", quotes=(text[one.start : one.end],)) for one in spans))
    result, _ = located(text, copied, gold)
    places = {one for mark in result.marks for one in mark.spans}
    assert places == set(spans)


def test_copying_the_techniques_of_real_articles_gives_them_back(real_data):
    """297 articles, 4,856 spans of 14 techniques, many strings of them repeated."""
    folder = real_data / "propaganda" / "ptc"
    copied = 0
    for file in sorted((folder / "train-articles").glob("*.txt")):
        text = file.read_bytes().decode()
        name = f"{file.stem}.task-flc-tc.labels"
        rows = (folder / "train-labels-task-flc-tc" / name).read_text().splitlines()
        fields = [row.split("\t") for row in rows]
        marks = [Mark(row[1], (Span(int(row[2]), int(row[3])),)) for row in fields]
        strings = [
            Mark(one.category, quotes=(text[one.spans[0].start : one.spans[0].end],))
            for one in marks
        ]
        result, resolved = located(text, Answer(marks=tuple(strings)), Answer(marks=tuple(marks)))
        assert {one.step for mark in resolved for one in mark} <= {"exact"}
        order = [
            sorted((m.category, m.spans[0].start, m.spans[0].end) for m in side)
            for side in (result.marks, marks)
        ]
        assert order[0] == order[1], file.stem
        copied += len(marks)
    assert copied == 4856


def test_a_string_said_thousands_of_times_is_looked_up_once(monkeypatch):
    """A model that loops: each saying takes the next place, gold first, without reading again."""
    import slant.metrics.locate as module

    looked = []
    places = module.literal_places
    monkeypatch.setattr(
        module, "literal_places", lambda text, quote: looked.append(quote) or places(text, quote)
    )
    sentence = "The tax will ruin us. "
    text = sentence * 3000
    gold = Answer(marks=(Mark("B01", (Span(22 * 7, 22 * 7 + 21),)),))
    marks = tuple(Mark("B01", quotes=("The tax will ruin us.",)) for _ in range(3001))
    found, _ = located(text, Answer(marks=marks), gold)
    starts = [mark.spans[0].start // 22 for mark in found.marks]
    # the gold one, then the others from the left; when all are taken, the best again
    assert starts == [7, *range(7), *range(8, 3000), 7]
    assert looked == ["The tax will ruin us."]


def test_a_string_that_is_nearly_there_takes_each_window_once_and_then_the_first():
    sentence = "The tax will ruin us. "
    quote = "The tax wxll ruin us."
    marks = tuple(Mark("B01", quotes=(quote,)) for _ in range(41))
    found, steps = located(sentence * 40, Answer(marks=marks), None)
    assert [mark.spans[0].start // 22 for mark in found.marks] == [*range(40), 0]
    assert {one.step for mark in steps for one in mark} == {"fuzzy"}
