"""slant demo: every measure of the package on the embedded data, offline."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slant.cli.options import Json, Quiet
from slant.cli.show import document, progress, say


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for runs and report.")] = Path(
        "demo"
    ),
    parts: Annotated[
        str | None,
        typer.Option(
            help="Some of detection, words, agreement, triggers, pairs, associations, analysis."
        ),
    ] = None,
    fresh: Annotated[bool, typer.Option(help="Make every part anew.")] = False,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run every measure on the embedded data and write the report; the same command resumes.

    Examples:

    slant demo --out demo

    slant demo --parts detection,words --out demo --json
    """
    from slant.report.demopage import write_index, write_part
    from slant.runs.demoparts import demonstrated, keep_part, kept_parts, part_names

    with progress(quiet or json_, "%") as told:
        for part, made in demonstrated(out, part_names(parts), told, fresh):
            write_part(part, made, out)
            keep_part(out, part, made)
    page = write_index(out).resolve()
    found = kept_parts(out)
    if json_:
        document({"report": str(page), "parts": found})
        return
    for line in dict.fromkeys(line for one in found.values() for line in one["left_out"]):
        say(line)
    print(f"The report is {page}")
