"""Options and lines that commands which ask models have in common."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from slant.cli.options import pairs
from slant.cli.show import document, say, table
from slant.errors import OptionError

_ERRORS_SHOWN = 3

Connections = Annotated[int, typer.Option(min=1, help="Requests under way, for each model.")]
Timeout = Annotated[int, typer.Option(min=1, help="Seconds of one attempt.")]
Retries = Annotated[
    int, typer.Option(min=0, help="Attempts after the first, where a failure may pass.")
]
TokensTotal = Annotated[
    int | None, typer.Option(min=1, help="Stop asking when the answers took so many tokens.")
]
Cost = Annotated[float | None, typer.Option(min=0, help="Stop at so many dollars; needs --prices.")]
Prices = Annotated[
    Path | None, typer.Option(help='{"MODEL": {"input": 2.5, "output": 10}}, per million.')
]
ModelArg = Annotated[
    list[str] | None, typer.Option("--model-arg", help="NAME=VALUE for the provider; repeatable.")
]
BaseUrl = Annotated[str | None, typer.Option(help="Of the models' server.")]
Estimate = Annotated[
    bool, typer.Option("--estimate", help="Only count calls and tokens; send nothing.")
]
Structured = Annotated[
    str, typer.Option(help="Send the answer's JSON Schema: auto (if taken), yes, no.")
]
Images = Annotated[bool, typer.Option("--images/--no-images", help="Show them to the model.")]
MaxTokens = Annotated[int, typer.Option(min=1, help="Of an answer, reasoning included.")]
Judges = Annotated[
    list[str] | None, typer.Option("--judge", "-j", help="PROVIDER/MODEL; repeatable.")
]
Samples = Annotated[int, typer.Option(min=1, help="Verdicts on each rationale, in each order.")]
Swaps = Annotated[bool, typer.Option("--swaps", help="Ask judges in the other order, too.")]
Tries = Annotated[int, typer.Option(min=1, help="Of a judge whose replies are out of the schema.")]
Planted = Annotated[
    int, typer.Option(min=0, help="Pairs with a planted rationale of each kind; 0: none.")
]


def limits_given(
    connections: int,
    timeout: int,
    retries: int,
    tokens: int | None,
    cost: float | None,
    prices: Path | None,
) -> Any:
    """The limits of the asking; dollars need prices."""
    from slant.runs.baitbudget import AskingLimits, read_prices

    known = read_prices(prices) if prices is not None else {}
    return AskingLimits(connections, timeout, retries, tokens, cost, known)


def arguments_given(given: list[str] | None) -> dict[str, Any]:
    """The NAME=VALUE arguments for a provider, with their types."""
    return {name: _value(text) for name, text in pairs(given, "--model-arg").items()}


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


def numbers_given(text: str, option: str) -> tuple[int, ...]:
    """A list of whole numbers with commas."""
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        found = "it is not a list of whole numbers"
        raise OptionError(f"Reading {option} '{text}'", found, "Put commas between them") from None


def say_missing(found: dict[str, Any], what: str, so: str) -> None:
    """Say what failed or was left, why, and what comes of it.

    Args:
        found: what became of the asking.
        what: was asked, e.g. "questions".
        so: what comes of those that failed, and of those of runs that were begun, as a clause.
    """
    if bare := found.get("without_image"):
        say(f"{bare} {'pair was' if bare == 1 else 'pairs were'} asked about without an image")
    if not found["failed"] and not found["left"]:
        return
    for name, why in found["stopped"].items():
        say(f"stopped: {name}: {why}" if name else f"stopped: {why}")
    for one in found["errors"][:_ERRORS_SHOWN]:
        named = " ".join(str(value) for name, value in one.items() if name != "error")
        say(f"no answer: {named}: {one['error']}")
    unbegun = found.get("unbegun", 0)
    left = found["left"] - unbegun
    if found["failed"] or left:
        say(f"{found['failed']} {what} failed and {left} were not asked: {so}.")
    if unbegun:
        say(
            f"{unbegun} {what} are of runs of which nothing was asked yet: these runs are in no "
            "score."
        )
    say("The same command asks for them again, and for nothing else.")


def show_estimate(rows: list[dict[str, Any]], json_: bool) -> None:
    """Show what asking would take."""
    if json_:
        document(rows)
        return
    images = ["images"] if any("images" in one for one in rows) else []
    counts = ["calls", *images, "prompt_tokens", "answer_tokens"]
    table(
        ["model", *(name.replace("_", " ") for name in counts), "dollars"],
        [
            [one["model"], *(f"{one[name]:,}" for name in counts),
             "-" if one["cost"] is None else f"{one['cost']:.2f}"]
            for one in rows
        ],
    )  # fmt: skip
    image = ", an image as 1,000 tokens" if images else ""
    on_top = "reasoning and failed attempts come on top"
    say(f"A token is reckoned as four characters{image}; {on_top}.")
