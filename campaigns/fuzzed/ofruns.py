"""Readers of what runs leave on disk: records, scores, cells, answers, verdicts, kept parts."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import fuzzed.made as made_world
from fuzzed.readers import Files, Reader, encoded, taken


def run(folder: Path) -> object:
    from slant.runs.records import read_record, read_scores
    from slant.runs.store import read_json

    return read_json(folder / "run.json", "the run"), read_record(folder), read_scores(folder)


def cell(folder: Path) -> object:
    from slant.runs.steps import read_step
    from slant.runs.store import cell_path, read_cell

    path = cell_path(folder, "added/own", 42, 0)
    return read_cell(path, ["r1"]), read_step(path)


def bait(folder: Path) -> object:
    from slant.runs.baitanswers import read_answers
    from slant.runs.baitfolder import read_record, systems_of
    from slant.runs.baitrecords import read_bait_folder

    return read_record(folder), systems_of(folder), read_answers(folder), read_bait_folder(folder)


def vilbias(folder: Path) -> object:
    from slant.runs.vilbiasfiles import read_vilbias_folder
    from slant.runs.vilbiasfolder import gold_rows

    return gold_rows(folder), read_vilbias_folder(folder)


def scored(folder: Path) -> object:
    """The scores of both kinds of runs that ask models, with what is told of each answer."""
    from slant.runs.baitrecords import is_bait, read_bait_scores, read_fates
    from slant.runs.vilbiasrecords import read_human, read_outcomes, read_vilbias_scores

    if is_bait(folder):
        return read_bait_scores(folder), list(read_fates(folder))
    return read_vilbias_scores(folder), list(read_outcomes(folder)), read_human(folder)


def judged(folder: Path) -> object:
    from slant.runs.verdictjournals import VerdictJournal

    found = [VerdictJournal(path).verdicts for path in sorted(folder.glob("verdicts/*/provider*"))]
    return found


def study(folder: Path) -> object:
    from slant.runs.studyrecords import read_study

    return read_study(folder)


def associations(folder: Path) -> object:
    from slant.runs.associationrecords import read_associations

    return read_associations(folder)


def predicted(folder: Path) -> object:
    from slant.runs.shards import claimed, finished, shard_folder

    out = folder / "out.parquet"
    if not (folder / "whole").exists():
        return claimed(out, {"corpus": "a"}, False), shard_folder(out)
    return finished(out)


def _score(kind: str, folder: Path) -> Files:
    from slant.runs.baitscoring import score_bait
    from slant.runs.vilbiasscoring import score_vilbias

    if kind == "bait":
        score_bait(folder, jobs=1)
    else:
        score_vilbias(folder)
    return taken(folder)


def readers() -> list[Reader]:
    """The readers of this module, with their files made."""
    place = Path(tempfile.mkdtemp(prefix="fuzzed-runs-"))
    try:
        with made_world.surroundings(place / "store"):
            made_world.make(place / "world")
            return _readers(place / "world")
    finally:
        shutil.rmtree(place)


def _readers(world: Path) -> list[Reader]:
    run_files = dict(taken(world / "runs" / "majority"))
    bait_files, vilbias_files = taken(world / "bait"), taken(world / "vilbias")
    bait_scored, vilbias_scored = (
        _score("bait", world / "bait"),
        _score("vilbias", world / "vilbias"),
    )
    shards = {".out.parquet.shards/asked.json": encoded({"corpus": "a"})}
    told: list[tuple[str, Callable[[Path], object], list[Files], tuple[str, ...]]] = [
        (
            "runs: run.json and scores.json",
            run,
            [_without_cells(run_files)],
            ("runs.records", "runs.store"),
        ),
        ("runs: a cell", cell, [_a_cell(run_files)], ("runs.store", "runs.steps", "data.writing")),
        (
            "runs: a folder of BAIT",
            bait,
            [bait_files],
            (
                "runs.baitrecords",
                "runs.baitanswers",
                "runs.baitfolder",
                "runs.askedfolders",
                "runs.linejournals",
            ),
        ),
        (
            "runs: a folder of ViLBias",
            vilbias,
            [vilbias_files],
            ("runs.vilbiasfiles", "runs.vilbiasfolder"),
        ),
        (
            "runs: scores of asked models",
            scored,
            [_results(bait_scored), _results(vilbias_scored)],
            ("runs.baitrecords", "runs.vilbiasrecords"),
        ),
        (
            "runs: verdicts of judges",
            judged,
            [vilbias_files],
            ("runs.verdictjournals", "runs.linejournals"),
        ),
        (
            "runs: a run of associations",
            associations,
            [{"associations.json": taken(world / "associations")["associations.json"]}],
            ("runs.associationrecords",),
        ),
        ("runs: shards of a corpus", predicted, [shards], ("runs.shards",)),
    ]
    return [Reader(name, read, seeds, modules) for name, read, seeds, modules in told]


def _without_cells(contents: Files) -> Files:
    return {name: one for name, one in contents.items() if "/" not in name}


def _a_cell(contents: Files) -> Files:
    cells = {name: one for name, one in contents.items() if "/42-0." in name}
    return {**cells, "cells/added/own/.42-0.step": encoded([0.5, "epoch 1"])}


def _results(contents: Files) -> Files:
    return {name: one for name, one in contents.items() if "/" not in name or "images" in name}
