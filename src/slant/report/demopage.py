"""The pages of `slant demo`: one for each part, and the index that leads to them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from slant.report.analysispage import write_analysis
from slant.report.associationpage import write_associations
from slant.report.baitpage import write_bait
from slant.report.demoboards import agreement_board, words_board
from slant.report.figures import Figure
from slant.report.page import output_files, rendered, write_report
from slant.report.tables import Table, estimate_text
from slant.report.writing import write_files
from slant.runs.demonstration import Made
from slant.runs.demoparts import PAGE, PARTS, REPORT, Part, kept_parts, page_of

Read = Mapping[str, Any]
INDEX: Final = "index.html"


def write_part(part: Part, made: Made, out: Path) -> Path:
    """Writes the page of a part of the demonstration.

    Args:
        part: which.
        made: what it found.
        out: the folder of the demonstration.

    Returns:
        The page.

    Raises:
        WorkFailed: the disk did not take a file.
    """
    folder = (out / page_of(part.name)).parent
    _WRITERS[part.name](part, made, folder)
    return folder / PAGE


def write_index(out: Path) -> Path:
    """Writes the index of the parts that are made.

    Args:
        out: the folder of the demonstration.

    Returns:
        The page.

    Raises:
        RunError: what a part found is damaged. WorkFailed: the disk did not take the file.
    """
    path = out / REPORT / INDEX
    write_files({path: index_page(kept_parts(out)).encode()})
    return path


def index_page(found: Mapping[str, Read]) -> str:
    """The index: what each part shows, its numbers, and where its page is.

    Args:
        found: part -> headline, commands, left_out.
    """
    parts = [
        {
            "name": name,
            "title": PARTS[name].title,
            "says": PARTS[name].says,
            "address": f"{name}/{PAGE}",
            "numbers": [
                {"says": says, "estimate": estimate_text(one), "why": one.get("why") or ""}
                for says, one in kept["headline"].items()
            ],
            "commands": kept["commands"],
            "left_out": kept["left_out"],
        }
        for name, kept in found.items()
    ]
    missing = [name for name in PARTS if name not in found]
    return rendered("demo.html.j2", parts=parts, missing=missing)


def _runs(part: Part, made: Made, folder: Path) -> None:
    write_report(made.content["runs"], made.content["comparisons"], folder)


def _bait(part: Part, made: Made, folder: Path) -> None:
    write_bait(made.content["scores"], made.content["folder"], folder)


def _associations(part: Part, made: Made, folder: Path) -> None:
    write_associations(made.content["associations"], folder)


def _analysis(part: Part, made: Made, folder: Path) -> None:
    source = made.content["folder"]
    write_analysis(source)
    shutil.copytree(source, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".*"))


def _tables(*boards: Callable[[Read], Table]) -> Callable[[Part, Made, Path], None]:
    def write(part: Part, made: Made, folder: Path) -> None:
        tables = [board(made.content) for board in boards]
        page = rendered("demotables.html.j2", title=part.title, says=part.says, tables=tables)
        none: list[Figure] = []
        write_files({folder / PAGE: page.encode(), **output_files(tables, none, folder)})

    return write


_WRITERS: Final[Mapping[str, Callable[[Part, Made, Path], None]]] = {
    "detection": _runs,
    "words": _tables(words_board),
    "agreement": _tables(agreement_board),
    "triggers": _bait,
    "pairs": _runs,
    "associations": _associations,
    "analysis": _analysis,
}
