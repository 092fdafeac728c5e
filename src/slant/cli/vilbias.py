"""slant vilbias run, slant vilbias judge, slant vilbias sheet, slant vilbias score."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from slant.cli.asking import (
    BaseUrl,
    Connections,
    Cost,
    Estimate,
    Images,
    Judges,
    MaxTokens,
    ModelArg,
    Planted,
    Prices,
    Retries,
    Samples,
    Structured,
    Swaps,
    Timeout,
    TokensTotal,
    Tries,
    arguments_given,
    limits_given,
    numbers_given,
    say_missing,
    show_estimate,
)
from slant.cli.options import Json, Negative, Positive, Quiet, command_line
from slant.cli.show import document, interval_text, progress, say
from slant.cli.vilbiasscores import score, show_scores
from slant.cli.vilbiassheets import sheet
from slant.errors import OptionError

Again = Annotated[
    bool, typer.Option("--again", help="Ask on judges that were stopped for what they replied.")
]

app = typer.Typer(
    help="ViLBias: framing bias in text and image, answered and explained by models, and judged.",
    no_args_is_help=True,
)

app.command("score")(score)
app.command("sheet")(sheet)


@app.command("run")
def run(
    model: Annotated[
        list[str], typer.Option("--model", "-m", help="PROVIDER/MODEL as inspect-ai has it.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The run folder; made or gone on with.")],
    data: Annotated[
        str, typer.Option(help="A task of pairs (vilbias, open/pairs, added/NAME), or a file.")
    ] = "vilbias",
    positive: Positive = None,
    negative: Negative = None,
    closed: Annotated[bool, typer.Option("--closed", help="Ask for the label alone.")] = False,
    opened: Annotated[bool, typer.Option("--open", help="Ask for label and rationale.")] = False,
    shots: Annotated[str, typer.Option(help="Numbers of worked examples: 0,5.")] = "0",
    draws: Annotated[str, typer.Option(help="Seeds of the draws of examples.")] = "17",
    items: Annotated[str, typer.Option(help="Ask about the test part, or all pairs.")] = "test",
    split: Annotated[str, typer.Option(help="Parts of train, dev and test.")] = "80/10/10",
    seed: Annotated[int, typer.Option(min=0, help="Of the split.")] = 42,
    limit: Annotated[int | None, typer.Option(help="Ask about the first N pairs.")] = None,
    images: Images = True,
    image_side: Annotated[int, typer.Option(help="Pixels of their longer side at most.")] = 1024,
    judge: Judges = None,
    samples: Samples = 1,
    swaps: Swaps = False,
    planted: Planted = 8,
    again: Again = False,
    temperature: Annotated[float, typer.Option(help="Of the model, and of judges.")] = 0.0,
    max_tokens: MaxTokens = 4096,
    structured: Structured = "auto",
    max_connections: Connections = 10,
    timeout: Timeout = 600,
    max_retries: Retries = 8,
    max_tokens_total: TokensTotal = None,
    max_cost: Cost = None,
    prices: Prices = None,
    model_arg: ModelArg = None,
    base_url: BaseUrl = None,
    estimate: Estimate = False,
    store: Annotated[
        Path | None, typer.Option("--data-folder", help="Of data sets (else SLANT_DATA).")
    ] = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Ask models whether pairs of text and image are biased, and why; score their answers.

    Every answer is kept the moment it arrives: the same command goes on where it was broken off,
    asks again what failed, and asks nothing twice.

    Examples:

    slant vilbias run --model openai/gpt-4o --data open/pairs --out runs/vilbias

    slant vilbias run -m openai/gpt-4o --open --shots 0,5 --judge google/gemini-2.5-pro -o r

    slant vilbias run -m openai/gpt-4o --open --data pairs.csv --items all --estimate -o runs/v
    """
    from slant.runs.judgeplan import JudgeSettings
    from slant.runs.judging import check_judges
    from slant.runs.vilbias import estimate_vilbias, run_vilbias
    from slant.runs.vilbiasdata import vilbias_data
    from slant.runs.vilbiasplan import VilbiasSettings

    modes = [name for name, asked in (("closed", closed), ("open", opened)) if asked]
    settings = VilbiasSettings(
        modes=tuple(modes or ["closed"]),  # type: ignore[arg-type]
        shots=numbers_given(shots, "--shots"),
        draws=numbers_given(draws, "--draws"),
        limit=limit,
        images=images,
        image_side=image_side,
        temperature=temperature,
        max_tokens=max_tokens,
        structured=structured,  # type: ignore[arg-type]
    )
    if judge and not opened:
        found = "closed answers have no rationales"
        raise OptionError("Reading --judge", found, "Add --open")
    if items not in ("test", "all"):
        raise OptionError(f"Reading --items '{items}'", "it is neither test nor all", "Give one")
    limits = limits_given(max_connections, timeout, max_retries, max_tokens_total, max_cost, prices)
    given = vilbias_data(
        data, items=items, split=split, seed=seed, data=store,  # type: ignore[arg-type]
        positive=positive or (), negative=negative or (),
    )  # fmt: skip
    args = arguments_given(model_arg)
    if estimate:
        show_estimate(estimate_vilbias(given, out, model, settings, limits), json_)
        return
    judging = JudgeSettings(
        samples, swaps, planted=planted, images=images, temperature=temperature,
        max_tokens=max_tokens, structured=structured,  # type: ignore[arg-type]
    )  # fmt: skip
    first = partial(check_judges, judge, judging, limits, args, base_url, out) if judge else None
    with progress(quiet or json_, "answers") as told:
        found_ = run_vilbias(
            given, out, models=model, settings=settings, limits=limits, model_args=args,
            base_url=base_url, command=command_line(), progress=told, first=first,
            notice=None if quiet else say,
        )  # fmt: skip
    say_missing(found_, "questions", "they count as wrong")
    judged = None
    if judge:
        judged = _judged(out, judge, judging, limits, args, base_url, again, json_, quiet)
    _end(out, {"asking": found_, "judging": judged}, json_)


@app.command("judge")
def judge(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    judge: Judges = None,
    samples: Samples = 1,
    swaps: Swaps = False,
    tries: Tries = 3,
    planted: Planted = 8,
    again: Again = False,
    images: Images = True,
    temperature: Annotated[float, typer.Option(help="Of the judge.")] = 0.0,
    max_tokens: MaxTokens = 4096,
    structured: Structured = "auto",
    max_connections: Connections = 10,
    timeout: Timeout = 600,
    max_retries: Retries = 8,
    max_tokens_total: TokensTotal = None,
    max_cost: Cost = None,
    prices: Prices = None,
    model_arg: ModelArg = None,
    base_url: BaseUrl = None,
    estimate: Estimate = False,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Let judges check the rationales of a run, and measure the judges on planted ones first.

    Examples:

    slant vilbias judge runs/vilbias --judge google/gemini-2.5-pro

    slant vilbias judge runs/vilbias -j google/gemini-2.5-pro -j anthropic/claude-sonnet-4-0 --swaps

    slant vilbias judge runs/vilbias -j google/gemini-2.5-pro --samples 3 --estimate
    """
    from slant.runs.judgeplan import JudgeSettings, estimate_judging

    settings = JudgeSettings(
        samples, swaps, tries, planted, images, temperature, max_tokens,
        structured,  # type: ignore[arg-type]
    )  # fmt: skip
    limits = limits_given(max_connections, timeout, max_retries, max_tokens_total, max_cost, prices)
    if estimate:
        show_estimate(estimate_judging(folder, judge or [], settings, limits), json_)
        return
    args = arguments_given(model_arg)
    found = _judged(folder, judge or [], settings, limits, args, base_url, again, json_, quiet)
    _end(folder, {"judging": found}, json_)


def _judged(
    folder: Path,
    judges: list[str],
    settings: Any,
    limits: Any,
    args: dict[str, Any],
    base_url: str | None,
    again: bool,
    json_: bool,
    quiet: bool,
) -> dict[str, Any]:
    from slant.runs.judging import judge_run

    with progress(quiet or json_, "verdicts") as told:
        found = judge_run(
            folder, judges, settings=settings, limits=limits, model_args=args, base_url=base_url,
            progress=told, again=again, notice=None if quiet else say,
        )  # fmt: skip
    say_missing(found, "verdicts", "their rationales are not judged")
    for name, one in found["judges"].items():
        for model in one["kin"]:
            say(f"{name} judges {model}, of its own family: it may think too well of it")
        faults = ", ".join(f"{kind} {count}" for kind, count in one["faults"].items())
        if one["verdicts"] and not one["read"]:
            say(f"{name} never answered in the schema ({faults}): no score comes of it")
        elif faults:
            say(f"{name}: {one['read']} of {one['verdicts']} verdicts can be read ({faults})")
    return found


def _end(folder: Path, found: dict[str, Any], json_: bool) -> None:
    """Score, show, and end with 1 where something is missing."""
    from slant.runs.vilbiasscoring import score_vilbias

    scores = score_vilbias(folder)
    if json_:
        document({**found, "scores": scores})
    else:
        show_scores(scores)
        for one in scores["judges"]:
            _say_error(one["name"], (one["planted"] or {}).get("all"))
        say(f"wrote {folder}; `slant report {folder} --out page` makes the page")
    parts = [one for one in found.values() if one]
    never = any(
        one["verdicts"] and not one["read"]
        for part in parts
        for one in part.get("judges", {}).values()
    )
    if never or any(part["failed"] or part["left"] for part in parts):
        raise typer.Exit(1)


def _say_error(name: str, planted: dict[str, Any] | None) -> None:
    if planted is None:
        say(f"{name}: its error is unknown, no rationale was planted")
        return
    error = interval_text(planted["error"])
    say(f"{name}: wrong on {planted['wrong']} of {planted['cases']} planted rationales, {error}")
