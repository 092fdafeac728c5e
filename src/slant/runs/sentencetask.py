"""A binary task of texts as one of inspect-ai: `inspect eval slant/sentences -T data=babe`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from slant.errors import OptionError
from slant.metrics.pairs import BIASED_LABEL, FAIR_LABEL
from slant.runs.baitplan import Structured
from slant.runs.modelmessages import chat_messages, formed_output
from slant.runs.outcomes import fold_tallies, strata_of
from slant.runs.taskscores import groups_of, kernels_of
from slant.stats.resampling import fold_scores, generator
from slant.systems.pairanswers import pair_answer
from slant.systems.sentenceprompts import answer_form, prompt_sha256, text_conversation
from slant.tasks.names import task_names
from slant.tasks.options import Options, chosen_options
from slant.tasks.prepare import examples_of, prepared
from slant.tasks.protocols import TEST, fold_of
from slant.types import Example, Item

SHOWN: Final = ("accuracy", "precision", "recall", "mcc")
"""Beside both F1 of the protocol."""
MAX_TOKENS: Final = 4096


@dataclass(frozen=True, slots=True)
class AskedText:
    """A text that is asked about: its test fold, gold, data set, and worked examples of train."""

    item: Item
    fold: int
    label: int
    dataset: str
    examples: tuple[Example, ...] = ()


@task
def sentences(
    data: str = "open/sentences",
    preset: str = "clean",
    seed: int = 42,
    shots: int = 0,
    draw: int = 17,
    structured: Structured = "auto",
) -> Task:
    """Is a text biased? The test texts of a task, by the protocol of `slant run`, under inspect.

    Args:
        data: name of one task, e.g. "babe", "mbib/racial-bias", "added/mine"; its files are in
            SLANT_DATA or the store.
        preset: "official" or "clean".
        seed: of balance and folds, as `slant run --seeds` has it.
        shots: number of worked examples, from the train part of each text's own fold.
        draw: seed of their draw.
        structured: send the JSON Schema of an answer: "auto", "yes", "no".

    Returns:
        A task whose metrics are the scores of `slant run` without their intervals; `log_rows`
        makes a predictions file of its log, which `slant run -s predictions:FILE` scores whole.
    """
    options, asked = asked_texts(data, preset, seed, shots, draw)
    samples = [
        Sample(
            input=one.item.text,
            target=BIASED_LABEL if one.label else FAIR_LABEL,
            id=name,
            metadata={"examples": [example.item.id for example in one.examples]},
        )
        for name, one in asked.items()
    ]
    return Task(
        dataset=MemoryDataset(samples, name=data),
        solver=_solver(asked, structured),
        scorer=_scorer(asked, data, options),
        config=GenerateConfig(temperature=0.0, max_tokens=MAX_TOKENS),
        metadata={"task": data, "preset": preset, "seed": seed, "prompt": prompt_sha256()},
        # A sample that failed is scored as wrong, never left out of the pooled scores.
        fail_on_error=False,
        score_on_error=True,
    )


def asked_texts(
    name: str, preset: str, seed: int, shots: int, draw: int
) -> tuple[Options, dict[str, AskedText]]:
    """The protocol of a task, and its test texts by their ids.

    Rule: each text is asked about once, with worked examples drawn from the train part of the fold
    that tests it, as many biased as not (one more biased where the number is odd).

    Args: as for `sentences`.

    Raises:
        OptionError: several tasks, or more examples than train has. SlantError: see the message.
    """
    (full, *more), _ = task_names([name], None)
    options = chosen_options(preset, {}, [full])
    if more:
        found = f"it names {len(more) + 1} tasks"
        raise OptionError(f"Reading the task '{name}'", found, f"Give one, as {full}")
    rows = pl.read_parquet(prepared(full, options, seed, None, {}).rows, glob=False)
    examples = examples_of(rows)
    asked = {}
    for number in range(options.splits):
        roles = rows[f"role_{number}"].to_numpy()
        train = fold_of(examples, roles).train
        for place in np.flatnonzero(roles == TEST):
            one = examples[int(place)]
            shown = drawn_shots(train, shots, draw, one.item.id)
            own = str(one.item.group)
            asked[one.item.id] = AskedText(one.item, number, int(one.gold.biased), own, shown)
    return options, asked


def drawn_shots(train: Sequence[Example], shots: int, seed: int, item: str) -> tuple[Example, ...]:
    """Worked examples for one text, in a drawn order.

    Args:
        train: of its fold.
        shots: how many.
        seed: of the draw, which is each text's own.
        item: its id.

    Raises:
        OptionError: train has not as many of a label.
    """
    if not shots:
        return ()
    stream = generator(seed, ("sentences", "examples", item))
    found: list[Example] = []
    for biased, wanted in ((True, shots - shots // 2), (False, shots // 2)):
        own = [one for one in train if one.gold.biased == biased]
        if not 0 <= wanted <= len(own):
            few = f"train has {len(own)} texts of a label, {wanted} are wanted"
            raise OptionError(f"Drawing {shots} worked examples", few, "Give fewer")
        found += [own[int(i)] for i in stream.permutation(len(own))[:wanted]]
    return tuple(found[int(i)] for i in stream.permutation(len(found)))


def _solver(asked: Mapping[str, AskedText], structured: Structured) -> Solver:
    @solver(name="asked_with_examples")
    def asked_with_examples() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            one = asked[str(state.sample_id)]
            shown = [(example.item.text, int(example.gold.biased)) for example in one.examples]
            state.messages = chat_messages(text_conversation(one.item.text, shown))
            form = answer_form()
            state.output, _ = await formed_output(get_model(), state.messages, form, structured)
            state.messages.append(state.output.message)
            return state

        return solve

    return asked_with_examples()


def _scorer(asked: Mapping[str, AskedText], name: str, options: Options) -> Scorer:
    @scorer(metrics=[pooled(name, options)], name="slant_sentences")
    def slant_sentences() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            one = asked[str(state.sample_id)]
            output = state.output
            raw = output.completion if output.choices else None
            stop = output.stop_reason if output.choices else None
            said = pair_answer(raw, open_ended=False, stop=stop)
            return Score(
                value=float(said.biased is not None and said.biased == bool(one.label)),
                answer=raw,
                explanation=None if said.fault is None else f"unusable: {said.fault}",
                metadata={
                    "epoch": state.epoch,
                    "fold": one.fold,
                    "dataset": one.dataset,
                    "label": one.label,
                    "predicted": None if said.biased is None else int(said.biased),
                    "fault": said.fault,
                },
            )

        return score

    return slant_sentences()


def pooled(name: str, options: Options) -> Metric:
    """Scores over the texts of a fold, averaged over folds, then over epochs.

    Args:
        name: of the task.
        options: its protocol.

    Returns:
        A metric: micro and group F1 of the preset, accuracy, precision, recall, mcc - an answer
        that cannot be read is wrong - and "unusable", the number of these. A score that is 0/0 in
        a fold is not there.
    """

    @metric(name="slant_scores", scores="unreduced")
    def slant_scores() -> Metric:
        def pool(scores: list[SampleScore]) -> Value:
            epochs: dict[int, list[dict[str, Any]]] = {}
            for one in scores:
                told = {"id": str(one.sample_id), **(one.score.metadata or {})}
                epochs.setdefault(told.get("epoch", 1), []).append(told)
            found: dict[str, list[float]] = {}
            for rows in epochs.values():
                known = [row for row in rows if "label" in row]
                for key, value in text_scores(name, known, options).items():
                    found.setdefault(key, []).append(value)
            said = [(one.score.metadata or {}).get("predicted") for one in scores]
            means = {key: float(np.mean(values)) for key, values in found.items()}
            return {**means, "unusable": sum(one is None for one in said)}

        return pool

    return slant_scores()


def text_scores(name: str, rows: Sequence[Mapping[str, Any]], options: Options) -> dict[str, float]:
    """The scores of predictions of one task, as `slant run` has them without an interval.

    Args:
        name: of the task.
        rows: id, dataset, fold, label and predicted (0, 1 or None) of each text.
        options: the protocol.

    Returns:
        By name, micro and group F1 first; a score that is undefined in a fold is left out.
    """
    keys = ("id", "dataset", "fold", "label", "predicted")
    table = pl.DataFrame(
        {key: [row[key] for row in rows] for key in keys}, schema_overrides={"predicted": pl.Int8}
    ).sort("fold", maintain_order=True)
    if table.is_empty():
        return {}
    table = table.with_columns(seed=pl.lit(0), cluster=pl.int_range(pl.len(), dtype=pl.Int64))
    kernels = kernels_of(name, table, options)
    strata = strata_of(fold_tallies(table, groups_of(table)), 1)
    wanted = (f"micro_{options.f1}_f1", f"group_{options.f1}_f1", *SHOWN)
    folds = {key: fold_scores(strata, kernels[key]) for key in wanted}
    return {
        key: float(np.mean([one for one in own if one is not None]))
        for key, own in folds.items()
        if None not in own
    }
