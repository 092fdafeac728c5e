"""A fine-tuned checkpoint -> the probability of biased of any text, by torch or by onnxruntime."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from slant.data.writing import replacing
from slant.errors import DataError, MissingExtra, WorkFailed, not_installed
from slant.systems.batches import (
    Text,
    Tokens,
    batches_by_budget,
    frame_of,
    padded,
    text_probabilities,
    windows_of,
)
from slant.systems.checkpoints import Encoder, quiet_transformers
from slant.systems.encoder import one_thread
from slant.systems.finetune import window_probabilities
from slant.systems.memory import out_of_memory
from slant.types import Floats

BUDGET = 1024
"""Tokens of a batch, padding included. Larger batches leave the processor's cache."""
ONNX = "onnx/model.onnx"
TOLERANCE = 1e-3
"""How far a probability of the exported model may lie from the checkpoint's own."""

Windows = Callable[[Sequence[Tokens]], Floats]
"""(n,) windows of tokens -> (n,) probabilities of biased."""


class Said(NamedTuple):
    """What an encoder says of texts: (n,) probabilities, and each text's windows and cut tokens."""

    probability: Floats
    texts: list[Text]


def torch_windows(encoder: Encoder) -> Windows:
    """The checkpoint run by torch in float32, on an accelerator where there is one."""
    import torch

    if torch.cuda.is_available():
        encoder.model.to("cuda")
    return lambda windows: window_probabilities(encoder, windows, "float32", BUDGET)


def onnx_windows(encoder: Encoder) -> Windows:
    """The checkpoint run by onnxruntime on the processor, on one thread.

    Raises:
        MissingExtra: onnxruntime is not installed. DataError: the file cannot be run.
    """
    if not find_spec("onnxruntime"):
        found = "the package onnxruntime is not installed"
        raise MissingExtra("Loading --runtime onnx", found, 'Run pip install "slant[onnx]"')
    import onnxruntime

    path = export_onnx(encoder)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
    # onnxruntime raises classes of its own that it does not export.
    except Exception as why:
        found = f"onnxruntime cannot run it ({str(why).splitlines()[0][:120]})"
        do = "Remove the folder onnx, so that it is exported again"
        raise DataError(f"Loading '{path}'", found, do) from why
    return _session_windows(session, encoder)


def _session_windows(session: Any, encoder: Encoder) -> Windows:
    def predict(windows: Sequence[Tokens]) -> Floats:
        found = np.empty(len(windows))
        for places in batches_by_budget(windows, BUDGET):
            own = [windows[i] for i in places]
            batch = padded(own, encoder.tokenizer.pad_token_id, encoder.limit)
            logits = session.run(None, {name: x.numpy() for name, x in batch.items()})[0]
            found[places] = 1 / (1 + np.exp(logits[:, 0].astype(np.float64) - logits[:, 1]))
        return found

    return predict


def export_onnx(encoder: Encoder) -> Path:
    """The checkpoint as an ONNX file in its own folder, exported once and held against torch.

    Returns:
        The file.

    Raises:
        MissingExtra: packages that export are absent. WorkFailed: it cannot be exported, or says
            something else than the checkpoint.
    """
    path = encoder.folder / ONNX
    if path.exists():
        return path
    asked = f"Exporting '{encoder.folder}' to ONNX"
    absent = [name for name in ("onnx", "onnxscript") if not find_spec(name)]
    if absent:
        found = not_installed(absent)
        raise MissingExtra(asked, found, 'Run pip install "slant[onnx]"')
    with replacing(path) as temporary:
        _export(encoder, temporary, asked)
    return path


def _export(encoder: Encoder, path: Path, asked: str) -> None:
    import onnxruntime
    import torch

    frame = frame_of(encoder.tokenizer)
    stream = np.random.default_rng(1)
    entries = len(encoder.tokenizer)
    windows = [
        np.array([*frame.before, *stream.integers(0, entries, n), *frame.behind], dtype="<i4")
        for n in (5, 9, 20)
    ]
    # Two inputs must be two tensors: one tensor given for both makes a wrong model in silence.
    given = padded(windows, encoder.tokenizer.pad_token_id, encoder.limit)
    rows, width = torch.export.Dim("rows"), torch.export.Dim("width")
    shape = {name: {0: rows, 1: width} for name in given}
    untyped: Any = torch.onnx.export
    try:
        with warnings.catch_warnings(), _quiet_export(), one_thread(), quiet_transformers():
            warnings.simplefilter("ignore")
            untyped(
                _logits_of(encoder.model),
                (given["input_ids"], given["attention_mask"]),
                str(path),
                input_names=list(given),
                output_names=["logits"],
                dynamic_shapes=shape,
                dynamo=True,
                verbose=False,
                external_data=False,
            )
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        theirs = _session_windows(session, encoder)(windows)
    # Export fails in the ways of four libraries.
    except Exception as why:
        found = f"torch cannot export it ({type(why).__name__}: {str(why).splitlines()[0][:120]})"
        raise WorkFailed(asked, found, "Use --runtime torch") from why
    own = window_probabilities(encoder, windows, "float32", BUDGET)
    if np.abs(own - theirs).max() > TOLERANCE:
        found = f"it says {theirs.tolist()} where the checkpoint says {own.tolist()}"
        raise WorkFailed(asked, found, "Use --runtime torch")


@contextmanager
def _quiet_export() -> Iterator[None]:
    """The exporter logs each package it could do without."""
    log = logging.getLogger("torch.onnx")
    before = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(before)


def _logits_of(model: Any) -> Any:
    import torch

    class Logits(torch.nn.Module):
        """The model with its logits as the one output."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            return self.model(input_ids=input_ids, attention_mask=attention_mask).logits

    return Logits().eval()


RUNTIMES: dict[str, Callable[[Encoder], Windows]] = {"torch": torch_windows, "onnx": onnx_windows}


def said_of(
    encoder: Encoder, texts: Sequence[str], max_length: int, long: str, windows: Windows
) -> Said:
    """What a checkpoint says of texts; nothing is kept in the user's store.

    Args:
        encoder: the checkpoint.
        texts: (n,) texts.
        max_length: tokens of a window, special ones included.
        long: "window": longer texts are split at the ends of their sentences; "cut".
        windows: of `torch_windows` or `onnx_windows`.

    Returns:
        (n,) probabilities in [0, 1], and the texts in tokens.

    Raises:
        WorkFailed: memory ran out.
    """
    if not texts:
        return Said(np.empty(0), [])
    made = windows_of(texts, encoder.tokenizer, frame_of(encoder.tokenizer), max_length, long)
    try:
        with one_thread():
            p = windows([window for text in made for window in text.windows])
    except Exception as why:
        if not out_of_memory(why):
            raise
        do = "Use fewer --jobs, or a detector with a smaller max_length"
        raise WorkFailed("Predicting", "memory ran out", do) from why
    return Said(text_probabilities(made, p), made)
