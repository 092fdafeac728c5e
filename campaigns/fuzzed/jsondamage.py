"""JSON made unsound where it is still JSON, and where it is not quite."""

from __future__ import annotations

import json
from random import Random
from typing import Any

ODD = (
    "null", "true", "0", "-1", "1.5", "1e999", "NaN", "-Infinity", "1" * 30, "1" * 5000, "[]", "{}",
    '""', '" "', '"\\ud83d"', '"\\u0000"', '"\\u2028"', '"x"', '["x"]', '[["x"]]', '{"x": 1}',
    "[null]", "[1, 2]", "[2, 1]", '{"start": -1, "end": 99999}', '"1"', '"NaN"', "1e400", "-0.0",
    "[" * 1500 + "]" * 1500, '{"a":' * 1500 + "1" + "}" * 1500, '"' + "x" * 20000 + '"',
    '"<script>"', '"../../x"', '"/etc/passwd"', '"a\\r\\nb"', "9223372036854775808", "true, true",
    '1, "id": 2', '"b", "text": "c"', "tru", "'x'", "1,", "/* c */ 1", "0x10", "[1,]", '"\\x"',
)  # fmt: skip
"""Raw text in the place of a value; some is no JSON, some holds a key a second time."""
_HERE = "\u241ahere\u241a"


def damaged_json(content: bytes, by: Random) -> bytes:
    """A JSON document with some of its values, keys or items changed."""
    return _damaged(json.loads(content), by).encode("utf-8", "surrogatepass")


def damaged_lines(content: bytes, by: Random) -> bytes:
    """JSON Lines of which one is changed, doubled, gone, blank, or in another's place."""
    lines = content.split(b"\n")
    place = by.randrange(max(len(lines) - 1, 1))
    match by.randrange(8):
        case 0:
            lines.insert(by.randrange(len(lines)), lines[place])
        case 1:
            lines.pop(place)
        case 2:
            lines.insert(place, b"")
        case 3:
            other = by.randrange(len(lines))
            lines[place], lines[other] = lines[other], lines[place]
        case _:
            try:
                lines[place] = damaged_json(lines[place], by)
            except ValueError:
                lines[place] = by.choice(ODD).encode()
    return b"\n".join(lines)


def _damaged(value: Any, by: Random) -> str:
    raws: list[str] = []
    for _ in range(by.choice([1, 1, 1, 2, 3])):
        value = _changed(value, by, raws)
    text = json.dumps(value, ensure_ascii=by.random() < 0.5)
    for raw in raws:
        text = text.replace(f'"{_HERE}"', raw, 1).replace(json.dumps(_HERE), raw, 1)
    return text


def _changed(value: Any, by: Random, raws: list[str]) -> Any:
    """The value with one place changed, reached by a walk from the root."""
    inside = isinstance(value, dict | list) and len(value) > 0
    if not inside or by.random() < 0.12:
        raws.append(by.choice(ODD))
        return _HERE
    if isinstance(value, list):
        made = list(value)
        place = by.randrange(len(made))
        match by.randrange(8):
            case 0:
                made.insert(place, made[place])
            case 1:
                made.pop(place)
            case 2:
                by.shuffle(made)
            case _:
                made[place] = _changed(made[place], by, raws)
        return made
    key = by.choice(list(value))
    match by.randrange(8):
        case 0:
            return {own: one for own, one in value.items() if own != key}
        case 1:
            other = by.choice(["", "x", f"{key} ", key.upper(), "a\0b", "\ud83d"])
            return {(other if own == key else own): one for own, one in value.items()}
        case 2:
            other = by.choice(list(value))
            return {**value, key: value[other], other: value[key]}
        case _:
            return {**value, key: _changed(value[key], by, raws)}
