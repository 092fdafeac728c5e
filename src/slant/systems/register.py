"""The register of systems: what each is called, does, accepts and needs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from slant.systems.capacity import reading_bytes, training_bytes
from slant.systems.checkpoints import short_fingerprint
from slant.systems.classifier import classifier_system
from slant.systems.constant import majority, random
from slant.systems.finetuned import encoder_multitask, encoder_system
from slant.systems.foreign import file_fingerprint, file_predictions
from slant.systems.fusion import fusion, fusion_bytes, fusion_fingerprint, fusion_label
from slant.systems.given import python_bytes, python_fingerprint, python_system
from slant.systems.lexicon import lexicon
from slant.systems.linear import minilm_lr, tfidf_lr
from slant.systems.parameters import (
    Parameter,
    choice,
    flag,
    number,
    share,
    whole,
)
from slant.systems.source import source_only
from slant.types import System


def _last_part(checkpoint: str) -> str:
    return Path(checkpoint).name


class Known(NamedTuple):
    """One registered system. A family takes a checkpoint after a colon, `predictions:mine.csv`,
    whose content has a `fingerprint`; `kinds` says in an error what to give there. A `joint` one
    is given the folds of all tasks of a run at once and learns from them together. `worker_bytes`
    is what a process needs where that is so much that memory may not hold one for each core. One
    that `keeps` hands each fold's model over, so that a run can keep it. `label` is the
    checkpoint's short name in the system's."""

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
    label: Callable[[str], str] = _last_part


_MAX_LENGTH = whole("max_length", 128, 4, 10**6, "tokens of a text or window")
_PRECISION = choice("precision", "float32", ("float32", "bf16"), "of the products")
_LONG = choice("long", "window", ("window", "cut"), "what longer texts are")
_ENCODER = (
    whole("epochs", 4, 1, 1000, "rounds over train, at most"),
    number(
        "lr", 0.0, 0, "a number above 0: the highest learning rate, or 0 for the checkpoint's own"
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
    number(
        "attention_lambda",
        0.0,
        0,
        "a number from 0: weight of the loss that teaches attention where experts marked words",
    ),
    choice("unmarked", "skip", ("skip", "zero"), "what texts without marks teach attention"),
    choice("targets", "majority", ("majority", "shares"), "what is learnt of annotators' labels"),
    choice("take", "best", ("best", "last"), "which epoch's model is taken"),
)
_TEMPERATURE = number(
    "temperature", 2.0, 1, "a number from 1: tasks are drawn by size ** (1 / temperature)"
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
            number("C", 1.0, 0, "a number above 0: 1 / penalty", strict=True),
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
            number("C", 0.0, 0, "a number above 0: 1 / penalty, or 0 to choose it on dev"),
            whole("max_length", 256, 8, 512, "tokens that a text is cut to"),
            flag("balanced", False, "both classes weigh the same"),
        ),
        extra="encoders",
    ),
    "fusion": Known(
        fusion,
        1,
        "text and image vectors joined, logistic regression: fusion:tfidf+color, "
        "fusion:minilm+efficientnet, fusion:none+OWNER/NAME of the hub",
        (
            number(
                "C", 0.0, 0, "a number above 0: 1 / penalty, or 0 to choose it on dev by class F1"
            ),
            choice("missing", "error", ("error", "zero"), "what an item without an image is"),
            whole("max_length", 256, 8, 512, "tokens of a text or window"),
            whole("min_df", 2, 1, 1000, "texts that a term of tfidf must stand in"),
            flag("balanced", False, "both classes weigh the same"),
        ),
        extra="vision",
        family=True,
        fingerprint=fusion_fingerprint,
        kinds="TEXT+IMAGE",
        worker_bytes=fusion_bytes,
        label=fusion_label,
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
        (choice("missing", "error", ("error", "fault"), "how ids that the file lacks are scored"),),
        family=True,
    ),
    "python": Known(
        python_system,
        1,
        "an object of your own Python, which is run: python:FILE.py:NAME, python:MODULE:NAME; a "
        "function of folds and seed, a scikit-learn classifier, a transformers pipeline",
        family=True,
        fingerprint=python_fingerprint,
        kinds="FILE.py:NAME",
        worker_bytes=python_bytes,
    ),
}
