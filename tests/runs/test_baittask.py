"""`inspect eval slant/bait` and `slant bait run` are one thing: the same questions and numbers."""

from __future__ import annotations

import gc
import zipfile

import pytest
from scriptedmodel import CODES, KEY, MODEL, Reply, made_articles, right, scripted_server

from slant.annotate.formats import write_annotated
from slant.runs.bait import run_bait
from slant.runs.baitbudget import AskingLimits
from slant.runs.baitdata import bait_data
from slant.runs.baitplan import BaitSettings
from slant.runs.baitscoring import score_bait

# inspect-ai leaves streams unclosed and calls what is deprecated; its warnings are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")

ARTICLES = made_articles(8)
NAMES = (
    "detection_micro_f1", "detection_macro_f1", "subset_accuracy", "characters_f1", "spans_f1",
    "triggers_f1", "triggers_f1_jaccard", "triggers_f1_max",
)  # fmt: skip


def number(text):
    return int(text.split(".", maxsplit=1)[0].split()[1])


def mixed(text, before, body):
    """Right, wrong in a way of its own, unusable, or no answer at all."""
    n = number(text)
    replies = {
        1: Reply('{"biases_present": ["B01"], "triggers": [{"bias": "B01", "spans": '
                 '["Bridge 1 will fall."]}]}'),
        2: Reply('{"biases_present": ["B02"], "triggers": [{"bias": "B02", "spans": '
                 '["council met", "nothing of the kind"]}]}'),
        3: Reply('\ud83d{"biases_present": ["B0'),
        5: Reply(status=401, message=f"no such key: {KEY}"),
        7: Reply(right(ARTICLES)(text, 0, {}).content + KEY),
    }  # fmt: skip
    return replies.get(n) or right(ARTICLES)(text, before, body)


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """Scores of a run folder, and the log of inspect-ai's own evaluation, of two epochs."""
    pytest.importorskip("inspect_ai", reason="inspect-ai is not installed: pip install slant[llm]")
    from inspect_ai import eval as evaluate

    from slant.runs.baittask import bait

    home = tmp_path_factory.mktemp("both")
    write_annotated(ARTICLES, home / "gold.jsonl", format="jsonl")
    with pytest.MonkeyPatch.context() as patch, scripted_server(mixed) as script:
        patch.setenv("SCRIPTED_API_KEY", KEY)
        patch.setenv("SCRIPTED_BASE_URL", script.url)
        patch.setenv("XDG_DATA_HOME", str(home / "inspect"))
        data = str(home / "gold.jsonl")
        run_bait(
            bait_data(data), home / "run", models=[MODEL],
            settings=BaitSettings(shots=(3,), draws=(23,)),
            limits=AskingLimits(max_retries=0), model_args={"max_retries": 0},
        )  # fmt: skip
        scores = score_bait(home / "run", jobs=1)
        own = dict(script.conversations)
        (log,) = evaluate(
            bait(data=data, shots=3, seed=23), model=MODEL, model_args={"max_retries": 0},
            max_retries=0, epochs=2, log_dir=str(home / "logs"), display="none", ctl_server=False,
        )  # fmt: skip
        more = {one: n - own.get(one, 0) for one, n in script.conversations.items()}
    yield scores, log, own, more
    gc.collect()


def test_both_ways_send_the_same_conversations(both):
    _, _, own, more = both
    assert own.keys() == more.keys()
    assert set(more.values()) == {2}


def test_both_ways_give_the_same_pooled_scores(both):
    scores, log, _, _ = both
    assert log.status == "success"
    (row,) = next(one for one in scores["systems"] if one["name"] == MODEL)["settings"]
    (found,) = log.results.scores
    for name in NAMES:
        assert found.metrics[name].value == pytest.approx(row["scores"][name]["value"], abs=1e-12)


def test_the_pooled_scores_are_those_worked_by_hand(both):
    """Gold: articles 1, 3, 5, 7 have B01, one trigger of two spans of 19 characters ("Bridge 1
    will fall."); 2, 4, 6, 8 have none. Answers: 1 repeats one of the spans, 2 claims a B02 of two
    spans, one of 11 characters and one of 19 that is nowhere; 3 is cut off, 5 never came; 7 is
    right, so are 4, 6, 8.
    Detection: tp 1, 7; fp 2; fn 3, 5: F1 = 2*2/(2*2+1+2) = 4/7. Subset: 1, 4, 6, 7, 8 of 8.
    Characters: tp 19+38, fp 11+19, fn 19+38+38: F1 = 114/(114+30+95) = 114/239.
    Spans: tp 1+2, fp 2, fn 1+2+2: F1 = 6/(6+2+5) = 6/13.
    Triggers by dice: 1 has 2*1/(1+2) = 0.67: tp 1, 7; fp 1; fn 2: F1 = 4/7."""
    _, log, _, _ = both
    (found,) = log.results.scores
    values = {name: one.value for name, one in found.metrics.items()}
    assert values["detection_micro_f1"] == pytest.approx(4 / 7)
    assert values["subset_accuracy"] == pytest.approx(5 / 8)
    assert values["characters_f1"] == pytest.approx(114 / 239)
    assert values["spans_f1"] == pytest.approx(6 / 13)
    assert values["triggers_f1"] == pytest.approx(4 / 7)
    # two answers of each epoch
    assert values["unusable"] == 4


def test_a_sample_that_failed_is_scored_as_empty_and_not_left_out(both):
    _, log, _, _ = both
    failed = [one for one in log.samples if one.error]
    assert [one.id for one in failed] == ["article-5", "article-5"]
    for one in failed:
        (score,) = one.scores.values()
        assert score.explanation == "unusable: no-answer"
        assert score.metadata["codes"] == list(CODES)


def test_the_log_holds_no_key_and_half_a_character_as_the_sign_for_one(both):
    _, log, _, _ = both
    with zipfile.ZipFile(log.location.removeprefix("file://")) as packed:
        assert not any(KEY.encode() in packed.read(name) for name in packed.namelist())
    answers = {one.id: one.scores["bait_triggers"].answer for one in log.samples}
    assert answers["article-3"] == '\ufffd{"biases_present": ["B0'
    assert answers["article-7"].endswith("[key]")


def test_the_task_is_known_to_inspect_under_its_name(both):
    assert both[1].eval.task in {"slant/bait", "bait"}
