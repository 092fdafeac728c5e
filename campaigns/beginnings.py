"""What the commands under trial read, made at the smallest size, and how they are called."""

from __future__ import annotations

import shutil
from pathlib import Path

import countedservers
from slant.cli import main
from slant.data.added import add_dataset
from slant.data.hashes import user_store

KEY = "sk-scripted-1234567890"
TINY = ("--epochs", "2", "--lr", "0.01", "--batch", "16", "--max-length", "16")
CELLS = ("--set", "near=1.0", "--set", "folds=2")
ONE = ("--jobs", "1", "-q")
TRAIN = ("train", "added/toy", "-s", "encoder:checkpoint", "-o", "detector", *TINY, "--set",
         "near=1.0", "-q")  # fmt: skip
STUDY = ("train", "babe", "-s", "encoder:checkpoint", "--seeds", "2", "--attention-lambda", "0.5",
         "-o", "study", *TINY, "--set", "near=1.0", "--data", "data", *ONE)  # fmt: skip
MERGE = ("annotate", "merge", "annotator-a.jsonl", "annotator-b.jsonl", "-o", "merged")
ASKING = ("--model-arg", "max_retries=0", "--max-retries", "0", "--max-connections", "4", "-q")
VILBIAS = ("vilbias", "run", "-m", "openai-api/scripted/vision", "--data", "open/pairs", "--items",
           "all", "--limit", "6", "--closed", "--open", "-o", "vilbias", *ASKING)  # fmt: skip
EMBED = ("embed", "train", "made/planted.jsonl", "-o", "emb", "--dimensions", "6", "--epochs", "2",
         "--bucket", "100", "--replicas", "3", *ONE)  # fmt: skip
ASSOC = ("assoc", "run", "one", "two", "--sets", "sets.json", "--tests", "x/y:a/b,x:a/b",
         "--method", "weat,weatvec", "--neighbours", "x1", "--measures", "rnd", "--outside",
         "q.csv:value", "--resamples", "100", "--permutations", "200", "-o", "run",
         *ONE)  # fmt: skip
JUDGE = ("-j", "openai-api/scripted/judge", "--planted", "1")


def called(*argv: str) -> None:
    """A command that must succeed."""
    try:
        main(argv)
    except SystemExit as exit_:
        if exit_.code:
            raise RuntimeError(f"slant {' '.join(argv)}: {exit_.code}") from None


def nothing() -> None:
    """A command that reads what is embedded."""


def news() -> None:
    """added/local, 60 sentences in two folds; and a user's predictions for them."""
    from made_news import write_news

    write_news(Path("news.csv"), 60, 1)
    add_dataset(
        "local", Path("news.csv"), text="sentence", label="biased", group="article",
        tasks=["reporting-level-bias"], store=user_store(), id_column="number",
    )  # fmt: skip
    called("data", "export", "added/local", "--set", "near=1.0", "-o", "rows.csv")
    import polars as pl

    rows = pl.read_csv("rows.csv", infer_schema=False)
    rows.select("id", pl.lit("1").alias("label")).write_csv("mine.csv")


def toy() -> None:
    """added/toy, whose labels only words tell, a tiny checkpoint, and texts to score."""
    from tiny_detector import made_texts, save_tiny, write_toy

    add_dataset(
        "toy", write_toy(Path("toy.csv"), 120), text="sentence", label="biased",
        tasks=["fake-news"], store=user_store(), licence="CC0 1.0",
    )  # fmt: skip
    save_tiny(Path("checkpoint").absolute(), "bert")
    Path("corpus.txt").write_text("\n".join(made_texts(120, 240)) + "\n")


def detector() -> None:
    """The toy, and a detector of it."""
    toy()
    called(*TRAIN)


def babe() -> None:
    """A BABE of marked words, and a tiny checkpoint."""
    from made_babe import write_babe
    from tiny_detector import save_tiny

    write_babe(Path("data"), 96, calm_marks=False)
    save_tiny(Path("checkpoint").absolute(), "bert")


def packed() -> None:
    """The marked words as an archive."""
    babe()
    shutil.make_archive("data", "zip", "data")


def study() -> None:
    """Models that were kept of two seeds."""
    babe()
    called(*STUDY)


def pages() -> None:
    """An XML dump of a wiki."""
    text = "".join(
        f"<page><title>T {n}</title><ns>0</ns><id>{n}</id><revision><id>{10 * n}</id>"
        f"<model>wikitext</model><text>Text of page {n}, a long one.</text></revision></page>\n"
        for n in range(1, 60)
    )
    space = '<namespaces><namespace key="0"/></namespaces>'
    info = f"<siteinfo><sitename>W</sitename><base>http://w.example/M</base>{space}</siteinfo>"
    Path("wiki.xml").write_text(f'<mediawiki version="0.11">{info}\n{text}</mediawiki>\n')


def planted() -> None:
    """A corpus of made sentences."""
    called("embed", "plant", "--out", "made", "--words", "3000", "--seed", "1")


def vectors() -> None:
    """Replicas of two embeddings, and word sets."""
    from made_vectors import write_lists, write_replicas

    for name in ("one", "two"):
        write_replicas(Path(name), range(2))
    write_lists(Path("sets.json"))
    Path("q.csv").write_text("word,value\nx1,1\nx2,2\nx3,3\n")


def articles() -> None:
    """Annotated articles that the scripted model knows."""
    from scriptedmodel import made_articles

    from slant.annotate.formats import write_annotated

    write_annotated(made_articles(countedservers.ARTICLES), Path("gold.jsonl"), format="jsonl")


def detectors_and_news() -> None:
    """A detector for `slant analyze`, and articles of two outlets."""
    from made_reading import write_articles

    detector()
    write_articles(Path("articles.jsonl"), 12)


def passes() -> None:
    """Two passes of annotators."""
    from importlib.resources import files

    samples = files("slant.data").joinpath("samples", "bait")
    for name in ("annotator-a", "annotator-b", "articles"):
        lines = samples.joinpath(f"{name}.jsonl").read_text("utf-8").splitlines()
        Path(f"{name}.jsonl").write_text("\n".join(lines[:8]) + "\n", "utf-8")


def merged() -> None:
    """Two passes merged, and every open case decided."""
    import csv

    passes()
    called(*MERGE)
    sheet = Path("merged/adjudication.csv")
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    with Path("decided.csv").open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, rows[0])
        writer.writeheader()
        writer.writerows({**row, "decision": "keep"} for row in rows)


def two_runs() -> None:
    """Two runs that can be compared."""
    news()
    for system in ("tfidf-lr", "majority"):
        called("run", "added/local", "-s", system, *CELLS, "-o", f"runs/{system}", *ONE)


def asked(url: str) -> None:
    """A run of pairs without judges, asked of the scripted model."""
    called(*VILBIAS, "--base-url", url)
