"""One fold of an encoder, fine-tuned by transformers' Trainer; a killed training resumes.

What is added to the Trainer: batches of like length, checkpoints that count only when they are
whole, early stopping that resumes, an error for a loss that is no number, the batch that would fit
where memory runs out, and a random state that is the same afterwards as before.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from traceback import clear_frames
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from slant.data.writing import refusal
from slant.errors import OptionError, WorkFailed
from slant.systems.batches import (
    BUDGET,
    Text,
    Tokens,
    batches_by_budget,
    padded,
    text_probabilities,
)
from slant.systems.checkpoints import Encoder, code_fingerprint, quiet_transformers
from slant.systems.memory import out_of_memory
from slant.types import Array, Floats

WHOLE = "whole"  # a checkpoint with this file was written to its end


@dataclass(frozen=True, slots=True)
class Settings:
    """How to train: see `finetuned.encoder_system` for each."""

    epochs: int
    lr: float
    batch: int
    precision: str
    patience: int
    warmup: float
    weight_decay: float
    balanced: bool
    temperature: float = 1.0
    attention_lambda: float = 0.0
    unmarked: str = "skip"
    targets: str = "majority"
    take: str = "best"


class Head(NamedTuple):
    """What one head of the model learns from and is chosen on.

    Fields:
        train, dev: texts in tokens.
        labels, dev_labels: (n,) 0 or 1.
        targets: (n,) shares of annotators that are learnt in place of the labels of train.
        marks: (n,) per window of a text which tokens are marked, None where nothing is taught.
    """

    train: Sequence[Text]
    labels: Array
    dev: Sequence[Text]
    dev_labels: Array
    targets: Floats | None = None
    marks: Sequence[tuple[NDArray[np.bool_], ...] | None] = ()


@contextmanager
def kept_random_state() -> Iterator[None]:
    """The random states of Python, numpy and torch, the same after the block as before."""
    import torch

    python, arrays = random.getstate(), np.random.get_state()
    try:
        with torch.random.fork_rng():
            yield
    finally:
        random.setstate(python)
        np.random.set_state(arrays)


def step_seed(seed: int, step: int) -> int:
    """The seed of all draws in one step, so that a step does not depend on those before it."""
    return int.from_bytes(sha256(f"{seed} {step}".encode()).digest()[:7], "big")


def of_disk(error: BaseException) -> bool:
    """Whether an error says that a file could not be written; each library has its own."""
    words = ("no space left", "pytorchstreamwriter", "inline_container", "i/o error")
    return isinstance(error, OSError) or any(word in str(error).lower() for word in words)


def training_key(encoder: Encoder, settings: Settings, seed: int, *parts: object) -> str:
    """What a training depends on, as 64 hex digits: the name of its folder while it lasts."""
    facts = code_fingerprint(encoder.fingerprint, sorted(asdict(settings).items()), seed)
    return sha256("\x1f".join([facts, *map(str, parts)]).encode()).hexdigest()


def window_probabilities(
    encoder: Encoder,
    windows: Sequence[Tokens],
    precision: str,
    budget: int = BUDGET,
    head: int = 0,
) -> Floats:
    """The probability of biased for each window.

    Args:
        encoder: the checkpoint.
        windows: (n,) windows of tokens.
        precision: "float32" or "bf16".
        budget: tokens of a batch.
        head: which of the model's heads is asked.

    Returns:
        (n,) in [0, 1].
    """
    import torch

    model = encoder.model
    device = next(model.parameters()).device
    found = np.empty(len(windows))
    model.eval()
    half = torch.autocast(device.type, torch.bfloat16) if precision == "bf16" else nullcontext()
    with torch.inference_mode(), half:
        for places in batches_by_budget(windows, budget):
            inputs = padded(
                [windows[i] for i in places], encoder.tokenizer.pad_token_id, encoder.limit
            )
            logits = model(**{k: v.to(device) for k, v in inputs.items()}).logits
            own = logits.float()[:, 2 * head : 2 * head + 2]
            found[places] = own.softmax(-1)[:, 1].double().cpu().numpy()
    return found


def probabilities(encoder: Encoder, texts: Sequence[Text], precision: str, head: int = 0) -> Floats:
    """The probability of biased for each text, (n,) in [0, 1]; see `text_probabilities`."""
    windows = [window for text in texts for window in text.windows]
    return text_probabilities(texts, window_probabilities(encoder, windows, precision, head=head))


def log_loss(p: Floats, y: Array) -> float:
    """The mean of -log of the probability given to the gold, 0 for certain and right.

    >>> round(log_loss(np.array([0.5, 0.5]), np.array([0, 1])), 4)
    0.6931
    """
    right = np.clip(np.where(y == 1, p, 1 - p), 1e-15, 1)
    return float(-np.log(right).mean())


def fit(
    encoder: Encoder,
    heads: Sequence[Head],
    settings: Settings,
    seed: int,
    folder: Path,
) -> list[dict[str, float]]:
    """Fine-tune the encoder's model in place.

    Each window of a text learns its label, and a text's windows weigh as much as one. After each
    epoch a checkpoint is written; where dev is not empty, the epoch with the least mean log loss on
    it is restored at the end (the last, if so asked), and training stops `patience` epochs later.

    Args:
        encoder: whose model is trained, with as many heads.
        heads: what each learns; train has both classes.
        settings: how.
        seed: of the order of batches and of dropout.
        folder: of checkpoints. What is there of the same training is gone on with.

    Returns:
        The Trainer's log: loss per epoch, and eval_loss.

    Raises:
        OptionError: the loss is no number, or memory runs out; the last checkpoint is kept.
        WorkFailed: a checkpoint cannot be written.
    """
    from slant.systems.training import make_trainer

    with quiet_transformers(), kept_random_state():
        trainer = make_trainer(encoder, heads, settings, seed, folder)
        last = last_whole(folder)
        history = _history(last)
        if last is None or not finished(history, settings):
            try:
                trainer.train(resume_from_checkpoint=str(last) if last else None)
            except Exception as why:
                if out_of_memory(why):
                    # Its frames hold the step that was too large, and no batch would fit beside it.
                    clear_frames(why.__traceback__)
                    raise _too_large(trainer, encoder, settings) from why
                if not of_disk(why):
                    raise
                do = "Free space, or set SLANT_CACHE to another folder"
                asked = f"Keeping a checkpoint of encoder:{encoder.name} in '{folder}'"
                raise refusal(asked, why, do) from why
            last = last_whole(folder)
            history = _history(last)
        if last is None:
            raise WorkFailed(
                f"Training encoder:{encoder.name}", "no checkpoint was left", "Run it again"
            )
        best = best_epoch(history) if settings.take == "best" else None
        chosen = last if best is None else _of_epoch(folder, best, last)
        _restore(encoder, chosen)
    return history


def dev_losses(history: Sequence[dict[str, float]]) -> list[float]:
    """The log loss on dev after each epoch."""
    return [entry["eval_loss"] for entry in history if "eval_loss" in entry]


def best_epoch(history: Sequence[dict[str, float]]) -> int | None:
    """The epoch, from 1, with the least loss on dev; the first of equals; None without dev.

    >>> best_epoch([{"eval_loss": 0.6}, {"eval_loss": 0.4}, {"eval_loss": 0.5}])
    2
    """
    losses = dev_losses(history)
    return int(np.argmin(losses)) + 1 if losses else None


def finished(history: Sequence[dict[str, float]], settings: Settings) -> bool:
    """Whether all epochs are done, or none of the last `patience` was better (0: never stop)."""
    epochs = round(max((entry.get("epoch", 0) for entry in history), default=0))
    if epochs >= settings.epochs:
        return True
    best = best_epoch(history)
    return bool(best and settings.patience and epochs - best >= settings.patience)


def last_whole(folder: Path) -> Path | None:
    """The latest checkpoint that was written to its end; broken ones are removed."""
    found = sorted(folder.glob("checkpoint-*"), key=lambda path: int(path.name.split("-")[1]))
    for path in found:
        if not (path / WHOLE).exists():
            shutil.rmtree(path, ignore_errors=True)
    whole = [path for path in found if (path / "optimizer.pt").exists() and (path / WHOLE).exists()]
    return whole[-1] if whole else None


def tidy(folder: Path, best: Path | None) -> None:
    """Keep the last checkpoint, and of the best one the weights."""
    last = last_whole(folder)
    for path in folder.glob("checkpoint-*"):
        if path == last:
            continue
        if path == best:
            (path / "optimizer.pt").unlink(missing_ok=True)
        else:
            (path / WHOLE).unlink(missing_ok=True)
            shutil.rmtree(path, ignore_errors=True)


def _history(checkpoint: Path | None) -> list[dict[str, float]]:
    if checkpoint is None:
        return []
    state = json.loads((checkpoint / "trainer_state.json").read_text("utf-8"))
    return list(state["log_history"])


def _of_epoch(folder: Path, epoch: int, last: Path) -> Path:
    per_epoch = int(json.loads((last / WHOLE).read_text())["steps"])
    return folder / f"checkpoint-{epoch * per_epoch}"


def _restore(encoder: Encoder, checkpoint: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification

    stored = AutoModelForSequenceClassification.from_pretrained(
        str(checkpoint),
        use_safetensors=True,
        local_files_only=True,
        trust_remote_code=False,
        dtype=torch.float32,
    )
    encoder.model.load_state_dict(stored.state_dict())
    encoder.model.eval()


def _too_large(trainer: Any, encoder: Encoder, settings: Settings) -> OptionError:
    fits = trainer.fitting_batch()
    asked = f"Training encoder:{encoder.name} with batch={settings.batch}"
    if fits:
        return OptionError(asked, "memory ran out", f"Give batch={fits}, which fits")
    found = "memory ran out, and one text alone is too large too"
    return OptionError(asked, found, "Give a smaller max_length, or a smaller checkpoint")
