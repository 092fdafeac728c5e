"""The facts of a user's own data set as the text of a card."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

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


def _value(value: Any) -> str:
    # JSON's strings, lists, numbers and booleans are TOML's too, but for the one character 0x7f.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
