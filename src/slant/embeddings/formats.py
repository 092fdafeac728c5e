"""Files of word vectors: word2vec text with and without header, and word2vec binary."""

from __future__ import annotations

import gzip
import struct
import warnings
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Literal, cast

import numpy as np
from numpy.typing import NDArray

from slant.errors import DataError

Format = Literal["text", "binary", "fasttext", "gensim"]
Table = tuple[list[str], NDArray[np.float32]]
"""Words, and their vectors (words, dimensions)."""

FASTTEXT_MAGIC = struct.pack("<i", 793712314)
HEAD = 1 << 16
BLOCK = 2048
CHUNK = 1 << 22
LONGEST_WORD = 1 << 12
LONGEST_LINE = 1 << 24
WIDEST = 1 << 20
DIGITS = 15
"""Of a number of words or dimensions that a header can say."""
LARGEST = float(np.finfo(np.float32).max)
KNOWN = (
    "Give word2vec text or binary, GloVe text, a .kv of gensim or a .bin of fastText, unpacked "
    "or packed by gzip"
)


def format_of(path: Path) -> Format:
    """Which format a file of vectors has, told by its first bytes.

    Raises:
        DataError: it is absent, empty, or of no known format.
    """
    asked = f"Reading the vectors '{path}'"
    if path.is_dir():
        do = "Give the files in it, such as the 0.bin that `slant embed train` wrote"
        raise DataError(asked, "it is a folder", do)
    with _opened(path) as file:
        head = _read(file, HEAD, path)
    if not head:
        raise DataError(asked, "it is empty", KNOWN)
    if head[:4] == FASTTEXT_MAGIC or _is_first_fasttext(head):
        return "fasttext"
    if head[:1] == b"\x80" and head[1:2] in (b"\2", b"\3", b"\4", b"\5"):
        return "gensim"
    first, _, rest = head.partition(b"\n")
    shape = _header(first)
    line = first if shape is None else rest.partition(b"\n")[0]
    if _is_row(line, None if shape is None else shape[1]):
        return "text"
    if shape is not None:
        if not rest:
            return "text"
        # Text whose first row is damaged is still text: its reader names the line.
        printable = sum(byte >= 32 or byte in b"\t\r\n" for byte in rest[:200]) == len(rest[:200])
        return "text" if printable else "binary"
    raise DataError(asked, "line 1 is neither a header nor a word with its numbers", KNOWN)


def read_text(path: Path, keep: frozenset[str] | None) -> Table:
    """Word vectors from text: a word and its numbers on each line, separated by single blanks.

    Args:
        path: the file; a first line of two whole numbers is its header: words and dimensions.
        keep: in lower case, the words that are kept in any capitalisation; None: all.

    Raises:
        DataError: naming the line that has another number of columns, a number that is none or not
            finite, a word that stood before, or bytes that are not UTF-8.
    """
    words: list[str] = []
    seen: set[str] = set()
    blocks: list[NDArray[np.float32]] = []
    block: list[tuple[int, bytes]] = []
    with _opened(path) as file:
        lines = _lines(file, path)
        number, line = next(lines)
        shape = _header(line)
        width = shape[1] if shape else line.count(b" ")
        rows = 0
        if shape is None:
            lines = _put_back((number, line), lines)
        for number, line in lines:
            rows += 1
            name, _, numbers = line.partition(b" ")
            if numbers.count(b" ") != width - 1:
                name, numbers = _split_from_right(path, number, line, width)
            word = _decoded(path, f"line {number}", name)
            if keep is not None and word.lower() not in keep:
                continue
            if word in seen:
                raise _bad(path, f"line {number} has the word '{word}' a second time")
            seen.add(word)
            words.append(word)
            block.append((number, numbers))
            if len(block) == BLOCK:
                blocks.append(_parsed(path, block, width))
                block = []
    if shape is not None and rows != shape[0]:
        found = f"its header says {shape[0]} words, and {rows} lines follow"
        raise _bad(path, found if rows > shape[0] else f"it ends at line {rows + 1}: {found}")
    if not rows:
        raise _bad(path, "it has no word")
    blocks.append(_parsed(path, block, width))
    return words, np.concatenate(blocks)


def read_binary(path: Path, keep: frozenset[str] | None) -> Table:
    """Word vectors from word2vec binary: a header line, then word, blank and float32 numbers.

    Args:
        path: the file.
        keep: in lower case, the words that are kept in any capitalisation; None: all.

    Raises:
        DataError: naming the word at which the file ends, or that is damaged or stands twice.
    """
    words: list[str] = []
    seen: set[str] = set()
    vectors: list[NDArray[np.float32]] = []
    with _opened(path) as file:
        shape = _header(_read_line(file, path))
        if shape is None:
            raise _bad(path, "line 1 is no header of two numbers")
        count, width = shape
        if width > WIDEST:
            raise _bad(path, f"its header says {width:,} dimensions, more than {WIDEST:,}")
        if not count:
            raise _bad(path, "it has no word")
        for number, (name, vector) in enumerate(_records(file, path, count, width), 1):
            word = _decoded(path, f"word {number}", name)
            if keep is not None and word.lower() not in keep:
                continue
            if word in seen:
                raise _bad(path, f"word {number}, '{word}', stands a second time")
            if not np.isfinite(vector).all():
                raise _bad(path, f"word {number}, '{word}', has a number that is not finite")
            seen.add(word)
            words.append(word)
            vectors.append(vector)
    return words, np.array(vectors, np.float32).reshape(len(words), width)


def _records(
    file: IO[bytes], path: Path, count: int, width: int
) -> Iterator[tuple[bytes, NDArray[np.float32]]]:
    buffer, place, size = b"", 0, 4 * width
    for number in range(1, count + 1):
        end = buffer.find(b" ", place)
        while end < 0 or end + 1 + size > len(buffer):
            if end < 0 and len(buffer) - place > LONGEST_WORD:
                raise _bad(path, f"word {number} is longer than {LONGEST_WORD} bytes")
            # In pieces: a header may say any width.
            more = _read(file, CHUNK, path)
            if not more:
                raise _bad(path, f"it ends within word {number} of the {count} of its header")
            buffer, place = buffer[place:] + more, 0
            end = buffer.find(b" ")
        name = buffer[place:end].lstrip(b"\n")
        if not name or len(name) > LONGEST_WORD:
            raise _bad(path, f"word {number} is empty or longer than {LONGEST_WORD} bytes")
        yield name, np.frombuffer(buffer, "<f4", width, end + 1).astype(np.float32)
        place = end + 1 + size
    if (buffer[place:] + _read(file, HEAD, path)).strip(b"\n"):
        raise _bad(path, f"more follows after the {count} words of its header")


def _opened(path: Path) -> IO[bytes]:
    try:
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        return cast("IO[bytes]", gzip.open(path)) if packed else path.open("rb")
    except OSError as error:
        found = "there is no such file" if isinstance(error, FileNotFoundError) else str(error)
        raise DataError(f"Reading the vectors '{path}'", found, "Check the path") from None


def _read(file: IO[bytes], size: int, path: Path) -> bytes:
    try:
        return file.read(size)
    except (OSError, EOFError, zlib.error) as error:
        raise _bad(path, f"it cannot be unpacked or read ({error})") from None


def _read_line(file: IO[bytes], path: Path) -> bytes:
    try:
        return file.readline(HEAD)
    except (OSError, EOFError, zlib.error) as error:
        raise _bad(path, f"it cannot be unpacked or read ({error})") from None


def _lines(file: IO[bytes], path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        number = 0
        while line := file.readline(LONGEST_LINE):
            number += 1
            if len(line) == LONGEST_LINE:
                raise _bad(path, f"line {number} has more than {LONGEST_LINE:,} bytes")
            yield number, line.rstrip(b" \r\n")
    except (OSError, EOFError, zlib.error) as error:
        raise _bad(path, f"it cannot be unpacked or read ({error})") from None


def _put_back(
    first: tuple[int, bytes], rest: Iterator[tuple[int, bytes]]
) -> Iterator[tuple[int, bytes]]:
    yield first
    yield from rest


def _header(line: bytes) -> tuple[int, int] | None:
    parts = line.split()
    if len(parts) != 2 or not all(part.isdigit() and len(part) <= DIGITS for part in parts):
        return None
    count, width = int(parts[0]), int(parts[1])
    return (count, width) if width > 0 else None


def _is_first_fasttext(head: bytes) -> bool:
    """Whether a file is of fastText before its format had a number: its parameters come first."""
    if len(head) < 56:
        return False
    dim, ws, epoch, _, _, grams, loss, model, _, minn, maxn, _ = struct.unpack("<12i", head[:48])
    small = all(0 <= one < 1 << 16 for one in (dim, ws, epoch, grams, minn, maxn))
    return small and dim > 0 and loss in (1, 2, 3) and model in (1, 2, 3)


def _is_row(line: bytes, width: int | None) -> bool:
    numbers = line.split()[1:]
    if len(numbers) < 2 if width is None else len(numbers) < width:
        return False
    return all(_is_number(one) for one in numbers[-(width or len(numbers)) :])


def _is_number(text: bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _split_from_right(path: Path, number: int, line: bytes, width: int) -> tuple[bytes, bytes]:
    """Word and numbers of a line whose word holds blanks, as some words of GloVe 840B do."""
    parts = line.split(b" ")
    name = parts[: len(parts) - width]
    if not name or any(_is_number(part) for part in name[1:]) or b"" in parts:
        found = f"line {number} has {len(parts) - 1} numbers where {width} are due"
        raise _bad(path, found if line else f"line {number} is empty")
    return b" ".join(name), b" ".join(parts[len(name) :])


def _parsed(path: Path, block: list[tuple[int, bytes]], width: int) -> NDArray[np.float32]:
    text = b" ".join(numbers for _, numbers in block)
    with warnings.catch_warnings():
        # numpy stops at what is no number, and says so in a warning only.
        warnings.simplefilter("error", DeprecationWarning)
        try:
            made = np.fromstring(text, np.float32, sep=" ").reshape(len(block), width)
        except (ValueError, DeprecationWarning):
            made = np.full((1, 1), np.nan, np.float32)
    if np.isfinite(made).all():
        return made
    for number, numbers in block:
        for column, text in enumerate(numbers.split(b" "), 2):
            if not _is_number(text) or not abs(float(text)) <= LARGEST:
                shown = text[:40].decode("utf-8", "replace")
                raise _bad(
                    path, f"line {number} has '{shown}' in column {column}, no finite number"
                )
    raise _bad(path, f"lines {block[0][0]} to {block[-1][0]} are not rows of {width} numbers")


def _decoded(path: Path, where: str, name: bytes) -> str:
    try:
        word = name.decode("utf-8")
    except UnicodeDecodeError:
        raise _bad(path, f"the word of {where} is not UTF-8") from None
    if not word:
        raise _bad(path, f"{where} has no word")
    return word


def _bad(path: Path, found: str) -> DataError:
    return DataError(f"Reading the vectors '{path}'", found, "Take the file from its source again")
