"""How many trainings of a checkpoint memory holds side by side."""

from __future__ import annotations

from math import prod
from pathlib import Path

from slant.data.jsonvalues import json_value
from slant.errors import DataError
from slant.systems.checkpoints import checkpoint_folder

COPIES = 4
"""Weights, gradients and the two moments of AdamW, each in float32."""
BESIDE = 2**30
"""Bytes for the libraries and the activations of a batch."""


def training_bytes(checkpoint: str) -> int:
    """What one process that fine-tunes a checkpoint needs, about.

    Args:
        checkpoint: as for `checkpoint_folder`.

    Returns:
        Bytes: sixteen per weight, and a gibibyte.

    Raises:
        SlantError: see `checkpoint_folder`.
    """
    return COPIES * _weight_bytes(checkpoint) + BESIDE


def reading_bytes(checkpoint: str, needs: str = "tokenizer") -> int:
    """What one process that only reads with a checkpoint needs, about.

    Args:
        checkpoint, needs: as for `checkpoint_folder`.

    Returns:
        Bytes: four per weight, and a gibibyte.

    Raises:
        SlantError: see `checkpoint_folder`.
    """
    return _weight_bytes(checkpoint, needs) + BESIDE


def _weight_bytes(checkpoint: str, needs: str = "tokenizer") -> int:
    files = checkpoint_folder(checkpoint, needs).glob("*.safetensors")
    return 4 * sum(weights_in(path) for path in files)


def weights_in(path: Path) -> int:
    """The numbers in a file of safetensors; only its header is read.

    Raises:
        DataError: it is no such file.

    Source: the format's description: 8 bytes of length, then a JSON header of shapes.
    """
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        # What is not of the format has any length here, and may not be read into memory.
        text = file.read(length) if length <= path.stat().st_size else b""
    try:
        header = json_value(text)
        shapes = [one["shape"] for name, one in header.items() if name != "__metadata__"]
        return sum(prod(int(side) for side in shape) for shape in shapes)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        found = f"it has no header of safetensors ({type(error).__name__})"
        do = "Give a file that `save_pretrained` wrote, whole"
        raise DataError(f"Reading '{path}'", found, do) from None


def workers_that_fit(need: int, cores: int) -> int:
    """As many processes of so many bytes as memory holds, 1 where an accelerator is shared.

    Args:
        need: bytes of a process.
        cores: the most.

    Returns:
        1 to `cores`.
    """
    import psutil
    import torch

    if torch.cuda.is_available():
        return 1
    return max(1, min(cores, int(psutil.virtual_memory().available) // need))
