"""The facts of a user's own data set as the text of a card."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from slant.data.cards import PRESETS


def card_text(facts: Mapping[str, Any], pattern: Mapping[str, Any]) -> str:
    """A card in TOML, with one form of one file.

    Args:
        facts: of the card; `rows_paper` and `rows_official` are tables.
        pattern: of the file.

    Returns:
        TOML that `cards.validated_card` takes once it is read.
    """
    flat = {key: value for key, value in facts.items() if not isinstance(value, dict)}
    lines = [f"{key} = {_value(value)}" for key, value in flat.items()]
    for key in ("rows_paper", "rows_official"):
        lines += ["", f"[{key}]", *(f"{_value(k)} = {v}" for k, v in facts[key].items())]
    lines += ["", "[[forms]]", 'name = "added"', f"presets = {_value(list(PRESETS))}"]
    lines += ["[[forms.files]]", *(f"{key} = {_value(v)}" for key, v in pattern.items())]
    return "\n".join(lines) + "\n"


def added_facts(
    table: pl.DataFrame, *, name: str, file: Path, tasks: Sequence[str], licence: str
) -> dict[str, Any]:
    """What the card of a user's own data set holds, for `card_text`.

    Args:
        table: its records, with `label` and `source_label`.
        name, file, tasks, licence: as in `added.add_dataset`.
    """
    labels = table["label"].to_list()
    ones = sum(labels)
    single = ones in (0, len(labels))
    kinds = sorted(set(table["source_label"].to_list()))
    shown = ", ".join(kinds[:10]) + (f" and {len(kinds) - 10} more" if len(kinds) > 10 else "")
    biased = sorted({s for s, y in zip(table["source_label"], labels, strict=True) if y})
    return {
        "number": name,
        "name": name,
        "short": name,
        "folder": name,
        "language": "not stated",
        "licence": licence,
        "redistributable": False,
        "access": "public",
        "how_to_get": f"It was added from a file of yours, {file.name}.",
        "feature_level": "text",
        "feature_source": file.name,
        "label_categories": shown,
        "label_source": "your own",
        "one_class": list(PRESETS) if single else [],
        "rule_official": f"1 if the label is {' or '.join(biased[:10]) or 'none of these'}, else 0",
        "rule_clean": "The same.",
        "quirks": ["All rows have the same label."] if single else [],
        "why_rows_differ": [],
        "tasks": list(tasks),
        "rows_paper": {},
        "rows_official": {"total": len(labels), "0": len(labels) - ones, "1": ones},
    }


def _value(value: Any) -> str:
    # JSON's strings, lists, numbers and booleans are TOML's too, but for the one character 0x7f.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
