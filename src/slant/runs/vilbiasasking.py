"""What asking models about pairs and asking judges about rationales have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from slant.runs.baitbudget import AskingLimits
from slant.runs.baitplan import BaitSettings

Progress = Callable[[float, int, str], None]
"""Called with (done, total, model)."""


def opened(
    names: Sequence[str],
    temperature: float | None,
    max_tokens: int | None,
    limits: AskingLimits,
    args: Mapping[str, Any],
    base_url: str | None,
) -> dict[str, Any]:
    """Models by name, ready to be asked; nothing is imported where there are none.

    Raises:
        MissingExtra, OptionError: as `slant.runs.baitmodels.opened_model`.
    """
    if not names:
        return {}
    from slant.runs.baitmodels import opened_model

    told = BaitSettings(temperature=temperature, max_tokens=max_tokens)
    return {name: opened_model(name, told, limits, args, base_url) for name in names}


def counted(progress: Progress | None, total: int, first: str) -> Callable[[str], None]:
    """A function to call with the name of a model after each of its questions.

    Args:
        progress: told of (done, total, model), at once of the first.
        total: questions.
        first: the model that begins.
    """
    done = 0

    def told(model: str) -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, total, model)

    if progress is not None:
        progress(0, total, first)
    return told
