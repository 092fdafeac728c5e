"""Attribution patching: what every head would do if it were patched, from one gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from slant.explain.circuits import Scale
from slant.explain.hooks import (
    base_pass,
    blocks_of,
    by_head,
    captured,
    check_aligned,
    equal_lengths,
    readout_rows,
    stacked,
    still,
)
from slant.explain.patching import BUDGET, Readout
from slant.systems.batches import Tokens
from slant.systems.encoder import one_thread
from slant.types import Floats


def attribution_patching(
    model: Any,
    clean: Sequence[Tokens],
    corrupt: Sequence[Tokens],
    readout: Readout,
    scale: Scale = "logit",
    budget: int = BUDGET,
) -> Floats:
    """All heads' effects from one gradient: (clean - corrupt outputs) times the readout's slope.

    The first-order estimate of what `head_runs` measures, in two forward passes and one backward
    for all heads together. Report it with its rank correlation to the exact effects.

    Args:
        model: a sequence classifier.
        clean: (n,) windows of tokens.
        corrupt: (n,) the same, corrupted; equal lengths.
        readout: from `readouts`.
        scale: of the effects.
        budget: tokens of a batch.

    Returns:
        (h, n) estimated effects.

    Raises:
        OptionError: the architecture is not supported. DataError: the lengths differ.

    Source: Syed et al., Attribution Patching Outperforms Automated Circuit Discovery (2024).
    """
    import torch

    check_aligned(clean, corrupt)
    blocks = blocks_of(model)
    out = np.empty((sum(block.heads for block in blocks), len(clean)))
    with one_thread(), still(model):
        for places in equal_lengths(clean, budget):
            ids, mask = stacked(clean, places)
            with torch.no_grad(), captured(blocks) as found:
                base_pass(model, ids, mask)
            before = list(found)
            own, rows = stacked(corrupt, places)[0], torch.arange(len(places))
            with captured(blocks, follow=True) as after:
                states = base_pass(model, own, mask)[0]
            logits = readout(states[rows, readout_rows(model, mask)])
            read = logits if scale == "logit" else logits.sigmoid()
            slopes = torch.autograd.grad(read.sum(), after)
            with torch.no_grad():
                effects = [
                    by_head((one - two) * slope, block).sum((1, 3))  # (n, heads)
                    for block, one, two, slope in zip(blocks, before, after, slopes, strict=True)
                ]
            out[:, places] = torch.cat(effects, 1).T.double().numpy()
    return out
