"""A scored run of BAIT -> tables of where predicted spans land, and of surface cues in them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from slant.report.bait import Bait, Category, Read, level_text, models_text
from slant.report.baitnames import articles_text
from slant.report.baitpassages import FATE_WORDS, FATES
from slant.report.sentences import joined
from slant.report.tables import Cell, Row, Table, counted, estimate_text, rounded, score_cell

Landing = Counter[str]
"""Fate -> number of predicted spans."""
Landings = dict[str, dict[str, Landing]]
"""By system's label and by code."""

LANDED = FATES[:4] + FATES[5:]
ALL = "all models"
SHARES = {"with_cue": "spans on unmarked text", "random_with_cue": "random stretches"}
"""Key of a share of stretches with a cue -> of which stretches it is."""
FEW_SPANS = 20
"""Spans on unmarked text below which no share with a cue is given in a sentence."""
GROUPS = {"cued": "biases with a cue", "others": "the other biases"}
_FATES = {"matched": "matched", "unmarked": "on unmarked text",
          "in_articles_without": "in articles without the bias"}  # fmt: skip


def no_landings(found: Bait, shots: int) -> Landings:
    """Where nothing landed yet: by system's label, ALL first; the human reference has none.

    Args:
        found: what was read.
        shots: the number of examples of the models; baselines have one setting.
    """
    labels = [one.label for one in found.of("model") if one.at(shots)]
    labels += [one.label for one in found.of("baseline")]
    return {label: {} for label in (ALL, *labels)}


def add_landing(landed: Landings, found: Bait, line: Read, shots: int) -> None:
    """Adds the predicted spans of a line of the fates to their bias and fate."""
    system = next((one for one in found.systems if one.name == line["system"]), None)
    if not system or system.label not in landed:
        return
    model = system.kind == "model"
    if model and int(line["shots"]) != shots:
        return
    for trigger in line["triggers"]:
        counts = Counter(str(one["fate"]) for one in trigger["spans"])
        counts["unlocated"] += len(trigger["unlocated"])
        for label in (system.label, *([ALL] if model else [])):
            landed[label].setdefault(str(trigger["bias"]), Counter()).update(counts)


def shares_of(landing: Landing) -> dict[str, float]:
    """The shares of LANDED; empty where nothing was predicted.

    >>> shares_of(Counter(matched=1, unmarked=3))["unmarked"]
    0.75
    """
    total = sum(landing.values())
    return {fate: landing[fate] / total for fate in LANDED} if total else {}


def landing_board(found: Bait, landed: Landings, name: str, shots: int) -> Table | None:
    """On what the spans predicted for each bias lie, by system and of all models: figure 5 a."""
    order = {category.code: n for n, category in enumerate(found.categories)}
    rows = [
        Row((Cell(found.category(code).label), *_landing_cells(by_bias[code])), label)
        for label, by_bias in landed.items()
        for code in sorted(by_bias, key=lambda code: order.get(code, len(order)))
        if sum(by_bias[code].values())
    ]
    if not rows:
        return None
    return Table(
        name,
        f"On what the spans predicted for each bias lie, over {articles_text(found.articles)} and "
        f"all runs{models_text(found, shots)}. The share of the row's spans stands behind "
        "each count.",
        ("bias", "predicted", *(FATE_WORDS[FATES.index(fate)] for fate in LANDED)),
        tuple(rows),
        section="system",
        signature=found.signature,
    )


def _landing_cells(landing: Landing) -> tuple[Cell, ...]:
    shares = shares_of(landing)
    counts = (Cell(landing[f], "count", mark=rounded(shares[f])) for f in LANDED)
    return (Cell(sum(landing.values()), "count"), *counts)


def cues_of(found: Bait) -> list[tuple[Category, Read]]:
    """The biases that a model predicted anywhere, with what the cue analysis says of each."""
    read: Read = found.read.get("cues") or {}
    order = {category.code: n for n, category in enumerate(found.categories)}
    codes = sorted(read.get("biases") or {}, key=lambda code: order.get(code, len(order)))
    return [(found.category(code), read["biases"][code]) for code in codes]


def cue_points(found: Bait) -> list[dict[str, Any]]:
    """The points of the figure: the share with a cue of each kind of stretch."""
    return [
        {"bias": category.label, "series": label, **ends}
        for category, one in cues_of(found)
        for key, label in SHARES.items()
        if (ends := _ends(one.get(key)))
    ]


def _ends(estimate: Read | None) -> dict[str, float] | None:
    if not estimate or estimate.get("value") is None:
        return None
    value = float(estimate["value"])
    low, high = estimate.get("low"), estimate.get("high")
    return {
        "value": value,
        "low": value if low is None else float(low),
        "high": value if high is None else float(high),
    }


def cue_board(found: Bait, name: str) -> Table | None:
    """How often predicted spans hold the cue of their bias, and random stretches: figure 5 b."""
    rows = [Row(_cue_cells(category.label, one)) for category, one in cues_of(found)]
    if not rows:
        return None
    read: Read = found.read["cues"]
    groups: Read = read.get("groups") or {}
    rows += [
        Row(_cue_cells(said, groups[key]), control=True)
        for key, said in GROUPS.items()
        if groups.get(key, {}).get("spans")
    ]
    return Table(
        name,
        "Where the spans lie that the models predict for each bias, and how often those on "
        f"unmarked text hold the bias's surface cue, against {counted(int(read['draws']))} random "
        f"stretches of the same length for each, from the same article (seed {read['seed']}). "
        f"Brackets hold {level_text(found)}.",
        ("bias", "predicted", *_FATES.values(), "on unmarked text, number",
         *(f"cue in {kind}" for kind in SHARES.values())),
        tuple(rows),
        notes=(
            "A surface cue is a word list, not a judgement: negative words, terms of authority, "
            "references to the past. Biases without one have none to look for.",
        ),
        signature=found.signature,
    )  # fmt: skip


def _cue_cells(said: str, one: Read) -> tuple[Cell, ...]:
    cued = "misplaced" in one
    return (
        Cell(said),
        Cell(int(one["spans"]), "count"),
        *(score_cell(one.get(key), missing="There is no such span.") for key in _FATES),
        Cell(int(one["misplaced"]), "count") if cued else Cell(""),
        *(score_cell(one.get(key), missing="No span lies on unmarked text.") if cued else Cell("")
          for key in SHARES),
    )  # fmt: skip


def cue_words(found: Bait) -> str:
    """How often predicted spans hold the cue of their bias, in a sentence or two; the second counts
    spans where they are too few for a share."""
    parts, few = [], []
    for category, one in cues_of(found):
        cue, chance = one.get("with_cue"), one.get("random_with_cue")
        if not (cue and chance) or cue.get("value") is None or chance.get("value") is None:
            continue
        spans = int(one["misplaced"])
        if spans < FEW_SPANS:
            few.append(f"{category.label} ({counted(spans)})")
            continue
        having = counted(round(spans * float(cue["value"])))
        parts.append(
            f"{category.label} {estimate_text(cue)} ({having} of {counted(spans)} spans) against "
            f"{estimate_text(chance)}"
        )
    said = []
    if parts:
        said.append(
            "Of the spans predicted on unmarked text, the share that holds the bias's surface cue, "
            f"against random stretches: {joined(parts)}."
        )
    if few:
        said.append(
            f"Fewer than {FEW_SPANS} spans on unmarked text, too few for a share with a surface "
            f"cue: {joined(few)}."
        )
    return " ".join(said)
