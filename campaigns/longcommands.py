"""The long commands, each at inputs so small that it does all that it does in a second or two."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

import countedservers
from beginnings import (
    ASKING,
    ASSOC,
    CELLS,
    EMBED,
    JUDGE,
    MERGE,
    ONE,
    STUDY,
    TINY,
    TRAIN,
    VILBIAS,
    articles,
    babe,
    detector,
    detectors_and_news,
    merged,
    news,
    nothing,
    packed,
    pages,
    passes,
    planted,
    study,
    toy,
    two_runs,
    vectors,
)
from slant.data.cards import Card, Download


def unprepared(url: str) -> None:
    """A command that finds all that it needs."""


def beside(url: str) -> None:
    """BABE's published file lies at the scripted server."""
    table = countedservers.TABLE
    one = Download(f"{url}/a.csv", "final_labels_SG2.csv", sha256(table).hexdigest(), len(table))
    Card.downloads = property(lambda self: (one,))  # type: ignore[assignment]


@dataclass(frozen=True)
class Command:
    """One command under trial.

    Fields:
        argv: its arguments; {url} is where its server is.
        begin: makes what it reads, in the folder in which it is then called.
        server: the kind of its scripted server.
        ignored: patterns of files whose bytes tell time or host, and are not compared.
        unordered: patterns of files to which concurrent work adds lines in any order.
        journals: patterns of files that keep what models replied.
        first: what a try does before the command, with the address of the server.
        most: kills in a row, before it is left to end.
        made: folders of what earlier commands made, which it reads and which can be damaged.
    """

    argv: tuple[str, ...]
    begin: Callable[[], None]
    server: str | None = None
    ignored: tuple[str, ...] = ()
    unordered: tuple[str, ...] = ()
    journals: tuple[str, ...] = ()
    first: Callable[[str], None] = unprepared
    most: int = 6
    made: tuple[str, ...] = ("store/",)


def _run(*more: str) -> tuple[str, ...]:
    return ("run", *more, *CELLS, "-o", "run")


COMMANDS: dict[str, Command] = {
    "run tfidf-lr": Command((*_run("added/local", "-s", "tfidf-lr"), *ONE), news),
    "run predictions:": Command((*_run("added/local", "-s", "predictions:mine.csv"), *ONE), news),
    "run tfidf-lr --jobs 2": Command(
        (*_run("added/local", "-s", "tfidf-lr"), "--jobs", "2", "-q"), news
    ),
    "run of three systems": Command(
        (*_run("added/local", "-s", "tfidf-lr,majority,lexicon"), *ONE), news
    ),
    "run encoder": Command((*_run("added/toy", "-s", "encoder:checkpoint"), *TINY, *ONE), toy),
    "train": Command(TRAIN, toy),
    "train --fresh": Command((*TRAIN, "--fresh"), detector),
    "train --seeds": Command(STUDY, babe),
    "predict": Command(
        ("predict", "detector", "corpus.txt", "-o", "scored.parquet", "--rows", "20", *ONE),
        detector, made=("store/", "detector/"),
    ),
    "explain": Command(
        ("explain", "study", "--methods", "fast", "--sample", "6", "--resamples", "100", "--data",
         "data", *ONE),
        study, made=("store/", "study/"),
    ),
    "circuit": Command(
        ("circuit", "study", "--k", "1,2", "--shares", "", "--draws", "1", "--sample", "6",
         "--resamples", "100", "--data", "data", *ONE),
        study,
    ),
    "wiki crawl": Command(
        ("wiki", "crawl", "{url}", "-o", "wiki.parquet", "--contact", "jo@uni.example", "-q"),
        nothing, "wiki",
    ),
    "wiki crawl wikitext": Command(
        ("wiki", "crawl", "{url}", "-o", "wiki.parquet", "--contact", "jo@uni.example", "--format",
         "wikitext", "-q"),
        nothing, "wiki",
    ),
    "wiki dump": Command(("wiki", "dump", "wiki.xml", "-o", "wiki.parquet", "-q"), pages),
    "embed plant": Command(("embed", "plant", "--out", "made", "--words", "3000"), nothing),
    "embed train": Command(EMBED, planted),
    "assoc run": Command(ASSOC, vectors),
    "bait run": Command(
        ("bait", "run", "-m", "openai-api/scripted/small", "--data", "gold.jsonl", "--shots", "0,2",
         "--draws", "17", "--zero-shot-runs", "1", "--base-url", "{url}", "-o", "bait", *ASKING),
        articles, "triggers", unordered=("answers/*/*.jsonl",),
        journals=("bait/answers/**/*.jsonl",),
    ),
    "bait run of baselines": Command(
        ("bait", "run", "--data", "gold.jsonl", "--baselines", "most-frequent,cues", "-o", "bait",
         "-q"),
        articles,
    ),
    "vilbias run": Command(
        (*VILBIAS, *JUDGE, "--base-url", "{url}"), nothing, "vision",
        unordered=("*.jsonl",),
        journals=("vilbias/answers/**/*.jsonl", "vilbias/verdicts/**/*.jsonl"),
    ),
    "vilbias judge": Command(
        ("vilbias", "judge", "vilbias", *JUDGE, "--base-url", "{url}", *ASKING), nothing, "vision",
        unordered=("*.jsonl",), journals=("vilbias/verdicts/**/*.jsonl",),
    ),
    "analyze": Command(
        ("analyze", "articles.jsonl", "-d", "detector", "-o", "report", "--language", "en", *ONE),
        detectors_and_news,
    ),
    "demo": Command(("demo", "--parts", "agreement,words", "-o", "demo", "-q"), nothing),
    "data import": Command(("data", "import", "babe", "data", "-q"), babe),
    "data import of an archive": Command(("data", "import", "babe", "data.zip", "-q"), packed),
    "data add": Command(
        ("data", "add", "more", "news.csv", "--text", "sentence", "--label", "biased"), news
    ),
    "data add --replace": Command(
        ("data", "add", "local", "news.csv", "--text", "sentence", "--label", "biased", "--id",
         "number", "--replace"),
        news,
    ),
    "data fetch": Command(("data", "fetch", "babe", "-q"), nothing, "table", first=beside),
    "data export": Command(("data", "export", "added/local", "-o", "out.csv"), news),
    "annotate new": Command(
        ("annotate", "new", "articles.jsonl", "-o", "work", "--annotators", "ann,ben"), passes
    ),
    "annotate agree": Command(
        ("annotate", "agree", "annotator-a.jsonl", "annotator-b.jsonl", "--resamples", "100", "-o",
         "agreement"),
        passes,
    ),
    "annotate merge": Command(MERGE, passes),
    "annotate adjudicate": Command(
        ("annotate", "adjudicate", "merged", "--answers", "decided.csv", "-o", "gold.jsonl"), merged
    ),
    "annotate convert": Command(
        ("annotate", "convert", "annotator-a.jsonl", "--to", "brat", "-o", "brat"), passes
    ),
    "score": Command(("score", "runs/tfidf-lr"), two_runs),
    "compare": Command(
        ("compare", "runs/tfidf-lr", "runs/majority", "-o", "compared", "--resamples", "100"),
        two_runs,
    ),
    "report": Command(("report", "runs/tfidf-lr", "runs/majority", "-o", "paper"), two_runs),
}  # fmt: skip

HEAVY = frozenset(
    {"run encoder", "train", "train --fresh", "train --seeds", "predict", "explain", "circuit",
     "embed train", "bait run", "vilbias run", "vilbias judge", "analyze"}
)  # fmt: skip
"""Commands that read libraries which take seconds to read."""

READERS: dict[str, tuple[tuple[str, ...], ...]] = {
    "run tfidf-lr": (("score", "run"), ("report", "run", "-o", "paper")),
    "run encoder": (("score", "run"),),
    "train": (("predict", "detector", "corpus.txt", "-o", "scored.parquet", *ONE),),
    "train --seeds": (("score", "study/encoder-checkpoint-attention-0.5", "--data", "data"),),
    "predict": (),
    "explain": (("report", "study", "-o", "paper"),),
    "circuit": (("report", "study", "-o", "paper"),),
    "wiki crawl": (),
    "embed train": (
        (
            "assoc",
            "run",
            "emb",
            "--sets",
            "made/sets.json",
            "--resamples",
            "100",
            "--permutations",
            "200",
            "-o",
            "run",
            *ONE,
        ),
    ),
    "assoc run": (("report", "run", "-o", "paper"),),
    "bait run": (("bait", "score", "bait"), ("report", "bait", "-o", "paper")),
    "vilbias run": (("vilbias", "score", "vilbias"), ("report", "vilbias", "-o", "paper")),
    "analyze": (),
    "demo": (),
    "data add": (("run", "added/more", "-s", "majority", *CELLS, "-o", "run", *ONE),),
    "annotate merge": (("annotate", "adjudicate", "merged", "--partial", "-o", "gold.jsonl"),),
}
"""What is damaged, and the commands that read it besides the one that made it."""
