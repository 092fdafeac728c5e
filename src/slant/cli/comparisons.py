"""slant compare, report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from slant.cli.options import Data, Json, Quiet
from slant.cli.show import document, progress, say, table
from slant.errors import OptionError
from slant.stats.levels import level_percent

MOST_COMPARED_IN_PAIRS = 4


def compare(
    run_directories: Annotated[list[Path], typer.Argument(help="Two or more run directories.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder for table and plot.")
    ] = None,
    score_name: Annotated[
        str | None, typer.Option("--score", help="Else the preset's own.")
    ] = None,
    resamples: Annotated[int, typer.Option(min=100, help="Of each test.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Of the resampling.")] = 42,
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
        a, b = one["systems"] if len(set(one["systems"])) == 2 else one["runs"]
        columns = ["task", "n", a, b, f"{b} - {a}", "0 at |", "p bootstrap"]
        columns += ["p randomisation", "p Holm"]
        table(columns, rows, f"{one['score']}, {level_percent(one['level'])} intervals")
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

    A folder with explain.json or circuit.json, written by `slant explain` and `slant circuit`, has
    the page of a study of explanations instead.

    slant report runs/babe

    A folder with associations.json, written by `slant assoc run`, has the page of its tests.

    slant report runs/wikis

    A folder of `slant bait run` has the page of its benchmark, and one page for each article.

    slant report runs/bait

    A folder of `slant vilbias run` has the page of its answers and judges, and its pairs as cards.

    slant report runs/vilbias
    """
    from slant.report.page import write_report
    from slant.runs.associationrecords import is_associations
    from slant.runs.baitrecords import is_bait
    from slant.runs.comparing import compare as compare_runs
    from slant.runs.scoring import load_scores
    from slant.runs.studyrecords import is_study
    from slant.runs.vilbiasrecords import is_vilbias

    if any(is_associations(folder) for folder in run_directories):
        with progress(quiet or json_, "drawings") as told:
            paths = _association_files(run_directories, out, told)
        _written(paths, json_)
        return
    if any(is_bait(folder) for folder in run_directories):
        with progress(quiet or json_, "pages") as told:
            paths = _bait_files(run_directories, out, told)
        _written(paths, json_)
        return
    if any(is_vilbias(folder) for folder in run_directories):
        _written(_vilbias_files(run_directories, out), json_)
        return
    if any(is_study(folder) for folder in run_directories):
        _written(_study_files(run_directories, out), json_)
        return
    loaded = [load_scores(folder) for folder in run_directories]
    comparisons: list[dict[str, Any]] = []
    if len(loaded) > 1:
        with progress(quiet or json_, "comparisons") as told:
            comparisons = compare_runs(
                _best_first(run_directories, loaded), data=data, comparable=True, progress=told,
                pairs="all" if len(loaded) <= MOST_COMPARED_IN_PAIRS else "first",
            )  # fmt: skip
    own = run_directories[0] if len(run_directories) == 1 else Path("report")
    _written(write_report(loaded, comparisons, out or own), json_)


def _study_files(folders: list[Path], out: Path | None) -> list[Path]:
    from slant.report.studypage import write_study
    from slant.runs.studyrecords import is_study, read_study

    _alone(folders, is_study, "a study of explanations")
    found = read_study(folders[0])
    return write_study(found.explain, found.circuit, out or folders[0])


def _association_files(folders: list[Path], out: Path | None, told: Any) -> list[Path]:
    from slant.report.associationpage import write_associations
    from slant.runs.associationrecords import is_associations, read_associations

    _alone(folders, is_associations, "a run of associations")
    return write_associations(read_associations(folders[0]), out or folders[0], told)


def _bait_files(folders: list[Path], out: Path | None, told: Any) -> list[Path]:
    from slant.report.baitpage import write_bait
    from slant.runs.baitrecords import is_bait, read_bait_scores

    _alone(folders, is_bait, "a run of BAIT")
    return write_bait(read_bait_scores(folders[0]), folders[0], out or folders[0], told)


def _vilbias_files(folders: list[Path], out: Path | None) -> list[Path]:
    from slant.report.vilbiaspage import write_vilbias
    from slant.runs.vilbiasrecords import is_vilbias, read_vilbias_scores

    _alone(folders, is_vilbias, "a run of ViLBias")
    return write_vilbias(read_vilbias_scores(folders[0]), folders[0], out or folders[0])


def _alone(folders: list[Path], is_one: Callable[[Path], bool], what: str) -> None:
    if len(folders) > 1:
        raise OptionError(
            f"Writing the report of {len(folders)} folders",
            f"'{next(one for one in folders if is_one(one))}' is {what}",
            "Give it alone, or the run directories without it",
        )


def _written(paths: list[Path], json_: bool) -> None:
    if json_:
        document({"report": str(paths[0]), "files": [str(path) for path in paths]})
        return
    print(f"The report is {paths[0]}")


def _bar(row: dict[str, Any], rows: list[dict[str, Any]]) -> str:
    """The interval of a difference as characters, all rows on one scale, zero in the middle."""
    reach = max(abs(one[end]) for one in rows for end in ("low", "high")) or 1.0
    places = [round(10 + 10 * row[key] / reach) for key in ("low", "difference", "high")]
    cells = [" "] * 21
    cells[places[0] : places[2] + 1] = "-" * (places[2] - places[0] + 1)
    cells[10] = "|"
    cells[places[1]] = "o"
    return "".join(cells)


def _best_first(folders: list[Path], loaded: list[Any]) -> list[Path]:
    """Directories by the runs' mean micro F1: beside many runs, the best is the reference."""
    micro = [(scores["overall"].get("media_bias_micro") or {}).get("value") for _, scores in loaded]
    order = sorted(range(len(folders)), key=lambda i: (micro[i] is None, -(micro[i] or 0.0)))
    return [folders[i] for i in order]
