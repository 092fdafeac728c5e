"""What judges are to be asked: every verdict of a run and of planted rationales."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from slant.errors import OptionError, RunError
from slant.runs.baitanswers import Journal, StoredAnswer, slug
from slant.runs.baitbudget import AskingLimits, call_costs
from slant.runs.baitplan import CHARACTERS_PER_TOKEN, Structured
from slant.runs.plantedjudging import planted_cases
from slant.runs.verdictjournals import (
    Place,
    VerdictJournal,
    judged_sum,
    planted_path,
    verdicts_path,
)
from slant.runs.vilbiasfiles import RUN_AGAIN
from slant.runs.vilbiasfolder import AskedRecord, gold_rows, image_side, read_record
from slant.runs.vilbiasplan import TOKENS_PER_IMAGE
from slant.systems.judgeprompts import ORDERS, Order, judge_conversation
from slant.systems.pairanswers import pair_answer
from slant.systems.turns import Turn, characters, images
from slant.systems.verdicts import verdict

TOKENS_PER_VERDICT: Final = 150


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """How judges are asked.

    Fields:
        samples: verdicts on each rationale in each order.
        swaps: ask in the other order, too.
        tries: how often a judge is asked for one verdict while its replies are not in the schema.
        planted: pairs of which every kind of planted rationale is made; 0: none.
        images: whether the judge is shown them.
        temperature, max_tokens: of the judge, None: the provider's own.
        structured: send the JSON Schema of a verdict: where the provider takes it, always, never.
    """

    samples: int = 1
    swaps: bool = False
    tries: int = 3
    planted: int = 8
    images: bool = True
    temperature: float | None = 0.0
    max_tokens: int | None = 4096
    structured: Structured = "auto"

    @property
    def orders(self) -> tuple[Order, ...]:
        """Those in which everything is shown."""
        return ORDERS if self.swaps else ORDERS[:1]


@dataclass(frozen=True, slots=True)
class Due:
    """One verdict that is to be asked for.

    Fields:
        place: which one.
        journal: where it goes.
        text, image, label, rationale: what the judge is shown.
        facts: further keys of its line.
    """

    place: Place
    journal: VerdictJournal
    text: str
    image: Callable[[], bytes | None]
    label: int
    rationale: str
    facts: Mapping[str, Any]

    @property
    def id(self) -> str:
        """Unique among those of its judge."""
        return " ".join([self.journal.path.stem, *map(str, self.place)])

    def turns(self) -> list[Turn]:
        """What the judge is sent."""
        order = self.place.order
        return judge_conversation(self.text, self.image(), self.label, self.rationale, order)

    @property
    def sum(self) -> str:
        """Of what it is about."""
        return judged_sum(self.label, self.rationale)

    def waits(self, tries: int) -> bool:
        """Whether there is no verdict that can be read, and tries are left."""
        found = self.journal.about(self.place, self.sum)
        if found is None or found.reply.raw is None:
            return True
        return found.tries < tries and verdict(found.reply.raw, found.reply.stop).fault is not None


def estimate_judging(
    folder: Path, judges: Sequence[str], settings: JudgeSettings, limits: AskingLimits
) -> list[dict[str, Any]]:
    """What judging would take, for each judge, before anything is sent.

    Rule: as `vilbiasplan.call_estimate`; a verdict has 150 tokens.
    """
    checked_judging(settings, judges, folder)
    found = []
    for name in judges:
        due = [one for one in due_verdicts(folder, name, settings) if one.waits(settings.tries)]
        turns = [one.turns() for one in due]
        shown = sum(map(images, turns))
        prompt = round(sum(map(characters, turns)) / CHARACTERS_PER_TOKEN)
        prompt += shown * TOKENS_PER_IMAGE
        answer = len(due) * TOKENS_PER_VERDICT
        costs = call_costs(len(due), prompt, answer, limits.prices.get(name), shown)
        found.append({"model": name, **costs})
    return found


def checked_judging(settings: JudgeSettings, judges: Sequence[str], folder: Path) -> AskedRecord:
    """The record of a run that judges can be asked about.

    Raises:
        OptionError, RunError: settings that cannot be followed, no run.
    """
    check_judging(settings, judges)
    record = read_record(folder)
    if record is None:
        raise RunError(f"Reading the run '{folder}'", "it has no run.json", RUN_AGAIN)
    return record


def check_judging(settings: JudgeSettings, judges: Sequence[str]) -> None:
    """Refuse settings that no judging can follow.

    Raises:
        OptionError: naming the option.
    """
    if not judges:
        raise OptionError("Judging a run", "it names no judge", "Give --judge")
    for option, value, least in (
        ("--samples", settings.samples, 1),
        ("--tries", settings.tries, 1),
        ("--planted", settings.planted, 0),
    ):
        if value < least:
            found = f"it must be {least} or more"
            raise OptionError(f"Reading {option} {value}", found, "Give a larger number")
    if settings.samples > 1 and settings.temperature == 0:
        raise OptionError(
            f"Reading --samples {settings.samples}",
            "at temperature 0 samples are copies of one another",
            "Give --temperature, e.g. 0.7",
        )


def due_verdicts(folder: Path, judge: str, settings: JudgeSettings) -> Iterable[Due]:
    """Every verdict of a judge on a run, whether it is there or not; planted ones first."""
    side = image_side(folder)
    journal = VerdictJournal(planted_path(folder, judge))
    repeated = [(n, order) for order in settings.orders for n in range(1, settings.samples + 1)]
    for case in planted_cases(settings.planted, images=settings.images, side=side):
        made = case.planted
        facts: dict[str, Any] = {"case": case.case, "kind": case.kind, "expected": made.expected}
        facts |= {"label": made.label, "rationale": made.rationale}
        for number, order in repeated:
            place = Place(case.case, number, order)
            yield Due(
                place, journal, case.pair.text, _held(case.image), made.label, made.rationale, facts
            )
    gold = gold_rows(folder)
    for system, run, answers in open_answers(folder, read_record(folder)):
        journal = VerdictJournal(verdicts_path(folder, judge, system, run))
        for item, stored in answers.items():
            said = pair_answer(stored.raw, open_ended=True, stop=stored.stop)
            if item not in gold:
                found = f"the answers of '{system}' in '{run}' tell of the pair '{item}', which has no gold"  # noqa: E501
                raise RunError(f"Judging the run '{folder}'", found, "Restore gold.jsonl")
            if said.rationale is None:
                continue
            row = gold[item]
            image = _read(folder, row.get("image") if settings.images else None)
            for number, order in repeated:
                place = Place(item, number, order)
                yield Due(place, journal, row["text"], image, row["label"], said.rationale, {})


def open_answers(
    folder: Path, record: AskedRecord | None
) -> Iterable[tuple[str, str, Mapping[str, StoredAnswer]]]:
    """The open answers of a run: (model, run, answers by pair) in the order of run.json.

    Raises:
        RunError: there are none.
    """
    found = False
    for system in record.systems if record is not None else ():
        for path in sorted((folder / "answers" / slug(system.name)).glob("open-*.jsonl")):
            found = True
            yield system.name, path.stem, Journal(path).answers
    asked = record is not None and "open" in record.settings.get("modes", ())
    if not found:
        raise RunError(
            f"Judging the run '{folder}'",
            "none of its open questions has been answered, so that there are no rationales"
            if asked
            else "it has no open answers, and closed ones have no rationales",
            "Mend what kept the models from answering, and run the same `slant vilbias run` again"
            if asked
            else "Run `slant vilbias run --open` into it first",
        )


def _held(image: bytes | None) -> Callable[[], bytes | None]:
    return lambda: image


def _read(folder: Path, name: str | None) -> Callable[[], bytes | None]:
    def read() -> bytes | None:
        if name is None:
            return None
        try:
            return (folder / name).read_bytes()
        except OSError as error:
            found = f"it cannot be read ({error.strerror or error})"
            raise RunError(f"Reading the image '{folder / name}'", found, RUN_AGAIN) from None

    return read
