"""What asking models may take: connections, time, tries, tokens, dollars."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from slant.data.jsonvalues import json_value
from slant.data.rows import read_text
from slant.errors import DataError, OptionError, SlantError
from slant.runs.baitanswers import Journal, spent

GIVEN_UP: Final = 10
"""After so many failures in a row, a model is not asked any further."""
UNREACHED: Final = 3
"""After so many attempts that found no server, with none before that did, neither."""
SAID_AGAIN: Final = 30.0
"""Seconds until the same kind of failure is told of once more."""


@dataclass(frozen=True, slots=True)
class AskingLimits:
    """How models are asked; no answer depends on any of it.

    Fields:
        max_connections: requests under way at a time, for each model.
        timeout: seconds of one attempt.
        max_retries: attempts after the first one, where the failure may pass.
        max_tokens_total: of all answers of the folder; None: as many as it takes.
        max_cost: dollars for all answers of the folder; needs prices.
        prices: model -> dollars per million tokens, as `read_prices` gives them.
    """

    max_connections: int = 10
    timeout: int = 600
    max_retries: int = 8
    max_tokens_total: int | None = None
    max_cost: float | None = None
    prices: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


class _Price(BaseModel):
    model_config = ConfigDict(extra="forbid")

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    input_cache_read: float | None = Field(default=None, ge=0)
    input_cache_write: float | None = Field(default=None, ge=0)


def read_prices(path: Path) -> dict[str, dict[str, float]]:
    """Prices of models, {"openai/gpt-4o": {"input": 2.5, "output": 10}}.

    Rule: dollars per million tokens; `input_cache_read` and `input_cache_write` are those of
    `input` where they are left out.

    Raises:
        DataError: no JSON of this form.
    """
    try:
        found = TypeAdapter(dict[str, _Price]).validate_python(json_value(read_text(path)))
    except json.JSONDecodeError as error:
        raise DataError(
            f"Reading the prices '{path}'",
            f"line {error.lineno} is no JSON ({error.msg})",
            "Mend it",
        ) from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise DataError(
            f"Reading the prices '{path}'",
            f"the key '{where}' does not fit ({first['msg'].lower()})",
            'Write {"MODEL": {"input": 2.5, "output": 10}}, in dollars per million tokens',
        ) from None
    return {
        name: {
            "input": one.input,
            "output": one.output,
            "read": one.input if one.input_cache_read is None else one.input_cache_read,
            "write": one.input if one.input_cache_write is None else one.input_cache_write,
        }
        for name, one in found.items()
    }


def cost_of(usage: Mapping[str, float], price: Mapping[str, float]) -> float:
    """Dollars of one answer.

    Args:
        usage: tokens, by the names that inspect-ai gives them.
        price: of the model, from `read_prices`.

    >>> price = {"input": 2.0, "output": 10.0, "read": 1.0, "write": 2.0}
    >>> cost_of({"input_tokens": 1000, "output_tokens": 100, "input_tokens_cache_read": 500}, price)
    0.0035
    """
    return (
        usage.get("input_tokens", 0) * price["input"]
        + usage.get("output_tokens", 0) * price["output"]
        + usage.get("input_tokens_cache_read", 0) * price["read"]
        + usage.get("input_tokens_cache_write", 0) * price["write"]
    ) / 1e6


def call_costs(
    calls: int,
    prompt_tokens: int,
    answer_tokens: int,
    price: Mapping[str, float] | None,
    images: int | None = None,
) -> dict[str, Any]:
    """What an estimate says of one model.

    Args:
        calls, images: how many; None: images are not spoken of.
        prompt_tokens, answer_tokens: of all calls.
        price: dollars per million "input" and "output" tokens, where known.

    Returns:
        "calls", "images", "prompt_tokens", "answer_tokens", "cost" (dollars or None).
    """
    cost = None
    if price is not None:
        cost = (prompt_tokens * price["input"] + answer_tokens * price["output"]) / 1e6
    return {
        "calls": calls,
        **({} if images is None else {"images": images}),
        "prompt_tokens": prompt_tokens,
        "answer_tokens": answer_tokens,
        "cost": cost,
    }


def check_limits(limits: AskingLimits, models: Sequence[str]) -> None:
    """Refuse a cap in dollars where a model has no price."""
    if limits.max_cost is None:
        return
    for name in models:
        if name not in limits.prices:
            raise OptionError(
                f"Reading --max-cost {limits.max_cost}",
                f"there is no price of '{name}'",
                "Give --prices FILE with its price, or --max-tokens-total",
            )


class Watch:
    """What the questions of one process share: how far it is, and whether to go on.

    Fields:
        broken: an error that ends everything, e.g. a full disk.
        stopped: by model, or "" for all, why questions were left unasked.
        unreached: by model, attempts that found no server; None: one did.
        told: by model and kind of failure, when it was told of.
    """

    def __init__(
        self,
        limits: AskingLimits,
        journals: Sequence[Journal],
        notice: Callable[[str], None] | None = None,
    ) -> None:
        """Count what the answers that are there took already.

        Args:
            limits: of the asking.
            journals: all that count.
            notice: called with a line for the person.
        """
        self.limits = limits
        self.notice = notice
        self.unreached: dict[str, int | None] = {}
        self.told: dict[tuple[str, str], float] = {}
        self.broken: SlantError | None = None
        self.stopped: dict[str, str] = {}
        self.failures: dict[str, int] = {}
        self.tokens = spent(journals, "total_tokens")
        self.cost = spent(journals, "total_cost")

    def answered(self, model: str, usage: Mapping[str, float]) -> None:
        """Count an answer."""
        self.failures[model] = 0
        self.tokens += usage.get("total_tokens", 0)
        self.cost += usage.get("total_cost", 0)

    def failed(self, model: str, error: str) -> None:
        """Count a question without an answer."""
        self.failures[model] = self.failures.get(model, 0) + 1
        if self.failures[model] >= GIVEN_UP:
            self.stopped.setdefault(model, f"{GIVEN_UP} failures in a row, the last: {error}")

    def connected(self, model: str) -> None:
        """Count that a server said something, were it a failure."""
        self.unreached[model] = None

    def unconnected(self, model: str, server: str, error: str) -> bool:
        """Count an attempt that found no server; whether to give it up, as none ever did."""
        before = self.unreached.get(model, 0)
        if before is None:
            return False
        self.unreached[model] = before + 1
        if before + 1 < UNREACHED:
            return False
        found = f"the first {UNREACHED} attempts to ask {model} found no server at {server}"
        self.stopped.setdefault(model, f"{found} ({error}); check --base-url and the network")
        return True

    def retrying(self, model: str, kind: str, error: str) -> None:
        """Say that a model is asked again and why: once for each kind, then now and then."""
        now = time.monotonic()
        last = self.told.get((model, kind))
        if self.notice is None or (last is not None and now - last < SAID_AGAIN):
            return
        self.told[model, kind] = now
        self.notice(f"retrying: {error} ({model})")

    def halted(self, model: str) -> bool:
        """Whether no further question may be put to a model; `stopped` then says why."""
        limits = self.limits
        if limits.max_tokens_total is not None and self.tokens >= limits.max_tokens_total:
            self.stopped[""] = (
                f"{self.tokens:,.0f} tokens are spent, and the cap is {limits.max_tokens_total:,}"
            )
        if limits.max_cost is not None and self.cost >= limits.max_cost:
            self.stopped[""] = f"${self.cost:.2f} are spent, and the cap is ${limits.max_cost:.2f}"
        return self.broken is not None or "" in self.stopped or model in self.stopped
