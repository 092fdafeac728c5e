"""Models asked through inspect-ai: a scripted server answers well, badly, late or not at all."""

from __future__ import annotations

import asyncio
import gc
import json
import zipfile
from collections import Counter
from contextlib import contextmanager

import pytest
from scriptedmodel import CODES, KEY, MODEL, Reply, Scripted, made_articles, right, scripted_server
from scriptedserver import completion, listening

from slant.data.schemas import load_schema
from slant.errors import OptionError, WorkFailed
from slant.runs.bait import run_bait
from slant.runs.baitanswers import answers_path, read_answers
from slant.runs.baitbudget import AskingLimits
from slant.runs.baitdata import BaitData
from slant.runs.baitplan import BaitSettings, drawn_examples, planned_runs
from slant.systems.prompts import system_message
from slant.systems.triggeranswers import parsed_answer

# inspect-ai leaves streams unclosed and calls what is deprecated; its warnings are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")

SCHEMA = load_schema("bait")
ARTICLES = made_articles(12)
DATA = BaitData("made", SCHEMA, ARTICLES)
SETTINGS = BaitSettings(shots=(0, 3), draws=(17,), zero_shot_runs=1)
# One attempt each: the client repeats nothing by itself either.
LIMITS = AskingLimits(max_retries=0, timeout=60)
ONCE = {"max_retries": 0}
BUSY, BROKEN, HALF, EMPTY, ELSEWHERE, DECLINED, WRONG_KEY, NO_SCHEMA = range(1, 9)


@pytest.fixture(scope="module", autouse=True)
def inspect_here(tmp_path_factory):
    """inspect-ai, which is an extra, with a home of its own for its traces."""
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("inspect")))
    pytest.importorskip("inspect_ai", reason="inspect-ai is not installed: pip install slant[llm]")
    pytest.importorskip("openai", reason="openai is not installed: pip install slant[llm]")
    patch.setenv("SCRIPTED_API_KEY", KEY)
    yield patch
    patch.undo()
    # Nothing of inspect-ai is left to be collected under the warnings of another module.
    gc.collect()


KILLED = (".inspect_tmp_a", "E2AmLRWHKh7PyRduLZfMuK")


def number(text: str) -> int:
    return int(text.split(".", maxsplit=1)[0].split()[1])


def faulty(text, before, body):
    """Without examples, eight of twelve articles have a fault of their own."""
    if len(body["messages"]) > 2:
        return right(ARTICLES)(text, before, body)
    wrong = {
        BUSY: Reply(status=429, headers={"retry-after": "1"}, message="slow down"),
        BROKEN: Reply(status=500, message="on fire"),
        HALF: Reply('{"biases_present": ["B01"], "triggers": [{"bi', stop="length"),
        EMPTY: Reply(""),
        ELSEWHERE: Reply(
            '{"biases_present": ["B02"], "triggers": [{"bias": "B02", "spans": ["of the tower"]}]}'
        ),
        DECLINED: Reply("I'm sorry, I can't help with that.", stop="content_filter"),
        WRONG_KEY: Reply(status=401, message=f"the key {KEY} is unknown"),
    }
    if number(text) == NO_SCHEMA and "response_format" in body:
        return Reply(status=400, message=f"response_format is not supported ({KEY})")
    return wrong.get(number(text)) or right(ARTICLES)(text, before, body)


@pytest.fixture(scope="module")
def first(tmp_path_factory, inspect_here):
    """A run with every fault, then the same again with a server in good health."""
    folder = tmp_path_factory.mktemp("bait") / "run"
    told = []
    with scripted_server(faulty) as script:
        inspect_here.setenv("SCRIPTED_BASE_URL", script.url)
        found = run_bait(
            DATA, folder, models=[MODEL], settings=SETTINGS, limits=LIMITS, model_args=ONCE,
            progress=lambda *now: told.append(now),
        )  # fmt: skip
        asked, requests = Counter(script.asked), list(script.requests)
        answers = {run.run: run.answers for run in read_answers(folder)}
        script.reply = right(ARTICLES)
        again = run_bait(
            DATA, folder, models=[MODEL], settings=SETTINGS, limits=LIMITS, model_args=ONCE
        )
        more = Counter(script.asked)
        more.subtract(asked)
        for left in KILLED:
            (folder / "logs" / left).touch()
        done = run_bait(
            DATA, folder, models=[MODEL], settings=SETTINGS, limits=LIMITS, model_args=ONCE
        )
        third = Counter(script.asked)
        third.subtract(asked)
    return {
        "folder": folder, "found": found, "asked": asked, "requests": requests, "told": told,
        "answers": answers, "again": again, "more": +more, "done": done, "third": +third,
        "keys": script.keys,
    }  # fmt: skip


def fault(answer):
    return parsed_answer(answer.raw, CODES, stop=answer.stop).fault


def test_every_kind_of_bad_reply_is_kept_under_the_name_of_its_fault(first):
    answers = first["answers"]["k0-run1"]
    faults = {n: fault(answers[f"article-{n}"]) for n in range(1, 13)}
    assert faults == {
        BUSY: "no-answer", BROKEN: "no-answer", WRONG_KEY: "no-answer",
        HALF: "cut-off", EMPTY: "empty", DECLINED: "refusal", ELSEWHERE: None, NO_SCHEMA: None,
        9: None, 10: None, 11: None, 12: None,
    }  # fmt: skip


def test_an_answer_that_never_came_says_why(first):
    answers = first["answers"]["k0-run1"]
    errors = {n: answers[f"article-{n}"].error for n in (BUSY, BROKEN, WRONG_KEY)}
    assert "slow down" in errors[BUSY]
    assert "on fire" in errors[BROKEN]
    assert "the key [key] is unknown" in errors[WRONG_KEY]


def test_what_failed_is_reported_and_nothing_is_left_out(first):
    found = first["found"]
    assert (found["asked"], found["stored"], found["failed"], found["left"]) == (24, 0, 3, 0)
    assert {one["article"] for one in found["errors"]} == {
        f"article-{n}" for n in (BUSY, BROKEN, WRONG_KEY)
    }
    assert [len(answers) for answers in first["answers"].values()] == [12, 12]


def test_a_rerun_asks_only_what_failed_and_a_third_asks_nothing(first):
    again = first["again"]
    assert (again["asked"], again["stored"], again["failed"]) == (3, 21, 0)
    assert {number(text): n for (text, _), n in first["more"].items()} == dict.fromkeys(
        (BUSY, BROKEN, WRONG_KEY), 1
    )
    assert first["third"] == first["more"]
    assert (first["done"]["asked"], first["done"]["stored"]) == (0, 24)
    kept = {run.run: run.answers for run in read_answers(first["folder"])}["k0-run1"]
    assert all(one.raw is not None for one in kept.values())
    assert kept[f"article-{BROKEN}"].attempts == 2


def test_a_server_without_structured_output_is_asked_again_without_it(first):
    bodies = [
        one for one in first["requests"]
        if number(one["messages"][-1]["content"]) == NO_SCHEMA and len(one["messages"]) == 2
    ]  # fmt: skip
    assert ["response_format" in one for one in bodies] == [True, False]
    answers = first["answers"]["k0-run1"]
    assert not answers[f"article-{NO_SCHEMA}"].structured
    assert answers["article-10"].structured


def test_what_is_sent_is_instructions_then_drawn_examples_then_the_article(first):
    ids = [one.item.id for one in ARTICLES]
    run = planned_runs(SETTINGS)[1]
    texts = {one.item.id: one.item.text for one in ARTICLES}
    sent = [one["messages"] for one in first["requests"] if len(one["messages"]) == 8]
    assert len(sent) == 12
    for messages in sent:
        assert messages[0] == {"role": "system", "content": system_message(SCHEMA)}
        article = f"article-{number(messages[-1]['content'])}"
        assert messages[-1]["content"] == texts[article]
        drawn = drawn_examples(ids, article, run)
        assert [one["content"] for one in messages[1:-1:2]] == [texts[one] for one in drawn]
        assert first["answers"]["k3-seed17"][article].examples == drawn


def test_answers_keep_what_the_provider_said_of_them(first):
    one = first["answers"]["k3-seed17"]["article-1"]
    assert one.model == "small-2026"
    assert dict(one.usage) == {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110}
    assert (one.stop, one.attempts) == ("stop", 1)
    assert one.seconds > 0


def test_progress_counts_every_question_once(first):
    assert [now[:2] for now in first["told"]] == [(n, 24) for n in range(25)]


def test_the_key_is_sent_and_stands_in_no_file_not_even_when_a_server_repeats_it(first, inspect_here):  # fmt: skip
    assert first["keys"] == {KEY}
    files = [path for path in first["folder"].rglob("*") if path.is_file()]
    logs = [path for path in files if path.suffix == ".eval"]
    assert len(logs) == 2
    for path in files:
        assert KEY.encode() not in path.read_bytes()
    for path in logs:
        with zipfile.ZipFile(path) as packed:
            assert len(packed.namelist()) > 4
            for name in packed.namelist():
                assert KEY.encode() not in packed.read(name), name


def test_what_inspect_left_in_a_process_that_was_killed_is_taken_away(first):
    left = {path.name for path in (first["folder"] / "logs").iterdir()}
    assert left
    assert not left & set(KILLED)


def test_the_logs_of_inspect_hold_the_conversations(first):
    from inspect_ai.log import list_eval_logs, read_eval_log

    logs = [read_eval_log(one) for one in list_eval_logs(str(first["folder"] / "logs"))]
    samples = {one.id: one for log in logs for one in log.samples if not one.error}
    assert len(samples) == 24
    one = samples["k3-seed17 article-1"]
    assert [message.role for message in one.messages] == ["system", *["user", "assistant"] * 4]
    assert one.metadata["examples"] == list(first["answers"]["k3-seed17"]["article-1"].examples)


def small(folder, server, **more):
    limits = more.pop("limits", LIMITS)
    settings = more.pop("settings", BaitSettings(shots=(0,), zero_shot_runs=1))
    return run_bait(
        DATA, folder, models=[MODEL], settings=settings, limits=limits, model_args=ONCE,
        base_url=server.url, **more,
    )  # fmt: skip


def test_a_server_that_is_late_is_not_waited_for_and_asked_again_by_the_next_command(tmp_path):
    late = ARTICLES[0].item.text

    def reply(text, before, body):
        return Reply("late", wait=2) if text == late else right(ARTICLES)(text, before, body)

    with scripted_server(reply) as server:
        found = small(tmp_path / "run", server, limits=AskingLimits(max_retries=0, timeout=1))
        errors = {one["article"]: one["error"] for one in found["errors"]}
        assert "AttemptTimeoutError" in errors["article-1"]
        server.reply = right(ARTICLES)
        assert small(tmp_path / "run", server)["failed"] == 0
    (run,) = read_answers(tmp_path / "run")
    assert run.answers["article-1"].raw == right(ARTICLES)(late, 0, {}).content


def test_a_run_inside_an_event_loop_works_too(tmp_path):
    """A notebook has one, where inspect-ai's eval() alone fails."""

    async def cell():
        return small(tmp_path / "run", server)

    with scripted_server(right(ARTICLES)) as server:
        assert asyncio.run(cell())["asked"] == 12


def test_a_cap_of_tokens_ends_the_asking_and_a_larger_one_goes_on(tmp_path):
    # 110 tokens an answer: after three answers 330 are spent; one connection at a time.
    one_by_one = AskingLimits(max_connections=1, max_retries=0, timeout=60, max_tokens_total=300)
    with scripted_server(right(ARTICLES)) as server:
        found = small(tmp_path / "run", server, limits=one_by_one)
        assert (found["asked"], found["left"], found["failed"]) == (3, 9, 0)
        assert found["stopped"] == {"": "330 tokens are spent, and the cap is 300"}
        left = [one for run in read_answers(tmp_path / "run") for one in run.answers.values()]
        assert sum(one.error == "not asked" for one in left) == 9
        found = small(tmp_path / "run", server)
    assert (found["asked"], found["stored"], found["left"]) == (9, 3, 0)
    assert max(server.asked.values()) == 1


def test_what_was_not_asked_is_told_apart_by_whether_its_run_was_begun(tmp_path):
    # Run 1: three answers, nine left; run 2: twelve left, no file.
    one_by_one = AskingLimits(max_connections=1, max_retries=0, timeout=60, max_tokens_total=300)
    twice = BaitSettings(shots=(0,), zero_shot_runs=2)
    with scripted_server(right(ARTICLES)) as server:
        found = small(tmp_path / "run", server, limits=one_by_one, settings=twice)
    assert (found["failed"], found["left"], found["unbegun"]) == (0, 21, 12)
    assert [run.run for run in read_answers(tmp_path / "run")] == ["k0-run1"]


def test_a_server_that_is_not_there_is_given_up_early_and_named(tmp_path):
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    one_by_one = AskingLimits(max_connections=1, max_retries=0, timeout=60)
    found = run_bait(
        DATA, tmp_path / "run", models=[MODEL], settings=BaitSettings(shots=(0,), zero_shot_runs=1),
        limits=one_by_one, model_args=ONCE, base_url=url,
    )  # fmt: skip
    assert (found["asked"], found["failed"], found["left"]) == (3, 3, 9)
    assert f"found no server at {url[7:-3]}" in found["stopped"][MODEL]


def test_a_server_that_fails_is_asked_again_and_the_person_is_told_why(tmp_path, monkeypatch):
    from tenacity import wait_none

    def busy(text, before, body):
        first = before == 0 and number(text) <= 6
        return Reply(status=503, message=f"busy {KEY}") if first else right(ARTICLES)(text, 0, body)

    monkeypatch.setattr("inspect_ai.model._model.ModelAPI.retry_wait", lambda self: wait_none())
    told = []
    with scripted_server(busy) as server:
        found = small(
            tmp_path / "run", server, limits=AskingLimits(max_retries=2), notice=told.append
        )
    assert (found["asked"], found["failed"]) == (12, 0)
    (line,) = told
    assert line.startswith("retrying: 503 ")
    assert "busy [key]" in line
    (run,) = read_answers(tmp_path / "run")
    assert {name: one.attempts for name, one in run.answers.items()} == {
        f"article-{n}": 2 if n <= 6 else 1 for n in range(1, 13)
    }


def test_a_model_that_only_fails_is_given_up_after_ten_failures(tmp_path):
    one_by_one = AskingLimits(max_connections=1, max_retries=0, timeout=60)
    with scripted_server(lambda *_: Reply(status=401, message="no such key")) as server:
        found = small(tmp_path / "run", server, limits=one_by_one)
    assert (found["failed"], found["left"]) == (10, 2)
    assert "10 failures in a row" in found["stopped"][MODEL]
    assert sum(server.asked.values()) == 10


def test_a_full_disk_ends_the_asking_instead_of_paying_for_answers_that_are_lost(
    tmp_path, monkeypatch
):
    """From the third answer on no space is left; what was under way may still arrive, no more."""
    from slant.runs import linejournals

    real, calls = linejournals.os.fsync, []

    def full(handle):
        calls.append(handle)
        if len(calls) > 2:
            raise OSError(28, "No space left on device")
        real(handle)

    one_by_one = AskingLimits(max_connections=1, max_retries=0, timeout=60)
    with scripted_server(right(ARTICLES)) as server:
        monkeypatch.setattr(linejournals.os, "fsync", full)
        with pytest.raises(WorkFailed, match="no space is left"):
            small(tmp_path / "run", server, limits=one_by_one)
        monkeypatch.undo()
        assert sum(server.asked.values()) == 3
        path = answers_path(tmp_path / "run", MODEL, "k0-run1")
        assert len(path.read_text().splitlines()) == 2


def test_an_unknown_provider_or_a_missing_key_is_said_before_anything_is_written(
    tmp_path, inspect_here
):
    for name, said in (("nobody/small", "not recognized"), ("openai-api/keyless/a", "KEYLESS_API_KEY")):  # fmt: skip
        with pytest.raises(OptionError, match=said):
            run_bait(DATA, tmp_path / "run", models=[name], settings=SETTINGS)
        assert not (tmp_path / "run" / "run.json").exists()


def test_article_ids_of_any_kind_are_only_names(tmp_path):
    """Slashes, dots, spaces, quotes and emoji in an id end up in no path."""
    from dataclasses import replace

    ids = ["../up", "a/b", "c d", '"q"', "🌉", "x" * 300]
    odd = [replace(one, item=replace(one.item, id=name)) for one, name in zip(ARTICLES, ids)]  # noqa: B905
    data = BaitData("made", SCHEMA, odd)
    settings = BaitSettings(shots=(0,), zero_shot_runs=1)
    with scripted_server(right(ARTICLES)) as server:
        found = run_bait(
            data, tmp_path / "run", models=[MODEL], settings=settings, limits=LIMITS,
            model_args=ONCE, base_url=server.url,
        )  # fmt: skip
    assert (found["asked"], found["failed"]) == (6, 0)
    assert set(read_answers(tmp_path / "run")[0].answers) == set(ids)


@contextmanager
def telling(told):
    """A server that puts bytes of its own on a connection that it would keep: told(right answer)."""

    def posted(handler, body):
        handler.wfile.write(told(right(ARTICLES)(body["messages"][-1]["content"], 0, {}).content))

    with listening(posted, protocol="HTTP/1.1") as url:
        yield Scripted(lambda *_: Reply(), url=url)


def answered(content, **more):
    data = json.dumps({**completion(content, "small-2026"), **more}).encode()
    return b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % len(data) + data


def raws(folder):
    (run,) = read_answers(folder)
    return {name: one.raw for name, one in run.answers.items()}


GOOD = {one.item.id: right(ARTICLES)(one.item.text, 0, {}).content for one in ARTICLES}


def test_a_second_answer_on_a_connection_is_not_taken_for_the_answer_to_the_next_question(tmp_path):
    with telling(lambda content: answered(content) + answered("nobody asked for this")) as server:
        assert small(tmp_path / "run", server)["asked"] == 12
    assert raws(tmp_path / "run") == GOOD


@pytest.mark.parametrize(
    "usage",
    [
        {"total_tokens": 10**400}, {"total_tokens": -5}, {"prompt_tokens": "many"},
        {"completion_tokens": None}, {"prompt_tokens_details": 3}, {"total_tokens": 1.5},
        {"prompt_tokens_details": {"cached_tokens": -1}},
    ],
)  # fmt: skip
def test_counts_of_tokens_that_are_none_cost_no_answer_and_count_as_unknown(tmp_path, usage):
    whole = {**completion(None, "")["usage"], **usage}
    capped = AskingLimits(max_retries=0, timeout=60, max_tokens_total=10**6)
    with telling(lambda content: answered(content, usage=whole)) as server:
        found = small(tmp_path / "run", server, limits=capped)
    assert (found["asked"], found["failed"], found["tokens"]) == (12, 0, 0)
    assert raws(tmp_path / "run") == GOOD


def test_a_key_that_a_server_puts_into_its_answers_and_addresses_stands_in_no_file(
    tmp_path, inspect_here
):
    """The password of the address is in inspect-ai's traces otherwise, which log every request."""
    with telling(lambda content: answered(f"{content} {KEY}", id=KEY)) as server:
        inspect_here.setenv(
            "SCRIPTED_BASE_URL",
            server.url.replace("//", "//me:hunter-2222@") + "?api_key=hunter-2222",
        )
        settings = BaitSettings(shots=(0,), zero_shot_runs=1)
        home = tmp_path / "inspect"
        with inspect_here.context() as patch:
            patch.setenv("XDG_DATA_HOME", str(home))
            run_bait(
                DATA, tmp_path / "run", models=[MODEL], settings=settings, limits=LIMITS,
                model_args=ONCE,
            )  # fmt: skip
    assert raws(tmp_path / "run") == {name: f"{one} [key]" for name, one in GOOD.items()}
    for path in tmp_path.rglob("*"):
        contents = [path.read_bytes()] if path.is_file() else []
        if path.suffix == ".eval":
            with zipfile.ZipFile(path) as packed:
                contents = [packed.read(name) for name in packed.namelist()]
        assert not any(KEY.encode() in one or b"hunter-2222" in one for one in contents), path
