"""A user's own function as a system: a digest that changes when what it does changes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any


def function_digest(function: Any) -> str:
    """Eight hex digits over a function's code, defaults, closure and the globals it names,
    functions among them followed; the same in every process. What imported modules hold is not
    in it.

    Args:
        function: a function, or an object with `__call__`.

    >>> function_digest(lambda x: x in {"a", "b"}) == function_digest(lambda x: x in {"b", "a"})
    True
    """
    return hashlib.sha256("\\x1f".join(_parts(function, set())).encode()).hexdigest()[:8]


def _parts(value: Any, seen: set[int]) -> Iterator[str]:
    if id(value) in seen:
        return
    if isinstance(value, FunctionType):
        seen.add(id(value))
        yield from _function_parts(value, seen)
    elif isinstance(value, CodeType):
        yield value.co_code.hex()
        yield repr(value.co_names)
        yield from _parts(value.co_consts, seen)
    elif isinstance(value, ModuleType):
        yield value.__name__
    elif isinstance(value, set | frozenset):
        yield repr(sorted(map(repr, value)))
    elif isinstance(value, dict):
        yield from _parts(list(value.items()), seen)
    elif isinstance(value, list | tuple):
        yield type(value).__name__
        for one in value:
            yield from _parts(one, seen)
    elif isinstance(value, str | bytes | int | float | complex | type(None)):
        yield repr(value)
    else:
        seen.add(id(value))
        yield from _object_parts(value, seen)


def _function_parts(function: FunctionType, seen: set[int]) -> Iterator[str]:
    yield from _parts(function.__code__, seen)
    yield from _parts(function.__defaults__, seen)
    yield from _parts(function.__kwdefaults__, seen)
    for cell in function.__closure__ or ():
        yield from _parts(cell.cell_contents, seen)
    for name in _names(function.__code__):
        if name in function.__globals__:
            yield name
            yield from _parts(function.__globals__[name], seen)


def _object_parts(value: Any, seen: set[int]) -> Iterator[str]:
    """A class by its name and methods; an object by its class and its state."""
    if isinstance(value, type):
        yield value.__qualname__
        methods = {k: v for k, v in vars(value).items() if isinstance(v, FunctionType)}
        yield from _parts(dict(sorted(methods.items())), seen)
        return
    yield from _parts(type(value), seen)
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    state = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    yield from _parts({**state, **getattr(value, "__dict__", {})}, seen)


def _names(code: CodeType) -> list[str]:
    names = list(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names += _names(constant)
    return sorted(set(names))
