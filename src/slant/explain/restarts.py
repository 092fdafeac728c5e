"""Runs of a model from one of its layers on, the heads of that layer putting out what is given.

The attention of the layer that a run starts at is not computed again, and of the last layer only
the readout's row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from slant.explain.hooks import (
    Block,
    base_pass,
    captured,
    head_mask,
    mixed,
    readout_rows,
    replaced,
)


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer with what the model calls it with beside the states, in a run of one text."""

    block: Block
    more: tuple[Any, ...]
    named: dict[str, Any]

    def __call__(self, states: Any) -> Any:
        """The layer's output for states (n, t, d)."""
        out = self.block.layer(states, *self.more, **self.named)
        return out[0] if isinstance(out, tuple) else out


@dataclass(frozen=True, slots=True)
class Kept:
    """States of n texts of one length that runs start from.

    Fields:
        layers: all layers of the model.
        inputs: for each layer the states that go in, (n, t, d).
        base, source: for each layer the heads' outputs of the run that is changed and of the one
            that the changes come from, (n, t, heads * size).
        row: the readout's position.
        final: the base run's states of it, (n, d).
    """

    layers: tuple[Layer, ...]
    inputs: list[Any]
    base: list[Any]
    source: list[Any]
    row: int
    final: Any


def kept_states(model: Any, blocks: Sequence[Block], ids: Any, other: Any, mask: Any) -> Kept:
    """The states of a base run, and the heads' outputs of it and of the run that changes come from.

    Args:
        model: a sequence classifier of one stack.
        blocks: all of its.
        ids, other: (n, t) tokens of the base run and of the other, nothing padded.
        mask: (n, t) ones.
    """
    with captured(blocks) as outputs:
        base_pass(model, other, mask)
        source = list(outputs)
        with _inputs(blocks) as inputs:
            final = base_pass(model, ids, mask)[0]
        base = list(outputs)
    # What a layer is called with beside the states depends on the texts' length alone. A run of one
    # text gives it in a form that fits batches of any size.
    with _inputs(blocks) as alone:
        base_pass(model, ids[:1], mask[:1])
    layers = tuple(
        Layer(block, given[1:], named) for block, (given, named) in zip(blocks, alone, strict=True)
    )
    row = int(readout_rows(model, mask)[0])
    return Kept(layers, [given[0] for given, _ in inputs], base, source, row, final[:, row])


@contextmanager
def _inputs(blocks: Sequence[Block]) -> Iterator[list[Any]]:
    found: list[Any] = []

    def keep(module: Any, given: tuple[Any, ...], named: dict[str, Any]) -> None:
        found.append((given, named))

    with ExitStack() as hooks:
        for block in blocks:
            hooks.enter_context(block.layer.register_forward_pre_hook(keep, with_kwargs=True))
        yield found


def states_from(kept: Kept, first: int, chosen: Any) -> Any:
    """The states of the readout, the layers from `first` on run with chosen heads.

    Args:
        kept: of n texts.
        first: the lowest layer that has a chosen head.
        chosen: (m, sites) bool.

    Returns:
        (m * n, d), before the norm behind the last layer.
    """
    runs, last = len(chosen), len(kept.layers) - 1
    row = slice(kept.row, kept.row + 1)
    states = kept.inputs[first]
    if first == last:
        states = states[:, row]
    states = states.expand(runs, *states.shape).flatten(0, 1)
    for number in range(first, last + 1):
        layer, source = kept.layers[number], kept.source[number]
        mask = head_mask(chosen, layer.block)
        if number == last:
            source = source[:, row]
        if number == first:
            own = kept.base[number]
            own = own[:, row] if number == last else own
            own = own.expand(runs, *own.shape).flatten(0, 1)
            with _heads_given(layer.block, mixed(own, source, mask)):
                states = layer(states)
        elif number == last:
            own = _row_outputs(layer, states, kept.row)
            with _heads_given(layer.block, mixed(own, source, mask)):
                states = layer(states[:, row])
        else:
            with replaced([layer.block], [source], chosen):
                states = layer(states)
    return states[:, 0]


@contextmanager
def _heads_given(block: Block, outputs: Any) -> Iterator[None]:
    """The layer's attention is not computed: its heads put out what is given."""
    module = block.layer.get_submodule(block.attention.module)
    result = block.projection(outputs) if block.attention.inside else outputs
    before = vars(module).get("forward")
    module.forward = lambda *given, **named: (result, None)
    try:
        yield
    finally:
        del module.forward
        if before is not None:
            module.forward = before


class _Enough(Exception):
    """Ends a layer's forward pass once its heads' outputs are there."""


def _row_outputs(layer: Layer, states: Any, row: int) -> Any:
    """The outputs (n, 1, heads * size) of a layer's heads for one row alone."""
    block = layer.block
    if block.attention.rows:
        return _row_attention(block, states, row)
    found: list[Any] = []

    def take(module: Any, given: tuple[Any, ...]) -> None:
        found.append(given[0][:, row : row + 1])
        raise _Enough

    handle = block.projection.register_forward_pre_hook(take)
    try:
        layer(states)
    except _Enough:
        pass
    finally:
        handle.remove()
    return found[0]


def _row_attention(block: Block, states: Any, row: int) -> Any:
    # softmax(q K') V for one q, with the maps of keys and values taken to the other side, so that
    # they are applied to one vector a head instead of to every token. The keys' bias adds the same
    # to all tokens and drops out of the softmax.
    import torch

    assert block.attention.rows
    query, key, value = (block.layer.get_submodule(name) for name in block.attention.rows)
    heads = (block.heads, block.size)
    asked = query(states[:, row]).unflatten(-1, heads)  # (n, heads, size)
    asked = torch.einsum("nhs,hsd->nhd", asked, key.weight.unflatten(0, heads))
    weights = torch.softmax(asked @ states.transpose(1, 2) / block.size**0.5, -1)  # (n, heads, t)
    seen = weights @ states  # (n, heads, d)
    outputs = torch.einsum("nhd,hsd->nhs", seen, value.weight.unflatten(0, heads))
    return outputs.flatten(1)[:, None] + value.bias
