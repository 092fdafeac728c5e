"""Rankings of heads, sets of them isolated and eliminated, probes, and estimates by gradient."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from slant.errors import DataError, OptionError, UnknownName

if not find_spec("transformers"):
    pytest.skip("the extra 'encoders' is not installed", allow_module_level=True)

from slant.explain.circuits import (
    first_heads,
    head_runs,
    random_heads,
    ranked_heads,
    scaled,
    set_runs,
)
from slant.explain.hooks import base_pass, blocks_of, captured, head_mask, replaced, stacked
from slant.explain.patching import patched_logits, readout_logits, states_of
from slant.explain.readouts import fitted_probe, own_readout, probe_readout
from slant.explain.slopes import attribution_patching


def pair(encoder, texts, lengths=(6, 5, 6, 7)):
    """Texts, and versions with a word changed; the last text stays as it is."""
    clean, other = texts(encoder, lengths), texts(encoder, lengths, seed=1)
    corrupt = [one.copy() for one in clean]
    for made, new in zip(corrupt[:-1], other, strict=False):
        made[2:4] = new[2:4]
    return clean, corrupt


def test_effects_are_what_one_head_adds_to_the_corrupted_text(loaded, texts):
    model = loaded("bert").model
    clean, corrupt = pair(loaded("bert"), texts)
    read = own_readout(model)
    runs = head_runs(model, clean, corrupt, read)
    assert [(s.name, s.block, s.head) for s in runs.sites][1:3] == [
        ("layer 0", 0, 1),
        ("layer 1", 1, 0),
    ]
    alone = patched_logits(model, corrupt, clean, np.eye(4, dtype=bool), read)
    assert runs.patched == pytest.approx(alone, abs=1e-9)
    assert runs.clean == pytest.approx(readout_logits(model, clean, read))
    assert runs.effects() == pytest.approx(alone - readout_logits(model, corrupt, read), abs=1e-9)
    by_hand = 1 / (1 + np.exp(-runs.patched)) - 1 / (1 + np.exp(-runs.corrupt))
    assert runs.effects("probability") == pytest.approx(by_hand)
    assert (runs.effects()[:, -1] == 0).all()  # the text that corruption left as it was
    assert np.abs(runs.effects()[:, 0]).max() > 1e-3


@pytest.mark.parametrize("kind", ["bert", "gpt2", "bart", "convbert"])
def test_no_head_and_all_heads_are_the_two_ends(kind, loaded, texts):
    model = loaded(kind).model
    clean, corrupt = pair(loaded(kind), texts)
    heads = sum(block.heads for block in blocks_of(model))
    ends = first_heads(np.arange(heads), [0, heads])
    runs = set_runs(model, clean, corrupt, ends, own_readout(model))
    assert runs.isolated == pytest.approx(np.stack([runs.corrupt, runs.clean]), abs=1e-6)
    assert runs.eliminated == pytest.approx(np.stack([runs.clean, runs.corrupt]), abs=1e-6)
    assert np.abs(runs.clean - runs.corrupt)[:-1].min() > 1e-4


@pytest.mark.parametrize("kind", ["bert", "gpt2", "bart", "deberta-v2"])
@pytest.mark.parametrize("scale", ["logit", "probability"])
def test_attribution_patching_is_the_slope_towards_the_clean_outputs(kind, scale, loaded, texts):
    import torch

    model = loaded(kind).model
    clean, corrupt = (some[:1] for some in pair(loaded(kind), texts))
    read, blocks = own_readout(model), blocks_of(model)
    got = attribution_patching(model, clean, corrupt, read, scale)[:, 0]
    sources = []
    with torch.inference_mode(), captured(blocks) as found:
        for windows in (clean, corrupt):
            base_pass(model, *stacked(windows, [0]))
            sources.append([one.clone() for one in found])
    step = 1e-5
    for site in range(len(got)):
        chosen = torch.zeros(1, len(got), dtype=torch.bool)
        chosen[0, site] = True
        around = []
        for sign in (1, -1):
            moved = [
                after + sign * step * (before - after) * head_mask(chosen, block)
                for block, before, after in zip(blocks, *sources, strict=True)
            ]
            # Outputs that are not of this head stay what the run makes of them.
            with replaced(blocks, moved, chosen):
                around.append(scaled(readout_logits(model, corrupt, read), scale)[0])
        assert got[site] == pytest.approx((around[0] - around[1]) / (2 * step), abs=1e-7)
    assert np.abs(got).max() > 1e-4


def test_a_gradient_leaves_the_models_weights_as_they_were(loaded, texts):
    model = loaded("bert").model
    clean, corrupt = pair(loaded("bert"), texts)
    attribution_patching(model, clean, corrupt, own_readout(model))
    assert all(weight.requires_grad and weight.grad is None for weight in model.parameters())


def test_signed_and_absolute_rankings_by_hand():
    # Means 0.2, -0.5, 0.1, 0.2: equal ones stay in the order of the model.
    effects = np.array([[0.1, 0.3], [-0.5, -0.5], [0.0, 0.2], [0.2, 0.2]])
    assert ranked_heads(effects, "signed").tolist() == [0, 3, 2, 1]
    assert ranked_heads(effects, "absolute").tolist() == [1, 0, 3, 2]
    with pytest.raises(UnknownName, match="signed"):
        ranked_heads(effects, "sined")  # type: ignore[arg-type]


def test_more_heads_than_there_are_are_refused():
    with pytest.raises(OptionError, match=r"k=5: the model has 4 heads. Give k from 0 to 4"):
        first_heads(np.arange(4), [1, 5])
    with pytest.raises(OptionError, match="k=-1"):
        random_heads(4, [-1], 1, 0)


def test_random_sets_have_the_sizes_asked_for_and_grow():
    sets = random_heads(12, [0, 1, 5, 12], draws=30, seed=3)
    assert sets.shape == (30, 4, 12)
    assert (sets.sum(2) == [0, 1, 5, 12]).all()
    assert (sets[:, 1] <= sets[:, 2]).all()
    assert sets[:, 2].any(0).all()  # every head is drawn sometimes
    assert (sets == random_heads(12, [0, 1, 5, 12], draws=30, seed=3)).all()
    assert (sets != random_heads(12, [0, 1, 5, 12], draws=30, seed=4)).any()


def test_a_probe_is_scikit_learns_pipeline(loaded, texts):
    import torch

    encoder = loaded("bert")
    windows = texts(encoder, (5, 6, 7, 8) * 6)
    states = states_of(encoder.model, windows)
    labels = np.arange(24) % 2
    probe = fitted_probe(states, labels)
    peer = make_pipeline(StandardScaler(), LogisticRegression(max_iter=5000)).fit(states, labels)
    got = readout_logits(encoder.model, windows, probe_readout(probe))
    assert got == pytest.approx(peer.decision_function(states), abs=1e-6)
    single = probe_readout(probe)(torch.from_numpy(states[:1]).float())
    assert single.dtype == torch.float32


def test_a_probe_ignores_a_dimension_that_never_varies():
    states = np.random.default_rng(0).normal(size=(20, 3))
    states[:, 1] = 4.0
    probe = fitted_probe(states, (states[:, 0] > 0).astype(int))
    assert probe.weight[1] == 0
    assert probe.weight[0] > 0


def test_a_probe_on_one_class_or_on_no_numbers_is_refused():
    with pytest.raises(DataError, match="of one class"):
        fitted_probe(np.eye(3), np.ones(3, dtype=int))
    states = np.eye(4)
    states[0, 0] = np.nan
    with pytest.raises(DataError, match="a state is no number"):
        fitted_probe(states, np.array([0, 1, 0, 1]))


def test_the_second_head_of_a_model_reads_its_own_logits(loaded, texts):
    import torch

    encoder = loaded("bert")
    (tokens,) = texts(encoder, (5,))
    with torch.inference_mode():
        logits = encoder.model(*stacked([tokens], [0])).logits[0]
    got = readout_logits(encoder.model, [tokens], own_readout(encoder.model))
    assert got == pytest.approx([float(logits[1] - logits[0])])
