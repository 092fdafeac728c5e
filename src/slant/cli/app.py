"""The commands, each in the module of its group."""

from __future__ import annotations

from typing import Annotated

import typer

from slant.cli import (
    analysis,
    associations,
    bait,
    circuits,
    comparisons,
    conversions,
    data,
    demo,
    detectors,
    doctor,
    embeddings,
    explanations,
    runs,
    serving,
    starting,
    vilbias,
    vilbiassheets,
    wikis,
)
from slant.cli.annotations import app as annotate

app = typer.Typer(
    name="slant",
    help="Measure media bias: published protocols with one command, every number with its "
    "interval, every verdict with its evidence.",
    epilog="Start with:  slant demo  ·  slant data list  ·  slant run open/sentences "
    "--system tfidf-lr --out runs/first",
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
app.add_typer(data.app, name="data")
app.add_typer(wikis.app, name="wiki")
app.add_typer(embeddings.app, name="embed")
app.add_typer(associations.app, name="assoc")
annotate.command("convert")(conversions.convert)
annotate.command("sheet")(vilbiassheets.sheet)
app.add_typer(annotate, name="annotate")
app.add_typer(bait.app, name="bait")
app.add_typer(vilbias.app, name="vilbias")
app.command("analyze")(analysis.analyze)
app.command("serve")(serving.serve)
app.command("run")(runs.run)
app.command("score")(runs.score)
app.command("circuit")(circuits.circuit)
app.command("compare")(comparisons.compare)
app.command("report")(comparisons.report)
app.command("train")(detectors.train)
app.command("predict")(detectors.predict)
app.command("explain")(explanations.explain)
app.command("systems")(runs.systems)
app.command("demo")(demo.demo)
app.command("doctor")(doctor.doctor)


def _version(shown: bool) -> None:
    if shown:
        from slant import __version__

        typer.echo(f"slant {__version__}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    """Options of slant itself."""
    if context.invoked_subcommand is None:
        starting.show_start()
