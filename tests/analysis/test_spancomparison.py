"""Our marks against people's spans, in characters."""

from __future__ import annotations

import pytest
from made_detectors import made_linear

from slant.analysis.article import Article
from slant.analysis.reading import analysed
from slant.analysis.spancomparison import compare_with_spans, marked_spans
from slant.data.schemas import load_schema
from slant.errors import DataError, UnknownName
from slant.types import Span, Undefined

TEXT = "A vile plan here.\nA nice one here."  # 17 + 1 + 16 characters


def made(*texts):
    articles = [Article(str(i), text) for i, text in enumerate(texts)]
    return analysed(articles, [made_linear()], load_schema("bait"))


def test_the_sentence_called_biased_against_a_span_by_hand():
    # ours 0-17; people marked 2-11 (inside, 9) and 20-24 (outside, 4)
    found = compare_with_spans(made(TEXT), {"0": [Span(2, 11), Span(20, 24)]}, "sentences")
    assert found.precision.value == pytest.approx(9 / 17)
    assert found.recall.value == pytest.approx(9 / 13)
    assert found.f1.value == pytest.approx(2 * 9 / (17 + 13))
    assert found.share == pytest.approx(17 / 34)


def test_each_kind_of_mark():
    (one,) = made(TEXT)
    spans = {kind: [(s.start, s.end) for s in marked_spans(one, kind)]
             for kind in ("sentences", "words", "lexicon", "everything")}  # fmt: skip
    assert spans["sentences"] == [(0, 17)]
    assert spans["words"] == [(2, 6)]
    assert spans["lexicon"] == [(2, 6)]
    assert spans["everything"] == [(0, 34)]


def test_people_against_themselves_score_one_and_the_interval_is_over_articles():
    analyses = made(TEXT, "A nice plan.", TEXT + " Vile!")
    gold = {one.article.id: marked_spans(one, "sentences") for one in analyses}
    found = compare_with_spans(analyses, gold, "sentences")
    assert found.f1.value == found.precision.value == found.recall.value == 1
    assert found.articles == found.f1.n == 3


def test_spans_that_share_characters_count_once():
    double = compare_with_spans(made(TEXT), {"0": [Span(2, 8), Span(4, 11)]}, "everything")
    assert double.precision.value == pytest.approx(9 / 34)


def test_faults_are_named():
    with pytest.raises(DataError, match="no spans are given"):
        compare_with_spans(made(TEXT), {}, "sentences")
    with pytest.raises(DataError, match="leaves its 34 characters"):
        compare_with_spans(made(TEXT), {"0": [Span(30, 40)]}, "sentences")
    with pytest.raises(UnknownName):
        compare_with_spans(made(TEXT), {"0": []}, "sentence")
    assert isinstance(compare_with_spans([], {}, "words").f1, Undefined)
