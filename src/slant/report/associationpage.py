"""The page of a run of associations, with its tables and figures as files beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from slant.report.associationboards import compared_board, effect_board, every_test, size_board
from slant.report.associationchecks import (
    fisher_board,
    measure_board,
    replica_board,
    robustness_board,
)
from slant.report.associationplots import words_figure
from slant.report.associations import Associations, Read, associations, method_name
from slant.report.associationtables import (
    corpus_board,
    coverage_board,
    left_out_board,
    overlap_board,
    settings_board,
)
from slant.report.associationwords import (
    associations_answers,
    associations_asked,
    associations_cautions,
    outside_answer,
)
from slant.report.associationwordtables import (
    fact_board,
    fact_words_boards,
    neighbour_board,
    words_board,
)
from slant.report.drawings import figure_html
from slant.report.figures import Figure
from slant.report.page import output_files, rendered
from slant.report.replicaplots import replica_figure
from slant.report.sentences import joined
from slant.report.tables import Table
from slant.report.writing import write_files
from slant.runs.engine import Progress

MOST_DRAWN = 24
"""Of so many tests the words are drawn; all have their table."""


def write_associations(
    read: Read, out: Path, progress: Progress = lambda done, total, what: None
) -> list[Path]:
    """Writes the page of a run of associations.

    Args:
        read: associations.json, checked.
        out: the directory to write into; made where it does not exist.
        progress: called with drawings done, drawings in all, and what is drawn.

    Returns:
        The files: report.html first, then tables/*.csv .md .tex and figures/*.svg .pdf.

    Raises:
        WorkFailed: the disk did not take a file; then none is left.
    """
    tables, figures, html = associations_report(associations(read), progress)
    files = {out / "report.html": html.encode(), **output_files(tables, [], out)}
    for number, figure in enumerate(figures, 1):
        files |= output_files([], [figure], out)
        progress(len(figures) + number, 2 * len(figures), figure.name)
    write_files(files)
    return list(files)


def associations_report(
    found: Associations, progress: Progress = lambda done, total, what: None
) -> tuple[list[Table], list[Figure], str]:
    """All tables and figures of a run of associations, and its page; writes nothing.

    Args:
        found: what was read.
        progress: as in `write_associations`; the page has half of all drawings.
    """
    made: dict[str, Table | None] = {
        "effects": effect_board(found, "effects"),
        "tests": every_test(found, "tests"),
        "sizes": size_board(found, "sizes"),
        "replicas": replica_board(found, "replicas"),
        "fisher": fisher_board(found, "fisher"),
        "robustness": robustness_board(found, "robustness"),
        "compared": compared_board(found, "compared"),
        "measures": measure_board(found, "measures"),
        "facts": fact_board(found, "facts"),
        "neighbours": neighbour_board(found, "neighbours"),
        "coverage": coverage_board(found, "coverage"),
        "left_out": left_out_board(found, "left-out"),
        "overlap": overlap_board(found, "overlap"),
        "corpora": corpus_board(found, "corpora"),
        "settings": settings_board(found, "settings"),
    }
    tables = {key: table for key, table in made.items() if table}
    words = _words(found)
    fact_words = fact_words_boards(found, "fact-words")
    spreads = []
    if "replicas" in tables or "tests" in tables:
        table = "replicas" if "replicas" in tables else "tests"
        for method in found.methods:
            figure = replica_figure(found, method, f"replicas-{method}", table)
            if figure:
                spreads.append((method_name(method), figure))
    every = [*tables.values(), *(one["table"] for one in words), *(t for _, t in fact_words)]
    figures: list[Figure] = [one["figure"] for one in words if one["figure"]]
    figures += [figure for _, figure in spreads]
    drawings = {}
    for number, one in enumerate(figures, 1):
        drawings[one.name] = figure_html(one)
        progress(number, 2 * len(figures), one.name)
    page = rendered(
        "associations.html.j2",
        title=joined(list(found.corpora)),
        found=found,
        asked=associations_asked(found),
        answers=" ".join(associations_answers(found)),
        cautions=" ".join(associations_cautions(found)),
        outside=outside_answer(found),
        tables=made,
        words=words,
        drawn=any(one["figure"] for one in words),
        fact_words=fact_words,
        spreads=spreads,
        drawings=drawings,
        version=str(found.read["slant"]),
    )
    return every, figures, page


def _words(found: Associations) -> list[dict[str, Any]]:
    # WEFAT, which the paper draws, is the h of WEAT; the other is drawn only where it stands alone.
    made: list[dict[str, Any]] = []
    for question in found.questions:
        for method in found.methods[:1]:
            name = f"words-{question.slug}"
            if table := words_board(found, question, method, name):
                figure = None
                if sum(one["figure"] is not None for one in made) < MOST_DRAWN:
                    figure = words_figure(found, question, method, name, name)
                made.append({"label": question.label, "table": table, "figure": figure})
    return made
