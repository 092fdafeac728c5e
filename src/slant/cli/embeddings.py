"""slant embed train, analogies, neighbours, plant."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from slant.cli.options import Address, Engine, Json, Quiet, command_line, seed_numbers
from slant.cli.show import document, progress, say, table
from slant.errors import OptionError

if TYPE_CHECKING:
    from slant.embeddings.vectors import Vectors

app = typer.Typer(help="Train word vectors, and look at them.", no_args_is_help=True)

Files = Annotated[
    list[Path], typer.Argument(help="Files of vectors, or folders that `slant embed train` made.")
]
Outside = Annotated[
    str, typer.Option(help="A word outside the vocabulary: drop, or grams (fastText's n-grams).")
]


@app.command("train")
def train(
    corpus: Annotated[
        list[Path], typer.Argument(help="Pages or a table of texts, a folder or a file of texts.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder of the embedding.")],
    replicas: Annotated[int, typer.Option(min=1, max=9999, help="With the seeds 0, 1, ...")] = 8,
    seeds: Annotated[str | None, typer.Option(help="Their seeds instead: 3,4,5.")] = None,
    trainer: Annotated[str, typer.Option(help="gensim, or fasttext: the official one.")] = "gensim",
    algorithm: Annotated[str, typer.Option(help="skipgram or cbow.")] = "skipgram",
    dimensions: Annotated[int, typer.Option(help="Of a vector.")] = 168,
    alpha: Annotated[float, typer.Option(help="Learning rate of the first epoch.")] = 0.05,
    decay: Annotated[float, typer.Option(help="Of the rate, from epoch to epoch.")] = 0.95,
    patience: Annotated[
        int, typer.Option(help="Epochs without a better accuracy on analogies, then stop.")
    ] = 5,
    epochs: Annotated[
        int | None, typer.Option(help="So many instead; for fasttext 20 unless given.")
    ] = None,
    window: Annotated[int, typer.Option(help="Words to each side.")] = 5,
    negative: Annotated[int, typer.Option(help="Words drawn against each.")] = 5,
    sample: Annotated[float, typer.Option(help="Subsampling of frequent words; 0: none.")] = 1e-4,
    minn: Annotated[int, typer.Option(help="Shortest n-gram.")] = 3,
    maxn: Annotated[int, typer.Option(help="Longest n-gram.")] = 6,
    bucket: Annotated[
        int | None, typer.Option(help="n-gram vectors; 0: none. Else by the vocabulary.")
    ] = None,
    minimum: Annotated[int, typer.Option(help="Rarer words are left out.")] = 5,
    lower: Annotated[bool, typer.Option("--lower/--keep-case", help="Words in lower case.")] = True,
    alphabetic: Annotated[
        bool, typer.Option("--alphabetic/--all-tokens", help="Words of letters only.")
    ] = True,
    tokenizer: Annotated[str, typer.Option(help="nltk, or regex, which is faster.")] = "nltk",
    text: Annotated[
        str | None, typer.Option(help="Column of the texts; else text, or the only one.")
    ] = None,
    documents: Annotated[
        str, typer.Option(help="What a replica reads: all, bootstrap or shuffled.")
    ] = "all",
    questions: Annotated[
        Path | None, typer.Option(help="Analogies that stop a training; else Mikolov's.")
    ] = None,
    restrict: Annotated[
        int, typer.Option(min=1, help="Analogies among so many most frequent words.")
    ] = 300_000,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes; else one per core.")] = None,
    engine: Engine = "processes",
    address: Address = None,
    fresh: Annotated[bool, typer.Option(help="Start over in --out.")] = False,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Train replicas of fastText vectors on a corpus; the same command again resumes.

    Examples:

    slant embed train conservapedia.parquet --replicas 8 --out emb/conservapedia

    slant embed train texts.jsonl --text body --epochs 5 --dimensions 50 --bucket 0 -o emb/small

    slant embed train conservapedia.parquet --documents bootstrap --replicas 30 -o emb/drawn

    slant embed train conservapedia.parquet --trainer fasttext --epochs 10 -o emb/official
    """
    from slant.embeddings.corpus import Cleaning
    from slant.embeddings.settings import Settings
    from slant.runs.embeddingruns import train_embeddings

    chosen: Any = {
        "algorithm": algorithm, "dimensions": dimensions, "alpha": alpha, "decay": decay,
        "patience": patience, "epochs": epochs, "window": window, "negative": negative,
        "sample": sample, "minn": minn, "maxn": maxn, "bucket": bucket,
    }  # fmt: skip
    cleaned: Any = {
        "lower": lower, "alphabetic": alphabetic, "minimum": minimum, "tokenizer": tokenizer,
    }  # fmt: skip
    work: Any = {"trainer": trainer, "documents": documents}
    with progress(quiet or json_, "replicas") as told:
        record = train_embeddings(
            corpus, out,
            seeds=list(range(replicas)) if seeds is None else seed_numbers(seeds),
            settings=Settings(**chosen), cleaning=Cleaning(**cleaned), text=text,
            questions=questions, restrict=restrict, jobs=jobs, engine=engine, address=address,
            fresh=fresh, progress=told, command=command_line(), **work,
        )  # fmt: skip
    if json_:
        document(record)
        return
    for why in sorted({one["stopping"] for one in record["replicas"]} - {"analogies", "fixed"}):
        say(why)
    table(
        ["replica", "words", "tokens", "epochs", "kept", "analogies", "seconds"],
        [_replica_row(one) for one in record["replicas"]],
    )


def _replica_row(one: dict[str, Any]) -> list[str]:
    accuracy = one["epochs"][one["kept"] - 1]["accuracy"]
    seconds = sum(epoch["seconds"] for epoch in one["epochs"])
    return [
        str(one["seed"]), f"{one['words']:,}", f"{one['tokens']:,}", str(len(one["epochs"])),
        str(one["kept"]), "-" if accuracy is None else f"{accuracy:.3f} of {one['questions']:,}",
        f"{seconds:.0f}",
    ]  # fmt: skip


@app.command("analogies")
def analogies(
    files: Files,
    questions: Annotated[
        Path | None, typer.Option(help="In the format of questions-words.txt; else Mikolov's.")
    ] = None,
    restrict: Annotated[
        int, typer.Option(min=1, help="Only so many words, the first of the file, are known.")
    ] = 300_000,
    case: Annotated[
        str, typer.Option(help="any: capitals make no difference; exact: they do.")
    ] = "any",
    json_: Json = False,
) -> None:
    """Answer Mikolov's analogies: how many can be asked, and how many are right.

    Examples:

    slant embed analogies emb/conservapedia

    slant embed analogies googlenews.bin glove.txt --restrict 30000 --json
    """
    from slant.embeddings.analogies import analogy_accuracy, askable, read_questions

    if case not in ("any", "exact"):
        raise OptionError(f"Setting --case {case}", "it is neither any nor exact", "Give one")
    sections = read_questions(questions)
    found: list[dict[str, Any]] = []
    for name, vectors in _each(files):
        asked = askable(vectors.rows, sections, restrict=restrict, case=case)  # type: ignore[arg-type]
        answered = analogy_accuracy(vectors.matrix, asked)
        rows = [
            {"section": one.name, "right": one.right, "asked": one.asked, "of": one.of}
            for one in answered
        ]
        total: dict[str, Any] = {"section": "total"}
        total |= {
            key: sum(getattr(one, key) for one in answered) for key in ("right", "asked", "of")
        }
        found.append({"file": name, "sections": rows, "total": total})
    if json_:
        document({"files": found, "restrict": restrict, "case": case})
        return
    table(
        ["file", "section", "right", "asked", "of", "share"],
        [
            [one["file"], row["section"], str(row["right"]), str(row["asked"]), str(row["of"]),
             f"{row['right'] / row['asked']:.3f}" if row["asked"] else "-"]
            for one in found
            for row in [*one["sections"], one["total"]]
        ],
    )  # fmt: skip


@app.command("neighbours")
def neighbours(
    word: Annotated[str, typer.Argument(help="Whose neighbours.")],
    files: Files,
    top: Annotated[int, typer.Option(min=1, help="How many.")] = 10,
    case: Annotated[str, typer.Option(help="Of the word: exact, lower or any.")] = "any",
    outside: Outside = "drop",
    json_: Json = False,
) -> None:
    """The words nearest to a word in each embedding; of a folder the mean over its replicas.

    Examples:

    slant embed neighbours atheism emb/conservapedia emb/rationalwiki --top 5

    slant embed neighbours atheistic lee.bin --outside grams --json
    """
    from slant.embeddings.neighbours import neighbours as nearest
    from slant.embeddings.vectors import read_vectors
    from slant.errors import DataError

    for option, given, known in (
        ("case", case, ("exact", "lower", "any")), ("outside", outside, ("drop", "grams")),
    ):  # fmt: skip
        if given not in known:
            found = f"it is none of {', '.join(known)}"
            raise OptionError(f"Setting --{option} {given}", found, "Give one of them")
    near: dict[str, list[tuple[str, float]]] = {}
    for path in files:
        held = [read_vectors(one) for one in _files_of(path)]
        rule: Any = {"case": case, "outside": outside}
        made = nearest(held, word, top=top, **rule)
        if made is None:
            raise DataError(
                f"Looking for '{word}' in '{path}'", "it has no vector for this word",
                "Give a word of the corpus, or --outside grams for vectors of fastText",
            )  # fmt: skip
        near[str(path)] = made
    if json_:
        document({"word": word, "neighbours": near})
        return
    table(
        ["vectors", "rank", "word", "cosine"],
        [
            [name, str(rank), other, f"{cosine:.3f}"]
            for name, made in near.items()
            for rank, (other, cosine) in enumerate(made, 1)
        ],
    )


@app.command("plant")
def plant(
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder of the two corpora.")],
    words: Annotated[int, typer.Option(help="Of each corpus.")] = 30_000,
    strength: Annotated[
        float, typer.Option(help="Of the association, -1 to 1; 0: two null corpora.")
    ] = 0.8,
    seed: Annotated[int, typer.Option(min=0, help="Of the language and the sentences.")] = 0,
    size: Annotated[int, typer.Option(help="Words of each set.")] = 8,
    json_: Json = False,
) -> None:
    """Write two corpora that differ in one association only, and the tests that should tell.

    Example: slant embed plant --out made --words 30000 --strength 0.8 --seed 1
    """
    from slant.embeddings.planted import plant as write

    record = write(out, words=words, strength=strength, seed=seed, size=size)
    if json_:
        document(record)
        return
    for name, one in record["corpora"].items():
        say(f"{out / name}.jsonl: {one['words']:,} words in {one['texts']:,} texts")
    say(f"{out}/sets.json: the tests planted and control")


def _files_of(path: Path) -> list[Path]:
    from slant.embeddings.vectors import replica_files

    return replica_files(path) if path.is_dir() else [path]


def _each(paths: list[Path]) -> list[tuple[str, Vectors]]:
    from slant.embeddings.vectors import read_vectors

    return [(str(file), read_vectors(file)) for path in paths for file in _files_of(path)]
