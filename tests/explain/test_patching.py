"""Runs with heads of another version of the text: equal to full forward passes, on all families."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

from slant.errors import DataError, OptionError

if not find_spec("transformers"):
    pytest.skip("the extra 'encoders' is not installed", allow_module_level=True)

from slant.explain.families import FAMILIES
from slant.explain.hooks import (
    blocks_of,
    captured,
    head_logits,
    protected_places,
    readout_states,
    replaced,
    sites_of,
    stacked,
    still,
)
from slant.explain.patching import patched_logits, readout_logits, states_of

KINDS = sorted(FAMILIES)
LENGTHS = (9, 6, 9, 12)


def difference(model):
    def readout(states):
        logits = head_logits(model, states)
        return logits[:, 1] - logits[:, 0]

    return readout


def pair(encoder, texts):
    """Texts and a version of them with other words wherever the family lets them differ."""
    clean, other = texts(encoder, LENGTHS), texts(encoder, LENGTHS, seed=1)
    corrupt = []
    for one, two in zip(clean, other, strict=True):
        made = two.copy()
        for place in protected_places(encoder.model, len(one)):
            made[place] = one[place]
        corrupt.append(made)
    return clean, corrupt


def drawn_sets(count, seed=0):
    stream = np.random.default_rng(seed)
    return np.array([stream.random(count) < share for share in (0.1, 0.3, 0.6, 0.9)])


@pytest.mark.parametrize("kind", KINDS)
def test_all_heads_restore_the_text_that_they_come_from_and_none_leaves_it(kind, loaded, texts):
    encoder = loaded(kind)
    model, readout = encoder.model, difference(encoder.model)
    clean, corrupt = pair(encoder, texts)
    one, two = (readout_logits(model, some, readout) for some in (clean, corrupt))
    assert np.abs(one - two).min() > 1e-3
    count = len(sites_of(blocks_of(model)))
    ends = np.array([[True] * count, [False] * count])
    for restart in (True, False):
        isolated = patched_logits(model, corrupt, clean, ends, readout, restart=restart)
        eliminated = patched_logits(model, clean, corrupt, ends, readout, restart=restart)
        assert isolated[0] == pytest.approx(one, abs=1e-6)
        assert isolated[1] == pytest.approx(two, abs=1e-6)
        assert eliminated[0] == pytest.approx(two, abs=1e-6)
        assert eliminated[1] == pytest.approx(one, abs=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_a_restart_gives_what_a_full_forward_pass_gives(kind, loaded, texts):
    encoder = loaded(kind)
    model, readout = encoder.model, difference(encoder.model)
    clean, corrupt = pair(encoder, texts)
    count = len(sites_of(blocks_of(model)))
    chosen = np.concatenate([np.eye(count, dtype=bool), drawn_sets(count)])
    fast = patched_logits(model, corrupt, clean, chosen, readout)
    plain = patched_logits(model, corrupt, clean, chosen, readout, budget=1, restart=False)
    base = readout_logits(model, corrupt, readout)
    assert fast == pytest.approx(plain, abs=1e-7)
    assert np.abs(plain - base)[:count].max(1).min() > 1e-4  # every head matters somewhere


def test_a_restart_in_float32_is_equal_to_a_hundred_thousandth(loaded, texts):
    encoder = loaded("bert")
    clean, corrupt = pair(encoder, texts)
    chosen, readout = np.eye(4, dtype=bool), difference(encoder.model)
    exact = patched_logits(encoder.model, corrupt, clean, chosen, readout)
    encoder.model.float()
    fast = patched_logits(encoder.model, corrupt, clean, chosen, readout)
    plain = patched_logits(encoder.model, corrupt, clean, chosen, readout, restart=False)
    encoder.model.double()
    assert fast == pytest.approx(plain, abs=1e-5)
    assert fast == pytest.approx(exact, abs=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_the_budget_of_a_batch_changes_nothing(kind, loaded, texts):
    encoder = loaded(kind)
    model, readout = encoder.model, difference(encoder.model)
    clean, corrupt = pair(encoder, texts)
    chosen = drawn_sets(len(sites_of(blocks_of(model))))
    small = patched_logits(model, corrupt, clean, chosen, readout, budget=1)
    assert small == pytest.approx(patched_logits(model, corrupt, clean, chosen, readout), abs=1e-7)


@pytest.mark.parametrize("kind", KINDS)
def test_the_readout_and_the_head_are_the_models_own(kind, loaded, texts):
    import torch

    encoder = loaded(kind)
    model = encoder.model
    ids, mask = stacked(texts(encoder, (7, 7)), [0, 1])
    with torch.inference_mode():
        mine = head_logits(model, readout_states(model, ids, mask))
        theirs = model(input_ids=ids, attention_mask=mask).logits
    assert torch.allclose(mine, theirs, atol=1e-7)


# ConvBERT's convolutions read the padding behind a text, so that its states depend on it.
@pytest.mark.parametrize("kind", sorted({*KINDS} - {"convbert"}))
def test_states_do_not_depend_on_what_shares_a_batch_and_padding(kind, loaded, texts):
    import torch

    from slant.systems.batches import padded

    encoder = loaded(kind)
    windows = texts(encoder, (5, 9))
    got = states_of(encoder.model, windows)
    batch = padded(windows, encoder.tokenizer.pad_token_id, encoder.limit)
    with torch.inference_mode():
        theirs = readout_states(encoder.model, batch["input_ids"], batch["attention_mask"])
    assert got == pytest.approx(theirs.numpy(), abs=1e-6)


def test_hooks_are_taken_off_after_an_exception(loaded, texts):
    import torch

    model = loaded("bert").model
    blocks = blocks_of(model)
    ids, mask = stacked(texts(loaded("bert"), (7,)), [0])
    chosen = torch.ones(1, len(sites_of(blocks)), dtype=torch.bool)

    def hooks():
        return sum(
            len(part._forward_pre_hooks) + ("forward" in vars(part)) for part in model.modules()
        )

    def broken(states):
        raise RuntimeError("a fault of the readout")

    before = hooks()
    sources = [torch.zeros(1, 9, 32, dtype=torch.float64)] * len(blocks)

    def failing(context):
        with context:
            readout_states(model, ids, mask)
            assert hooks() == before + len(blocks)
            raise ZeroDivisionError

    for context in (captured(blocks), replaced(blocks, sources, chosen)):
        with pytest.raises(ZeroDivisionError):
            failing(context)
        assert hooks() == before
    windows = texts(loaded("bert"), (7,))
    with pytest.raises(RuntimeError, match="a fault of the readout"):
        patched_logits(model, windows, windows, chosen.numpy(), broken)
    calls = []

    def fail(module, given):
        calls.append(module)
        if len(calls) > 3:  # behind the passes of both texts and of one alone: in a restart
            raise RuntimeError("a fault within a layer")

    handle = model.bert.encoder.layer[1].output.dense.register_forward_pre_hook(fail)
    with pytest.raises(RuntimeError, match="a fault within a layer"):
        patched_logits(model, windows, windows, chosen.numpy(), difference(model))
    handle.remove()
    assert hooks() == before


def test_a_model_is_given_back_as_it_was(loaded):
    model = loaded("bert").model
    model.train()
    model.bert.pooler.dense.weight.requires_grad_(False)
    with still(model):
        assert not model.training
        assert not any(weight.requires_grad for weight in model.parameters())
    assert model.training
    assert not model.bert.pooler.dense.weight.requires_grad
    assert model.classifier.weight.requires_grad
    model.bert.pooler.dense.weight.requires_grad_(True)
    model.eval()


def test_texts_whose_positions_do_not_correspond_are_refused(loaded, texts):
    model = loaded("bert").model
    none = np.zeros((1, 4), dtype=bool)
    one, two = texts(loaded("bert"), (7,)), texts(loaded("bert"), (6,))
    with pytest.raises(DataError, match="text 1 has 9 and 8 tokens"):
        patched_logits(model, one, two, none, difference(model))
    with pytest.raises(DataError, match="there are 1 and 2 texts"):
        patched_logits(model, one, one * 2, none, difference(model))


def test_an_architecture_that_is_not_supported_is_named():
    import transformers

    config = transformers.XLNetConfig(d_model=8, n_layer=1, n_head=2, d_inner=8, vocab_size=9)
    with pytest.raises(OptionError, match="of the type 'xlnet': its architecture is not supported"):
        blocks_of(transformers.XLNetForSequenceClassification(config))


def test_a_deberta_that_mixes_tokens_beside_its_heads_is_refused(loaded):
    encoder = loaded("deberta-v2", conv_kernel_size=3)
    with pytest.raises(OptionError, match="a convolution beside the heads"):
        blocks_of(encoder.model)


def test_a_head_that_reads_the_mean_over_tokens_is_refused(loaded, texts):
    model = loaded("modernbert", classifier_pooling="mean").model
    with pytest.raises(OptionError, match="reads the mean over all tokens"):
        readout_logits(model, texts(loaded("modernbert"), (5,)), difference(model))


def test_bart_counts_the_heads_of_encoder_decoder_and_between_them(loaded):
    names = [site.name for site in sites_of(blocks_of(loaded("bart").model))]
    blocks = ["encoder 0", "encoder 1", "decoder 0", "cross 0", "decoder 1", "cross 1"]
    assert names == [name for name in blocks for _ in range(2)]


def test_convbert_counts_its_convolutions_as_heads(loaded):
    # 2 heads and a head ratio of 2: one head of attention and one of convolution, 16 wide each.
    assert [(b.heads, b.size) for b in blocks_of(loaded("convbert").model)] == [(2, 16), (2, 16)]
