"""slant explain."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slant.cli.options import Data, Json, Quiet
from slant.cli.show import document, interval_text, progress, say, table
from slant.stats.levels import level_percent


def explain(
    run_directory: Annotated[
        Path, typer.Argument(help="A run that kept its models, or the folder above several.")
    ],
    methods: Annotated[
        str, typer.Option(help="all, fast (attention and gradients), or names with commas.")
    ] = "all",
    aggregation: Annotated[
        str, typer.Option(help="Tokens to words: max, sum, mean or first.")
    ] = "max",
    erase: Annotated[
        bool, typer.Option("--erase/--no-erase", help="Take words out of texts, too.")
    ] = True,
    sample: Annotated[
        int, typer.Option(min=0, help="Texts that slow methods and erasure see; 0 for all.")
    ] = 100,
    resamples: Annotated[int, typer.Option(min=100, help="Of the bootstrap.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Of the bootstrap.")] = 42,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes; else one per core.")] = None,
    data: Data = None,
    fresh: Annotated[bool, typer.Option(help="Make every file again.")] = False,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Plausibility and faithfulness of the explanations of kept models; the same again resumes.

    Examples:

    slant explain runs/babe --methods all

    slant explain runs/babe --methods cls-attention,rollout,gradient-attention --no-erase

    slant explain runs/babe/encoder-minilm --methods fast --aggregation sum --jobs 2
    """
    from slant.runs.explaining import explain as explain_runs
    from slant.runs.explaining import method_list

    with progress(quiet or json_, "files") as told:
        found = explain_runs(
            run_directory,
            methods=method_list(methods),
            aggregation=aggregation,  # type: ignore[arg-type]
            erase=erase,
            sample=sample,
            resamples=resamples,
            seed=seed,
            jobs=jobs,
            data=data,
            fresh=fresh,
            progress=told,
        )
    if json_:
        document(found)
        return
    models = found["models"].values()
    rows = [
        [name, *(interval_text(one["plausibility"][name]["auroc"]) for one in models)]
        for name in next(iter(models))["plausibility"]
    ]
    for name, one in found["baselines"].items():
        rows.append([name, *[interval_text(one["auroc"])] * len(models)])
    f1s = (interval_text(one["classification"]["class_f1"]) for one in models)
    rows.append(["class F1", *f1s])
    head = ["AUROC of marked words", *found["models"]]
    table(head, rows, f"{level_percent(found['level'])} intervals over texts, means over seeds")
    say(f"wrote {run_directory / 'explain.json'}; next: slant report {run_directory}")
