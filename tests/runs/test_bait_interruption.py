"""A run that is killed in the middle, with a fifth of all replies failing."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest
from ask_scripted import ARTICLES, SETTINGS, ask
from scriptedmodel import KEY, MODEL, Reply, right, scripted_server

from slant.errors import RunError
from slant.runs.baitanswers import Journal, answers_path, read_answers
from slant.runs.baitplan import planned_runs

# inspect-ai leaves streams unclosed and calls what is deprecated; its warnings are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")

QUESTIONS = 50


def a_fifth_fails(text, before, body):
    """The first reply to a fifth of the conversations is a failure, whoever asks."""
    number = int(sha256(json.dumps(body["messages"]).encode()).hexdigest(), 16)
    if before == 0 and number % 5 == 0:
        return Reply(status=500, message="on fire", wait=0.02)
    good = right(ARTICLES)(text, before, body)
    return Reply(good.content, wait=0.02)


def journals(folder):
    return {
        run.name: Journal(answers_path(folder, MODEL, run.name)).answers
        for run in planned_runs(SETTINGS)
    }


def raws(folder):
    return {
        (run.run, article): one.raw
        for run in read_answers(folder)
        for article, one in run.answers.items()
    }


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """The folder after kill -9, after two reruns, and what the server was asked in between."""
    pytest.importorskip("inspect_ai", reason="inspect-ai is not installed: pip install slant[llm]")
    home = tmp_path_factory.mktemp("killed")
    folder = home / "run"
    enough, over = threading.Event(), threading.Event()
    with pytest.MonkeyPatch.context() as patch, scripted_server(a_fifth_fails) as script:
        patch.setenv("SCRIPTED_API_KEY", KEY)
        patch.setenv("XDG_DATA_HOME", str(home / "inspect"))

        def until_half(text, before, body):
            if sum(script.asked.values()) >= QUESTIONS // 2:
                enough.set()
                over.wait(60)
            return a_fifth_fails(text, before, body)

        script.reply = until_half
        here = Path(__file__).parent
        path = os.pathsep.join([str(here), *sys.path])
        child = subprocess.Popen(
            [sys.executable, str(here / "ask_scripted.py"), str(folder), script.url],
            env={**os.environ, "PYTHONPATH": path},
        )
        try:
            assert enough.wait(120)
            refused = None
            try:
                ask(folder, script.url)
            except RunError as error:
                refused = str(error)
        finally:
            child.send_signal(signal.SIGKILL)
            child.wait()
            over.set()
        before, asked = journals(folder), Counter(script.conversations)
        # A process can be killed while it writes a line, too.
        cut = answers_path(folder, MODEL, "k0-run1")
        with cut.open("ab") as file:
            file.write(b'{"article": "article-25", "raw": "{\\"biases_pr')
        script.reply = a_fifth_fails
        ask(folder, script.url)
        ask(folder, script.url)
        after = Counter(script.conversations)
        last = ask(folder, script.url)
        end = Counter(script.conversations)
    yield {
        "folder": folder, "before": before, "asked": asked, "after": after,
        "end": end, "last": last, "refused": refused,
    }  # fmt: skip
    gc.collect()


def test_a_second_process_on_the_same_folder_is_refused(killed):
    assert "another process" in killed["refused"]


def test_something_was_done_and_something_left_when_it_was_killed(killed):
    kept = sum(one.raw is not None for run in killed["before"].values() for one in run.values())
    assert 5 < kept < QUESTIONS


def test_no_answered_question_is_asked_again_after_kill_9(killed):
    """A conversation is one article in one run, so that the server can tell them apart."""
    answered = {
        (0 if name == "k0-run1" else 3, article)
        for name, run in killed["before"].items()
        for article, one in run.items()
        if one.raw is not None
    }
    texts = {one.item.text: one.item.id for one in ARTICLES}
    again = killed["after"].copy()
    again.subtract(killed["asked"])
    for conversation, times in again.items():
        messages = json.loads(conversation)
        which = ((len(messages) - 2) // 2, texts[messages[-1]["content"]])
        # What was not answered: once, twice where the first reply is one of the failures.
        assert times == 0 if which in answered else times <= 2, which


def test_at_most_what_was_under_way_is_asked_in_vain(killed):
    """50 questions, a fifth with one failure each; four connections may have been cut."""
    failing = sum(int(sha256(one.encode()).hexdigest(), 16) % 5 == 0 for one in killed["after"])
    assert len(killed["after"]) == QUESTIONS
    assert QUESTIONS + failing <= sum(killed["after"].values()) <= QUESTIONS + failing + 4


def test_the_reruns_end_with_the_answers_of_a_run_that_was_never_broken(killed):
    """Those are known: without failures the server answers every article with its gold."""
    good = right(ARTICLES)
    assert raws(killed["folder"]) == {
        (run, one.item.id): good(one.item.text, 0, {}).content
        for run in ("k0-run1", "k3-seed17")
        for one in ARTICLES
    }


def test_a_finished_run_asks_nothing(killed):
    assert killed["end"] == killed["after"]
    assert (killed["last"]["asked"], killed["last"]["stored"]) == (0, QUESTIONS)


def test_a_line_that_was_cut_off_is_dropped_and_written_anew(killed):
    lines = answers_path(killed["folder"], MODEL, "k0-run1").read_text().splitlines()
    assert all(json.loads(line)["article"] for line in lines)
