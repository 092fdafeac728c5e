"""Contents that hypothesis draws: documents of JSON, lines, tables, text and bytes, by one seed."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

TEXT = st.text(st.characters(exclude_categories=[]), max_size=40)
WORDS = st.sampled_from(
    ["id", "text", "label", "labels", "triggers", "spans", "start", "end", "bias", "seeds", "kind",
     "settings", "systems", "name", "data", "content", "probability", "article", "raw", "pages"]
)  # fmt: skip
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | TEXT
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | TEXT, inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(WORDS, VALUES, max_size=6)


def _line(value: Any) -> bytes:
    return json.dumps(value).encode()


def _table(rows: list[list[str]]) -> bytes:
    text = "\n".join(",".join(row) for row in rows)
    return text.encode("utf-8", "replace")


CONTENTS = st.one_of(
    VALUES.map(_line),
    OBJECTS.map(_line),
    st.lists(OBJECTS, max_size=4).map(lambda rows: b"\n".join(map(_line, rows))),
    st.lists(st.lists(WORDS | TEXT, min_size=1, max_size=4), max_size=5).map(_table),
    TEXT.map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.binary(max_size=200),
)
"""Whole contents of a file."""


def drawn_contents(number: int, by: int) -> list[bytes]:
    """So many contents, the same for the same seed."""
    found: list[bytes] = []

    @seed(by)
    @settings(
        max_examples=number,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(CONTENTS)
    def draw(content: bytes) -> None:
        found.append(content)

    draw()
    return found
