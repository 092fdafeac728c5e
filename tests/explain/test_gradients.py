"""Gradients and perturbations: axioms, values by hand, captum and exact enumeration as oracles."""

from __future__ import annotations

from importlib.util import find_spec
from itertools import permutations

import numpy as np
import pytest

from slant.errors import OptionError, UnknownName

if not find_spec("transformers") or not find_spec("captum"):
    pytest.skip("the extras 'encoders' and 'explain' are not installed", allow_module_level=True)

from slant.explain.attributions import class_logits, filler_of, looked_up, single, vectors_given
from slant.explain.families import FAMILIES
from slant.explain.gradients import input_gradient, integrated_gradients
from slant.explain.methods import METHODS
from slant.explain.perturbations import lime, lime_scores, occlusion, shap, shap_scores

KINDS = sorted(FAMILIES)


def biased(encoder, tokens):
    import torch

    with torch.inference_mode():
        return float(class_logits(encoder.model, *single(tokens))[0, 1])


@pytest.mark.parametrize("kind", KINDS)
def test_integrated_gradients_sum_to_the_change_of_the_logit(kind, loaded, texts):
    encoder = loaded(kind)
    windows = texts(encoder, (6, 4))
    # The head of DistilBERT has kinks (ReLU), which no rule for smooth curves follows.
    error = 2e-3 if kind == "distilbert" else 1e-5
    for one, tokens in zip(
        integrated_gradients(encoder, windows, target="biased", baseline="unknown", steps=60),
        windows,
        strict=True,
    ):
        start = np.where(one.special, tokens, encoder.tokenizer.unk_token_id)
        change = biased(encoder, tokens) - biased(encoder, start)
        assert abs(change) > 2 * error
        assert one.scores.sum() == pytest.approx(change, abs=error)
        assert (one.scores[one.special] == 0).all()


def test_integrated_gradients_are_captums(loaded, texts):
    import torch
    from captum.attr import LayerIntegratedGradients

    encoder = loaded("bert")
    model = encoder.model
    (tokens,) = texts(encoder, (6,))
    ids, mask = single(tokens)
    start = ids.clone()
    start[0, 1:-1] = encoder.tokenizer.pad_token_id
    peer = LayerIntegratedGradients(
        lambda given: model(input_ids=given, attention_mask=torch.ones_like(given)).logits[:, 1],
        model.bert.embeddings.word_embeddings,
    )
    theirs = peer.attribute(ids, baselines=start, n_steps=20, method="gausslegendre")
    got = integrated_gradients(encoder, [tokens], target="biased", baseline="pad", steps=20)[0]
    assert got.scores == pytest.approx(theirs[0].sum(-1).detach().numpy(), abs=1e-7)
    assert mask.all()


def test_input_times_gradient_is_the_slope_along_each_vector(loaded, texts):
    import torch

    for kind in ("bert", "bart"):
        encoder = loaded(kind)
        (tokens,) = texts(encoder, (5,))
        ids, mask = single(tokens)
        step, by_hand = 1e-6, []
        with torch.no_grad():
            vectors = looked_up(encoder.model, ids)
            for token in range(len(tokens)):
                around = []
                for sign in (1, -1):
                    moved = vectors.clone()
                    moved[0, token] *= 1 + sign * step
                    with vectors_given(encoder.model, moved):
                        around.append(float(class_logits(encoder.model, ids, mask)[0, 1]))
                by_hand.append((around[0] - around[1]) / (2 * step))
        got = input_gradient(encoder, [tokens], target="biased")[0]
        assert got.scores == pytest.approx(by_hand, abs=1e-7)


@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_occlusion_by_hand(kind, loaded, texts):
    encoder = loaded(kind)
    (tokens,) = texts(encoder, (4,))
    name, filler = filler_of(encoder.tokenizer, "auto")
    assert name == {"bert": "mask", "gpt2": "unknown"}[kind]
    got = occlusion(encoder, [tokens], target="biased")[0]
    for place in np.flatnonzero(~got.special):
        without = tokens.copy()
        without[place] = filler
        lost = biased(encoder, tokens) - biased(encoder, without)
        assert got.scores[place] == pytest.approx(lost)
    assert (got.scores[got.special] == 0).all()
    assert got.choices == {"target": "biased", "filler": name}


def test_gpt2_is_read_at_its_last_token_even_where_padding_stands_for_it(loaded, texts):
    encoder = loaded("gpt2")
    (tokens,) = texts(encoder, (4,))
    got = occlusion(encoder, [tokens], target="biased", filler="pad")[0]
    # The logit at the last position, whose token is the padding token.
    without = tokens.copy()
    without[-1] = encoder.tokenizer.pad_token_id
    import torch

    ids, mask = single(without)
    with torch.inference_mode():
        last = encoder.model.transformer(ids, attention_mask=mask, use_cache=False)[0][0, -1]
        logit = float(encoder.model.score(last)[1])
    assert got.scores[-1] == pytest.approx(biased(encoder, tokens) - logit)


def made_up(kept):
    """x0 + 2 x1 + 3 x0 x1 + 4 x2, of four tokens."""
    x = kept.double()
    return x[:, 0] + 2 * x[:, 1] + 3 * x[:, 0] * x[:, 1] + 4 * x[:, 2]


def test_shap_is_the_mean_contribution_over_all_orders():
    import torch

    exact = np.zeros(4)
    orders = list(permutations(range(4)))
    for order in orders:
        kept = torch.zeros(1, 4)
        before = 0.0
        for token in order:
            kept[0, token] = 1
            now = float(made_up(kept)[0])
            exact[token] += (now - before) / len(orders)
            before = now
    assert exact == pytest.approx([2.5, 3.5, 4, 0])
    got = shap_scores(made_up, 4, 1500, 1)
    assert got == pytest.approx(exact, abs=0.15)
    assert got.sum() == pytest.approx(10, abs=0.01)


def test_lime_finds_the_weights_of_a_sum():
    import torch

    weights = torch.tensor([1.0, -2.0, 0.5, 0.0, 3.0])
    got = lime_scores(lambda kept: kept @ weights, 5, 1500, 1)
    assert got == pytest.approx(weights.numpy(), abs=0.1)


@pytest.mark.parametrize("scores", [shap_scores, lime_scores])
def test_draws_repeat_with_their_seed_and_leave_the_callers_alone(scores):
    import torch

    state = torch.random.get_rng_state()
    one, same, other = (scores(made_up, 4, 20, seed) for seed in (1, 1, 2))
    assert (one == same).all()
    assert (one != other).any()
    assert torch.equal(state, torch.random.get_rng_state())


def test_a_single_word_has_all_of_the_difference(loaded, texts):
    encoder = loaded("bert")
    (tokens,) = texts(encoder, (1,))
    lost = occlusion(encoder, [tokens])[0].scores
    for method in (shap, lime):
        assert method(encoder, [tokens])[0].scores == pytest.approx(lost)


@pytest.mark.parametrize("kind", KINDS)
def test_every_method_scores_every_token_of_every_family(kind, loaded, texts):
    encoder = loaded(kind)
    windows = texts(encoder, (5, 3, 5))
    for name, method in METHODS.items():
        if kind == "bart" and name in ("rollout", "rollout-as-printed", "flow"):
            continue
        fewer = {"samples": 30} if name in ("shap", "lime") else {}
        found = method(encoder, windows, 7, **fewer)
        alone = method(encoder, windows[:1], 7, **fewer)[0]
        assert alone.scores == pytest.approx(found[0].scores, abs=1e-7)
        for one, tokens in zip(found, windows, strict=True):
            assert one.method in name
            assert one.tokens.tolist() == tokens.tolist()
            assert one.scores.shape == tokens.shape
            assert one.scores.dtype == np.float64
            assert np.isfinite(one.scores).all()
            assert np.abs(one.scores).max() > 0
            assert (~one.special).sum() in (5, 3)


def test_unknown_choices_are_named(loaded, texts):
    encoder = loaded("gpt2")
    windows = texts(encoder, (4,))
    with pytest.raises(UnknownName, match="Did you mean mask"):
        occlusion(encoder, windows, filler="masks")
    with pytest.raises(OptionError, match=r"has no mask token\. Choose unknown, pad"):
        occlusion(encoder, windows, filler="mask")
    with pytest.raises(OptionError, match="there is no step"):
        integrated_gradients(encoder, windows, steps=0)
