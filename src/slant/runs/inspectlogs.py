"""Logs of `inspect eval slant/sentences` as predictions that `slant run` scores."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from slant.data.writing import replacing
from slant.errors import DataError, MissingExtra

SCORER = "slant_sentences"


def log_rows(log: Path | str, epoch: int = 1) -> list[dict[str, Any]]:
    """What a model said in one epoch of a log, a row a text.

    Args:
        log: of inspect-ai, .eval or .json.
        epoch: which, from 1.

    Returns:
        Each text's id, its label (1 biased, 0 not, None where the answer cannot be read), and the
        fault in that case.

    Raises:
        MissingExtra: inspect-ai is not installed. DataError: no such log, or of another task.
    """
    asked = f"Reading the log '{log}'"
    if not find_spec("inspect_ai"):
        found = "the package inspect-ai is not installed"
        raise MissingExtra(asked, found, 'Run pip install "slant[llm]"')
    from inspect_ai.log import read_eval_log

    try:
        read = read_eval_log(str(log))
    except Exception as why:
        found = f"it cannot be read ({type(why).__name__})"
        raise DataError(asked, found, "Give a log of inspect eval slant/sentences") from why
    rows = []
    for sample in read.samples or []:
        score = (sample.scores or {}).get(SCORER)
        if sample.epoch == epoch and score is not None:
            told = score.metadata or {}
            label, fault = told.get("predicted"), told.get("fault")
            rows.append({"id": str(sample.id), "label": label, "fault": fault})
    if not rows:
        found = f"it has no answers of slant/sentences in epoch {epoch}"
        raise DataError(asked, found, "Give a log of inspect eval slant/sentences")
    return rows


def write_log_predictions(log: Path | str, out: Path | str, epoch: int = 1) -> Path:
    """Write a log as a file for `slant run -s predictions:FILE --param missing=fault`.

    Args:
        log, epoch: as for `log_rows`.
        out: a .csv with id and label; the label of an answer that cannot be read is empty.

    Returns:
        The file.

    Raises: as `log_rows`.
    """
    import polars as pl

    rows = log_rows(log, epoch)
    frame = pl.DataFrame(
        [{"id": row["id"], "label": row["label"]} for row in rows],
        schema={"id": pl.String, "label": pl.Int64},
    )
    with replacing(Path(out)) as temporary:
        frame.write_csv(temporary)
    return Path(out)
