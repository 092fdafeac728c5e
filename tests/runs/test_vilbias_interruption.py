"""A run that is killed while it asks models, and again while it asks a judge."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from ask_vision import TESTED, ask
from scriptedvision import JUDGE, KEY, VISION, Said, knowing, made_pairs, ruling, vision_server

from slant.runs.baitanswers import Journal, answers_path
from slant.runs.verdictjournals import VerdictJournal, planted_path, verdicts_path

# inspect-ai leaves streams unclosed and calls what is deprecated; its warnings are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")

ANSWERS = 2 * TESTED
VERDICTS = TESTED + 7
UNDER_WAY = 4


def answered(folder):
    journals = [Journal(answers_path(folder, VISION, f"{one}-k0")) for one in ("closed", "open")]
    return sum(len(one.answers) for one in journals)


def ruled(folder):
    paths = (planted_path(folder, JUDGE), verdicts_path(folder, JUDGE, VISION, "open-k0"))
    return sum(len(VerdictJournal(path).verdicts) for path in paths)


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """The folder after two kills and two reruns, and what was kept and asked by then."""
    pytest.importorskip("inspect_ai", reason="inspect-ai is not installed: pip install slant[llm]")
    pytest.importorskip("PIL", reason="Pillow is not installed: pip install slant[vision]")
    home = tmp_path_factory.mktemp("killed")
    folder, images = home / "run", home / "images"
    data = made_pairs(images, TESTED)
    kept, asked = [], []

    def good(sent, before):
        one = Said(ruling()) if sent.model == "judge" else knowing(data)(sent, before)
        return Said(one.content, wait=0.02)

    with pytest.MonkeyPatch.context() as patch, vision_server(good) as server:
        patch.setenv("SCRIPTED_API_KEY", KEY)
        patch.setenv("XDG_DATA_HOME", str(home / "inspect"))
        here = Path(__file__).parent

        def kill_at(number):
            enough, over = threading.Event(), threading.Event()

            def until(sent, before):
                if len(server.requests) >= number:
                    enough.set()
                    over.wait(60)
                return good(sent, before)

            server.reply = until
            child = subprocess.Popen(
                [sys.executable, str(here / "ask_vision.py"), folder, images, server.url],
                env={**os.environ, "PYTHONPATH": os.pathsep.join([str(here), *sys.path])},
            )
            try:
                assert enough.wait(120)
            finally:
                child.send_signal(signal.SIGKILL)
                child.wait()
                over.set()

        kill_at(ANSWERS // 2)
        kept.append(answered(folder))
        asked.append(len(server.requests))
        # A process can be killed while it writes a line, too.
        with answers_path(folder, VISION, "closed-k0").open("ab") as file:
            file.write(b'{"article": "pair-9", "raw": "{\\"lab')
        kill_at(asked[0] + ANSWERS - kept[0] + VERDICTS // 2)
        kept.append(ruled(folder))
        asked.append(len(server.requests))
        with planted_path(folder, JUDGE).open("ab") as file:
            file.write(b'{"item": "right/open-')
        server.reply = good
        last = ask(folder, images, server.url)
        asked.append(len(server.requests))
        done = ask(folder, images, server.url)
        asked.append(len(server.requests))
    yield {"folder": folder, "kept": kept, "asked": asked, "last": last, "done": done}
    gc.collect()


def test_something_was_kept_and_something_left_at_each_kill(killed):
    assert 0 < killed["kept"][0] < ANSWERS
    assert 0 < killed["kept"][1] < VERDICTS


def test_at_most_what_was_under_way_is_asked_in_vain_of_models_and_judges(killed):
    before, at_judge, end, _ = killed["asked"]
    assert ANSWERS // 2 <= before <= killed["kept"][0] + UNDER_WAY
    verdicts_asked = at_judge - before - (ANSWERS - killed["kept"][0])
    assert killed["kept"][1] <= verdicts_asked <= killed["kept"][1] + UNDER_WAY
    assert end - at_judge == VERDICTS - killed["kept"][1]


def test_the_rerun_completes_both_and_a_finished_run_asks_nothing(killed):
    assert killed["last"]["asked"]["stored"] == ANSWERS
    assert killed["last"]["judged"]["stored"] == killed["kept"][1]
    assert (answered(killed["folder"]), ruled(killed["folder"])) == (ANSWERS, VERDICTS)
    assert killed["asked"][3] == killed["asked"][2]
    assert killed["done"]["judged"]["stored"] == VERDICTS
