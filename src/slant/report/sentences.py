"""Runs -> what the page says in words: the headline, and the texts that systems got wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from slant.report.entries import Entry, average_name, data_names, task_name
from slant.report.escaping import visible
from slant.report.settings import CONTROLS, Setting, Tasks, mean_score
from slant.report.tables import counted, estimate_text, rounded
from slant.stats.levels import level_percent

_SHORT, _LEAD = 480, 220
_ANSWERS = 3
_REACH = {
    "source-only": "knowing only which data set a text came from",
    "random": "a coin",
    "majority": "always giving the more frequent label",
}


@dataclass(frozen=True, slots=True)
class Quote:
    """A text that a system got wrong with confidence, ready to print but not escaped.

    Fields:
        lead: the beginning of a long text, None where the text is short.
    """

    id: str
    data_set: str
    gold: str
    answer: str
    probability: str
    source_label: str
    text: str
    lead: str | None
    length: str


def joined(names: Sequence[str]) -> str:
    """Names as a list in a sentence.

    >>> joined(["a"]), joined(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def asked(setting: Setting) -> str:
    """What was run on what, in one sentence."""
    scores = setting.first.scores
    found: dict[str, str] = {}
    for entry in setting.entries:
        for row in entry.scores.get("data", ()):
            found.setdefault(str(row["dataset"]), str(row.get("state")))
    data = f"{len(found)} data set{'s' if len(found) != 1 else ''}"
    detail = ", ".join(f"{n} {state}" for state, n in sorted(Counter(found.values()).items()))
    data += f" ({detail})" if detail else ""
    runs = []
    for tasks in setting.task_lists:
        names = [entry.label for entry in setting.entries if frozenset(entry.tasks) == tasks]
        only = task_name(next(iter(tasks)))
        where = f"the task {only}" if len(tasks) == 1 else f"{len(tasks)} tasks"
        if names:
            runs.append(f"{joined(names)} on {where}")
    average = average_name(str(scores["primary"]))
    return (
        f"{'; '.join(runs)}{',' if len(runs) == 1 else ';'} {data}, {setting.protocol}; "
        f"{average}, with {level_percent(scores['level'])} intervals."
    )


def answers(setting: Setting) -> tuple[str, ...]:
    """The result in a sentence for each set of tasks, most tasks first, with the controls that
    see no text beside it."""
    lists = [
        tasks
        for tasks in setting.task_lists
        if any(frozenset(entry.tasks) == tasks for entry in setting.entries)
    ]
    said = [_answer(setting, tasks, named=len(lists) > 1) for tasks in lists[:_ANSWERS]]
    if len(lists) > _ANSWERS:
        said.append("The leaderboard has the runs on other tasks.")
    return tuple(said)


def _answer(setting: Setting, tasks: Tasks, *, named: bool) -> str:
    best = next(entry for entry in setting.entries if frozenset(entry.tasks) == tasks)
    overall = best.scores["overall"]
    names = [task_name(task) for task in best.tasks]
    where = f"averaged over {len(names)} tasks" if len(names) > 1 else f"on {names[0]}"
    if named and 1 < len(names) <= _ANSWERS:
        where += f" ({joined(names)})"
    value = mean_score(overall, "micro")
    if value is None:
        why = (overall.get("media_bias_micro") or {}).get("why") or "it is undefined"
        return f"{best.label} has no micro F1 {where}: {why}."
    said = (
        f"{best.label} reaches a micro F1 of {estimate_text(overall['media_bias_micro'])} {where}"
    )
    means = {
        name: mean
        for name in CONTROLS
        if (mean := mean_score(setting.overall[tasks].get(name, {}), "micro")) is not None
    }
    if not means:
        return f"{said}."
    first, *others = sorted(means, key=lambda name: -means[name])
    text = estimate_text(setting.overall[tasks][first]["media_bias_micro"])
    reached = [f"{_REACH[first]} reaches {text}"]
    reached += [f"{_REACH[name]} {rounded(means[name])}" for name in others]
    if means[first] >= value:
        return f"{said}, no more than without any text: {joined(reached)}."
    return f"{said}; {joined(reached)}."


def quotes(entry: Entry) -> Iterator[tuple[str, list[Quote]]]:
    """The most confident errors of a run, by task."""
    names = data_names([entry])
    for task, facts in entry.tasks.items():
        if facts.get("errors"):
            yield task_name(task), [_quote(error, names) for error in facts["errors"]]


def _quote(error: Mapping[str, Any], names: Mapping[str, str]) -> Quote:
    text = visible(str(error["text"]))
    words = ("not biased", "biased")
    probability = error.get("probability")
    return Quote(
        id=visible(str(error["id"])),
        data_set=visible(names.get(str(error["dataset"]), str(error["dataset"]))),
        gold=words[int(error["gold"])],
        answer=words[int(error["predicted"])],
        probability="" if probability is None else rounded(float(probability)),
        source_label=visible(str(error.get("source_label") or "")),
        text=text,
        lead=text[:_LEAD].rstrip() if len(text) > _SHORT else None,
        length=counted(len(text)),
    )
