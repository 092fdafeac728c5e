"""`classifier:NAME`: a sequence classifier with its own head, read as it is; nothing is learnt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from slant.data.jsonvalues import json_value
from slant.errors import DataError
from slant.systems.checkpoints import Encoder, checkpoint_folder, load_encoder
from slant.systems.encoder import one_thread, require_encoders
from slant.systems.finetuned import checked_length, head_predictions
from slant.systems.heads import own_rows
from slant.systems.keeping import hand_over
from slant.systems.memory import within_memory
from slant.types import Fold, Prediction, System


def classifier_system(
    checkpoint: str,
    biased: str = "",
    max_length: int = 128,
    precision: str = "float32",
    long: str = "window",
) -> System:
    """A system that answers with a classifier of transformers as it is.

    Biased from a probability of 0.5 on. A longer text is read as `finetuned.encoder_system` reads
    it. Train and dev are not looked at: whether the classifier learnt from what it is tested on is
    for its user to know.

    Args:
        checkpoint: a folder, or a name of the hub.
        biased: name or number of its label that means biased; empty: see `heads.own_rows`.
        max_length: tokens of a text (window), special ones included.
        precision: "float32" or "bf16".
        long: "window", or "cut" to read only the start of a longer text.

    Returns:
        The system.

    Raises:
        MissingExtra: the packages of the extra `encoders` are not installed.
        SlantError: see `checkpoints.checkpoint_folder` and `heads.own_rows`.
    """
    require_encoders(f"classifier:{checkpoint}", ("torch", "transformers", "accelerate"))
    own_rows(_config(checkpoint), biased, checkpoint)

    def predict(folds: Sequence[Fold], seed: int) -> Iterator[list[Prediction]]:
        for fold in folds:
            with one_thread(), within_memory(f"Predicting with classifier:{checkpoint}"):
                model = load_classifier(checkpoint, biased)
                checked_length(model, max_length)
                hand_over(model, [])
                answers = head_predictions(model, 0, fold.test, precision, max_length, long)
            yield answers

    return predict


def load_classifier(name: str, biased: str = "") -> Encoder:
    """A classifier with a head of two classes, 1 = biased, made of its own head's rows.

    Args:
        name: a folder, or a name of the hub.
        biased: name or number of its label that means biased; empty: see `heads.own_rows`.

    Returns:
        The encoder; its probabilities of biased are the classifier's own.

    Raises:
        SlantError: see `checkpoints.load_encoder` and `heads.own_rows`; or it has no head.
    """
    return load_encoder(name, 0, own=own_rows(_config(name), biased, name))


def _config(name: str) -> dict[str, Any]:
    try:
        config = json_value((checkpoint_folder(name) / "config.json").read_text("utf-8"))
        if not isinstance(config, dict):
            raise ValueError("it holds no object")
    except (OSError, ValueError) as why:
        asked = f"Reading the labels of the checkpoint '{name}'"
        raise DataError(asked, f"its config.json is broken ({why})", "Save it again") from why
    return config
