"""A BAIT run to scores.json and fates.jsonl: from the stored answers alone, nothing is asked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import slant
from slant.annotate.goldstatistics import gold_statistics
from slant.data.schemas import schema_json
from slant.data.sums import note_sum
from slant.data.writing import replacing
from slant.errors import RunError
from slant.metrics.triggerscores import score_kernels
from slant.runs.baitcells import Cell, cells_of
from slant.runs.baitcomparisons import comparisons
from slant.runs.baitcues import surface_cues
from slant.runs.baitfates import Asked, ScoringRules, Weighed, check_rules, step_counts, weighed
from slant.runs.baithumans import HUMAN, pair_agreement, read_pairs
from slant.runs.baitrecords import FATES, RUN_AGAIN, SCORES, BaitFolder, read_bait_folder
from slant.runs.baitscores import (
    Counted,
    Kernels,
    article_means,
    bias_rows,
    corpus_scores,
    resampled,
    resampled_without,
    run_scores,
)
from slant.runs.engine import Progress, default_jobs
from slant.runs.results import BaitScores
from slant.runs.store import write_json
from slant.runs.taskscores import METHOD
from slant.runs.workers import Workers, fewer, worked_off
from slant.stats.overseeds import drawn_clusters

_WORTH_A_PROCESS = 400
"""Answers: fewer are located before a second process has started."""


def score_bait(
    folder: Path | str,
    rules: ScoringRules | None = None,
    *,
    jobs: int | None = None,
    progress: Progress = lambda done, total, what: None,
) -> BaitScores:
    """Score a run from its files, and write its scores.json and fates.jsonl.

    Every answer counts: one that cannot be used, or that never came, is an empty prediction, and
    is counted by kind. The same files and rules give the same numbers, whatever `jobs`.

    Args:
        folder: of the run: run.json, gold.jsonl, answers/, annotators/.
        rules: thresholds and options; None: the paper's.
        jobs: processes; None: as many as there are cores, one for a small run.
        progress: called with articles done, articles in all, and what is done.

    Returns:
        The content of scores.json (docs/bait-statistics.md).

    Raises:
        RunError, DataError: the run is not there or damaged. UnknownName: a name in `rules`.
    Source: BAIT, sections 5 to 7 and the appendices on scoring.
    """
    folder, rules = Path(folder), rules or ScoringRules()
    check_rules(rules)
    run = read_bait_folder(folder)
    kernels, without = score_kernels(rules.trigger_overlap, rules.absent), _without(rules, run)
    if not run.answers:
        raise RunError(f"Scoring the run '{folder}'", "it holds no answers", RUN_AGAIN)
    codes = run.schema.codes
    pairs = read_pairs(folder, run.examples, codes)
    taken = {one.name for one in run.record.systems} & {pair.name for pair in pairs}
    if taken:
        clash = f"one of its systems is called '{min(taken)}', as the row of the annotators is"
        raise RunError(f"Scoring the run '{folder}'", clash, "Rename the system in its run.json")
    cells, asked = cells_of(run, pairs)
    answers = sum(len(one.said) for one in asked)
    own = default_jobs() if answers >= _WORTH_A_PROCESS else 1
    found = _all_weighed(asked, codes, rules, fewer(Workers(jobs or own), len(asked)), progress)
    counts = {(cell.system, cell.shots): cell.counted(found, codes) for cell in cells}
    fates = {(cell.system, cell.shots): cell.fates(found) for cell in cells}
    keys = [(cell.system, cell.shots) for cell in cells if cell.kind == "model"]
    models = {key: counts[key] for key in keys}
    progress(len(asked), len(asked), "drawing articles again")
    systems = _systems(run, cells)
    for cell in cells:
        key = cell.system, cell.shots
        row = {
            "shots": cell.shots,
            "articles": len(cell.articles),
            **_scored(counts[key], cell.articles, without, rules, kernels),
            **cell.told(),
            **step_counts(fates[key], rules.low_similarity),
        }
        systems[cell.system]["settings"].append(row)
    beside = run.accompanied if rules.pairing == "accompanying" else {}
    agreed = [pair_agreement(pair, codes, rules.seed, rules.resamples) for pair in pairs]
    scores = {
        "kind": "bait",
        "slant": slant.__version__,
        "signature": _signature(run, rules),
        "schema": schema_json(run.schema),
        "articles": len(run.examples),
        "level": rules.level,
        "settings": {**asdict(rules), "interval": METHOD, "asked": run.record.settings},
        "without": list(without),
        "systems": list(systems.values()),
        "comparisons": comparisons(
            models, kernels=kernels, beside=beside,
            level=rules.level, permutations=rules.permutations, seed=rules.seed,
        ),
        "cues": _cues(run, cells, fates, rules),
        "gold": gold_statistics(run.examples, codes),
        "agreement": agreed[0] if agreed else None,
        "agreements": agreed,
    }  # fmt: skip
    with replacing(folder / FATES) as temporary:
        with temporary.open("w", encoding="utf-8", newline="") as file:
            for line in (line for own in fates.values() for line in own):
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
        note_sum(folder / FATES, temporary)
        # the two take their names one right after the other, so that they belong together
        write_json(folder / SCORES, scores)
    return BaitScores(scores)


def _without(rules: ScoringRules, run: BaitFolder) -> tuple[str, ...]:
    if rules.without is None:
        return run.schema.dominant
    for code in rules.without:
        run.schema.bias(code)
    return rules.without


def _cues(
    run: BaitFolder,
    cells: Sequence[Cell],
    fates: Mapping[tuple[str, int], Sequence[Mapping[str, Any]]],
    rules: ScoringRules,
) -> dict[str, Any] | None:
    """The surface cues of models at the largest number of examples, and of baselines."""
    most = max((cell.shots for cell in cells if cell.kind == "model"), default=0)
    own = [
        cell
        for cell in cells
        if (cell.kind, cell.shots) == ("model", most) or cell.kind == "baseline"
    ]
    lines = {cell.system: fates[cell.system, cell.shots] for cell in own}
    models = [cell.system for cell in own if cell.kind == "model"]
    return surface_cues(lines, models, run.examples, run.schema, rules, most)


def _all_weighed(
    asked: Sequence[Asked],
    codes: Sequence[str],
    rules: ScoringRules,
    workers: Workers,
    progress: Progress,
) -> list[Weighed]:
    found = []
    for done in worked_off(partial(weighed, codes=codes, rules=rules), asked, workers):
        found.append(done)
        progress(len(found), len(asked), f"locating in {asked[done.place].item.id}")
    return sorted(found, key=lambda one: one.place)


def _scored(
    counted: Counted,
    articles: Sequence[str],
    without: Sequence[str],
    rules: ScoringRules,
    kernels: Kernels,
) -> dict[str, Any]:
    """What scores.json says of the scores of one cell."""
    weights = drawn_clusters(articles, rules.resamples, rules.seed, ["bait"]).weights(articles)
    found = resampled(counted, weights)
    rest = resampled_without(found, counted, weights, without)
    runs = zip(counted.runs, run_scores(found, kernels), strict=True)
    return {
        "runs": [{"run": name, "scores": scores} for name, scores in runs],
        "scores": corpus_scores(found, rules.level, kernels),
        "scores_without": corpus_scores(rest, rules.level, kernels) if without else {},
        "scores_per_article": article_means(counted, rules.level, kernels),
        "biases": bias_rows(found, rules.level, kernels),
    }


def _systems(run: BaitFolder, cells: Iterable[Cell]) -> dict[str, dict[str, Any]]:
    """The systems in their order, without their settings, but with runs that are not there."""
    there = {(one.system, one.run) for one in run.answers}
    served: dict[str, set[str]] = {}
    for own in run.answers:
        names = {one.model for one in own.answers.values() if one.raw is not None and one.model}
        served.setdefault(own.system, set()).update(names)
    systems: dict[str, dict[str, Any]] = {}
    for one in run.record.systems:
        planned = run.planned if one.kind == "model" else ()
        missing = [name for name in planned if (one.name, name) not in there]
        systems[one.name] = {
            "name": one.name, "kind": one.kind, "settings": [], "missing_runs": missing,
            "served": sorted(served.get(one.name, ())) if one.kind == "model" else [],
        }  # fmt: skip
    for cell in cells:
        if cell.kind == HUMAN:
            systems[cell.system] = {
                "name": cell.system, "kind": HUMAN, "settings": [], "missing_runs": [],
                "served": [],
            }  # fmt: skip
    return systems


def _signature(run: BaitFolder, rules: ScoringRules) -> str:
    told = json.dumps(asdict(rules), sort_keys=True)
    return f"{run.record.signature}|scoring:{sha256(told.encode()).hexdigest()[:8]}"
