import json
import random
import re
import subprocess
import sys
from math import log
from pathlib import Path

import pytest
from made_scores import made_comparison, made_run, made_runs

from slant.report.curveboards import bin_board, learning_curves
from slant.report.curveplots import comparison_figure, learning_figure, reliability_figure
from slant.report.drawings import figure_html, figure_pdf, figure_svg
from slant.report.entries import entries
from slant.report.figures import COLOURS, figure_spec, share_domain
from slant.report.labels import label_places
from slant.report.scoreplots import dataset_figure, task_figure
from slant.report.settings import settings

TASK = "mbib/fake-news"


@pytest.fixture(scope="module")
def setting():
    return settings(entries(made_runs()))[0]


def data(figure, panel=0):
    return [layer["data"]["values"] for layer in figure.panels[panel]["layer"]]


def test_the_task_figure_draws_the_unrounded_numbers_of_both_averages(setting):
    figure = task_figure(setting, "tasks")
    for panel, average in ((0, "micro_f1"), (1, "group_f1")):
        drawn = {(p["task"], p["series"]): p["value"] for p in data(figure, panel)[-1]}
        assert (
            drawn["fake news", "lexicon"]
            == setting.entries[1].tasks[TASK]["scores"][average]["value"]
        )
        assert len(drawn) == 16


def test_the_task_figure_has_a_bar_for_source_only_and_a_dashed_one_for_chance(setting):
    figure = task_figure(setting, "tasks")
    layers = figure.panels[0]["layer"]
    for layer, control in zip(layers, ("source-only", "random"), strict=False):
        scores = setting.controls[control]
        assert [bar["value"] for bar in layer["data"]["values"]] == [
            scores[task]["micro_f1"]["value"] for task in setting.tasks
        ]
    assert ["strokeDash" in layer["mark"] for layer in layers[:2]] == [False, True]
    assert "the dashed one what a coin reaches" in figure.caption
    assert [text.split(",")[0] for _, text in figure.bars] == ["source-only", "random"]


def test_an_axis_that_does_not_start_at_zero_is_said_in_the_caption(setting):
    made = [made_run(share=0.5, level=0.6), made_run()]
    curves = learning_curves(settings(entries(made))[0])
    for figure in (
        task_figure(setting, "t"),
        dataset_figure(setting, "d"),
        learning_figure(curves, "l"),
    ):
        encoding = figure.panels[0]["layer"][-1]["encoding"]
        axis = encoding["x" if figure.name == "t" else "y"]
        if figure.name == "d":
            axis = figure.panels[0]["layer"][2]["encoding"]["y"]
        low, high = axis["scale"]["domain"]
        assert low > 0
        assert f"runs from {low:g} to {high:g}, not from 0" in figure.caption


def test_a_run_with_fewer_tasks_is_drawn_where_it_has_points():
    made = [made_run(), made_run(system="minilm-lr", tasks={TASK: ["012", "025", "072"]})]
    setting = settings(entries(made))[0]
    drawn = [p["task"] for p in data(task_figure(setting, "t"))[-1] if p["series"] == "minilm-lr"]
    assert drawn == ["fake news"]
    assert len(dataset_figure(setting, "d").panels) == 2
    assert len(data(reliability_figure(setting, "r"))[1]) == 10


def test_a_bin_of_few_texts_is_a_small_point_that_no_line_joins():
    run, scores = made_run()
    scores["tasks"][TASK]["calibration"]["bins"][0]["n"] = 9
    setting = settings(entries([(run, scores)]))[0]
    figure = reliability_figure(setting, "r")
    panel = next(p for p in figure.panels if p["title"] == "fake news")
    line, points = (layer["data"]["values"] for layer in panel["layer"][1:])
    assert (len(line), len(points)) == (9, 10)
    assert "fewer than 10 texts" in figure.caption
    board = bin_board(setting, "b")
    notes = [r.cells[4].note for r in board.rows if r.section == "fake news"]
    assert notes[:2] == ["fewer than 10 texts", ""]


def test_an_undefined_score_has_no_point():
    run, scores = made_run()
    scores["tasks"][TASK]["scores"]["group_f1"] = {"value": None, "why": "one-class data sets only"}
    figure = task_figure(settings(entries([(run, scores)]))[0], "tasks")
    assert len(data(figure, 0)[-1]) == 8
    assert len(data(figure, 1)[-1]) == 7


def test_a_data_set_of_one_class_is_not_drawn_against_its_size(setting):
    names = {point["tag"] for point in data(dataset_figure(setting, "d"))[0]}
    assert not any(name.startswith("076") for name in names)
    # RedditBias serves two tasks, so its two points say which.
    assert {"075 gender", "075 racial"} <= names


def test_labels_cover_neither_points_nor_one_another():
    dice = random.Random(4)
    points = [(10 ** dice.uniform(2, 4.5), dice.uniform(0.3, 0.9)) for _ in range(26)]
    labels = [f"{i:03d}" + " linguistic" * (i % 3 == 0) for i in range(26)]
    sizes, shares, pixels = (60, 50_000), (0.2, 1.0), (360, 300)

    def pixel(n, y):
        return log(n / sizes[0]) / log(sizes[1] / sizes[0]) * 360, (1 - y) / 0.8 * 300

    places = label_places(points, labels, sizes, shares, pixels)
    boxes = []
    for place, label in zip(places, labels, strict=True):
        x, y = pixel(*place.centre)
        half = len(label) * 5.9 / 2
        boxes.append((x - half + 0.01, y - 5.99, x + half - 0.01, y + 5.99))
    for i, a in enumerate(boxes):
        assert a[0] >= 0
        assert a[2] <= 360
        assert not any(a[0] < x < a[2] and a[1] < y < a[3] for x, y in (pixel(*p) for p in points))
        assert not any(
            a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3] for b in boxes[i + 1 :]
        )


def test_reliability_draws_no_empty_bin(setting):
    figure = reliability_figure(setting, "r")
    # The third task has ten bins of which the first is empty.
    assert [len(data(figure, i)[1]) for i in range(8)] == [10, 10, 9, 10, 10, 10, 10, 10]


def test_learning_needs_two_shares_of_one_system():
    assert learning_figure(learning_curves(settings(entries(made_runs()))[0]), "l") is None
    made = [made_run(share=0.5, level=0.6), made_run(), made_run(system="lexicon")]
    figure = learning_figure(learning_curves(settings(entries(made))[0]), "l")
    assert [(p["series"], p["share"]) for p in data(figure)[1]] == [
        ("tfidf-lr", 0.5),
        ("tfidf-lr", 1.0),
    ]


def test_a_run_on_a_part_of_the_training_texts_stays_out_of_the_other_figures():
    made = settings(entries([made_run(share=0.5), made_run()]))[0]
    assert [label for label, _, _ in task_figure(made, "t").series] == ["tfidf-lr"]


def test_a_forest_plot_tells_significant_differences_by_shape_as_well():
    figure = comparison_figure(made_comparison(), "c")
    drawn = {p["task"]: p["series"] for p in data(figure)[2]}
    # p Holm: 0.0001 * 8 and 0.9 * 3.
    assert drawn["linguistic bias"] == "p Holm below 0.05"
    assert drawn["racial bias"] == "p Holm 0.05 or more"
    assert len({shape for _, _, shape in figure.series}) == 2


def test_a_comparison_without_any_defined_difference_has_no_plot():
    made = made_comparison()
    for task in made["tasks"]:
        task["difference"] = None
    assert comparison_figure(made, "c") is None


def test_an_axis_ends_at_the_tenths_around_what_is_drawn():
    assert share_domain([{"value": 0.3, "low": 0.29, "high": 0.31}]) == [0.2, 0.4]
    assert share_domain([{"value": 0.5}]) == [0.5, 0.6]
    assert share_domain([]) == [0.0, 1.0]


def test_a_figure_reads_nothing_but_its_own_data(setting):
    for figure in (
        task_figure(setting, "t"),
        dataset_figure(setting, "d"),
        comparison_figure(made_comparison(), "c"),
    ):
        spec = figure_spec(figure)
        assert json.loads(json.dumps(spec)) == spec
        assert '"url"' not in json.dumps(spec)


def test_the_same_figure_gives_the_same_bytes_in_another_process(setting):
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from made_scores import made_runs;"
        "from slant.report.entries import entries; from slant.report.settings import settings; from slant.report.scoreplots import dataset_figure;"
        "from slant.report.drawings import figure_svg;"
        "sys.stdout.write(figure_svg(dataset_figure(settings(entries(made_runs()))[0], 'd')))"
    )
    made = subprocess.run(
        [sys.executable, "-c", code, str(Path(__file__).parent)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert made.stdout == figure_svg(dataset_figure(setting, "d"))


def test_a_figure_file_is_svg_on_white_and_pdf(setting):
    figure = task_figure(setting, "t")
    assert 'fill="#ffffff"' in figure_svg(figure)
    assert figure_pdf(figure).startswith(b"%PDF-")


def test_a_figure_on_the_page_takes_the_colours_of_the_page(setting):
    html = figure_html(task_figure(setting, "t"))
    assert not any(colour in html for colour in COLOURS)
    assert "var(--series-1)" in html
    assert "currentColor" in html
    assert re.search(r'<svg role="img" aria-label="Dot plot of micro and group F1 on 8 tasks', html)


def test_two_drawings_share_no_id(setting):
    html = figure_html(task_figure(setting, "t")) + figure_html(dataset_figure(setting, "d"))
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))


def test_markup_in_the_name_of_a_system_is_text_in_a_drawing():
    made = settings(entries([made_run(system='<script>"&')]))[0]
    for text in (figure_html(dataset_figure(made, "d")), figure_svg(dataset_figure(made, "d"))):
        assert "<script" not in text
        assert "&lt;script" in text


def test_the_task_figure_is_as_it_was_looked_at(setting, same_as_golden):
    figure = task_figure(setting, "tasks")
    same_as_golden("tasks-figure.json", json.dumps(figure_spec(figure), indent=1) + "\n")
    same_as_golden("tasks-figure.svg", figure_svg(figure))
