"""A scored run of BAIT -> tables bias by bias: scores, how often each is predicted, and cues."""

from __future__ import annotations

from slant.report.bait import (
    Bait,
    Category,
    Read,
    Setting,
    System,
    level_text,
    models_text,
    spread_cell,
)
from slant.report.baitnames import LEVEL_NAMES, articles_text
from slant.report.tables import Cell, Row, Table, score_cell

MORE, FEWER = "more", "fewer"


def chosen(found: Bait, shots: int) -> list[tuple[System, Setting]]:
    """The models with so many examples, then every baseline and the human reference."""
    rows = [(model, one) for model in found.of("model") if (one := model.at(shots))]
    return rows + [(one, one.last) for kind in ("baseline", "human") for one in found.of(kind)]


def bias_of(setting: Setting, category: Category) -> Read | None:
    """What a setting has of a bias."""
    read: Read | None = (setting.read.get("biases") or {}).get(category.code)
    return read


def bias_board(found: Bait, name: str, shots: int) -> Table | None:
    """F1 of every bias and system at four levels, with one number of examples: figure 4."""
    rows = []
    for category in found.categories:
        for system, setting in chosen(found, shots):
            one = bias_of(setting, category)
            if one:
                scores = (spread_cell(one.get(key)) for key in LEVEL_NAMES)
                rows.append(
                    Row(
                        (Cell(system.label), *scores, Cell(int(one["gold_spans"]), "count"),
                         *(Cell(float(one[key]), "mean")
                           for key in ("predicted_spans", "matched_spans"))),
                        category.label,
                        control=system.kind == "human",
                    )
                )  # fmt: skip
    if not rows:
        return None
    return Table(
        name,
        f"F1 of every bias at four levels over {articles_text(found.articles)}"
        f"{models_text(found, shots)}; means over runs, ± their standard deviation, brackets hold "
        f"{level_text(found)}. Spans: in the gold, predicted and matched one to one.",
        ("system", *LEVEL_NAMES.values(), "gold spans", "predicted", "matched"),
        tuple(rows),
        section="bias",
        signature=found.signature,
    )


def count_board(found: Bait, name: str, shots: int) -> Table | None:
    """In how many articles each bias is predicted, against the gold: over- and under-prediction."""
    rows = []
    for category in found.categories:
        for system, setting in chosen(found, shots):
            one = bias_of(setting, category)
            if one and system.kind != "human":
                rows.append(
                    Row(
                        (
                            Cell(system.label),
                            Cell(int(one["gold_articles"]), "count"),
                            Cell(float(one["predicted_articles"]), "mean"),
                            excess_cell(one),
                        ),
                        category.label,
                    )
                )
    if not rows:
        return None
    return Table(
        name,
        f"Articles in which each bias is predicted, in the mean over runs, against those that have "
        f"it in the gold, of {articles_text(found.articles)}{models_text(found, shots)}. "
        f"Brackets hold {level_text(found)} of predicted less gold.",
        ("system", "gold", "predicted", "predicted less gold"),
        tuple(rows),
        section="bias",
        notes=(f"{MORE.capitalize()}, {FEWER}: the interval of the difference leaves out 0.",),
        signature=found.signature,
    )


def excess_cell(one: Read) -> Cell:
    """Predicted less gold articles, with a word where the interval leaves out 0."""
    given: Read | None = one.get("excess_articles")
    if not given or given.get("value") is None:
        return Cell(float(one["predicted_articles"]) - int(one["gold_articles"]), "difference")
    cell = score_cell(given, kind="difference")
    mark = ""
    if cell.low is not None and cell.high is not None:
        mark = MORE if cell.low > 0 else FEWER if cell.high < 0 else ""
    return Cell(cell.value, "difference", cell.low, cell.high, mark=mark)
