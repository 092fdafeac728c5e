"""slant wiki dump."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slant.cli.options import Json, Quiet
from slant.cli.show import document, line, progress
from slant.errors import OptionError


def dump(
    file: Annotated[Path, typer.Argument(help="An XML dump: .xml, .bz2, .gz, .zst or .7z.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The .parquet to write.")],
    sample: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="A random sample of N pages.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the sample.")] = 0,
    namespace: Annotated[
        list[int] | None,
        typer.Option("--namespace", metavar="N", help="0: articles; repeatable."),
    ] = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Read the dump of a MediaWiki into a Parquet file of running text.

    Redirects are left out, and of each page the newest revision is taken. The file appears whole or
    not at all; a command that was stopped begins anew. A sample reads the dump twice.

    Examples:

    slant wiki dump enwiki-latest-pages-articles.xml.bz2 --out wikipedia.parquet

    slant wiki dump enwiki.xml.bz2 -o wikipedia.parquet --sample 50000 --seed 1

    slant wiki dump conservapedia.7z -o essays.parquet --namespace 0 --namespace 100 --json
    """
    from slant.wikis.extraction import extract

    if out.suffix.lower() != ".parquet":
        raise OptionError(
            f"Writing '{out}'", "its name does not end in .parquet", "Give --out NAME.parquet"
        )
    with progress(quiet or json_, "bytes") as told:
        done = extract(
            file,
            out,
            namespaces=frozenset(namespace or [0]),
            sample_size=sample,
            seed=seed,
            progress=told,
        )
    facts = done.facts
    left_out = {"redirects": facts.redirects, "namespaces": facts.elsewhere, "other": facts.other}
    if json_:
        document(
            {"out": str(done.out), "wiki": facts.wiki, "export": facts.version,
             "pages": done.pages, "empty": done.empty, "read": facts.pages, "left_out": left_out}
        )  # fmt: skip
        return
    line(
        f"{done.out}: {done.pages} pages of {facts.wiki} ({facts.pages} read; left out: "
        f"{facts.redirects} redirects, {facts.elsewhere} of other namespaces, {facts.other} "
        f"without wikitext), {done.empty} without running text"
    )
