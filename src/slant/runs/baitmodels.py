"""Models of any provider as inspect-ai opens them."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from slant.errors import MissingExtra, OptionError
from slant.runs.baitbudget import AskingLimits, Watch
from slant.runs.modelmessages import said_by
from slant.runs.secretkeys import beside_place, scrubbed, without_keys

if TYPE_CHECKING:
    from inspect_ai.model import Model

_NO_SERVER: Final = frozenset(
    {"ConnectError", "ConnectTimeout", "ConnectionRefusedError", "gaierror",
     "ClientConnectorError", "EndpointConnectionError"}
)  # fmt: skip
"""Classes of the clients' libraries for a server that is not there."""
_LOGGERS: Final = ("httpx", "httpx2", "inspect_ai.model._providers.util.hooks")
"""They log the address of each request whole, and inspect-ai keeps that in its traces."""
_SHOWN: Final = 200
_GUARDED: Final = "_slant_guarded"
_LEAST_IN_ANSWERS: Final = 16
"""Signs of a key that is taken out of answers: local servers are given words such as "none"."""
_COUNTED: Final = ("prompt_tokens", "completion_tokens", "total_tokens")
_DETAILS: Final = ("prompt_tokens_details", "completion_tokens_details")
_MOST_TOKENS: Final = 10**12
"""Of one answer: more is no count."""


def opened_model(
    name: str,
    temperature: float | None,
    max_tokens: int | None,
    limits: AskingLimits,
    model_args: Mapping[str, Any],
    base_url: str | None,
) -> Model:
    """A model of any provider that inspect-ai knows, ready to be asked.

    Raises:
        MissingExtra: inspect-ai or the provider's package is not installed.
        OptionError: no such provider, or its key is not in the environment.
    """
    try:
        from inspect_ai._util.error import PrerequisiteError
        from inspect_ai.model import GenerateConfig, get_model
    except ImportError:
        found, do = "inspect-ai is not installed", 'Run pip install "slant[llm]"'
        raise MissingExtra(f"Asking the model '{name}'", found, do) from None
    config = GenerateConfig(
        temperature=temperature,
        max_tokens=max_tokens,
        max_connections=limits.max_connections,
        attempt_timeout=limits.timeout,
        max_retries=limits.max_retries,
    )
    try:
        model = get_model(name, config=config, base_url=base_url, memoize=False, **model_args)
    except PrerequisiteError as error:
        said = _without_markup(str(error.message)).removeprefix("ERROR: ")
        kind = MissingExtra if "pip install" in said else OptionError
        raise kind(
            f"Opening the model '{name}'", said, "See docs/bait-models.md on providers and keys"
        ) from None
    except (ValueError, TypeError) as error:
        found, do = scrubbed(str(error)), "Write PROVIDER/MODEL; see docs/bait-models.md"
        raise OptionError(f"Opening the model '{name}'", found, do) from None
    return guarded(model)


def watch_attempts(model: Model, name: str, watch: Watch) -> None:
    """Tell a watch of each attempt that failed: why it is made again, or that no server is there.

    Args:
        model: opened.
        name: as it is asked for.
        watch: of the asking; says when a server that was never there is given up.
    """
    again, before = model.should_retry, model.before_retry
    secrets = known_key(model)
    server = urlsplit(str(getattr(model.api, "base_url", None) or ""))
    place = f"{server.hostname}:{server.port}" if server.port else server.hostname or "its address"

    def said(error: BaseException) -> str:
        text = said_by(error) if isinstance(error, Exception) else type(error).__name__
        status = getattr(error, "status_code", None)
        return scrubbed(text if status is None else f"{status} {text}", secrets)[:_SHOWN]

    def should_retry(ex: BaseException) -> bool:
        if any(type(one).__name__ in _NO_SERVER for one in _causes(ex)):
            if watch.unconnected(name, place, said(ex)):
                return False
        else:
            watch.connected(name)
        return again(ex)

    async def before_retry(ex: BaseException) -> None:
        kind = f"{type(ex).__name__} {getattr(ex, 'status_code', '')}"
        watch.retrying(name, kind, said(ex))
        await before(ex)

    model.should_retry = should_retry  # type: ignore[method-assign]
    model.before_retry = before_retry  # type: ignore[method-assign]


def known_key(model: Model) -> list[str]:
    """The key that a model is asked with, and what its address holds of the kind."""
    key = getattr(model.api, "api_key", None)
    address = str(getattr(model.api, "base_url", None) or "")
    return [*([key] if isinstance(key, str) else []), *beside_place(address)]


def guarded(model: Model) -> Model:
    """A model whose key stands in nothing that inspect-ai logs, and which loses no whole answer."""
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_without_keys)
    if not getattr(model.api, _GUARDED, False):
        _keep_keys_out(model)
        _keep_answers_in(model)
        setattr(model.api, _GUARDED, True)
    return model


def _without_keys(record: logging.LogRecord) -> bool:
    """Take keys out of what is logged; the record stays."""
    record.msg, record.args = scrubbed(record.getMessage()), None
    return True


def _without_markup(text: str) -> str:
    return " ".join(re.sub(r"\[/?[a-z ]+\]", "", text).split())


def _keep_keys_out(model: Model) -> None:
    """Take the key out of what a server says, of a failure or in an answer."""
    asked = model.api.generate
    secrets = known_key(model)
    spoken = partial(scrubbed, secrets=secrets)
    answered = partial(without_keys, secrets=secrets, least=_LEAST_IN_ANSWERS)

    async def generate(*args: Any, **kwargs: Any) -> Any:
        try:
            found = await asked(*args, **kwargs)
        except Exception as error:
            _scrub(error, spoken)
            raise
        said, call = found if isinstance(found, tuple) else (found, None)
        if isinstance(said, Exception):
            _scrub(said, spoken)
        else:
            shown = said.model_dump()
            clean = _clean(shown, answered)
            if clean == shown:
                return found
            said = type(said).model_validate(clean)
        if call is None:
            return said
        call.response = _clean(call.response, spoken)
        return said, call

    model.api.generate = generate  # type: ignore[method-assign]


def _keep_answers_in(model: Model) -> None:
    """Forget counts of tokens that are none, on which inspect-ai would throw the answer away."""
    asked = getattr(model.api, "_generate_completion", None)
    if asked is None:
        return

    async def counted(*args: Any, **kwargs: Any) -> Any:
        found = await asked(*args, **kwargs)
        usage = getattr(found, "usage", None)
        if usage is not None and not _counts(usage):
            found.usage = None
        return found

    model.api._generate_completion = counted  # type: ignore[attr-defined]


def _counts(usage: Any) -> bool:
    """Whether what a server says that an answer took is numbers of tokens."""
    told = [getattr(usage, name, None) for name in _COUNTED]
    for name in _DETAILS:
        details = getattr(usage, name, None)
        if details is not None and not hasattr(details, "__dict__"):
            return False
        told += [one for one in vars(details).values() if one is not None] if details else []
    return all(isinstance(one, int) and 0 <= one <= _MOST_TOKENS for one in told)


def _scrub(error: BaseException | None, cleaned: Callable[[str], str]) -> None:
    for one in _causes(error):
        for name in ("args", "message", "body"):
            before = getattr(one, name, None)
            after = _clean(before, cleaned)
            if after != before:
                setattr(one, name, after)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _clean(value: Any, cleaned: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return cleaned(value)
    if isinstance(value, dict):
        return {name: _clean(one, cleaned) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_clean(one, cleaned) for one in value)
    return value
