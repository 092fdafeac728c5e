"""A ViLBias run to scores.json and outcomes.jsonl: from stored answers and verdicts alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal, get_args

import slant
from slant.data.sums import note_sum
from slant.data.writing import replacing
from slant.errors import OptionError, RunError, unknown_name
from slant.runs.judgeagreement import agreement_rows, self_preference
from slant.runs.results import VilbiasScores
from slant.runs.store import write_json
from slant.runs.taskscores import METHOD
from slant.runs.vilbiasdraws import Resampled
from slant.runs.vilbiasfiles import RUN_AGAIN, GoldPair, VilbiasFolder, read_vilbias_folder
from slant.runs.vilbiasgaps import gap_rows
from slant.runs.vilbiasrecords import OUTCOMES, SCORES
from slant.runs.vilbiasrulings import (
    ALL_JUDGES,
    BELIEVED,
    Ruling,
    all_judges,
    judge_row,
    rulings,
)
from slant.runs.vilbiasscores import Cell, cell_row, label_rows
from slant.stats.overseeds import drawn_clusters
from slant.systems.pairanswers import PairAnswer, pair_answer

Clusters = Literal["auto", "pairs", "outlets", "items"]
CONTROLS: Final = {"always biased": True, "always not biased": False}
_FEW = 10
"""Fewer clusters than this give intervals that are too narrow."""
_OUTLETS = 10
"""So many clusters at least, for outlets to be drawn unless they are asked for."""
TIES: Final = "a tie counts as a no"


@dataclass(frozen=True, slots=True)
class PairRules:
    """How pairs are scored.

    Fields:
        level: of intervals, in (0, 1).
        resamples: of the bootstrap.
        permutations: of a test that cannot count all exchanges.
        seed: of both.
        clusters: what is drawn as one: twins of a pair, outlets, single items; "auto": twins where
            gold names them, else outlets where all have one and there are ten or more, else items.
        believe: the judges whose known errors lie below it (`vilbiasrulings.believed`), in (0, 1];
            None: all of them.
    """

    level: float = 0.95
    resamples: int = 1000
    permutations: int = 10_000
    seed: int = 42
    clusters: Clusters = "auto"
    believe: float | None = BELIEVED


def check_rules(rules: PairRules) -> None:
    """Refuse rules that cannot be followed.

    Raises:
        OptionError, UnknownName: naming the option.
    """
    if rules.clusters not in get_args(Clusters):
        raise unknown_name("way to draw clusters", rules.clusters, get_args(Clusters))
    asked = "Scoring pairs"
    if not 0 < rules.level < 1:
        raise OptionError(asked, f"the level is {rules.level}", "Give a number between 0 and 1")
    if rules.believe is not None and not 0 < rules.believe <= 1:
        found = f"judges are believed below {rules.believe}"
        raise OptionError(asked, found, "Give a number above 0 and at most 1, or none")
    if min(rules.resamples, rules.permutations) < 1 or rules.seed < 0:
        found = f"there are {rules.resamples} resamples, {rules.permutations} permutations, and "
        raise OptionError(asked, f"{found}the seed {rules.seed}", "Give 1 or more, and a seed >= 0")


def score_vilbias(folder: Path | str, rules: PairRules | None = None) -> VilbiasScores:
    """Score a run from its files, and write its scores.json and outcomes.jsonl.

    Every pair of the test counts: an answer that cannot be read, or never came, is wrong, and is
    counted by kind. The published recipe's numbers stand beside ours. The same files and rules give
    the same bytes.

    Args:
        folder: of the run: run.json, gold.jsonl, answers/, verdicts/.
        rules: None for the defaults.

    Returns:
        The content of scores.json (docs/vilbias-scoring.md).

    Raises:
        RunError: the run is not there or damaged. OptionError, UnknownName: a rule.
    Source: the page of ViLBias, "Protocols and metrics" and "Scoring recipe".
    """
    folder, rules = Path(folder), rules or PairRules()
    check_rules(rules)
    run = read_vilbias_folder(folder)
    if not run.runs:
        raise RunError(f"Scoring the run '{folder}'", "it holds no answers", RUN_AGAIN)
    by, clusters = clusters_of(run.gold, rules.clusters)
    several = drawn_clusters(clusters, rules.resamples, rules.seed, ["vilbias"])
    drawn = Resampled(run.gold, several.weights(clusters), clusters, rules.level)
    cells = _cells(run)
    judges = _judges(run, cells, drawn, rules)
    cells = [_with_all_judges(cell, {j["name"] for j in judges if j["believed"]}) for cell in cells]
    systems: dict[str, dict[str, Any]] = {
        one.name: {"name": one.name, "kind": one.kind, "settings": []} for one in run.record.systems
    }
    for cell in cells:
        systems[cell.system]["settings"].append(cell_row(cell, drawn))
    scores = {
        "kind": "vilbias",
        "slant": slant.__version__,
        "signature": _signature(run, rules),
        "pairs": len(run.gold),
        "biased": sum(drawn.biased),
        "level": rules.level,
        "clusters": {"by": by, "number": drawn.clusters, "few": drawn.clusters < _FEW},
        "notes": [str(one) for one in run.record.data.get("notes") or []],
        "settings": {
            **asdict(rules), "interval": METHOD, "ties": TIES, "asked": run.record.settings
        },
        "systems": list(systems.values()),
        "controls": [
            {"name": name, **label_rows([[said] * len(run.gold)], drawn)}
            for name, said in CONTROLS.items()
        ],
        "gaps": gap_rows(
            cells, drawn, clusters, permutations=rules.permutations, seed=rules.seed
        ),
        "judges": judges,
        "judge_agreement": list(agreement_rows(cells, drawn)),
    }  # fmt: skip
    with replacing(folder / OUTCOMES) as temporary:
        with temporary.open("w", encoding="utf-8", newline="") as file:
            for line in outcomes(run.gold, cells):
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
        note_sum(folder / OUTCOMES, temporary)
        # the two take their names one right after the other, so that they belong together
        write_json(folder / SCORES, scores)
    return VilbiasScores(scores)


def clusters_of(gold: Sequence[GoldPair], asked: Clusters) -> tuple[str, list[str]]:
    """What the bootstrap draws as one: its name, and the cluster of each pair.

    Raises:
        OptionError: outlets or twins are asked for, and a pair has none.
    """
    twins = [None if one.pair is None else f"pair {one.pair}" for one in gold]
    outlets = [None if one.outlet is None else f"outlet {one.outlet}" for one in gold]
    items = [f"item {one.id}" for one in gold]
    if asked == "auto":
        if any(twins):
            # a pair without a twin stands for itself
            return "pairs", [twin or item for twin, item in zip(twins, items, strict=True)]
        asked = "outlets" if all(outlets) and len(set(outlets)) >= _OUTLETS else "items"
    if asked == "items":
        return asked, items
    chosen = twins if asked == "pairs" else outlets
    if None in chosen:
        one, key = gold[chosen.index(None)].id, asked.removesuffix("s")
        found = f"the pair '{one}' of gold.jsonl has no key '{key}'"
        raise OptionError(f"Drawing {asked} as clusters", found, "Give --clusters items")
    return asked, [str(name) for name in chosen]


def _cells(run: VilbiasFolder) -> list[Cell]:
    items = [one.id for one in run.gold]
    groups: dict[tuple[str, str, int], list[Any]] = {}
    for one in run.runs:
        groups.setdefault((one.system, one.mode, one.shots), []).append(one)
    cells = []
    for own in groups.values():
        first, opened = own[0], own[0].mode == "open"
        answers = tuple(
            tuple(
                _said(one.answers.get(item), opened) for item in items
            )
            for one in own
        )  # fmt: skip
        ruled: dict[str, tuple[Sequence[Ruling | None], ...]] = {}
        for judge in run.judges if opened else ():
            found = [
                rulings(judge, one.system, one.run, run.gold, said)
                for one, said in zip(own, answers, strict=True)
            ]
            if any(of_run is not None for of_run in found):
                none: list[Ruling | None] = [None] * len(items)
                ruled[judge.name] = tuple(none if r is None else r for r in found)
        names = tuple(one.run for one in own)
        cells.append(Cell(first.system, first.mode, first.shots, names, answers, ruled))
    return cells


def _said(stored: Any, opened: bool) -> PairAnswer:
    if stored is None:
        return pair_answer(None, open_ended=opened)
    return pair_answer(stored.raw, open_ended=opened, stop=stored.stop)


def _with_all_judges(cell: Cell, believed: Set[str]) -> Cell:
    """A cell with the majority of the judges that are believed, where there are several."""
    voting = [of for judge, of in cell.rulings.items() if judge in believed]
    if len(voting) < 2:
        return cell
    whole = tuple(all_judges([of[place] for of in voting]) for place in range(len(cell.runs)))
    return replace(cell, rulings={**cell.rulings, ALL_JUDGES: whole})


def _judges(
    run: VilbiasFolder, cells: Sequence[Cell], drawn: Resampled, rules: PairRules
) -> list[dict[str, Any]]:
    rows = []
    for judge in run.judges:
        ruled = {
            (cell.system, name): cell.rulings[judge.name][place]
            for cell in cells
            if judge.name in cell.rulings
            for place, name in enumerate(cell.runs)
        }
        row = judge_row(judge, ruled, rules.level, rules.believe)
        rows.append({**row, "self_preference": self_preference(judge.name, cells, drawn)})
    return rows


def outcomes(gold: Sequence[GoldPair], cells: Sequence[Cell]) -> Iterator[Mapping[str, Any]]:
    """The lines of outcomes.jsonl: what became of each answer, and what judges said of it."""
    for cell in cells:
        for place, run in enumerate(cell.runs):
            for n, one in enumerate(gold):
                said = cell.answers[place][n]
                ruled = {judge: of[place][n] for judge, of in cell.rulings.items()}
                yield {
                    "item": one.id,
                    "system": cell.system,
                    "mode": cell.mode,
                    "shots": cell.shots,
                    "run": run,
                    "biased": said.biased,
                    "fault": said.fault,
                    "right": said.biased == bool(one.label),
                    "rationale": said.rationale,
                    "verdicts": {
                        judge: _ruled(ruling) for judge, ruling in ruled.items() if ruling
                    },
                }


def _ruled(ruling: Ruling) -> dict[str, Any]:
    read = [v for _, v in ruling.said if not v.fault]
    whole = ruling.supports.value, ruling.faithful.value
    # of a verdict that says what the majority does, so that its reason is that of the ruling
    alike = [v for v in read if (v.supports_gold, v.faithful) == whole]
    first = next(iter(alike or read), None)
    return {
        "supports": ruling.supports.value,
        "faithful": ruling.faithful.value,
        "tied": ruling.supports.tied or ruling.faithful.tied,
        "faults": sorted(v.fault for _, v in ruling.said if v.fault),
        "said": [
            {"sample": line.sample, "order": line.order, "supports": v.supports_gold,
             "faithful": v.faithful}
            for line, v in ruling.said
        ],
        "reason": first.reason if first else "",
        "claims": [list(claim) for claim in first.claims] if first else [],
    }  # fmt: skip


def _signature(run: VilbiasFolder, rules: PairRules) -> str:
    told = json.dumps(asdict(rules), sort_keys=True)
    return f"{run.record.signature}|scoring:{sha256(told.encode()).hexdigest()[:8]}"
