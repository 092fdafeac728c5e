"""What an estimator is: a digest that changes with its class and with each of its parameters."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any

from slant.systems.functions import function_digest


def estimator_digest(estimator: Any) -> str:
    """Eight hex digits over the classes and parameters of an estimator and all its parts.

    What it has learnt is not in it, since a run fits a clone; but for an estimator that a clone
    does not forget (scikit-learn's FrozenEstimator). Functions and classes of a user's own are in
    it with their code, those of installed packages by name. The same in every process.

    Args:
        estimator: of scikit-learn's conventions.

    >>> from sklearn.svm import LinearSVC
    >>> estimator_digest(LinearSVC(C=1.0)) == estimator_digest(LinearSVC(C=2.0))
    False
    """
    return sha256("\x1f".join(_parts(estimator)).encode()).hexdigest()[:8]


def _parts(value: Any) -> Iterator[str]:
    """The texts that a value is told by, in an order of their own."""
    if isinstance(value, str | bytes | bool | int | float | complex | type(None)):
        yield repr(value)
    elif isinstance(value, FunctionType | type):
        yield _named(value)
    elif hasattr(value, "get_params"):
        yield f"<{_named(type(value))}"
        for name, one in sorted(value.get_params(deep=False).items()):
            yield name
            yield from _parts(one)
        if type(value).__name__ == "FrozenEstimator":
            yield _hashed(value.estimator)
        yield ">"
    elif isinstance(value, dict):
        yield f"<dict {len(value)}"
        for pair in sorted(tuple(_parts([key, one])) for key, one in value.items()):
            yield from pair
    elif isinstance(value, set | frozenset):
        yield f"<set {len(value)}"
        for item in sorted(tuple(_parts(one)) for one in value):
            yield from item
    elif isinstance(value, list | tuple):
        yield f"<{type(value).__name__} {len(value)}"
        for one in value:
            yield from _parts(one)
    else:
        yield _hashed(value)


def _hashed(value: Any) -> str:
    """A digest over the bytes that a value is sent to another process with; arrays by content."""
    import joblib

    return str(joblib.hash(value))


def _named(value: Any) -> str:
    if _installed(value.__module__):
        return f"{value.__module__}.{value.__qualname__}"
    # Not the module: the same file is another one in a notebook, a script and a worker.
    own = [one for one in getattr(value, "__mro__", (value,)) if not _installed(one.__module__)]
    return f"{value.__qualname__}#{'+'.join(map(function_digest, own))}"


def _installed(module: str) -> bool:
    """Whether a module is Python's or of an installed package, whose version a run notes."""
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names or top == "slant":
        return True
    if top == "__main__":  # a script or a notebook, whose kernel lies among the packages
        return False
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None:
        return False
    paths = sysconfig.get_paths()
    homes = {Path(paths[name]).resolve() for name in ("purelib", "platlib")}
    return any(Path(file).resolve().is_relative_to(home) for home in homes)
