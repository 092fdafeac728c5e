"""The outputs of heads and attention weights of a 2-layer BERT, recomputed in numpy."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest
from scipy.special import erf, softmax

if not find_spec("transformers"):
    pytest.skip("the extra 'encoders' is not installed", allow_module_level=True)

from slant.explain.attention import last_attention, rollout
from slant.explain.hooks import base_pass, blocks_of, by_head, captured, stacked


def normed(x, weights, name):
    mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    scaled = (x - mean) / np.sqrt(var + 1e-12)
    return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def linear(x, weights, name):
    return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def bert_by_hand(model, ids):
    """Outputs (t, heads, size) and attention (heads, t, t) of each layer, for one text."""
    weights = {k: v.numpy() for k, v in model.base_model.state_dict().items()}
    t, embeddings = len(ids), "embeddings"
    x = weights[f"{embeddings}.word_embeddings.weight"][ids]
    x = x + weights[f"{embeddings}.position_embeddings.weight"][:t]
    x = x + weights[f"{embeddings}.token_type_embeddings.weight"][0]
    x = normed(x, weights, f"{embeddings}.LayerNorm")
    outputs, attentions = [], []
    for layer in ("encoder.layer.0", "encoder.layer.1"):
        q, k, v = (
            linear(x, weights, f"{layer}.attention.self.{name}").reshape(t, 2, 16).swapaxes(0, 1)
            for name in ("query", "key", "value")
        )
        attention = softmax(q @ k.swapaxes(1, 2) / 4, axis=-1)  # sqrt(16) = 4
        z = (attention @ v).swapaxes(0, 1)
        outputs.append(z)
        attentions.append(attention)
        x = normed(
            linear(z.reshape(t, 32), weights, f"{layer}.attention.output.dense") + x,
            weights,
            f"{layer}.attention.output.LayerNorm",
        )
        inner = linear(x, weights, f"{layer}.intermediate.dense")
        inner = inner * 0.5 * (1 + erf(inner / np.sqrt(2)))
        x = normed(
            linear(inner, weights, f"{layer}.output.dense") + x,
            weights,
            f"{layer}.output.LayerNorm",
        )
    return outputs, attentions


def test_captured_outputs_are_those_recomputed_from_the_weights(loaded, texts):
    encoder = loaded("bert")
    windows = texts(encoder, (7,))
    blocks = blocks_of(encoder.model)
    import torch

    with torch.inference_mode(), captured(blocks) as found:
        base_pass(encoder.model, *stacked(windows, [0]))
    outputs, _ = bert_by_hand(encoder.model, windows[0])
    for block, mine, theirs in zip(blocks, found, outputs, strict=True):
        assert by_head(mine, block)[0].numpy() == pytest.approx(theirs, abs=1e-10)


def test_last_attention_and_rollout_are_those_recomputed_from_the_weights(loaded, texts):
    encoder = loaded("bert")
    windows = texts(encoder, (7, 4))
    _, (one, two) = bert_by_hand(encoder.model, windows[0])
    got = last_attention(encoder, windows)
    assert got[0].scores == pytest.approx(two.mean(0)[0], abs=1e-10)
    assert last_attention(encoder, windows, heads="max")[0].scores == pytest.approx(two.max(0)[0])
    eye = np.eye(9)
    mixed = [0.5 * layer.mean(0) + 0.5 * eye for layer in (one, two)]
    assert rollout(encoder, windows)[0].scores == pytest.approx((mixed[1] @ mixed[0])[0])
    printed = rollout(encoder, windows, order="as-printed")[0].scores
    assert printed == pytest.approx((mixed[0] @ mixed[1])[0])
    assert got[1].special.tolist() == [True, False, False, False, False, True]
    assert got[1].tokens.tolist() == windows[1].tolist()


def test_attention_is_taught_to_just_the_families_that_are_read_at_their_first_token():
    from slant.explain.families import FAMILIES
    from slant.systems.attention import FIRST

    assert {kind for kind, one in FAMILIES.items() if one.readout == "first"} == {
        kind for kind in FAMILIES if kind in FIRST
    }
