"""Runs in which chosen heads put out what they put out for another version of the text.

The fast way restarts at the lowest patched layer from kept states, without computing that layer's
attention again; takes the readout's row alone through the last layer; and puts several choices of
heads into one batch. Texts of one length share a batch, so that nothing is padded. BART, whose
decoder reads all of its encoder, takes a full forward pass for each choice instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from slant.explain.families import family_of
from slant.explain.hooks import (
    Block,
    Bools,
    base_pass,
    blocks_of,
    captured,
    check_aligned,
    equal_lengths,
    readout_states,
    replaced,
    stacked,
    still,
)
from slant.explain.restarts import kept_states, states_from
from slant.systems.batches import Tokens
from slant.systems.encoder import one_thread
from slant.types import Floats

BUDGET = 1024  # tokens of a batch, all its runs together
Readout = Callable[[Any], Any]
"""(n, d) states of the readout position -> (n,) logits of "biased"."""


def restarts(model: Any) -> bool:
    """Whether runs of the model can start at a layer: it is one stack, one attention a layer."""
    stacks = family_of(model).stacks
    return len(stacks) == 1 and len(stacks[0].attentions) == 1


def readout_logits(
    model: Any, windows: Sequence[Tokens], readout: Readout, budget: int = BUDGET
) -> Floats:
    """The readout's logits of texts as they are, (n,)."""
    return np.concatenate(
        [np.empty((0, 1)), _by_places(model, windows, lambda s: readout(s)[:, None], budget)]
    )[:, 0]


def states_of(model: Any, windows: Sequence[Tokens], budget: int = BUDGET) -> Floats:
    """The last layer's states of the readout position, (n, d), as a probe is trained on.

    Args:
        model: a sequence classifier.
        windows: (n,) windows of tokens, with the special ones.
        budget: tokens of a batch.
    """
    return _by_places(model, windows, lambda states: states, budget)


def _by_places(model: Any, windows: Sequence[Tokens], of: Readout, budget: int) -> Floats:
    import torch

    rows: list[Any] = [None] * len(windows)
    with one_thread(), still(model), torch.inference_mode():
        for places in equal_lengths(windows, budget):
            found = of(readout_states(model, *stacked(windows, places))).double().numpy()
            for place, row in zip(places, found, strict=True):
                rows[place] = row
    return np.stack(rows) if rows else np.empty((0, 1))


def patched_logits(
    model: Any,
    base: Sequence[Tokens],
    source: Sequence[Tokens],
    chosen: Bools,
    readout: Readout,
    budget: int = BUDGET,
    restart: bool = True,
) -> Floats:
    """The readout's logits of `base` with chosen heads putting out what they do for `source`.

    Args:
        model: a sequence classifier.
        base: (n,) windows of tokens that are run.
        source: (n,) windows of the same lengths, from which the heads' outputs come.
        chosen: (m, sites) the choices of heads, in the order of `sites_of`.
        readout: what is read off the last layer's states.
        budget: tokens of a batch, all its runs together.
        restart: False for a full forward pass for each choice.

    Returns:
        (m, n) logits. No head chosen gives the logits of `base`. Where `base` and `source` agree
        at `protected_places`, all heads chosen give those of `source`.

    Raises:
        OptionError: the architecture is not supported. DataError: the lengths differ.

    Source: Chen et al., section 3.5 (isolation: `base` corrupted, `source` clean; elimination:
    the other way round).
    """
    import torch

    check_aligned(base, source)
    blocks = blocks_of(model)
    out = np.empty((len(chosen), len(base)))
    fast = restart and restarts(model)
    with one_thread(), still(model), torch.inference_mode():
        for places in equal_lengths(base, budget):
            ids, mask = stacked(base, places)
            other, _ = stacked(source, places)
            group = _restarted if fast else _in_full
            out[:, places] = group(model, blocks, ids, other, mask, chosen, readout, budget)
    return out


def _in_full(
    model: Any,
    blocks: Sequence[Block],
    ids: Any,
    other: Any,
    mask: Any,
    chosen: Bools,
    readout: Readout,
    budget: int,
) -> Floats:
    import torch

    with captured(blocks) as sources:
        base_pass(model, other, mask)
    sources = list(sources)
    rows = []
    for part in _parts(len(chosen), ids.numel(), budget):
        some = torch.from_numpy(chosen[part])
        runs = (len(some), 1)
        with replaced(blocks, sources, some):
            states = readout_states(model, ids.repeat(*runs), mask.repeat(*runs))
        rows.append(readout(states).view(len(some), -1).double().numpy())
    return np.concatenate([np.empty((0, len(ids))), *rows])


def _parts(count: int, tokens: int, budget: int) -> Iterator[slice]:
    size = max(1, budget // max(tokens, 1))
    for start in range(0, count, size):
        yield slice(start, start + size)


def _restarted(
    model: Any,
    blocks: Sequence[Block],
    ids: Any,
    other: Any,
    mask: Any,
    chosen: Bools,
    readout: Readout,
    budget: int,
) -> Floats:
    import torch

    kept = kept_states(model, blocks, ids, other, mask)
    starts = np.array([block.first for block in blocks])
    lowest = np.array(
        [int(np.searchsorted(starts, np.argmax(row), "right")) - 1 for row in chosen], dtype=int
    )
    some = chosen.any(1)
    out = np.empty((len(chosen), len(ids)))
    out[~some] = readout(kept.final).double().numpy()
    norm = family_of(model).norm
    for layer in range(len(blocks)):
        mine = np.flatnonzero(some & (lowest == layer))
        # The last layer runs on one row of each text.
        tokens = len(ids) if layer == len(blocks) - 1 else ids.numel()
        for part in _parts(len(mine), tokens, budget):
            here = torch.from_numpy(chosen[mine[part]])
            states = states_from(kept, layer, here)
            if norm:
                states = model.base_model.get_submodule(norm)(states)
            out[mine[part]] = readout(states).view(len(here), -1).double().numpy()
    return out
