"""slant analyze."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from slant.cli.options import Json, Quiet, command_line
from slant.cli.show import document, progress, say
from slant.errors import OptionError


def analyze(
    targets: Annotated[
        list[str],
        typer.Argument(
            metavar="TARGET...",
            help="Text, HTML, PDF, DOCX, csv, jsonl, parquet, feeds, WARC, folders, addresses; "
            "- is standard input.",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder of the report; else a few texts are shown here."),
    ] = None,
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
    text: Annotated[
        str | None, typer.Option("--text", metavar="COLUMN", help="Of the text, in tables.")
    ] = None,
    language: Annotated[
        str | None, typer.Option(metavar="CODE", help="Of all texts, e.g. en; else it is told.")
    ] = None,
    model: Annotated[
        str, typer.Option("--model", "-m", help="Asked for triggers; as in `slant bait run`.")
    ] = "",
    base_url: Annotated[str | None, typer.Option(help="Of the model's server.")] = None,
    max_tokens_total: Annotated[
        int | None, typer.Option(min=1, help="Stop asking when the answers took so many tokens.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes; else one per core.")] = None,
    fresh: Annotated[bool, typer.Option(help="Throw away the report that is in --out.")] = False,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Read articles: marked sentences, the evidence for each mark, profiles of many articles.

    Examples:

    slant analyze article.html --out report

    slant analyze https://example.org/story articles.jsonl --out report --jobs 2

    slant analyze news.csv --text body --detector models/racial --out report

    slant analyze story.html --model openai/gpt-4o --out report

    cat text.txt | slant analyze -
    """  # fmt: skip
    detectors = detector or []
    if out is None and model:
        raise OptionError("Asking a model", "no --out is given", "Give a folder for its answers")
    if out is None:
        from slant.runs.analysing import analysed_now

        found = analysed_now(
            targets, detectors=detectors, schema=schema, text_column=text, language=language
        )
        if json_:
            document(found)
            return
        from slant.cli.markedtexts import show_analysis

        for one in found:
            show_analysis(one)
        say("Labels are contested, and detectors err; --out FOLDER writes the whole report")
        return
    from slant.report.analysispage import write_analysis
    from slant.runs.analysing import analyse
    from slant.runs.analysisanswers import Asking

    with progress(quiet or json_, "articles") as told:
        done = analyse(
            targets,
            out,
            detectors=detectors,
            schema=schema,
            text_column=text,
            language=language,
            asking=Asking(model, base_url, max_tokens_total),
            jobs=jobs,
            fresh=fresh,
            progress=told,
            command=command_line(),
        )
        pages = write_analysis(out, told)
    if json_:
        document({**done, "report": str(pages[0])})
        return
    _show(done, pages[0])


def _show(done: dict[str, Any], page: Path) -> None:
    articles, sentences = done["articles"], done["sentences"]
    print(
        f"{page}\t{articles} article{'s' * (articles != 1)}"
        f"\t{sentences} sentence{'s' * (sentences != 1)}"
    )
    for why, number in done["left_out"].items():
        say(f"{number} not looked at: {why}")
    say(done["signature"])
