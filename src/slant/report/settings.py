"""Entries -> settings: which runs may stand in one table, and the controls beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from slant.report.entries import Entry, tasks_text

CONTROLS = ("source-only", "random", "majority")
# What may differ between two runs whose scores may be compared, task by task.
_FREE = ("task", "data", "system", "share", "train_share", "train-share")
Tasks = frozenset[str]


@dataclass(frozen=True, slots=True)
class Setting:
    """Runs under one protocol, on the same data wherever they share a task: only these may be
    compared with one another, and only task by task where their tasks differ.

    Fields:
        protocol: what it is called, e.g. "preset clean".
        entries: the systems' runs: most tasks first, then best media bias score first.
        given: controls that were run as systems and given as runs of their own.
        controls: name -> task -> score name -> estimate.
        overall: tasks -> name of the control -> score name -> estimate of the mean over them.
    """

    protocol: str
    entries: tuple[Entry, ...]
    given: tuple[Entry, ...]
    controls: Mapping[str, Mapping[str, Any]]
    overall: Mapping[Tasks, Mapping[str, Any]]

    @property
    def name(self) -> str:
        """Protocol and tasks, for captions."""
        return f"{self.protocol}, {tasks_text(self.tasks)}"

    @property
    def first(self) -> Entry:
        """The entry that leads the leaderboard."""
        return self.entries[0]

    @property
    def signature(self) -> str:
        """The signature of all its runs, with a star where they differ."""
        return signature_of([*self.entries, *self.given])

    @property
    def whole(self) -> tuple[Entry, ...]:
        """The entries to draw: none whose system has another on all its tasks that saw a larger
        share of the training texts."""
        return tuple(
            entry
            for entry in self.entries
            if not any(
                other.system == entry.system
                and other.share > entry.share
                and set(entry.tasks) <= set(other.tasks)
                for other in self.entries
            )
        )

    @property
    def tasks(self) -> tuple[str, ...]:
        """Every task that a run has, in the order of the run with most."""
        return tuple(
            dict.fromkeys(t for entry in (*self.entries, *self.given) for t in entry.tasks)
        )

    @property
    def task_lists(self) -> tuple[Tasks, ...]:
        """The sets of tasks that runs have, largest first: means over one of them compare."""
        lists = dict.fromkeys(frozenset(entry.tasks) for entry in (*self.entries, *self.given))
        return tuple(sorted(lists, key=lambda tasks: -len(tasks)))

    def having(self, task: str) -> tuple[Entry, ...]:
        """The systems' runs on a task."""
        return tuple(entry for entry in self.entries if task in entry.tasks)

    def facts(self, task: str) -> Mapping[str, Any]:
        """What is the same for every run on a task: its texts and data sets."""
        found: Mapping[str, Any] = next(
            entry.tasks[task] for entry in (*self.entries, *self.given) if task in entry.tasks
        )
        return found

    def places(self, task: str) -> Iterator[tuple[str, Entry | None]]:
        """Every row of a task: systems as entries, then the controls as names."""
        yield from ((entry.label, entry) for entry in self.having(task))
        yield from ((name, None) for name in CONTROLS if task in self.controls.get(name, {}))


def settings(every: Sequence[Entry]) -> tuple[Setting, ...]:
    """The entries by what makes them comparable: their signature without benchmark, task, data,
    system and training share; and the same data in each task that two of them have."""
    together: list[tuple[tuple[str, ...], list[Entry]]] = []
    for entry in every:
        protocol = _protocol(entry)
        for other, group in together:
            if other == protocol and all(_same_data(entry, member) for member in group):
                group.append(entry)
                break
        else:
            together.append((protocol, [entry]))
    return _told_apart([_setting(group) for _, group in together])


def _protocol(entry: Entry) -> tuple[str, ...]:
    parts = str(entry.scores["signature"]).split("|")[1:]
    return tuple(part for part in parts if part.split(":")[0] not in _FREE)


def _same_data(a: Entry, b: Entry) -> bool:
    return all(_same_task(a.tasks[task], b.tasks[task]) for task in a.tasks if task in b.tasks)


def _same_task(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    if a.get("data") and b.get("data"):
        return bool(a["data"] == b["data"])
    # Older files have no fingerprint of a task's data: then its counts have to be the same.
    sizes = [{name: group["n"] for name, group in facts["groups"].items()} for facts in (a, b)]
    return (
        bool(a["n"] == b["n"] and a.get("by_label") == b.get("by_label")) and sizes[0] == sizes[1]
    )


def signature_of(every: Iterable[Entry]) -> str:
    """One signature for several entries."""
    return common_signature([str(entry.scores["signature"]) for entry in every])


def common_signature(signatures: Sequence[str]) -> str:
    """One signature for several runs: a star where they differ.

    >>> common_signature(["mbib|preset:clean|system:a@1", "mbib|preset:clean|system:b@1"])
    'mbib|preset:clean|system:*'
    """
    split = [signature.split("|") for signature in signatures]
    if len({len(parts) for parts in split}) > 1:
        return " and ".join(dict.fromkeys(signatures))
    common = []
    for parts in zip(*split, strict=True):
        key, colon, _ = parts[0].partition(":")
        common.append(parts[0] if len(set(parts)) == 1 else f"{key}:*" if colon else "*")
    return "|".join(common)


def _setting(group: Sequence[Entry]) -> Setting:
    controls: dict[str, dict[str, Any]] = {}
    overall: dict[Tasks, dict[str, Any]] = {}
    # Controls that saw all training texts before those that saw a part.
    for entry in sorted(group, key=lambda entry: -entry.share):
        for name, tasks in entry.scores["controls"].items():
            for task, scores in tasks.items():
                controls.setdefault(name, {}).setdefault(task, scores)
        means = overall.setdefault(frozenset(entry.tasks), {})
        for name, estimates in entry.scores.get("controls_overall", {}).items():
            means.setdefault(name, estimates)
    # A control that was run as a system has its row already; alone, it is the report's subject.
    systems = [entry for entry in group if entry.system not in CONTROLS] or list(group)
    given = [entry for entry in group if all(entry is not other for other in systems)]
    for entry in given:
        controls.setdefault(entry.system, {}).update(
            {task: facts["scores"] for task, facts in entry.tasks.items()}
        )
        overall[frozenset(entry.tasks)][entry.system] = entry.scores["overall"]
    subjects = {entry.system for entry in systems}
    controls = {name: tasks for name, tasks in controls.items() if name not in subjects}
    overall = {
        tasks: {name: mean for name, mean in means.items() if name not in subjects}
        for tasks, means in overall.items()
    }
    systems.sort(key=lambda e: (-len(e.tasks), -(mean_score(e.scores["overall"], "micro") or 0.0)))
    protocol = f"preset {systems[0].scores['preset']}{_split_said(systems[0])}"
    return Setting(protocol, tuple(systems), tuple(given), controls, overall)


def _split_said(entry: Entry) -> str:
    """The split, where it is a holdout or other data are trained on, or where the tasks are of text
    and image, whose paper has both; other tasks have the folds of their preset."""
    signature = str(entry.scores["signature"])
    parts = dict(part.split(":", 1) for part in signature.split("|") if ":" in part)
    if "train-on" in parts:
        return f", trained on {parts['train-on']}"
    if "split" in parts:
        dev, test = float(parts["dev-share"]), float(parts["test-share"])
        shares = "/".join(f"{100 * share:.3g}" for share in (1 - dev - test, dev, test))
        return f", holdout {shares}"
    of_pairs = any(task.startswith("vilbias") or task == "open/pairs" for task in entry.tasks)
    return f", {parts['folds']} folds" if of_pairs else ""


def _told_apart(made: Sequence[Setting]) -> tuple[Setting, ...]:
    """Settings of one preset have it with the options in which they differ, or with a number."""
    protocols = []
    for setting in made:
        twins = [other for other in made if other.protocol == setting.protocol]
        parts = [set(_protocol(twin.first)) for twin in twins]
        own = [part for part in _protocol(setting.first) if not all(part in p for p in parts)]
        same = [twin for twin in twins if _protocol(twin.first) == _protocol(setting.first)]
        if len(same) > 1:
            own.append(f"data {same.index(setting) + 1} of {len(same)}")
        protocols.append(", ".join([setting.protocol, *own]))
    return tuple(replace(one, protocol=name) for one, name in zip(made, protocols, strict=True))


def mean_score(overall: Mapping[str, Any], average: str) -> float | None:
    """The media bias score ("micro" or "group") of one run or control, where it is defined."""
    estimate = overall.get(f"media_bias_{average}") or {}
    value = estimate.get("value")
    return None if value is None else float(value)
