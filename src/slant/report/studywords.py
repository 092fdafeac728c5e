"""A study -> what the page says in words: the answers on top, and why something is not drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from slant.report.circuitboards import Reading, curve_of, point_at, readings
from slant.report.sentences import joined
from slant.report.studies import (
    READING_NAMES,
    Study,
    Subject,
    level_text,
    method_name,
    seeds_text,
    supervised_pairs,
)
from slant.report.studyboards import best_method, best_of, class_f1
from slant.report.tables import Cell, estimate_text, interval, rounded, with_interval

_MOST = 4
_TAUGHT = "cls-attention"
_PAPER = 0.5
_VERDICTS = {1: "more than", -1: "less than", 0: "not told apart from"}


def study_asked(study: Study) -> str:
    """What was explained, in one sentence."""
    read = study.explain or study.circuit or {}
    models = joined([one.label for one in study.subjects])
    return f"{models} on {study.task}; {seeds_text(study.subjects)}, {level_text(read)}."


def study_answers(study: Study) -> tuple[str, ...]:
    """The results in a sentence each: the best model, its most plausible explanation against
    inverse document frequency, what attention supervision changed, what the first heads hold."""
    said = [_best(study), _plausible(study), *_supervised(study), *_held(study)]
    return tuple(sentence for sentence in said if sentence)


def _best(study: Study) -> str:
    best = best_of(study.explained)
    if best is None:
        return ""
    has = "has the highest class F1," if len(study.explained) > 1 else "has a class F1 of"
    return f"{best.label} {has} {estimate_text(class_f1(best))}."


def _plausible(study: Study) -> str:
    found = [(one, best) for one in study.explained if (best := best_method(one))]
    if not found or not study.explain:
        return ""
    one, (method, estimate) = max(found, key=lambda pair: float(pair[1][1]["value"]))
    said = (
        f"The most plausible explanation is {method_name(method)} of {one.label}, AUROC "
        f"{estimate_text(estimate)}"
    )
    row = _difference(study, one.name, method, None, "idf")
    if row:
        return (
            f"{said}: {_verdict(row)} inverse document frequency, which needs no model: {_by(row)}."
        )
    idf = study.explain.get("baselines", {}).get("idf", {}).get("auroc")
    if idf:
        text = estimate_text(idf)
        return (
            f"{said}; inverse document frequency, which needs no model, has {text}, and their "
            "difference was not tested."
        )
    return f"{said}; inverse document frequency was not measured beside it."


def _supervised(study: Study) -> list[str]:
    said = []
    every = supervised_pairs(study.explained)
    pairs = _told(every)
    for plain, taught in pairs[:_MOST]:
        methods = [(one.explain or {})["plausibility"] for one in (plain, taught)]
        shared = [method for method in methods[0] if method in methods[1]]
        if not shared:
            continue
        method = _TAUGHT if _TAUGHT in shared else shared[0]
        before, after = (by[method]["auroc"].get("value") for by in methods)
        row = _difference(study, taught.name, method, plain.name, method)
        tested = f" ({_by(row)})" if row else ", a difference that was not tested"
        f1s = [class_f1(one).get("value") for one in (plain, taught)]
        said.append(
            f"Attention supervision of {plain.model} (λ {taught.lam:g}) took the AUROC of "
            f"{method_name(method)} from {rounded(before)} to {rounded(after)}{tested}, and class "
            f"F1 from {rounded(f1s[0])} to {rounded(f1s[1])}."
        )
    if len(every) > len(said) > 0:
        said.append("The tables have the other weights of supervision.")
    return said


def _told(pairs: list[tuple[Subject, Subject]]) -> list[tuple[Subject, Subject]]:
    """Of a sweep the paper's weight, or else the least."""
    told: dict[str, tuple[Subject, Subject]] = {}
    for plain, taught in sorted(pairs, key=lambda pair: (pair[1].lam != _PAPER, pair[1].lam)):
        told.setdefault(plain.name, (plain, taught))
    return [told[name] for name in dict.fromkeys(plain.name for plain, _ in pairs)]


def _held(study: Study) -> list[str]:
    found = readings(study)
    if not found:
        return []
    every = [one for one in study.circuited if point_at(one, found[0])]
    pairs = supervised_pairs(every)
    told = {taught.name for _, taught in _told(pairs)}
    swept = {taught.name for _, taught in pairs} - told
    having = [one for one in every if one.name not in swept]
    shares = [
        share
        for one in having[:_MOST]
        if (share := _share(one, found[0], int((study.circuit or {})["draws"])))
    ]
    said = []
    if shares:
        said.append(f"Of the gap {READING_NAMES[found[0][0]]}, {'; '.join(shares)}.")
    said += [why for one in having[:_MOST] if (why := _unsaid(one, found[0]))]
    if len(every) > min(len(having), _MOST):
        said.append("The tables have the other models.")
    return said


def _share(one: Subject, reading: Reading, draws: int) -> str:
    point = point_at(one, reading) or {}
    if not _defined(point):
        return ""
    k, total = int(point["k"]), int((one.circuit or {})["total"])
    band = point["random"]["retention"]
    by_chance = "random ones were not tried"
    if band["median"] is not None:
        ends = interval(band["low"], band["high"])
        by_chance = (
            f"{k} random ones {rounded(band['median'])} {ends} (median and 95% range of "
            f"{draws} draws of heads)"
        )
    return (
        f"the first {k} of {total} heads of {one.label} alone hold "
        f"{estimate_text(point['retention'])}, {by_chance}"
    )


def _unsaid(one: Subject, reading: Reading) -> str:
    if _defined(point_at(one, reading) or {}):
        return ""
    base = estimate_text((curve_of(one, reading) or {})["base"])
    where = READING_NAMES[reading[0]]
    return f"What heads of {one.label} hold of the gap {where} cannot be said: it is {base}."


def _defined(point: Mapping[str, Any]) -> bool:
    return all(point[share]["value"] is not None for share in ("retention", "sufficiency"))


def _difference(
    study: Study, model: str, method: str, against_model: str | None, against: str
) -> Mapping[str, Any] | None:
    for row in (study.explain or {}).get("differences", ()):
        named = (row["model"], row["method"], row.get("against_model"), row["against"])
        if row["score"] == "auroc" and row["value"] is not None:
            if named == (model, method, against_model, against):
                found: Mapping[str, Any] = row
                return found
            if named == (against_model, against, model, method):
                return _turned(row)
    return None


def _turned(row: Mapping[str, Any]) -> Mapping[str, Any]:
    low, high = row.get("low"), row.get("high")
    ends = {"low": None if high is None else -high, "high": None if low is None else -low}
    return {**row, "value": -row["value"], **ends}


def _verdict(row: Mapping[str, Any]) -> str:
    low, high = row.get("low"), row.get("high")
    side = 0 if low is None or high is None else 1 if low > 0 else -1 if high < 0 else 0
    return _VERDICTS[side]


def _by(row: Mapping[str, Any]) -> str:
    return with_interval(Cell(float(row["value"]), "difference", row.get("low"), row.get("high")))
