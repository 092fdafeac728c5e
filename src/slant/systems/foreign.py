"""Anybody's own predictions, read from a file and scored by the same protocol."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from slant.data.jsonvalues import json_value
from slant.errors import DataError
from slant.types import NO, YES, Fold, Prediction, System

LABELS = {
    **dict.fromkeys(("1", "1.0", "true", "biased", "yes"), True),
    **dict.fromkeys(("0", "0.0", "false", "non-biased", "unbiased", "not biased", "no"), False),
}
"""How a file may write its labels, in any case."""

Row = tuple[str, dict[str, str]]  # where it stands ("row 3"), its columns as text


def _error(file: Path, where: str, found: str, do: str) -> DataError:
    return DataError(f"Reading the predictions '{file.name}'", f"{where}{found}", do)


def _as_text(value: object) -> str:
    return "" if value is None else str(value).strip()


def _csv_rows(file: Path, data: bytes) -> Iterator[Row]:
    import csv
    import io

    rows = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)
    while True:
        try:
            row = next(rows, None)
        except csv.Error as why:
            do = "Quote every field that holds a comma, a quote or a line break"
            if "field limit" in str(why):
                do = "Give the columns id, label and probability alone, without texts"
            where = f"the row from line {rows.line_num + 1} on: "
            raise _error(file, where, f"{why}", do) from why
        if row is None:
            return
        where = f"line {rows.line_num}"
        if None in row or None in row.values():
            do = f"Give every line the columns of the header, {', '.join(rows.fieldnames or ())}"
            raise _error(file, where, " has not as many fields as the header", do)
        yield where, {name: _as_text(value) for name, value in row.items()}


def _jsonl_rows(file: Path, data: bytes) -> Iterator[Row]:
    for number, line in enumerate(data.decode("utf-8-sig").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row: Any = json_value(line)
        except ValueError as why:
            said = getattr(why, "msg", str(why))
            raise _error(file, f"Line {number}: ", said, "Write one object a line") from why
        if not isinstance(row, dict):
            raise _error(file, f"Line {number}", " is no object", "Write one object a line")
        yield f"line {number}", {name: _as_text(value) for name, value in row.items()}


def _parquet_rows(file: Path, data: bytes) -> Iterator[Row]:
    import io

    import polars as pl

    from slant.data.given import PARQUET_FAULTS
    from slant.data.parquetsizes import check_parquet

    check_parquet(io.BytesIO(data), f"Reading the predictions '{file.name}'")
    try:
        table = pl.read_parquet(io.BytesIO(data))
    except PARQUET_FAULTS as why:
        raise _error(file, "", "it is no whole parquet file", "Write it again") from why
    for number, row in enumerate(table.iter_rows(named=True), 1):
        yield f"row {number}", {name: _as_text(value) for name, value in row.items()}


_FORMATS: dict[str, Callable[[Path, bytes], Iterator[Row]]] = {
    ".csv": _csv_rows,
    ".jsonl": _jsonl_rows,
    ".parquet": _parquet_rows,
}


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as why:
        found = why.strerror or "it cannot be read"
        raise _error(file, "", found, f"Check the path '{file}'") from why


def _row_prediction(file: Path, where: str, row: dict[str, str], faults: bool) -> Prediction:
    word, number, probability = row.get("label", ""), row.get("probability", ""), None
    if number:
        try:
            probability = float(number)
        except ValueError:
            probability = None
        if probability is None or not 0 <= probability <= 1:
            found = f" has the probability '{number}'"
            raise _error(file, where, found, "Give a number from 0 to 1")
    if word:
        if word.lower() not in LABELS:
            do = "Write 1 or biased, 0 or non-biased"
            raise _error(file, where, f" has the label '{word}'", do)
        return Prediction(row["id"], YES if LABELS[word.lower()] else NO, probability)
    if probability is not None:
        return Prediction(row["id"], YES if probability >= 0.5 else NO, probability)
    if not faults:
        do = "Fill one in, or score it as a fault with --param missing=fault"
        raise _error(file, where, " has neither label nor probability", do)
    return Prediction(row["id"], None, fault="no answer in the file")


def read_predictions(file: str | Path, missing: str) -> dict[str, Prediction]:
    """The predictions of a csv, jsonl or parquet file, by item id.

    Columns: id, and label or probability or both (others are left alone). Without a label, an
    item is biased from a probability of 0.5 on.

    Args:
        file: the file; its ending says the format.
        missing: "error", or "fault" to take a row without label and probability as a fault.

    Returns:
        The predictions in the order of the file.

    Raises:
        DataError: naming the file and the line that is wrong.
    """
    file = Path(file)
    rows = _FORMATS.get(file.suffix.lower())
    if rows is None:
        found = f"it ends in '{file.suffix}'"
        raise _error(file, "", found, f"Give a file in {', '.join(_FORMATS)}")
    found_rows: dict[str, tuple[str, Prediction]] = {}
    data = _bytes(file)
    try:
        for where, row in rows(file, data):
            if "id" not in row or not {"label", "probability"} & row.keys():
                lacks = "column 'id'" if "id" not in row else "column 'label' or 'probability'"
                names = ", ".join(sorted(row))
                do = "Name the columns id, and label or probability or both"
                raise _error(file, where, f" has no {lacks}, only {names}", do)
            if not row["id"]:
                raise _error(file, where, " has an empty id", "Give every line its item's id")
            if row["id"] in found_rows:
                found = f" has the id '{row['id']}', which stands in {found_rows[row['id']][0]} too"
                raise _error(file, where, found, "Keep one prediction per id")
            prediction = _row_prediction(file, where, row, missing == "fault")
            found_rows[row["id"]] = where, prediction
    except UnicodeDecodeError as why:
        line = data.count(b"\n", 0, why.start) + 1
        found = f"byte {why.start} (line {line}) is not UTF-8"
        raise _error(file, "", found, "Save it as UTF-8") from why
    if not found_rows:
        raise _error(file, "", "it has no rows", "Give one row per item")
    return {name: prediction for name, (_, prediction) in found_rows.items()}


def _listed(ids: Collection[str]) -> str:
    first = ", ".join(list(ids)[:3])
    return first if len(ids) <= 3 else f"{first} and {len(ids) - 3:,} more"


def check_predictions(file: str | Path, ids: Collection[str], missing: str = "error") -> None:
    """Check a predictions file against all ids that the run will test.

    Args:
        file: the predictions file.
        ids: the ids of the test items over all folds and tasks.
        missing: "error", or "fault" to let ids be absent.

    Raises:
        DataError: a fault of the file itself, an id that is absent from it, or one that no test
            item has; with how many, and the first three.
    """
    file = Path(file)
    found = read_predictions(file, missing)
    wanted = dict.fromkeys(ids)
    absent = [name for name in wanted if name not in found]
    if absent and missing != "fault":
        raise _absent(file, absent, len(wanted))
    unknown = [name for name in found if name not in wanted]
    if unknown:
        what = f"{len(unknown)} of its {len(found)} ids are no test item: {_listed(unknown)}"
        do = "Check the preset and the ids, or take these rows out"
        raise _error(file, "", what, do)


def _absent(file: Path, absent: Sequence[str], n: int) -> DataError:
    found = f"{len(absent)} of {n} test items are missing: {_listed(absent)}"
    do = "Add them, or score them as faults with --param missing=fault"
    if len(absent) == n:
        do = "Take the ids that `slant data export TASK` writes"
    return _error(file, "", found, do)


def file_predictions(file: str, missing: str = "error") -> System:
    """A system that answers with what a file says.

    Args:
        file: the predictions file.
        missing: "error", or "fault" to score absent ids as faults.

    Returns:
        The system.
    """

    def predict(folds: Sequence[Fold], seed: int) -> Iterator[list[Prediction]]:
        found = read_predictions(file, missing)
        for fold in folds:
            absent = [item.id for item in fold.test if item.id not in found]
            if absent and missing != "fault":
                raise _absent(Path(file), absent, len(fold.test))
            yield [
                found.get(item.id) or Prediction(item.id, None, fault="absent from the file")
                for item in fold.test
            ]

    return predict


def file_fingerprint(file: str | Path) -> str:
    """The first 8 hex digits of the SHA-256 of a file's bytes.

    Args:
        file: the file.

    Returns:
        8 characters.
    """
    from hashlib import sha256

    return sha256(_bytes(Path(file))).hexdigest()[:8]
