from __future__ import annotations

import re
from pathlib import Path

import pytest

from slant.errors import DataError, UnknownName
from slant.runs.ptcscoring import score_ptc

TEXT = "A title\n\nOnly fools 🎈 doubt it. They know.\n"
TASKS = {"ptc-si": "task-si", "ptc-flc": "task-flc-tc"}


def corpus(folder: Path, gold: dict[str, str], metric="ptc-si") -> tuple[Path, Path]:
    """Articles and gold: id -> lines of its label file, with spaces for tabs."""
    articles, labels = folder / "articles", folder / "labels"
    articles.mkdir()
    labels.mkdir()
    for one, lines in gold.items():
        (articles / f"article{one}.txt").write_text(TEXT, newline="")
        name = f"article{one}.{TASKS[metric]}.labels"
        (labels / name).write_text(lines.replace(" ", "\t"), newline="")
    return articles, labels


def predicted(folder: Path, lines: str, name="mine.tsv") -> Path:
    path = folder / name
    path.write_text(lines.replace(" ", "\t"), newline="")
    return path


def official(text: str, task: str) -> tuple[list[float], dict[str, list[float]]]:
    """What the official scorer printed: precision, recall, F1; the same per technique."""
    block = text.split(f"# task {task}\n")[1].split("# task", maxsplit=1)[0]
    whole = re.search(r"=([0-9.]+)\tRecall=.*=([0-9.]+)\nF1=([0-9.]+)", block)
    rows = re.findall(r"(?m)^(\S+): P=(\S+) R=(\S+) F1=(\S+)$", block)
    return [float(x) for x in whole.groups()], {name: [*map(float, x)] for name, *x in rows}


@pytest.fixture
def real(real_data):
    folder = real_data / "propaganda"
    if not folder.is_dir():
        pytest.skip("SLANT_DATA has no propaganda")
    return folder


@pytest.mark.parametrize(("metric", "task"), [("ptc-si", "SI"), ("ptc-flc", "FLC")])
def test_the_official_scorers_output_is_reproduced(real, metric, task):
    reference = real / "scorer_reference"
    name = f"train40.{task.lower()}.pred.tsv"
    found = score_ptc(
        metric,
        real / "ptc/train-articles",
        real / f"ptc/train-labels-{TASKS[metric]}",
        reference / name,
        ids=reference / "train40.ids.txt",
    )
    whole, techniques = official((reference / "train40.official_output.txt").read_text(), task)
    assert [found[key] for key in ("precision", "recall", "f1")] == pytest.approx(whole, abs=1e-6)
    assert len(techniques) == (14 if metric == "ptc-flc" else 0)
    for technique, (precision, printed, _) in techniques.items():
        own = found["techniques"][technique]
        assert own["precision"] == pytest.approx(precision, abs=1e-6)
        # as recall the official scorer prints the credit of the predicted spans over gold
        assert own["predicted_credit"] / own["gold_spans"] == pytest.approx(printed, abs=1e-6)


def test_a_list_beside_the_predictions_names_the_articles_that_count(real):
    reference = real / "scorer_reference"
    found = score_ptc(
        "ptc-si",
        real / "ptc/train-articles",
        real / "ptc/train-labels-task-si",
        reference / "train40.si.pred.tsv",
    )
    assert found["f1"] == pytest.approx(0.648731, abs=1e-6)
    assert found["articles"]["listed_in"] == "train40.ids.txt"
    assert found["gold_joined"] == 1


def test_without_a_list_every_article_counts_as_the_official_scorer_has_it(real, tmp_path):
    copy = tmp_path / "alone.tsv"
    copy.write_bytes((real / "scorer_reference/train40.si.pred.tsv").read_bytes())
    found = score_ptc(
        "ptc-si", real / "ptc/train-articles", real / "ptc/train-labels-task-si", copy
    )
    assert found["precision"] == pytest.approx(0.717142, abs=1e-6)
    # 4,346 fragments of 297 articles, 54 of them overlapping another
    assert found["recall"] == pytest.approx(241.039349 / (4346 - 54), abs=1e-6)
    assert found["articles"]["without_predictions"] == 257
    assert found["articles_with_predictions"]["recall"] == pytest.approx(0.592234, abs=1e-6)


def test_gold_of_articles_that_are_not_given_is_left_aside(tmp_path):
    articles, gold = corpus(tmp_path, {"1": "1 0 4\n", "2": "2 0 4\n"})
    (articles / "article2.txt").unlink()
    found = score_ptc("ptc-si", articles, gold, predicted(tmp_path, "1 0 4\n"))
    assert (found["recall"], found["articles"]["scored"]) == (1.0, 1)


def test_ids_choose_the_articles_and_say_what_they_leave_out(tmp_path):
    articles, gold = corpus(tmp_path, {"1": "1 0 4\n", "2": "2 0 4\n", "3": "3 0 4\n"})
    mine = predicted(tmp_path, "1 0 4\n2 9 13\n")
    ids = tmp_path / "ids.txt"
    ids.write_text("1\r\n3\r\n", newline="")
    found = score_ptc("ptc-si", articles, gold, mine, ids)
    assert (found["precision"], found["recall"]) == (1.0, 0.5)
    assert found["articles"] == {
        "scored": 2, "without_predictions": 1, "listed_in": "ids.txt",
        "predicted_and_left_out": 1, "without_gold": 0,
    }  # fmt: skip


def test_a_list_beside_that_lacks_a_predicted_article_is_not_used(tmp_path):
    articles, gold = corpus(tmp_path, {"1": "1 0 4\n", "2": "2 0 4\n"})
    (tmp_path / "mine.ids.txt").write_text("1\n")
    found = score_ptc("ptc-si", articles, gold, predicted(tmp_path, "1 0 4\n2 0 4\n"))
    assert (found["articles"]["listed_in"], found["articles"]["scored"]) == (None, 2)


def test_an_empty_file_is_an_answer_without_spans(tmp_path):
    articles, gold = corpus(tmp_path, {"1": "1 0 4\n", "2": ""})
    found = score_ptc("ptc-si", articles, gold, predicted(tmp_path, ""))
    assert (found["precision"], found["recall"], found["f1"]) == (0.0, 0.0, 0.0)
    assert found["articles"]["without_predictions"] == 2


def test_predictions_may_overlap_and_be_unsorted(tmp_path):
    articles, gold = corpus(tmp_path, {"1": "1 0 10\n1 20 30\n"})
    found = score_ptc("ptc-si", articles, gold, predicted(tmp_path, "1 22 30\n1 5 10\n1 20 25\n"))
    # [20, 30) whole, [5, 10) whole; gold: half of one, all of the other
    assert (found["precision"], found["recall"]) == (1.0, 0.75)
    assert found["predicted_joined"] == 1


def test_line_ends_of_windows_and_a_byte_order_mark_change_nothing(tmp_path):
    articles, gold = corpus(tmp_path, {"1": "1 0 4\n"})
    mine = predicted(tmp_path, "\ufeff1 0 4\r\n\r\n")
    assert score_ptc("ptc-si", articles, gold, mine)["f1"] == 1.0


def test_offsets_count_characters_and_a_line_end_of_windows_is_two(tmp_path):
    articles, gold = corpus(tmp_path, {"1": ""})
    (articles / "article1.txt").write_bytes("🎈\r\nx".encode())
    assert score_ptc("ptc-si", articles, gold, predicted(tmp_path, "1 3 4\n"))["precision"] == 0.0
    with pytest.raises(DataError, match="line 1 has the span 3-5, and the article has 4"):
        score_ptc("ptc-si", articles, gold, predicted(tmp_path, "1 3 5\n"))


def test_gold_may_be_one_file(tmp_path):
    articles, _ = corpus(tmp_path, {"1": "", "2": ""})
    gold = predicted(tmp_path, "1 0 4\n77 0 99\n", "gold.tsv")
    found = score_ptc("ptc-si", articles, gold, predicted(tmp_path, "2 0 4\n1 0 4\n"))
    assert (found["precision"], found["recall"], found["articles"]["scored"]) == (0.5, 1.0, 2)


def test_a_folder_with_the_labels_of_both_tasks_is_read_for_the_one_asked(tmp_path):
    articles, gold = corpus(tmp_path, {"1": "1 0 4\n"})
    (gold / "article1.task-flc-tc.labels").write_text("1\tDoubt\t0\t4\n")
    mine = predicted(tmp_path, "1 Doubt 0 4\n")
    assert score_ptc("ptc-flc", articles, gold, mine)["techniques"]["Doubt"]["f1"] == 1.0
    assert score_ptc("ptc-si", articles, gold, predicted(tmp_path, "1 0 4\n", "si.tsv"))["f1"] == 1


def test_a_technique_that_gold_has_nowhere_is_named(tmp_path):
    articles, gold = corpus(tmp_path, {"1": "1 Name_Calling,Labeling 0 4\n"}, "ptc-flc")
    found = score_ptc("ptc-flc", articles, gold, predicted(tmp_path, "1 Name_Calling 0 4\n"))
    assert found["techniques_without_gold"] == ["Name_Calling"]
    assert found["f1"] == 0.0


@pytest.mark.parametrize(("lines", "told"), [
    ("1 0 99\n", "line 1 has the span 0-99, and the article has 43 characters"),
    ("1 0 4\n1 4 4\n", "line 2 has the span 4-4"),
    ("1 5 4\n", "line 1 has the span 5-4"),
    ("1 Doubt 0 4\n", "line 1 has 4 columns. ptc-si has 3"),
    ("1 0\n", "line 1 has 2 columns"),
    ("id start end\n1 0 4\n", "line 1 names the article 'id'"),
    ("1 0 4\n\n7 0 4\n", "line 3 names the article '7', which is not there"),
    ("1 -1 4\n", "line 1 has the offset '-1'"),
    ("1 0 4.0\n", "line 1 has the offset '4.0'"),
    ("1 ٠ ٤\n", "line 1 has the offset '٠'"),
    (f"1 0 {'9' * 5000}\n", "line 1 has the offset '99999999999999999999'"),
])  # fmt: skip
def test_a_line_that_cannot_be_is_named(tmp_path, lines, told):
    articles, gold = corpus(tmp_path, {"1": "1 0 4\n"})
    with pytest.raises(DataError, match=re.escape(told)) as error:
        score_ptc("ptc-si", articles, gold, predicted(tmp_path, lines))
    assert "mine.tsv" in str(error.value)


def test_a_line_without_a_technique_is_named(tmp_path):
    articles, gold = corpus(tmp_path, {"1": ""}, "ptc-flc")
    with pytest.raises(DataError, match="line 1 has no technique"):
        score_ptc("ptc-flc", articles, gold, predicted(tmp_path, "1  0 4\n"))


def test_bytes_that_are_no_text_are_refused(tmp_path):
    articles, gold = corpus(tmp_path, {"1": ""})
    (tmp_path / "mine.tsv").write_bytes(b"1\t0\t\xff4\n")
    with pytest.raises(DataError, match="byte 4"):
        score_ptc("ptc-si", articles, gold, tmp_path / "mine.tsv")


def test_a_predicted_article_without_gold_is_refused(tmp_path):
    articles, gold = corpus(tmp_path, {"1": "1 0 4\n", "2": ""})
    (gold / "article2.task-si.labels").unlink()
    mine = predicted(tmp_path, "1 0 4\n2 0 4\n")
    with pytest.raises(DataError, match="line 2 names the article '2', which has no gold"):
        score_ptc("ptc-si", articles, gold, mine)
    ids = tmp_path / "some.txt"
    ids.write_text("1\n")
    assert score_ptc("ptc-si", articles, gold, mine, ids)["f1"] == 1.0


def test_a_label_file_of_another_article_or_twice_is_refused(tmp_path):
    articles, gold = corpus(tmp_path, {"1": "2 0 4\n", "2": ""})
    mine = predicted(tmp_path, "1 0 4\n")
    with pytest.raises(DataError, match=r"article1.task-si.labels.*line 1 is of the article '2'"):
        score_ptc("ptc-si", articles, gold, mine)
    (gold / "article1.task-si.labels").write_text("")
    (gold / "1.task-si.labels").write_text("")
    with pytest.raises(DataError, match="are both of the article '1'"):
        score_ptc("ptc-si", articles, gold, mine)


@pytest.mark.parametrize(("ids", "told"), [
    ("1\n9\n", "line 2 names the article '9'"), ("1\n1\n", "it has '1' 2 times"),
    ("", "none of the 1 articles"),
])  # fmt: skip
def test_a_list_that_cannot_be_is_refused(tmp_path, ids, told):
    articles, gold = corpus(tmp_path, {"1": "1 0 4\n"})
    path = tmp_path / "ids.txt"
    path.write_text(ids)
    with pytest.raises(DataError, match=told):
        score_ptc("ptc-si", articles, gold, predicted(tmp_path, "1 0 4\n"), path)


def test_a_folder_without_labels_and_an_unknown_metric_are_refused(tmp_path):
    articles, _ = corpus(tmp_path, {"1": ""})
    mine = predicted(tmp_path, "1 0 4\n")
    with pytest.raises(DataError, match=r"no \.labels file"):
        score_ptc("ptc-si", articles, articles, mine)
    with pytest.raises(UnknownName, match="Did you mean ptc-si"):
        score_ptc("ptc_si", articles, articles, mine)
