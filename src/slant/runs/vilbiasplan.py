"""What a ViLBias run asks: runs, worked examples, and what it may cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from slant.errors import DataError, OptionError
from slant.runs.baitbudget import call_costs
from slant.runs.baitplan import CHARACTERS_PER_TOKEN, Structured, check_shared
from slant.runs.vilbiasdata import Pair
from slant.stats.resampling import generator
from slant.systems.pairanswers import pair_answer_json
from slant.systems.pairprompts import MODES, Mode, system_text

TOKENS_PER_IMAGE: Final = 1000
"""A rule of thumb for an image of about a megapixel; what an estimate adds for each."""
LEAST_SIDE: Final = 64


@dataclass(frozen=True, slots=True)
class VilbiasSettings:
    """What decides which questions are asked and how.

    Fields:
        modes: "closed" asks for the label alone, "open" for label and rationale.
        shots: numbers of worked examples.
        draws: the seeds of the draws of examples; each number above 0 has a run for each.
        limit: how many pairs, the first ones, are asked about.
        images: whether they are sent.
        image_side: pixels of their longer side at most.
        temperature, max_tokens: of the model, None: the provider's own.
        structured: send the JSON Schema of an answer: where the provider takes it, always, never.
    """

    modes: tuple[Mode, ...] = ("closed",)
    shots: tuple[int, ...] = (0,)
    draws: tuple[int, ...] = (17,)
    limit: int | None = None
    images: bool = True
    image_side: int = 1024
    temperature: float | None = 0.0
    max_tokens: int | None = 4096
    structured: Structured = "auto"

    def json(self) -> dict[str, Any]:
        """The settings as run.json has them."""
        lists = {name: list(getattr(self, name)) for name in ("modes", "shots", "draws")}
        return {**asdict(self), **lists}


@dataclass(frozen=True, slots=True)
class PairRun:
    """All pairs asked about once: `closed-k0`, `open-k5-seed17`."""

    name: str
    mode: Mode
    shots: int
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """One pair in one run, with its worked examples."""

    run: PairRun
    pair: Pair
    examples: tuple[Pair, ...] = ()

    @property
    def id(self) -> str:
        """Of the pair."""
        return self.pair.id

    @property
    def example_ids(self) -> tuple[str, ...]:
        """Of the worked examples."""
        return tuple(one.id for one in self.examples)


def check_settings(settings: VilbiasSettings) -> None:
    """Refuse settings that no run can follow.

    Raises:
        OptionError: naming the option.
    """
    for option, numbers in (("--shots", settings.shots), ("--draws", settings.draws)):
        needed = option == "--shots" or max(settings.shots, default=0)
        if min(numbers, default=0) < 0 or len(set(numbers)) < len(numbers):
            asked = f"Reading {option} '{','.join(map(str, numbers))}'"
            raise OptionError(asked, "it must name whole numbers, each once", "Give e.g. 0,5")
        if needed and not numbers:
            raise OptionError(f"Reading {option}", "it names no number", "Give e.g. 0,5")
    if not settings.modes or not set(settings.modes) <= set(MODES):
        found = f"'{','.join(settings.modes)}' is none of {', '.join(MODES)}"
        raise OptionError("Choosing the questions", found, "Give --closed, --open or both")
    check_shared(settings.limit, settings.structured, "pair")
    if settings.image_side < LEAST_SIDE:
        found = f"{settings.image_side} pixels show nothing"
        raise OptionError("Reading --image-side", found, f"Give {LEAST_SIDE} or more")


def planned_runs(settings: VilbiasSettings) -> list[PairRun]:
    """The runs of each model.

    >>> both = VilbiasSettings(modes=("closed", "open"), shots=(0, 5))
    >>> [run.name for run in planned_runs(both)]
    ['closed-k0', 'closed-k5-seed17', 'open-k0', 'open-k5-seed17']
    """
    runs = []
    for mode in MODES:
        if mode not in settings.modes:
            continue
        for shots in sorted(settings.shots):
            seeds = sorted(settings.draws) if shots else [None]
            runs += [
                PairRun(
                    f"{mode}-k{shots}" + ("" if seed is None else f"-seed{seed}"), mode, shots, seed
                )
                for seed in seeds
            ]
    return runs


def example_order(pairs: Sequence[Pair], seed: int) -> list[Pair]:
    """The pairs that examples come from, in the order in which they are taken.

    Rule: those of train, or all where every pair is of the test (`--items all`); of them those with
    a rationale, if there are any, so that closed and open questions have the same examples. Both
    labels in turn, each label's pairs in a seeded order that depends on their ids alone; which
    label is first is drawn too.

    Args:
        pairs: all of a run.
        seed: of the draw.
    """
    pool = [one for one in pairs if one.role == "train"]
    if not any(one.role != "test" for one in pairs):
        pool = list(pairs)
    if any(one.rationale for one in pool):
        pool = [one for one in pool if one.rationale]
    stream = generator(seed, ("vilbias", "examples"))
    sides = []
    for label in (1, 0):
        side = sorted((one for one in pool if one.label == label), key=lambda one: one.id)
        sides.append([side[place] for place in stream.permutation(len(side))])
    if stream.random() < 1 / 2:
        sides.reverse()
    taken = [
        side[place] for place in range(max(map(len, sides))) for side in sides if place < len(side)
    ]
    return taken


def questions(pairs: Sequence[Pair], settings: VilbiasSettings) -> Iterator[Question]:
    """Every question that one model is asked, run by run in the order of the pairs.

    Rule: the examples of a pair are the first k of `example_order` that are not of its own cluster:
    the same for all pairs of a test part.

    Args:
        pairs: all of a run; those of the role test are asked about, `settings.limit` of them.
        settings: checked.

    Raises:
        DataError: fewer examples than asked for, or none with a rationale for open questions.
    """
    tested = [one for one in pairs if one.role == "test"][: settings.limit]
    for run in planned_runs(settings):
        order = example_order(pairs, run.seed) if run.seed is not None else []
        if run.mode == "open" and any(one.rationale is None for one in order):
            raise DataError(
                f"Drawing {run.shots} examples for the open questions of '{run.name}'",
                "gold is missing: no pair that examples come from has a rationale",
                "Ask open questions with --shots 0, or give data with rationales",
            )
        for pair in tested:
            drawn = [one for one in order if one.pair != pair.pair][: run.shots]
            if len(drawn) < run.shots:
                raise DataError(
                    f"Drawing {run.shots} examples for the pair '{pair.id}'",
                    f"there are {len(drawn)} to draw from",
                    "Give more pairs or fewer --shots",
                )
            yield Question(run, pair, tuple(drawn))


def call_estimate(
    asked: Sequence[Question],
    settings: VilbiasSettings,
    price: Mapping[str, float] | None = None,
) -> dict[str, Any]:
    """What asking would take, before anything is sent.

    Rule: a token is four characters, an image a thousand tokens; an answer is as long as a gold
    answer of the run's examples and pairs, 60 tokens where nobody wrote a rationale.

    Args:
        asked: the questions that have no answer yet.
        settings: whether images are sent.
        price: dollars per million "input" and "output" tokens, where known.

    Returns:
        As `slant.runs.baitbudget.call_costs`.
    """
    characters = images = answers = 0
    for one in asked:
        shown = [one.pair, *one.examples]
        characters += len(system_text(one.run.mode)) + sum(len(pair.text) for pair in shown)
        characters += sum(len(_gold(pair, one.run.mode)) for pair in one.examples)
        answers += len(_gold(one.pair, one.run.mode))
        images += sum(settings.images and pair.image is not None for pair in shown)
    prompt = round(characters / CHARACTERS_PER_TOKEN) + images * TOKENS_PER_IMAGE
    answer = round(answers / CHARACTERS_PER_TOKEN)
    return call_costs(len(asked), prompt, answer, price, images)


def _gold(pair: Pair, mode: Mode) -> str:
    return pair_answer_json(pair.label, (pair.rationale or " " * 200) if mode == "open" else None)
