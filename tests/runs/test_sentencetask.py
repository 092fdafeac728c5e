"""`inspect eval slant/sentences` and `slant run` score the same answers with the same numbers."""

from __future__ import annotations

from collections import Counter

import polars as pl
import pytest
from made_news import add_news
from scriptedvision import VISION, Said, inspect_home, vision_server

import slant
from slant.errors import DataError, OptionError
from slant.runs.inspectlogs import log_rows, write_log_predictions
from slant.tasks.options import chosen_options
from slant.tasks.prepare import prepared

# inspect-ai leaves streams unclosed and calls what is deprecated; its warnings are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")
TASK = "added/few"
SCORES = ("micro_class_f1", "group_class_f1", "accuracy", "precision", "recall", "mcc")


@pytest.fixture(scope="module", autouse=True)
def inspect_here(tmp_path_factory):
    with inspect_home(tmp_path_factory.mktemp("inspect")) as patch:
        yield patch


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    home = tmp_path_factory.mktemp("few")
    add_news("few", home / "news.csv", home / "store", 150)
    return home / "store"


@pytest.fixture(autouse=True)
def same_store(store, own_store, monkeypatch):
    monkeypatch.setenv("SLANT_CACHE", str(store))


def table():
    return pl.read_parquet(prepared(TASK, chosen_options("clean", {}, [TASK]), 42, None, {}).rows)


def answer(biased):
    return Said('{"label": "biased"}' if biased else '{"label": "Not biased."}')


def mixed(gold):
    """Right, wrong, unreadable, or no answer at all, by the place of the text."""
    places = {text: place for place, text in enumerate(gold)}

    def reply(sent, before):
        text = sent.text.removeprefix("TEXT\n")
        place = places[text]
        if place % 11 == 0:
            return Said("Hm.")
        if place % 17 == 0:
            return Said(status=401, message="no such key")
        return answer(gold[text] == (place % 4 > 0))

    return reply


def evaluated(server, folder, **more):
    from inspect_ai import eval as evaluate
    from inspect_ai.model import get_model

    from slant.runs.inspecttasks import sentences

    model = get_model(VISION, base_url=server.url, memoize=False, max_retries=0)
    (log,) = evaluate(
        sentences(data=TASK, **more), model=model, display="none", log_dir=str(folder),
        max_retries=0, **({"limit": 6} if more else {}),
    )  # fmt: skip
    assert log.status == "success"
    assert log.eval.task.endswith("sentences")
    return log


@pytest.fixture(scope="module")
def log(store, tmp_path_factory):
    folder = tmp_path_factory.mktemp("log")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLANT_CACHE", str(store))
        gold = dict(table()["text", "label"].iter_rows())
        with vision_server(mixed({text: label == 1 for text, label in gold.items()})) as server:
            yield evaluated(server, folder)


def test_its_scores_are_those_of_a_run_of_the_same_answers(log, tmp_path):
    found = {name: one.value for name, one in log.results.scores[0].metrics.items()}
    file = write_log_predictions(log.location, tmp_path / "said.csv")
    run = slant.run(
        TASK, f"predictions:{file}", tmp_path / "run", params={"missing": "fault"}, jobs=1
    )
    told = run.scores["tasks"][TASK]["scores"]
    assert {name: found[name] for name in SCORES} == pytest.approx(
        {name: told[name]["value"] for name in SCORES}, abs=1e-12
    )
    assert found["unusable"] == run.scores["faults"]["no answer in the file"] > 10
    assert 0.3 < found["accuracy"] < 0.8


def test_each_test_text_is_asked_about_once_with_its_gold(log):
    rows = table()
    assert Counter(str(one.id) for one in log.samples) == Counter(rows["id"].to_list())
    gold = dict(rows["id", "label"].iter_rows())
    for sample in log.samples:
        told = sample.scores["slant_sentences"].metadata
        assert told["label"] == gold[str(sample.id)]
        assert sample.target == ("biased" if told["label"] else "not biased")


def test_a_log_tells_what_was_said_and_why_it_cannot_be_read(log, tmp_path):
    rows = log_rows(log.location)
    assert {row["fault"] for row in rows if row["label"] is None} >= {"not-json", "no-answer"}
    assert all(row["fault"] is None for row in rows if row["label"] is not None)
    with pytest.raises(DataError, match="no answers of slant/sentences in epoch 2"):
        log_rows(log.location, epoch=2)
    with pytest.raises(DataError, match="it cannot be read"):
        log_rows(tmp_path / "absent.eval")


def test_worked_examples_are_of_the_train_part_and_balanced(tmp_path):
    rows = table()
    gold = dict(rows["text", "label"].iter_rows())
    with vision_server(lambda sent, before: answer(True)) as server:
        log = evaluated(server, tmp_path, shots=3)
        sent = list(server.requests)
    assert len(sent) == 6
    roles = {row["text"]: row for row in rows.iter_rows(named=True)}
    for one in sent:
        shown = [text.removeprefix("TEXT\n") for _, text, _ in one.turns[1:-1:2]]
        said = [text for _, text, _ in one.turns[2:-1:2]]
        assert [gold[text] for text in shown] == [text == '{"label": "biased"}' for text in said]
        assert sum(gold[text] for text in shown) == 2
        asked = roles[one.text.removeprefix("TEXT\n")]
        fold = next(k for k in range(5) if asked[f"role_{k}"] == 2)
        assert {roles[text][f"role_{fold}"] for text in shown} == {0}
    assert len({tuple(text for _, text, _ in one.turns[1:-1:2]) for one in sent}) > 1
    assert "response_format" in sent[0].body
    assert log.eval.metadata["task"] == TASK


def test_what_cannot_be_asked_is_refused_before_anything_is_sent():
    from slant.runs.sentencetask import asked_texts

    with pytest.raises(OptionError, match="Drawing 999 worked examples"):
        asked_texts(TASK, "clean", 42, 999, 17)
    with pytest.raises(OptionError, match="it names 9 tasks"):
        asked_texts("mbib", "clean", 42, 0, 17)
