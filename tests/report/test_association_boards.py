"""Tables of associations: what is grey, plain or bold, in all formats, and what is said of it."""

import csv
import io

import pytest
from made_associations import CORPORA, EFFECTS, SETS, WHY, made_associations, made_test

from slant.report.associationboards import (
    compared_board,
    effect_board,
    every_test,
    grid_of,
    size_board,
)
from slant.report.associationchecks import (
    fisher_board,
    measure_board,
    replica_board,
    robustness_board,
)
from slant.report.associations import associations
from slant.report.associationtables import (
    coverage_board,
    left_out_board,
    overlap_board,
    settings_board,
)
from slant.report.associationwords import (
    associations_answers,
    associations_asked,
    associations_cautions,
)
from slant.report.associationwordtables import fact_board, fact_words_boards, neighbour_board
from slant.report.formats import table_csv, table_html, table_latex, table_markdown
from slant.report.tables import Cell, Row, Table, cell_text, tail


@pytest.fixture(scope="module")
def found():
    return associations(made_associations())


def row(table, section, first):
    return next(r.cells for r in table.rows if r.section == section and r.cells[0].value == first)


def shown(cell):
    return cell_text(cell), cell.mark, cell.weight


# Bonferroni over 24 by hand: 0.00001 x 24 = 0.00024 < 0.001; 0.0016 x 24 = 0.0384 < 0.05;
# 0.0014 x 24 = 0.0336 < 0.05; 0.61 x 24 > 1; 0.00207 x 24 = 0.04968; 0.0021 x 24 = 0.0504.
@pytest.mark.parametrize(
    ("section", "corpus", "column", "said"),
    [
        ("science/art", "wikipedia", 1, ("1.324", "***", "bold")),
        ("science/art", "conservapedia", 1, ("1.626", "***", "bold")),
        ("science/art", "rationalwiki", 1, ("0.732", "*", "")),
        ("science/art", "wikipedia", 3, ("−0.610", "*", "")),
        ("science/art", "conservapedia", 3, ("0.128", "n.s.", "grey")),
        ("science/art", "rationalwiki", 3, ("–", "", "")),
        ("career/family", "conservapedia", 3, ("−1.095", "*", "")),
        ("career/family", "rationalwiki", 3, ("−0.848", "n.s.", "grey")),
    ],
)
def test_a_cell_of_table_1_is_grey_plain_or_bold_by_its_corrected_p(
    found, section, corpus, column, said
):
    table = effect_board(found, "effects")
    assert shown(row(table, section, corpus)[column]) == said


def test_table_1_has_pairs_by_corpus_down_and_pairs_by_method_across(found):
    table = effect_board(found, "effects")
    assert table.head == (
        "corpus", "male/female, d", "male/female, d_vec",
        "christianity/islam, d", "christianity/islam, d_vec",
    )  # fmt: skip
    assert [(r.section, r.cells[0].value) for r in table.rows] == [
        (pair, corpus) for pair in ("science/art", "career/family") for corpus in CORPORA
    ]
    # d_vec of the made run is d - 0.08.
    cells = row(table, "science/art", "wikipedia")
    assert (cells[1].value, cells[2].value) == (1.3241, 1.3241 - 0.08)
    assert row(table, "science/art", "rationalwiki")[3].note == WHY


@pytest.mark.parametrize(
    ("correction", "mark"),
    # p of career/family by christianity/islam in rationalwiki is 0.0021: Holm is made 0.9 times
    # 0.0504 = 0.04536; without correction 0.0021.
    [("bonferroni", "n.s."), ("holm", "*"), ("benjamini-hochberg", "*"), ("none", "*")],
)
def test_another_correction_makes_other_cells_grey(correction, mark):
    table = effect_board(associations(made_associations(correction=correction)), "effects")
    assert row(table, "career/family", "rationalwiki")[3].mark == mark


@pytest.mark.parametrize(
    ("ending", "write"),
    [("html", table_html), ("md", table_markdown), ("tex", table_latex), ("csv", table_csv)],
)
def test_table_1_is_as_it_was_in_every_format(found, same_as_golden, ending, write):
    text = str(write(effect_board(found, "effects")))
    same_as_golden(f"associations-effects.{ending}", text.rstrip("\n") + "\n")


def test_grey_and_bold_are_told_without_colour_or_type_in_every_format():
    cells = (
        Cell("a"),
        Cell(0.5, "score", mark="n.s.", weight="grey"),
        Cell(2.0, "score", mark="***", weight="bold"),
    )
    table = Table("t", "c", ("corpus", "x", "y"), (Row(cells),))
    assert '<span class="grey">0.500</span> <span class="mark">n.s.</span>' in table_html(table)
    assert '<strong>2.000</strong> <span class="mark">***</span>' in table_html(table)
    assert "| a | 0.500 n.s. | **2.000** \\*\\*\\* |" in table_markdown(table)
    latex = table_latex(table)
    assert r"\textcolor{gray}{0.500} \textit{n.s.} & \textbf{2.000} \textit{***}" in latex
    assert latex.startswith("% \\usepackage{booktabs,xcolor}")
    assert "a,0.5,n.s.,2.0,***" in table_csv(table)


def test_tests_that_are_no_grid_have_a_row_each():
    read = made_associations(methods=("weat",))
    # Without career/family by christianity/islam one corner of the grid is empty.
    read["tests"] = [t for t in read["tests"] if (t["x"], t["a"]) != ("career", "christianity")]
    found = associations(read)
    assert grid_of(found.questions) is None
    table = effect_board(found, "effects")
    assert table.head == ("test", *CORPORA)
    assert [r.cells[0].value for r in table.rows] == [
        "science/art × male/female", "science/art × christianity/islam",
        "career/family × male/female",
    ]  # fmt: skip
    assert [c.value for c in table.rows[0].cells[1:]] == [d for d, _ in EFFECTS["science", "male"]]


def test_a_test_with_a_name_of_its_own_keeps_it():
    test = made_test(("science", "art"), ("male", "female"), "wikipedia", "weat", 1.0, 0.01)
    read = made_associations(tests=[{**test, "name": "WEAT8"}], corpora=("wikipedia",), compared=[])
    table = every_test(associations(read), "tests")
    assert table.rows[0].section == "WEAT8 (science/art × male/female)"


def test_every_test_has_interval_p_its_way_the_smallest_and_all_corrections(found):
    table = every_test(found, "tests")
    assert table.head == (
        "corpus", "d", "p", "method of p", "smallest p",
        "Bonferroni", "Holm", "Benjamini-Hochberg", "maxT",
    )  # fmt: skip
    assert len(table.rows) == len(found.read["tests"])
    cells = row(table, "science/art × male/female", "wikipedia, WEAT")
    assert (cells[1].value, cells[1].low, cells[1].high) == (1.3241, 0.8241, 1.7241)
    assert (cells[2].value, cells[2].low) == (0.00001, 0.00001 * 0.99)
    assert [cell_text(c) for c in cells[2:]] == [
        "1.0e−5", "lattice", "1.1e−5", "2.4e−4", "2.2e−4", "7.2e−5", "1.9e−4",
    ]  # fmt: skip
    undefined = row(table, "science/art × christianity/islam", "rationalwiki, WEAT")
    assert {c.note for c in undefined if c.value is None} == {WHY}
    assert table.notes[1] == "Intervals: crossed bootstrap: targets, attributes, replicas."


def test_a_simulated_p_has_its_error_and_the_csv_is_not_rounded():
    test = made_test(("science", "art"), ("male", "female"), "wikipedia", "weat", 1.0, 0.000123456)
    test |= {"p_method": "monte-carlo", "p_low": None, "p_high": None, "p_error": 0.0000351}
    read = made_associations(tests=[test], corpora=("wikipedia",), compared=[])
    table = every_test(associations(read), "tests")
    assert "1.2e−4 ± 3.5e−5 | monte-carlo" in table_markdown(table)
    first = next(csv.DictReader(io.StringIO(table_csv(table))))
    assert (first["p"], first["p spread"]) == ("0.000123456", "3.51e-05")


def test_a_p_just_below_a_bound_does_not_read_as_the_bound():
    assert tail(0.04968) == "< 0.05"
    assert tail(0.05) == "0.050"
    assert tail(0.000999) == "1.0e−3"


def test_sizes_and_coverage_name_the_missing_words(found):
    cells = row(size_board(found, "s"), "science/art × christianity/islam", "rationalwiki, WEAT")
    assert [c.value for c in cells[1:]] == [10, 9, 4, 0, "allah, ramadan, emir", "none"]
    cells = row(coverage_board(found, "c"), "islam", "rationalwiki")
    assert [c.value for c in cells[1:4]] == [0, 3, "allah, ramadan, emir"]
    assert row(coverage_board(found, "c"), "islam", "wikipedia")[3].value == "none"


def test_fisher_stands_beside_its_false_positives(found):
    cells = row(fisher_board(found, "f"), "science/art × male/female", "rationalwiki, WEAT")
    assert [cell_text(c) for c in cells[1:]] == [
        "0.002", "4.0e−5", "0.190", "2,000 shuffled labellings",
    ]  # fmt: skip


def test_replicas_stand_beside_their_mean_and_spread(found):
    table = replica_board(found, "r")
    assert table.head == ("corpus", "d", "spread", *(f"replica {i}" for i in range(8)))
    cells = row(table, "science/art × male/female", "conservapedia, WEAT")
    test = next(
        t for t in found.read["tests"]
        if (t["name"], t["vectors"], t["method"])
        == ("science/art:male/female", "conservapedia", "weat")
    )  # fmt: skip
    assert [c.value for c in cells[3:]] == [r["d"] for r in test["replicas"]]
    assert (cells[1].value, cells[2].value) == (1.6262, 0.06)


def test_robustness_names_the_words_that_lower_and_raise_d_most():
    left = [("math", 1.2), ("poetry", 0.8), ("novel", 1.1)]
    test = made_test(("science", "art"), ("male", "female"), "wikipedia", "weat", 1.0, 0.01)
    test["leave_one_out"] = [
        {"word": word, "set": "x" if word == "math" else "y", "d": d} for word, d in left
    ]
    test |= {"split_half_targets": 0.71}
    test["frequency_matched"] = {"d": 0.9, "pairs": [["math", "art"]] * 3}
    read = made_associations(tests=[test], corpora=("wikipedia",), compared=[])
    cells = robustness_board(associations(read), "r").rows[0].cells
    assert [c.value for c in cells[2:]] == [
        0.8, "poetry (art)", 1.2, "math (science)", 0.83, 0.71, 0.9,
    ]  # fmt: skip
    assert cells[-1].mark == "3 pairs"


def test_a_measure_with_a_value_for_each_of_several_sets_has_a_column_for_each():
    row = {"name": "science/art:male/female", "vectors": "wikipedia", "measure": "ripa"}
    read = made_associations(
        measures=[
            {**row, "sets": ["x", "a", "b"], "value": 0.2},
            {**row, "sets": ["y", "a", "b"], "value": -0.1},
            {**row, "measure": "mac", "sets": ["xy", "a"], "value": None, "why": "a zero vector"},
        ]
    )
    table = measure_board(associations(read), "m")
    assert table.head == ("corpus", "MAC", "RIPA, X A B", "RIPA, Y A B")
    assert [c.value for c in table.rows[0].cells[1:]] == [None, 0.2, -0.1]
    assert table.rows[0].cells[1].note == "a zero vector"


def test_a_difference_between_corpora_is_set_by_its_own_p(found):
    table = compared_board(found, "c")
    section = "science/art × male/female"
    # 1.3241 - 1.6262 = -0.3021, p 0.21; 1.3241 - 0.7318 = 0.5923, p 0.0011 x 24 = 0.0264.
    assert shown(row(table, section, "wikipedia − conservapedia")[1]) == (
        "−0.302", "n.s.", "grey",
    )  # fmt: skip
    assert shown(row(table, section, "wikipedia − rationalwiki")[1]) == ("+0.592", "*", "")
    assert "over the comparisons" in table.notes[0]
    assert compared_board(associations(made_associations(compared=[])), "c") is None


def test_comparisons_that_have_no_max_t_are_decided_by_holm():
    read = made_associations(correction="max-t")
    for pair in read["compared"]:
        del pair["adjusted"]["max-t"]
    table = compared_board(associations(read), "c")
    # Holm is made 0.9 times Bonferroni: 0.0264 x 0.9 = 0.024.
    assert table.rows[1].cells[1].mark == "*"
    assert "p after Holm over the comparisons" in table.notes[0]


def test_other_measures_facts_neighbours_and_shared_n_grams_have_their_tables(found):
    cells = row(measure_board(found, "m"), "science/art × male/female", "conservapedia")
    assert [c.value for c in cells[1:]] == [0.12 - 1 / 50, 0.71 - 1 / 50, 0.88 - 1 / 50]
    fact = fact_board(found, "f").rows[0].cells
    assert (fact[2].value, fact[2].low, fact[2].high) == (0.9031, 0.71, 0.97)
    assert fact[4].value == "TotalEmployed"
    said, words = fact_words_boards(found, "w")[0]
    assert said == "occupations in wikipedia, WEFAT"
    assert [r.cells[0].value for r in words.rows] == ["nurse", "editor", "carpenter"]
    near = neighbour_board(found, "n")
    assert [c.value for c in near.rows[0].cells[:3]] == [1, "sciences", 0.91 - 0.05]
    # Of art only one corpus was asked, so the others are blank.
    assert [c.value for c in near.rows[3].cells] == [1, "artist", 0.81, "", "", "", ""]
    assert overlap_board(found, "o").rows[0].cells[2].value == 0.41


def test_the_settings_say_what_the_numbers_hang_on(found):
    said = {r.cells[0].value: r.cells[1].value for r in settings_board(found, "s").rows}
    assert said["standard deviation in d"] == "sample: over X and Y, n - 1"
    assert said["correction"] == "Bonferroni over 24 tests"
    assert said["seed"] == "42"


def test_the_answers_say_how_many_pass_and_no_more(found):
    asked = associations_asked(found)
    assert asked.startswith("4 tests by WEAT and WEATvec in wikipedia (8 replicas), ")
    assert "Bonferroni over 24 tests" in asked
    # By method: bold 2 (science/art by male/female), plain 3 (rationalwiki there, wikipedia with
    # christianity/islam, conservapedia with career/family): 5 of 12, twice; one of 12 undefined.
    assert associations_answers(found) == (
        "Of 24 results (a test in one corpus by one method), 10 have a p below 0.05 after "
        "Bonferroni over 24 tests, 4 of them below 0.001; 2 have no p.",
        "The largest effect among them: in conservapedia, science goes with male and art with "
        "female, d 1.626 [1.126, 2.026] (WEAT).",
        "Of 2 tested differences between corpora, 1 has a p below 0.05 after Bonferroni; the "
        "largest: science/art × male/female, wikipedia less rationalwiki, +0.592 [0.292, 0.842].",
    )


def test_a_negative_d_is_told_with_its_sets_exchanged():
    test = made_test(("science", "art"), ("male", "female"), "wikipedia", "weat", -1.5, 0.00001)
    read = made_associations(tests=[test], corpora=("wikipedia",), compared=[])
    answers = associations_answers(associations(read))
    assert "art goes with male and science with female, d −1.500" in answers[1]
    assert len(answers) == 2


def test_nothing_significant_is_no_claim_of_absence():
    test = made_test(("science", "art"), ("male", "female"), "wikipedia", "weat", 0.2, 0.4)
    read = made_associations(tests=[test], compared=[])
    assert associations_answers(associations(read)) == (
        "Of 1 result (a test in one corpus by one method), none has a p below 0.05 after "
        "Bonferroni over 24 tests: that shows no absence.",
        "Differences between the corpora were not tested.",
    )


def test_tests_that_could_not_have_passed_are_named_and_so_is_the_least_known_set():
    test = made_test(("career", "family"), ("male", "female"), "wikipedia", "weat", 1.5, 0.03)
    # 4 words in each: 1 / 35 x 24 = 0.69 is the least that Bonferroni can give.
    small = associations(made_associations(tests=[{**test, "p_min": 1 / 35}], compared=[]))
    assert associations_cautions(small) == (
        "1 of 1 result could not have passed whatever the vectors: the smallest p that their "
        "sets can reach is 0.029.",
        f"1 of {len(SETS)} sets has words that a corpus does not know; the most: islam in "
        "rationalwiki, 3 of 3.",
    )


def test_words_that_only_their_n_grams_give_a_vector_are_a_caution():
    read = made_associations()
    for corpus, words in (("wikipedia", 2), ("conservapedia", 3)):
        read["vectors"][corpus]["coverage"]["art"]["by_grams"] = SETS["art"][:words]
    assert associations_cautions(associations(read))[-1] == (
        f"1 of {len(SETS)} sets has words that a corpus has from their n-grams alone; the most: "
        "art in conservapedia, 3 of 9."
    )


def test_tests_that_were_left_out_have_a_table():
    read = made_associations()
    assert left_out_board(associations(read), "left-out") is None
    gone = {"name": "WEAT3", "vectors": "wikipedia", "why": "no word of names is known"}
    cells = left_out_board(associations(read | {"left_out": [gone]}), "left-out").rows[0].cells
    assert [cell.value for cell in cells] == list(gone.values())


def test_words_with_markup_are_text_in_every_format(found):
    table = robustness_board(found, "r")
    html = table_html(table)
    assert "<b>einstein" not in html
    assert "&lt;b&gt;einstein&lt;/b&gt; (science)" in html
    assert r"\textless{}b\textgreater{}einstein" in table_latex(table)
    assert r"\<b\>einstein" in table_markdown(table)
