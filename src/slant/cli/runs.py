"""slant run, score, compare, report, systems."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from slant.cli.options import (
    Address,
    Changes,
    Data,
    Engine,
    Gpus,
    Json,
    Parameters,
    PartOf,
    Preset,
    Quiet,
    command_line,
    pairs,
)
from slant.cli.show import document, progress, say, table
from slant.errors import OptionError

MOST_COMPARED_IN_PAIRS = 4


def run(
    tasks: Annotated[list[str], typer.Argument(help="mbib, mbib/racial-bias, mbib/072, ...")],
    system: Annotated[str, typer.Option("--system", "-s", help="See `slant systems`.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The run directory.")],
    preset: Preset = "clean",
    set_: Changes = None,
    param: Parameters = None,
    seeds: Annotated[str, typer.Option("--seeds", "--seed", help="One or more: 42,43,44.")] = "42",
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes; else one per core.")] = None,
    data: Data = None,
    fresh: Annotated[bool, typer.Option(help="Start over in --out.")] = False,
    engine: Engine = "processes",
    address: Address = None,
    gpus_per_worker: Gpus = 0,
    part: PartOf = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run a system on benchmark tasks and score it; the same command again resumes.

    Examples:

    slant run mbib/racial-bias mbib/gender-bias -s minilm-lr --out runs/minilm --jobs 2

    slant run mbib/fake-news -s tfidf-lr -p C=0.5 --preset official -o runs/official

    slant run open/sentences -s predictions:mine.csv --set folds=10 -o runs/mine

    slant run mbib -s encoder:minilm -o runs/enc --engine ray --address 10.0.0.1:6379

    slant run mbib -s encoder:minilm -o runs/enc --part 3/8
    """
    from slant.runs.run import run as run_tasks

    with progress(quiet or json_, "cells") as told:
        done = run_tasks(
            tasks,
            system,
            out,
            params=pairs(param, "--param"),
            preset=preset,
            options=pairs(set_, "--set"),
            seeds=_seeds(seeds),
            jobs=jobs,
            data=data,
            fresh=fresh,
            progress=told,
            command=command_line(),
            engine=engine,
            address=address,
            gpus_per_worker=gpus_per_worker,
            part=part,
        )
    if part is None:
        _show_scores(done.folder, json_)
        return
    say(f"part {part} is done; after the last one the same command without --part scores")
    if json_:
        document({"run": str(done.folder), "part": part})


def score(
    run_directory: Annotated[Path, typer.Argument(help="A run directory.")],
    data: Data = None,
    json_: Json = False,
) -> None:
    """Score a run again from its cells, without predicting again.

    Example: slant score runs/tfidf
    """
    from slant.runs.scoring import score as score_run

    score_run(run_directory, data=data)
    _show_scores(run_directory, json_)


def compare(
    run_directories: Annotated[list[Path], typer.Argument(help="Two or more run directories.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder for table and plot.")
    ] = None,
    score_name: Annotated[
        str | None, typer.Option("--score", help="Else the preset's own.")
    ] = None,
    resamples: Annotated[int, typer.Option(min=100, help="Of each test.")] = 10_000,
    seed: Annotated[int, typer.Option(help="Of the resampling.")] = 42,
    data: Data = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Test the differences between runs over the same test items, task by task.

    Paired bootstrap and approximate randomisation, Holm over the tasks.

    Examples:

    slant compare runs/tfidf runs/minilm

    slant compare runs/tfidf runs/minilm --out runs/difference --score micro_class_f1
    """
    from slant.report.page import write_comparison
    from slant.runs.comparing import compare as compare_runs

    with progress(quiet or json_, "tasks") as told:
        found = compare_runs(
            run_directories,
            score=score_name,
            resamples=resamples,
            seed=seed,
            data=data,
            progress=told,
        )
    if out is not None:
        for path in write_comparison(found, out):
            say(f"wrote {path}")
    if json_:
        document(found if len(found) != 1 else found[0])
        return
    for one in found:
        rows = [
            [
                row["task"],
                str(row["n"]),
                f"{row['a']:.3f}",
                f"{row['b']:.3f}",
                f"{row['difference']:+.3f} [{row['low']:+.3f}, {row['high']:+.3f}]",
                _bar(row, one["tasks"]),
                f"{row['p_bootstrap']:.4f}",
                f"{row['p_randomisation']:.4f}",
                f"{row['p_holm']:.4f}",
            ]
            for row in one["tasks"]
        ]
        a, b = one["systems"]
        columns = ["task", "n", a, b, f"{b} - {a}", "0 at |", "p bootstrap"]
        columns += ["p randomisation", "p Holm"]
        table(columns, rows, f"{one['score']}, {one['level']:.0%} intervals")
        for signature in one["signatures"]:
            say(signature)


def report(
    run_directories: Annotated[list[Path], typer.Argument(help="One or more run directories.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="Folder for page and tables; else the one run's own, or report/."
        ),
    ] = None,
    data: Data = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write one self-contained HTML page, and its tables as .tex .md .csv, from runs.

    Examples:

    slant report runs/*

    slant report runs/tfidf

    slant report runs/tfidf runs/minilm --out paper
    """
    from slant.report.page import write_report
    from slant.runs.comparing import compare as compare_runs
    from slant.runs.scoring import load_scores

    loaded = [load_scores(folder) for folder in run_directories]
    comparisons = []
    if len(loaded) > 1:
        with progress(quiet or json_, "comparisons") as told:
            comparisons = compare_runs(
                _best_first(run_directories, loaded), data=data, comparable=True, progress=told,
                pairs="all" if len(loaded) <= MOST_COMPARED_IN_PAIRS else "first",
            )  # fmt: skip
    own = run_directories[0] if len(run_directories) == 1 else Path("report")
    paths = write_report(loaded, comparisons, out or own)
    if json_:
        document({"report": str(paths[0]), "files": [str(path) for path in paths]})
        return
    print(f"The report is {paths[0]}")


def _best_first(folders: list[Path], loaded: list[Any]) -> list[Path]:
    """Directories by the runs' mean micro F1: beside many runs, the best is the reference."""
    micro = [(scores["overall"].get("media_bias_micro") or {}).get("value") for _, scores in loaded]
    order = sorted(range(len(folders)), key=lambda i: (micro[i] is None, -(micro[i] or 0.0)))
    return [folders[i] for i in order]


def systems(json_: Json = False) -> None:
    """List the systems and their parameters.

    Example: slant systems
    """
    from slant.systems import SYSTEMS

    if json_:
        document(
            {
                name: {"version": one.version, "says": one.says, "extra": one.extra,
                       "parameters": [key.name for key in one.accepts]}
                for name, one in SYSTEMS.items()
            }
        )  # fmt: skip
        return
    rows = [
        [name, one.says, ", ".join(key.name for key in one.accepts), one.extra or ""]
        for name, one in SYSTEMS.items()
    ]
    table(["system", "what it does", "parameters", "extra"], rows)


def _show_scores(folder: Path, json_: bool) -> None:
    from slant.runs.scoring import load_scores

    asked, scores = load_scores(folder)
    if json_:
        document(scores)
        return
    average = scores["primary"]
    rows = []
    for name, task in scores["tasks"].items():
        cells = [name, str(task["n"])]
        for kind in (f"micro_{average}", f"group_{average}", "accuracy", "mcc", "auroc"):
            cells.append(_interval(task["scores"].get(kind, {})))
        rows.append(cells)
        for control, by_task in scores["controls"].items():
            shown = by_task.get(name, {})
            cells = [_interval(shown.get(f"{kind}_{average}", {})) for kind in ("micro", "group")]
            rows.append([f"  control: {control}", "", *cells, "", "", ""])
    table(["task", "n", f"micro {average}", f"group {average}", "accuracy", "MCC", "AUROC"], rows)
    for name, one in scores["overall"].items():
        say(f"{name}: {_interval(one)}")
    for one in scores["data"]:
        if one["state"] != "complete":
            say(f"{one['dataset']} is {one['state']}: {' '.join(one['notes'])}")
    for one in asked.get("absent", []):
        say(f"left out {one['task']}: {one['why']}")
    say(scores["signature"])


def _interval(one: dict[str, Any]) -> str:
    if one.get("value") is None:
        return "-"
    if one.get("low") is None:
        return f"{one['value']:.3f}"
    return f"{one['value']:.3f} [{one['low']:.3f}, {one['high']:.3f}]"


def _bar(row: dict[str, Any], rows: list[dict[str, Any]]) -> str:
    """The interval of a difference as characters, all rows on one scale, zero in the middle."""
    reach = max(abs(one[end]) for one in rows for end in ("low", "high")) or 1.0
    places = [round(10 + 10 * row[key] / reach) for key in ("low", "difference", "high")]
    cells = [" "] * 21
    cells[places[0] : places[2] + 1] = "-" * (places[2] - places[0] + 1)
    cells[10] = "|"
    cells[places[1]] = "o"
    return "".join(cells)


def _seeds(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise OptionError(
            f"Reading --seeds '{text}'",
            "it is not a list of whole numbers",
            "Write for example 42,43",
        ) from None
