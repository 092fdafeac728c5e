"""transformers' Trainer, with what slant adds to it: see `finetune`."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from slant.errors import OptionError
from slant.systems.attention import attention_loss
from slant.systems.batches import padded
from slant.systems.checkpoints import Encoder
from slant.systems.finetune import (
    WHOLE,
    Head,
    Settings,
    best_epoch,
    finished,
    log_loss,
    probabilities,
    step_seed,
    tidy,
)
from slant.systems.memory import out_of_memory
from slant.systems.sampling import LikeLengths
from slant.systems.steps import tell


def window_rows(heads: Sequence[Head], balanced: bool) -> list[dict[str, Any]]:
    """One row per window, head after head: its tokens, head and weight, and the text's target.

    The windows of a text share a weight of 1; balanced, those of a class share half of all. Weights
    have a mean of 1 over the rows of a head.
    """
    return [row for number, head in enumerate(heads) for row in _head_rows(head, number, balanced)]


def _head_rows(head: Head, number: int, balanced: bool) -> list[dict[str, Any]]:
    share = np.bincount(head.labels, minlength=2) / len(head.labels)
    targets = head.labels.tolist() if head.targets is None else head.targets.tolist()
    rows = [
        {
            "tokens": window,
            "head": number,
            "target": target,
            "marks": marks and marks[place],
            "weight": (0.5 / share[label] if balanced else 1.0) / len(text.windows),
        }
        for text, label, target, marks in zip(
            head.train,
            head.labels.tolist(),
            targets,
            head.marks or [None] * len(head.train),
            strict=True,
        )
        for place, window in enumerate(text.windows)
    ]
    mean = sum(row["weight"] for row in rows) / len(rows)
    return [{**row, "weight": row["weight"] / mean} for row in rows]


def _targets(rows: Sequence[dict[str, Any]]) -> Any:
    """Classes, or the probabilities of both where annotators' shares are learnt."""
    import torch

    if all(isinstance(row["target"], int) for row in rows):
        return torch.tensor([row["target"] for row in rows])
    return torch.tensor([[1 - row["target"], row["target"]] for row in rows])


def _marks(rows: Sequence[dict[str, Any]], width: int) -> dict[str, Any]:
    """The marks of a batch, (rows, width), and which rows are taught them."""
    import torch

    marks = torch.zeros(len(rows), width)
    for row, one in enumerate(rows):
        if one["marks"] is not None:
            marks[row, : len(one["marks"])] = torch.from_numpy(one["marks"]).float()
    return {"marks": marks, "taught": torch.tensor([one["marks"] is not None for one in rows])}


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
    heads: Sequence[Head],
    settings: Settings,
    seed: int,
    folder: Path,
) -> Any:
    """A Trainer for one fold; its arguments are those of `finetune.fit`."""
    import torch
    from transformers import PrinterCallback, Trainer, TrainerCallback

    rows = window_rows(heads, settings.balanced)
    watched = [number for number, head in enumerate(heads) if head.dev]
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
            own = np.array([row["head"] for row in rows], dtype=np.int64)
            return LikeLengths(lengths, own, self._train_batch_size, settings.temperature, seed)

        def training_step(self, model: Any, inputs: Any, *more: Any, **named: Any) -> Any:
            torch.manual_seed(step_seed(seed, self.state.global_step))
            return super().training_step(model, inputs, *more, **named)

        def compute_loss(self, model: Any, inputs: Any, *more: Any, **named: Any) -> Any:
            labels, weights, own = (inputs.pop(name) for name in ("labels", "weights", "heads"))
            marks, taught = inputs.pop("marks", None), inputs.pop("taught", None)
            made = model(**inputs, output_attentions=marks is not None)
            logits = made.logits.float()
            logits = logits.view(len(labels), -1, 2)[torch.arange(len(labels)), own]
            losses = torch.nn.functional.cross_entropy(logits, labels, reduction="none")
            loss = (losses * weights).mean()
            if marks is not None:
                row = made.attentions[-1].float().mean(1)[:, 0]
                distance = attention_loss(row, inputs["attention_mask"], marks, taught)
                loss = loss + settings.attention_lambda * distance
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
            loss = float(np.mean([self.dev_loss(number) for number in watched]))
            self.check_finite(loss)
            metrics = {"eval_loss": loss}
            self.log(metrics)
            handler: Any = self.callback_handler
            self.control: Any = handler.on_evaluate(self.args, self.state, self.control, metrics)
            return metrics

        def dev_loss(self, number: int) -> float:
            """The log loss of one head on its dev."""
            p = probabilities(encoder, heads[number].dev, settings.precision, number)
            return log_loss(p, heads[number].dev_labels)

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
        batch["labels"] = _targets(some)
        batch["heads"] = torch.tensor([row["head"] for row in some])
        batch["weights"] = torch.tensor([row["weight"] for row in some], dtype=torch.float32)
        if settings.attention_lambda:
            batch |= _marks(some, batch["input_ids"].shape[1])
        return batch

    trainer = FineTuning(
        model=encoder.model,
        args=_arguments(settings, seed, folder, len(rows), bool(watched)),
        train_dataset=rows,
        eval_dataset=[text for number in watched for text in heads[number].dev] or None,
        data_collator=collated,
        callbacks=[Stopping],
    )
    trainer.remove_callback(PrinterCallback)
    return trainer
