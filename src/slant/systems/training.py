"""transformers' Trainer, with what slant adds to it: see `finetune`."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from slant.errors import OptionError
from slant.systems.batches import LikeLengths, Text, padded
from slant.systems.checkpoints import Encoder
from slant.systems.finetune import (
    WHOLE,
    Settings,
    best_epoch,
    finished,
    log_loss,
    probabilities,
    step_seed,
    tidy,
)
from slant.systems.memory import out_of_memory
from slant.systems.steps import tell
from slant.types import Array


def window_rows(texts: Sequence[Text], labels: Array, balanced: bool) -> list[dict[str, Any]]:
    """One row per window: its tokens, the text's label, and its weight.

    The windows of a text share a weight of 1; balanced, those of a class share half of all. Weights
    have a mean of 1 over the rows.
    """
    share = np.bincount(labels, minlength=2) / len(labels)
    rows = [
        {
            "tokens": window,
            "label": int(label),
            "weight": (0.5 / share[label] if balanced else 1.0) / len(text.windows),
        }
        for text, label in zip(texts, labels.tolist(), strict=True)
        for window in text.windows
    ]
    mean = sum(row["weight"] for row in rows) / len(rows)
    return [{**row, "weight": row["weight"] / mean} for row in rows]


def _arguments(settings: Settings, seed: int, folder: Path, rows: int, dev: bool) -> Any:
    import torch
    from transformers import TrainingArguments

    per_epoch = -(-rows // settings.batch)
    devices = max(torch.cuda.device_count(), 1)
    return TrainingArguments(
        output_dir=str(folder),
        per_device_train_batch_size=-(-settings.batch // devices),
        num_train_epochs=settings.epochs,
        learning_rate=settings.lr,
        warmup_steps=round(settings.warmup * per_epoch * settings.epochs),
        weight_decay=settings.weight_decay,
        lr_scheduler_type="linear",
        use_cpu=not torch.cuda.is_available(),
        bf16=settings.precision == "bf16",
        seed=seed,
        eval_strategy="epoch" if dev else "no",
        save_strategy="epoch",
        logging_strategy="epoch",
        logging_nan_inf_filter=False,
        disable_tqdm=True,
        report_to="none",
        remove_unused_columns=False,
        dataloader_pin_memory=torch.cuda.is_available(),
    )


def make_trainer(
    encoder: Encoder,
    train: tuple[Sequence[Text], Array],
    dev: tuple[Sequence[Text], Array],
    settings: Settings,
    seed: int,
    folder: Path,
) -> Any:
    """A Trainer for one fold; its arguments are those of `finetune.fit`."""
    import torch
    from transformers import PrinterCallback, Trainer, TrainerCallback

    rows = window_rows(*train, balanced=settings.balanced)
    untyped: Any = Trainer

    class Stopping(TrainerCallback):
        """Ends the training where `finished` says so, and tells how far it is."""

        def on_step_end(self, args: Any, state: Any, control: Any, **more: Any) -> None:
            tell(state.global_step, state.max_steps, settings.epochs)

        def on_evaluate(self, args: Any, state: Any, control: Any, **more: Any) -> None:
            control.should_training_stop |= finished(state.log_history, settings)

    class FineTuning(untyped):  # type: ignore[misc]
        """The Trainer with what `finetune` promises."""

        def _get_train_sampler(self, train_dataset: Any = None) -> Any:
            lengths = [len(row["tokens"]) for row in rows]
            return LikeLengths(lengths, self._train_batch_size, seed)

        def training_step(self, model: Any, inputs: Any, *more: Any, **named: Any) -> Any:
            torch.manual_seed(step_seed(seed, self.state.global_step))
            return super().training_step(model, inputs, *more, **named)

        def compute_loss(self, model: Any, inputs: Any, *more: Any, **named: Any) -> Any:
            labels, weights = inputs.pop("labels"), inputs.pop("weights")
            logits = model(**inputs).logits.float()
            losses = torch.nn.functional.cross_entropy(logits, labels, reduction="none")
            loss = (losses * weights).mean()
            self.check_finite(float(loss.detach()))
            return loss

        def check_finite(self, loss: float) -> None:
            """Stop before a loss that is no number spoils a checkpoint."""
            if np.isfinite(loss):
                return
            per_epoch = -(-len(rows) // self._train_batch_size)
            epoch, step = divmod(self.state.global_step, per_epoch)
            if step == 0 and epoch and not self.model.training:
                epoch, step = epoch - 1, per_epoch - 1
            found = f"the loss is {loss} in epoch {epoch + 1}, step {step + 1} of {per_epoch}"
            half = settings.precision != "float32"
            do = f"Give an lr below {settings.lr:g}{', or precision=float32' if half else ''}"
            raise OptionError(f"Training encoder:{encoder.name}", found, do)

        def evaluate(self, *more: Any, **named: Any) -> dict[str, float]:
            loss = log_loss(probabilities(encoder, dev[0], settings.precision), dev[1])
            self.check_finite(loss)
            metrics = {"eval_loss": loss}
            self.log(metrics)
            handler: Any = self.callback_handler
            self.control: Any = handler.on_evaluate(self.args, self.state, self.control, metrics)
            return metrics

        def _save_checkpoint(self, model: Any, trial: Any) -> None:
            weights = (parameter.detach().sum() for parameter in self.model.parameters())
            self.check_finite(float(sum(weights)))
            super()._save_checkpoint(model, trial)
            here = folder / f"checkpoint-{self.state.global_step}"
            per_epoch = -(-len(rows) // self._train_batch_size)
            # This file makes the checkpoint count; a kill before it leaves the one before.
            temporary = here / f".{WHOLE}.tmp"
            temporary.write_text(json.dumps({"steps": per_epoch}))
            os.replace(temporary, here / WHOLE)
            best = best_epoch(self.state.log_history)
            tidy(folder, folder / f"checkpoint-{best * per_epoch}" if best else None)

        def fitting_batch(self) -> int:
            """The largest half, quarter ... of the batch whose longest windows can be learnt."""
            longest = sorted(rows, key=lambda row: -len(row["tokens"]))
            size = self._train_batch_size // 2
            while size:
                try:
                    self.model.zero_grad()
                    self.training_step(self.model, collated(longest[:size]))
                    return int(size)
                except Exception as why:
                    if not out_of_memory(why):
                        raise
                size //= 2
            return 0

    def collated(some: Sequence[dict[str, Any]]) -> dict[str, Any]:
        windows = [row["tokens"] for row in some]
        batch = padded(windows, encoder.tokenizer.pad_token_id, encoder.limit)
        batch["labels"] = torch.tensor([row["label"] for row in some])
        batch["weights"] = torch.tensor([row["weight"] for row in some], dtype=torch.float32)
        return batch

    trainer = FineTuning(
        model=encoder.model,
        args=_arguments(settings, seed, folder, len(rows), bool(dev[0])),
        train_dataset=rows,
        eval_dataset=list(dev[0]) or None,
        data_collator=collated,
        callbacks=[Stopping],
    )
    trainer.remove_callback(PrinterCallback)
    return trainer
