"""Attention supervision: marks in tokens, and the loss of attention."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest
from tiny import HARSH, toy_fold

from slant.errors import DataError, OptionError
from slant.systems import make_system
from slant.types import NO, YES, Answer, Fold, Mark, Span

absent = not all(find_spec(n) for n in ("torch", "transformers", "accelerate"))
pytestmark = pytest.mark.skipif(absent, reason="the extra 'encoders' is not installed")

QUICK = {"epochs": 3, "lr": 3e-3, "batch": 4, "max_length": 32}


def marked(example):
    """The example with its harsh words marked, where it is biased."""
    spans, start = [], 0
    for word in example.item.text.split(" "):
        if word in HARSH:
            spans.append(Span(start, start + len(word)))
        start += len(word) + 1
    if not spans:
        return example
    return replace(example, gold=Answer(YES.labels, (Mark("biased", tuple(spans)),)))


def marked_fold(train=24):
    fold = toy_fold(train)
    return Fold([marked(e) for e in fold.train], [marked(e) for e in fold.dev], fold.test)


def test_a_row_of_attention_is_scaled_and_held_against_the_marks():
    import torch

    from slant.systems.attention import attention_loss

    # Real tokens 0.1 0.3 0.5, so 0 0.5 1; marks 0 1 1: errors 0 0.25 0, their mean 1/12.
    # The padded token's 0.9 counts neither for the scale nor for the mean.
    weights = torch.tensor([[0.1, 0.3, 0.5, 0.9], [0.2, 0.2, 0.2, 0.2], [0.0, 1.0, 0.0, 0.0]])
    real = torch.tensor([[1, 1, 1, 0], [1, 1, 1, 1], [1, 1, 0, 0]])
    marks = torch.tensor([[0.0, 1, 1, 0], [0, 1, 0, 0], [0, 1, 0, 0]])
    first = torch.tensor([True, False, False])
    assert float(attention_loss(weights, real, marks, first)) == pytest.approx(1 / 12)
    # Equal weights are all 0: one mark in four tokens is missed, 1/4. The third row is perfect.
    every = torch.tensor([True, True, True])
    assert float(attention_loss(weights, real, marks, every)) == pytest.approx((1 / 12 + 1 / 4) / 3)
    assert float(attention_loss(weights, real, marks, ~every)) == 0.0


def test_marks_stand_at_the_tokens_of_the_marked_words(tiny_folders):
    from slant.systems.attention import token_marks
    from slant.systems.batches import frame_of, windows_of
    from slant.systems.checkpoints import load_encoder

    encoder = load_encoder(str(tiny_folders()), 42)
    text = "the mob lied . the council met on monday ."
    spans = [Span(4, 7), Span(8, 12), Span(35, 41)]
    frame = frame_of(encoder.tokenizer)
    for width, expected in (
        (32, [[0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0]]),
        # Windows end with sentences: [CLS] the mob lied . [SEP], [CLS] the ... monday . [SEP]
        (8, [[0, 0, 1, 1, 0, 0], [0, 0, 0, 0, 0, 1, 0, 0]]),
    ):
        (windows,) = windows_of([text], encoder.tokenizer, frame, width, "window")
        marks = token_marks(text, windows, spans, encoder)
        assert [mask.astype(int).tolist() for mask in marks] == expected


def cls_attention(encoder, fold):
    """Mean attention from the first token to marked tokens of dev, against that to the others."""
    import torch

    from slant.systems.attention import token_marks
    from slant.systems.batches import frame_of, windows_of

    ratio = []
    frame = frame_of(encoder.tokenizer)
    for example in fold.dev:
        spans = [span for mark in example.gold.marks for span in mark.spans]
        if not spans:
            continue
        (text,) = windows_of([example.item.text], encoder.tokenizer, frame, 32, "window")
        (mask,) = token_marks(example.item.text, text, spans, encoder)
        ids = torch.from_numpy(text.windows[0].astype(np.int64))[None]
        with torch.no_grad():
            made = encoder.model(input_ids=ids, output_attentions=True).attentions[-1]
        row = made.mean(1)[0, 0].numpy()
        ratio.append(row[mask].mean() / row[~mask].mean())
    return float(np.mean(ratio))


@pytest.mark.parametrize("kind", ["bert", "electra", "distilbert"])
def test_supervised_attention_goes_where_the_experts_marked(kind, tiny_folders):
    from slant.systems.finetune import Settings
    from slant.systems.finetuned import trained_encoder

    fold = marked_fold()
    found = []
    for weight in (1e-9, 20.0):
        settings = Settings(6, 3e-3, 4, "float32", 0, 0.1, 0.01, False, attention_lambda=weight)
        encoder, _ = trained_encoder(str(tiny_folders(kind)), [fold], settings, 42, 32, "window")
        found.append(cls_attention(encoder, fold))
    assert found[1] > 1.2 * found[0]


def answers(folder, fold, **changed):
    spec = f"encoder:{folder}"
    return next(iter(make_system(spec, {**QUICK, **changed})[1]([fold], 42)))


def test_a_weight_of_nothing_trains_as_without_supervision(tiny_folders):
    fold = marked_fold()
    plain, supervised = answers(tiny_folders(), fold), answers(tiny_folders(), fold,
                                                               attention_lambda=1e-12)  # fmt: skip
    assert [p.probability for p in plain] == pytest.approx(
        [p.probability for p in supervised], abs=1e-4
    )
    changed = answers(tiny_folders(), fold, attention_lambda=5.0)
    zeros = answers(tiny_folders(), fold, attention_lambda=5.0, unmarked="zero")
    assert len({tuple(p.probability for p in one) for one in (plain, changed, zeros)}) == 3


def test_supervision_without_a_marked_word_is_refused(tiny_folders):
    with pytest.raises(DataError, match="none of 24 training texts has a marked word"):
        answers(tiny_folders(), toy_fold(), attention_lambda=0.5)


@pytest.mark.parametrize("kind", ["gpt2", "bart"])
def test_models_that_are_not_read_at_their_first_token_are_refused(kind, tiny_folders):
    with pytest.raises(OptionError, match=f"{kind} does not read a text out at its first token"):
        answers(tiny_folders(kind), marked_fold(), attention_lambda=0.5)


def with_annotators(example, biased, of):
    votes = {str(k): YES if k < biased else NO for k in range(of)}
    return replace(example, annotators=votes)


def test_annotators_shares_are_learnt_as_soft_targets(tiny_folders):
    fold = toy_fold()
    # Four of five say so: the best answer is 0.8, where the majority would be answered with 1.
    soft = [with_annotators(e, 4 if e.gold == YES else 1, 5) for e in fold.train]
    sure = Fold(soft, [], fold.test)
    found = {}
    for targets in ("majority", "shares"):
        got = answers(tiny_folders(), sure, targets=targets, epochs=30)
        found[targets] = np.mean([abs(p.probability - 0.5) for p in got])
    assert found["shares"] == pytest.approx(0.3, abs=0.08)
    assert found["majority"] > 0.45


def test_shares_without_annotators_are_refused(tiny_folders):
    with pytest.raises(
        DataError, match=r"no annotators' labels\. .*raw_labels_SG2\.xlsx.*targets=majority"
    ):
        answers(tiny_folders(), toy_fold(), targets="shares")
