"""slant serve."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slant.cli.show import say
from slant.errors import OptionError


def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes one that is free.")] = 8421,
    host: Annotated[
        str,
        typer.Option(help="0.0.0.0: others in the network reach it too, with the token."),
    ] = "127.0.0.1",
    token: Annotated[
        str | None,
        typer.Option(
            envvar="SLANT_TOKEN",
            show_envvar=True,
            help="That everybody must give; with another --host one is made if none is given.",
        ),
    ] = None,
    history: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where analyses are kept; else the platform's folder."),
    ] = None,
    no_history: Annotated[
        bool, typer.Option("--no-history", help="Keep nothing when the server ends.")
    ] = False,
    detector: Annotated[
        list[Path] | None,
        typer.Option(
            "--detector",
            "-d",
            help="A folder that `slant train` wrote; repeatable; else the light detector.",
        ),
    ] = None,
    schema: Annotated[
        str, typer.Option(help="Of the triggers whose cues are looked for: bait, ptc or a path.")
    ] = "bait",
    model: Annotated[
        str, typer.Option("--model", "-m", help="Asked for triggers; as in `slant bait run`.")
    ] = "",
    base_url: Annotated[str | None, typer.Option(help="Of the model's server.")] = None,
    max_tokens_total: Annotated[
        int | None,
        typer.Option(min=1, help="Of one analysis: stop asking when the answers took so many."),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes of one analysis; else one per core.")
    ] = None,
    upload_limit: Annotated[
        float, typer.Option(min=0.001, max=1000, metavar="MB", help="Of one upload, in megabytes.")
    ] = 20.0,
    timeout: Annotated[
        float, typer.Option(min=1, metavar="SECONDS", help="Of one analysis.")
    ] = 600.0,
    open_: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
) -> None:
    """`slant analyze` in a browser: paste, upload, a list of what was read, a JSON API.

    It answers this machine alone unless told otherwise, until Ctrl-C.

    Examples:

    slant serve

    slant serve --detector models/racial --open

    slant serve --host 0.0.0.0 --history newsroom.sqlite3
    """
    from slant.web.serving import check_packages, history_file
    from slant.web.serving import serve as serve_

    check_packages()
    from slant.runs.lightdetector import TEACHING
    from slant.web.settings import MEGABYTE, Limits, Settings

    if history is not None and no_history:
        raise OptionError("Reading --no-history", "--history was given too", "Give one of them")

    def told(address: str, made: str) -> None:
        print(address, flush=True)
        if made and token is None:
            say(f"Token: {made}")
        say("Ctrl-C ends it")
        if open_:
            import webbrowser

            webbrowser.open(address)

    serve_(
        Settings(
            detectors=tuple(str(one.absolute()) for one in detector or []),
            schema=schema,
            model=model,
            base_url=base_url,
            max_tokens=max_tokens_total,
            jobs=jobs,
            limits=Limits(size=int(upload_limit * MEGABYTE), seconds=timeout),
        ),
        host=host,
        port=port,
        token=token,
        history=None if no_history else history or history_file(),
        told=told,
        teaching=lambda: say(TEACHING),
    )
    say("Ended")
