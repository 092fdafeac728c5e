"""The tables that `slant run` and `slant score` show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from slant.cli.show import document, interval_text, say, table

KINDS = ("micro", "group")


def show_scores(folder: Path, json_: bool) -> None:
    """Show the scores of one run, each task with its controls."""
    from slant.runs.scoring import load_scores

    asked, scores = load_scores(folder)
    if json_:
        document(scores)
        return
    average = scores["primary"]
    rows = []
    for name, task in scores["tasks"].items():
        rows.append([name, str(task["n"]), *_scores_of(task, average)])
        for control, by_task in scores["controls"].items():
            cells = _control_of(by_task.get(name, {}), average)
            rows.append([f"  control: {control}", "", *cells])
    table(["task", "n", *_columns(average)], rows, split_said(asked))
    _say_split(asked)
    for name, one in scores["overall"].items():
        say(f"{name}: {interval_text(one)}")
    _say_data(asked, scores)
    _say_long(scores)
    say(scores["signature"])


def show_lineup(folders: Sequence[Path], json_: bool) -> None:
    """Show the scores of runs of the same tasks in one table, task by task."""
    from slant.runs.scoring import load_scores

    loaded = [load_scores(folder) for folder in folders]
    if json_:
        runs = zip(folders, loaded, strict=True)
        document({"runs": [{"run": str(folder), **scores} for folder, (_, scores) in runs]})
        return
    asked, first = loaded[0]
    average = first["primary"]
    rows = []
    for name, task in first["tasks"].items():
        for folder, (_, scores) in zip(folders, loaded, strict=True):
            own = scores["tasks"][name]
            rows.append([name, folder.name, str(own["n"]), *_scores_of(own, average)])
        for control, by_task in first["controls"].items():
            cells = _control_of(by_task.get(name, {}), average)
            rows.append([name, f"control: {control}", str(task["n"]), *cells])
    table(["task", "run", "n", *_columns(average)], rows, split_said(asked))
    _say_split(asked)
    for folder, (_, scores) in zip(folders, loaded, strict=True):
        for name, one in scores["overall"].items():
            say(f"{folder.name} {name}: {interval_text(one)}")
    _say_data(asked, first)
    for folder, (_, scores) in zip(folders, loaded, strict=True):
        _say_long(scores, f"{folder.name}: ")
    for _, scores in loaded:
        say(scores["signature"])
    below = folders[0].parent
    alone = {*below.iterdir()} == {*folders}
    which = f"{below}/*" if alone else " ".join(map(str, folders))
    say(f"Differences: slant compare {which}    One page: slant report {which}")


def split_said(asked: Mapping[str, Any]) -> str:
    """How the rows of a run were split, as the title of its table."""
    from slant.tasks.options import Options
    from slant.tasks.splits import split_text

    return f"Test scores, {split_text(Options(**asked['options']))}"


def _say_split(asked: Mapping[str, Any]) -> None:
    """A pipe gets no title, so that the split is said beside the table as well."""
    say(split_said(asked))


def _columns(average: str) -> list[str]:
    return [f"micro {average}", f"group {average}", "accuracy", "MCC", "AUROC"]


def _scores_of(task: Mapping[str, Any], average: str) -> list[str]:
    names = [*(f"{kind}_{average}" for kind in KINDS), "accuracy", "mcc", "auroc"]
    return [interval_text(task["scores"].get(name, {})) for name in names]


def _control_of(shown: Mapping[str, Any], average: str) -> list[str]:
    return [*(interval_text(shown.get(f"{kind}_{average}", {})) for kind in KINDS), "", "", ""]


def _say_data(asked: Mapping[str, Any], scores: Mapping[str, Any]) -> None:
    for one in scores["data"]:
        if one["state"] != "complete" or (one.get("images") is not None and one["notes"]):
            say(f"{one['dataset']} is {one['state']}: {' '.join(one['notes'])}")
    for one in asked.get("absent", []):
        say(f"left out {one['task']}: {one['why']}")


def _say_long(scores: Mapping[str, Any], who: str = "") -> None:
    found = scores.get("long_texts", {})
    done = {"split": "were split at the ends of sentences", "cut": "were cut"}
    for key, what in done.items():
        if n := found.get(key):
            say(f"{who}{n} of {found['texts']} texts longer than max_length {what}")
