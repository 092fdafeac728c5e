"""A named task made ready on disk: data sets found, read, cleaned, joined, split; kept in the
cache under a key of everything that went into it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import polars as pl

import slant
from slant.data.hashes import user_store
from slant.data.writing import intact, sealed
from slant.errors import DataError
from slant.tasks.assembly import assembled
from slant.tasks.members import Member, described, member_tables
from slant.tasks.names import members_of
from slant.tasks.options import Options
from slant.tasks.transfer import transferred
from slant.types import BIASED, NO, YES, Answer, Example, Item, Mark, Span


@dataclass(frozen=True, slots=True)
class Prepared:
    """A task ready to run.

    Fields:
        task, seed: which.
        rows: Parquet file of the rows used, with `cluster` and `role_K`.
        left_out: Parquet file of the rows left out: id, dataset, text, label, reason.
        members: the data sets used and those missing; those that are trained on behind.
        data: hex fingerprint of the source files used.
    """

    task: str
    seed: int
    rows: Path
    left_out: Path
    members: tuple[Member, ...]
    data: str


def prepared(
    task: str, options: Options, seed: int, data: Path | None, tables: dict[str, pl.DataFrame]
) -> Prepared:
    """Make a task ready, or find it ready in the cache.

    Args:
        task: full name, e.g. "mbib/racial-bias".
        options: the protocol.
        seed: of balance and folds.
        data: `--data DIR`, or None for SLANT_DATA and the user's store.
        tables: unified tables already read in this process, by key; filled as a side effect so
            that eight tasks read RedditBias once.

    Returns:
        Where it lies and what it is made of.

    Raises:
        UnknownName: no such task. DataError: files that are not what their card says, no data,
        one class, folds too small.
    """
    tested = tuple(members_of(task, options, data))
    learnt = tuple(members_of(options.train_on, options, data)) if options.train_on else ()
    for name, some in [(task, tested), (options.train_on, learnt)]:
        if name and not any(one.here for one in some):
            raise _nothing_here(name, some)
    members = (*tested, *learnt)
    digest = hashlib.sha256("|".join(one.fingerprint for one in members if one.here).encode())
    asked = {"task": task, "seed": seed, "code": code_fingerprint(), **asdict(options)}
    read = [one.bytes_read for one in members if one.here]
    key = hashlib.sha256(json.dumps([asked, *read]).encode()).hexdigest()[:24]
    folder = user_store().absolute() / "tasks" / key
    rows, left_out = folder / "rows.parquet", folder / "left_out.parquet"
    if intact(rows) is None or intact(left_out) is None:
        own = member_tables(tested, options, tables)
        if learnt:
            other = member_tables(learnt, options, tables)
            made = transferred(task, own, other, options, seed)
        else:
            made = assembled(task, own, options, seed)
        for table, path in ((made.left_out, left_out), (made.rows, rows)):
            sealed(path, partial(table.write_parquet, compression="zstd"))
    return Prepared(task, seed, rows, left_out, members, digest.hexdigest())


@cache
def code_fingerprint() -> str:
    """Hex digest of the code that turns files into folds: changed code never meets old caches."""
    root = Path(slant.__file__).parent
    digest = hashlib.sha256(slant.__version__.encode())
    for path in sorted([*root.glob("data/*.py"), *root.glob("tasks/*.py")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def examples_of(rows: pl.DataFrame) -> list[Example]:
    """The rows of a unified table as examples, in their order; a `rationale` is a mark of gold,
    `rationale_text` its reason, and the labels in `annotators` are each annotator's answer."""
    columns = ["id", "dataset", "text", "label", "source_label", "cluster"]
    wanted = rows.select(*columns)
    marked, answered, images, reasons = (
        rows[name].to_list() if name in rows.columns else [None] * len(rows)
        for name in ("rationale", "annotators", "image_file", "rationale_text")
    )
    return [
        Example(
            item=Item(id=number, text=text, image=image, group=dataset),
            gold=_gold(YES if label == 1 else NO, spans, why),
            annotators={
                one["annotator"]: YES if one["label"] == 1 else NO for one in answers or ()
            },
            source_label=source_label,
            cluster=str(cluster),
        )
        for (
            number,
            dataset,
            text,
            label,
            source_label,
            cluster,
        ), spans, answers, image, why in zip(
            wanted.iter_rows(), marked, answered, images, reasons, strict=True
        )
    ]


def _gold(answer: Answer, spans: Sequence[Sequence[int]] | None, reason: str | None) -> Answer:
    if reason:
        answer = replace(answer, reason=reason)
    if not spans:
        return answer
    return replace(answer, marks=(Mark(BIASED, tuple(Span(*span) for span in spans)),))


def fingerprint(prepared_tasks: Iterable[Prepared]) -> str:
    """Hex fingerprint over the data of several prepared tasks."""
    parts = sorted({f"{one.task}:{one.data}" for one in prepared_tasks})
    return hashlib.sha256("|".join(parts).encode()).hexdigest()


def members_used(prepared_tasks: Sequence[Prepared]) -> list[dict[str, Any]]:
    """One entry per data set used by any of the tasks, as run.json and the report show it:
    `rows` read for a task (at most), and rows `used` by each task."""
    seen: dict[str, dict[str, Any]] = {}
    for one in prepared_tasks:
        used, unused = (
            dict(
                pl.read_parquet(path, columns=["dataset"], glob=False)["dataset"]
                .value_counts()
                .iter_rows()
            )
            for path in (one.rows, one.left_out)
        )
        for entry in described(one.members):
            name = entry["dataset"]
            kept = seen.setdefault(name, {**entry, "rows": 0, "used": {}})
            kept["rows"] = max(kept["rows"], used.get(name, 0) + unused.get(name, 0))
            kept["used"][one.task] = used.get(name, 0)
    return [seen[name] for name in sorted(seen) if any(seen[name]["used"].values())]


def _nothing_here(task: str, members: Sequence[Member]) -> DataError:
    if task.startswith("added/"):
        return DataError(
            f"Preparing the task '{task}'",
            "no data set of this name was added here",
            "Give the folder that it was added to by --data; `slant data list` shows what is here",
        )
    if not members:
        return DataError(
            f"Preparing the task '{task}'",
            "no labelled public data exists for it",
            f"Add your own: slant data add NAME FILE --text COLUMN --label COLUMN --task "
            f"{task.partition('/')[2]}",
        )
    missing = ", ".join(one.dataset for one in members)
    return DataError(
        f"Preparing the task '{task}'",
        f"none of its data sets ({missing}) is here",
        "`slant data check` says how to get each",
    )
