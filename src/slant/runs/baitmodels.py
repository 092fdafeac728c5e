"""Models of any provider as inspect-ai opens them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from slant.errors import MissingExtra, OptionError
from slant.runs.baitbudget import AskingLimits, Watch
from slant.runs.modelmessages import said_by
from slant.runs.secretkeys import scrubbed

if TYPE_CHECKING:
    from inspect_ai.model import Model

_NO_SERVER: Final = frozenset(
    {"ConnectError", "ConnectTimeout", "ConnectionRefusedError", "gaierror",
     "ClientConnectorError", "EndpointConnectionError"}
)  # fmt: skip
"""Classes of the clients' libraries for a server that is not there."""
_SHOWN: Final = 200


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
        raise MissingExtra(
            f"Asking the model '{name}'", "inspect-ai is not installed", 'pip install "slant[llm]"'
        ) from None
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
    _keep_keys_out(model)
    return model


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
    """The key that a model is asked with, where it has one."""
    key = getattr(model.api, "api_key", None)
    return [key] if isinstance(key, str) else []


def _without_markup(text: str) -> str:
    return " ".join(re.sub(r"\[/?[a-z ]+\]", "", text).split())


def _keep_keys_out(model: Model) -> None:
    """Take the key out of what a server says of a failure, before inspect-ai logs it."""
    asked = model.api.generate
    secrets = known_key(model)

    async def generate(*args: Any, **kwargs: Any) -> Any:
        try:
            found = await asked(*args, **kwargs)
        except Exception as error:
            _scrub(error, secrets)
            raise
        if isinstance(found, tuple) and isinstance(found[0], Exception):
            _scrub(found[0], secrets)
            found[1].response = _clean(found[1].response, secrets)
        return found

    model.api.generate = generate  # type: ignore[method-assign]


def _scrub(error: BaseException | None, secrets: Sequence[str]) -> None:
    for one in _causes(error):
        for name in ("args", "message", "body"):
            before = getattr(one, name, None)
            after = _clean(before, secrets)
            if after != before:
                setattr(one, name, after)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _clean(value: Any, secrets: Sequence[str]) -> Any:
    if isinstance(value, str):
        return scrubbed(value, secrets)
    if isinstance(value, dict):
        return {name: _clean(one, secrets) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_clean(one, secrets) for one in value)
    return value
