"""Scores of tokens from attention weights: last layer, rollout, flow, and times their gradient.

Of GPT-2 the row of the last token is read, of BART the last token's row of the last attention from
the decoder to the encoder; rollout and flow are not defined on two stacks. ConvBERT's convolutions
have no weights between tokens: only its attention heads are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from slant.errors import OptionError, unknown_name
from slant.explain.attributions import (
    Attribution,
    attribution,
    looked_up,
    single,
    target_of,
    vectors_given,
)
from slant.explain.families import family_of
from slant.explain.hooks import base_pass, equal_lengths, readout_rows, stacked, still
from slant.explain.patching import BUDGET
from slant.systems.batches import Tokens
from slant.systems.checkpoints import Encoder
from slant.systems.encoder import one_thread
from slant.types import Floats

ORDERS = ("abnar-zuidema", "as-printed")
FLOW_SCALE = 2**30


def check_weights(encoder: Encoder) -> None:
    """Refuse a model that was loaded so that it keeps no attention weights.

    Raises:
        OptionError: it does not compute attention eagerly.
    """
    kind = encoder.model.config._attn_implementation
    if kind != "eager":
        found = f"it was loaded with {kind} attention, which keeps none"
        do = "Load it with attention=eager"
        raise OptionError(f"Reading the attention weights of '{encoder.name}'", found, do)


def _weights_of(encoder: Encoder, out: Any) -> tuple[Any, ...]:
    name = "cross_attentions" if encoder.model.config.model_type == "bart" else "attentions"
    found = getattr(out, name, None) or ()
    if not found or any(layer is None for layer in found):
        asked = f"Reading the attention weights of '{encoder.name}'"
        do = "Choose a method that needs none, such as integrated-gradients"
        raise OptionError(asked, "the model gives none", do)
    return tuple(found)


def last_attention(
    encoder: Encoder, windows: Sequence[Tokens], seed: int = 0, heads: str = "mean"
) -> list[Attribution]:
    """The last layer's attention from the readout's token (CLS) to each token.

    Args:
        encoder: loaded with attention="eager".
        windows: (n,) windows of tokens.
        seed: unused; all methods take one.
        heads: "mean" over the heads, or their "max".

    Returns:
        (n,) attributions; scores in [0, 1], those of one text sum to 1 under "mean".

    Raises:
        OptionError: the model has no attention weights. UnknownName: of `heads`.

    Source: Chen et al., section 3.4.
    """
    if heads not in ("mean", "max"):
        raise unknown_name("aggregation of heads", heads, ("mean", "max"))

    def scores(layers: tuple[Any, ...], row: int) -> Floats:
        rows = layers[-1][:, :, row]  # (n, heads, t)
        found: Floats = (rows.mean(1) if heads == "mean" else rows.amax(1)).double().numpy()
        return found

    return _read(encoder, windows, scores, "cls-attention", {"heads": heads})


def _read(
    encoder: Encoder, windows: Sequence[Tokens], of: Any, method: str, choices: dict[str, Any]
) -> list[Attribution]:
    import torch

    check_weights(encoder)
    made: list[Any] = [None] * len(windows)
    with one_thread(), still(encoder.model), torch.inference_mode():
        for places in equal_lengths(windows, BUDGET):
            ids, mask = stacked(windows, places)
            out = base_pass(encoder.model, ids, mask, output_attentions=True)
            row = int(readout_rows(encoder.model, mask)[0])
            found = of(_weights_of(encoder, out), row)
            for place, scores in zip(places, found, strict=True):
                made[place] = attribution(encoder, windows[place], scores, method, choices)
    return made


def _one_stack(encoder: Encoder, method: str) -> None:
    if encoder.model.config.model_type == "bart":
        found = "the model has two stacks of layers, and it is defined on one"
        raise OptionError(f"Computing {method} of '{encoder.name}'", found, "Choose cls-attention")


def with_residual(weights: Floats) -> Floats:
    """Half of the attention, half of each token itself: 0.5 A + 0.5 I.

    Args:
        weights: (..., t, t), rows sum to 1.
    """
    return 0.5 * weights + 0.5 * np.eye(weights.shape[-1])


def rolled_out(weights: Floats, order: str) -> Floats:
    """The product over layers of 0.5 A + 0.5 I.

    Args:
        weights: (layers, ..., t, t) attention, mean over the heads, rows sum to 1.
        order: "abnar-zuidema" has the last layer on the left, so that row i follows what reached
            token i down to the input; "as-printed" by Chen et al. has the first layer there.

    Returns:
        (..., t, t), rows sum to 1.

    Raises:
        UnknownName: there is no such order.

    Source: Abnar and Zuidema, Quantifying Attention Flow in Transformers (2020), section 3; Chen et
    al., section 3.4.
    """
    if order not in ORDERS:
        raise unknown_name("order of rollout", order, ORDERS)
    mixed = with_residual(weights)
    whole: Floats = mixed[0]
    for layer in mixed[1:]:
        whole = layer @ whole if order == "abnar-zuidema" else whole @ layer
    return whole


def rollout(
    encoder: Encoder, windows: Sequence[Tokens], seed: int = 0, order: str = "abnar-zuidema"
) -> list[Attribution]:
    """Attention rollout: the readout's row of `rolled_out`.

    Args:
        encoder: loaded with attention="eager".
        windows: (n,) windows of tokens.
        seed: unused; all methods take one.
        order: one of `ORDERS`.

    Returns:
        (n,) attributions; scores in [0, 1], those of one text sum to 1.

    Raises:
        OptionError: the model has no attention weights, or two stacks. UnknownName: of `order`.
    """
    _one_stack(encoder, "rollout")

    def scores(layers: tuple[Any, ...], row: int) -> Floats:
        weights = np.stack([layer.mean(1).double().numpy() for layer in layers])
        return rolled_out(weights, order)[:, row]

    return _read(encoder, windows, scores, "rollout", {"order": order, "heads": "mean"})


def rollout_as_printed(
    encoder: Encoder, windows: Sequence[Tokens], seed: int = 0
) -> list[Attribution]:
    """Attention rollout with its product in the order that the paper prints; see `rollout`."""
    return rollout(encoder, windows, seed, "as-printed")


def attention_flows(weights: Floats, row: int) -> Floats:
    """The largest flow from a token of the last layer to each token of the input.

    Edges lead from each token to those that it attends to in the layer below, with a capacity of
    0.5 A + 0.5 I. Capacities are rounded down to multiples of 2**-30 for a solver of whole numbers:
    a flow is at most layers * t * t * 2**-30 too small, for 6 layers of 40 tokens 9e-6.

    Args:
        weights: (layers, t, t) attention, mean over the heads, rows sum to 1.
        row: the token of the last layer.

    Returns:
        (t,) flows in [0, 1].

    Source: Abnar and Zuidema, Quantifying Attention Flow in Transformers (2020), section 3.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import maximum_flow

    layers, t, _ = weights.shape
    capacity = np.floor(with_residual(weights) * FLOW_SCALE).astype(np.int32)
    # Node number l * t + i is token i behind layer l; 0 to t - 1 are the input.
    level, start, end = np.nonzero(capacity)
    edges = (capacity[level, start, end], ((level + 1) * t + start, level * t + end))
    graph = coo_array(edges, shape=((layers + 1) * t,) * 2).tocsr()
    flows = [maximum_flow(graph, layers * t + row, token).flow_value for token in range(t)]
    return np.array(flows) / FLOW_SCALE


def attention_flow(encoder: Encoder, windows: Sequence[Tokens], seed: int = 0) -> list[Attribution]:
    """Attention flow from the readout's token to each token; see `attention_flows`.

    Args:
        encoder: loaded with attention="eager".
        windows: (n,) windows of tokens.
        seed: unused; all methods take one.

    Returns:
        (n,) attributions; scores in [0, 1].

    Raises:
        OptionError: the model has no attention weights, or two stacks.
    """
    _one_stack(encoder, "flow")

    def scores(layers: tuple[Any, ...], row: int) -> Floats:
        weights = np.stack([layer.mean(1).double().numpy() for layer in layers], 1)
        return np.stack([attention_flows(text, row) for text in weights])

    return _read(encoder, windows, scores, "flow", {"heads": "mean"})


AGGREGATIONS = ("mean-of-products", "sum-of-products", "product-of-means")


def gradient_attention(
    encoder: Encoder,
    windows: Sequence[Tokens],
    seed: int = 0,
    target: str = "predicted",
    heads: str = "mean-of-products",
) -> list[Attribution]:
    """The last layer's attention from the readout's token, times its gradient, with its sign.

    Args:
        encoder: loaded with attention="eager".
        windows: (n,) windows of tokens.
        seed: unused; all methods take one.
        target: which logit's gradient, one of `attributions.TARGETS`; the paper's is "predicted".
        heads: one of `AGGREGATIONS`: mean or sum over the heads of attention times gradient, or
            mean attention times mean gradient.

    Returns:
        (n,) attributions; scores above 0 for attention that raises the target.

    Raises:
        OptionError: the model has no attention weights. UnknownName: of `target` or `heads`.

    Source: Chen et al., section 3.4, after Hao et al. (2021).
    """
    import torch

    if heads not in AGGREGATIONS:
        raise unknown_name("aggregation of heads", heads, AGGREGATIONS)
    check_weights(encoder)
    model, made = encoder.model, []
    caching = {"use_cache": False} if family_of(model).caches else {}
    with one_thread(), still(model):
        for tokens in windows:
            ids, mask = single(tokens)
            vectors = looked_up(model, ids).detach().requires_grad_()
            with vectors_given(model, vectors):
                out = model(input_ids=ids, attention_mask=mask, output_attentions=True, **caching)
            weights = _weights_of(encoder, out)[-1]
            wanted = target_of(out.logits[:, :2].detach(), target)(out.logits[:, :2])
            (slope,) = torch.autograd.grad(wanted.sum(), weights)
            row = int(readout_rows(model, mask)[0])
            a, g = (some[0, :, row].detach().double().numpy() for some in (weights, slope))
            if heads == "product-of-means":
                scores = a.mean(0) * g.mean(0)
            else:
                scores = (a * g).mean(0) if heads == "mean-of-products" else (a * g).sum(0)
            choices = {"target": target, "heads": heads}
            made.append(attribution(encoder, tokens, scores, "gradient-attention", choices))
    return made
