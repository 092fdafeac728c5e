"""What can be given as a system: a name, a function, an estimator, a pipeline."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from traceback import extract_tb
from typing import Any

from slant.errors import OptionError, SlantError, unknown_name
from slant.systems.estimators import EstimatorSystem, estimator_system, is_estimator
from slant.systems.functions import function_digest
from slant.systems.parameters import parameter_values
from slant.systems.pipelines import PARAMETERS, PipelineSystem, is_pipeline, pipeline_system
from slant.types import System

Given = str | System | Any
"""A name, a function of folds and seed, a scikit-learn classifier or a transformers pipeline."""


def object_system(given: Any, params: Mapping[str, Any]) -> tuple[str, System]:
    """A system of an object of the user's own.

    Args:
        given: a function (folds, seed) -> one list of Predictions per fold, a classifier of
            scikit-learn, or a pipeline of transformers.
        params: of a pipeline, those of `pipelines.pipeline_system`; a classifier has its own, and
            a function has none.

    Returns:
        The name as the signature has it, with a digest of what the object does, and the system.

    Raises:
        OptionError: it is none of these, or cannot take the parameters.

    >>> object_system("tfidf-lr", {})
    Traceback (most recent call last):
        ...
    slant.errors.OptionError: Making a system of a str: it is no function, classifier or pipeline...
    """
    if is_estimator(given):
        if params:
            found = f"{', '.join(sorted(params))} was given beside the object"
            do = "Set its parameters on the object: LinearSVC(C=2)"
            raise OptionError("Making a system of an estimator", found, do)
        estimated = estimator_system(given)
        return estimated.name, estimated
    if is_pipeline(given):
        values: dict[str, Any] = parameter_values("a pipeline", PARAMETERS, params)
        piped = pipeline_system(given, **values)
        return piped.name, piped
    if isinstance(given, EstimatorSystem | PipelineSystem):
        return given.name, given
    if not callable(given):
        found = "it is no function, classifier or pipeline"
        do = "Give a function of folds and seed, or an object with fit and predict"
        raise OptionError(f"Making a system of a {type(given).__name__}", found, do)
    own = getattr(given, "__name__", type(given).__name__)
    return f"function:{own}#{function_digest(given)}", given


def python_system(place: str) -> System:
    """The system of an object in a Python file or module, which is run to have it.

    Args:
        place: "FILE.py:NAME" or "package.module:NAME", whose object is one of `object_system`'s.

    Raises:
        OptionError: no such file, module or name; it fails, or the object is no system.
    """
    system = _placed(place)[1]
    if isinstance(system, EstimatorSystem | PipelineSystem):
        return system
    return partial(_called, place, system)


def _called(place: str, system: System, folds: Any, seed: int) -> Any:
    """A function's answers; what it raises is one line that names the file's line."""
    with _faults_of(place):
        answers = system(folds, seed)
    return _each(place, answers) if isinstance(answers, Iterator) else answers


def _each(place: str, answers: Iterator[Any]) -> Iterator[Any]:
    with _faults_of(place):
        yield from answers


@contextmanager
def _faults_of(place: str) -> Iterator[None]:
    try:
        yield
    except SlantError:
        raise
    except Exception as why:
        file = place.rpartition(":")[0]
        lines = [one.lineno for one in extract_tb(why.__traceback__) if one.filename.endswith(file)]
        where = f", line {lines[-1]}" if lines else ""
        found = f"it failed ({type(why).__name__}: {' '.join(str(why).split())[:300]}{where})"
        raise OptionError(f"Running 'python:{place}'", found, "Mend it, and run again") from why


def python_fingerprint(place: str) -> str:
    """The digest in the name of the object."""
    name = _placed(place)[0]
    return name.rpartition("#")[2].partition("@")[0]


def python_bytes(place: str) -> int:
    """What a process needs that works with the object, 0 where it is little."""
    return int(getattr(python_system(place), "worker_bytes", 0))


def absolute_place(spec: str) -> str:
    """`python:FILE.py:NAME` with the whole path, for processes that stand in another folder.

    >>> absolute_place("tfidf-lr"), absolute_place("python:a.b:c")
    ('tfidf-lr', 'python:a.b:c')
    """
    family, _, place = spec.partition(":")
    file, _, name = place.rpartition(":")
    if family != "python" or not file.endswith(".py"):
        return spec
    return f"{family}:{Path(file).expanduser().absolute()}:{name}"


def _placed(place: str) -> tuple[str, System]:
    source, colon, name = place.rpartition(":")
    asked = f"Making the system 'python:{place}'"
    if not colon or not source or not name:
        do = "Give python:FILE.py:NAME or python:MODULE:NAME"
        raise OptionError(asked, "it does not say which name of which file", do)
    content = b""
    if source.endswith(".py"):
        path = Path(source).expanduser().absolute()
        try:
            content = path.read_bytes()
        except OSError as why:
            found = f"'{source}' cannot be read ({why.strerror})"
            raise OptionError(asked, found, "Check the path") from None
        module = _run(asked, str(path), sha256(content).hexdigest()[:16])
    else:
        module = _run(asked, source, "")
    if not hasattr(module, name):
        known = [one for one in vars(module) if not one.startswith("_")]
        raise unknown_name(f"name in '{source}'", name, known)
    try:
        return object_system(getattr(module, name), {})
    except SlantError as why:
        raise OptionError(asked, why.found, why.do) from why


@lru_cache(maxsize=8)
def _run(asked: str, source: str, digest: str) -> Any:
    """The module, run once in a process for each content of its file."""
    try:
        if not digest:
            return importlib.import_module(source)
        own = f"slant_given_{digest}"
        spec = importlib.util.spec_from_file_location(own, source)
        if spec is None or spec.loader is None:
            raise ImportError("it is no Python file")
        module = importlib.util.module_from_spec(spec)
        # What the file defines is looked up there when it is copied or sent elsewhere.
        sys.modules[own] = module
        sys.path.insert(0, str(Path(source).parent))
        try:
            spec.loader.exec_module(module)
        finally:
            sys.path.remove(str(Path(source).parent))
        return module
    except (Exception, SystemExit) as why:
        found = f"running it failed ({type(why).__name__}: {' '.join(str(why).split())[:300]})"
        raise OptionError(asked, found, "Mend the file") from why
