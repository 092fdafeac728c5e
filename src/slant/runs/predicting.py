"""`slant predict`: a kept detector over a corpus of any length, in constant memory, resumable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from slant.data.hashes import file_stamp, read_sha256
from slant.data.streams import Corpus, open_corpus
from slant.data.writing import replacing
from slant.errors import DataError, OptionError, unknown_name
from slant.runs.calibration import calibrated
from slant.runs.cascade import (
    Bands,
    chosen_bands,
    load_student,
    sample_of,
    save_student,
    student_scores,
    sure,
    taught_student,
)
from slant.runs.detectors import SAMPLE, STUDENT, Detector, load_detector
from slant.runs.engine import Progress, default_jobs
from slant.runs.folders import FACTS
from slant.runs.parts import Part, chosen_part
from slant.runs.shards import (
    Answering,
    Answers,
    claimed,
    finished,
    join_shards,
    rows_of_part,
    run_shards,
    shard_counts,
    shard_folder,
)
from slant.runs.store import only_writer
from slant.runs.workers import Workers, fewer, ready_workers
from slant.systems.runtimes import RUNTIMES, said_of

ROWS = 5000
"""Rows of a shard."""
CASCADE = "cascade"
KINDS = (*RUNTIMES, CASCADE)


def predict(
    detector: Path | str,
    corpus: Path | str,
    out: Path | str,
    *,
    text: str | None = None,
    id_: str | None = None,
    runtime: str = "torch",
    jobs: int | None = None,
    long: str | None = None,
    max_disagreement: float = 0.01,
    rows: int = ROWS,
    sample: int = SAMPLE,
    fresh: bool = False,
    progress: Progress = lambda done, total, what: None,
    engine: str = "processes",
    address: str | None = None,
    gpus_per_worker: int = 0,
    part: str | None = None,
) -> dict[str, Any]:
    """Score each text of a corpus with a kept detector.

    The same bytes come out whatever the number of processes and however often the work was
    interrupted; the same call again goes on.

    Args:
        detector: a folder of `train_detector`.
        corpus: txt (a text per line), csv, tsv, jsonl or parquet.
        out: a Parquet file: id, probability (calibrated), biased, detector, signature. A row
            without a word stays, its probability and biased null.
        text, id_: columns; see `open_corpus`.
        runtime: "torch", "onnx" or "cascade".
        jobs: processes; None: one per core, one where there is an accelerator. On a cluster:
            workers; None: as many as it has.
        long: "window" or "cut"; None: as the detector was trained.
        max_disagreement: share of all texts in which the cascade may differ from the encoder.
        rows: of a shard.
        sample: texts that a cascade without a student is taught on.
        fresh: throw away what is there.
        progress: called with (rows done, rows in all, what).
        engine, address, gpus_per_worker: who works; see `ready_workers`.
        part: "3/8" scores the third of eight parts of the shards and joins nothing; once all parts
            are done, the same call without it joins.

    Returns:
        What was done: rows, texts, blank, biased, split, cut, linear, share_linear, bands, and
        `asked`. Of a part: part, its rows, `asked`.

    Raises:
        SlantError: see the message.
    """
    # Absolute, for workers that stand in another folder.
    folder, path = Path(detector).absolute(), Path(out)
    share = chosen_part(part, fresh)
    _check_options(runtime, long, max_disagreement, path)
    source = open_corpus(Path(corpus), text, id_)
    kept = load_detector(folder)
    workers = ready_workers(jobs, _free_jobs(), engine, address, gpus_per_worker)
    long = long or str(kept.facts["long"])
    asked: dict[str, Any] = {
        "detector": kept.name,
        "fingerprint": kept.encoder.fingerprint,
        "signature": kept.facts["signature"],
        "corpus": read_sha256(source.path),
        "text": source.text,
        "id": source.id,
        "runtime": runtime,
        "long": long,
        "rows": rows,
    }
    if runtime == CASCADE:
        asked |= {"max_disagreement": max_disagreement, "sample": sample}
    with only_writer(shard_folder(path), share) as ready_for_others:
        if claimed(path, asked, fresh):
            return _told(path)
        ready_for_others()
        answering, bands = _answering(
            kept, folder, source, runtime, long, max_disagreement, sample,
            shard_folder(path).absolute(),
        )  # fmt: skip
        constant = {"detector": kept.name, "signature": str(kept.facts["signature"])}
        return scored_corpus(
            source, path, answering, asked, constant,
            rows=rows, workers=workers, bands=bands, progress=progress, shared=[folder], part=share,
        )  # fmt: skip


def scored_corpus(
    corpus: Corpus,
    out: Path,
    answering: Answering,
    asked: dict[str, Any],
    constant: dict[str, str],
    *,
    rows: int,
    workers: Workers,
    bands: Bands | None,
    progress: Progress,
    shared: Sequence[Path] = (),
    part: Part | None = None,
) -> dict[str, Any]:
    """Check, work off and join a corpus whose shard folder is claimed; see `predict`."""
    total = checked_rows(corpus, rows)
    shards = -(-total // rows)
    done = run_shards(
        corpus, out, answering, rows=rows, total=rows_of_part(total, rows, part),
        workers=fewer(workers, shards), progress=progress, shared=shared, part=part,
    )  # fmt: skip
    if part is not None:
        return {"out": str(out), "part": str(part), "rows": done, "asked": asked}
    counts = shard_counts(out, shards)
    summary: dict[str, Any] = {"rows": total, **counts}
    if bands is not None:
        summary["share_linear"] = counts["linear"] / counts["texts"]
        summary["bands"] = {
            "low": bands.low if np.isfinite(bands.low) else None,
            "high": bands.high if np.isfinite(bands.high) else None,
            "share": bands.share,
            "disagreement": bands.disagreement,
        }
    join_shards(out, shards, constant, {"asked": asked, "summary": summary})
    return {"out": str(out), **summary, "asked": asked}


def checked_rows(corpus: Corpus, rows: int) -> int:
    """The rows of a corpus, all of them read once: a fault in the last is told before the work.

    Raises:
        DataError: a row is faulty, there is none, or no row has a word.
    """
    total, words = 0, False
    for batch in corpus.batches(rows):
        total += len(batch.ids)
        words = words or any(text.strip() for text in batch.texts)
    if not total or not words:
        found = "no row has a text" if total else "it has columns but no rows"
        raise DataError(f"Reading '{corpus.path}'", found, "Give a file with texts")
    return total


def _check_options(runtime: str, long: str | None, bound: float, out: Path) -> None:
    if runtime not in KINDS:
        raise unknown_name("runtime", runtime, KINDS)
    if long not in (None, "window", "cut"):
        raise OptionError("Setting --long", f"'{long}' was given", "Give window or cut")
    if not 0 <= bound <= 1:
        raise OptionError("Setting --max-disagreement", f"{bound} was given", "Give 0 to 1")
    if out.suffix.lower() != ".parquet":
        found = f"it ends in '{out.suffix}'"
        raise OptionError(f"Writing '{out}'", found, "Give a name that ends in .parquet")


def _told(out: Path) -> dict[str, Any]:
    content = finished(out) or {"asked": {}, "summary": {}}
    return {"out": str(out), **content["summary"], "asked": content["asked"]}


def _free_jobs() -> int:
    import torch

    return 1 if torch.cuda.is_available() else default_jobs()


def _answering(
    kept: Detector, folder: Path, corpus: Corpus, runtime: str, long: str, bound: float,
    sample: int, shards: Path,
) -> tuple[Answering, Bands | None]:  # fmt: skip
    """A function that a process can be sent, and the cascade's bands."""
    if runtime != CASCADE:
        if runtime == "onnx":
            RUNTIMES[runtime](kept.encoder)  # exported once, before processes meet there
        return partial(encoder_answers, folder, runtime, long), None
    path = folder / STUDENT
    if not path.exists():
        path = shards / STUDENT
        _teach_once(folder, corpus, long, sample, path)
    bands = chosen_bands(load_student(path), float(kept.facts["threshold"]), bound)
    return partial(cascade_answers, folder, path, bands, long), bands


def _teach_once(folder: Path, corpus: Corpus, long: str, sample: int, path: Path) -> None:
    """Teach a student on a sample of the corpus itself; it lies with the shards.

    Of several parts that begin at once, one teaches and the others wait for it.
    """
    from filelock import FileLock

    with FileLock(path.with_name(".student.lock")):
        if path.exists():
            return
        texts = sample_of((one for batch in corpus.batches(ROWS) for one in batch.texts), sample)
        student = taught_student(texts, encoder_answers(folder, "torch", long, texts).probability)
        with replacing(path) as temporary:
            save_student(student, temporary)


@lru_cache(maxsize=1)
def _loaded(
    folder: Path, runtime: str, stamp: tuple[tuple[int, ...], ...]
) -> tuple[Detector, Callable[..., Any]]:
    kept = load_detector(folder)
    return kept, RUNTIMES[runtime](kept.encoder)


def _in_memory(folder: Path, runtime: str) -> tuple[Detector, Callable[..., Any]]:
    # A process that lives on must not answer with a detector that was replaced meanwhile.
    stamp = tuple(file_stamp(folder / name) for name in ("model.safetensors", FACTS))
    return _loaded(folder, runtime, stamp)


def encoder_answers(folder: Path, runtime: str, long: str, texts: Sequence[str]) -> Answers:
    """What a kept detector says of texts by itself."""
    kept, windows = _in_memory(folder, runtime)
    facts = kept.facts
    said = said_of(kept.encoder, texts, int(facts["max_length"]), long, windows)
    p = calibrated(said.probability, float(facts["temperature"]))
    return Answers(
        p,
        p >= float(facts["threshold"]),
        np.array([len(text.windows) for text in said.texts], dtype=np.int64),
        np.array([text.cut for text in said.texts], dtype=np.int64),
        np.zeros(len(texts), dtype=np.bool_),
    )


@lru_cache(maxsize=1)
def _student(path: Path, stamp: tuple[int, ...]) -> Any:
    return load_student(path)


def cascade_answers(
    folder: Path, student: Path, bands: Bands, long: str, texts: Sequence[str]
) -> Answers:
    """What the cascade says: the student where it is sure, the encoder of the rest."""
    if not texts:
        return encoder_answers(folder, "torch", long, texts)
    scores = student_scores(_student(student, file_stamp(student)), texts)
    own = sure(scores, bands)
    rest = encoder_answers(
        folder, "torch", long, [text for text, one in zip(texts, own, strict=True) if not one]
    )
    p = 1 / (1 + np.exp(-scores))
    biased = scores >= bands.high
    windows, cut = np.ones(len(texts), dtype=np.int64), np.zeros(len(texts), dtype=np.int64)
    p[~own], biased[~own] = rest.probability, rest.biased
    windows[~own], cut[~own] = rest.windows, rest.cut
    return Answers(p, biased, windows, cut, own)
