"""slant analyze."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from slant.cli.options import Json, Quiet, command_line
from slant.cli.show import document, line, progress, say
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
            help="A folder that `slant train` wrote, or one that holds such folders; repeatable; "
            "else the light detector.",
        ),
    ] = None,
    schema: Annotated[
        str, typer.Option(help="Of the triggers whose cues are looked for: bait, ptc or a path.")
    ] = "bait",
    text: Annotated[
        str | None, typer.Option("--text", metavar="COLUMN", help="Of the text, in tables.")
    ] = None,
    title: Annotated[
        str | None, typer.Option("--title", metavar="COLUMN", help="Of the title, in tables.")
    ] = None,
    outlet: Annotated[
        str | None, typer.Option("--outlet", metavar="COLUMN", help="Of the outlet, in tables.")
    ] = None,
    topic: Annotated[
        str | None, typer.Option("--topic", metavar="COLUMN", help="Of the topic, in tables.")
    ] = None,
    date: Annotated[
        str | None, typer.Option("--date", metavar="COLUMN", help="Of the date, in tables.")
    ] = None,
    date_order: Annotated[
        Literal["dmy", "mdy", "ymd"] | None,
        typer.Option("--date-order", help="How 03/04/2019 is read; else it is kept as text."),
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

    slant analyze news.csv --outlet paper --date day --date-order dmy --out report

    slant analyze story.html --model openai/gpt-4o --out report

    cat text.txt | slant analyze -
    """  # fmt: skip
    detectors = detector or []
    if out is None and model:
        raise OptionError("Asking a model", "no --out is given", "Give a folder for its answers")
    from slant.analysis.language import language_code
    from slant.analysis.tables import Columns

    columns = Columns(text, title, outlet, date, topic, date_order)
    language = language_code(language)
    if not (detectors or quiet or json_):
        from slant.runs.lightdetector import TEACHING, is_taught

        if not is_taught():
            say(TEACHING)
    if out is None:
        from slant.runs.analysing import analysed_now

        found = analysed_now(
            targets, detectors=detectors, schema=schema, columns=columns, language=language
        )
        if json_:
            document(found)
        else:
            from slant.cli.markedtexts import show_analyses

            show_analyses(found)
            say("Labels are contested, and detectors err; --out FOLDER writes the whole report")
        whys = [one["article"]["why"] for one in found]
        _refuse_nothing(len(found), Counter(why for why in whys if why))
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
            columns=columns,
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
    else:
        _show(done, pages[0])
    _refuse_nothing(done["articles"], done["left_out"])


def _refuse_nothing(articles: int, left_out: Mapping[str, int]) -> None:
    """End with exit code 1 where no article was looked at, which a script must not take for one
    without bias."""
    if sum(left_out.values()) == articles:
        from slant.errors import WorkFailed

        found = "the text was not" if articles == 1 else f"none of {articles} texts was"
        why = next(iter(left_out))
        raise WorkFailed("Looking for bias", f"{found} looked at. {why}", "Give text in English")


def _show(done: dict[str, Any], page: Path) -> None:
    articles, sentences = done["articles"], done["sentences"]
    line(
        f"{page}\t{articles} article{'s' * (articles != 1)}"
        f"\t{sentences} sentence{'s' * (sentences != 1)}"
    )
    for why, number in done["left_out"].items():
        say(f"{number} not looked at: {why}")
    if number := done["undated"]:
        say(f"{number} with a date that is kept as text and stands in no month; see --date-order")
    say(done["signature"])
