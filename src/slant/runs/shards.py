"""A corpus worked off in shards of rows: each leaves one file, all are joined at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slant.data.jsonvalues import json_value
from slant.data.locks import remove_held
from slant.data.streams import Batch, Corpus, merge_parquet
from slant.data.writing import replacing
from slant.errors import RunError
from slant.runs.engine import Progress
from slant.runs.parts import Part, of_part
from slant.runs.store import read_json, write_json
from slant.runs.workers import Workers, worked_off
from slant.types import Array, Floats

ASKED = "asked.json"
KEPT = ("id", "probability", "biased")
METADATA = "slant"


@dataclass(frozen=True, slots=True)
class Answers:
    """What is said of n texts.

    Fields:
        probability: (n,) in [0, 1], NaN for a text without a word.
        biased: (n,) whether each is.
        windows, cut: (n,) windows that it was split into, tokens cut off.
        linear: (n,) whether the cascade's linear model answered.
    """

    probability: Floats
    biased: NDArray[np.bool_]
    windows: Array
    cut: Array
    linear: NDArray[np.bool_]


Answering = Callable[[Sequence[str]], Answers]
"""(n,) texts -> their answers; a pure function that a process can be sent."""


def shard_folder(out: Path) -> Path:
    """Where the shards of an output lie while it is worked on."""
    return out.with_name(f".{out.name}.shards")


def shard_path(folder: Path, number: int) -> Path:
    """The file of one shard."""
    return folder / f"{number:08}.parquet"


def claimed(out: Path, asked: Mapping[str, Any], fresh: bool) -> bool:
    """Fill the shard folder, which this process holds, for what is asked, or find it filled.

    Args:
        out: the output.
        asked: all that the rows depend on.
        fresh: throw away what is there.

    Returns:
        Whether the output itself is there already, of the same.

    Raises:
        RunError: the output or its shards are of another detector, corpus or choice.
    """
    folder = shard_folder(out)
    if fresh:
        out.unlink(missing_ok=True)
        for path in _inside(folder):
            path.unlink()
    do = "Choose another --out, or give --fresh to start over"
    if out.exists():
        there = finished(out)
        if there is None:
            found = "a file is there that `slant predict` did not write"
            raise RunError(f"Writing '{out}'", found, do)
        if there["asked"] != dict(asked):
            found = f"it is of something else ({_unlike(there['asked'], asked)})"
            raise RunError(f"Writing '{out}'", found, do)
        remove_held(folder)
        return True
    path = folder / ASKED
    if path.exists():
        there = read_json(path, "what the shards are of")
        if there != dict(asked):
            found = f"they are of something else ({_unlike(there, asked)})"
            raise RunError(f"Going on with the shards in '{folder}'", found, do)
        return False
    # What is hidden was left by a process that was killed before it wrote asked.json.
    if any(not path.name.startswith(".") for path in _inside(folder)):
        found = "it has files but no asked.json, so nobody knows what made them"
        raise RunError(f"Going on with the shards in '{folder}'", found, do)
    write_json(path, asked)
    return False


def _inside(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if not path.name.endswith(".lock")]


def _unlike(there: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    keys = [key for key in {**there, **asked} if there.get(key) != asked.get(key)]
    return "; ".join(f"{key}: {there.get(key)} there, {asked.get(key)} asked" for key in keys)


def finished(out: Path) -> dict[str, Any] | None:
    """What a whole output says of itself: `asked` and `summary`; None where it is another's."""
    import polars as pl

    from slant.data.given import PARQUET_FAULTS

    try:
        return dict(json_value(pl.read_parquet_metadata(out)[METADATA]))
    except (*PARQUET_FAULTS, KeyError, ValueError):
        return None


def rows_of_part(total: int, rows: int, part: Part | None) -> int:
    """Of `total` rows in shards of `rows`, those that are of a part."""
    return sum(min(rows, total - start) for start in of_part(range(0, total, rows), part))


def run_shards(
    corpus: Corpus,
    out: Path,
    answering: Answering,
    *,
    rows: int,
    total: int,
    workers: Workers,
    progress: Progress,
    shared: Sequence[Path] = (),
    part: Part | None = None,
) -> int:
    """Work off the shards that are not there yet.

    Args:
        corpus: what to read.
        out: the output, whose shard folder is claimed.
        answering: says what texts are.
        rows: of a shard.
        total: rows to do, for the progress.
        workers: who does it.
        progress: called with rows done, rows in all, and a shard's name.
        shared: what the answering reads.
        part: do these shards only.

    Returns:
        Rows that are done.
    """
    folder = shard_folder(out).absolute()
    done = 0

    def missing() -> Iterator[tuple[int, Batch]]:
        nonlocal done
        for number, batch in enumerate(corpus.batches(rows)):
            if part is not None and not part.holds(number):
                continue
            if _there(shard_path(folder, number), batch):
                done += len(batch.ids)
                progress(done, total, "resumed")
            else:
                yield number, batch

    work = partial(_scored, folder, answering)
    for number, size in worked_off(work, missing(), workers, [folder, *shared]):
        done += size
        progress(done, total, f"shard {number + 1}")
    return done


def _scored(folder: Path, answering: Answering, given: tuple[int, Batch]) -> tuple[int, int]:
    number, batch = given
    return number, score_shard(shard_path(folder, number), batch, answering)


def score_shard(path: Path, batch: Batch, answering: Answering) -> int:
    """Write the answers to one batch atomically; returns its rows."""
    import polars as pl

    spoken = np.array([bool(text.strip()) for text in batch.texts], dtype=np.bool_)
    texts = [text for text in batch.texts if text.strip()]
    answers = answering(texts)
    columns: dict[str, Any] = {"id": pl.Series(batch.ids, dtype=pl.String)}
    for field in fields(Answers):
        own = getattr(answers, field.name)
        full = np.zeros(len(spoken), dtype=own.dtype)
        full[spoken] = own
        columns[field.name] = full
    frame = pl.DataFrame(columns).with_columns(pl.Series("spoken", spoken))
    blank = ~pl.col("spoken")
    frame = frame.with_columns(
        pl.when(blank).then(None).otherwise(pl.col(name)).alias(name) for name in KEPT[1:]
    )
    with replacing(path) as temporary:
        frame.write_parquet(temporary, compression="zstd")
    return len(batch.ids)


def _there(path: Path, batch: Batch) -> bool:
    import polars as pl

    from slant.data.given import PARQUET_FAULTS

    if not path.exists():
        return False
    try:
        return pl.read_parquet(path, columns=["id"], glob=False)["id"].to_list() == batch.ids
    except PARQUET_FAULTS:
        return False


def shard_counts(out: Path, shards: int) -> dict[str, int]:
    """What the shards say: texts, blank ones, biased, split, cut, answered by the linear model."""
    import polars as pl

    found = dict.fromkeys(("texts", "blank", "biased", "split", "cut", "linear"), 0)
    for number in range(shards):
        part = pl.read_parquet(shard_path(shard_folder(out), number), glob=False)
        found["texts"] += int(part["spoken"].sum())
        found["blank"] += int((~part["spoken"]).sum())
        found["biased"] += int(part["biased"].sum() or 0)
        found["split"] += int((part["windows"] > 1).sum())
        found["cut"] += int((part["cut"] > 0).sum())
        found["linear"] += int(part["linear"].sum())
    return found


def join_shards(
    out: Path, shards: int, constant: dict[str, str], content: Mapping[str, Any]
) -> None:
    """Write the output from its shards and remove them.

    Args:
        out: the output.
        shards: how many.
        constant: columns with one value.
        content: what the output says of itself: `asked` and `summary`.
    """
    import json

    folder = shard_folder(out)
    parts = [shard_path(folder, number) for number in range(shards)]
    with replacing(out) as temporary:
        merge_parquet(parts, temporary, KEPT, constant, **{METADATA: json.dumps(dict(content))})
    remove_held(folder)
