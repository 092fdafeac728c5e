"""slant wiki: crawl, dump."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slant.cli.dumps import dump
from slant.cli.options import Json, Quiet
from slant.cli.show import document, line, progress, say

app = typer.Typer(
    help="The pages of a wiki as running text, from its API or from a dump.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command()(dump)
SHOWN = 5


@app.command()
def crawl(
    url: Annotated[str, typer.Argument(help="The wiki's front page, any article, or its api.php.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The .parquet to write.")],
    format_: Annotated[
        str, typer.Option("--format", help="html: as shown, a page a request; wikitext: 50 pages.")
    ] = "html",
    sample: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="A random sample of N pages.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the sample.")] = 0,
    contact: Annotated[
        str | None,
        typer.Option(
            envvar="SLANT_CONTACT",
            help="Mail or page by which the wiki's people reach you; goes into the User-Agent.",
        ),
    ] = None,
    allowed_by: Annotated[
        str | None,
        typer.Option(metavar="WHO", help="Who of the wiki allowed what its robots.txt forbids."),
    ] = None,
    pause: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="Between two requests, at least.")
    ] = 0.0,
    fresh: Annotated[bool, typer.Option(help="Forget --out and what is half done.")] = False,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Crawl all content pages of a MediaWiki into a Parquet file of running text.

    The same command again goes on where it was; once done, it asks only for pages that changed.

    Examples:

    slant wiki crawl https://www.conservapedia.com --out conservapedia.parquet

    slant wiki crawl rationalwiki.org -o rw.parquet --contact jo@uni.example --pause 0.5

    slant wiki crawl https://wiki.example/w/api.php -o w.parquet --format wikitext

    slant wiki crawl https://wiki.example -o w.parquet --sample 50000 --seed 1

    slant wiki crawl https://wiki.example -o w.parquet --allowed-by "Jo Doe, operator"
    """
    from slant.wikis.crawl import crawl as crawl_wiki
    from slant.wikis.visits import Manners

    if contact is None and not quiet:
        say("no --contact: the wiki's people cannot tell you if this crawl troubles them")
    with progress(quiet or json_, "pages") as told:
        done = crawl_wiki(
            url,
            out,
            format=format_,
            sample_size=sample,
            seed=seed,
            manners=Manners(contact=contact, allowed_by=allowed_by, pause=pause),
            fresh=fresh,
            progress=told,
        )
    left_out = {str(id_): why for id_, why in done.left_out.items()}
    if json_:
        document(
            {
                "out": str(done.out),
                "wiki": done.wiki.name,
                "api": done.wiki.api,
                "licence": done.wiki.licence,
                "pages": done.pages,
                "asked": done.asked,
                "kept": done.kept,
                "dropped": done.dropped,
                "empty": done.empty,
                "left_out": left_out,
            }
        )
        return
    for id_, why in list(left_out.items())[:SHOWN]:
        say(f"page {id_} is left out: {why}")
    if len(left_out) > SHOWN:
        say(f"{len(left_out) - SHOWN} more pages are left out; --json lists them")
    line(
        f"{done.out}: {done.pages} pages of {done.wiki.name} ({done.asked} asked for, {done.kept} "
        f"unchanged, {done.dropped} dropped), {done.empty} without running text"
    )
