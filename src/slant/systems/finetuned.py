"""`encoder:NAME`, fine-tuned on each fold, and `encoder-multitask:NAME`, on all tasks at once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from slant.data.locks import take
from slant.errors import OptionError
from slant.systems.abandoned import remove_abandoned
from slant.systems.attention import check_attention, marks_of, shares_of
from slant.systems.batches import Text, frame_of, tokenised
from slant.systems.binary import gold_labels, predictions, training_labels
from slant.systems.checkpoints import Encoder, default_lr, load_encoder
from slant.systems.encoder import cache_folder, one_thread, require_encoders
from slant.systems.finetune import Head, Settings, fit, probabilities, training_key
from slant.systems.keeping import hand_over
from slant.systems.memory import within_memory
from slant.types import Array, Fold, Item, Prediction, System


def encoder_system(
    checkpoint: str,
    epochs: int = 4,
    lr: float = 0.0,
    batch: int = 32,
    max_length: int = 128,
    precision: str = "float32",
    patience: int = 2,
    long: str = "window",
    warmup: float = 0.1,
    weight_decay: float = 0.01,
    balanced: bool = False,
    attention_lambda: float = 0.0,
    unmarked: str = "skip",
    targets: str = "majority",
    take: str = "best",
) -> System:
    """A system that fine-tunes a checkpoint with a new head on each fold.

    AdamW, a learning rate that rises linearly over the warm-up and then falls to 0, gradients cut
    to a norm of 1. The epoch with the least log loss on dev is taken, the first of equals; without
    dev the last. Biased from a probability of 0.5 on. A text longer than `max_length` is split into
    windows at the ends of its sentences: each learns the text's label at a share of its weight, and
    the text's probability is the mean of its windows', weighted by their tokens. `raw` of a
    prediction says how many windows there were, or how many tokens were cut off.

    With `attention_lambda` above 0 the last layer's attention from the first token, averaged over
    heads, is taught beside the labels where experts marked a text's words: the loss is the labels'
    plus lambda times `attention.attention_loss`.

    A fold's training leaves a checkpoint after each epoch in the user's store, and removes them
    when it is done; a killed one goes on from the last. Those that nobody goes on with for 7 days
    are removed when the next training begins.

    Args:
        checkpoint: a short name, a folder, or a name of the hub.
        epochs: rounds over train, at most.
        lr: the highest learning rate; 0 for the checkpoint's own, `default_lr`.
        batch: texts (windows) of a step.
        max_length: tokens of a text (window), special ones included.
        precision: "float32", or "bf16" where sums stay in float32.
        patience: epochs without a better one before the training stops; 0 for never.
        long: "window", or "cut" to read only the start of a longer text.
        warmup: share of the steps over which the learning rate rises.
        weight_decay: of AdamW, on all but biases and norms.
        balanced: whether both classes weigh the same.
        attention_lambda: weight of the loss of attention; 0 to teach labels alone.
        unmarked: what texts without a marked word teach attention: "skip" nothing, or "zero".
        targets: what is learnt of the labels: the "majority", or the annotators' "shares".
        take: the model of the "best" epoch on dev, or of the "last".

    Returns:
        The system.

    Raises:
        MissingExtra: the packages of the extra `encoders` are not installed.

    Source: the explainability paper, section 3.3 and table C1, for the supervision of attention.
    """
    rate = lr or default_lr(checkpoint)
    settings = Settings(
        epochs, rate, batch, precision, patience, warmup, weight_decay, balanced,
        attention_lambda=attention_lambda, unmarked=unmarked, targets=targets, take=take,
    )  # fmt: skip
    return _fine_tuning(checkpoint, settings, max_length, long, joint=False)


def encoder_multitask(
    checkpoint: str,
    epochs: int = 4,
    lr: float = 0.0,
    batch: int = 32,
    max_length: int = 128,
    precision: str = "float32",
    patience: int = 2,
    long: str = "window",
    warmup: float = 0.1,
    weight_decay: float = 0.01,
    balanced: bool = False,
    temperature: float = 2.0,
) -> System:
    """A system that fine-tunes one checkpoint on the folds of all tasks, with a head for each.

    The folds given at once are tasks. Batches hold rows of all, as many an epoch as there are,
    drawn by `sampling.epoch_places`; the mean of the tasks' log losses on dev chooses the epoch.
    What one task tests must not stand in another's train: `tasks.joint.apart` sees to it.

    Args:
        temperature: of the draw of tasks: 1 by size, the higher the more alike.
        checkpoint, epochs, lr, batch, max_length, precision, patience, long, warmup, weight_decay,
            balanced: as for `encoder_system`.

    Returns:
        The system.

    Raises:
        MissingExtra: the packages of the extra `encoders` are not installed.

    Source: the MBIB paper's case for learning all kinds of bias together (section 1); a head per
    task on one encoder as in Liu et al., Multi-Task Deep Neural Networks (2019), section 3.
    """
    rate = lr or default_lr(checkpoint)
    settings = Settings(
        epochs, rate, batch, precision, patience, warmup, weight_decay, balanced, temperature
    )
    return _fine_tuning(checkpoint, settings, max_length, long, joint=True)


def _fine_tuning(
    checkpoint: str, settings: Settings, max_length: int, long: str, *, joint: bool
) -> System:
    require_encoders(f"encoder:{checkpoint}", ("torch", "transformers", "accelerate"))

    def predict(folds: Sequence[Fold], seed: int) -> Iterator[list[Prediction]]:
        for together in [folds] if joint else [[fold] for fold in folds]:
            with one_thread(), within_memory(f"Predicting with encoder:{checkpoint}"):
                model, log = trained_encoder(checkpoint, together, settings, seed, max_length, long)
                hand_over(model, log)
                answers = [
                    head_predictions(model, head, fold.test, settings.precision, max_length, long)
                    for head, fold in enumerate(together)
                ]
            yield from answers

    return predict


def head_predictions(
    model: Encoder,
    head: int,
    items: Sequence[Item],
    precision: str,
    max_length: int,
    long: str,
) -> list[Prediction]:
    """What one head of a trained encoder says of items; see `encoder_system`."""
    texts = _texts(model, [item.text for item in items], max_length, long)
    p = probabilities(model, texts, precision, head)
    plain = predictions(items, p >= 0.5, p)
    return [
        Prediction(one.id, one.answer, one.probability, raw=said) if (said := note(text)) else one
        for one, text in zip(plain, texts, strict=True)
    ]


def trained_encoder(
    checkpoint: str,
    folds: Sequence[Fold],
    settings: Settings,
    seed: int,
    max_length: int,
    long: str,
) -> tuple[Encoder, list[dict[str, float]]]:
    """A checkpoint fine-tuned on folds' train, a head each, its best epoch chosen on their dev.

    Args:
        checkpoint: a short name, a folder, or a name of the hub.
        folds: one, or one of each task; their test is not looked at.
        settings: how to train.
        seed: of the head, the batches and dropout.
        max_length: tokens of a window.
        long: "window" or "cut".

    Returns:
        The encoder, and the Trainer's log.

    Raises:
        DataError: train has one class. OptionError: see `finetune.fit` and `checked_length`.
    """
    from filelock import FileLock

    labels = [training_labels(f"encoder:{checkpoint}", fold, classes=2) for fold in folds]
    # Only the plain way of computing attention returns it.
    attention = "eager" if settings.attention_lambda else None
    model = load_encoder(checkpoint, seed, attention, heads=len(folds))
    checked_length(model, max_length)
    if settings.attention_lambda:
        check_attention(model)
    heads = [
        _head(model, fold, y, settings, max_length, long)
        for fold, y in zip(folds, labels, strict=True)
    ]
    # Labels of annotators that are not learnt decide nothing.
    soft = settings.targets == "shares"
    rows = [
        (len(fold.train), one.item.text, one.gold, list(one.annotators.values()) if soft else [])
        for fold in folds
        for part in (fold.train, fold.dev)
        for one in part
    ]
    key = training_key(model, settings, seed, max_length, long, rows)
    folder = cache_folder() / "training" / key
    take(lock := FileLock(folder.with_suffix(".lock")))
    try:
        folder.mkdir(exist_ok=True)
        with within_memory(f"Training encoder:{checkpoint}"):
            remove_abandoned(folder.parent)
            log = fit(model, heads, settings, seed, folder)
            shutil.rmtree(folder, ignore_errors=True)
        # Windows lets nobody remove a lock that is held: there it stays.
        with suppress(OSError):
            Path(lock.lock_file).unlink()
    finally:
        lock.release()
    return model, log


def _head(
    model: Encoder, fold: Fold, y: Array, settings: Settings, max_length: int, long: str
) -> Head:
    train = _texts(model, [one.item.text for one in fold.train], max_length, long)
    dev = _texts(model, [one.item.text for one in fold.dev], max_length, long)
    marks = shares = None
    if settings.attention_lambda:
        marks = marks_of(fold.train, train, model, settings.unmarked)
    if settings.targets == "shares":
        shares = shares_of(fold.train)
    return Head(train, y, dev, gold_labels(fold.dev), shares, marks or ())


def checked_length(model: Encoder, max_length: int) -> None:
    """Refuse windows that the checkpoint cannot read.

    Raises:
        OptionError: they are longer than it can read, or leave no room for a word.
    """
    asked = f"Setting max_length={max_length} of encoder:{model.name}"
    if max_length > model.limit:
        found = f"the checkpoint reads at most {model.limit} tokens"
        raise OptionError(asked, found, f"Give max_length={model.limit} or less")
    frame = frame_of(model.tokenizer)
    least = len(frame.before) + len(frame.behind) + 1
    if max_length < least:
        raise OptionError(asked, "its special tokens leave no room", f"Give at least {least}")


def note(text: Text) -> str | None:
    """What was done to a text that the model cannot read at once; None where nothing was.

    >>> note(Text((), 12))
    '12 tokens were cut off'
    """
    if text.cut:
        return f"{text.cut} tokens were cut off"
    return f"{len(text.windows)} windows" if len(text.windows) > 1 else None


def _texts(model: Encoder, texts: Sequence[str], max_length: int, long: str) -> list[Text]:
    if not texts:
        return []
    return tokenised(texts, model.tokenizer, model.fingerprint, max_length, long)
