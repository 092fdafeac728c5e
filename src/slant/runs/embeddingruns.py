"""`slant embed train`: replicas of an embedding, worked off as the cells of a run are."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

import slant
from slant.data.jsonvalues import json_value
from slant.embeddings.analogies import RESTRICT, read_questions
from slant.embeddings.corpus import Cleaning, fingerprint, read_texts, sentences
from slant.embeddings.encoded import DOCUMENTS, FILES, Documents, encode
from slant.embeddings.models import require_gensim
from slant.embeddings.official import PACKAGE, require_official
from slant.embeddings.settings import Settings, check_settings
from slant.embeddings.vectors import EMBEDDING, read_embedding
from slant.errors import DataError, OptionError, RunError, SlantError, unknown_name
from slant.runs.engine import Progress, default_jobs
from slant.runs.replicas import (
    ENCODED,
    Replica,
    Trainer,
    digest,
    replica_cell,
    replica_record,
    train_one,
)
from slant.runs.steps import watched_steps
from slant.runs.store import only_writer, write_json
from slant.runs.surroundings import versions
from slant.runs.workers import fewer, ready_workers, worked_off

NOTED = ("gensim", PACKAGE, "numpy", "scipy")
SAME = ("fingerprint", "text", "cleaning", "trainer", "settings", "documents", "questions")
"""Of two trainings with all this alike, replicas of the same seed are the same."""
SHOWN = 1000


def train_embeddings(
    corpus: Path | str | Sequence[Path | str],
    out: Path | str,
    *,
    seeds: Sequence[int] = tuple(range(8)),
    trainer: Trainer = "gensim",
    settings: Settings | None = None,
    cleaning: Cleaning | None = None,
    text: str | None = None,
    documents: Documents = "all",
    questions: Path | None = None,
    restrict: int = RESTRICT,
    jobs: int | None = None,
    engine: str = "processes",
    address: str | None = None,
    fresh: bool = False,
    progress: Progress = lambda done, total, what: None,
    command: str = "",
) -> dict[str, Any]:
    """Train the replicas of an embedding; one that is there already is taken as it is.

    Each replica is one process with one thread, so that its bits depend on its seed and not on who
    trains it. A replica that was killed goes on from its last saved epoch.

    Args:
        corpus: a file or folder of texts, or several that make one corpus.
        out: the folder: embedding.json, and SEED.bin in fastText's format for each replica.
        seeds: one replica each; the paper has eight, 0 to 7.
        trainer: "gensim", or "fasttext", the official one, which stops after a fixed number of
            epochs.
        settings: of the training; None: the paper's.
        cleaning: of the texts; None: the paper's.
        text: column of the texts, where the corpus is a table; None: "text", or the only one.
        documents: what each replica reads: "all", "bootstrap" or "shuffled"; see `drawn`.
        questions: the analogies that stop a training; None: Mikolov's.
        restrict: only so many most frequent words are asked for and answer.
        jobs: processes; None: one per core.
        engine, address: who works; see `ready_workers`.
        fresh: throw away what is in `out` first.
        progress: called with (replicas done, of all, what).
        command: the command line, for the record.

    Returns:
        The content of embedding.json (docs/embeddings.md).

    Raises:
        SlantError: see the message.

    Source: Identifying Biases in Politically Biased Wikis, 3.2 and 3.3.4.
    """
    folder = Path(out).absolute()
    paths = [Path(one) for one in ([corpus] if isinstance(corpus, (str, Path)) else corpus)]
    settings, cleaning = settings or Settings(), cleaning or Cleaning()
    _check(out, paths, seeds, trainer, settings, cleaning, documents)
    workers = ready_workers(jobs, default_jobs(), engine, address, 0)
    if trainer == "gensim" and settings.epochs is None:
        read_questions(questions)
    progress(0, len(seeds), "looking at the corpus")
    asked: dict[str, Any] = {
        "slant": slant.__version__,
        "name": folder.name,
        "command": command,
        "corpus": [str(path) for path in paths],
        "fingerprint": ",".join(fingerprint(path) for path in paths),
        "text": text,
        "cleaning": asdict(cleaning),
        "trainer": trainer,
        "settings": asdict(settings),
        "documents": documents,
        "questions": _questions_record(questions, restrict),
        "seeds": list(seeds),
        "versions": versions(NOTED),
    }
    with only_writer(folder):
        _same_or_none(folder, asked, fresh)
        where = None if questions is None else questions.absolute()
        replicas = [
            Replica(folder, seed, trainer, settings, documents, where, restrict) for seed in seeds
        ]
        todo = [one for one in replicas if replica_record(folder, one.seed) is None]
        if todo:
            total = len(seeds)
            try:
                _encode(paths, text, cleaning, folder, asked, lambda what: progress(0, total, what))
            except SlantError:
                # A corpus that cannot be read leaves nothing to go on with.
                shutil.rmtree(folder / ENCODED, ignore_errors=True)
                raise
            write_json(folder / EMBEDDING, {**asked, "replicas": []})
            _train(todo, total, workers, progress)
        shutil.rmtree(folder / ENCODED, ignore_errors=True)
        records = [replica_record(folder, one.seed, check=False) or {} for one in replicas]
        record = {**asked, "replicas": records}
        write_json(folder / EMBEDDING, record)
    return record


def _train(todo: Sequence[Replica], total: int, workers: Any, progress: Progress) -> None:
    done = total - len(todo)
    progress(done, total, "resumed" if done else "")
    cells = [replica_cell(one) for one in todo]
    folder = todo[0].folder

    def whole(reached: float, of: int, what: str) -> None:
        progress(total - of + reached, total, what)

    with watched_steps(cells, whole) as told:
        trained = worked_off(train_one, todo, fewer(workers, len(todo)), [folder])
        for ended, one in enumerate(trained, 1):
            told(ended, len(todo), f"replica {one.seed} of {folder.name}")


def _encode(
    paths: Sequence[Path],
    text: str | None,
    cleaning: Cleaning,
    folder: Path,
    asked: Mapping[str, Any],
    told: Callable[[str], None],
) -> None:
    """Tokenise the corpus, unless a killed run has done so and its files are whole."""
    there = folder / ENCODED
    mark = there / "of.json"
    wanted = {key: asked[key] for key in ("fingerprint", "text", "cleaning")}
    with suppress(OSError, ValueError):
        if json_value(mark.read_text("utf-8")) == {**wanted, "files": _file_sums(there)}:
            return
    shutil.rmtree(there, ignore_errors=True)

    def each() -> Iterator[Iterator[list[str]]]:
        number = 0
        for path in paths:
            for one in read_texts(path, text):
                if number % SHOWN == 0:
                    told(f"tokenising, {number:,} texts")
                number += 1
                yield sentences(one, cleaning)

    encode(each(), cleaning.minimum, there, ", ".join(str(path) for path in paths))
    write_json(mark, {**wanted, "files": _file_sums(there)})


def _file_sums(folder: Path) -> dict[str, str]:
    return {name: digest(folder / name) for name in FILES}


def _questions_record(questions: Path | None, restrict: int) -> dict[str, Any]:
    if questions is None:
        return {"file": "questions-words.txt", "sha256": None, "restrict": restrict}
    if not questions.is_file():
        raise OptionError(f"Reading --questions '{questions}'", "it is no file", "Give a file")
    return {"file": questions.name, "sha256": digest(questions), "restrict": restrict}


def _check(
    out: Path | str,
    paths: Sequence[Path],
    seeds: Sequence[int],
    trainer: str,
    settings: Settings,
    cleaning: Cleaning,
    documents: str,
) -> None:
    if not str(out).strip() or Path(out) == Path():
        raise OptionError("Reading --out", "it names no folder of its own", "Give one")
    if not paths:
        raise OptionError("Reading the corpus", "none is given", "Give a file or folder of texts")
    for path in paths:
        if not path.exists():
            found = "there is no such file or folder"
            raise DataError(f"Reading the corpus '{path}'", found, "Check the path")
    asked = f"Reading the seeds {list(seeds)}"
    if not seeds or len(set(seeds)) != len(seeds):
        raise OptionError(asked, "there is none, or one twice", "Give each once")
    if not all(0 <= seed < 2**31 for seed in seeds):
        raise OptionError(asked, "one is outside 0 to 2**31 - 1", "Give others")
    if trainer not in get_args(Trainer):
        raise unknown_name("trainer", trainer, get_args(Trainer))
    if documents not in DOCUMENTS:
        raise unknown_name("way to draw documents", documents, DOCUMENTS)
    if cleaning.minimum < 1:
        raise OptionError(f"Setting --minimum {cleaning.minimum}", "it is below 1", "Give more")
    check_settings(settings)
    if trainer == "fasttext":
        require_official()
    require_gensim("Training embeddings")


def _same_or_none(folder: Path, asked: Mapping[str, Any], fresh: bool) -> None:
    """Refuse a folder that holds another embedding, or clear it when told to."""
    if fresh:
        own = [path for path in folder.glob("*.*") if path.stem.isdecimal()]
        for path in [*own, *folder.glob(".*.state"), folder / EMBEDDING]:
            path.unlink(missing_ok=True)
        shutil.rmtree(folder / ENCODED, ignore_errors=True)
        return
    if not (folder / EMBEDDING).exists():
        if any(folder.glob("*.bin")):
            found = f"it holds .bin files but no {EMBEDDING}, so nobody knows what made them"
            raise RunError(f"Writing to '{folder}'", found, "Choose another --out")
        return
    there = read_embedding(folder)
    unlike = [key for key in SAME if there.get(key) != asked[key]]
    if unlike and any(folder.glob("*.bin")):
        found = f"it holds another embedding ({_difference(there, asked, unlike[0])})"
        do = "Choose another --out, or give --fresh to start over"
        raise RunError(f"Writing to '{folder}'", found, do)
    if unlike:
        for path in folder.glob(".*.state"):
            path.unlink()


def _difference(there: Mapping[str, Any], asked: Mapping[str, Any], key: str) -> str:
    old, new = there.get(key), asked[key]
    if isinstance(old, dict) and isinstance(new, dict):
        inside = next(name for name in new if old.get(name) != new[name])
        return f"{inside}: {old.get(inside)} there, {new[inside]} asked"
    return f"{key}: {old} there, {new} asked"
