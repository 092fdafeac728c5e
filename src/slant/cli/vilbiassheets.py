"""slant vilbias sheet."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slant.cli.options import Json
from slant.cli.show import document, interval_text, say, table
from slant.errors import OptionError


def sheet(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a judged run.")],
    n: Annotated[int, typer.Option("--n", help="Rationales on the sheet.")] = 50,
    seed: Annotated[int, typer.Option(min=0, help="Of the draw, or of the bootstrap.")] = 42,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="sheet.csv, or sheet.html with images.")
    ] = None,
    marks: Annotated[
        Path | None, typer.Option(help="A sheet that was filled in: how far judges agree with it.")
    ] = None,
    json_: Json = False,
) -> None:
    """Make a sheet on which people mark rationales, or read one back and compare the judges.

    Examples:

    slant vilbias sheet runs/vilbias --n 50 --out sheet.html

    slant vilbias sheet runs/vilbias --marks marks.csv

    slant annotate sheet runs/vilbias --n 50 --out sheet.html
    """
    from slant.runs.judgesheets import ASKED, sheet_agreement, sheet_rows, shown_rows, write_sheet

    if marks is not None:
        found = sheet_agreement(folder, marks, seed=seed)
        if json_:
            document(found)
            return
        rows = []
        for one in found["judges"]:
            numbers = [interval_text(one[name]) for name in ("agreed", "kappa")]
            why = one["kappa"].get("why") or ""
            rows.append([one["judge"], one["question"], str(one["n"]), *numbers, why])
        table(["judge", "question", "marked", "agreed", "kappa", ""], rows, cut=["judge"])
        return
    if out is None or out.suffix.lower() not in (".csv", ".html"):
        asked = f"Reading --out '{out or ''}'"
        raise OptionError(
            asked, "it ends in neither .csv nor .html", "Give sheet.csv or sheet.html"
        )
    drawn = sheet_rows(folder, n, seed)
    if out.suffix.lower() == ".csv":
        write_sheet(drawn, out)
    else:
        from slant.report.judgesheet import write_sheet_page

        write_sheet_page(shown_rows(folder, drawn), ASKED, out)
    if json_:
        document({"sheet": str(out), "rows": len(drawn)})
    say(f"wrote {len(drawn)} rationales to {out}; read it back with --marks")
