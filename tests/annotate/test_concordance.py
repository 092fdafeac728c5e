"""Agreement of two passes."""

from __future__ import annotations

import random

import numpy as np
import pytest
from made_passes import TEXT, article, mark, word

from slant.annotate.concordance import MEASURES, agreement
from slant.errors import DataError, OptionError
from slant.metrics.unitising import unitising_alpha
from slant.types import Span

QUICK = {"resamples": 200}


def two_articles():
    first = [
        article("1", TEXT, mark("B01", word(0, 2)), labels=["B01", "B02"]),
        article("2", TEXT, mark("B02", word(4))),
    ]
    second = [
        article("1", TEXT, mark("B01", word(1, 3))),
        article("2", TEXT, mark("B01", word(9)), labels=["B02"]),
    ]
    return first, second


def test_words_are_counted_over_all_articles_and_presence_comes_from_both_passes():
    found = agreement(*two_articles(), **QUICK)
    one = found["biases"]["B01"]
    # words of B01: a {0, 1, 2}, b {1, 2, 3} and {9} of the other article: 2 * 2 / (3 + 4)
    assert one["token_f1"]["value"] == pytest.approx(4 / 7)
    assert (one["a"], one["b"], one["both"]) == (1, 2, 1)
    assert one["triggers"] == {"a": 1, "b": 2}
    # B02: a in article 1 (ticked) and 2 (marked), b in 2 (ticked)
    assert [found["biases"]["B02"][key] for key in ("a", "b", "both")] == [2, 1, 1]
    assert found["biases"]["B02"]["token_f1"]["value"] == 0.0
    assert found["first_pass"]["a"] == {
        "labels": 2, "labels_without_trigger": 1, "triggers_without_label": 1,
    }  # fmt: skip


def test_unitising_alpha_is_that_of_the_articles_in_a_row():
    found = agreement(*two_articles(), **QUICK)["biases"]["B01"]["alpha_u"]["value"]
    length = len(TEXT)
    start, end = word(9)
    row = [Span(*word(0, 2))], [Span(*word(1, 3)), Span(length + start, length + end)]
    assert found == pytest.approx(unitising_alpha(*row, 2 * length))


def test_the_papers_rarest_bias_gives_its_published_numbers():
    # Bandwagon Effect: three and four of 50 articles, equal on 45: p_e 0.87, kappa 0.23
    marked = ({0, 1, 2}, {2, 3, 4, 5})
    first, second = (
        [article(str(n), TEXT, *([mark("B03", word(1))] if n in side else [])) for n in range(50)]
        for side in marked
    )
    one = agreement(first, second, **QUICK)["biases"]["B03"]
    assert one["p_o"] == pytest.approx(0.9)
    assert round(one["p_e"], 2) == 0.87
    assert round(one["kappa"]["value"], 2) == 0.23
    assert one["kappa"]["low"] <= one["kappa"]["value"] <= one["kappa"]["high"]
    assert round(one["ac1"]["value"], 2) == 0.89


def test_equal_passes_agree_fully_and_a_bias_that_nobody_marks_is_in_no_mean():
    first = [
        article("1", TEXT, mark("B01", word(0, 2))),
        article("2", TEXT, mark("B02", word(4))),
    ]
    found = agreement(first, first, ["B01", "B02", "B03"], **QUICK)
    for name in ("kappa", "ac1", "token_f1", "alpha_u"):
        assert found["mean"][name]["value"] == 1.0
        assert found["mean_over"][name] == 2
    empty = found["biases"]["B03"]
    assert empty["kappa"]["value"] is None
    assert "chance alone agrees" in empty["kappa"]["why"]
    assert empty["token_f1"]["value"] is None
    assert empty["ac1"]["value"] == 1.0


def test_annotators_may_change_places_and_articles_their_order():
    rng = random.Random(5)
    sides = [[], []]
    for n in range(8):
        for side in sides:
            at = rng.randrange(8)
            side.append(article(str(n), TEXT, *[mark("B01", word(at, at + 1))] * rng.randrange(2)))
    found = agreement(*sides, **QUICK)
    turned = agreement(sides[1], sides[0], **QUICK)
    shuffled = agreement(sides[0][::-1], sides[1], **QUICK)
    for name in MEASURES:
        assert found["mean"][name]["value"] == pytest.approx(turned["mean"][name]["value"])
        assert found["mean"][name] == pytest.approx(shuffled["mean"][name])
    again = agreement(*sides, **QUICK)
    assert found == again
    assert found != agreement(*sides, seed=7, **QUICK)


def test_the_interval_of_raw_agreement_is_that_of_a_share():
    # 60 of 100 articles agree: 0.6 -+ 1.96 * sqrt(0.24 / 100) = 0.504 to 0.696
    first = [article(str(n), TEXT, mark("B01", word(0))) for n in range(100)]
    second = [article(str(n), TEXT, *[mark("B01", word(0))] * (n < 60)) for n in range(100)]
    found = agreement(first, second, resamples=4000)["mean"]["p_o"]
    assert found["low"] == pytest.approx(0.504, abs=0.015)
    assert found["high"] == pytest.approx(0.696, abs=0.015)


def test_one_article_has_values_and_no_interval():
    found = agreement(
        [article("1", TEXT, mark("B01", word(0, 1)))], [article("1", TEXT, mark("B01", word(1, 2)))]
    )
    one = found["biases"]["B01"]["token_f1"]
    assert (one["value"], one["low"]) == (0.5, None)
    assert one["why"] == "one article gives no interval"


def test_a_span_inside_a_word_marks_the_word_and_punctuation_is_none():
    text = "He said: wait, wait."
    first = [article("1", text, mark("B01", (4, 6)))]
    second = [article("1", text, mark("B01", (3, 8), (13, 14)))]
    assert agreement(first, second, **QUICK)["biases"]["B01"]["token_f1"]["value"] == 1.0


def test_other_articles_texts_categories_and_empty_passes_are_refused():
    first, second = two_articles()
    with pytest.raises(DataError, match="a alone has the article 2"):
        agreement(first, second[:1])
    with pytest.raises(DataError, match="stands twice in the pass of b"):
        agreement(first, [*second, second[0]])
    other = article("2", TEXT.replace("ee", "EE"))
    with pytest.raises(
        DataError, match="differ from character 12 on: 'Aa bb cc dd ee ff gg hh ' and"
    ):
        agreement(first, [second[0], other])
    with pytest.raises(DataError, match="article '1' has the category 'B01', the schema has B02"):
        agreement(first, second, ["B02"])
    with pytest.raises(DataError, match="neither ann nor ben says"):
        agreement([article("1", TEXT)], [article("1", TEXT)], names=("ann", "ben"))
    with pytest.raises(OptionError, match="0 resamples"):
        agreement(first, second, resamples=0)
    with pytest.raises(DataError, match="they have no article"):
        agreement([], [])


def test_everything_is_json():
    import json

    found = agreement(*two_articles(), **QUICK)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert np.isfinite(found["mean"]["kappa"]["value"])
