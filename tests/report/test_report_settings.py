import pytest
from made_scores import made_comparison, made_run

from slant.report.curveboards import learning_curves
from slant.report.datatables import data_table
from slant.report.entries import compared, entries
from slant.report.scoreboards import dataset_board, leaderboard, task_board
from slant.report.settings import settings

TWO = {"mbib/gender-bias": ["075", "106", "107"], "mbib/racial-bias": ["075", "076", "110"]}


def test_runs_with_different_tasks_share_the_table_of_each_task_that_they_have():
    (mixed,) = settings(entries([made_run(system="minilm-lr", tasks=TWO), made_run()]))
    rows = task_board(mixed, "t").rows
    systems = {
        section: [
            r.cells[0].value for r in rows if r.section.startswith(f"{section} ") and not r.control
        ]
        for section in ("racial bias", "fake news")
    }
    assert systems == {"racial bias": ["tfidf-lr", "minilm-lr"], "fake news": ["tfidf-lr"]}
    cells = {r.section: r.cells[5] for r in dataset_board(mixed, "d").rows}
    assert (cells["fake news"].value, cells["fake news"].note) == (None, "")
    assert cells["gender bias"].value is not None
    assert "|task:*|" in task_board(mixed, "t").signature


def test_a_mean_over_tasks_stands_only_under_the_tasks_that_it_is_over():
    (mixed,) = settings(entries([made_run(system="minilm-lr", tasks=TWO), made_run()]))
    board = leaderboard(mixed, "l")
    assert [(r.section[:7], r.cells[0].value, r.cells[1].value) for r in board.rows] == [
        ("8 tasks", "tfidf-lr", 8),
        ("8 tasks", "random", 8),
        ("8 tasks", "source-only", 8),
        ("8 tasks", "majority", 8),
        ("2 tasks", "minilm-lr", 2),
        ("2 tasks", "random", 2),
        ("2 tasks", "source-only", 2),
        ("2 tasks", "majority", 2),
    ]
    assert "do not compare" in board.notes[0]


def test_runs_on_different_data_of_one_task_never_share_a_table():
    runs = [made_run(), made_run(system="lexicon", tasks=TWO)]
    runs[1][1]["tasks"]["mbib/racial-bias"]["data"] = "00000000"
    groups = settings(entries(runs))
    assert [[entry.system for entry in group.entries] for group in groups] == [
        ["tfidf-lr"],
        ["lexicon"],
    ]
    assert len({group.name for group in groups}) == 2


@pytest.mark.parametrize(("more", "tables"), [(0, 1), (1, 2)])
def test_runs_of_older_files_share_a_table_where_the_counts_of_a_task_are_the_same(more, tables):
    runs = [made_run(), made_run(system="lexicon", tasks=TWO)]
    for _, scores in runs:
        for task in scores["tasks"].values():
            del task["data"]
    runs[1][1]["tasks"]["mbib/racial-bias"]["groups"]["110"]["n"] += more
    assert len(settings(entries(runs))) == tables


def test_two_settings_of_one_preset_are_named_by_the_option_in_which_they_differ():
    run, scores = made_run(system="lexicon")
    scores["signature"] = scores["signature"].replace("balance:dataset", "balance:none")
    names = [group.name for group in settings(entries([made_run(), (run, scores)]))]
    assert names == [
        "preset clean, balance:dataset, 8 tasks",
        "preset clean, balance:none, 8 tasks",
    ]


def test_a_learning_curve_joins_only_runs_on_the_same_tasks():
    made = [made_run(share=0.5, tasks=TWO), made_run()]
    assert learning_curves(settings(entries(made))[0]) == {}


def test_runs_of_different_protocols_never_share_a_table():
    groups = settings(
        entries([made_run(), made_run(preset="official"), made_run(system="lexicon")])
    )
    assert [[entry.system for entry in group.entries] for group in groups] == [
        ["tfidf-lr", "lexicon"],
        ["tfidf-lr"],
    ]


def test_runs_of_one_system_are_told_apart_by_what_differs():
    one = {"mbib/fake-news": ["012", "025"]}
    made = [
        made_run(),
        made_run(share=0.1),
        made_run(preset="official"),
        made_run(tasks=one),
        made_run(share=0.1),
        made_run(system="lexicon"),
    ]
    assert [entry.label for entry in entries(made)] == [
        "tfidf-lr (clean, 8 tasks)",
        "tfidf-lr (10% of training, 2)",
        "tfidf-lr (official)",
        "tfidf-lr (clean, fake news)",
        "tfidf-lr (10% of training, 5)",
        "lexicon",
    ]


def test_pairs_of_one_system_are_told_apart_over_all_pairs():
    made = [
        made_comparison("a", "b", ["runs/a", "runs/b-1"]),
        made_comparison("a", "b", ["runs/a", "runs/b-2"]),
    ]
    assert compared(made) == [("a", "b (b-1)"), ("a", "b (b-2)")]


def test_a_data_set_of_which_two_runs_read_different_parts_is_one_row_with_the_most_rows():
    runs = [made_run(), made_run(system="lexicon", tasks=TWO)]
    for row in runs[1][1]["data"]:
        row["rows"] -= 100
    table = data_table(entries(runs))
    assert len(table.rows) == 16
    row = next(row for row in table.rows if str(row.cells[0].value).startswith("075"))
    assert row.cells[4].value == 9_554
    assert row.cells[5].value == "gender bias 9,554, racial bias 9,554"
    runs[1][1]["data"][10]["used"]["mbib/racial-bias"] = 7
    row = next(r for r in data_table(entries(runs)).rows if r.cells[0].value == row.cells[0].value)
    assert row.cells[5].value == "gender bias 9,554, racial bias 7 or 9,554"
