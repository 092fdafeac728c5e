"""The runs of a report in order: which may stand in one table, and what each is called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from slant.errors import RunError

CONTROLS = ("source-only", "majority")
AVERAGES = {
    "class_f1": "F1 averaged over the two classes",
    "weighted_f1": "F1 weighted by the size of the classes",
    "biased_f1": "F1 of the biased class",
}
_NEEDED = ("signature", "system", "preset", "primary", "level", "tasks", "overall", "controls")
# What may differ between two runs whose scores may be compared.
_FREE = ("system", "share", "train_share", "train-share")


@dataclass(frozen=True, slots=True)
class Entry:
    """One run under the name it has in every table and figure of the report."""

    label: str
    run: Mapping[str, Any]
    scores: Mapping[str, Any]

    @property
    def system(self) -> str:
        """The name of the system that ran, without its version."""
        return system_name(str(self.scores["system"]))

    @property
    def tasks(self) -> Mapping[str, Any]:
        """The tasks of scores.json."""
        tasks: Mapping[str, Any] = self.scores["tasks"]
        return tasks

    @property
    def share(self) -> float:
        """Which share of the training texts the system saw, in (0, 1]."""
        return float(self.scores.get("train_share", 1.0))


@dataclass(frozen=True, slots=True)
class Setting:
    """Runs of one protocol on one data: only these may be compared with one another.

    Fields:
        entries: the systems' runs, best media bias score first.
        controls: name -> task -> score name -> estimate.
        overall: name of the control -> score name -> estimate.
    """

    name: str
    entries: tuple[Entry, ...]
    controls: Mapping[str, Mapping[str, Any]]
    overall: Mapping[str, Mapping[str, Any]]

    @property
    def first(self) -> Entry:
        """The entry that leads the leaderboard."""
        return self.entries[0]

    @property
    def signature(self) -> str:
        """The signature of all its runs, with a star where they differ."""
        return common_signature([str(entry.scores["signature"]) for entry in self.entries])

    @property
    def whole(self) -> tuple[Entry, ...]:
        """The entries to draw: of each system, only those with its largest training share."""
        most = {
            e.system: max(o.share for o in self.entries if o.system == e.system)
            for e in self.entries
        }
        return tuple(entry for entry in self.entries if entry.share == most[entry.system])

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks, in the order of the first run."""
        return tuple(self.first.tasks)

    def places(self) -> Iterator[tuple[str, Entry | None]]:
        """Every row of a board: systems as entries, then the controls as names."""
        yield from ((entry.label, entry) for entry in self.entries)
        yield from ((name, None) for name in CONTROLS if name in self.controls)


def entries(runs: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]) -> tuple[Entry, ...]:
    """The runs with a name each that no other run has.

    Args:
        runs: pairs of run.json and scores.json, read.

    Raises:
        RunError: there is no run, or one lacks what a report needs.
    """
    if not runs:
        raise RunError("Writing the report", "no run was given", "Give at least one run directory")
    for number, (_, scores) in enumerate(runs, 1):
        where = f"scores.json of run {number}"
        require(scores, _NEEDED, where, "slant score")
        for task, facts in scores["tasks"].items():
            require(facts, ("n", "scores", "groups"), f"{where}, task '{task}'", "slant score")
    labels = _labels([scores for _, scores in runs])
    labelled = [Entry(label, *pair) for label, pair in zip(labels, runs, strict=True)]
    return tuple(labelled)


def require(read: Mapping[str, Any], keys: Sequence[str], where: str, command: str) -> None:
    """Raises RunError where something read from a run lacks what a report needs.

    Args:
        read: what was read.
        keys: what it must have.
        where: what it is, for the message.
        command: the command that makes it.
    """
    if lacking := [key for key in keys if key not in read]:
        raise RunError(
            f"Writing the report from {where}",
            f"it has no {', '.join(map(repr, lacking))}",
            f"Make it again with `{command}`",
        )


def _labels(every: Sequence[Mapping[str, Any]]) -> list[str]:
    shares = [float(scores.get("train_share", 1.0)) for scores in every]
    parts = [
        [system_name(str(scores["system"])), *([f"{share:.0%} of training"] if share < 1 else [])]
        for scores, share in zip(every, shares, strict=True)
    ]
    # Preset, tasks and number join a name only where two runs would else have the same one.
    ranks = [str(i) for i in range(1, len(every) + 1)]
    presets = [str(scores["preset"]) for scores in every]
    for more in (presets, [_tasks_text(scores["tasks"]) for scores in every], ranks):
        twins = [[k for k, other in enumerate(parts) if other == own] for own in parts]
        parts = [
            [*own, more[i]] if len({more[k] for k in same}) > 1 else own
            for i, (own, same) in enumerate(zip(parts, twins, strict=True))
        ]
    return [f"{own[0]} ({', '.join(own[1:])})" if len(own) > 1 else own[0] for own in parts]


def settings(every: Sequence[Entry]) -> tuple[Setting, ...]:
    """The entries by what makes them comparable: signature without the system, and tasks."""
    together: dict[tuple[Any, ...], list[Entry]] = {}
    for entry in every:
        parts = str(entry.scores["signature"]).split("|")
        protocol = tuple(part for part in parts if part.split(":")[0] not in _FREE)
        together.setdefault((protocol, tuple(sorted(entry.tasks))), []).append(entry)
    return tuple(_setting(group) for group in together.values())


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
        key = parts[0].split(":")[0]
        common.append(parts[0] if len(set(parts)) == 1 else f"{key}:*")
    return "|".join(common)


def _setting(group: Sequence[Entry]) -> Setting:
    controls: dict[str, Mapping[str, Any]] = {}
    overall: dict[str, Mapping[str, Any]] = {}
    for entry in group:
        for name, tasks in entry.scores["controls"].items():
            controls.setdefault(name, tasks)
        for name, means in entry.scores.get("controls_overall", {}).items():
            overall.setdefault(name, means)
        if entry.system in CONTROLS:
            controls[entry.system] = {k: v["scores"] for k, v in entry.tasks.items()}
            overall[entry.system] = entry.scores["overall"]
    # A control that was run as a system has its row already; alone, it is the report's subject.
    systems = [entry for entry in group if entry.system not in CONTROLS] or list(group)
    if any(entry.system in CONTROLS for entry in systems):
        controls = {k: v for k, v in controls.items() if k not in {e.system for e in systems}}
    systems.sort(key=lambda entry: -(mean_score(entry.scores["overall"], "micro") or 0.0))
    scores = systems[0].scores
    return Setting(
        f"preset {scores['preset']}, {_tasks_text(scores['tasks'])}",
        tuple(systems),
        controls,
        overall,
    )


def mean_score(overall: Mapping[str, Any], average: str) -> float | None:
    """The media bias score ("micro" or "group") of one run or control, where it is defined."""
    estimate = overall.get(f"media_bias_{average}") or {}
    value = estimate.get("value")
    return None if value is None else float(value)


def _tasks_text(tasks: Mapping[str, Any]) -> str:
    return task_name(next(iter(tasks))) if len(tasks) == 1 else f"{len(tasks)} tasks"


def system_name(system: str) -> str:
    """A system's name for a reader: its version stands in the signature.

    >>> system_name("tfidf-lr@1")
    'tfidf-lr'
    """
    name, _, version = system.rpartition("@")
    return name if name and version.isdigit() else system


def compared(comparison: Mapping[str, Any]) -> tuple[str, str]:
    """The names of the two runs of a compare.json, told apart by their directory if need be."""
    first, second = (system_name(str(system)) for system in comparison["systems"])
    runs = comparison.get("runs", ("1", "2"))
    if first == second:
        first, second = (f"{first} ({str(run).rsplit('/', 1)[-1]})" for run in runs)
    return first, second


def average_name(score: str) -> str:
    """What kind of F1 a score's name means, for a reader.

    >>> average_name("micro_class_f1")
    'micro F1 averaged over the two classes'
    """
    for kind in ("micro", "group"):
        if score.startswith(f"{kind}_"):
            rest = score.removeprefix(f"{kind}_")
            return f"{kind} {AVERAGES.get(rest, rest)}"
    return AVERAGES.get(score, score)


def task_name(task: str) -> str:
    """A task's name for a reader.

    >>> task_name("mbib/racial-bias")
    'racial bias'
    """
    return task.rsplit("/", 1)[-1].replace("-", " ")


def data_names(every: Sequence[Entry]) -> dict[str, str]:
    """Number and name of each data set, by its number."""
    names: dict[str, str] = {}
    for entry in every:
        for row in entry.scores.get("data", ()):
            names.setdefault(str(row["dataset"]), data_name(row))
    return names


def data_name(facts: Mapping[str, Any]) -> str:
    """A data set's name for a reader, after its number where it has one in the benchmark.

    >>> data_name({"dataset": "072", "name": "LIAR"}), data_name({"dataset": "open"})
    ('072 LIAR', 'open')
    """
    key, name = str(facts["dataset"]), str(facts.get("name") or "")
    return f"{key} {name}".strip() if key.isdigit() else name or key
