"""The page of a study of explanations, with its tables and figures as files beside it."""

from __future__ import annotations

from pathlib import Path

from slant.report.circuitboards import (
    circuit_board,
    effect_board,
    meeting_board,
    reading_text,
    readings,
    setup_board,
)
from slant.report.circuitplots import circuit_figure, effect_figure
from slant.report.erasureboards import REMOVAL_NAMES, difference_board, erasure_boards
from slant.report.figures import Figure
from slant.report.page import output_files, rendered
from slant.report.sentences import joined
from slant.report.shadings import shading
from slant.report.studies import KIND_NAMES, Read, Study, study
from slant.report.studyboards import (
    class_board,
    main_board,
    plausibility_board,
    sentence_board,
    sweep_board,
)
from slant.report.studyplots import meeting_figure
from slant.report.studywords import study_answers, study_asked
from slant.report.tables import Table
from slant.report.writing import write_files


def write_study(explain: Read | None, circuit: Read | None, out: Path) -> list[Path]:
    """Writes the page of a study.

    Args:
        explain, circuit: explain.json and circuit.json, checked; one of them may be None.
        out: the directory to write into; made where it does not exist.

    Returns:
        The files: report.html first, then tables/*.csv .md .tex and figures/*.svg .pdf.

    Raises:
        WorkFailed: the disk did not take a file; then none is left.
    """
    tables, figures, html = study_report(study(explain, circuit))
    files = {out / "report.html": html.encode(), **output_files(tables, figures, out)}
    write_files(files)
    return list(files)


def study_report(found: Study) -> tuple[list[Table], list[Figure], str]:
    """All tables and figures of a study, and its page; writes nothing."""
    tables = {
        "main": main_board(found, "models"),
        "plausibility": plausibility_board(found, "plausibility"),
        "pooled": plausibility_board(found, "plausibility-pooled", pooled=True),
        "sentences": sentence_board(found, "sentences"),
        "sweep": sweep_board(found, "lambda"),
        "classes": class_board(found, "classes"),
        "differences": difference_board(found, "differences"),
        "meeting": meeting_board(found, "plausibility-retention"),
        "setup": setup_board(found, "heads"),
    }
    erasure = list(erasure_boards(found, "erasure").items())
    curves = []
    for reading in readings(found):
        name = f"circuits-{reading[0]}-{reading[1].replace('_', '-')}"
        board = circuit_board(found, name, reading)
        if board:
            drawn = circuit_figure(found, name, name, reading)
            curves.append((reading_text(reading), board, drawn))
    effects = []
    for kind in ("excess", "words"):
        name = f"effects-{kind}"
        if board := effect_board(found, name, kind):
            effects.append((KIND_NAMES[kind], board, effect_figure(found, name, name, kind)))
    order = readings(found)
    meeting = meeting_figure(found, "plausibility-retention", "plausibility-retention", order[0]) \
        if order else None  # fmt: skip
    every = [table for table in tables.values() if table]
    every += [table for _, table in erasure]
    every += [table for _, table, _ in (*curves, *effects)]
    figures = [figure for _, _, figure in (*curves, *effects) if figure]
    figures += [meeting] if meeting else []
    page = rendered(
        "study.html.j2",
        title=joined([one.label for one in found.subjects]),
        study=found,
        asked=study_asked(found),
        answers=" ".join(study_answers(found)),
        tables=tables,
        erasure=[(REMOVAL_NAMES[removal], table) for removal, table in erasure],
        curves=curves,
        effects=effects,
        meeting=meeting,
        shading=shading(found),
        version=str((found.explain or found.circuit or {}).get("slant", "")),
    )
    return every, figures, page
