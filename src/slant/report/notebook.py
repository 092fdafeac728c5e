"""A result in a notebook: its main tables, each with caption, intervals, controls, signature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final

from slant.errors import RunError
from slant.report.analysisarticles import article_answer, f1_line, heading
from slant.report.analysisgroups import left_out_board
from slant.report.analysisnotes import sentence_lines
from slant.report.associationboards import compared_board, effect_board, every_test
from slant.report.associations import associations
from slant.report.associationwordtables import fact_board
from slant.report.bait import bait
from slant.report.baitboards import leaderboard as bait_leaderboard
from slant.report.circuitboards import circuit_board, readings, setup_board
from slant.report.curveboards import comparison_board
from slant.report.entries import compared, entries
from slant.report.formats import table_html
from slant.report.page import rendered
from slant.report.scoreboards import fault_board, leaderboard, task_board
from slant.report.settings import settings
from slant.report.studies import study
from slant.report.studyboards import main_board, plausibility_board
from slant.report.tables import Cell, Row, Table
from slant.report.vilbias import vilbias
from slant.report.vilbiasboards import leaderboard as vilbias_leaderboard
from slant.report.vilbiasjudgeboards import gap_board
from slant.runs.articleresults import AnalysedFolder, Analyses
from slant.runs.records import read_record
from slant.runs.results import (
    AskedQuestions,
    Associations,
    BaitScores,
    Circuits,
    Comparisons,
    Explanations,
    RunResult,
    RunResults,
    Scores,
    VilbiasScores,
)

Read = Mapping[str, Any]
Drawn = tuple[list[str], list[Table | None]]
"""Sentences, and the tables below them."""
MOST_ROWS: Final = 40
"""Of so many sentences of an article the table has a row; `to_polars` has all."""


def notebook_html(result: Any) -> str:
    """A result as HTML for a notebook, light or dark; all text in it is escaped.

    Args:
        result: what a verb of `slant` returned.

    Returns:
        One element with a style of its own; its ids are those of no other result.

    Raises:
        TypeError: it is nothing that a verb returns.
    """
    lines, found = _drawn(result)
    tables = [table for table in found if table is not None]
    # Many results stand on one page, and a footnote must lead to its own.
    tables = [replace(table, name=f"{_digest(table)}-{table.name}") for table in tables]
    html = rendered("notebook.html.j2", lines=lines, tables=tables)
    # The same table may be shown in many cells, and landmarks of one name tell nobody where to go.
    return html.replace(' role="region"', ' role="group"')


def _digest(table: Table) -> str:
    return "s" + sha256(table_html(table).encode("utf-8", "replace")).hexdigest()[:10]


def _drawn(result: Any) -> Drawn:
    for kind, drawn in _DRAWN:
        if isinstance(result, kind):
            found: Drawn = drawn(result)
            return found
    raise TypeError(f"{type(result).__name__} is no result of slant")


def _scores(scores: Read) -> Drawn:
    return _runs([({}, scores)])


def _runs(loaded: Sequence[tuple[Read, Read]]) -> Drawn:
    every = entries(loaded)
    tables: list[Table | None] = []
    for number, setting in enumerate(settings(every), 1):
        if len(setting.tasks) > 1:
            tables.append(leaderboard(setting, f"means-{number}"))
        tables.append(task_board(setting, f"tasks-{number}"))
    return [], [*tables, fault_board(every)]


def _run_results(runs: Sequence[RunResult]) -> Drawn:
    loaded, lines = [], []
    for run in runs:
        try:
            loaded.append((read_record(run.folder), run.scores))
        except RunError as why:
            lines.append(f"{run.folder}: {run.system} has no scores yet. {why}")
    return (lines, _runs(loaded)[1]) if loaded else (lines or ["No run."], [])


def _comparisons(found: Comparisons) -> Drawn:
    names = compared(found)
    tables: list[Table | None] = [
        comparison_board(read, f"comparison-{i}", pair)
        for i, (read, pair) in enumerate(zip(found, names, strict=True), 1)
    ]
    return ([] if found else ["No pair of runs."]), tables


def _explanations(found: Explanations) -> Drawn:
    read = study(found, None)
    return [], [main_board(read, "models"), plausibility_board(read, "plausibility")]


def _circuits(found: Circuits) -> Drawn:
    read = study(None, found)
    first = readings(read)[:1]
    return [], [
        *(circuit_board(read, "circuits", one) for one in first),
        setup_board(read, "heads"),
    ]


def _associations(found: Associations) -> Drawn:
    read = associations(found)
    effects = effect_board(read, "effects")
    tests = every_test(read, "tests") if len(found["tests"]) <= MOST_ROWS else None
    return [], [effects, tests, compared_board(read, "compared"), fact_board(read, "facts")]


def _bait(found: BaitScores) -> Drawn:
    return [], [bait_leaderboard(bait(found), "leaderboard")]


def _vilbias(found: VilbiasScores) -> Drawn:
    read = vilbias(found)
    return [], [vilbias_leaderboard(read, "leaderboard"), gap_board(read, "gap")]


def _asked(found: AskedQuestions) -> Drawn:
    counts = found.to_polars("counts").rows()
    rows = tuple(Row((Cell(what.replace("_", " ")), Cell(n, "count"))) for what, n in counts)
    errors = tuple(
        Row(tuple(Cell(str(cell or "")) for cell in row))
        for row in found.to_polars("errors").rows()
    )
    failed = Table(
        "errors",
        "The first questions that failed; the same call again asks them.",
        ("model", "run", "item", "error"),
        errors,
    )
    lines = [f"{model}: {why}" for model, why in (found.get("stopped") or {}).items()]
    caption = "Questions of this run; the answers lie in its folder, and are scored from there."
    return lines, [Table("asked", caption, ("what", "questions"), rows), failed if errors else None]


def _analyses(found: Analyses) -> Drawn:
    lines = [f1_line(found[0]["detectors"])] if found else ["No article."]
    return lines, [_sentences(read, number) for number, read in enumerate(found, 1)]


def _sentences(read: Read, number: int) -> Table:
    """The sentences of one article, with every detector's verdict and what speaks for it."""
    several = len(read["detectors"]) > 1
    rows = []
    for place, line in enumerate(sentence_lines(read)):
        told, estimate, kinds, words, cues, triggers, said = line[1:]
        shown = [line[0], said, told, estimate, kinds, words, cues, triggers]
        if several:
            one = read["detectors"][place % len(read["detectors"])]
            shown.insert(2, str(one["name"]))
        rows.append(Row(tuple(Cell(text) for text in shown)))
    head = ("no.", "sentence", "verdict", "probability", "kinds", "words", "cues", "triggers")
    full = (*head[:2], "detector", *head[2:]) if several else head
    kept = [i for i in range(len(full)) if i < 3 or any(row.cells[i].value for row in rows)]
    notes = [read["article"]["why"]] if read["article"]["why"] else []
    if len(rows) > MOST_ROWS:
        notes.append(f"The first {MOST_ROWS} of {len(rows)} rows; to_polars() has all.")
    return Table(
        f"sentences-{number}",
        f"{heading(read['article'])}. {' '.join(article_answer(read))}",
        tuple(full[i] for i in kept),
        tuple(Row(tuple(row.cells[i] for i in kept)) for row in rows[:MOST_ROWS]),
        notes=tuple(notes),
    )


def _folder(found: AnalysedFolder) -> Drawn:
    rows = tuple(
        Row((Cell(name), Cell(found[name], "count"))) for name in ("articles", "sentences")
    )
    counted = Table(
        "analysed",
        f"Articles analysed into {found['out']}.",
        ("what", "number"),
        rows,
        notes=("slant.write_analysis makes a page of each article and of their groups.",),
        signature=str(found["signature"]),
    )
    return [], [counted, left_out_board(found["left_out"])]


_DRAWN: Final[tuple[tuple[type, Any], ...]] = (
    (Scores, _scores),
    (RunResult, lambda run: _run_results([run])),
    (RunResults, _run_results),
    (Comparisons, _comparisons),
    (Explanations, _explanations),
    (Circuits, _circuits),
    (Associations, _associations),
    (BaitScores, _bait),
    (VilbiasScores, _vilbias),
    (AskedQuestions, _asked),
    (Analyses, _analyses),
    (AnalysedFolder, _folder),
)
