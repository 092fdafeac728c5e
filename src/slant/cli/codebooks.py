"""slant bait codebook, schema."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slant.cli.options import Json
from slant.cli.show import document, say, table

Schema = Annotated[
    str,
    typer.Option("--schema", metavar="NAME|FILE", help="bait, ptc, or a .toml or .json file."),
]


def codebook(
    out: Annotated[Path, typer.Option("--out", "-o", help="The page to write: FILE.html.")],
    schema: Schema = "bait",
) -> None:
    """Write the annotators' codebook of a schema: one page for the screen and for paper.

    Examples:

    slant bait codebook --out codebook.html

    slant bait codebook --schema my-biases.toml --out codebook.html
    """
    from slant.data.schemas import load_schema
    from slant.report.codebook import write_codebook

    say(f"wrote {write_codebook(load_schema(schema), out)}")


def schema(
    schema: Schema = "bait",
    json_: Json = False,
) -> None:
    """Check a schema and list its categories with the one-line definitions that a model sees.

    Examples:

    slant bait schema

    slant bait schema --schema my-biases.toml --json
    """
    from slant.data.schemas import load_schema, schema_gaps, schema_json

    found = load_schema(schema)
    gaps = schema_gaps(found)
    if json_:
        document({**schema_json(found), "gaps": gaps})
        return
    rows = [[bias.code, bias.name, bias.group, bias.line] for bias in found.biases]
    table(["code", "name", "group", "definition"], rows, f"{found.title}, version {found.version}")
    if found.dominant:
        say(f"scored also without: {', '.join(found.dominant)}")
    for code, empty in gaps.items():
        say(f"{code} has no {', '.join(empty)}")
