"""Attention heads as sites: what they put out, and how to put something else in its place.

All hooks are taken off when the `with` statement ends, also after an exception.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slant.errors import DataError
from slant.explain.families import Attention, family_of
from slant.systems.batches import Tokens

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Block:
    """The heads of one attention of one layer.

    Fields:
        name: "layer 0"; of BART "encoder 0", "decoder 0" and "cross 0".
        layer: the module of the layer.
        attention: where in the layer they are computed.
        heads, size: how many, and how many dimensions each puts out.
        first: the number of its first head among all.
    """

    name: str
    layer: Any
    attention: Attention
    heads: int
    size: int
    first: int

    @property
    def projection(self) -> Any:
        """The module that takes the heads' outputs, (n, t, heads * size)."""
        return self.layer.get_submodule(self.attention.projection)


@dataclass(frozen=True, slots=True)
class Site:
    """One head: the name of its block, the block's number, and the head's own number in it."""

    name: str
    block: int
    head: int


def _head_count(module: Any, config: Any) -> int:
    # ConvBERT counts its attention heads alone; the convolution's stand behind them.
    double = 2 if hasattr(module, "conv_kernel_size") else 1
    for name in ("num_attention_heads", "n_heads", "num_heads"):
        if hasattr(module, name):
            return double * int(getattr(module, name))
    return int(config.num_attention_heads)


def blocks_of(model: Any) -> tuple[Block, ...]:
    """The blocks of heads of a sequence classifier, in the order of computation.

    Raises:
        OptionError: its architecture is not supported; see `families.family_of`.
    """
    blocks: list[Block] = []
    first = 0
    for stack in family_of(model).stacks:
        for number, layer in enumerate(model.base_model.get_submodule(stack.layers)):
            for attention in stack.attentions:
                heads = _head_count(layer.get_submodule(attention.module), model.config)
                projection = layer.get_submodule(attention.projection)
                # A Conv1D of GPT-2 has its weight the other way round.
                width = getattr(projection, "in_features", None) or projection.weight.shape[0]
                name = f"{attention.name} {number}"
                blocks.append(Block(name, layer, attention, heads, int(width) // heads, first))
                first += heads
    return tuple(blocks)


def sites_of(blocks: Sequence[Block]) -> tuple[Site, ...]:
    """All heads of blocks, block after block."""
    return tuple(
        Site(block.name, number, head)
        for number, block in enumerate(blocks)
        for head in range(block.heads)
    )


def by_head(outputs: Any, block: Block) -> Any:
    """The outputs of a block, (n, t, heads * size), as (n, t, heads, size)."""
    return outputs.unflatten(-1, (block.heads, block.size))


def head_mask(chosen: Any, block: Block) -> Any:
    """A choice of heads, (m, sites) bool, as one of the block's dimensions, (m, heads * size)."""
    own = chosen[:, block.first : block.first + block.heads]
    return own.repeat_interleave(block.size, dim=1)


@contextmanager
def captured(blocks: Sequence[Block], follow: bool = False) -> Iterator[list[Any]]:
    """The outputs of heads in the last forward pass inside.

    Args:
        blocks: whose.
        follow: whether gradients are kept from the first of them on, though no weight asks for
            them.

    Yields:
        A list that holds, for each block, a tensor (n, t, heads * size); None before a pass.
    """
    found: list[Any] = [None] * len(blocks)

    def keeper(place: int) -> Any:
        def keep(module: Any, given: tuple[Any, ...]) -> tuple[Any, ...] | None:
            found[place] = given[0]
            if not follow or given[0].requires_grad:
                return None
            found[place] = given[0].detach().requires_grad_()
            return (found[place], *given[1:])

        return keep

    with ExitStack() as hooks:
        for place, block in enumerate(blocks):
            hooks.enter_context(block.projection.register_forward_pre_hook(keeper(place)))
        yield found


def mixed(own: Any, source: Any, mask: Any) -> Any:
    """Outputs of heads with those of another run where the mask says so.

    Args:
        own: (m * n, t, width), m runs of n texts, run after run.
        source: (n, t, width).
        mask: (m, width) bool.

    Returns:
        (m * n, t, width).
    """
    import torch

    runs = own.unflatten(0, (len(mask), -1))
    return torch.where(mask[:, None, None, :], source[None], runs).flatten(0, 1)


@contextmanager
def replaced(blocks: Sequence[Block], sources: Sequence[Any], chosen: Any) -> Iterator[None]:
    """Forward passes inside have the outputs of chosen heads replaced.

    Args:
        blocks: all blocks of the model, or some of them.
        sources: for each block the outputs that come in, (n, t, heads * size).
        chosen: (m, sites) bool over all heads of the model. The batch holds m runs of the same n
            texts, run after run.
    """

    def changer(block: Block, source: Any) -> Any:
        mask = head_mask(chosen, block)

        def change(module: Any, given: tuple[Any, ...]) -> tuple[Any, ...]:
            return (mixed(given[0], source, mask), *given[1:])

        return change

    with ExitStack() as hooks:
        for block, source in zip(blocks, sources, strict=True):
            if bool(chosen[:, block.first : block.first + block.heads].any()):
                hook = changer(block, source)
                hooks.enter_context(block.projection.register_forward_pre_hook(hook))
        yield


@contextmanager
def still(model: Any) -> Iterator[None]:
    """The model without dropout and without gradients for its weights; as before afterwards."""
    training = model.training
    learning = [weight for weight in model.parameters() if weight.requires_grad]
    model.eval()
    try:
        for weight in learning:
            weight.requires_grad_(False)
        yield
    finally:
        for weight in learning:
            weight.requires_grad_(True)
        model.train(training)


def base_pass(model: Any, ids: Any, mask: Any, **asked: Any) -> Any:
    """One forward pass of the model without its head: the base model's own output.

    Args:
        model: a sequence classifier.
        ids, mask: (n, t) token ids and attention mask.
        asked: further arguments, e.g. output_attentions.
    """
    if family_of(model).caches:
        asked["use_cache"] = False
    return model.base_model(input_ids=ids, attention_mask=mask, **asked)


def readout_rows(model: Any, mask: Any) -> Any:
    """The position that the model reads a text out at, (n,).

    The first token (CLS); of GPT-2 and BART the last real one, which of BART is its end token.
    """
    if family_of(model).readout == "first":
        return mask.new_zeros(len(mask))
    return mask.sum(1) - 1


def readout_states(model: Any, ids: Any, mask: Any) -> Any:
    """The last layer's states of the readout position, (n, d)."""
    import torch

    states = base_pass(model, ids, mask)[0]
    return states[torch.arange(len(ids)), readout_rows(model, mask)]


def head_logits(model: Any, states: Any) -> Any:
    """The model's own head on states of the readout position: (n, d) -> (n, labels) logits.

    Raises:
        OptionError: the head reads more than that position (ModernBERT's mean pooling).
    """
    return family_of(model).head(model, states)


def protected_places(model: Any, length: int) -> tuple[int, ...]:
    """The positions of a text of `length` tokens that no corruption may touch.

    A token's own embedding reaches the readout position past all heads: the readout token itself,
    and of BART also the one before it, which the decoder is given there.
    """
    if family_of(model).readout == "first":
        return (0,)
    last = length - 1
    return (last - 1, last) if model.config.model_type == "bart" else (last,)


def equal_lengths(windows: Sequence[Tokens], budget: int) -> Iterator[list[int]]:
    """Places of windows of one length, the longest first: batches that need no padding.

    Args:
        windows: (n,) windows of tokens.
        budget: tokens of a batch; one window may exceed it.
    """
    lengths = np.array([len(window) for window in windows])
    for length in np.unique(lengths)[::-1].tolist():
        same = np.flatnonzero(lengths == length).tolist()
        size = max(1, budget // max(length, 1))
        for start in range(0, len(same), size):
            yield same[start : start + size]


def stacked(windows: Sequence[Tokens], places: Sequence[int]) -> tuple[Any, Any]:
    """The token ids and attention mask, each (n, t), of windows of one length."""
    import torch

    ids = torch.from_numpy(np.stack([windows[i] for i in places]).astype(np.int64))
    return ids, torch.ones_like(ids)


def check_aligned(one: Sequence[Tokens], other: Sequence[Tokens]) -> None:
    """Refuse two versions of texts whose positions do not correspond.

    Raises:
        DataError: their numbers differ, or the tokens of one pair do.
    """
    asked = "Patching between two versions of texts"
    do = "Corrupt each text so that it keeps its number of tokens"
    if len(one) != len(other):
        raise DataError(asked, f"there are {len(one)} and {len(other)} texts", do)
    for row, (a, b) in enumerate(zip(one, other, strict=True)):
        if len(a) != len(b):
            raise DataError(asked, f"text {row + 1} has {len(a)} and {len(b)} tokens", do)
