"""Runs -> what the page says in words: the headline, and the texts that systems got wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from slant.report.entries import Entry, Setting, average_name, data_names, mean_score, task_name
from slant.report.formats import visible
from slant.report.tables import counted, estimate_text, rounded

_SHORT, _LEAD = 480, 220


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
    states = Counter(str(row.get("state")) for row in scores.get("data", ()))
    data = f"{sum(states.values())} data set{'s' if sum(states.values()) != 1 else ''}"
    detail = ", ".join(f"{n} {state}" for state, n in sorted(states.items()))
    data += f" ({detail})" if detail else ""
    tasks = setting.tasks
    where = f"the task {task_name(tasks[0])}" if len(tasks) == 1 else f"{len(tasks)} tasks"
    average = average_name(str(scores["primary"]))
    names = [entry.label for entry in setting.entries]
    return (
        f"{joined(names)} on {where}, {data}, preset {scores['preset']}; {average}, with "
        f"{float(scores['level']) * 100:g}% intervals."
    )


def answer(setting: Setting) -> str:
    """The result in one sentence, with the control that sees no text beside it."""
    best = setting.first
    overall = best.scores["overall"]
    tasks = setting.tasks
    where = f"averaged over {len(tasks)} tasks" if len(tasks) > 1 else f"on {task_name(tasks[0])}"
    value = mean_score(overall, "micro")
    if value is None:
        why = (overall.get("media_bias_micro") or {}).get("why") or "it is undefined"
        return f"{best.label} has no micro F1 {where}: {why}."
    said = (
        f"{best.label} reaches a micro F1 of {estimate_text(overall['media_bias_micro'])} {where}"
    )
    control = setting.overall.get("source-only", {})
    baseline = mean_score(control, "micro")
    if baseline is None:
        return f"{said}."
    text = estimate_text(control["media_bias_micro"])
    less = ", which is as much or more" if baseline >= value else ""
    return f"{said}; knowing only which data set a text came from reaches {text}{less}."


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
