"""The report: one self-contained HTML file, with its tables and figures as files beside it."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from slant.report.curveboards import (
    bin_board,
    calibration_board,
    comparison_board,
    learning_board,
    learning_curves,
)
from slant.report.curveplots import comparison_figure, learning_figure, reliability_figure
from slant.report.datatables import (
    absent_table,
    data_table,
    left_out_table,
    missing_table,
    training_table,
)
from slant.report.drawings import figure_html, figure_pdf, figure_svg
from slant.report.entries import compared, entries, require
from slant.report.figures import Figure
from slant.report.formats import table_csv, table_html, table_latex, table_markdown, unbroken
from slant.report.scoreboards import (
    confusion_board,
    dataset_board,
    every_score,
    fault_board,
    leaderboard,
    task_board,
)
from slant.report.scoreplots import dataset_figure, task_figure
from slant.report.sentences import answers, asked, joined, quotes
from slant.report.settings import Setting, settings
from slant.report.tables import Table
from slant.report.writing import write_files

if TYPE_CHECKING:
    from jinja2 import Environment

Read = Mapping[str, Any]
FEW_ERRORS = 20
"""Up to so many quoted errors are shown without being asked for."""
COMPARED = ("signatures", "systems", "score", "level", "resamples", "tasks")


def write_report(
    runs: Sequence[tuple[Read, Read]], comparisons: Sequence[Read], out: Path
) -> list[Path]:
    """Writes the report of some runs.

    Rule: everything is made before the first file is written; all files are written under other
    names and then renamed, so that a full disk leaves none.

    Args:
        runs: pairs of run.json and scores.json, read.
        comparisons: each a compare.json, read; may be empty.
        out: the directory to write into; made where it does not exist.

    Returns:
        The files: report.html first, then tables/*.csv .md .tex and figures/*.svg .pdf.

    Raises:
        RunError: no run was given, or one lacks what a report needs.
        WorkFailed: the disk did not take a file.
    """
    tables, figures, html = report(runs, comparisons)
    files = {out / "report.html": html.encode(), **output_files(tables, figures, out)}
    write_files(files)
    return list(files)


def write_comparison(comparisons: Sequence[Read], out: Path) -> list[Path]:
    """Writes what `slant compare` found: compare.json, tables and forest plots.

    Args:
        comparisons: each a compare.json, read.
        out: the directory to write into; made where it does not exist.

    Returns:
        The files: compare-N.json first, then tables/ and figures/ as in `write_report`.

    Raises:
        WorkFailed: the disk did not take a file.
    """
    numbered = list(enumerate(comparisons, 1))
    names = compared(comparisons)
    tables = [comparison_board(read, f"comparison-{i}", names[i - 1]) for i, read in numbered]
    drawn = [comparison_figure(read, f"comparison-{i}", names[i - 1]) for i, read in numbered]
    files = {
        out / f"compare-{i}.json": (json.dumps(read, indent=1) + "\n").encode()
        for i, read in numbered
    }
    files |= output_files(tables, [figure for figure in drawn if figure], out)
    write_files(files)
    return list(files)


def output_files(
    tables: Sequence[Table], figures: Sequence[Figure], out: Path
) -> dict[Path, bytes]:
    """What stands beside a page: path -> content of each table and figure in each format."""
    files: dict[Path, bytes] = {}
    for table in tables:
        stem = out / "tables" / table.name
        files[stem.with_suffix(".csv")] = table_csv(table).encode()
        files[stem.with_suffix(".md")] = table_markdown(table).encode()
        files[stem.with_suffix(".tex")] = table_latex(table).encode()
    for figure in figures:
        stem = out / "figures" / figure.name
        files[stem.with_suffix(".svg")] = figure_svg(figure).encode()
        files[stem.with_suffix(".pdf")] = figure_pdf(figure)
    return files


def report(
    runs: Sequence[tuple[Read, Read]], comparisons: Sequence[Read]
) -> tuple[list[Table], list[Figure], str]:
    """All tables and figures of a report, and its page; writes nothing.

    Args and Raises: as in `write_report`.
    """
    every = entries(runs)
    groups = settings(every)
    parts = [_part(setting, "" if i == 1 else f"-{i}") for i, setting in enumerate(groups, 1)]
    for i, read in enumerate(comparisons, 1):
        require(read, COMPARED, f"compare.json {i}", "slant compare")
    pairs = [
        (
            names,
            comparison_board(read, f"comparison-{i}", names),
            comparison_figure(read, f"comparison-{i}", names),
        )
        for i, (read, names) in enumerate(
            zip(comparisons, compared(comparisons, every), strict=True), 1
        )
    ]
    sources = [
        table
        for table in (
            data_table(every),
            left_out_table(every),
            missing_table(every),
            absent_table(every),
            training_table(every),
        )
        if table
    ]
    faults = fault_board(every)
    subjects = [entry for setting in groups for entry in setting.entries]
    errors = [(entry, list(quotes(entry))) for entry in every if entry in subjects]
    tables = [table for part in parts for table in part["tables"].values()]
    tables += [table for _, table, _ in pairs] + sources + ([faults] if faults else [])
    figures = [figure for part in parts for figure in part["figures"].values()]
    figures += [figure for _, _, figure in pairs if figure]
    page = rendered(
        "report.html.j2",
        title=joined([entry.label for entry in every]),
        parts=parts,
        pairs=pairs,
        sources=sources,
        faults=faults,
        every=every,
        errors=errors,
        few=sum(len(found) for _, by_task in errors for _, found in by_task) <= FEW_ERRORS,
        learning=any("learning" in part["tables"] for part in parts),
        benchmark=any(task.startswith("mbib/") for entry in every for task in entry.tasks),
        version=str(every[0].scores.get("slant", "")),
    )
    return tables, figures, page


def _part(setting: Setting, suffix: str) -> dict[str, Any]:
    tables = {
        "leaderboard": leaderboard(setting, f"leaderboard{suffix}"),
        "tasks": task_board(setting, f"tasks{suffix}"),
        "datasets": dataset_board(setting, f"data-sets{suffix}"),
        "confusion": confusion_board(setting, f"confusion{suffix}"),
        "calibration": calibration_board(setting, f"calibration{suffix}"),
        "bins": bin_board(setting, f"reliability{suffix}"),
        "learning": learning_board(setting, f"learning{suffix}"),
        "scores": every_score(setting, f"scores{suffix}"),
    }
    figures = {
        "tasks": task_figure(setting, f"tasks{suffix}"),
        "datasets": dataset_figure(setting, f"data-sets{suffix}"),
        "reliability": reliability_figure(setting, f"reliability{suffix}"),
        "learning": learning_figure(learning_curves(setting), f"learning{suffix}"),
    }
    return {
        "name": setting.name,
        "asked": asked(setting),
        "answers": answers(setting),
        "lists": len(setting.task_lists),
        "tables": {key: table for key, table in tables.items() if table},
        "figures": {key: figure for key, figure in figures.items() if figure},
    }


def rendered(template: str, **context: Any) -> str:
    """A page of the package's templates; all text in it is escaped."""
    return str(_environment().get_template(template).render(context))


@cache
def inline_script(template: str) -> tuple[Markup, str]:
    """A script for within a page, and its sha256 in base64, by which the page's policy knows it."""
    script = rendered(template)
    return Markup(script), base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


@cache
def _environment() -> Environment:
    # Compiling templates anew for each page of many would take most of the time.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("slant.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(table=table_html, figure=figure_html, whole=unbroken)
    return environment
