"""The process that analyses for a server: it may be stopped or die, and the server lives on.

It reads lines of JSON on standard input, first the settings, then one job after another, and
answers with lines of JSON. When its input ends, the server is gone: it removes what lies in the
folder of the job and ends with all its processes.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from slant.analysis.analysisjson import detector_json
from slant.analysis.article import Article
from slant.analysis.fetching import Bounds, fetch_page
from slant.analysis.intake import read_any, read_document
from slant.analysis.sentences import article_sentences
from slant.analysis.tables import Columns
from slant.data.schemas import load_schema
from slant.errors import DataError, SlantError, WorkFailed
from slant.report.analysisarticles import heading
from slant.report.analysispage import write_analysis
from slant.report.escaping import one_line
from slant.runs.analysing import Choice, analyse, detector_facts
from slant.runs.analysisanswers import Asking
from slant.runs.analysisfolder import STDIN, read_analyses
from slant.runs.analysistables import SENTENCES
from slant.runs.lightdetector import is_taught
from slant.web.outputs import GIVEN, MADE
from slant.web.refusals import error_json
from slant.web.settings import Limits, Settings

Tell = Callable[[Mapping[str, Any]], None]


def main() -> None:
    """Work until standard input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is no answer

    def tell(message: Mapping[str, Any]) -> None:
        answers.write(json.dumps(message) + "\n")
        answers.flush()

    asked = json.loads(sys.stdin.buffer.readline())
    settings = Settings(**{**asked, "detectors": tuple(asked["detectors"]),
                           "limits": Limits(**asked["limits"])})  # fmt: skip
    _bound_memory(settings.limits.memory)
    jobs: SimpleQueue[dict[str, Any]] = SimpleQueue()
    threading.Thread(target=_listen, args=(jobs,), daemon=True).start()
    try:
        load_schema(settings.schema)
        if not settings.detectors and not is_taught():
            tell({"teaching": True})
        facts = detector_facts(Choice(settings.detectors, settings.schema, settings.model))
    except SlantError as error:
        tell({"failed": error_json(error)})
        return
    tell({"ready": [detector_json(one) for one in facts]})
    while True:
        job = jobs.get()
        try:
            tell({"done": worked(job, settings, tell)})
        except SlantError as error:
            tell({"failed": error_json(error)})
        except MemoryError:
            tell({"failed": error_json(_too_hungry(settings.limits)), "ends": True})
            return
        except Exception as error:
            traceback.print_exc()
            fault = WorkFailed(
                f"Analysing '{job['title']}'",
                f"the program has a fault ({type(error).__name__}); more stands in its terminal",
                "Report it with what you gave",
            )
            tell({"failed": error_json(fault)})


def worked(job: Mapping[str, Any], settings: Settings, tell: Tell) -> dict[str, Any]:
    """One analysis, in the folder of the job.

    Args:
        job: folder, and what `Submission` has beside its content.
        settings: of the server.
        tell: is told of the progress.

    Returns:
        summary (see `history.Entry`) and title.

    Raises:
        SlantError: see the message.
    """
    out = Path(job["folder"]) / MADE

    def told(done: float, total: int, what: str) -> None:
        tell({"progress": [done, total, what]})

    done = analyse(
        [STDIN],
        out,
        detectors=settings.detectors,
        schema=settings.schema,
        language=job["language"],
        columns=Columns(text=job["text_column"]),
        asking=Asking(settings.model, settings.base_url, settings.max_tokens),
        jobs=settings.jobs,
        progress=told,
        command=equivalent(job, settings),
        read=lambda: bounded(_articles(job, settings), settings.limits, job["title"]),
    )
    write_analysis(out, told, home="/")
    title = job["title"]
    if done["articles"] == 1:
        article = next(read_analyses(out))["article"]
        title = one_line(article["title"]) or (title if job["kind"] == "text" else heading(article))
    else:
        title = f"{title}: {done['articles']} articles"
    told_of = ("articles", "sentences", "left_out", "undated", "signature")
    summary = {key: done[key] for key in told_of}
    return {"title": title, "summary": {**summary, "verdicts": verdict_counts(out)}}


def bounded(articles: Iterable[Article], limits: Limits, title: str) -> Iterator[Article]:
    """The same articles, while all together are within the limits.

    Raises:
        DataError: they are not.
    """
    counts = {"articles": 0, "characters": 0, "sentences": 0}
    for article in articles:
        counts["articles"] += 1
        counts["characters"] += len(article.text)
        for name in ("articles", "characters", "sentences"):
            if name == "sentences" and article.scored:
                counts[name] += len(article_sentences(article))
            most = getattr(limits, name)
            if counts[name] > most:
                found = f"it has more than the {most:,} {name} that are read at once here"
                raise DataError(f"Reading '{title}'", found,
                                "Give less, or use `slant analyze`")  # fmt: skip
        yield article


def equivalent(job: Mapping[str, Any], settings: Settings) -> str:
    """The command that gives the same numbers."""
    name = STDIN if job["kind"] == "text" else job["name"]
    words = ["slant", "analyze", name, "--out", "report"]
    for folder in settings.detectors:
        words += ["--detector", folder]
    options = {"--schema": settings.schema if settings.schema != "bait" else None,
               "--model": settings.model, "--text": job["text_column"],
               "--language": job["language"]}  # fmt: skip
    for option, value in options.items():
        words += [option, value] if value else []
    return shlex.join(words)


def verdict_counts(out: Path) -> dict[str, dict[str, int]]:
    """Detector -> verdict -> sentences that are not quoted, of a folder of `slant analyze`."""
    import polars as pl

    frame = pl.read_parquet(out / f"{SENTENCES.name}.parquet",
                            columns=["detector", "voice", "verdict"], glob=False)  # fmt: skip
    own = frame.filter((pl.col("voice") != "quoted") & (pl.col("detector").fill_null("") != ""))
    counted = own.group_by("detector", "verdict").len().sort("detector", "verdict")
    found: dict[str, dict[str, int]] = {}
    for detector, verdict, number in counted.iter_rows():
        found.setdefault(detector, {"biased": 0, "not biased": 0, "no verdict": 0})
        found[detector][verdict] = number
    return found


def _articles(job: Mapping[str, Any], settings: Settings) -> Iterator[Article]:
    column, language = job["text_column"], job["language"]
    if job["kind"] != "address":
        data = (Path(job["folder"]) / GIVEN).read_bytes()
        return read_document(data, job["name"], text_column=column, language=language)
    bounds = Bounds(size=settings.limits.size, loopback=settings.loopback)
    return read_any([job["name"]], text_column=column, language=language,
                    fetch=lambda url: fetch_page(url, bounds))  # fmt: skip


def _listen(jobs: SimpleQueue[dict[str, Any]]) -> None:
    folder = ""
    for line in sys.stdin.buffer:
        job = json.loads(line)
        folder = job["folder"]
        jobs.put(job)
    if folder:
        shutil.rmtree(folder, ignore_errors=True)
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def _bound_memory(most: int) -> None:
    with suppress(ImportError, OSError, ValueError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (least, hard))
    # Where memory ends all the same, the system is to take this process and not the server.
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def _too_hungry(limits: Limits) -> WorkFailed:
    found = f"it takes more than the {limits.memory // 1_000_000:,} MB that one analysis may take"
    return WorkFailed("Analysing", found, "Give less at once, or use `slant analyze`")
