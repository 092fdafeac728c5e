"""Sound files made unsound by a seed: bytes, characters, packed files and tables."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable, Sequence
from random import Random

from fuzzed.jsondamage import damaged_json, damaged_lines

PIECES = (
    b"<", b">", b'"', b"'", b"\0", b"\xff", b"\xed\xa0\x80", b"{", b"[", b"&", b"<!--", b"<p>",
    b"\r\n", b"\r", b"\n\n", b"9" * 30, b"1e999", b"NaN", b"-1", b"]]>", b"<script>", b"\\ud800",
    b"\xe2\x80\xae\xf0\x9f\x99\x82", b"<!ENTITY a 'b'>", b"Content-Length: 7\r\n", b",", b"\t",
    b"\\", b"\x1a", b"\xc2\x85", b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"%s", b"{{x}}", b"../../x",
)  # fmt: skip
CELLS = (
    "", " ", "NaN", "nan", "None", "-1", "1e999", "9" * 400, "0.5.5", "\0", "\u2028", "\ud7ff",
    "x" * 5000, "[", "[[1, 2]]", "['a'", '["a", 1]', "{}", "=1+1", "\U0001f642", "a\u0301", "true",
    "[" * 3000, "\ufeff", "(1, 2)", "[1e999]", "[-5, 7]", "1_000", "\u0661", "infinity",
)  # fmt: skip
BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE z [<!ENTITY a "aaaaaaaaaa">'
    + b"".join(b'<!ENTITY %c "%s">' % (c, b"&%c;" % (c - 1) * 10) for c in b"bcdefghij")
    + b"]><z>&j;</z>"
)


def damaged(content: bytes, by: Random, drawn: Sequence[bytes] = ()) -> bytes:
    """The bytes of a file, damaged in one of the ways that suit what they hold.

    Args:
        content: of a file that can be read.
        by: every choice.
        drawn: whole contents made elsewhere, one of which may stand in its place.
    """
    chance = by.random()
    if chance < 0.06:
        return by.choice(WHOLE)(content, by)
    if drawn and chance < 0.16:
        return by.choice(drawn)
    if chance < 0.55:
        for fits, way in STRUCTURES:
            if fits(content):
                return way(content, by)
    return damaged_bytes(content, by)


def damaged_bytes(content: bytes, by: Random) -> bytes:
    """Bytes changed, cut, doubled and put in at some places."""
    made = bytearray(content)
    for _ in range(by.choice([1, 1, 1, 2, 5, 20])):
        place = by.randrange(len(made) or 1)
        match by.randrange(7):
            case 0:
                made[place : place + 1] = bytes([by.randrange(256)])
            case 1:
                del made[place : place + by.randrange(1, 50)]
            case 2:
                made[place:place] = by.randbytes(by.randrange(1, 20))
            case 3:
                del made[place:]
            case 4:
                start = by.randrange(len(made) or 1)
                made[place:place] = made[start : start + 200]
            case 5 if made:
                made[place] ^= 1 << by.randrange(8)
            case _:
                made[place:place] = by.choice(PIECES)
    return bytes(made)


def _as_utf16(content: bytes, by: Random) -> bytes:
    return content.decode("utf-8", "replace").encode(by.choice(["utf-16", "utf-16-le"]))


def _with_surrogates(content: bytes, by: Random) -> bytes:
    text = content.decode("utf-8", "replace")
    place = by.randrange(len(text) + 1)
    return (text[:place] + "\ud83d" + text[place:]).encode("utf-8", "surrogatepass")


WHOLE: tuple[Callable[[bytes, Random], bytes], ...] = (
    lambda content, by: b"",
    lambda content, by: by.choice([b" ", b"\n", b"\r\n\r\n", b"\0", b"\0" * 5000, b"\xef\xbb\xbf"]),
    lambda content, by: b"\xef\xbb\xbf" + content,
    _as_utf16,
    _with_surrogates,
    lambda content, by: content.replace(b"\n", b"\r\n"),
    lambda content, by: content.replace(b"\n", b"\r"),
    lambda content, by: content.decode("utf-8", "replace").encode("latin-1", "replace"),
    lambda content, by: content + content,
    lambda content, by: gzip.compress(content, mtime=0),
    lambda content, by: by.randbytes(by.randrange(1, 3000)),
    lambda content, by: b"[" * 50_000,
    lambda content, by: b'{"a":' * 50_000,
    lambda content, by: BOMB,
    lambda content, by: content[: by.randrange(len(content) or 1)],
)
"""Ways that leave no part of the file as it was."""


def damaged_table(content: bytes, by: Random, mark: str = "") -> bytes:
    """Separated values with cells, rows and names that are not as they should be."""
    text = content.decode("utf-8", "replace")
    head = text.partition("\n")[0]
    mark = mark or max(",\t;", key=head.count)
    rows = [line.split(mark) for line in text.split("\n")]
    for _ in range(by.choice([1, 1, 2, 4])):
        row = by.choice(rows)
        place = by.randrange(len(row))
        match by.randrange(8):
            case 0 | 1 | 2:
                row[place] = by.choice(CELLS)
            case 3:
                other = by.randrange(len(row))
                row[place], row[other] = row[other], row[place]
            case 4:
                del row[place]
                if not row:
                    row.append("")
            case 5:
                row.insert(place, by.choice(CELLS))
            case 6:
                rows.insert(by.randrange(len(rows)), list(row))
            case _:
                row[place] = f'"{by.choice(CELLS)}\n{mark}""{row[place]}"'
    return "\n".join(mark.join(row) for row in rows).encode("utf-8", "replace")


def _damaged_parquet(content: bytes, by: Random) -> bytes:
    import polars as pl

    odd: list[Callable[[str], pl.Expr]] = [
        lambda name: pl.lit(None).alias(name),
        lambda name: pl.lit(1.5).alias(name),
        lambda name: pl.lit(float("nan")).alias(name),
        lambda name: pl.lit(-(2**62)).alias(name),
        lambda name: pl.lit(b"\xff").alias(name),
        lambda name: pl.lit(True).alias(name),
        lambda name: pl.concat_list(pl.lit(1), pl.lit(2)).alias(name),
        lambda name: pl.struct(pl.lit(1).alias("x")).alias(name),
        lambda name: pl.lit(by.choice(CELLS)).alias(name),
        lambda name: pl.lit("a").cast(pl.Categorical).alias(name),
        lambda name: pl.date(2020, 1, 1).alias(name),
    ]
    table = pl.read_parquet(io.BytesIO(content))
    name = by.choice(table.columns)
    match by.randrange(6):
        case 0:
            table = table.drop(name)
        case 1:
            table = table.rename({name: by.choice(["", "x", f"{name} ", name.upper() + "_"])})
        case 2:
            table = table.head(by.choice([0, 1]))
        case 3:
            table = pl.concat([table, table])
        case _:
            table = table.with_columns(by.choice(odd)(name))
    out = io.BytesIO()
    table.write_parquet(out)
    return out.getvalue()


def _damaged_zip(content: bytes, by: Random) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            parts = {name: packed.read(name) for name in packed.namelist()}
    except (zipfile.BadZipFile, OSError, ValueError):
        return damaged_bytes(content, by)
    name = by.choice(sorted(parts))
    parts[name] = damaged(parts[name], by)
    if by.random() < 0.1:
        del parts[name]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for own, part in parts.items():
            packed.writestr(own, part)
    return out.getvalue()


def damaged_markup(content: bytes, by: Random) -> bytes:
    """Elements and attributes that are doubled, unclosed, emptied or nested without end."""
    parts = content.split(b"<")
    for _ in range(by.choice([1, 1, 2, 4])):
        place = by.randrange(len(parts))
        part = parts[place]
        match by.randrange(8):
            case 0:
                parts.insert(place, part)
            case 1:
                parts.pop(place)
                parts = parts or [b""]
            case 2:
                parts[place] = part.partition(b">")[0] + b">"
            case 3:
                tag, _, text = part.partition(b">")
                parts[place] = tag + b">" + by.choice(CELLS).encode("utf-8", "replace") + text
            case 4:
                parts[place] = part.replace(b'="', b'="' + by.choice(PIECES), 1)
            case 5:
                parts[place] = (part.partition(b">")[0] + b"><") * 2000 + part
            case 6:
                other = by.randrange(len(parts))
                parts[place], parts[other] = parts[other], parts[place]
            case _:
                parts[place] = b"!DOCTYPE a [<!ENTITY b 'c'>]>&b;<" + part
    return b"<".join(parts)


def _is_json(content: bytes) -> bool:
    if content.lstrip()[:1] not in (b"{", b"["):
        return False
    try:
        json.loads(content)
    except (ValueError, RecursionError):
        return False
    return True


def _is_lines(content: bytes) -> bool:
    return content[:1] == b"{" and _is_json(content.partition(b"\n")[0])


def _is_table(content: bytes) -> bool:
    head = content.partition(b"\n")[0]
    return b"\0" not in content[:2000] and any(head.count(mark) for mark in (b",", b"\t", b";"))


STRUCTURES: tuple[tuple[Callable[[bytes], bool], Callable[[bytes, Random], bytes]], ...] = (
    (lambda content: content[:4] == b"PAR1", _damaged_parquet),
    (lambda content: content[:2] == b"PK", _damaged_zip),
    (
        lambda content: content[:2] == b"\x1f\x8b",
        lambda content, by: gzip.compress(damaged(gzip.decompress(content), by), mtime=0),
    ),
    (_is_json, damaged_json),
    (_is_lines, damaged_lines),
    (lambda content: content.lstrip()[:1] == b"<", damaged_markup),
    (_is_table, damaged_table),
)
"""What a content may be, and the way that knows how it is built."""
