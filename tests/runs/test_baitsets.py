from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "metrics"))
from worked import EMPTY, GOLD, MERGED, SAID

from slant.errors import DataError, SlantError, UnknownName
from slant.runs.baitsets import score_sets

LETTERS = "".join(f"{n:02d}" for n in range(50))  # every pair of digits stands once, at 2n
TEXTS = {"one": LETTERS, "two": "Nothing to see."}


def lines(answers, texts=TEXTS, quoted=False):
    """slant's own JSONL; with quotes instead of offsets where asked."""
    for (name, text), answer in zip(texts.items(), answers, strict=True):
        triggers = []
        for mark in answer.marks:
            words = [text[span.start : span.end] for span in mark.spans]
            spans = [
                {"start": span.start, "end": span.end, "text": word}
                for span, word in zip(mark.spans, words, strict=True)
            ]
            quotes = [*(words if quoted else []), *mark.quotes]
            triggers.append(
                {"bias": mark.category, "spans": [] if quoted else spans, "quotes": quotes}
            )
        yield {"id": name, "text": text, "labels": sorted(answer.labels), "triggers": triggers}


def written(path: Path, rows) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), newline="")
    return path


@pytest.fixture
def gold(tmp_path):
    return written(tmp_path / "gold.jsonl", lines([GOLD, EMPTY]))


@pytest.mark.parametrize("quoted", [False, True])
def test_the_worked_example_scores_as_on_the_page_with_offsets_and_with_strings(
    tmp_path, gold, quoted
):
    said = written(tmp_path / "said.jsonl", lines([SAID, EMPTY], quoted=quoted))
    found = score_sets(gold, said)
    assert found["counts"]["characters"] == {"tp": 32, "fp": 16, "fn": 18}
    assert found["counts"]["triggers_jaccard"] == {"tp": 1, "fp": 3, "fn": 1}
    assert found["scores"] == pytest.approx(
        {
            "detection_micro_f1": 4 / 5, "detection_macro_f1": 2 / 3, "subset_accuracy": 1 / 2,
            "characters_f1": 64 / 98, "spans_f1": 6 / 9, "triggers_f1": 4 / 6,
            "triggers_f1_jaccard": 2 / 6, "triggers_f1_max": 2 / 6,
        }
    )  # fmt: skip
    # without B01: 12/16/8
    assert found["settings"]["without"] == ["B01"]
    assert found["scores_without"]["characters_f1"] == pytest.approx(0.5)
    assert found["biases"]["B04"]["detection_f1"] == 0.0
    assert found["biases"]["B09"]["detection_f1"] is None
    assert found["per_article"]["two"]["spans_f1"] == 1.0
    assert found["located"]["exact"] == (4 if quoted else 0)
    assert found["located"]["unlocated"] == 1
    json.dumps(found, allow_nan=False)


def test_merged_triggers_and_exchanged_sides(tmp_path, gold):
    said = written(tmp_path / "said.jsonl", lines([MERGED, EMPTY]))
    there, back = score_sets(gold, said), score_sets(said, gold)
    assert there["scores"]["triggers_f1"] == pytest.approx(0.8)
    assert there["scores"] == back["scores"]


def test_copying_the_gold_scores_one_everywhere(gold):
    found = score_sets(gold, gold)
    assert set(found["scores"].values()) == {1.0}
    assert {x for one in found["per_article"].values() for x in one.values()} == {1.0}


def test_articles_in_gold_alone_count_as_predicted_empty(tmp_path, gold):
    said = written(tmp_path / "said.jsonl", list(lines([SAID, EMPTY]))[1:])
    found = score_sets(gold, said)
    assert found["without_predictions"] == 1
    assert found["counts"]["spans"] == {"tp": 0, "fp": 0, "fn": 4}


def test_predictions_may_leave_out_the_texts_that_gold_has(tmp_path, gold):
    rows = [{k: v for k, v in row.items() if k != "text"} for row in lines([SAID, EMPTY])]
    said = written(tmp_path / "said.jsonl", rows)
    assert score_sets(gold, said)["scores"]["spans_f1"] == pytest.approx(6 / 9)


def test_another_text_is_refused_with_the_first_difference(tmp_path, gold):
    other = {"one": LETTERS[:70] + "x" + LETTERS[71:], "two": TEXTS["two"]}
    said = written(tmp_path / "said.jsonl", lines([EMPTY, EMPTY], other))
    with pytest.raises(DataError, match=r"'one'.*offset 70"):
        score_sets(gold, said)


def test_an_article_that_gold_has_not_is_refused(tmp_path, gold):
    said = written(tmp_path / "said.jsonl", lines([EMPTY, EMPTY], {"one": LETTERS, "three": "x"}))
    with pytest.raises(DataError, match="three"):
        score_sets(gold, said)


def test_a_bias_that_the_schema_has_not_is_refused(tmp_path, gold):
    rows = [*lines([SAID, EMPTY])]
    rows[0]["triggers"][0]["bias"] = "B10"
    with pytest.raises(DataError, match="B10"):
        score_sets(gold, written(tmp_path / "said.jsonl", rows))


def test_any_labels_can_be_scored_without_a_schema(tmp_path):
    rows = json.loads(json.dumps([*lines([GOLD, EMPTY])]).replace("B01", "Loaded_Language"))
    gold = written(tmp_path / "gold.jsonl", rows)
    found = score_sets(gold, gold, schema="found")
    assert list(found["biases"]) == ["B02", "Loaded_Language"]
    assert found["scores_without"] is None
    with pytest.raises(UnknownName, match="bias to leave out"):
        score_sets(gold, gold, schema="found", without=("B01",))


def test_nothing_at_all_has_no_score_and_says_why(tmp_path):
    empty = written(tmp_path / "gold.jsonl", lines([EMPTY, EMPTY]))
    found = score_sets(empty, empty)
    assert found["scores"]["triggers_f1"] is None
    assert "0/0" in found["undefined"]["triggers_f1"]
    with pytest.raises(DataError, match="Name a schema"):
        score_sets(empty, empty, schema="found")


@pytest.mark.parametrize("options", [
    {"span_threshold": 0.0}, {"trigger_threshold": 1.5}, {"trigger_overlap": "iou"},
    {"absent": "skip"}, {"least": 0.0}, {"gold_use": "always"}, {"schema": "baits"},
])  # fmt: skip
def test_options_out_of_range_are_refused(gold, options):
    with pytest.raises(SlantError):
        score_sets(gold, gold, **options)
