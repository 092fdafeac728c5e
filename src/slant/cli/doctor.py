"""slant doctor: what is installed, which data and models are here, what is missing."""

from __future__ import annotations

from dataclasses import asdict

import typer

from slant.cli.options import Json
from slant.cli.show import document, say, table


def doctor(json_: Json = False) -> None:
    """Say what is installed, which data and models are here, and what to type for the rest.

    Exit code 1 if the core cannot work: a package of it missing or too old, the store not
    writable, SLANT_DATA no folder. A missing extra, data set or model is no fault.

    Examples:

    slant doctor

    slant doctor --json
    """
    from slant.runs.checkup import examine_surroundings

    found = examine_surroundings()
    if json_:
        document(asdict(found))
    else:
        from slant.report.checkuptables import checkup_tables

        for title, columns, rows in checkup_tables(found):
            table(columns, rows, title)
            print()
        for line in (*found.broken, *found.warnings):
            say(line)
        if not found.broken:
            say("Nothing is broken. By name alone; slant data check reads the files")
    if found.broken:
        raise typer.Exit(1)
