"""Figures of a study draw the unrounded numbers, and say what they are."""

import pytest
from made_study import STANDARD, SUPERVISED, circuited, explained, made_circuit, made_explain

from slant.report.circuitplots import circuit_figure, effect_figure
from slant.report.drawings import figure_html, figure_svg
from slant.report.figures import COLOURS
from slant.report.studies import study
from slant.report.studyplots import meeting_figure

WORDS = ("classes", "words")


@pytest.fixture(scope="module")
def found():
    return study(made_explain(), made_circuit())


def data(figure, panel, layer):
    return figure.panels[panel]["layer"][layer]["data"]["values"]


def test_circuits_are_drawn_with_their_interval_and_random_heads_in_grey(found):
    figure = circuit_figure(found, "c", "c", WORDS)
    assert [panel["title"] for panel in figure.panels] == [
        "retention", "sufficiency", "completeness", "rescue",
    ]  # fmt: skip
    points = found.circuit["models"][SUPERVISED]["curves"]["classes"]["words"]["points"]
    for panel, share in enumerate(("retention", "sufficiency", "completeness", "rescue")):
        drawn = [d for d in data(figure, panel, 4) if d["series"] == "minilm (supervised, λ 0.5)"]
        assert [(d["k"], d["value"], d["low"], d["high"]) for d in drawn] == [
            (p["k"], p[share]["value"], p[share]["low"], p[share]["high"]) for p in points
        ]
        grey = [d for d in data(figure, panel, 0) if d["model"] == "minilm (supervised, λ 0.5)"]
        assert [(d["low"], d["high"]) for d in grey] == [
            (p["random"][share]["low"], p["random"][share]["high"]) for p in points
        ]
    for said in ("542 test texts", "5 seeds", "resample", "probe", "logit", "95% intervals"):
        assert said in figure.caption
    assert "cut at its edge" not in figure.caption


def test_an_interval_far_beyond_the_values_is_cut_and_the_caption_says_so():
    circuit = made_circuit({STANDARD: circuited()})
    point = circuit["models"][STANDARD]["curves"]["classes"]["words"]["points"][0]
    point["retention"] |= {"low": -40.0, "high": 55.0}
    figure = circuit_figure(study(None, circuit), "c", "c", WORDS)
    low, high = figure.panels[0]["layer"][4]["encoding"]["y"]["scale"]["domain"]
    assert -1 < low < high < 2
    assert "cut at its edge" in figure.caption


def test_undefined_shares_are_not_drawn(found):
    figure = circuit_figure(found, "c", "c", ("classes", "excess"))
    assert [panel["title"] for panel in figure.panels] == ["rescue"]


def test_the_heat_map_has_every_head_on_one_scale_around_zero(found):
    figure = effect_figure(found, "e", "e", "excess")
    assert [panel["title"] for panel in figure.panels] == [
        *(one.label for one in found.subjects), "effect",
    ]  # fmt: skip
    reach = max(
        abs(value)
        for model in found.circuit["models"].values()
        for row in model["effects"]["excess"]
        for value in row
    )
    for panel, model in zip(figure.panels, found.circuit["models"].values(), strict=False):
        layer = panel["layer"][0]
        cells = layer["data"]["values"]
        assert [c["value"] for c in cells] == [v for row in model["effects"]["excess"] for v in row]
        assert {c["series"] for c in cells if c["value"] < 0} == {"towards unbiased"}
        assert layer["encoding"]["fillOpacity"]["scale"]["domain"] == [0, reach]
        assert layer["encoding"]["y"]["scale"]["domain"][0] == model["blocks"][-1]
    strip = data(figure, 3, 0)
    assert strip[20]["size"] == pytest.approx(0)
    assert (strip[0]["from"], strip[-1]["to"]) == (-reach, pytest.approx(reach))


def test_the_heat_map_of_the_page_takes_its_colours_from_the_page(found):
    svg = figure_html(effect_figure(found, "e", "e", "words"))
    assert "var(--series-1)" in svg
    assert "var(--series-2)" in svg
    assert not any(colour in svg for colour in COLOURS)


def test_plausibility_is_drawn_against_retention_with_class_f1_as_size(found):
    figure = meeting_figure(found, "m", "m", WORDS)
    drawn = {d["series"]: d for d in data(figure, 0, 2)}
    datum = drawn["minilm (supervised, λ 0.5)"]
    model = found.explain["models"][SUPERVISED]
    assert datum["x"] == max(s["auroc"]["value"] for s in model["plausibility"].values())
    points = found.circuit["models"][SUPERVISED]["curves"]["classes"]["words"]["points"]
    assert datum["y"] == next(p["retention"]["value"] for p in points if p["k"] == 30)
    assert datum["f1"] == 0.7931
    assert "first 30 heads" in figure.caption
    assert "0.771 to 0.793" in figure.caption
    tags = {d["series"]: d for d in data(figure, 0, 3)}
    assert {d["tag"] for d in tags.values()} == {"0.778", "0.793", "0.771"}


def test_the_largest_k_below_thirty_is_drawn_where_thirty_is_absent():
    models = {STANDARD: circuited(), SUPERVISED: circuited(lam=0.5)}
    for model in models.values():
        points = model["curves"]["classes"]["words"]["points"]
        points[:] = [point for point in points if point["k"] not in {30, 20, 18}]
    figure = meeting_figure(study(made_explain(), made_circuit(models)), "m", "m", WORDS)
    assert "first 10 heads" in figure.caption
    assert {d["k"] for d in data(figure, 0, 2)} == {10}


def test_one_model_alone_is_not_drawn_against_itself():
    one = study(made_explain({STANDARD: explained()}), made_circuit())
    assert meeting_figure(one, "m", "m", WORDS) is None


def test_the_same_study_gives_the_same_drawing(found):
    one, other = (figure_svg(meeting_figure(found, "m", "m", WORDS)) for _ in range(2))
    assert one == other
