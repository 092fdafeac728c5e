"""Which questions a BAIT run asks: runs, worked examples of each article, and what it may cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, get_args

from slant.data.schemas import Schema
from slant.errors import OptionError
from slant.runs.baitbudget import call_costs
from slant.stats.resampling import generator
from slant.systems.prompts import conversation
from slant.systems.triggeranswers import answer_json
from slant.systems.turns import characters
from slant.types import Example, Item

Structured = Literal["auto", "yes", "no"]

CHARACTERS_PER_TOKEN: Final = 4.0
"""A rule of thumb for English; what an estimate divides by."""


@dataclass(frozen=True, slots=True)
class BaitSettings:
    """What decides which questions are asked and how.

    Fields:
        shots: numbers of worked examples.
        draws: the seeds of the draws of examples; each number above 0 has a run for each.
        zero_shot_runs: how often the articles are asked about without examples.
        limit: how many articles, the first ones, are asked about; examples come from all.
        temperature, max_tokens: of the model, None: the provider's own.
        structured: send the JSON Schema of an answer: where the provider takes it, always, never.
    """

    shots: tuple[int, ...] = (0, 3, 10)
    draws: tuple[int, ...] = (17, 23, 29)
    zero_shot_runs: int = 6
    limit: int | None = None
    temperature: float | None = 0.0
    max_tokens: int | None = 8192
    structured: Structured = "auto"

    def json(self) -> dict[str, Any]:
        """The settings as run.json has them."""
        return {**asdict(self), "shots": list(self.shots), "draws": list(self.draws)}


@dataclass(frozen=True, slots=True)
class BaitRun:
    """All articles asked about once: `k0-run1` without examples, `k3-seed17` with three."""

    name: str
    shots: int
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """One article in one run, with its worked examples."""

    run: BaitRun
    item: Item
    examples: tuple[Example, ...] = ()

    @property
    def id(self) -> str:
        """Of the article."""
        return self.item.id

    @property
    def example_ids(self) -> tuple[str, ...]:
        """Of the worked examples."""
        return tuple(one.item.id for one in self.examples)


def check_settings(settings: BaitSettings, articles: int | None) -> None:
    """Refuse settings that no run can follow.

    Args:
        settings: what was asked for.
        articles: how many there are to draw examples from, the asked one included; None: no model
            is asked, and none are drawn.

    Raises:
        OptionError: naming the option.
    """
    shots, draws = settings.shots, settings.draws
    if not shots or min(shots) < 0 or len(set(shots)) < len(shots):
        found = "it must name numbers of examples, 0 or more, each once"
        raise OptionError(_given("--shots", shots), found, "Give for example --shots 0,3,10")
    if min(draws, default=0) < 0 or len(set(draws)) < len(draws) or (max(shots) and not draws):
        found = "it must name seeds, 0 or more, each once"
        raise OptionError(_given("--draws", draws), found, "Give for example --draws 17,23,29")
    if 0 in shots and settings.zero_shot_runs < 1:
        found = "there is nothing to ask without examples"
        raise OptionError("Reading --zero-shot-runs", found, "Give 1 or more, or leave out 0 shots")
    check_shared(settings.limit, settings.structured, "article")
    if articles is not None and max(shots) >= articles:
        found = (
            f"the data have {articles} article{'s' if articles > 1 else ''}, and the examples of "
            f"one are drawn from the other {articles - 1}"
        )
        do = f"Give at least {max(shots) + 1} articles, or fewer examples"
        raise OptionError(f"Drawing {max(shots)} examples for each article", found, do)


def check_shared(limit: int | None, structured: str, unit: str) -> None:
    """Refuse the settings that runs of all kinds have, where no run can follow them.

    Args:
        limit: how many units are asked about.
        structured: of `Structured`.
        unit: what a question is about.

    Raises:
        OptionError: naming the option.
    """
    if limit is not None and limit < 1:
        raise OptionError("Reading --limit", f"it asks for no {unit}", "Give 1 or more")
    if structured not in get_args(Structured):
        found = "it is none of auto, yes, no"
        raise OptionError(f"Reading --structured '{structured}'", found, "Give one")


def _given(option: str, numbers: Sequence[int]) -> str:
    return f"Reading {option} '{','.join(map(str, numbers))}'"


def planned_runs(settings: BaitSettings) -> list[BaitRun]:
    """The runs of each model, in order of their number of examples.

    >>> [run.name for run in planned_runs(BaitSettings(shots=(0, 3), zero_shot_runs=2))]
    ['k0-run1', 'k0-run2', 'k3-seed17', 'k3-seed23', 'k3-seed29']
    """
    runs = []
    for shots in sorted(settings.shots):
        if shots == 0:
            runs += [BaitRun(f"k0-run{n}", 0) for n in range(1, settings.zero_shot_runs + 1)]
        else:
            runs += [BaitRun(f"k{shots}-seed{seed}", shots, seed) for seed in settings.draws]
    return runs


def accompanied(settings: BaitSettings) -> dict[str, str]:
    """Each few-shot run -> the zero-shot run that it is compared with, where there is one.

    Rule: zero-shot runs are given out in order: with three draws, 1 to 3 accompany the smallest
    number of examples and 4 to 6 the next.

    Source: BAIT, section 6: six zero-shot runs, one beside each few-shot run.

    >>> accompanied(BaitSettings())["k10-seed17"]
    'k0-run4'
    """
    few = [run.name for run in planned_runs(settings) if run.shots]
    free = settings.zero_shot_runs if 0 in settings.shots else 0
    return {name: f"k0-run{n}" for n, name in enumerate(few[:free], 1)}


def drawn_examples(ids: Sequence[str], article: str, run: BaitRun) -> tuple[str, ...]:
    """The examples of an article in a run: drawn from the others, in the order of the draw.

    Rule: one order of the other articles for each article and seed, of which k examples are the
    first k: the draw does not depend on the order of the data, and those of three examples are
    among those of ten.

    Args:
        ids: of all articles.
        article: the one that is asked about.
        run: its number of examples and seed.

    Source: BAIT, section 6 (leave-one-out, seeds 17, 23, 29).

    >>> drawn_examples(["a", "b", "c"], "b", BaitRun("k2-seed17", 2, 17))
    ('c', 'a')
    """
    if run.shots == 0 or run.seed is None:
        return ()
    others = sorted(one for one in ids if one != article)
    order = generator(run.seed, ("bait", "examples", article)).permutation(len(others))
    return tuple(others[place] for place in order[: run.shots])


def questions(examples: Sequence[Example], settings: BaitSettings) -> Iterator[Question]:
    """Every question that one model is asked, run by run in the order of the articles.

    Args:
        examples: all annotated articles; `settings.limit` says how many of them are asked about.
        settings: checked against them.
    """
    by_id = {one.item.id: one for one in examples}
    for run in planned_runs(settings):
        for example in examples[: settings.limit]:
            drawn = drawn_examples(tuple(by_id), example.item.id, run)
            yield Question(run, example.item, tuple(by_id[one] for one in drawn))


def call_estimate(
    asked: Sequence[Question],
    schema: Schema,
    gold: Sequence[Example],
    price: Mapping[str, float] | None = None,
) -> dict[str, Any]:
    """What asking would take, before anything is sent.

    Rule: a token is four characters; an answer is as long as the gold answers are on average.

    Args:
        asked: the questions that have no answer yet.
        schema: for the prompt.
        gold: the annotated articles.
        price: dollars per million "input" and "output" tokens, where known.

    Returns:
        As `call_costs`; prompt_tokens without what a provider adds, answer_tokens without
        reasoning.
    """
    sent = sum(characters(conversation(schema, one.item, one.examples)) for one in asked)
    answers = sum(len(answer_json(one.gold, one.item.text, schema.codes)) for one in gold)
    prompt = round(sent / CHARACTERS_PER_TOKEN)
    answer = round(len(asked) * answers / max(len(gold), 1) / CHARACTERS_PER_TOKEN)
    return call_costs(len(asked), prompt, answer, price)
