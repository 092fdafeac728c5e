"""The runs of a report, and what each of them, its tasks and data are called for a reader."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from slant.errors import RunError

AVERAGES = {
    "class_f1": "F1 averaged over the two classes",
    "weighted_f1": "F1 weighted by the size of the classes",
    "biased_f1": "F1 of the biased class",
}
_NEEDED = ("signature", "system", "preset", "primary", "level", "tasks", "overall", "controls")


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
    for more in (presets, [tasks_text(scores["tasks"]) for scores in every], ranks):
        twins = [[k for k, other in enumerate(parts) if other == own] for own in parts]
        parts = [
            [*own, more[i]] if len({more[k] for k in same}) > 1 else own
            for i, (own, same) in enumerate(zip(parts, twins, strict=True))
        ]
    return [f"{own[0]} ({', '.join(own[1:])})" if len(own) > 1 else own[0] for own in parts]


def tasks_text(tasks: Collection[str]) -> str:
    """Some tasks for a reader: the name of one, the number of several.

    >>> tasks_text(["mbib/hate-speech"]), tasks_text(["a", "b"])
    ('hate speech', '2 tasks')
    """
    return task_name(next(iter(tasks))) if len(tasks) == 1 else f"{len(tasks)} tasks"


def system_name(system: str) -> str:
    """A system's name for a reader: its version stands in the signature.

    >>> system_name("tfidf-lr@1")
    'tfidf-lr'
    """
    name, _, version = system.rpartition("@")
    return name if name and version.isdigit() else system


def compared(
    comparisons: Sequence[Mapping[str, Any]], every: Sequence[Entry] = ()
) -> list[tuple[str, str]]:
    """The names of the two runs of each compare.json, the reference first.

    Rule: a run of the report has the label it has there; any other the name of its system, with
    its directory where two runs of one system are compared.

    Args:
        comparisons: what was read.
        every: the entries of the report.
    """
    labels = {str(entry.scores["signature"]): entry.label for entry in every}
    runs: dict[str, set[str]] = {}
    for read in comparisons:
        for system, run in zip(read["systems"], read.get("runs", ("1", "2")), strict=True):
            runs.setdefault(system_name(str(system)), set()).add(str(run))

    def name(read: Mapping[str, Any], i: int) -> str:
        system = system_name(str(read["systems"][i]))
        run = str(read.get("runs", ("1", "2"))[i]).rsplit("/", 1)[-1]
        other = system if len(runs[system]) == 1 else f"{system} ({run})"
        # One signature for two runs, as of a run done twice, names neither.
        unlike = read["signatures"][0] != read["signatures"][1]
        return labels.get(str(read["signatures"][i]), other) if unlike else other

    return [(name(read, 0), name(read, 1)) for read in comparisons]


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
