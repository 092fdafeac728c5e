"""Systems: folds -> predictions. `SYSTEMS` is the whole register."""

from __future__ import annotations

from collections.abc import Mapping

from slant.errors import OptionError, unknown_name
from slant.systems.capacity import training_bytes, workers_that_fit
from slant.systems.checkpoints import short_fingerprint
from slant.systems.given import Given, absolute_place, object_system
from slant.systems.parameters import Value, parameter_values
from slant.systems.register import SYSTEMS, Known
from slant.types import System

__all__ = [
    "SYSTEMS",
    "Given",
    "Known",
    "fine_tunes",
    "fitting_workers",
    "keeps_models",
    "learns_jointly",
    "make_system",
    "named_system",
    "reads_windows",
]


def make_system(spec: str, params: Mapping[str, Value]) -> tuple[str, System]:
    """A system by its name, with its parameters set.

    Args:
        spec: `name`, or `family:checkpoint` such as `predictions:mine.csv`.
        params: the parameters that are not to have their default; texts are read as the
            parameter's kind.

    Returns:
        The versioned name, such as "tfidf-lr@1" (a file's with its first 8 hex digits of SHA-256,
        "predictions:mine.csv#3f2a91c0@1"), and the system.

    Raises:
        UnknownName: no system or parameter has this name.
        OptionError: a parameter has a value it cannot take, or a checkpoint is missing or not
            wanted.
        MissingExtra: packages that it needs are not installed.

    >>> make_system("majority", {})[0]
    'majority@1'
    """
    name, colon, checkpoint = spec.partition(":")
    if name not in SYSTEMS:
        raise unknown_name("system", name, SYSTEMS)
    known = SYSTEMS[name]
    if known.family and not checkpoint:
        do = f"Give {name}:{known.kinds}"
        raise OptionError(
            f"Making the system '{spec}'", f"{name} is followed by no {known.kinds.lower()}", do
        )
    if colon and not known.family:
        raise OptionError(f"Making the system '{spec}'", f"{name} has no kinds", f"Give {name}")
    values = parameter_values(name, known.accepts, params)
    if not known.family:
        return f"{name}@{known.version}", known.make(**values)
    system = known.make(checkpoint, **values)
    # A run resumed with a changed file must not pass for the same run, so its content is named.
    label = f"{known.label(checkpoint)}#{known.fingerprint(checkpoint)}".replace("|", "_")
    return f"{name}:{label}@{known.version}", system


def named_system(given: Given, params: Mapping[str, Value]) -> tuple[str, str | System]:
    """What is given as a system: its name in a signature, and what a worker makes it from.

    Args:
        given: a name for `make_system`, or an object for `given.object_system`.
        params: of a named system, or of a pipeline.

    Returns:
        The name, which tells parameters that are not the default; and the name that was given, or
        the system of the object.

    Raises:
        SlantError: see `make_system` and `object_system`.

    >>> named_system("tfidf-lr", {"C": 2})
    ('tfidf-lr@1(C=2)', 'tfidf-lr')
    """
    if not isinstance(given, str):
        return object_system(given, params)
    name = make_system(given, params)[0]
    changed = ",".join(f"{key}={params[key]}" for key in sorted(params))
    return f"{name}({changed})" if changed else name, absolute_place(given)


def learns_jointly(system: str | System) -> bool:
    """Whether a system is given the folds of all tasks at once.

    >>> learns_jointly("encoder-multitask:minilm"), learns_jointly("encoder:minilm")
    (True, False)
    """
    known = SYSTEMS.get(system.partition(":")[0]) if isinstance(system, str) else None
    return known is not None and known.joint


def fine_tunes(system: str) -> bool:
    """Whether a system trains a checkpoint.

    >>> [fine_tunes(one) for one in ("encoder:minilm", "classifier:a/b", "minilm-lr")]
    [True, False, False]
    """
    known = SYSTEMS.get(system.partition(":")[0])
    return known is not None and known.worker_bytes is training_bytes


def reads_windows(system: str) -> bool:
    """Whether a system reads texts with a checkpoint, and notes in `raw` what became of long ones.

    >>> [reads_windows(one) for one in ("encoder:minilm", "classifier:a/b", "minilm-lr")]
    [True, True, False]
    """
    known = SYSTEMS.get(system.partition(":")[0])
    return known is not None and known.fingerprint is short_fingerprint


def keeps_models(system: str) -> bool:
    """Whether a run with a system can keep its models.

    >>> [keeps_models(one) for one in ("encoder:minilm", "classifier:a/b", "minilm-lr")]
    [True, True, False]
    """
    known = SYSTEMS.get(system.partition(":")[0])
    return known is not None and known.keeps


def fitting_workers(system: str | System, cores: int) -> int:
    """As many processes as there are cores, or fewer where memory or an accelerator says so.

    Args:
        system: a name, or a system of the user's own, which gets all cores unless it says by
            `worker_bytes` what a process needs.
        cores: at least 1.

    Returns:
        1 to `cores`.
    """
    if isinstance(system, str):
        name, _, checkpoint = system.partition(":")
        need = SYSTEMS[name].worker_bytes if name in SYSTEMS else None
        amount = need(checkpoint) if need is not None else 0
    else:
        amount = int(getattr(system, "worker_bytes", 0))
    return workers_that_fit(amount, cores) if amount else cores
