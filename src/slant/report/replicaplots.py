"""A run of associations -> figure of d by test and corpus: each replica, the mean, its interval."""

from __future__ import annotations

from slant.report.associations import Associations, Question, level_text, method_name
from slant.report.escaping import visible
from slant.report.figures import INK, Figure, Series, Spec, looks, point, series_of

_WIDTH, _ROW = 190, 26


def replica_figure(found: Associations, method: str, name: str, table: str) -> Figure | None:
    """d of each test: a panel each, a line for each corpus, small points for replicas.

    Args:
        found: what was read.
        method: of the tests.
        name: of the figure.
        table: the name of the table with the same numbers.

    Returns:
        The figure; None where no test of the method has a d.
    """
    series = series_of(found.corpora)
    panels: list[tuple[Question, list[Spec], list[Spec]]] = []
    for one in found.questions:
        tests = [
            test for c in found.corpora if (test := one.test(c, method)) and test["d"] is not None
        ]
        means = [point(test["vectors"], {**test, "value": float(test["d"])}) for test in tests]
        each = [
            {"series": test["vectors"], "replica": r["name"], "value": r["d"]}
            for test in tests
            if len(test.get("replicas", ())) > 1
            for r in test["replicas"]
            if r["d"] is not None
        ]
        if means:
            panels.append((one, means, each))
    if not panels:
        return None
    ends = [0.0]
    for _, means, each in panels:
        ends += [datum[key] for datum in means for key in ("low", "value", "high")]
        ends += [datum["value"] for datum in each]
    room = 0.05 * (max(ends) - min(ends)) or 0.1
    domain = [min(ends) - room, max(ends) + room]
    several = any(each for _, _, each in panels)
    points = "large points are the mean over replicas, small ones each replica" if several \
        else "points are d"  # fmt: skip
    caption = (
        f"d by {method_name(method)}: {points}, lines {level_text(found.read)}; the dashed line is "
        "0. "
        + ("Replicas show the noise of training alone. " if several else "")
        + "What lines are the intervals of stands under the table of every test. All panels have "
        "one axis."
    )
    alt = f"Dot plot of d of {len(panels)} tests in {', '.join(found.corpora)}"
    drawn = tuple(_panel(one, means, each, series, domain) for one, means, each in panels)
    return Figure(name, visible(caption), visible(alt), table, series, drawn, 3)


def _panel(
    one: Question,
    means: list[Spec],
    each: list[Spec],
    series: tuple[Series, ...],
    domain: list[float],
) -> Spec:
    names = [label for label, _, _ in series]
    y = {
        "field": "series",
        "type": "nominal",
        "sort": None,
        "scale": {"domain": names},
        "axis": {"title": None, "labelLimit": 110, "labelFontSize": 11},
    }

    def x(field: str) -> Spec:
        return {
            "field": field,
            "type": "quantitative",
            "scale": {"domain": domain, "nice": False, "zero": False},
            "axis": {"title": None, "tickCount": 5, "format": ".2~f"},
        }

    both = looks(series)
    layers = [
        {
            "data": {"values": [{"value": 0}]},
            "mark": {"type": "rule", "color": INK, "opacity": 0.5, "strokeDash": [3, 3]},
            "encoding": {"x": x("value")},
        },
        {
            "data": {"values": means},
            "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.55},
            "encoding": {"x": x("low"), "x2": {"field": "high"}, "y": y, "color": both["color"]},
        },
        {
            "data": {"values": each},
            "mark": {"type": "point", "filled": True, "size": 14, "opacity": 0.55, "yOffset": 8},
            "encoding": {"x": x("value"), "y": y, **both},
        },
        {
            "data": {"values": means},
            "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
            "encoding": {"x": x("value"), "y": y, **both},
        },
    ]
    height = _ROW * len(names)
    return {"title": visible(one.label), "width": _WIDTH, "height": height, "layer": layers}
