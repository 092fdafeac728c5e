"""`slant analyze`: articles of any number, analysed in shards, resumable, in flat memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final

import slant
from slant.analysis.analyses import Analysis, DetectorFacts
from slant.analysis.analysisjson import analysis_json, detector_json
from slant.analysis.article import Article
from slant.analysis.detectors import LoadedDetector
from slant.analysis.intake import read_any
from slant.analysis.reading import analysed
from slant.analysis.rows import profile_rows, sentence_rows
from slant.analysis.tables import TOLD, Columns
from slant.data.schemas import load_schema, schema_json
from slant.data.writing import replacing
from slant.errors import DataError, OptionError
from slant.runs.analysisanswers import FOLDER, Asking, model_answers
from slant.runs.analysisdetectors import analysis_detectors
from slant.runs.analysisfolder import (
    KIND,
    RECORD,
    Given,
    article_batches,
    begun,
    check_writable,
    claimed,
    emptied,
    given_articles,
    shard,
    target_sums,
    work_folder,
    written_sums,
)
from slant.runs.analysisjoining import joined
from slant.runs.analysistables import PROFILES, sentence_table, write_shard
from slant.runs.engine import Progress, default_jobs
from slant.runs.store import only_writer, write_json
from slant.runs.workers import fewer, ready_workers, worked_off
from slant.types import Answer

ARTICLES: Final = 16
"""Articles of a shard."""
Batch = tuple[int, list[Article], dict[str, Answer]]
"""Number of a shard, its articles, and what the model answered about them."""
MOST_AT_ONCE: Final = 20
"""Articles that are analysed without a folder."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What an analysis depends on beside the articles; can be sent to another process.

    Fields:
        detectors: folders; none for the light detector.
        schema: name or path.
        model: that is asked for triggers, "" for none.
    """

    detectors: tuple[str, ...] = ()
    schema: str = "bait"
    model: str = ""


def analyse(
    targets: Sequence[str],
    out: Path | str,
    *,
    detectors: Sequence[Path | str] = (),
    schema: str = "bait",
    language: str | None = None,
    columns: Columns = TOLD,
    asking: Asking | None = None,
    jobs: int | None = None,
    fresh: bool = False,
    progress: Progress = lambda done, total, what: None,
    command: str = "",
    read: Callable[[], Iterable[Article]] | None = None,
) -> dict[str, Any]:
    """Analyse articles into a folder.

    The same bytes come out whatever the number of processes and however often the work was
    interrupted; the same call again goes on. An address is read once: a call that goes on takes
    what it said then.

    Args:
        targets: what `analysis.intake.read_any` reads.
        out: a folder, empty or absent; holds then analyses.jsonl (an article a line), sentences,
            profiles, groups and events (.csv and .parquet), comparison.json and, written last,
            run.json.
        detectors: folders of `slant train`; none for the light detector.
        schema: of the triggers, by name or path.
        language: of all texts, where it is known.
        columns: of tables, and the order of their dates.
        asking: a model that is asked for triggers; None: only their cues are looked for.
        jobs: processes; None: one per core.
        fresh: throw away what is there.
        progress: called with (articles done, articles in all or 0, what).
        command: the command line, for the record.
        read: gives the articles of the targets; None: `analysis.intake.read_any` does.

    Returns:
        The summary: articles, sentences, left_out (why -> how many), out, signature.

    Raises:
        SlantError: see the message.
    """
    out = Path(out)
    if out.exists() and not out.is_dir():
        raise OptionError(f"Writing to '{out}'", "a file is there", "Give a folder")
    asking = asking or Asking()
    choice = Choice(tuple(str(Path(one).absolute()) for one in detectors), schema, asking.model)
    check_writable(out)
    read = read or _opened(targets, columns, language)
    progress(0, 0, "loading detectors")
    facts = detector_facts(choice)
    asked = _asked(targets, facts, choice, columns, language)
    with only_writer(work_folder(out)), begun(out):
        record = claimed(out, asked, fresh)
        if record is not None and "-" not in targets:
            emptied(work_folder(out))
            return _told(out, record)
        given = given_articles(out, targets, read, progress)
        if record is not None:
            if record["articles_sha256"] != given.sha256:
                found = "standard input holds something else than before"
                do = "Choose another --out, or give --fresh to start over"
                raise OptionError(f"Writing to '{out}'", found, do)
            emptied(work_folder(out))
            return _told(out, record)
        if not given.articles:
            raise _no_article()
        answers: dict[str, Answer] = {}
        if asking.model:
            own = [
                one for _, some in article_batches(given, ARTICLES) for one in some if one.scored
            ]
            answers = model_answers(
                own, load_schema(schema), asking, out / FOLDER, command, progress
            )
        _run(out, given, choice, answers, jobs, progress)
        shards = -(-given.articles // ARTICLES)
        progress(given.articles, given.articles, "joining")
        summary = joined(out, shards, sentence_table(facts))
        record = {
            "kind": KIND,
            "slant": slant.__version__,
            "command": command,
            "asked": asked,
            "articles_sha256": given.sha256,
            "detectors": [detector_json(one) for one in facts],
            "summary": summary,
            "files": written_sums(out),
            "signature": _signature(given, facts, asked),
        }
        write_json(out / RECORD, record)
        emptied(work_folder(out))
    return _told(out, record)


def analysed_now(
    targets: Sequence[str], *, language: str | None = None, columns: Columns = TOLD, **same: Any
) -> list[dict[str, Any]]:
    """A few articles analysed without a folder, as `analyses.jsonl` would hold them.

    Args: as for `analyse`.

    Raises:
        DataError: there is no article. Else as `analysed_articles`.
    """
    found = analysed_articles(_opened(targets, columns, language), **same)
    if not found:
        raise _no_article()
    return [analysis_json(one) for one in found]


def _no_article() -> DataError:
    return DataError("Reading articles", "there is none", "Give something with a text in it")


def analysed_articles(
    read: Callable[[], Iterable[Article]],
    *,
    detectors: Sequence[Path | str] = (),
    schema: str = "bait",
) -> list[Analysis]:
    """A few articles analysed without a folder.

    Args: as for `analyse`.

    Raises:
        OptionError: more than 20 articles. SlantError: see the message.
    """
    articles: list[Article] = []
    for article in read():
        if len(articles) == MOST_AT_ONCE:
            found = f"there are more than {MOST_AT_ONCE} articles"
            raise OptionError("Analysing without --out", found, "Give a folder with --out")
        articles.append(article)
    choice = Choice(tuple(str(Path(one).absolute()) for one in detectors), schema)
    return list(analysed(articles, _loaded(choice), load_schema(schema)))


def detector_facts(choice: Choice) -> list[DetectorFacts]:
    """What is known of the detectors of a choice, which stay in memory for the next analysis.

    Raises: as `runs.analysisdetectors.analysis_detectors`.
    """
    return [one.facts for one in _loaded(choice)]


def _opened(
    targets: Sequence[str], columns: Columns, language: str | None
) -> Callable[[], Iterable[Article]]:
    """What gives the articles of targets that are there."""
    articles = read_any(targets, columns=columns, language=language)
    return lambda: articles


def _run(
    out: Path, given: Given, choice: Choice, answers: Mapping[str, Answer], jobs: int | None,
    progress: Progress,
) -> None:  # fmt: skip
    shards = -(-given.articles // ARTICLES)
    workers = fewer(ready_workers(jobs, default_jobs(), "processes", None, 0), shards)
    done = 0

    def missing() -> Iterator[Batch]:
        nonlocal done
        for number, articles in article_batches(given, ARTICLES):
            if shard(out, number, ".jsonl").exists():
                done += len(articles)
                progress(done, given.articles, "resumed")
            else:
                own = {one.id: answers[one.id] for one in articles if one.id in answers}
                yield number, articles, own

    work = partial(_write_shard, out.absolute(), choice)
    for size in worked_off(work, missing(), workers):
        done += size
        progress(done, given.articles, "articles")


def _write_shard(out: Path, choice: Choice, given: Batch) -> int:
    number, articles, answers = given
    made = analysed(
        articles, _loaded(choice), load_schema(choice.schema), answers=answers, model=choice.model
    )
    sentences = sentence_table(one.facts for one in _loaded(choice))
    for table, rows in ((sentences, sentence_rows), (PROFILES, profile_rows)):
        found = [row for one in made for row in rows(one)]
        write_shard(found, table, shard(out, number, f".{table.name}.parquet"))
    # Written last: where it is, the shard is whole.
    with replacing(shard(out, number, ".jsonl")) as path, path.open("w", encoding="ascii") as file:
        for one in made:
            file.write(json.dumps(analysis_json(one)) + "\n")
    return len(articles)


@lru_cache(maxsize=1)
def _loaded(choice: Choice) -> tuple[LoadedDetector, ...]:
    return tuple(analysis_detectors(choice.detectors))


def _asked(
    targets: Sequence[str], facts: Sequence[DetectorFacts], choice: Choice,
    columns: Columns, language: str | None,
) -> dict[str, Any]:  # fmt: skip
    return {
        "targets": target_sums(targets),
        "detectors": [[one.name, one.signature, one.threshold, one.calibration] for one in facts],
        "schema": schema_json(load_schema(choice.schema)),
        "model": choice.model,
        "columns": asdict(columns),
        "language": language,
        "slant": slant.__version__,
    }


def _signature(given: Given, facts: Sequence[DetectorFacts], asked: Mapping[str, Any]) -> str:
    schema = asked["schema"]
    parts = {
        "articles": given.articles,
        "data": given.sha256[:8],
        "detectors": "+".join(one.name for one in facts),
        "schema": f"{schema['name']}@{schema['version']}",
        "model": asked["model"] or "none",
        "slant": slant.__version__,
    }
    return "|".join(["analysis", *(f"{name}:{value}" for name, value in parts.items())])


def _told(out: Path, record: Mapping[str, Any]) -> dict[str, Any]:
    return {"out": str(out), **record["summary"], "signature": record["signature"]}
