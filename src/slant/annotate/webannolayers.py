"""The layers of a WebAnno TSV file: which columns hold what, and how values are written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from slant.annotate.standoff import Place
from slant.annotate.webannowriting import NAMED

CATEGORY = ("bias", "category", "label", "value")
"""Names of the feature that holds the category; the first that a layer has is taken."""
OTHERS: Mapping[str, tuple[str, ...]] = {
    "confidence": ("confidence",),
    "note": ("note", "comment"),
    "group": ("trigger", "group"),
}
_OWN = "webanno.custom."
_ESCAPE = re.compile(r"\\(->|[\\\[\]|_;tn*])")
_TEXT_ESCAPE = re.compile(r"\\([\\tnfrb\x00-\x07\x0e-\x1f])", re.DOTALL)
_SIGNS = {escape[1]: sign for sign, escape in NAMED.items()}
_VALUE = re.compile(r"(?:[^\\|]|\\.)*", re.DOTALL)
_NUMBERED = re.compile(r"(.*?)\[([0-9]+)\]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Columns:
    """Where in a row the layer stands.

    Fields:
        width: columns after the token.
        features: of the layer: category, confidence, note, group -> column.
        references: columns that name the source of a relation between two annotations of the layer.
        left: layers and features that are left aside.
    """

    width: int
    features: Mapping[str, int]
    references: tuple[int, ...]
    left: Mapping[str, int]


def columns_of(header: Sequence[str], place: Place) -> Columns:
    """The columns that the header declares.

    Raises:
        DataError: span layers of the project's own, none or several of which have a feature that
            can hold the category.
    """
    layers: list[tuple[str, str, list[str], int]] = []
    width = 0
    for line in header:
        kind, sign, rest = line.partition("=")
        names = [name for name in rest.split("|") if name]
        if kind not in {"#T_SP", "#T_CH", "#T_RL"} or not sign or not names:
            raise place.fault(f"declares no layer: {line[:60]!r}", "Export the file again")
        layers.append((kind, names[0], names[1:], width))
        width += max(len(names) - 1, 1)
    fitting = [one for one in layers if one[0] == "#T_SP" and set(one[2]) & set(CATEGORY)]
    # Layers of one's own come before those that every project has.
    own = [one for one in fitting if one[1].startswith(_OWN)] or fitting
    chosen = [one for one in own if CATEGORY[0] in one[2]] or own
    # INCEpTION declares only layers in use: a document without triggers has none.
    unused = not chosen and not any(one[0] == "#T_SP" and one[1].startswith(_OWN) for one in layers)
    if unused:
        return Columns(width, {}, (), Counter(f"layers '{one[1]}'" for one in layers))
    if len(chosen) != 1:
        names_found = ", ".join(one[1] for one in chosen or layers)
        raise place.fault(
            f"has {len(chosen) or 'no'} span layers with a feature that can be the category "
            f"(layers: {names_found})",
            f"Name the feature of one layer {CATEGORY[0]}; known are {', '.join(CATEGORY)}",
        )
    _, name, features, first = chosen[0]
    left: Counter[str] = Counter()
    found = {"category": first + features.index(_first(CATEGORY, features) or "")}
    for what, known in OTHERS.items():
        feature = _first(known, features)
        if feature is not None:
            found[what] = first + features.index(feature)
    for n, feature in enumerate(features):
        if first + n not in found.values():
            left[f"features '{feature}' of the layer"] += 1
    references = []
    for kind, other, names, start in layers:
        if kind == "#T_RL" and names and names[-1] == f"BT_{name}":
            references.append(start + len(names) - 1)
        elif other != name:
            left[f"layers '{other}'"] += 1
    return Columns(width, found, tuple(references), left)


def _first(names: Sequence[str], features: Sequence[str]) -> str | None:
    return next((name for name in names if name in features), None)


def stacked(
    cells: Sequence[str], columns: Columns, unit: str, place: Place
) -> Iterator[tuple[str, dict[str, str | None]]]:
    """The annotations of the layer in one row.

    Yields:
        A key, the same for all rows of one annotation, and its values; "*" is None.
    """
    if not columns.features or cells[columns.features["category"]] == "_":
        return
    held = {what: values_of(cells[at]) for what, at in columns.features.items()}
    count = len(held["category"])
    for what, values in held.items():
        if len(values) != count:
            found = f"has {count} categories and {len(values)} values of {what}"
            raise place.fault(found, "Export the file again")
    for n in range(count):
        number = held["category"][n][1]
        values_here: dict[str, str | None] = {
            "confidence": None, "note": None, "group": None,
            **{what: values[n][0] for what, values in held.items()},
        }  # fmt: skip
        yield (f"[{number}]" if number is not None else f"{unit}/{n}"), values_here


def values_of(cell: str) -> list[tuple[str | None, str | None]]:
    """The stacked values of a cell, each with its disambiguation id.

    >>> values_of("PER[1]|a\\\\_b"), values_of("*[2]"), values_of("_")
    ([('PER', '1'), ('a_b', None)], [(None, '2')], [])
    """
    if cell == "_":
        return []
    found: list[tuple[str | None, str | None]] = []
    at = 0
    while at <= len(cell):
        piece = _VALUE.match(cell, at)
        raw = piece[0] if piece else ""
        numbered = None if raw.endswith("\\]") else _NUMBERED.fullmatch(raw)
        value, number = (numbered[1], numbered[2]) if numbered else (raw, None)
        found.append((None if value == "*" else unescaped_value(value), number))
        at += len(raw) + 1
    return found


def unescaped_value(value: str) -> str:
    """A feature value as it was before `escaped_value`."""
    return _ESCAPE.sub(lambda found: _SIGNS.get(found[1], found[1]), value)


def unescaped_text(text: str) -> str:
    """A line of text as it was before `escaped_text`."""
    return _TEXT_ESCAPE.sub(lambda found: _SIGNS.get(found[1], found[1]), text)
