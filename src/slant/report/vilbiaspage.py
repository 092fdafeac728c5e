"""The page of a scored run of ViLBias, its pairs as cards, and tables as files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from slant.errors import RunError
from slant.report.escaping import one_line
from slant.report.page import output_files, rendered
from slant.report.sentences import joined
from slant.report.tables import Table
from slant.report.vilbias import Read, Vilbias, vilbias
from slant.report.vilbiasboards import (
    confusion_board,
    fault_board,
    group_board,
    leaderboard,
    recipe_board,
    run_board,
    settings_board,
)
from slant.report.vilbiascards import cards_of, cards_page, page_names
from slant.report.vilbiasjudgeboards import (
    agreement_board,
    gap_board,
    human_board,
    judge_board,
    planted_board,
    reasoning_board,
)
from slant.report.vilbiasjudges import unjudged
from slant.report.vilbiaswords import pitfalls, vilbias_answers, vilbias_asked, vilbias_cautions
from slant.report.writing import write_files
from slant.runs.vilbiasfiles import read_gold
from slant.runs.vilbiasrecords import SCORE_AGAIN, read_human, read_outcomes


def write_vilbias(scores: Read, folder: Path, out: Path) -> list[Path]:
    """Writes the page of a scored run of ViLBias, and its pairs as cards.

    Args:
        scores: scores.json, checked.
        folder: of the run, with gold.jsonl, outcomes.jsonl and images.
        out: the directory to write into; made where it does not exist.

    Returns:
        The files: report.html first, then pairs*.html, images, tables/*.csv .md .tex.

    Raises:
        RunError: gold or outcomes are damaged, or do not belong together.
        WorkFailed: the disk did not take a file; then none is left.
    """
    found = vilbias(scores)
    gold = [one for _, one in sorted(read_gold(folder).items()) if one.role == "test"]
    cards, images, unknown = cards_of(found, gold, read_outcomes(folder), folder)
    if unknown or len(gold) != int(scores["pairs"]):
        said = (
            f"its outcomes tell of the pair '{min(unknown)}', which gold.jsonl lacks"
            if unknown
            else f"its scores are of {scores['pairs']} pairs, gold.jsonl has {len(gold)}"
        )
        raise RunError(f"Writing the page of '{folder}'", said, SCORE_AGAIN)
    names = page_names(len(cards))
    tables, html = vilbias_report(found, names, read_human(folder))
    files = {out / "report.html": html.encode()}
    for n, name in enumerate(names):
        files[out / name] = cards_page(found, cards, n).encode()
    files |= {out / path: content for path, content in images.items()}
    files |= output_files(tables, [], out)
    write_files(files)
    return list(files)


def vilbias_report(
    found: Vilbias, pages: Sequence[str], human: Read | None = None
) -> tuple[list[Table], str]:
    """All tables of a scored run of ViLBias, and its page; writes nothing.

    Args:
        found: what was read.
        pages: names of the files of its cards.
        human: human.json, checked; None where no one marked rationales.
    """
    made: dict[str, Table | None] = {
        "leaderboard": leaderboard(found, "leaderboard"),
        "runs": run_board(found, "runs"),
        "gap": gap_board(found, "gap"),
        "reasoning": reasoning_board(found, "reasoning"),
        "judges": judge_board(found, "judges"),
        "planted": planted_board(found, "planted"),
        "agreement": agreement_board(found, "agreement"),
        "human": human_board(found, human, "human"),
        "recipe": recipe_board(found, "recipe"),
        "confusion": confusion_board(found, "confusion"),
        "faults": fault_board(found, "faults"),
        "outlets": group_board(found, "outlets", "outlet"),
        "parts": group_board(found, "parts", "part"),
        "settings": settings_board(found, "settings"),
    }
    page = rendered(
        "vilbias.html.j2",
        title=joined([one.label for one in found.systems]) or "no answers",
        found=found,
        asked=vilbias_asked(found),
        answers=vilbias_answers(found),
        cautions=vilbias_cautions(found),
        notes=[one_line(str(one)) for one in found.read["notes"]],
        pitfalls=pitfalls(found),
        unjudged=unjudged(found),
        tables=made,
        pages=pages,
        version=str(found.read.get("slant", "")),
    )
    return [table for table in made.values() if table], page
