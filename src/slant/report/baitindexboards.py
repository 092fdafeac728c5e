"""A scored run of BAIT -> the index of its articles, and what the scoring was told."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from slant.report.bait import Bait, System, models_text
from slant.report.baitarticles import Article
from slant.report.escaping import one_line
from slant.report.tables import Cell, Row, Table


def index_board(
    found: Bait, articles: Sequence[Article], names: Sequence[str], name: str, shots: int
) -> Table | None:
    """Every article with a link to its page, its gold, and how much of it each system found.

    Args:
        found: what was read.
        articles: with what was said of them.
        names: of their files.
        name: of the table.
        shots: the number of examples of the models.
    """
    if not articles:
        return None
    systems = [
        (one, shots if one.kind == "model" else one.last.shots)
        for one in found.systems
        if one.kind == "baseline" or (one.kind == "model" and one.at(shots))
    ]
    rows = []
    for article, file in zip(articles, names, strict=True):
        marks = article.example.gold.marks
        rows.append(
            Row(
                (
                    Cell(one_line(article.example.item.id) or "article", link=f"articles/{file}"),
                    Cell(len({mark.category for mark in marks}), "count"),
                    Cell(len(marks), "count"),
                    Cell(article.spans, "count"),
                    *(_found_cell(article, system, k) for system, k in systems),
                )
            )
        )
    return Table(
        name,
        "Every article: biases, triggers and spans of its gold, and how many of these spans each "
        f"system found, in the mean over its runs{models_text(found, shots)}.",
        ("article", "biases", "triggers", "spans",
         *(f"found by {system.label}" for system, _ in systems)),
        tuple(rows),
        signature=found.signature,
    )  # fmt: skip


def _found_cell(article: Article, system: System, shots: int) -> Cell:
    own = [one for one in article.told if (one.system, one.shots) == (system.name, shots)]
    if not own:
        return Cell(None, "mean", note="No run of it has this article.")
    return Cell(article.spans - sum(one.missed for one in own) / len(own), "mean")


def system_board(found: Bait, name: str) -> Table | None:
    """The models in full: provider and name as they were asked for, and what served them."""
    served = {str(row["name"]): row.get("served") for row in found.read["systems"]}
    rows = [
        Row((Cell(model.label), Cell(one_line(model.name)), Cell(_served(served[model.name]))))
        for model in found.of("model")
    ]
    if not rows:
        return None
    return Table(
        name,
        "The models in full: provider and model as they were asked for, and the model that the "
        "server said had answered.",
        ("system", "asked for as", "served as"),
        tuple(rows),
        signature=found.signature,
    )


def _served(names: Sequence[str] | None) -> str:
    if names is None:
        return "not recorded in these scores"
    return ", ".join(map(one_line, names)) or "the server did not say"


def settings_board(found: Bait, name: str) -> Table:
    """What the scoring was told: thresholds, options, seeds."""
    schema = found.read["schema"]
    rows: dict[str, Any] = {
        "schema": schema.get("name") or "",
        "schema version": schema.get("version"),
    }
    rows |= {"articles": found.articles, "level of intervals": found.read["level"]}
    rows["left out in the second set of scores"] = list(found.without)
    own = {key: one for key, one in found.settings.items() if key not in ("level", "without")}
    asked = own.pop("asked", None) or {}
    rows |= own | {f"asked: {key}": one for key, one in asked.items()}
    return Table(
        name,
        "What the numbers of this page were scored with.",
        ("setting", "value"),
        tuple(
            Row((Cell(key.replace("_", " ")), Cell(_shown(value))))
            for key, value in rows.items()
            if value is not None
        ),
        signature=found.signature,
    )


def _shown(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(_shown(one) for one in value) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{one_line(str(key))}: {_shown(one)}" for key, one in value.items())
    if isinstance(value, bool):
        return one_line(json.dumps(value, ensure_ascii=False))
    return one_line(f"{value:g}" if isinstance(value, float) else str(value))
