"""Scores of tokens from what a model says of a text without some of them: occlusion, SHAP, LIME.

Special tokens are never taken out; their scores are 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

from slant.errors import MissingExtra
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
from slant.types import Floats

KERNEL_WIDTH = 0.25
AT_ONCE = 16

Kept = Callable[[Any], Any]
"""(n, words), 1 for a token that is kept and 0 for one taken out -> (n,) values of the target."""


def _by_words(
    encoder: Encoder,
    windows: Sequence[Tokens],
    target: str,
    filler: str,
    of: Callable[[Kept, int, int], Floats],
    method: str,
    **choices: Choice,
) -> list[Attribution]:
    """Attributions by a method that only asks what the model says without some tokens.

    `of` takes the function to ask, the number of tokens that are not special, and the text's place.
    """
    import torch

    name, number = filler_of(encoder.tokenizer, filler)
    model, made = encoder.model, []
    frame = frame_of(encoder.tokenizer)
    with one_thread(), still(model), torch.no_grad():
        for place, tokens in enumerate(windows):
            ids, mask = single(tokens)
            words = torch.from_numpy(np.flatnonzero(~special_places(frame, len(tokens))))
            wanted = target_of(class_logits(model, ids, mask), target)

            def said(kept: Any, ids: Any = ids, words: Any = words, wanted: Any = wanted) -> Any:
                rows = ids.repeat(len(kept), 1)
                mixed = rows.clone()
                mixed[:, words] = torch.where(kept > 0.5, rows[:, words], number)
                # Only the vectors change: a padding token among the ids would move positions.
                with vectors_given(model, looked_up(model, mixed)):
                    return wanted(class_logits(model, rows, torch.ones_like(rows))).double()

            scores = np.zeros(len(tokens))
            if len(words):
                scores[words.numpy()] = of(said, len(words), place)
            own: dict[str, Choice] = {"target": target, "filler": name, **choices}
            made.append(attribution(encoder, tokens, scores, method, own))
    return made


def occluded(said: Kept, words: int) -> Floats:
    """What is lost with each token taken out alone, (words,).

    Args:
        said: the function to ask.
        words: how many tokens.
    """
    import torch

    with_all = said(torch.ones(1, words))
    without = 1 - torch.eye(words)
    found = torch.cat([said(part) for part in torch.split(without, AT_ONCE)])
    scores: Floats = (with_all - found).numpy()
    return scores


def occlusion(
    encoder: Encoder,
    windows: Sequence[Tokens],
    seed: int = 0,
    target: str = "predicted",
    filler: str = "auto",
) -> list[Attribution]:
    """The target's logit less that with the token taken out, one token after the other.

    Args:
        encoder: a sequence classifier.
        windows: (n,) windows of tokens.
        seed: unused; all methods take one.
        target: which logit, one of `attributions.TARGETS`.
        filler: what stands for it, one of `attributions.FILLERS`, or "auto".

    Returns:
        (n,) attributions; scores above 0 for tokens that raise the target.

    Raises:
        UnknownName: of `target` or `filler`. OptionError: the tokenizer has no such token.
    """

    def of(said: Kept, words: int, place: int) -> Floats:
        return occluded(said, words)

    return _by_words(encoder, windows, target, filler, of, "occlusion")


def _fitted(kind: str, said: Kept, words: int, samples: int, seed: int) -> Floats:
    """The coefficients (words,) of one of captum's surrogate models."""
    import torch

    if words < 2:  # nothing to choose from: the one token has all of the difference
        return occluded(said, words)
    if not find_spec("captum"):
        do = 'Run pip install "slant[explain]"'
        raise MissingExtra(f"Computing {kind}", "the package captum is not installed", do)
    from captum.attr import KernelShap, Lime
    from captum.attr._core.lime import get_exp_kernel_similarity_function

    if kind == "shap":
        method: Any = KernelShap(said)
    else:
        from captum._utils.models.linear_model import SkLearnRidge

        near = get_exp_kernel_similarity_function("cosine", KERNEL_WIDTH)
        method = Lime(said, SkLearnRidge(alpha=1.0), near)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        found = method.attribute(
            torch.ones(1, words),
            baselines=torch.zeros(1, words),
            n_samples=samples,
            perturbations_per_eval=AT_ONCE,
        )
    scores: Floats = found[0].double().numpy()
    return scores


def shap_scores(said: Kept, words: int, samples: int, seed: int) -> Floats:
    """Shapley values of tokens by a weighted regression on drawn subsets, (words,).

    Args:
        said: the function to ask.
        words: how many tokens.
        samples: subsets drawn.
        seed: of the draws.

    Raises:
        MissingExtra: captum is not installed.
    """
    return _fitted("shap", said, words, samples, seed)


def lime_scores(said: Kept, words: int, samples: int, seed: int) -> Floats:
    """Weights of tokens in a ridge regression on drawn subsets, near ones weighted more, (words,).

    The kernel on the cosine distance d is exp(-d**2 / (2 * 0.25**2)) and the penalty 1, as in
    LIME's own package for texts.

    Args:
        said: the function to ask.
        words: how many tokens.
        samples: subsets drawn.
        seed: of the draws.

    Raises:
        MissingExtra: captum is not installed.
    """
    return _fitted("lime", said, words, samples, seed)


def _own_seed(seed: int, place: int) -> int:
    return int(np.random.SeedSequence([seed, place]).generate_state(1)[0])


def shap(
    encoder: Encoder,
    windows: Sequence[Tokens],
    seed: int = 0,
    target: str = "predicted",
    filler: str = "auto",
    samples: int = 256,
) -> list[Attribution]:
    """Kernel SHAP by captum; see `shap_scores`.

    Args:
        encoder: a sequence classifier.
        windows: (n,) windows of tokens.
        seed: of the draws; each text has its own by its place.
        target: which logit, one of `attributions.TARGETS`.
        filler: what stands for a token taken out, one of `attributions.FILLERS`, or "auto".
        samples: subsets drawn for each text.

    Returns:
        (n,) attributions; the scores of a text sum to the target's logit less that without words.

    Raises:
        UnknownName: of `target` or `filler`. OptionError: the tokenizer has no such token.
            MissingExtra: captum is not installed.

    Source: Lundberg and Lee, A Unified Approach to Interpreting Model Predictions (2017).
    """

    def of(said: Kept, words: int, place: int) -> Floats:
        return shap_scores(said, words, samples, _own_seed(seed, place))

    return _by_words(encoder, windows, target, filler, of, "shap", samples=samples, seed=seed)


def lime(
    encoder: Encoder,
    windows: Sequence[Tokens],
    seed: int = 0,
    target: str = "predicted",
    filler: str = "auto",
    samples: int = 256,
) -> list[Attribution]:
    """LIME by captum; see `lime_scores`. Arguments, results and errors are as for `shap`.

    Source: Ribeiro, Singh and Guestrin, "Why Should I Trust You?" (2016).
    """

    def of(said: Kept, words: int, place: int) -> Floats:
        return lime_scores(said, words, samples, _own_seed(seed, place))

    return _by_words(encoder, windows, target, filler, of, "lime", samples=samples, seed=seed)
