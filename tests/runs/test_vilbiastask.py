"""`inspect eval slant/vilbias`: the paper's metrics, and a grader that sees the image."""

from __future__ import annotations

import json

import pytest
from scriptedvision import (
    VISION,
    Said,
    inspect_home,
    knowing,
    made_pairs,
    number_in,
    ruling,
    vision_server,
)

# inspect-ai leaves streams unclosed and calls what is deprecated; its warnings are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module", autouse=True)
def inspect_here(tmp_path_factory):
    """inspect-ai and Pillow, which are extras, with a home for traces."""
    with inspect_home(tmp_path_factory.mktemp("inspect")) as patch:
        yield patch


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Eight pairs in a file, and what the server must know of them."""
    folder = tmp_path_factory.mktemp("made")
    data = made_pairs(folder, 8, 0)
    path = folder / "pairs.jsonl"
    lines = [
        {"id": one.id, "text": one.text, "label": one.label, "image": one.image.name}
        | {"rationale": one.rationale}
        for one in data.pairs
    ]
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines), "utf-8")
    return path, data


def evaluated(tmp_path, server, made, **more):
    from inspect_ai import eval as evaluate
    from inspect_ai.model import get_model

    from slant.runs.inspecttasks import vilbias

    def model(name):
        return get_model(name, base_url=server.url, memoize=False, max_retries=0)

    roles = {"model_roles": {"grader": model("openai-api/scripted/judge")}} if more.pop("graded", False) else {}  # fmt: skip
    (log,) = evaluate(
        vilbias(data=str(made[0]), items="all", **more), model=model(VISION), display="none",
        log_dir=str(tmp_path), max_retries=0, **roles,
    )  # fmt: skip
    assert log.status == "success"
    assert log.eval.task.endswith("vilbias")
    return {name: one.value for name, one in log.results.scores[0].metrics.items()}


def test_closed_scores_are_the_papers_and_an_unreadable_answer_is_a_miss(tmp_path, made):
    # Biased: 1 3 5 7. Unreadable: 1 (biased) and 2 (fair); 3 is missed.
    # tp 2 (5 7), fn 2 (1 3), fp 1 (2), tn 3: accuracy 5/8, precision 2/3, recall 2/4, F1 4/7.
    def reply(sent, before):
        number = number_in(sent.text)
        if number <= 2:
            return Said("Hm.")
        if number == 3:
            return Said('{"label": "not biased"}')
        return knowing(made[1])(sent, before)

    with vision_server(reply) as server:
        found = evaluated(tmp_path, server, made)
    assert found["accuracy"] == pytest.approx(5 / 8)
    assert found["precision"] == pytest.approx(2 / 3)
    assert found["recall"] == pytest.approx(2 / 4)
    assert found["f1"] == pytest.approx(4 / 7)
    assert found["unusable"] == 2
    assert "reasoning_accuracy" not in found


def test_a_grader_is_shown_the_image_and_asked_again_until_it_keeps_the_schema(tmp_path, made):
    # Eight rationales: supported where the report is odd, faithful up to 6, 8 never judged.
    def reply(sent, before):
        number = number_in(sent.text)
        if sent.model != "judge":
            return knowing(made[1])(sent, before)
        if number == 8 or (number == 1 and "Try" not in sent.text):
            return Said("Yes.")
        return Said(ruling(number % 2 == 1, "image" if number <= 6 else "none"))

    with vision_server(reply) as server:
        found = evaluated(tmp_path, server, made, mode="open", graded=True)
        judged = [one for one in server.requests if one.model == "judge"]
    assert all(len(one.images) == 1 for one in judged)
    assert len(judged) == 7 + 1 + 3
    assert found["accuracy"] == 1
    assert found["judged"] == pytest.approx(7 / 8)
    assert found["reasoning_accuracy"] == pytest.approx(4 / 7)
    assert found["faithfulness"] == pytest.approx(6 / 7)


def test_without_a_grader_a_model_is_never_its_own_judge(tmp_path, made):
    with vision_server(knowing(made[1])) as server:
        found = evaluated(tmp_path, server, made, mode="open", shots=3)
        assert len(server.requests) == 8
        assert {len(one.images) for one in server.requests} == {4}
    assert "judged" not in found
