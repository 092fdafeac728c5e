"""A run on disk: run.json, cells, scores.json; written whole or not at all."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slant.data.jsonvalues import HALF_A_PAIR, has_half_a_pair, json_value
from slant.data.locks import take
from slant.data.sums import is_altered, note_sum
from slant.data.writing import intact, replacing, sealed, write_failed
from slant.errors import RunError
from slant.runs.parts import Part
from slant.types import Prediction

if TYPE_CHECKING:
    import polars as pl

CELL_COLUMNS = ("id", "biased", "probability", "raw", "fault")


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write a JSON document atomically, keys in the given order, numbers unrounded; its sum is
    kept beside it."""
    with replacing(path) as temporary:
        temporary.write_text(
            json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n", "utf-8"
        )
        note_sum(path, temporary)


def read_json(path: Path, what: str) -> dict[str, Any]:
    """Read one of a run's JSON documents.

    Args:
        path: the file.
        what: its role, for the error.

    Returns:
        Its object.

    Raises:
        RunError: absent, not JSON, or other bytes than were written.
    """
    asked = f"Reading {what} '{path}'"
    try:
        data = path.read_bytes()
        content = json_value(data.decode("utf-8"))
    except FileNotFoundError:
        raise RunError(
            asked,
            "there is no such file",
            "Give the directory of a run (`slant run ... --out DIR`)",
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise RunError(asked, f"it cannot be read ({error})", "Check the path") from None
    except json.JSONDecodeError as error:
        raise RunError(
            asked,
            f"it is not JSON (line {error.lineno}: {error.msg})",
            "Run the same command again with --fresh",
        ) from None
    if not isinstance(content, dict):
        raise RunError(asked, "it holds no JSON object", "Run the same command again with --fresh")
    if b"\\ud" in data.lower() and has_half_a_pair(content):
        found = f"it holds {HALF_A_PAIR}"
        raise RunError(asked, found, "Run the same command again with --fresh")
    if is_altered(path, data):
        raise RunError(asked, ALTERED, "Run the same command again with --fresh")
    return content


def check_sums(folder: Path, do: str, without: Sequence[str] = ()) -> None:
    """Refuse a folder in which a file is not as it was written.

    Args:
        folder: whose own files and those of its folders are held against the sums kept of them.
        do: what makes them again.
        without: names of files that are not looked at.

    Raises:
        RunError: naming the file.
    """
    for kept in sorted(folder.rglob(".*.sum")):
        path = kept.with_name(kept.name.removeprefix(".").removesuffix(".sum"))
        if path.name in without:
            continue
        try:
            if is_altered(path):
                raise RunError(f"Reading '{path}'", ALTERED, do)
        except FileNotFoundError:
            continue
        except OSError as error:
            found = f"it cannot be read ({error.strerror or error})"
            raise RunError(f"Reading '{path}'", found, do) from None


ALTERED = "its bytes are not those that were written"


@contextmanager
def only_writer(folder: Path, part: Part | None = None) -> Iterator[Callable[[], None]]:
    """Hold a run directory for this process; a second process is refused, but for another part.

    A directory that was made here, and in which an error left nothing, is taken away.

    Args:
        folder: the run directory, made if absent.
        part: what this process does of the work; None: all of it.

    Yields:
        A function to call once what all parts share is written: until then further ones wait.

    Raises:
        RunError: another process holds it. WorkFailed: it cannot be made.
    """
    from filelock import FileLock, Timeout

    made = [one for one in (folder, *folder.parents) if not one.exists()]
    held = FileLock(folder / (".lock" if part is None else _part_lock(part)), timeout=LOOKED_AT)
    entrance = FileLock(folder / ".entrance.lock", timeout=ENTERING)
    try:
        take(held)
        take(entrance)
    except Timeout:
        held.release()
        raise _held(folder, "another process is writing to it", part) from None
    except OSError as error:
        held.release()
        raise write_failed(folder, error) from error
    try:
        _check_beside(folder, part)
        if part is None:
            entrance.release()
        yield entrance.release
    except BaseException:
        entrance.release()
        held.release()
        _remove_unused(folder, made)
        raise
    finally:
        entrance.release()
        held.release()


def _remove_unused(folder: Path, made: Sequence[Path]) -> None:
    """Take away the folders that were made, the innermost first, where they hold locks alone."""
    # Windows lets nobody take away a lock that is held: then the folder stays.
    with suppress(OSError):
        inside = list(folder.iterdir())
        if folder not in made or any(not path.name.endswith(".lock") for path in inside):
            return
        for path in inside:
            path.unlink(missing_ok=True)
        for one in made:
            one.rmdir()


LOOKED_AT = 1.0
"""Seconds; as long as another process may hold a lock just to see whether it is free."""
ENTERING = 120.0


def _part_lock(part: Part) -> str:
    return f".part-{part.number}-of-{part.of}.lock"


def _check_beside(folder: Path, part: Part | None) -> None:
    """Refuse a part beside a whole or beside parts of another number, a whole beside a part."""
    from filelock import FileLock, Timeout

    own = ".lock" if part is None else _part_lock(part)
    for path in folder.glob(".*lock"):
        fitting = part is not None and path.name.endswith(f"-of-{part.of}.lock")
        if path.name in (own, ".entrance.lock") or fitting:
            continue
        lock = FileLock(path, timeout=0)
        try:
            lock.acquire()
        except Timeout:
            raise _held(folder, f"another process holds its '{path.name}'", part) from None
        lock.release()


def _held(folder: Path, found: str, part: Part | None) -> RunError:
    own = "" if part is None else f" for part {part}"
    do = "Wait for it to end, or choose another --out"
    return RunError(f"Writing to the run directory '{folder}'{own}", found, do)


def cell_path(folder: Path, task: str, seed: int, fold: int) -> Path:
    """Where the predictions of one cell lie: cells/TASK/SEED-FOLD.parquet."""
    return folder / "cells" / task / f"{seed}-{fold}.parquet"


def cell_frame(predictions: Sequence[Prediction]) -> pl.DataFrame:
    """Predictions as a cell holds them: id, biased, probability, raw, fault."""
    import polars as pl

    columns: dict[str, list[Any]] = {name: [] for name in CELL_COLUMNS}
    for one in predictions:
        columns["id"].append(one.id)
        columns["biased"].append(None if one.answer is None else one.answer.biased)
        columns["probability"].append(one.probability)
        columns["raw"].append(one.raw)
        columns["fault"].append(one.fault)
    return pl.DataFrame(
        columns,
        schema=dict(
            zip(CELL_COLUMNS, (pl.Utf8, pl.Boolean, pl.Float64, pl.Utf8, pl.Utf8), strict=True)
        ),
    )


def write_cell(path: Path, predictions: Sequence[Prediction]) -> None:
    """Write the predictions of one cell atomically as Parquet (zstd)."""
    sealed(path, partial(cell_frame(predictions).write_parquet, compression="zstd"))


def read_cell(path: Path, ids: Sequence[str]) -> pl.DataFrame | None:
    """The predictions of one cell in the order of `ids`, or None where the file is absent,
    damaged (its checksum tells) or of other items: such a cell is made again."""
    import polars as pl

    content = intact(path)
    if content is None:
        return None
    frame = pl.read_parquet(io.BytesIO(content))
    if tuple(frame.columns) != CELL_COLUMNS or frame["id"].to_list() != list(ids):
        return None
    return frame
