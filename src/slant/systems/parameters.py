"""Parameters of systems: what each may be, and a value checked against it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import NamedTuple

from slant.errors import OptionError, unknown_name

Value = str | int | float | bool


class Parameter(NamedTuple):
    """One parameter of a system: its kind, what it may be, and that in words."""

    name: str
    kind: type[str] | type[int] | type[float] | type[bool]
    default: Value
    allowed: Callable[[Value], bool]
    says: str


def flag(name: str, default: bool, says: str) -> Parameter:
    """A yes or no."""
    return Parameter(name, bool, default, lambda value: True, f"true or false: {says}")


def whole(name: str, default: int, low: int, high: int, says: str) -> Parameter:
    """A whole number in a range, both ends included."""

    def allowed(value: Value) -> bool:
        return low <= int(value) <= high

    return Parameter(name, int, default, allowed, f"a whole number from {low} to {high}: {says}")


def choice(name: str, default: str, allowed: tuple[str, ...], says: str) -> Parameter:
    """One of several words."""
    words = f"{' or '.join(allowed)}: {says}"
    return Parameter(name, str, default, lambda value: value in allowed, words)


def share(name: str, default: float, says: str) -> Parameter:
    """A number from 0 to 1."""

    def allowed(value: Value) -> bool:
        return 0 <= float(value) <= 1

    return Parameter(name, float, default, allowed, f"a number from 0 to 1: {says}")


def number(name: str, default: float, low: float, says: str, *, strict: bool = False) -> Parameter:
    """A finite number from `low` on, or above it where `strict`; `says` names that range too."""

    def allowed(value: Value) -> bool:
        return (low < float(value) if strict else low <= float(value)) and float(value) < inf

    return Parameter(name, float, default, allowed, says)


def parameter_value(system: str, parameter: Parameter, given: Value) -> Value:
    """A parameter's value in its own kind, checked.

    Args:
        system: the system's name, for the error.
        parameter: what the system accepts.
        given: the value, or the text of it as a command line gives it.

    Returns:
        The value.

    Raises:
        OptionError: it is of another kind or out of range.

    >>> parameter_value("tfidf-lr", whole("min_df", 2, 1, 1000, "texts"), "3")
    3
    """
    wrong = OptionError(
        f"Setting {parameter.name} of {system}", f"'{given}' was given", f"Give {parameter.says}"
    )
    value: Value
    if parameter.kind is bool:
        words = {"true": True, "false": False, "1": True, "0": False}
        if str(given).lower() not in words:
            raise wrong
        value = words[str(given).lower()]
    elif parameter.kind is str:
        value = str(given)
    elif isinstance(given, bool):
        raise wrong
    else:
        try:
            number = float(given)
            value = int(number) if parameter.kind is int else number
        except (ValueError, OverflowError) as why:
            raise wrong from why
        if value != number:
            raise wrong
    if not parameter.allowed(value):
        raise wrong
    return value


def parameter_values(
    system: str, accepts: Sequence[Parameter], given: Mapping[str, Value]
) -> dict[str, Value]:
    """The given parameters in their own kinds, checked.

    Args:
        system: the system's name, for the error.
        accepts: what the system accepts.
        given: by name.

    Raises:
        UnknownName: the system accepts no such parameter. OptionError: or none at all; or see
            `parameter_value`.

    >>> parameter_values("a", [whole("n", 2, 1, 9, "texts")], {"n": "3"})
    {'n': 3}
    """
    accepted = {parameter.name: parameter for parameter in accepts}
    values = {}
    for key, value in given.items():
        if key not in accepted:
            if not accepted:
                found = f"'{key}' was given, and it has no parameters"
                raise OptionError(f"Making the system '{system}'", found, "Leave it out")
            raise unknown_name(f"parameter of {system}", key, accepted)
        values[key] = parameter_value(system, accepted[key], value)
    return values
