"""`slant train --seeds`: conditions x seeds of fine-tuned models, each condition a run that keeps
its models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from slant.errors import OptionError
from slant.metrics.scores import class_f1
from slant.runs.engine import Progress
from slant.runs.erasing import asked_once
from slant.runs.explained import Trained, parts_of, trained_runs
from slant.runs.kept import KeptModel
from slant.runs.lineups import run_names
from slant.runs.results import RunResult, RunResults
from slant.runs.run import quiet, run
from slant.runs.store import write_json
from slant.systems import make_system
from slant.systems.attention import check_attention
from slant.systems.checkpoints import default_lr, load_encoder

PAPER = {"epochs": "4", "batch": "16", "patience": "0", "warmup": "0", "take": "last"}
"""Of table C1, beside a maximal length of 128 and linear decay, which every training has: without
early stopping the last epoch's model is the one."""
PAPER_LR = "2e-5"
SEARCH = "lr-search"


@dataclass(frozen=True, slots=True)
class Condition:
    """One way of training: the name of its run's folder, its system and parameters."""

    name: str
    system: str
    params: Mapping[str, str]


def learning_rates(given: str | None, system: str) -> list[str]:
    """The learning rates to try: those given, else that of table C1.

    The small encoders that packages carry have a rate of their own, found on development data.

    >>> learning_rates("2e-5, 1e-4", "encoder:bert"), learning_rates(None, "encoder:bert")
    (['2e-5', '1e-4'], ['2e-5'])
    >>> learning_rates(None, "encoder:minilm")
    ['0.0001']
    """
    if given:
        return list(dict.fromkeys(part.strip() for part in given.split(",") if part.strip()))
    own = default_lr(system.partition(":")[2])
    return [str(own) if own > default_lr("") else PAPER_LR]


def conditions(
    systems: Sequence[str],
    params: Mapping[str, str],
    lambdas: Sequence[str],
    targets: Sequence[str],
    rates: Mapping[str, str],
) -> list[Condition]:
    """Every system with every weight of attention's loss and every kind of targets.

    Args:
        systems: as "encoder:minilm".
        params: of all of them.
        lambdas: weights of the loss of attention; "0" for none.
        targets: "majority", "shares".
        rates: the learning rate of each system.

    >>> made = conditions(["encoder:a"], {}, ["0", "0.5"], ["majority"], {"encoder:a": "1e-4"})
    >>> [one.name for one in made], dict(made[1].params)
    (['encoder-a', 'encoder-a-attention-0.5'], {'lr': '1e-4', 'attention_lambda': '0.5'})
    """
    made = []
    for system, name in zip(systems, run_names(systems), strict=True):
        for weight in lambdas:
            for target in targets:
                own = {**params, "lr": rates[system]}
                place = name
                if _number(weight, "--attention-lambda"):
                    own["attention_lambda"] = weight
                    place += f"-attention-{weight}"
                if target != "majority":
                    own["targets"] = target
                    place += f"-{target}"
                made.append(Condition(place, system, own))
    return made


def _number(text: str, option: str) -> float:
    try:
        return float(text)
    except ValueError:
        found = "it is no number"
        raise OptionError(f"Reading {option} '{text}'", found, "Write 0,0.5") from None


def train_study(
    task: str,
    systems: Sequence[str],
    out: Path | str,
    *,
    params: Mapping[str, str] | None = None,
    lambdas: Sequence[str] = ("0",),
    targets: Sequence[str] = ("majority",),
    rates: str | None = None,
    seeds: Sequence[int] = (42, 43, 44, 45, 46),
    progress: Progress = quiet,
    **same: Any,
) -> RunResults:
    """Train a model for each condition and seed, and keep them all.

    Table C1 of the explainability paper gives the defaults. Where several learning rates are
    given, each system is first trained at each of them, without attention's loss, on the first
    seed; the rate with the highest class F1 on dev, by which the paper chooses its lambda, is taken
    for all its conditions. The runs of the search stay below lr-search/, and what they found in
    lr-search/NAME.json.

    Args:
        task: with marked words where attention is taught.
        systems: as "encoder:minilm".
        out: the folder of the run directories.
        params: of every system, before table C1's.
        lambdas: weights of the loss of attention, one condition each.
        targets: "majority", "shares": one condition each.
        rates: learning rates to try, with commas; None: `learning_rates`.
        seeds: of split, balance, and training; `options` can fix those of the split.
        progress: called with (done, total, what).
        same: what else `run` takes.

    Returns:
        The runs, one for each condition.

    Raises:
        SlantError: see the message.
    """
    folder = Path(out)
    own = {**PAPER, **(params or {})}
    tried = {system: learning_rates(rates, system) for system in systems}
    trial = {system: rates[0] for system, rates in tried.items()}
    for one in conditions(systems, own, lambdas, targets, trial):
        make_system(one.system, one.params)
        if "attention_lambda" in one.params:
            _check_teachable(one.system)
        if len(tried[one.system]) == 1:
            _run(task, one, folder / one.name, seeds, progress, dry=True, **same)
    chosen = {
        system: _chosen_rate(task, system, own, rates, folder, seeds, progress, same)
        for system, rates in tried.items()
    }
    made = conditions(systems, own, lambdas, targets, chosen)
    runs = []
    for number, one in enumerate(made, start=1):
        which = f"{one.name} ({number} of {len(made)})"

        def told(done: float, total: int, what: str, which: str = which) -> None:
            progress(done, total, f"{which} {what}".strip())

        tried_here = folder / SEARCH / search_name(one.system, one.params["lr"])
        runs.append(_run(task, one, folder / one.name, seeds, told, adopt=tried_here, **same))
    return RunResults(runs)


def _check_teachable(system: str) -> None:
    """Refuse an encoder whose attention cannot be taught before anything is written."""
    family, _, checkpoint = system.partition(":")
    if family == "encoder":
        check_attention(load_encoder(checkpoint, 0, "eager"))


def search_name(system: str, rate: str) -> str:
    """The folder of a trial of one learning rate.

    >>> search_name("encoder:minilm", "1e-4")
    'encoder-minilm-lr-1e-4'
    """
    (name,) = run_names([system])
    return f"{name}-lr-{rate}"


def _run(
    task: str,
    condition: Condition,
    place: Path,
    seeds: Sequence[int],
    progress: Progress,
    **same: Any,
) -> RunResult:
    return run(
        task, condition.system, place,
        params=condition.params, seeds=seeds, progress=progress, keep=True, **same,
    )  # fmt: skip


def _chosen_rate(
    task: str,
    system: str,
    params: Mapping[str, str],
    rates: Sequence[str],
    folder: Path,
    seeds: Sequence[int],
    progress: Progress,
    same: Mapping[str, Any],
) -> str:
    """The rate with the highest class F1 on dev, the first of equals."""
    if len(rates) == 1:
        return rates[0]
    found: dict[str, float] = {}
    for rate in rates:
        one = Condition(search_name(system, rate), system, {**params, "lr": rate})
        place = folder / SEARCH / one.name
        _run(task, one, place, seeds[:1], progress, **same)
        progress(0, 1, f"{one.name}: class F1 on dev")
        (run_there,) = trained_runs(place, same.get("data"))
        found[rate] = dev_class_f1(run_there, run_there.models[0])
    best = max(found, key=found.__getitem__)
    content = {"system": system, "seed": seeds[0], "dev_class_f1": found, "chosen": best}
    write_json(folder / SEARCH / f"{run_names([system])[0]}.json", content)
    return best


def dev_class_f1(trained: Trained, model: KeptModel) -> float:
    """Class F1 of a kept model on the development part."""
    dev = parts_of(trained, model).dev
    p = asked_once(trained, model.encoder())([one.item.text for one in dev])
    gold = np.array([one.gold.biased for one in dev], np.int64)
    tally = np.bincount(2 * (1 - gold) + (p < 0.5), minlength=4)  # tp, fn, fp, tn
    return float(class_f1(tally[[0, 2, 1, 3]], undefined=0.0))
