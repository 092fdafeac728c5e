"""ViLBias as a task of inspect-ai: `inspect eval slant/vilbias --model openai/gpt-4o`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from slant.data.documents import sound
from slant.metrics.pairs import BIASED_LABEL, FAIR_LABEL, label_scores
from slant.runs.baitmodels import guarded
from slant.runs.baitplan import Structured
from slant.runs.modelmessages import chat_messages, formed_output
from slant.runs.vilbiasdata import SEED, SPLIT, Items, vilbias_data
from slant.runs.vilbiasfolder import prepared_images
from slant.runs.vilbiasplan import Question, VilbiasSettings, check_settings, questions
from slant.systems.judgeprompts import asked_again, judge_conversation, verdict_form
from slant.systems.pairanswers import pair_answer
from slant.systems.pairprompts import Mode, answer_form, pair_conversation
from slant.systems.plantedrationales import FAITHFUL
from slant.systems.verdicts import SUPPORTS, Verdict, verdict

TRIES: Final = 3
"""How often a judge is asked for one verdict while its replies are not in the schema."""


@task
def vilbias(
    data: str = "vilbias",
    mode: Mode = "closed",
    shots: int = 0,
    seed: int = 17,
    items: Items = "test",
    split: str = SPLIT,
    split_seed: int = SEED,
    images: bool = True,
    image_side: int = 1024,
    judge: bool = True,
    structured: Structured = "auto",
) -> Task:
    """Is a pair of text and image biased, and why? One run of `slant vilbias run`, under inspect.

    Args:
        data: name of a task of pairs, or a file.
        mode: "closed": the label; "open": the label and a rationale.
        shots: number of worked examples from the training part.
        seed: of their draw.
        items, split, split_seed: which pairs are asked about.
        images: send them, to the model and to the judge.
        image_side: pixels of their longer side at most.
        judge: ask the model of the role "grader" about the rationales of open answers
            (`--model-role grader=openai/gpt-4o`), where one is given.
        structured: send the JSON Schema of an answer: "auto", "yes", "no".

    Returns:
        A task whose metrics are those of the paper: accuracy, precision, recall and F1 of biased,
        and of open answers reasoning accuracy and faithfulness over the rationales judged.
    """
    given = vilbias_data(data, items=items, split=split, seed=split_seed)
    settings = VilbiasSettings(
        (mode,), (shots,), (seed,), images=images, image_side=image_side, structured=structured
    )
    check_settings(settings)
    asked = {one.pair.id: one for one in questions(given.pairs, settings)}
    shown = {pair.id: pair for one in asked.values() for pair in (one.pair, *one.examples)}
    pictures = prepared_images(shown.values(), image_side) if images else {}
    samples = [
        Sample(
            input=one.pair.text,
            target=BIASED_LABEL if one.pair.label else FAIR_LABEL,
            id=name,
            metadata={"examples": [example.id for example in one.examples]},
        )
        for name, one in asked.items()
    ]
    return Task(
        dataset=MemoryDataset(samples, name="vilbias"),
        solver=_solver(asked, pictures, structured),
        scorer=_scorer(asked, pictures, mode == "open" and judge, structured),
        config=GenerateConfig(temperature=settings.temperature, max_tokens=settings.max_tokens),
        # A sample that failed is scored as wrong, never left out of the pooled scores.
        fail_on_error=False,
        score_on_error=True,
    )


def _solver(
    asked: Mapping[str, Question], pictures: Mapping[str, bytes], structured: Structured
) -> Solver:
    @solver(name="asked_with_examples")
    def asked_with_examples() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            one = asked[str(state.sample_id)]
            examples = [
                (pair.text, pictures.get(pair.id), pair.label, pair.rationale)
                for pair in one.examples
            ]
            picture = pictures.get(one.pair.id)
            turns = pair_conversation(one.run.mode, one.pair.text, picture, examples)
            state.messages = chat_messages(turns)
            form = answer_form(one.run.mode)
            state.output, _ = await formed_output(
                guarded(get_model()), state.messages, form, structured
            )
            state.messages.append(state.output.message)
            return state

        return solve

    return asked_with_examples()


def _scorer(
    asked: Mapping[str, Question],
    pictures: Mapping[str, bytes],
    judged: bool,
    structured: Structured,
) -> Scorer:
    @scorer(metrics=[pooled()], name="vilbias_pairs")
    def vilbias_pairs() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            one = asked[str(state.sample_id)]
            output = state.output
            raw = output.completion if output.choices else None
            stop = output.stop_reason if output.choices else None
            said = pair_answer(raw, open_ended=one.run.mode == "open", stop=stop)
            found = None
            if judged and said.rationale is not None:
                picture = pictures.get(one.pair.id)
                found = await _verdict(one, picture, said.rationale, structured)
            told: dict[str, Any] = {"epoch": state.epoch, "gold": one.pair.label}
            told |= {"said": None if said.biased is None else int(said.biased)}
            if found is not None:
                told |= {SUPPORTS: found.supports_gold, FAITHFUL: found.faithful}
                told |= {"verdict_fault": found.fault}
            return Score(
                value=float(said.biased is not None and said.biased == bool(one.pair.label)),
                answer=None if raw is None else sound(raw),
                explanation=None if said.fault is None else f"unusable: {said.fault}",
                metadata=told,
            )

        return score

    return vilbias_pairs()


async def _verdict(
    one: Question, picture: bytes | None, rationale: str, structured: Structured
) -> Verdict | None:
    """The verdict of the grader; None where the task was given none."""
    grader = get_model(role="grader")
    if grader is get_model():
        return None
    turns = first = judge_conversation(one.pair.text, picture, one.pair.label, rationale)
    found = Verdict(None, fault="no-answer")
    for number in range(2, TRIES + 2):
        messages, form = chat_messages(turns), verdict_form("plain")
        output, _ = await formed_output(guarded(grader), messages, form, structured)
        found = verdict(output.completion, output.stop_reason)
        if found.fault is None:
            break
        turns = asked_again(first, found.fault, number)
    return found


@metric(scores="unreduced")
def pooled() -> Metric:
    """Scores over the pairs of an epoch, averaged over epochs.

    Returns:
        A metric: those of `slant.metrics.pairs.label_scores` (an answer that cannot be read is
        wrong), "unusable", and where a grader was given "reasoning_accuracy", "faithfulness" and
        "judged" (share of the pairs with a verdict that could be read). A score that is 0/0 is not
        there.
    """

    def pool(scores: list[SampleScore]) -> Value:
        epochs: dict[int, list[dict[str, Any]]] = {}
        for one in scores:
            told = one.score.metadata or {}
            epochs.setdefault(told.get("epoch", 1), []).append(told)
        found: dict[str, list[float]] = {}
        for several in epochs.values():
            for name, value in _epoch_scores(several).items():
                found.setdefault(name, []).append(value)
        return {name: float(np.mean(values)) for name, values in found.items()}

    return pool


def _epoch_scores(told: list[dict[str, Any]]) -> dict[str, float]:
    known = [one for one in told if "gold" in one]
    said = [None if one["said"] is None else bool(one["said"]) for one in known]
    scores = label_scores([bool(one["gold"]) for one in known], said, "ours")
    found = {name: value for name, value in scores.items() if value is not None}
    found["unusable"] = float(sum(one is None for one in said))
    if any(SUPPORTS in one for one in known):
        judged = [one for one in known if one.get(SUPPORTS) is not None]
        found["judged"] = len(judged) / len(known)
        if judged:
            found["reasoning_accuracy"] = float(np.mean([one[SUPPORTS] for one in judged]))
            found["faithfulness"] = float(np.mean([one[FAITHFUL] for one in judged]))
    return found
