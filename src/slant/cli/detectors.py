"""slant train, predict."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from slant.cli.options import (
    Address,
    Batch,
    Changes,
    Data,
    Engine,
    Epochs,
    Gpus,
    Json,
    Lr,
    MaxLength,
    Parameters,
    PartOf,
    Precision,
    Preset,
    Quiet,
    command_line,
    pairs,
    seed_list,
    system_params,
)
from slant.cli.scoretables import show_lineup
from slant.cli.show import document, progress, say
from slant.errors import OptionError


def train(
    task: Annotated[str, typer.Argument(help="One task: mbib/racial-bias, open/sentences, ...")],
    system: Annotated[str, typer.Option("--system", "-s", help="encoder:NAME.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write.")],
    preset: Preset = "clean",
    set_: Changes = None,
    param: Parameters = None,
    epochs: Epochs = None,
    lr: Lr = None,
    batch: Batch = None,
    max_length: MaxLength = None,
    precision: Precision = None,
    seed: Annotated[int, typer.Option(min=0, help="Of folds and training of one detector.")] = 42,
    seeds: Annotated[
        str | None,
        typer.Option(help="Several models: how many (5: from 42 on), or which (42,43); see below."),
    ] = None,
    attention_lambda: Annotated[
        str | None,
        typer.Option(metavar="X", help="Weight of the loss that teaches attention; 0,0.5: both."),
    ] = None,
    targets: Annotated[
        str | None, typer.Option(help="majority, or annotators' shares; with a comma both.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Trainings at once, of --seeds.")] = None,
    run: Annotated[
        Path | None,
        typer.Option("--run", help="Take the scores of this run, and train on its test rows too."),
    ] = None,
    distil: Annotated[
        Path | None, typer.Option(help="Unlabelled corpus to teach the cascade on.")
    ] = None,
    text: Annotated[
        str | None, typer.Option(help="Column of the text in --distil; else 'text'.")
    ] = None,
    sample: Annotated[
        int, typer.Option(min=200, help="Texts of --distil that are taken, at most.")
    ] = 20_000,
    max_disagreement: Annotated[
        float, typer.Option(min=0, max=1, help="A bound that the card shows for the cascade.")
    ] = 0.01,
    data: Data = None,
    fresh: Annotated[bool, typer.Option(help="Replace a detector that is in --out.")] = False,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Train one detector on a task and keep it: weights, calibration, threshold, model card.

    With --seeds, train several models to compare and to explain: one run directory below --out for
    each condition (system, --attention-lambda, --targets), with predictions, scores and models of
    every seed. Defaults are then the explainability paper's table C1; of several --lr the one with
    the highest class F1 on dev is taken. The same command again resumes.

    Examples:

    slant train mbib/racial-bias --system encoder:minilm --out models/racial

    slant train mbib/racial-bias -s encoder:bert -o models/bert --epochs 3 --batch 16 --lr 3e-5

    slant train mbib/racial-bias -s encoder:minilm -o models/racial --run runs/minilm

    slant train open/sentences -s encoder:minilm -o models/open --distil corpus.parquet

    slant train babe -s encoder:minilm --seeds 5 --attention-lambda 0,0.5 --out runs/babe

    slant train babe -s encoder:minilm --seeds 5 --attention-lambda 0,0.2,0.5,1,2,5 -o runs/sweep

    slant train babe -s encoder:minilm --seeds 5 --lr 2e-5,5e-5,1e-4 --targets majority,shares -o r
    """
    if seeds is not None:
        detector_only = {"--run": run, "--distil": distil, "--text": text}
        for option, value in detector_only.items():
            if value is not None:
                found = "it is of one detector that is kept, and --seeds asks for several models"
                raise OptionError(f"Reading {option} {value}", found, "Leave one of them out")
        params = system_params(
            param, epochs=epochs, batch=batch, max_length=max_length, precision=precision
        )
        _train_study(
            task, system, out, seeds, params, attention_lambda, targets, lr, json_, quiet,
            {
                "preset": preset, "options": pairs(set_, "--set"), "jobs": jobs, "data": data,
                "fresh": fresh, "command": command_line(),
            },
        )  # fmt: skip
        return
    from slant.runs.detectors import train_detector
    from slant.runs.folders import detector_facts

    params = system_params(
        param,
        epochs=epochs,
        lr=lr,
        batch=batch,
        max_length=max_length,
        precision=precision,
        attention_lambda=attention_lambda,
        targets=targets,
    )
    with progress(quiet or json_, "steps") as told:
        folder = train_detector(
            task,
            system,
            out,
            params=params,
            preset=preset,
            options=pairs(set_, "--set"),
            seed=seed,
            run=run,
            distil=distil,
            text=text,
            sample=sample,
            max_disagreement=max_disagreement,
            data=data,
            fresh=fresh,
            progress=told,
            command=command_line(),
        )
    facts = detector_facts(folder)
    if json_:
        document(facts)
        return
    primary = facts["scores"]["scores"][f"micro_{facts['scores']['primary']}"]
    low, high = primary["low"], primary["high"]
    interval = "" if low is None else f" [{low:.3f}, {high:.3f}]"
    value = "-" if primary["value"] is None else f"{primary['value']:.3f}"
    print(f"{facts['scores']['primary']}\t{value}{interval}\t{facts['scores']['from']}")
    print(f"temperature\t{facts['temperature']:.3f}\tthreshold\t{facts['threshold']:.3f}")
    say(facts["signature"])
    say(f"wrote {folder}; its README.md says what it is and is not for")


def _train_study(
    task: str,
    system: str,
    out: Path,
    seeds: str,
    params: dict[str, str],
    lambdas: str | None,
    targets: str | None,
    rates: str | None,
    json_: bool,
    quiet: bool,
    same: dict[str, Any],
) -> None:
    from slant.runs.lineups import system_list
    from slant.runs.studies import train_study

    with progress(quiet or json_, "models") as told:
        runs = train_study(
            task, system_list(system), out, params=params, lambdas=(lambdas or "0").split(","),
            targets=(targets or "majority").split(","), rates=rates, seeds=seed_list(seeds),
            progress=told, **same,
        )  # fmt: skip
    show_lineup([one.folder for one in runs], json_)
    say(f"the models are kept; next: slant explain {out}")


def predict(
    detector: Annotated[Path, typer.Argument(help="A folder that `slant train` wrote.")],
    corpus: Annotated[
        Path, typer.Argument(help=".txt (a text per line), .csv, .tsv, .jsonl, .parquet.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The .parquet to write.")],
    text: Annotated[str | None, typer.Option(help="Column of the text; else 'text'.")] = None,
    id_: Annotated[
        str | None, typer.Option("--id", help="Column of the id; else 'id', else row numbers.")
    ] = None,
    runtime: Annotated[str, typer.Option(help="torch, onnx or cascade.")] = "torch",
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes; else one per core.")] = None,
    long: Annotated[
        str | None, typer.Option(help="window or cut; else as the detector was trained.")
    ] = None,
    max_disagreement: Annotated[
        float,
        typer.Option(min=0, max=1, help="Of the cascade with the encoder, as a share of all."),
    ] = 0.01,
    rows: Annotated[int, typer.Option(min=1, help="Of a shard.")] = 5000,
    sample: Annotated[
        int, typer.Option(min=200, help="Texts that a new cascade is taught on, at most.")
    ] = 20_000,
    fresh: Annotated[bool, typer.Option(help="Throw away what is in --out.")] = False,
    engine: Engine = "processes",
    address: Address = None,
    gpus_per_worker: Gpus = 0,
    part: PartOf = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Score a corpus of any length with a kept detector; the same command again goes on.

    Examples:

    slant predict models/racial corpus.parquet --out scored.parquet

    slant predict models/racial news.csv --text sentence --out scored.parquet --jobs 2

    slant predict models/racial corpus.jsonl -o scored.parquet --runtime cascade

    slant predict models/racial corpus.parquet -o scored.parquet --engine ray --gpus-per-worker 1

    slant predict models/racial corpus.parquet -o scored.parquet --part 3/8
    """
    from slant.runs.predicting import predict as predict_corpus

    with progress(quiet or json_, "rows") as told:
        done = predict_corpus(
            detector,
            corpus,
            out,
            text=text,
            id_=id_,
            runtime=runtime,
            jobs=jobs,
            long=long,
            max_disagreement=max_disagreement,
            rows=rows,
            sample=sample,
            fresh=fresh,
            progress=told,
            engine=engine,
            address=address,
            gpus_per_worker=gpus_per_worker,
            part=part,
        )
    if json_:
        document(done)
        return
    _show(done)


def _show(done: dict[str, Any]) -> None:
    if "part" in done:
        say(f"part {done['part']}, {done['rows']} rows, is done; after the last part the same")
        say("command without --part joins them")
        return
    print(f"{done['out']}\t{done['rows']} rows\t{done['biased']} biased")
    if done["blank"]:
        say(f"{done['blank']} rows have no text: their probability is null")
    if done["split"]:
        say(f"{done['split']} texts longer than max_length were split at the ends of sentences")
    if done["cut"]:
        say(f"{done['cut']} texts longer than max_length were cut")
    if done.get("bands"):
        say(
            f"the linear model answered {done['share_linear']:.1%}; on the sample "
            f"{done['bands']['disagreement']:.2%} of all answers were not the encoder's"
        )
    say(done["asked"]["signature"])
