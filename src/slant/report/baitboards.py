"""A scored run of BAIT -> its leaderboard and what stands behind it: table 4 of the paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from slant.report.bait import KINDS, Bait, Setting, System, level_text, number_cell, spread_cell
from slant.report.baitnames import (
    BOARD,
    articles_text,
    score_name,
    shots_text,
    shown_scores,
)
from slant.report.sentences import joined
from slant.report.tables import Cell, Row, Table

Placed = tuple[System, Setting, str]
"""A row of a leaderboard: what answered, in which setting, under which heading."""

BEST = "best"
_HEADINGS = {"baseline": "without a language model", "human": "human reference"}
_HUMAN = (
    "Human reference: one annotator's labels scored against another's, before adjudication, by the "
    "same metrics. It is not a score against the gold, which was made of these labels."
)


def placed(found: Bait) -> list[Placed]:
    """Every system in every setting: models by their number of examples, then baselines, then the
    human reference."""
    rows = [
        (model, one, shots_text(shots))
        for shots in found.shots
        for model in found.of("model")
        if (one := model.at(shots))
    ]
    for kind in KINDS[1:]:
        rows += [(one, s, _HEADINGS[kind]) for one in found.of(kind) for s in one.settings]
    return rows


def best_of(found: Bait, shots: int, name: str, part: str = "scores") -> set[str]:
    """The names of the models that have the highest value of a score with so many examples.

    Args:
        found: what was read.
        shots: the number of examples.
        name: of the score.
        part: scores, scores_without or scores_per_article.

    Returns:
        More than one where they are equal; none where there is one model only, or no value.
    """
    values = {
        model.name: float(estimate["value"])
        for model in found.of("model")
        if (one := model.at(shots))
        and (estimate := one.score(name, part))
        and estimate["value"] is not None
    }
    highest = max(values.values(), default=None)
    return {one for one, value in values.items() if value == highest} if len(values) > 1 else set()


def leaderboard(found: Bait, name: str) -> Table | None:
    """Detection and localisation of every system for each number of examples: table 4."""
    spread = any(len(one.runs) > 1 for _, one, _ in placed(found))
    said = "± is the standard deviation over runs, brackets hold" if spread else "brackets hold"
    best = " Best: the highest of the models with as many examples." if found.of("model") else ""
    return _board(
        found,
        name,
        "scores",
        BOARD,
        f"Detection and localisation over {articles_text(found.articles)}, pooled before F1; "
        f"{_runs_text(found)}; {said} {level_text(found)}.{best}",
        ((_HUMAN,) if found.of("human") else ()) + _fault_notes(found),
    )


def without_board(found: Bait, name: str) -> Table | None:
    """The same scores without the biases that would carry them."""
    if not found.without:
        return None
    biases = joined([found.category(code).label for code in found.without])
    return _board(
        found,
        name,
        "scores_without",
        BOARD,
        f"The same without {biases}, over {articles_text(found.articles)}; {_runs_text(found)}. "
        f"Brackets hold {level_text(found)}.",
        (_HUMAN,) if found.of("human") else (),
    )


def article_board(found: Bait, name: str) -> Table | None:
    """Means of the scores of single articles, which the tests compare."""
    return _board(
        found,
        name,
        "scores_per_article",
        BOARD,
        "Means over articles of each article's own score, which is 1 where gold and prediction are "
        f"both empty: what the tests compare. {articles_text(found.articles)}, means over the runs "
        f"of a setting; brackets hold {level_text(found)} of the mean.",
        (),
    )


def overlap_board(found: Bait, name: str) -> Table | None:
    """F1 of triggers by each reading of when two triggers match."""
    names = ("triggers_f1", "triggers_f1_jaccard", "triggers_f1_max")
    if not any(one.score(key) for _, one, _ in placed(found) for key in names[1:]):
        return None
    least = found.settings.get("trigger_threshold", found.settings.get("tau_t"))
    share = "a share" if least is None else f"at least {float(least):g}"
    table = _board(
        found,
        name,
        "scores",
        names,
        f"F1 of triggers by three readings of when two match, {share} of their spans being matched "
        f"one to one; {articles_text(found.articles)}, {_runs_text(found)}. Brackets hold "
        f"{level_text(found)}.",
        (
            "Dice: twice the matched spans by the spans of both; Jaccard: the matched by those of "
            "either; maximum: the matched by the spans of the larger. The equation of the paper is "
            "lost; Dice is a reconstruction and the one that the other tables hold.",
        ),
    )
    return table and replace(table, head=(table.head[0], "Dice", "Jaccard", "maximum"))


def _board(
    found: Bait,
    name: str,
    part: str,
    scores: Sequence[str],
    caption: str,
    notes: Sequence[str],
) -> Table | None:
    every = placed(found)
    shown = [key for key in scores if any(one.score(key, part) for _, one, _ in every)]
    if not shown:
        return None
    best = {(n, key): best_of(found, n, key, part) for n in found.shots for key in shown}
    rows = []
    for system, setting, heading in every:
        if not setting.read.get(part):
            continue
        cells = [Cell(system.label)]
        for key in shown:
            cell = spread_cell(setting.score(key, part))
            first = system.kind == "model" and system.name in best[setting.shots, key]
            cells.append(replace(cell, weight="bold", mark=BEST) if first else cell)
        rows.append(Row(tuple(cells), heading, control=system.kind == "human"))
    return Table(
        name,
        caption,
        ("system", *(score_name(key) for key in shown)),
        tuple(rows),
        section="examples",
        notes=tuple(notes),
        signature=found.signature,
    )


def draws_board(found: Bait, name: str) -> Table | None:
    """The scores of every run by itself: what the standard deviations come from."""
    rows, names = [], shown_scores(
        run["scores"] for one in found.systems for setting in one.settings for run in setting.runs
    )  # fmt: skip
    for system, setting, heading in placed(found):
        if len(setting.runs) < 2:
            continue
        under = f"{system.label}, {heading}"
        for run in setting.runs:
            why = "It is undefined in this run."
            values = (number_cell(run["scores"].get(key), "score", why) for key in names)
            rows.append(Row((Cell(str(run["run"])), *values), under))
    if not rows:
        return None
    return Table(
        name,
        f"Scores of single runs over {articles_text(found.articles)}, of systems with more than "
        "one run in a setting.",
        ("run", *(score_name(key) for key in names)),
        tuple(rows),
        section="system",
        signature=found.signature,
    )


def _runs_text(found: Bait) -> str:
    """How many runs the settings of models have, for a caption."""
    parts = []
    for shots in found.shots:
        counts = {len(one.runs) for model in found.of("model") if (one := model.at(shots))}
        low, high = min(counts), max(counts)
        n = f"{low}" if low == high else f"{low} to {high}"
        parts.append(f"{n} run{'' if high == 1 else 's'} with {shots_text(shots)}")
    return f"means over {joined(parts)}" if parts else "one run of each system"


def _fault_notes(found: Bait) -> tuple[str, ...]:
    faults = sum(
        sum((one.read.get("faults") or {}).values()) for s in found.systems for one in s.settings
    )
    if not faults:
        return ()
    return ("Answers that could not be used, or did not come, count as empty: see their table.",)
