"""The page of a scored run of BAIT, a page for each article, and tables and figures as files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from slant.annotate.formats import read_annotated
from slant.errors import RunError
from slant.report.bait import Bait, Read, bait, models_text
from slant.report.baitarticles import Article, add_run, article_of, article_page, file_names
from slant.report.baitbiasboards import bias_board, count_board
from slant.report.baitboards import (
    article_board,
    draws_board,
    leaderboard,
    overlap_board,
    without_board,
)
from slant.report.baitcueboards import (
    ALL,
    Landings,
    add_landing,
    cue_board,
    cue_points,
    landing_board,
    no_landings,
)
from slant.report.baitgoldboards import (
    agreement_boards,
    fault_board,
    gold_board,
    remark_board,
    step_board,
)
from slant.report.baitindexboards import index_board, settings_board, system_board
from slant.report.baitmaps import cue_figure, landing_figure, map_figure
from slant.report.baitnames import family_name
from slant.report.baitplots import count_figure, gain_figure
from slant.report.baittestboards import families, test_boards
from slant.report.baitwords import bait_answers, bait_asked, bait_cautions
from slant.report.figures import Figure
from slant.report.page import output_files, rendered
from slant.report.sentences import joined
from slant.report.tables import Table
from slant.report.writing import write_files
from slant.runs.baitrecords import SCORE_AGAIN, read_fates
from slant.runs.engine import Progress
from slant.types import Example


def write_bait(
    scores: Read,
    folder: Path,
    out: Path,
    progress: Progress = lambda done, total, what: None,
) -> list[Path]:
    """Writes the page of a scored run of BAIT and one for each article.

    Args:
        scores: scores.json, checked.
        folder: of the run, with gold.jsonl and the fates.
        out: the directory to write into; made where it does not exist.
        progress: called with drawings done, drawings in all, and what is drawn.

    Returns:
        The files: report.html first, then articles/*.html, tables/*.csv .md .tex and
        figures/*.svg .pdf.

    Raises:
        RunError: the fates are damaged, or are of other articles than the gold.
        WorkFailed: the disk did not take a file; then none is left.
    """
    found = bait(scores)
    gold = read_annotated(folder / "gold.jsonl", format="jsonl")
    articles, landed = told_articles(found, gold, read_fates(folder), str(folder))
    names = file_names([one.example.item.id for one in articles])
    tables, figures, html = bait_report(found, articles, names, landed)
    files = {out / "report.html": html.encode()}
    for i, article in enumerate(articles):
        page = article_page(found, article, names, i)
        files[out / "articles" / names[i]] = page.encode()
    files |= output_files(tables, [], out)
    for number, figure in enumerate(figures, 1):
        files |= output_files([], [figure], out)
        progress(number, len(figures), figure.name)
    write_files(files)
    return list(files)


def told_articles(
    found: Bait, gold: Sequence[Example], fates: Iterable[Read], where: str
) -> tuple[list[Article], Landings]:
    """The articles that anything was said of, in the order of the gold, and where spans landed.

    Args:
        found: what was read.
        gold: of gold.jsonl.
        fates: its lines.
        where: the folder, for an error.

    Raises:
        RunError: the fates tell of an article that the gold lacks.
    """
    articles = {one.item.id: article_of(found, one) for one in gold}
    landed = no_landings(found, found.most)
    said = set()
    for line in fates:
        article = articles.get(str(line["article"]))
        if article is None:
            raise RunError(
                f"Writing the page of '{where}'",
                f"its fates tell of the article '{line['article']}', which gold.jsonl lacks",
                SCORE_AGAIN,
            )
        said.add(article.example.item.id)
        add_run(found, article, line)
        add_landing(landed, found, line, found.most)
    return [one for name, one in articles.items() if name in said or not said], landed


def bait_report(
    found: Bait, articles: Sequence[Article], names: Sequence[str], landed: Landings
) -> tuple[list[Table], list[Figure], str]:
    """All tables and figures of a scored run of BAIT, and its page; writes nothing.

    Args:
        found: what was read.
        articles: with what was said of them.
        names: of the files of their pages.
        landed: where predicted spans lie.
    """
    most = found.most
    made: dict[str, Table | None] = {
        "leaderboard": leaderboard(found, "leaderboard"),
        "systems": system_board(found, "systems"),
        "without": without_board(found, "leaderboard-without"),
        "per_article": article_board(found, "leaderboard-per-article"),
        "overlaps": overlap_board(found, "triggers"),
        "draws": draws_board(found, "runs"),
        "counts": count_board(found, "counts", most),
        "landing": landing_board(found, landed, "landing", most),
        "cues": cue_board(found, "cues"),
        "gold": gold_board(found, "gold"),
        "faults": fault_board(found, "answers"),
        "remarks": remark_board(found, "remarks"),
        "steps": step_board(found, "steps"),
        "articles": index_board(found, articles, names, "articles", most),
        "settings": settings_board(found, "settings"),
    }
    by_shots = [
        (f"Bias by bias{models_text(found, k)}".replace(";", ","), table)
        for k in reversed(found.shots or (0,))
        if (table := bias_board(found, f"biases-{k}", k))
    ]
    agreements = agreement_boards(found, "agreement")
    tests = test_boards(found, "tests")
    gains = []
    for number, ((family, rows), (_, table)) in enumerate(
        zip(families(found).items(), tests, strict=True), 1
    ):
        if figure := gain_figure(found, rows, f"gains-{number}", table.name):
            gains.append((family_name(family), figure))
    figures: dict[str, Figure | None] = {
        "map": map_figure(found, "biases", by_shots[0][1].name, most) if by_shots else None,
        "counts": count_figure(found, "counts", "counts", most),
        "landing": landing_figure(found, landed[ALL], "landing", "landing", most),
        "cues": cue_figure(found, cue_points(found), "cues", "cues"),
    }
    page = rendered(
        "bait.html.j2",
        title=joined([one.label for one in found.systems]) if found.systems else "no answers",
        found=found,
        asked=bait_asked(found),
        answers=bait_answers(found),
        cautions=bait_cautions(found),
        tables=made,
        figures=figures,
        by_shots=by_shots,
        agreements=agreements,
        tests=[(family_name(family), table) for family, table in tests],
        gains=gains,
        left_out=joined([found.category(code).label for code in found.without] or [""]),
        version=str(found.read.get("slant", "")),
    )
    tables = [table for table in made.values() if table]
    tables += [*agreements, *(table for _, table in (*by_shots, *tests))]
    drawn = [figure for _, figure in gains] + [figure for figure in figures.values() if figure]
    return tables, drawn, page
