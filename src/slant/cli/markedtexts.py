"""An analysed text in the terminal: its sentences with their marks."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

from slant.cli.show import say, table

Read = Mapping[str, Any]

_STYLES: Final = {2: "cyan", 3: "yellow", 4: "bold yellow", 5: "bold red", 6: "dim"}


COLUMNS: Final = (
    "sentence", "verdict", "probability", "kinds", "words", "cues", "triggers", "text",
)  # fmt: skip


def show_analyses(found: Sequence[Read]) -> None:
    """Print analyses: for a terminal the marked texts, a key and a note on each sentence, for a
    pipe one table with a row for each sentence, its article first where there are several.

    Args:
        found: analyses as `analyses.jsonl` holds them.
    """
    from slant.report.analysisarticles import article_answer, heading
    from slant.report.analysisnotes import sentence_lines

    for read in found:
        say(heading(read["article"]))
        if read["article"]["why"]:
            say(f"Not looked at: {read['article']['why']}")
            continue
        if sys.stdout.isatty():
            _show_marked(read)
        for line in (*article_answer(read), *read["left_out"]):
            say(line)
    looked_at = [read for read in found if not read["article"]["why"]]
    if looked_at and not sys.stdout.isatty():
        names = [(read["article"]["id"],) if len(found) > 1 else () for read in looked_at]
        rows = [
            (*name, *row)
            for name, read in zip(names, looked_at, strict=True)
            for row in sentence_lines(read)
        ]
        table(("article", *COLUMNS) if len(found) > 1 else COLUMNS, rows)


def _show_marked(read: Read) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from slant.report.analysisgrades import GRADES, SHOWN, grade_of
    from slant.report.analysisnotes import summary
    from slant.report.escaping import visible

    text, at = read["article"]["text"], 0
    shown = Text()
    name = read["detectors"][0]["name"] if read["detectors"] else ""
    for one in read["sentences"]:
        grade = grade_of(one, name)
        shown.append(visible(text[at : one["start"]]))
        if grade in SHOWN:
            shown.append(f"{GRADES[grade].sign} ", _STYLES[grade])
        style = f"underline {_STYLES[grade]}" if grade in SHOWN else ""
        shown.append(visible(text[one["start"] : one["end"]]), style)
        at = one["end"]
    shown.append(visible(text[at:]))
    key = Text("  ".join(f"{GRADES[grade].sign} {GRADES[grade].name}" for grade in SHOWN), "dim")
    console = Console()
    console.print(shown)
    console.print(key)
    notes = Table.grid(padding=(0, 2))
    for number, one in enumerate(read["sentences"], 1):
        notes.add_row(Text(str(number)), Text(summary(text, one, read["detectors"])))
    console.print(notes)
