import csv
import io
import re

import pytest
from made_scores import made_comparison, made_run, made_runs

from slant.report.curveboards import (
    calibration_board,
    comparison_board,
    learning_board,
)
from slant.report.datatables import absent_table, data_table, left_out_table, missing_table
from slant.report.entries import entries
from slant.report.formats import table_csv, table_html, table_latex, table_markdown
from slant.report.scoreboards import (
    confusion_board,
    dataset_board,
    every_score,
    leaderboard,
    task_board,
)
from slant.report.settings import settings
from slant.report.tables import Cell, Row, Table, cell_text, p_value, rounded


@pytest.fixture
def setting():
    return settings(entries(made_runs()))[0]


def made_table(*cells, **options):
    head = tuple(f"c{i}" for i in range(len(cells)))
    return Table("t", "A caption", head, (Row(tuple(cells)),), **options)


def read_csv(table):
    return list(csv.DictReader(io.StringIO(table_csv(table))))


def test_a_number_is_rounded_to_three_decimals_and_never_to_minus_zero():
    assert [rounded(x) for x in (0.12345, 1.0, -0.00049, -0.0005001, None)] == [
        "0.123",
        "1.000",
        "0.000",
        "−0.001",
        "–",
    ]


def test_a_p_value_below_what_three_decimals_show_says_so():
    # 0.0009999 would be printed as 0.001, which is larger than it is.
    assert p_value(0.0009999) == "< 0.001"
    assert p_value(0.001) == "0.001"


def test_a_difference_has_its_sign_unless_it_is_printed_as_zero():
    assert [cell_text(Cell(x, "difference")) for x in (0.02, -0.02, 0.0004, 0.0)] == [
        "+0.020",
        "−0.020",
        "0.000",
        "0.000",
    ]


def test_the_same_numbers_stand_in_every_format():
    table = made_table(Cell("x"), Cell(0.72349, "score", 0.70111, 0.74488))
    for text in (table_html(table), table_markdown(table), table_latex(table)):
        assert "0.723" in text
        assert "[0.701, 0.745]" in text


def test_csv_is_not_rounded():
    table = made_table(Cell("x"), Cell(0.1 + 0.2, "score", 1 / 3, 2 / 3), Cell(12834, "count"))
    row = read_csv(table)[0]
    assert float(row["c1"]) == 0.1 + 0.2
    assert (float(row["c1 low"]), float(row["c1 high"])) == (1 / 3, 2 / 3)
    assert row["c2"] == "12834"


def test_an_undefined_value_is_a_dash_with_its_reason_in_every_format():
    table = made_table(Cell("x"), Cell(None, "score", note="one class only"))
    html, markdown, latex = table_html(table), table_markdown(table), table_latex(table)
    assert re.search(r'–<sup><a href="#t-note-1" title="one class only">1</a></sup>', html)
    assert '<li id="t-note-1">one class only</li>' in html
    assert "| – (1) |" in markdown
    assert "(1) one class only" in markdown
    assert r"--\textsuperscript{1}" in latex
    assert read_csv(table)[0] == {"c0": "x", "c1": "", "c1 note": "one class only"}


def test_equal_notes_share_one_footnote():
    table = made_table(Cell(None, note="a"), Cell(None, note="b"), Cell(None, note="a"))
    assert table_html(table).count("<li id=") == 2


def test_latex_specials_in_a_name_are_only_characters():
    latex = table_latex(made_table(Cell(r"50% & $x_1^2$ #{~} \input{a} <b>")))
    body = latex.split("\\midrule\n")[1].split("\n\\bottomrule")[0]
    assert body == (
        r"50\% \& \$x\_1\textasciicircum{}2\$ \#\{\textasciitilde{}\} "
        r"\textbackslash{}input\{a\} \textless{}b\textgreater{} \\"
    )


def test_a_latex_row_that_starts_with_a_bracket_is_no_argument_of_the_row_before():
    assert "\n{}[a] \\\\" in table_latex(made_table(Cell("[a]")))


def test_every_latex_row_has_as_many_cells_as_the_head(setting):
    for table in (leaderboard(setting, "a"), task_board(setting, "b"), dataset_board(setting, "c")):
        lines = [
            line
            for line in table_latex(table).splitlines()
            if line.endswith(r"\\") and "multicolumn" not in line
        ]
        # An escaped ampersand is text.
        assert {len(re.findall(r"(?<!\\)&", line)) for line in lines} == {len(table.head) - 1}
        assert table_latex(table).count("{") == table_latex(table).count("}")


def test_a_pipe_or_a_line_end_in_a_name_does_not_break_the_markdown_row():
    lines = table_markdown(made_table(Cell("a|b\nc <script>"), Cell(1, "count"))).splitlines()
    assert lines[4] == r"| a\|b c \<script\> | 1 |"


def test_markup_in_a_name_is_text_on_the_page():
    html = table_html(made_table(Cell("<script>alert(1)</script>")))
    assert "<script" not in html
    assert "&lt;script&gt;" in html


def test_a_direction_override_in_a_name_cannot_leave_its_cell():
    assert "\u202e" not in table_markdown(made_table(Cell("a\u202eb")))
    assert "<bdi>a\u202eb</bdi>" in table_html(made_table(Cell("a\u202eb")))


def test_a_section_of_one_row_each_becomes_a_column():
    rows = tuple(Row((Cell(1, "count"),), section=name) for name in "ab")
    html = table_html(Table("t", "c", ("n",), rows, section="task"))
    assert "rowgroup" not in html
    assert '<th scope="col">task</th>' in html


def test_the_leaderboard_is_in_order_of_the_micro_score_and_marks_controls(setting):
    names = [(row.cells[0].value, row.control) for row in leaderboard(setting, "l").rows]
    assert names == [
        ("tfidf-lr", False),
        ("lexicon", False),
        ("random", True),
        ("source-only", True),
        ("majority", True),
    ]


def test_controls_are_rows_of_every_task(setting):
    rows = task_board(setting, "t").rows
    for task in {row.section for row in rows}:
        assert {r.cells[0].value for r in rows if r.section == task and r.control} == {
            "majority",
            "source-only",
            "random",
        }


def test_what_chance_reaches_and_what_a_tie_decides_stand_under_the_scores(setting):
    notes = " ".join(task_board(setting, "t").notes)
    assert "random is a coin" in notes
    # Half of the texts biased, always "biased": F1 of the classes 2 * 0.5 / 1.5 and 0, mean 1/3.
    assert "a constant answer has an F1 of 0.333 and a coin 0.500" in notes
    assert "a tie decides which label majority gives" in notes


def test_a_table_without_controls_says_so_unless_they_were_run_as_systems(setting):
    for board in (dataset_board(setting, "d"), confusion_board(setting, "c")):
        assert "Not shown here: source-only, random, majority." in " ".join(board.notes)
    given = settings(entries([made_run(), made_run(system="random", level=0.5)]))[0]
    assert dataset_board(given, "d").head[-1] == "random (control)"
    assert "Not shown here: source-only, majority." in " ".join(dataset_board(given, "d").notes)
    assert [row.control for row in confusion_board(given, "c").rows[:2]] == [False, True]


def test_a_control_without_a_mean_over_tasks_says_so():
    run, scores = made_run()
    del scores["controls_overall"]
    board = leaderboard(settings(entries([(run, scores)]))[0], "l")
    cells = {row.cells[0].value: row.cells[2] for row in board.rows}
    assert cells["majority"].value is None
    assert "no mean over tasks" in cells["majority"].note


def test_a_control_that_was_run_as_a_system_gives_its_row_the_mean():
    run, scores = made_run()
    del scores["controls_overall"]
    board = leaderboard(
        settings(entries([(run, scores), made_run(system="majority", level=0.5)]))[0], "l"
    )
    row = next(row for row in board.rows if row.cells[0].value == "majority")
    assert row.control
    assert row.cells[2].value == pytest.approx(0.5, abs=0.1)


def test_a_data_set_of_one_class_has_a_recall_and_no_f1(setting):
    rows = [
        row for row in dataset_board(setting, "d").rows if str(row.cells[0].value).startswith("076")
    ]
    assert {cell.mark for row in rows for cell in row.cells[4:]} == {"recall"}
    assert "stays out of the group mean" in rows[0].cells[4].note


def test_a_preset_that_takes_one_class_data_sets_into_the_group_mean_says_so():
    run, scores = made_run()
    scores["signature"] += "|one-class:enter"
    rows = dataset_board(settings(entries([(run, scores)]))[0], "d").rows
    notes = {row.cells[4].note for row in rows if row.cells[4].mark == "recall"}
    assert notes == {
        "All texts have one label, so this is its recall; its F1 enters the group mean."
    }


def test_every_stored_score_is_in_the_file_of_scores(setting):
    table = every_score(setting, "s")
    scores = setting.first.tasks["mbib/fake-news"]["scores"]
    found = {
        r["score"]: r["value"]
        for r in read_csv(table)
        if r["task"] == "mbib/fake-news" and r["system"] == "tfidf-lr"
    }
    assert {name: float(value) for name, value in found.items()} == {
        name: e["value"] for name, e in scores.items()
    }


def test_a_table_carries_the_signature_with_a_star_for_what_differs(setting):
    assert "|system:*|" in leaderboard(setting, "l").signature
    assert "preset:clean" in read_csv(leaderboard(setting, "l"))[0]["signature"]


def test_calibration_is_absent_for_a_system_without_probabilities():
    lone = settings(entries([made_run(system="lexicon")]))[0]
    assert calibration_board(lone, "c") is None
    assert learning_board(lone, "l") is None


def test_a_comparison_gives_the_difference_as_second_less_first():
    table = comparison_board(made_comparison("a", "b"), "c")
    row = read_csv(table)[0]
    assert float(row["b"]) - float(row["a"]) == pytest.approx(float(row["difference"]))
    assert "the difference is b less a" in table.caption
    assert "micro F1 averaged over the two classes" in table.caption


def test_two_runs_of_one_system_are_compared_under_the_names_of_their_directories():
    head = comparison_board(made_comparison("lexicon", "lexicon"), "c").head
    assert head[2:4] == ("lexicon (lexicon)", "lexicon (lexicon-half)")


def test_an_undefined_comparison_is_a_dash_with_its_reason():
    made = made_comparison("a", "b")
    made["tasks"][0].update(
        a=None, difference=None, low=None, high=None, p_holm=None, why="one class"
    )
    cells = comparison_board(made, "c").rows[0].cells
    assert [(cells[i].value, cells[i].note) for i in (2, 4, 7)] == [(None, "one class")] * 3


def test_the_data_section_says_what_is_left_out_what_is_missing_and_what_has_no_licence():
    every = entries(made_runs())
    assert "no licence is stated by its authors" in table_html(data_table(every))
    assert left_out_table(every).rows[0].cells[1].value == 216
    assert "Holds 249 of 373 files." in table_html(data_table(every))
    assert "racial bias 9,554" in table_html(data_table(every))
    assert absent_table(every).rows[0].cells[1].value == "no labelled public data exists"
    assert missing_table(every).rows[0].cells[1].value == "absent: only on request from its authors"


def test_runs_over_the_same_data_list_it_once():
    assert len(data_table(entries(made_runs())).rows) == 16


@pytest.mark.parametrize("ending", ["html", "md", "tex", "csv"])
def test_the_task_table_is_as_it_was_looked_at(setting, same_as_golden, ending):
    formats = {"html": table_html, "md": table_markdown, "tex": table_latex, "csv": table_csv}
    same_as_golden(f"tasks.{ending}", str(formats[ending](task_board(setting, "tasks"))))
