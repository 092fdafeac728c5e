"""Systems: folds -> predictions. `SYSTEMS` is the whole register."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from slant.errors import OptionError, unknown_name
from slant.systems.capacity import reading_bytes, training_bytes, workers_that_fit
from slant.systems.checkpoints import short_fingerprint
from slant.systems.classifier import classifier_system
from slant.systems.constant import majority, random
from slant.systems.finetuned import encoder_multitask, encoder_system
from slant.systems.foreign import file_fingerprint, file_predictions
from slant.systems.lexicon import lexicon
from slant.systems.linear import minilm_lr, tfidf_lr
from slant.systems.parameters import (
    Parameter,
    Value,
    choice,
    finite_from,
    flag,
    parameter_value,
    share,
    whole,
)
from slant.systems.source import source_only
from slant.types import System


class Known(NamedTuple):
    """One registered system. A family takes a checkpoint after a colon, `predictions:mine.csv`,
    whose content has a `fingerprint`; `kinds` says in an error what to give there. A `joint` one
    is given the folds of all tasks of a run at once and learns from them together. `worker_bytes`
    is what a process needs where that is so much that memory may not hold one for each core. One
    that `keeps` hands each fold's model over, so that a run can keep it."""

    make: Callable[..., System]
    version: int
    says: str
    accepts: tuple[Parameter, ...] = ()
    extra: str | None = None
    family: bool = False
    fingerprint: Callable[[str], str] = file_fingerprint
    kinds: str = "FILE"
    joint: bool = False
    worker_bytes: Callable[[str], int] | None = None
    keeps: bool = False


_MAX_LENGTH = whole("max_length", 128, 4, 10**6, "tokens of a text or window")
_PRECISION = choice("precision", "float32", ("float32", "bf16"), "of the products")
_LONG = choice("long", "window", ("window", "cut"), "what longer texts are")
_ENCODER = (
    whole("epochs", 4, 1, 1000, "rounds over train, at most"),
    Parameter(
        "lr",
        float,
        0.0,
        finite_from(0, False),
        "a number above 0: the highest learning rate, or 0 for the checkpoint's own",
    ),
    whole("batch", 32, 1, 4096, "texts of a step"),
    _MAX_LENGTH,
    _PRECISION,
    whole("patience", 2, 0, 1000, "epochs without a better one on dev, 0 to go on"),
    _LONG,
    share("warmup", 0.1, "share of the steps in which the learning rate rises"),
    share("weight_decay", 0.01, "decay of the weights"),
    flag("balanced", False, "both classes weigh the same"),
)
_ATTENTION = (
    Parameter(
        "attention_lambda",
        float,
        0.0,
        finite_from(0, False),
        "a number from 0: weight of the loss that teaches attention where experts marked words",
    ),
    choice("unmarked", "skip", ("skip", "zero"), "what texts without marks teach attention"),
    choice("targets", "majority", ("majority", "shares"), "what is learnt of annotators' labels"),
    choice("take", "best", ("best", "last"), "which epoch's model is taken"),
)
_TEMPERATURE = Parameter(
    "temperature",
    float,
    2.0,
    finite_from(1, False),
    "a number from 1: tasks are drawn by size ** (1 / temperature)",
)

SYSTEMS: dict[str, Known] = {
    "majority": Known(majority, 1, "the most frequent label of train"),
    "random": Known(
        random,
        1,
        "a coin for each item id",
        (flag("stratified", False, "biased as often as in train"),),
    ),
    "source-only": Known(
        source_only, 1, "the majority label of the item's data set; the text is not read"
    ),
    "lexicon": Known(
        lexicon,
        1,
        "cue words by category, shown as evidence, and VADER; no word is learnt",
        (flag("vader", True, "add VADER's share of negative words"),),
    ),
    "tfidf-lr": Known(
        tfidf_lr,
        1,
        "TF-IDF of words and word pairs, logistic regression",
        (
            Parameter("C", float, 1.0, finite_from(0, True), "a number above 0: 1 / penalty"),
            whole("ngram", 2, 1, 5, "longest run of words that is a term"),
            whole("min_df", 2, 1, 1000, "texts that a term must stand in"),
            whole("max_features", 0, 0, 10**8, "most frequent terms kept, 0 for all"),
            flag("balanced", False, "both classes weigh the same"),
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
                finite_from(0, False),
                "a number above 0: 1 / penalty, or 0 to choose it on dev",
            ),
            whole("max_length", 256, 8, 512, "tokens that a text is cut to"),
            flag("balanced", False, "both classes weigh the same"),
        ),
        extra="encoders",
    ),
    "encoder": Known(
        encoder_system,
        1,
        "a checkpoint fine-tuned: encoder:minilm, encoder:FOLDER, encoder:OWNER/NAME of the hub",
        (*_ENCODER, *_ATTENTION),
        extra="encoders",
        family=True,
        fingerprint=short_fingerprint,
        kinds="NAME",
        worker_bytes=training_bytes,
        keeps=True,
    ),
    "classifier": Known(
        classifier_system,
        1,
        "a classifier as it is, untrained: classifier:FOLDER, classifier:OWNER/NAME of the hub",
        (
            Parameter("biased", str, "", lambda value: True, "label that means biased"),
            _MAX_LENGTH,
            _PRECISION,
            _LONG,
        ),
        extra="encoders",
        family=True,
        fingerprint=short_fingerprint,
        kinds="NAME",
        worker_bytes=reading_bytes,
        keeps=True,
    ),
    "encoder-multitask": Known(
        encoder_multitask,
        1,
        "one checkpoint fine-tuned on all tasks of the run together, a head for each",
        (*_ENCODER, _TEMPERATURE),
        extra="encoders",
        family=True,
        fingerprint=short_fingerprint,
        kinds="NAME",
        joint=True,
        worker_bytes=training_bytes,
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
        system: a name, or a function of the user's own, which gets all cores.
        cores: at least 1.

    Returns:
        1 to `cores`.
    """
    name, _, checkpoint = system.partition(":") if isinstance(system, str) else ("", "", "")
    need = SYSTEMS[name].worker_bytes if name in SYSTEMS else None
    return cores if need is None else workers_that_fit(need(checkpoint), cores)
