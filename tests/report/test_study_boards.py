"""Each number of the files stands, rounded, in its cell."""

import csv
import io

import pytest
from made_study import (
    LARGE,
    METHODS,
    STANDARD,
    SUPERVISED,
    WHY,
    circuited,
    explained,
    made_circuit,
    made_explain,
    undefined,
)

from slant.explain.methods import METHODS as KNOWN
from slant.report.circuitboards import (
    circuit_board,
    effect_board,
    meeting_board,
    point_at,
    readings,
    setup_board,
)
from slant.report.erasureboards import difference_board, erasure_boards
from slant.report.formats import table_csv, table_html, table_latex, table_markdown
from slant.report.studies import METHOD_NAMES, study, supervised_pairs
from slant.report.studyboards import (
    class_board,
    main_board,
    plausibility_board,
    sentence_board,
    sweep_board,
)
from slant.report.tables import aside, cell_text, footnotes, interval


@pytest.fixture(scope="module")
def found():
    return study(made_explain(), made_circuit())


def shown(cell):
    return " ".join(
        part for part in (cell_text(cell), aside(cell), interval(cell.low, cell.high)) if part
    )


def rows(table):
    return [[shown(cell) for cell in row.cells] for row in table.rows]


def test_every_method_of_the_package_has_a_name_for_readers():
    assert set(KNOWN) <= set(METHOD_NAMES)


def test_models_are_called_by_system_and_condition(found):
    assert [one.label for one in found.subjects] == [
        "minilm (standard)", "minilm (supervised, λ 0.5)", "bge-small (standard)",
    ]  # fmt: skip


def test_models_that_differ_otherwise_have_that_in_their_name():
    models = {
        "a": explained(), "b": explained(lr=3e-4), "c": explained(lr=3e-4),
        "d": explained("tfidf-lr"),
    }  # fmt: skip
    labels = [one.label for one in study(made_explain(models), None).subjects]
    assert labels == [
        "encoder:minilm (standard, lr 0.0001)", "encoder:minilm (standard, lr 0.0003, b)",
        "encoder:minilm (standard, lr 0.0003, c)", "tfidf-lr (standard)",
    ]  # fmt: skip


def test_a_model_of_one_file_alone_stands_where_it_can():
    one = study(made_explain({"a": explained()}), made_circuit({"b": circuited(lam=0.5)}))
    assert [subject.name for subject in one.explained] == ["a"]
    assert [subject.name for subject in one.circuited] == ["b"]
    assert meeting_board(one, "m") is None


def test_table_1_has_the_numbers_of_the_paper_and_the_rows_without_a_model(found):
    table = main_board(found, "models")
    read = found.explain["models"][SUPERVISED]["plausibility"]["rollout"]["auroc"]
    assert table.head[2:] == (
        "class F1", "AUROC, CLS attention", "AUROC, rollout", "AUROC, gradient × attention",
        "AUROC, no model",
    )  # fmt: skip
    lines = rows(table)
    assert lines[0][:3] == ["minilm", "standard", "0.778 ± 0.012 [0.755, 0.804]"]
    assert lines[1][4] == (
        f"{read['value']:.3f} ± {read['spread']:.3f} ({read['within']:.3f}) "
        f"[{read['low']:.3f}, {read['high']:.3f}]"
    )
    assert [line[0] for line in lines[3:]] == [
        "inverse document frequency", "lexicon", "random", "humans",
    ]  # fmt: skip
    assert lines[3][-1].startswith("0.824 ± 0.005 (")
    assert lines[6][2] == "0.785"
    assert lines[6][-1] == "0.650"
    assert [row.control for row in table.rows] == [False] * 3 + [True] * 4
    assert "288 to 292 test sentences" in table.caption
    assert "5 seeds" in table.caption
    assert "95% intervals (1,000 resamples)" in table.caption
    assert "alpha of the labels 0.400" in table.notes[1]
    assert "12,086 answers" in table.notes[1]


def test_without_humans_the_table_says_so():
    explain = {**made_explain(), "humans": None}
    table = main_board(study(explain, None), "models")
    assert "humans" not in [row.cells[0].value for row in table.rows]
    assert table.notes[-1] == "The annotators' own agreement was not measured."


def test_plausibility_has_every_method_by_four_scores_and_pooled_ones(found):
    per, pooled = (plausibility_board(found, "p", pooled=flag) for flag in (False, True))
    assert len(per.rows) == 3 * len(METHODS) + 3 + 1
    assert len(pooled.rows) == 3 * len(METHODS) + 3
    for row, flat in zip(per.rows[: len(METHODS)], pooled.rows, strict=False):
        method = next(m for m in METHODS if METHOD_NAMES[m] == row.cells[0].value)
        scores = found.explain["models"][STANDARD]["plausibility"][method]
        assert row.section == "minilm (standard)"
        assert [cell.value for cell in row.cells[1:]] == [s["value"] for s in scores.values()]
        assert [cell.within for cell in row.cells[1:]] == [s["within"] for s in scores.values()]
        assert [cell.value for cell in flat.cells[1:]] == [s["pooled"] for s in scores.values()]
    assert rows(per)[-1] == ["one annotator", "0.650", "", "0.352", ""]


def test_slow_methods_that_saw_a_sample_are_named_below_the_table():
    explain = made_explain() | {"sample": 8}
    said = "Integrated gradients and occlusion: 8 of these sentences of each seed at most."
    assert said in plausibility_board(study(explain, None), "p").notes
    everything = study(explain | {"sample": 0}, None)
    assert not any("at most" in note for note in plausibility_board(everything, "p").notes)


def test_an_undefined_score_is_a_dash_with_its_reason_below():
    explain = made_explain()
    own = explain["models"][STANDARD]["plausibility"]["rollout"]
    own["auroc"] = undefined("no sentence has both classes")
    table = plausibility_board(study(explain, None), "p")
    assert cell_text(table.rows[1].cells[1]) == "–"
    assert list(footnotes(table)) == ["no sentence has both classes"]


def test_the_sweep_needs_two_weights_and_is_of_development_data(found):
    table = sweep_board(found, "lambda")
    assert [row.cells[0].value for row in table.rows] == ["0", "0.5"]
    assert table.head[2] == "AUROC, gradient × attention"
    dev = found.explain["models"][SUPERVISED]["dev"]
    assert table.rows[1].cells[1].value == dev["class_f1"]["value"]
    assert table.rows[1].cells[2].value == dev["auroc"]["gradient-attention"]["value"]
    assert "development" in table.caption
    models = {"a": explained(), "b": explained(lam=0.5, epochs=9)}
    assert sweep_board(study(made_explain(models), None), "lambda") is None


def test_pairs_of_supervision_differ_in_nothing_else(found):
    assert [(a.name, b.name) for a, b in supervised_pairs(found.subjects)] == [
        (STANDARD, SUPERVISED)
    ]


def test_table_d1_has_each_class_with_its_spread(found):
    table = class_board(found, "classes")
    assert rows(table)[2][2:5] == [
        "0.811 ± 0.012 [0.787, 0.838]", "0.752 ± 0.012 [0.728, 0.779]",
        "0.780 ± 0.010 [0.760, 0.802]",
    ]  # fmt: skip
    assert table.head[2:] == (
        "biased P", "biased R", "biased F1", "unbiased P", "unbiased R", "unbiased F1",
    )  # fmt: skip


def test_sentences_are_counted_for_each_seed(found):
    assert rows(sentence_board(found, "s"))[1] == ["43", "0", "542", "300", "291", "1"]


def test_erasure_stands_beside_random_words_and_has_a_table_for_each_removal(found):
    tables = erasure_boards(found, "erasure")
    assert list(tables) == ["delete", "mask", "unknown"]
    scores = found.explain["models"][LARGE]["erasure"]["occlusion"]["mask"]
    row = next(
        row
        for row in tables["mask"].rows
        if row.section == "bge-small (standard)" and row.cells[0].value == "occlusion"
    )
    assert [cell.value for cell in row.cells[1:]] == [
        scores[f"{what}{kind}"]["value"]
        for kind in ("comprehensiveness", "sufficiency")
        for what in ("", "random_", "excess_")
    ]
    assert cell_text(row.cells[3]).startswith("+")


def test_differences_name_both_sides(found):
    table = difference_board(found, "d")
    lines = {(row.section, row.cells[0].value, row.cells[1].value): row for row in table.rows}
    row = lines["minilm (supervised, λ 0.5)", "CLS attention", "CLS attention of minilm (standard)"]
    assert cell_text(row.cells[3]).startswith("+0.2")
    assert cell_text(row.cells[4]) == "< 0.001"
    assert "21 differences" not in table.notes[0]
    assert f"{3 * len(METHODS) + len(METHODS)} differences" in table.notes[0]
    assert difference_board(study({**made_explain(), "differences": []}, None), "d") is None


def test_table_e1_has_every_k_with_random_heads_below_it(found):
    assert readings(found)[0] == ("classes", "words")
    assert len(readings(found)) == 6
    table = circuit_board(found, "c", ("classes", "words"))
    point = found.circuit["models"][STANDARD]["curves"]["classes"]["words"]["points"][1]
    first, by_chance = table.rows[2], table.rows[3]
    assert (first.cells[0].value, by_chance.cells[0].value) == ("first 3", "random 3")
    assert [cell.value for cell in first.cells[1:]] == [
        3 / 72, 2.4, *(point[key]["value"] for key in table.head[3:]),
    ]  # fmt: skip
    assert by_chance.control
    assert by_chance.cells[-1].low == point["random"]["rescue"]["low"]
    assert by_chance.cells[-1].value == point["random"]["rescue"]["median"]
    text = " ".join((table.caption, *table.notes))
    for said in (
        "542 test texts", "5 seeds", "resample", "probe", "logit", "signed effect", "dev",
        "20 random sets", "95% intervals", "minus the base at 0 heads", "whatever the model",
    ):  # fmt: skip
        assert said in text, said
    changed = circuit_board(found, "c", ("corruption", "words"))
    assert "289 to 293 test texts of each seed that the corruption changes" in changed.caption


def test_shares_of_nothing_are_undefined_and_say_why(found):
    table = circuit_board(found, "c", ("classes", "excess"))
    assert {cell_text(cell) for row in table.rows for cell in row.cells[5:8]} == {"–"}
    assert list(footnotes(table)) == [WHY]
    assert all(row.cells[8].value is not None for row in table.rows)
    assert WHY in table_html(table)


def test_the_circuit_of_at_most_thirty_heads_is_taken(found):
    one = found.subject(STANDARD)
    assert point_at(one, ("classes", "words"))["k"] == 30
    assert point_at(one, ("classes", "words"), 29)["k"] == 20
    assert point_at(one, ("classes", "words"), 0) is None


def test_the_set_up_says_how_far_the_ranking_holds(found):
    line = rows(setup_board(found, "heads"))[2]
    assert line[:7] == ["bge-small", "standard", "12", "144", "542", "542", "289 to 293"]
    assert line[8].startswith("0.876 ")
    assert line[9].startswith("0.654 ")
    assert line[10].startswith("0.932 ")
    circuit = made_circuit({STANDARD: circuited()})
    circuit["models"][STANDARD]["attribution_patching"] = None
    circuit["models"][STANDARD]["agreement"] = undefined("")
    table = setup_board(study(None, circuit), "heads")
    assert list(footnotes(table)) == [
        "There is one seed only.", "Attribution patching was not asked for.",
    ]  # fmt: skip


def test_effects_of_blocks_of_unlike_width_fit_one_table():
    model = circuited(layers=2)
    model["heads"][1] = 3
    for grid in model["effects"].values():
        grid[1] = [0.1, None, -0.0004]
    table = effect_board(study(None, made_circuit({STANDARD: model})), "e", "words")
    assert rows(table)[1][:5] == ["layer 1", "0.100", "–", "0.000", ""]
    assert len({len(row.cells) for row in table.rows}) == 1


def test_deviations_have_columns_of_their_own_in_csv_and_stand_in_every_format(found):
    table = main_board(found, "models")
    line = next(csv.DictReader(io.StringIO(table_csv(table))))
    auroc = found.explain["models"][STANDARD]["plausibility"]["cls-attention"]["auroc"]
    assert float(line["AUROC, CLS attention spread"]) == auroc["spread"]
    assert float(line["AUROC, CLS attention within"]) == auroc["within"]
    assert float(line["class F1"]) == 0.7782
    assert "AUROC, CLS attention note" not in line
    assert '<span class="spread">± 0.012</span>' in table_html(table)
    assert r"0.778 $\pm$ 0.012" in table_latex(table)
    assert "0.778 [0.755, 0.804] ± 0.012" in table_markdown(table)
