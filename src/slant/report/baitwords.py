"""A scored run of BAIT -> what its page says in words: what was asked, answers, cautions."""

from __future__ import annotations

from collections.abc import Iterator

from slant.report.bait import Bait, Read, Setting, System, level_text
from slant.report.baitbiasboards import FEWER, MORE, bias_of, excess_cell
from slant.report.baitboards import best_of
from slant.report.baitcueboards import cue_words
from slant.report.baitnames import SCORE_NAMES, articles_text, shots_text
from slant.report.baittestboards import families, significant
from slant.report.sentences import joined
from slant.report.tables import (
    Cell,
    counted,
    estimate_text,
    numbered,
    rounded,
    tenths,
    with_interval,
)

FEW = 10
"""Gold articles of a bias below which its scores are said to be imprecise."""
HEADLINES = ("detection_micro_f1", "triggers_f1")


def bait_asked(found: Bait) -> str:
    """What answered, about how many articles and biases, in one sentence."""
    parts = []
    if models := found.of("model"):
        shots = joined([shots_text(k) for k in found.shots])
        parts.append(f"{numbered(len(models), 'model')} with {shots}")
    if baselines := found.of("baseline"):
        parts.append(f"{numbered(len(baselines), 'baseline')} without a language model")
    if found.of("human"):
        parts.append("one annotator against another")
    title = str(found.read["schema"].get("name") or "")
    of = f" of the schema {title}" if title else ""
    n = len(found.categories)
    return (
        f"{articles_text(found.articles)}; {counted(n)} bias{'es' if n != 1 else ''}{of}; "
        f"{joined(parts) if parts else 'no answers'}. F1 is pooled over the articles and averaged "
        f"over runs; brackets hold {level_text(found)}."
    )


def bait_answers(found: Bait) -> tuple[str, ...]:
    """The results in a sentence each: the best model by detection and by triggers with the human
    reference beside it, what examples add, which biases are predicted too often, and cues."""
    said = [*_headlines(found), _gains(found), _excess(found), cue_words(found)]
    return tuple(one for one in said if one)


def bait_cautions(found: Bait) -> tuple[str, ...]:
    """What weakens the answers, in a sentence each."""
    said = [
        _few(found),
        _agreed(found),
        _human(found),
        _unlocated(found),
        _missing(found),
        _absent(found),
    ]
    return tuple(one for one in said if one)


def _headlines(found: Bait) -> Iterator[str]:
    for name in HEADLINES:
        leader = _leader(found, name)
        if not leader:
            continue
        system, setting = leader
        estimate = setting.score(name)
        where = f" with {shots_text(setting.shots)}" if system.kind == "model" else ""
        what = "detection (micro F1)" if name == HEADLINES[0] else "locating triggers (F1)"
        others = [one for kind in ("baseline", "human") for one in found.of(kind) if one != system]
        beside = []
        below, other = _higher(found, leader, name), "" if system.kind == "model" else "other "
        best = _highest([one for one in others if one.kind == "baseline"], name)
        if best:
            if _value(best, name) >= _value(leader, name):
                below += f", no more than the best {other}baseline"
            beside.append(
                f"the best {other}baseline, {best[0].label}, {estimate_text(best[1].score(name))}"
            )
        human = _highest([one for one in others if one.kind == "human"], name)
        if human:
            beside.append(
                f"two annotators against each other {estimate_text(human[1].score(name))}"
            )
        rest = f"; {joined(beside)}" if beside else ""
        equal = len(best_of(found, setting.shots, name)) > 1 and system.kind == "model"
        more = " (another reaches the same)" if equal else ""
        reached = f"{estimate_text(estimate)}{more}{below}{rest}"
        yield f"In {what}, {system.label}{where} reaches {reached}."


def _higher(found: Bait, leader: tuple[System, Setting], name: str) -> str:
    """That a model had a higher value with fewer examples, where one had."""
    if leader[0].kind != "model":
        return ""
    bests = [best for k in found.shots if (best := _highest(found.of("model"), name, k))]
    top = max(bests, key=lambda row: _value(row, name))
    if _value(top, name) <= _value(leader, name):
        return ""
    who = "" if top[0] == leader[0] else f"{top[0].label} "
    score = estimate_text(top[1].score(name))
    return f", less than {who}with {shots_text(top[1].shots)}, {score}"


def _value(row: tuple[System, Setting], name: str) -> float:
    return float((row[1].score(name) or {})["value"])


def _leader(found: Bait, name: str) -> tuple[System, Setting] | None:
    return _highest(found.of("model"), name, found.most) or _highest(found.of("baseline"), name)


def _highest(
    systems: tuple[System, ...] | list[System], name: str, shots: int | None = None
) -> tuple[System, Setting] | None:
    rows = [
        (float(estimate["value"]), -i, system, setting)
        for i, system in enumerate(systems)
        if (setting := system.last if shots is None else system.at(shots))
        and (estimate := setting.score(name))
        and estimate.get("value") is not None
    ]
    return max(rows)[2:] if rows else None


def _gains(found: Bait) -> str:
    most = found.most
    rows = [
        row
        for own in families(found).values()
        for row in own
        if row["first"]["system"] == row["second"]["system"]
        and int(row["first"]["shots"]) == most > int(row["second"]["shots"]) == 0
    ]
    parts = []
    for name in HEADLINES:
        having = [row for row in rows if row["score"] == name and row.get("difference") is not None]
        if having:
            n = sum(significant(row) and float(row["difference"]) > 0 for row in having)
            largest = max(having, key=lambda row: float(row["difference"]))
            text = _difference_text(largest)
            parts.append(
                f"{counted(n)} of {counted(len(having))} models in {SCORE_NAMES[name]} (the "
                f"largest gain: {found.label(str(largest['first']['system']))}, {text})"
            )
    if not parts:
        return ""
    return (
        f"With {shots_text(most)}, significantly better than with none (paired t tests, Holm): "
        f"{joined(parts)}."
    )


def _difference_text(row: Read) -> str:
    low, high = row.get("low"), row.get("high")
    return with_interval(Cell(float(row["difference"]), "difference", low, high))


def _excess(found: Bait) -> str:
    models = [at for model in found.of("model") if (at := model.at(found.most))]
    rows = []
    for category in found.categories:
        having = [one for setting in models if (one := bias_of(setting, category))]
        if having:
            gold = int(having[0]["gold_articles"])
            mean = sum(float(one["predicted_articles"]) for one in having) / len(having)
            marks = [excess_cell(one).mark for one in having]
            rows.append((mean - gold, mean, gold, category, marks))
    if not rows:
        return ""
    over, under = max(rows, key=lambda row: row[0]), min(rows, key=lambda row: row[0])
    parts = []
    for (excess, mean, gold, category, marks), word, mark in (
        (over, "more", MORE),
        (under, "fewer", FEWER),
    ):
        if (excess if word == "more" else -excess) > 0:
            n = marks.count(mark)
            parts.append(
                f"in {word} articles than the gold has it, above all {category.label} "
                f"({tenths(mean)} in the mean over models, {counted(gold)} in the gold; the "
                f"interval leaves out 0 for {counted(n)} of {counted(len(marks))} models)"
            )
    return f"Predicted {'; '.join(parts)}." if parts else ""


def _few(found: Bait) -> str:
    biases = (found.read.get("gold") or {}).get("biases") or {}
    few = [
        f"{found.category(code).label} ({counted(int(one['articles']))})"
        for code, one in biases.items()
        if int(one["articles"]) < FEW
    ]
    if not few:
        return ""
    return (
        f"Biases that few articles have, so that their scores are imprecise (fewer than {FEW}): "
        f"{joined(few)}."
    )


def _agreed(found: Bait) -> str:
    mean = (found.read.get("agreement") or {}).get("mean") or {}
    kappa, tokens = mean.get("kappa"), mean.get("token_f1")
    if not kappa or kappa.get("value") is None:
        return "The run has no annotators' passes: nothing says how far people agree on this task."
    said = f"The annotators agree by a mean kappa of {estimate_text(kappa)}"
    if tokens and tokens.get("value") is not None:
        said += f" on articles and a mean word F1 of {estimate_text(tokens)} on passages"
    return f"{said}: a score is to be read against that, not against 1."


def _human(found: Bait) -> str:
    if not found.of("human"):
        return ""
    return (
        "The human reference scores one annotator against another, not against the gold that "
        "systems are scored against."
    )


def _unlocated(found: Bait) -> str:
    rows = []
    for system in found.systems:
        steps = [one.read.get("steps") or {} for one in system.settings]
        every = sum(sum(one.values()) for one in steps)
        lost = sum(int(one.get("unlocated", 0)) for one in steps)
        if lost:
            rows.append((lost / every, lost, every, system))
    if not rows:
        return ""
    share, lost, every, system = max(rows, key=lambda row: row[:2])
    return (
        f"Strings that stand nowhere in the article count against a system at every level; the "
        f"highest share is that of {system.label}, {counted(lost)} of {counted(every)} "
        f"({rounded(share)})."
    )


def _missing(found: Bait) -> str:
    settings = [one for system in found.of("model") for one in system.settings]
    none = sum(_no_answer(one) for one in settings)
    unusable = sum(sum((one.read.get("faults") or {}).values()) for one in settings)
    every = sum(int(one.read.get("expected") or one.read.get("answers") or 0) for one in settings)
    unusable -= sum(int((one.read.get("faults") or {}).get("no-answer", 0)) for one in settings)
    if not none and not unusable:
        return ""
    return (
        f"Of {counted(every)} answers asked of models, {counted(unusable)} could not be used and "
        f"{counted(none)} never came; they count as empty, which lowers scores."
    )


def _absent(found: Bait) -> str:
    lacking = [
        f"{found.label(str(row['name']))} ({', '.join(map(str, row['missing_runs']))})"
        for row in found.read["systems"]
        if row.get("missing_runs")
    ]
    return f"Planned runs that are not there: {joined(lacking)}." if lacking else ""


def _no_answer(setting: Setting) -> int:
    faults = setting.read.get("faults") or {}
    return int(setting.read.get("no_answer") or faults.get("no-answer", 0))
