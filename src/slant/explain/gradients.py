"""Scores of tokens from gradients with respect to their vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from slant.errors import OptionError
from slant.explain.attributions import (
    Attribution,
    Choice,
    attribution,
    class_logits,
    filler_of,
    looked_up,
    single,
    special_places,
    target_of,
    vectors_given,
)
from slant.explain.hooks import still
from slant.systems.batches import Tokens, frame_of
from slant.systems.checkpoints import Encoder
from slant.systems.encoder import one_thread


def integrated_gradients(
    encoder: Encoder,
    windows: Sequence[Tokens],
    seed: int = 0,
    target: str = "predicted",
    baseline: str = "pad",
    steps: int = 50,
) -> list[Attribution]:
    """Gradients along the straight line from a text without its words to the text.

    The line runs between the vectors that the embedding looks up; special tokens stand still on
    it, and their scores are 0. Gauss and Legendre's rule places the steps.

    Args:
        encoder: a sequence classifier.
        windows: (n,) windows of tokens.
        seed: unused; all methods take one.
        target: which logit, one of `attributions.TARGETS`.
        baseline: what stands for each word at the start: "zero" for a vector of zeros, one of
            `attributions.FILLERS`, or "auto".
        steps: on the line.

    Returns:
        (n,) attributions; the scores of a text sum to the target's logit less that at the start,
        up to the error of the steps.

    Raises:
        UnknownName: of `target` or `baseline`. OptionError: no step, or the tokenizer has no such
            token.

    Source: Sundararajan, Taly and Yan, Axiomatic Attribution for Deep Networks (2017).
    """
    import torch

    if steps < 1:
        raise OptionError(f"Integrating gradients in steps={steps}", "there is no step", "Give 50")
    name, filler = (
        (baseline, None) if baseline == "zero" else filler_of(encoder.tokenizer, baseline)
    )
    nodes, shares = np.polynomial.legendre.leggauss(steps)
    model, made = encoder.model, []
    with one_thread(), still(model):
        for tokens in windows:
            ids, mask = single(tokens)
            end = looked_up(model, ids).detach()
            words = torch.from_numpy(~special_places(frame_of(encoder.tokenizer), len(tokens)))
            none = torch.zeros_like(end) if filler is None else _filled(model, ids, filler)
            start = torch.where(words[:, None], none, end)
            wanted = target_of(class_logits(model, ids, mask), target)
            slope = torch.zeros_like(end[0])
            size = max(1, 1024 // len(tokens))
            for first in range(0, steps, size):
                part = slice(first, first + size)
                at = torch.from_numpy((nodes[part] + 1) / 2).to(end.dtype)[:, None, None]
                share = torch.from_numpy(shares[part] / 2).to(end.dtype)[:, None, None]
                slope += (
                    share * _slopes(model, ids, mask, start + at * (end - start), wanted)
                ).sum(0)
            scores = ((end - start)[0] * slope).sum(-1).double().numpy()
            choices: dict[str, Choice] = {"target": target, "baseline": name, "steps": steps}
            made.append(attribution(encoder, tokens, scores, "integrated-gradients", choices))
    return made


def _filled(model: Any, ids: Any, filler: int) -> Any:
    import torch

    return looked_up(model, torch.full_like(ids, filler)).detach()


def _slopes(model: Any, ids: Any, mask: Any, vectors: Any, wanted: Any) -> Any:
    """The gradients (n, t, d) of the target at versions of a text's vectors."""
    import torch

    at = vectors.detach().requires_grad_()
    n = len(at)
    with vectors_given(model, at):
        logits = class_logits(model, ids.expand(n, -1), mask.expand(n, -1))
    (slopes,) = torch.autograd.grad(wanted(logits).sum(), at)
    return slopes


def input_gradient(
    encoder: Encoder, windows: Sequence[Tokens], seed: int = 0, target: str = "predicted"
) -> list[Attribution]:
    """Each token's vector times the gradient with respect to it, summed over its dimensions.

    Args:
        encoder: a sequence classifier.
        windows: (n,) windows of tokens.
        seed: unused; all methods take one.
        target: which logit, one of `attributions.TARGETS`.

    Returns:
        (n,) attributions; the logit's change to first order if a token's vector became zeros, with
        the opposite sign.

    Raises:
        UnknownName: of `target`.
    """
    model, made = encoder.model, []
    with one_thread(), still(model):
        for tokens in windows:
            ids, mask = single(tokens)
            vectors = looked_up(model, ids).detach()
            wanted = target_of(class_logits(model, ids, mask), target)
            slopes = _slopes(model, ids, mask, vectors, wanted)
            scores = (vectors * slopes)[0].sum(-1).double().numpy()
            made.append(attribution(encoder, tokens, scores, "input-gradient", {"target": target}))
    return made
