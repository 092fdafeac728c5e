"""A study -> tables of classification and plausibility: tables 1, C2 and D1 of the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from slant.explain.methods import SLOW
from slant.report.sentences import joined
from slant.report.studies import (
    SCORE_NAMES,
    Study,
    Subject,
    level_text,
    method_name,
    methods_of,
    range_counted,
    seeds_text,
    sentences_text,
    signature_text,
    sweeps,
)
from slant.report.tables import Cell, Row, Table, rounded, score_cell

PAPER_METHODS = ("cls-attention", "rollout", "gradient-attention")
_EMPTY = Cell("")
_DEVIATIONS = (
    "± is the standard deviation over seeds, parentheses hold the mean over seeds of the standard "
    "deviation over sentences."
)


def main_board(study: Study, name: str) -> Table | None:
    """Class F1 and the AUROC of the paper's three explanations, with what needs no model; table 1
    of the paper."""
    if not study.explain:
        return None
    these, read = study.explained, study.explain
    every = methods_of(these)
    methods = [method for method in PAPER_METHODS if method in every] or every[:3]
    rows = [
        Row(
            (
                Cell(one.model),
                Cell(one.condition),
                score_cell(_classified(one)["class_f1"]),
                *(score_cell(_plausible(one, method)) for method in methods),
                _EMPTY,
            )
        )
        for one in these
    ]
    blank = (_EMPTY,) * len(methods)
    for key, scores in read.get("baselines", {}).items():
        cells = (Cell(method_name(key)), Cell("no model"), _EMPTY, *blank)
        rows.append(Row((*cells, score_cell(scores.get("auroc"))), control=True))
    if humans := read.get("humans"):
        found = score_cell({"value": humans["labels_class_f1"]}, missing="not measured")
        words = score_cell({"value": (humans.get("words") or {}).get("auroc")})
        rows.append(
            Row((Cell("humans"), Cell("one annotator"), found, *blank, words), control=True)
        )
    names = [f"AUROC, {method_name(method)}" for method in methods]
    return Table(
        name,
        f"Class F1 and plausibility on {study.task}, {read['part']}: class F1 is the mean over "
        f"both classes; AUROC says how well scores of {read['unit']}s find the words that experts "
        f"marked, the mean over {sentences_text(these)}. {seeds_text(these)}; brackets hold "
        f"{level_text(read)}.",
        ("model", "condition", "class F1", *names, "AUROC, no model"),
        tuple(rows),
        notes=(_DEVIATIONS, *_human_notes(read)),
        signature=signature_text(these, study.explain),
    )


def _human_notes(read: Mapping[str, Any]) -> tuple[str, ...]:
    humans = read.get("humans")
    if not humans:
        return ("The annotators' own agreement was not measured.",)
    said = "Humans: one annotator's labels and words against those of the others"
    if words := humans.get("words"):
        votes = int(words.get("votes", 1))
        said += f" ({range_counted([int(words['answers'])], 'answers')}; a word is marked if "
        said += f"at least {votes} of them marked it)"
    said += f"; Krippendorff's alpha of the labels {rounded(humans['alpha'])}"
    return (f"{said}. A yes-or-no answer ranks no words among themselves.",)


def plausibility_board(study: Study, name: str, pooled: bool = False) -> Table | None:
    """Every explanation of every model by four scores.

    Args:
        study: what was read.
        name: of the table.
        pooled: over all words at once instead of the mean over sentences.
    """
    if not study.explain:
        return None
    these, read = study.explained, study.explain

    def cells(scores: Mapping[str, Any]) -> list[Cell]:
        if pooled:
            return [_pooled(scores.get(score)) for score in SCORE_NAMES]
        return [score_cell(scores.get(score)) for score in SCORE_NAMES]

    rows = [
        Row((Cell(method_name(key)), *cells(scores)), one.label)
        for one in these
        if one.explain
        for key, scores in one.explain["plausibility"].items()
    ]
    for key, scores in read.get("baselines", {}).items():
        rows.append(Row((Cell(method_name(key)), *cells(scores)), "without a model", control=True))
    words = (read.get("humans") or {}).get("words")
    if words and not pooled:
        own = [Cell(words[score], "score") if score in words else _EMPTY for score in SCORE_NAMES]
        rows.append(Row((Cell("one annotator"), *own), "without a model", control=True))
    how = "over the words of all sentences at once" if pooled else "mean over sentences"
    return Table(
        name,
        f"Plausibility of every explanation, {how}: {sentences_text(these)}, {seeds_text(these)}. "
        f"Unit {read['unit']}; pieces of words aggregated by {read['aggregation']}; scores "
        f"explain the class {read['target']}."
        + ("" if pooled else f" Brackets hold {level_text(read)}."),
        ("explanation", *SCORE_NAMES.values()),
        tuple(rows),
        section="model",
        notes=(*(() if pooled else (_DEVIATIONS,)), *_sampled(study)),
        signature=signature_text(these, study.explain),
    )


def _sampled(study: Study) -> tuple[str, ...]:
    """Which methods saw fewer sentences than the caption says."""
    slow = [method_name(method) for method in methods_of(study.explained) if method in SLOW]
    number = int((study.explain or {}).get("sample") or 0)
    if not slow or not number:
        return ()
    few = f"{joined(slow)}: {number} of these sentences of each seed at most."
    return (few[:1].upper() + few[1:],)


def sentence_board(study: Study, name: str) -> Table | None:
    """How many sentences each seed and fold has, and of how many plausibility is taken."""
    if not study.explain:
        return None
    rows = [
        Row(
            (
                Cell(str(row["seed"])),
                Cell(str(row["fold"])),
                *(Cell(row[key], "count") for key in ("test", "marked", "shown", "cut")),
            ),
            one.label,
        )
        for one in study.explained
        if one.explain
        for row in one.explain["sentences"]
    ]
    return Table(
        name,
        "Test sentences of each seed and fold: all, those with marked words, those with both "
        "classes of words, which plausibility is the mean over, and those longer than the model "
        "reads.",
        ("seed", "fold", "test", "marked", "both classes", "cut"),
        tuple(rows),
        section="model",
    )


def sweep_board(study: Study, name: str) -> Table | None:
    """Development scores by the weight of attention supervision; table C2 of the paper. None where
    no two models differ in it alone."""
    groups = [
        [one for one in group if one.explain and one.explain.get("dev")]
        for group in sweeps(study.explained)
    ]
    groups = [group for group in groups if len(group) > 1]
    if not groups or not study.explain:
        return None
    flat = [one for group in groups for one in group]
    given = {m for one in flat for m in _dev(one).get("auroc", {})}
    # The paper chose by gradient x attention: it stands first.
    methods = sorted(
        (m for m in methods_of(flat) if m in given), key=lambda m: m != PAPER_METHODS[2]
    )
    rows = [
        Row(
            (
                Cell(f"{one.lam:g}"),
                score_cell(_dev(one)["class_f1"]),
                *(score_cell(_dev(one).get("auroc", {}).get(method)) for method in methods),
            ),
            one.model,
        )
        for one in flat
    ]
    return Table(
        name,
        "Weight λ of attention supervision, on development data: models that differ in nothing "
        f"else, {seeds_text(flat)}. Brackets hold {level_text(study.explain)}, ± is the standard "
        "deviation over seeds.",
        ("λ", "class F1", *(f"AUROC, {method_name(method)}" for method in methods)),
        tuple(rows),
        section="model",
        signature=signature_text(flat, study.explain),
    )


def class_board(study: Study, name: str) -> Table | None:
    """Precision, recall and F1 of each class; table D1 of the paper."""
    if not study.explain:
        return None
    these = study.explained
    classes, scores = ("biased", "unbiased"), {"precision": "P", "recall": "R", "f1": "F1"}
    rows = [
        Row(
            (
                Cell(one.model),
                Cell(one.condition),
                *(score_cell(_classified(one)[label][s]) for label in classes for s in scores),
            )
        )
        for one in these
    ]
    return Table(
        name,
        f"Precision (P), recall (R) and F1 of each class on {study.task}, "
        f"{study.explain['part']}. {seeds_text(these)}; ± is the standard deviation over seeds, "
        f"brackets hold {level_text(study.explain)}.",
        (
            "model",
            "condition",
            *(f"{label} {short}" for label in classes for short in scores.values()),
        ),
        tuple(rows),
        signature=signature_text(these, study.explain),
    )


def _classified(one: Subject) -> Mapping[str, Any]:
    found: Mapping[str, Any] = (one.explain or {})["classification"]
    return found


def _dev(one: Subject) -> Mapping[str, Any]:
    found: Mapping[str, Any] = (one.explain or {}).get("dev") or {}
    return found


def _plausible(one: Subject, method: str) -> Mapping[str, Any] | None:
    found: Mapping[str, Any] | None = (
        (one.explain or {})["plausibility"].get(method, {}).get("auroc")
    )
    return found


def _pooled(scores: Mapping[str, Any] | None) -> Cell:
    return score_cell({"value": (scores or {}).get("pooled")}, missing="not pooled")


def class_f1(one: Subject) -> Mapping[str, Any]:
    """The class F1 of a model, an estimate; empty where it was not explained."""
    return _classified(one)["class_f1"] if one.explain else {}


def best_method(one: Subject) -> tuple[str, Mapping[str, Any]] | None:
    """The explanation of a model with the highest AUROC, and its estimate; None without one."""
    found = {
        method: scores["auroc"]
        for method, scores in (one.explain or {}).get("plausibility", {}).items()
        if scores.get("auroc", {}).get("value") is not None
    }
    return max(found.items(), key=lambda item: item[1]["value"]) if found else None


def best_of(these: Sequence[Subject]) -> Subject | None:
    """The model with the highest class F1; None where none has one."""
    scored = [one for one in these if class_f1(one).get("value") is not None]
    return max(scored, key=lambda one: float(class_f1(one)["value"])) if scored else None
