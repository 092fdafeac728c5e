"""Figures of associations draw the unrounded numbers of the record, and no label hides another."""

import json
import random
from itertools import combinations

import pytest
from made_associations import CORPORA, made_associations

from slant.report.associationplots import SIZE, word_dots, words_figure
from slant.report.associations import associations
from slant.report.associationwordtables import words_board
from slant.report.drawings import figure_html
from slant.report.figures import figure_spec
from slant.report.labels import free_places
from slant.report.replicaplots import replica_figure


@pytest.fixture(scope="module")
def found():
    return associations(made_associations(methods=("weat",)))


@pytest.fixture(scope="module")
def figure(found):
    return words_figure(found, found.questions[0], "weat", "words", "words")


def layer(panel, mark, field):
    return next(
        one for one in panel["layer"]
        if one["mark"]["type"] == mark and all(field in datum for datum in one["data"]["values"])
        and one["data"]["values"]
    )  # fmt: skip


def values(found, corpus, side):
    test = found.questions[0].test(corpus, "weat")
    return dict(test["values"][side])


def test_each_word_stands_where_the_record_says_in_both_corpora(found, figure):
    assert len(figure.panels) == 2
    for panel, corpus in zip(figure.panels, CORPORA[1:], strict=True):
        drawn = layer(panel, "point", "word")["data"]["values"]
        expected = {
            (side, word): (h, values(found, corpus, side)[word])
            for side in "xy"
            for word, h in values(found, CORPORA[0], side).items()
        }
        side_of = {"science": "x", "art": "y"}
        assert {
            (side_of[d["series"]], d["word"]): (d["x"], d["y"]) for d in drawn
        } == expected  # fmt: skip


def test_the_large_points_are_the_means_of_each_set(found, figure):
    points = [one for one in figure.panels[0]["layer"] if one["mark"]["type"] == "point"]
    means = {d["series"]: (d["x"], d["y"]) for d in points[1]["data"]["values"]}
    assert points[1]["mark"]["size"] > points[0]["mark"]["size"]
    for name, side in (("science", "x"), ("art", "y")):
        for axis, corpus in enumerate(CORPORA[:2]):
            own = values(found, corpus, side).values()
            assert means[name][axis] == pytest.approx(sum(own) / len(own))


def test_the_marginal_histograms_count_every_word_once(found, figure):
    bars = [one["data"]["values"] for one in figure.panels[0]["layer"]
            if one["mark"]["type"] == "rect"]  # fmt: skip
    assert len(bars) == 2
    for row, corpus in zip(bars, CORPORA[:2], strict=True):
        for name, side in (("science", "x"), ("art", "y")):
            own = values(found, corpus, side).values()
            mine = [bar for bar in row if bar["series"] == name]
            assert sum(bar["count"] for bar in mine) == len(own)
            for bar in mine:
                inside = [h for h in own if bar["from"] <= h < bar["to"]]
                assert bar["count"] == len(inside)


def test_a_set_has_a_colour_and_a_shape_and_the_mean_has_its_own_line(figure):
    assert [(label, shape) for label, _, shape in figure.series] == [
        ("science", "circle"), ("art", "square"),
    ]  # fmt: skip
    assert "Large points are the means" in figure.caption
    assert "nearer to male" in figure.caption


def box(place, label):
    half = len(label) * 5.9 / 2
    x, y = place.centre
    return x - half, y - 6, x + half, y + 6


def apart(a, b):
    return a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_no_label_hides_a_label_a_point_or_the_edge():
    dice = random.Random(7)
    dots = [(dice.gauss(200, 60), dice.gauss(200, 60)) for _ in range(80)]
    labels = ["w" * dice.randint(3, 12) for _ in dots]
    mean = (190.0, 190.0, 210.0, 210.0)
    places = free_places(dots, labels, (SIZE, SIZE), taken=[mean])
    boxes = [box(p, label) for p, label in zip(places, labels, strict=True) if p]
    assert 20 < len(boxes) < 80
    for a, b in combinations(boxes, 2):
        assert apart(a, b)
    for a in boxes:
        assert apart(a, mean)
        assert min(a) >= 0
        assert max(a) <= SIZE
        for x, y in dots:
            assert apart(a, (x - 5, y - 5, x + 5, y + 5))


def test_words_without_a_label_are_counted_in_the_caption_and_stay_points():
    read = made_associations(methods=("weat",))
    for test in read["tests"]:
        if "values" in test:
            test["values"]["x"] = [[f"word{i}", 0.01 + i / 1e6] for i in range(40)]
    found = associations(read)
    figure = words_figure(found, found.questions[0], "weat", "words", "words")
    assert "labels had no room" in figure.caption
    drawn = layer(figure.panels[0], "point", "word")["data"]["values"]
    assert len([d for d in drawn if d["series"] == "science"]) == 40


def test_a_word_of_one_corpus_alone_is_named_and_not_drawn():
    read = made_associations(methods=("weat",), corpora=CORPORA[:2])
    first = read["tests"][0]["values"]
    first["x"] = [pair for pair in first["x"] if pair[0] != "math"]
    found = associations(read)
    dots, left = word_dots(found.questions[0], "weat", *CORPORA[:2])
    assert left == ["math"]
    assert len(dots) == 18
    figure = words_figure(found, found.questions[0], "weat", "words", "words")
    assert "Not in both corpora, so not drawn: math." in figure.caption
    table = words_board(found, found.questions[0], "weat", "words")
    math = next(r.cells for r in table.rows if r.cells[0].value == "math")
    assert (math[1].value, math[1].note) == (None, "the vectors do not have it")
    assert math[2].value is not None


def test_one_corpus_has_its_words_on_two_lines():
    found = associations(made_associations(methods=("weat",), corpora=CORPORA[:1]))
    figure = words_figure(found, found.questions[0], "weat", "words", "words")
    assert len(figure.panels) == 1
    drawn = layer(figure.panels[0], "point", "word")["data"]["values"]
    assert len({d["py"] for d in drawn if d["series"] == "science"}) == 1
    assert {d["word"]: d["x"] for d in drawn} == {
        **values(found, CORPORA[0], "x"), **values(found, CORPORA[0], "y"),
    }  # fmt: skip


def test_without_values_nothing_is_drawn():
    read = made_associations(methods=("weat",))
    for test in read["tests"]:
        test.pop("values", None)
    found = associations(read)
    assert words_figure(found, found.questions[0], "weat", "w", "w") is None
    assert words_board(found, found.questions[0], "weat", "w") is None


def test_on_the_page_a_point_says_its_word_and_values_and_markup_stays_text(figure):
    html = str(figure_html(figure))
    assert "<b>einstein" not in html
    assert html.count('class="told" tabindex="0"') == 2 * (19 + 2)
    assert html.count("<title>") == 2 * (19 + 2)
    assert "<title>&lt;b&gt;einstein&lt;/b&gt;: " in html
    assert "<title>mean of science: 0.0" in html
    assert "<script" not in html
    assert html.count('role="group"') == 2


def test_d_of_each_replica_and_its_interval_are_those_of_the_record(found):
    figure = replica_figure(found, "weat", "replicas-weat", "replicas")
    assert [panel["title"] for panel in figure.panels] == [one.label for one in found.questions]
    for panel, one in zip(figure.panels, found.questions, strict=True):
        _, lines, each, means = (row["data"]["values"] for row in panel["layer"])
        tests = [t for t in one.tests if t["d"] is not None]
        assert lines == means
        assert [(m["series"], m["value"], m["low"], m["high"]) for m in means] == [
            (t["vectors"], t["d"], t["low"], t["high"]) for t in tests
        ]
        assert [(d["series"], d["value"]) for d in each] == [
            (t["vectors"], r["d"]) for t in tests for r in t["replicas"]
        ]
    domains = {
        json.dumps(panel["layer"][1]["encoding"]["x"]["scale"]["domain"]) for panel in figure.panels
    }
    assert len(domains) == 1
    assert replica_figure(found, "weatvec", "r", "r") is None


def test_a_figure_for_a_file_holds_all_panels_on_white(figure):
    spec = figure_spec(figure)
    assert len(spec["concat"]) == 2
    assert spec["config"]["background"] == "#ffffff"
