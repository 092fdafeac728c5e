"""A scripted model asked for the triggers of articles that are analysed."""

import gc
import json

import pytest
from made_reading import MadeDetector
from scriptedmodel import KEY, MODEL, Reply, made_articles, right, scripted_server

from slant.runs import analysing
from slant.runs.analysing import analyse
from slant.runs.analysisanswers import Asking

# inspect-ai leaves streams unclosed and calls what is deprecated; its warnings are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def inspect_here(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "inspect"))
    pytest.importorskip("inspect_ai", reason="inspect-ai is not installed: pip install slant[llm]")
    pytest.importorskip("openai", reason="openai is not installed: pip install slant[llm]")
    monkeypatch.setenv("SCRIPTED_API_KEY", KEY)
    monkeypatch.setattr(analysing, "analysis_detectors", lambda folders: [MadeDetector()])
    analysing._loaded.cache_clear()
    yield
    analysing._loaded.cache_clear()
    gc.collect()


def test_triggers_that_a_model_finds_are_of_the_higher_grade_and_asked_for_once(tmp_path):
    examples = made_articles(3)
    rows = [json.dumps({"id": one.item.id, "text": one.item.text}) for one in examples]
    given = tmp_path / "a.jsonl"
    given.write_text("\n".join(rows))
    knows = right(examples)

    def reply(text, before, body):
        # What it says of the third article is no answer.
        return Reply("I cannot say") if text == examples[2].item.text else knows(text, before, body)

    with scripted_server(reply) as script:
        asking = Asking(MODEL, script.url)
        done = analyse([str(given)], tmp_path / "out", language="en", asking=asking, jobs=1)
        asked = len(script.requests)
    lines = (tmp_path / "out/analyses.jsonl").read_text().splitlines()
    first, second, third = (json.loads(line) for line in lines)
    found = [
        (first["article"]["text"][start:end], one["source"])
        for sentence in first["sentences"]
        for one in sentence["triggers"]
        if one["grade"] == "trigger found"
        for start, end in one["spans"][:1]
    ]
    # One trigger of two spans touches two sentences and stands in both.
    assert found == [("Bridge 1 will fall.", MODEL)] * 2
    keys = [one["key"] for one in second["profile"]]
    assert "trigger:B01" in keys
    assert not any(key.startswith("trigger:") for key in (one["key"] for one in third["profile"]))
    assert any(f"{MODEL} gave no answer" in line for line in third["left_out"])
    assert f"model:{MODEL}" in done["signature"]
    # The server is gone: nothing is asked again.
    assert analyse([str(given)], tmp_path / "out", language="en", asking=asking, jobs=1) == done
    assert asked >= 3
