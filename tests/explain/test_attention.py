"""Rollout, flow and gradient times attention: worked by hand, and against other programs."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

from slant.errors import OptionError, UnknownName

if not find_spec("transformers"):
    pytest.skip("the extra 'encoders' is not installed", allow_module_level=True)

from dataclasses import replace

from slant.explain.attention import (
    attention_flow,
    attention_flows,
    gradient_attention,
    last_attention,
    rolled_out,
    rollout,
)

# Two layers, two tokens; with half of each token itself:
#   [[.75 .25] [0 1]] and [[1 0] [.25 .75]]
WEIGHTS = np.array([[[0.5, 0.5], [0.0, 1.0]], [[1.0, 0.0], [0.5, 0.5]]])


def test_rollout_in_both_orders_by_hand():
    # Second times first: [.75 .25], [.25 * .75, .25 * .25 + .75]
    got = rolled_out(WEIGHTS, "abnar-zuidema")
    assert got.tolist() == [[0.75, 0.25], [0.1875, 0.8125]]
    # First times second: [.75 + .25 * .25, .25 * .75], [.25 .75]
    assert rolled_out(WEIGHTS, "as-printed").tolist() == [[0.8125, 0.1875], [0.25, 0.75]]


def test_an_unknown_order_is_named():
    with pytest.raises(UnknownName, match="abnar-zuidema, as-printed"):
        rolled_out(WEIGHTS, "sideways")


def test_flow_by_hand():
    # Token 0 on top: only to the middle's token 0 (1), from there .75 and .25.
    assert attention_flows(WEIGHTS, 0) == pytest.approx([0.75, 0.25], abs=1e-8)
    # Token 1 on top: .25 to the middle's 0 and .75 to its 1. To input 0: min(.25, .75); to
    # input 1: min(.25, .25) + min(.75, 1).
    assert attention_flows(WEIGHTS, 1) == pytest.approx([0.25, 1.0], abs=1e-8)


def test_flow_is_that_of_networkx():
    import networkx as nx

    weights = np.random.default_rng(3).dirichlet(np.full(5, 0.4), size=(3, 5))
    graph = nx.DiGraph()
    for level, layer in enumerate(0.5 * weights + 0.5 * np.eye(5)):
        for i in range(5):
            for j in range(5):
                graph.add_edge((level + 1, i), (level, j), capacity=layer[i, j])
    theirs = [nx.maximum_flow_value(graph, (3, 2), (0, j)) for j in range(5)]
    assert attention_flows(weights, 2) == pytest.approx(theirs, abs=3 * 25 / 2**30)


@pytest.mark.parametrize("heads", ["mean-of-products", "sum-of-products", "product-of-means"])
def test_gradient_times_attention_is_the_slope_along_each_weight(heads, loaded, texts):
    """With the outputs z = sum of a_i v_i at CLS, a step along a_i moves z by v_i."""
    import torch
    from test_hooks import bert_by_hand

    from slant.explain.hooks import blocks_of, captured, head_logits, readout_states, replaced

    encoder = loaded("bert")
    model = encoder.model
    (tokens,) = texts(encoder, (5,))
    ids = torch.from_numpy(tokens.astype(np.int64)[None])
    mask = torch.ones_like(ids)
    blocks = blocks_of(model)
    step, slopes = 1e-5, np.empty((2, len(tokens)))
    seen = []
    with torch.no_grad(), captured(blocks) as found:
        values = model.bert.encoder.layer[1].attention.self.value
        handle = values.register_forward_hook(lambda module, given, out: seen.append(out[0]))
        logits = head_logits(model, readout_states(model, ids, mask))
        handle.remove()
    outputs, label = found[1].clone(), int(logits.argmax())
    everything = torch.ones(1, 4, dtype=torch.bool)
    for head in range(2):
        own = slice(16 * head, 16 * head + 16)
        for token in range(len(tokens)):
            around = []
            for sign in (1, -1):
                moved = outputs.clone()
                moved[0, 0, own] += sign * step * seen[0][token, own]
                with torch.no_grad(), replaced(blocks[1:], [moved], everything):
                    around.append(head_logits(model, readout_states(model, ids, mask))[0, label])
            slopes[head, token] = float(around[0] - around[1]) / (2 * step)
    attention = bert_by_hand(model, tokens)[1][1][:, 0]
    by_hand = {
        "mean-of-products": (attention * slopes).mean(0),
        "sum-of-products": (attention * slopes).sum(0),
        "product-of-means": attention.mean(0) * slopes.mean(0),
    }
    got = gradient_attention(encoder, [tokens], heads=heads)[0]
    assert got.scores == pytest.approx(by_hand[heads], abs=1e-8)
    assert np.abs(got.scores).max() > 1e-4
    assert got.choices == {"target": "predicted", "heads": heads}


def test_the_target_of_a_gradient_is_named(loaded, texts):
    encoder = loaded("bert")
    windows = texts(encoder, (5, 6))
    by_target = {
        target: [one.scores for one in gradient_attention(encoder, windows, target=target)]
        for target in ("predicted", "biased", "difference")
    }
    from slant.explain.attributions import class_logits, single

    for place, tokens in enumerate(windows):
        biased = int(class_logits(encoder.model, *single(tokens)).argmax())
        same = np.allclose(by_target["predicted"][place], by_target["biased"][place])
        assert same == bool(biased)
    with pytest.raises(UnknownName, match="Known: biased, difference, predicted"):
        gradient_attention(encoder, windows, target="gold")


def test_a_model_that_keeps_no_attention_weights_is_refused_in_one_line(loaded, texts):
    from slant.systems.checkpoints import load_encoder

    eager = loaded("bert")
    fast = load_encoder(str(eager.folder), 3)
    named = replace(fast, name="mine")
    for method in (last_attention, rollout, gradient_attention, attention_flow):
        with pytest.raises(OptionError) as refused:
            method(named, texts(eager, (4,)))
        assert str(refused.value) == (
            "Reading the attention weights of 'mine': it was loaded with sdpa attention, which "
            "keeps none. Load it with attention=eager."
        )


def test_rollout_and_flow_are_refused_on_two_stacks(loaded, texts):
    encoder = loaded("bart")
    for method in (rollout, attention_flow):
        with pytest.raises(OptionError, match="the model has two stacks of layers"):
            method(encoder, texts(encoder, (4,)))


def test_bart_is_read_from_its_last_token_to_the_encoder(loaded, texts):
    import torch

    encoder = loaded("bart")
    windows = texts(encoder, (6,))
    ids = torch.from_numpy(windows[0].astype(np.int64)[None])
    with torch.inference_mode():
        out = encoder.model(input_ids=ids, output_attentions=True, use_cache=False)
    theirs = out.cross_attentions[-1][0, :, -1].mean(0).numpy()
    assert last_attention(encoder, windows)[0].scores == pytest.approx(theirs)
