"""Systems: folds -> predictions. `SYSTEMS` is the whole register."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from slant.errors import OptionError, unknown_name
from slant.systems.checkpoints import short_fingerprint
from slant.systems.constant import majority, random
from slant.systems.finetuned import encoder_system
from slant.systems.foreign import file_fingerprint, file_predictions
from slant.systems.lexicon import lexicon
from slant.systems.linear import minilm_lr, tfidf_lr
from slant.systems.source import source_only
from slant.types import System

Value = str | int | float | bool


class Parameter(NamedTuple):
    """One parameter of a system: its kind, what it may be, and that in words."""

    name: str
    kind: type[str] | type[int] | type[float] | type[bool]
    default: Value
    allowed: Callable[[Value], bool]
    says: str


class Known(NamedTuple):
    """One registered system. A family takes a checkpoint after a colon, `predictions:mine.csv`,
    whose content has a `fingerprint`; `kinds` says in an error what to give there."""

    make: Callable[..., System]
    version: int
    says: str
    accepts: tuple[Parameter, ...] = ()
    extra: str | None = None
    family: bool = False
    fingerprint: Callable[[str], str] = file_fingerprint
    kinds: str = "FILE"


def _flag(name: str, default: bool, says: str) -> Parameter:
    return Parameter(name, bool, default, lambda value: True, f"true or false: {says}")


def _whole(name: str, default: int, low: int, high: int, says: str) -> Parameter:
    def allowed(value: Value) -> bool:
        return low <= int(value) <= high

    return Parameter(name, int, default, allowed, f"a whole number from {low} to {high}: {says}")


def _choice(name: str, default: str, allowed: tuple[str, ...], says: str) -> Parameter:
    words = f"{' or '.join(allowed)}: {says}"
    return Parameter(name, str, default, lambda value: value in allowed, words)


def _share(name: str, default: float, says: str) -> Parameter:
    def allowed(value: Value) -> bool:
        return 0 <= float(value) <= 1

    return Parameter(name, float, default, allowed, f"a number from 0 to 1: {says}")


def _finite_from(low: float, strict: bool) -> Callable[[Value], bool]:
    return lambda value: (
        (low < float(value) if strict else low <= float(value)) and (float(value) < float("inf"))
    )


SYSTEMS: dict[str, Known] = {
    "majority": Known(majority, 1, "the most frequent label of train"),
    "random": Known(
        random,
        1,
        "a coin for each item id",
        (_flag("stratified", False, "biased as often as in train"),),
    ),
    "source-only": Known(
        source_only, 1, "the majority label of the item's data set; the text is not read"
    ),
    "lexicon": Known(
        lexicon,
        1,
        "cue words by category, shown as evidence, and VADER; no word is learnt",
        (_flag("vader", True, "add VADER's share of negative words"),),
    ),
    "tfidf-lr": Known(
        tfidf_lr,
        1,
        "TF-IDF of words and word pairs, logistic regression",
        (
            Parameter("C", float, 1.0, _finite_from(0, True), "a number above 0: 1 / penalty"),
            _whole("ngram", 2, 1, 5, "longest run of words that is a term"),
            _whole("min_df", 2, 1, 1000, "texts that a term must stand in"),
            _whole("max_features", 0, 0, 10**8, "most frequent terms kept, 0 for all"),
            _flag("balanced", False, "both classes weigh the same"),
        ),
    ),
    "minilm-lr": Known(
        minilm_lr,
        1,
        "frozen MiniLM sentence vectors, logistic regression",
        (
            Parameter(
                "C",
                float,
                0.0,
                _finite_from(0, False),
                "a number above 0: 1 / penalty, or 0 to choose it on dev",
            ),
            _whole("max_length", 256, 8, 512, "tokens that a text is cut to"),
            _flag("balanced", False, "both classes weigh the same"),
        ),
        extra="encoders",
    ),
    "encoder": Known(
        encoder_system,
        1,
        "a checkpoint fine-tuned: encoder:minilm, encoder:FOLDER, encoder:OWNER/NAME of the hub",
        (
            _whole("epochs", 4, 1, 1000, "rounds over train, at most"),
            Parameter(
                "lr",
                float,
                0.0,
                _finite_from(0, False),
                "a number above 0: the highest learning rate, or 0 for the checkpoint's own",
            ),
            _whole("batch", 32, 1, 4096, "texts of a step"),
            _whole("max_length", 128, 4, 10**6, "tokens of a text or window"),
            _choice("precision", "float32", ("float32", "bf16"), "of the products"),
            _whole("patience", 2, 0, 1000, "epochs without a better one on dev, 0 to go on"),
            _choice("long", "window", ("window", "cut"), "what longer texts are"),
            _share("warmup", 0.1, "share of the steps in which the learning rate rises"),
            _share("weight_decay", 0.01, "decay of the weights"),
            _flag("balanced", False, "both classes weigh the same"),
        ),
        extra="encoders",
        family=True,
        fingerprint=short_fingerprint,
        kinds="NAME",
    ),
    "predictions": Known(
        file_predictions,
        1,
        "anybody's own output: predictions:FILE.csv (.jsonl, .parquet)",
        (
            Parameter(
                "missing",
                str,
                "error",
                lambda value: value in ("error", "fault"),
                "error or fault: how ids that the file lacks are scored",
            ),
        ),
        family=True,
    ),
}


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

    >>> parameter_value("tfidf-lr", SYSTEMS["tfidf-lr"].accepts[0], "2")
    2.0
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
    accepted = {parameter.name: parameter for parameter in known.accepts}
    values = {}
    for key, given in params.items():
        if key not in accepted:
            if not accepted:
                found = f"'{key}' was given, and it has no parameters"
                raise OptionError(f"Making the system '{name}'", found, "Leave it out")
            raise unknown_name(f"parameter of {name}", key, accepted)
        values[key] = parameter_value(name, accepted[key], given)
    if not known.family:
        return f"{name}@{known.version}", known.make(**values)
    system = known.make(checkpoint, **values)
    # A run resumed with a changed file must not pass for the same run, so its content is named.
    label = f"{Path(checkpoint).name}#{known.fingerprint(checkpoint)}".replace("|", "_")
    return f"{name}:{label}@{known.version}", system
