"""slant annotate convert."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slant.cli.options import Json
from slant.cli.show import document, table


def convert(
    source: Annotated[Path, typer.Argument(help="File or folder of annotated articles.")],
    to: Annotated[str, typer.Option(help="jsonl, brat, ptc, label-studio, doccano or webanno.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The file or folder to write.")],
    format_: Annotated[
        str | None,
        typer.Option(
            "--from", "--format", help="Format of the source; else told from its content."
        ),
    ] = None,
    articles: Annotated[
        Path | None, typer.Option(help="Folder or file of the articles, where they stand apart.")
    ] = None,
    schema: Annotated[
        str | None,
        typer.Option(help="bait, ptc or a file: refuse other categories, and take names as codes."),
    ] = None,
    json_: Json = False,
) -> None:
    """Convert annotated articles from one format to another, and say what it cannot hold.

    Examples:

    slant annotate convert brat-project --to jsonl --out gold.jsonl --schema bait

    slant annotate convert labels.tsv --articles train-articles --to webanno -o inception
    """
    from slant.annotate.conversion import convert_annotations
    from slant.data.schemas import load_schema

    known = load_schema(schema) if schema is not None else None
    made = convert_annotations(
        source, out, to, format=format_, articles=articles,
        codes=None if known is None else known.codes,
        names=None if known is None else {bias.name: bias.code for bias in known.biases},
    )  # fmt: skip
    if json_:
        document(made)
        return
    rows = [[what, f"{made[what]:,}"] for what in ("articles", "triggers", "spans")]
    for kind, said in (("left_aside", "left aside"), ("lost", "lost")):
        rows += [[f"{said}: {one['what']}", f"{one['count']:,}"] for one in made[kind]]
    table(["what", "count"], rows, title=f"{made['from']} to {made['to']}")
