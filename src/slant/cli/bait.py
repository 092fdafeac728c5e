"""slant bait."""

from __future__ import annotations

import typer

from slant.cli import baitruns, baitscores, codebooks

app = typer.Typer(
    help="Cognitive bias triggers in articles: detecting and locating them, by models, baselines "
    "and people.",
    no_args_is_help=True,
)
app.command("run")(baitruns.run)
app.command("score")(baitscores.score)
app.command("local-model")(baitruns.local_model)
app.command("schema")(codebooks.schema)
app.command("codebook")(codebooks.codebook)
