"""Circuits of attention heads: which heads carry what a model says, and whether they suffice.

Discovery runs the corrupted text and puts one head back to what it was; verification isolates or
eliminates the first k heads of a ranking on other texts. All results are arrays over texts, so that
the caller can resample them.

Source: Chen et al., section 3.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from slant.errors import OptionError, unknown_name
from slant.explain.hooks import (
    Bools,
    Site,
    blocks_of,
    check_aligned,
    sites_of,
)
from slant.explain.patching import BUDGET, Readout, patched_logits, readout_logits
from slant.systems.batches import Tokens
from slant.types import Array, Floats

Scale = Literal["logit", "probability"]
Ranking = Literal["signed", "absolute"]


def scaled(logits: Floats, scale: Scale) -> Floats:
    """Logits as they are, or as probabilities 1 / (1 + exp(-logit)).

    Probabilities saturate: where a model is sure, no head seems to matter.

    Raises:
        UnknownName: there is no such scale.

    >>> scaled(np.array([0.0]), "probability").tolist()
    [0.5]
    """
    if scale == "logit":
        return logits
    if scale != "probability":
        raise unknown_name("scale", scale, ("logit", "probability"))
    from scipy.special import expit

    found: Floats = expit(logits)
    return found


@dataclass(frozen=True, slots=True)
class HeadRuns:
    """What a readout says when single heads are put back.

    Fields:
        sites: (h) all heads of the model.
        clean, corrupt: (n,) logits of the texts and of their corrupted versions.
        patched: (h, n) logits of the corrupted texts, one head's outputs those of the clean.
    """

    sites: tuple[Site, ...]
    clean: Floats
    corrupt: Floats
    patched: Floats

    def effects(self, scale: Scale = "logit") -> Floats:
        """The effect of each head on each text, (h, n): patched less corrupt."""
        return scaled(self.patched, scale) - scaled(self.corrupt, scale)


@dataclass(frozen=True, slots=True)
class SetRuns:
    """What a readout says when sets of heads are isolated or eliminated.

    Fields:
        chosen: (m, h) the sets of heads.
        clean, corrupt: (n,) logits of the texts and of their corrupted versions.
        isolated: (m, n) logits of the corrupted texts, the sets' heads put back.
        eliminated: (m, n) logits of the clean texts, the sets' heads as in the corrupted.
    """

    chosen: Bools
    clean: Floats
    corrupt: Floats
    isolated: Floats
    eliminated: Floats


def head_runs(
    model: Any,
    clean: Sequence[Tokens],
    corrupt: Sequence[Tokens],
    readout: Readout,
    budget: int = BUDGET,
) -> HeadRuns:
    """Discovery: every head of a model patched alone, on texts of development data.

    Args:
        model: a sequence classifier.
        clean: (n,) windows of tokens.
        corrupt: (n,) the same, corrupted; equal lengths.
        readout: from `readouts`.
        budget: tokens of a batch.

    Returns:
        The runs. A text that its corruption leaves as it is has the same logit in all of them.

    Raises:
        OptionError: the architecture is not supported. DataError: the lengths differ.
    """
    check_aligned(clean, corrupt)
    sites = sites_of(blocks_of(model))
    before, after = (readout_logits(model, texts, readout, budget) for texts in (clean, corrupt))
    patched = np.tile(after, (len(sites), 1))
    other = _different(clean, corrupt)
    alone = np.eye(len(sites), dtype=bool)
    patched[:, other] = patched_logits(
        model, [corrupt[i] for i in other], [clean[i] for i in other], alone, readout, budget
    )
    return HeadRuns(sites, before, after, patched)


def set_runs(
    model: Any,
    clean: Sequence[Tokens],
    corrupt: Sequence[Tokens],
    chosen: Bools,
    readout: Readout,
    budget: int = BUDGET,
) -> SetRuns:
    """Verification: sets of heads isolated and eliminated, on texts of test data.

    Args:
        model: a sequence classifier.
        clean: (n,) windows of tokens.
        corrupt: (n,) the same, corrupted; equal lengths.
        chosen: (m, h) sets of heads, from `first_heads` or `random_heads`.
        readout: from `readouts`.
        budget: tokens of a batch.

    Returns:
        The runs.

    Raises:
        OptionError: the architecture is not supported. DataError: the lengths differ.
    """
    check_aligned(clean, corrupt)
    before, after = (readout_logits(model, texts, readout, budget) for texts in (clean, corrupt))
    isolated, eliminated = (np.tile(some, (len(chosen), 1)) for some in (after, before))
    other = _different(clean, corrupt)
    one, two = ([texts[i] for i in other] for texts in (clean, corrupt))
    isolated[:, other] = patched_logits(model, two, one, chosen, readout, budget)
    eliminated[:, other] = patched_logits(model, one, two, chosen, readout, budget)
    return SetRuns(chosen, before, after, isolated, eliminated)


def _different(clean: Sequence[Tokens], corrupt: Sequence[Tokens]) -> list[int]:
    pairs = zip(clean, corrupt, strict=True)
    return [place for place, (a, b) in enumerate(pairs) if not np.array_equal(a, b)]


def ranked_heads(effects: Floats, ranking: Ranking) -> Array:
    """The numbers of heads from the largest mean effect to the smallest.

    Args:
        effects: (h, n) effect of each head on each text.
        ranking: "signed", heads that restore what the clean text said first; or "absolute", the
            paper's, which puts heads that work against it among them.

    Returns:
        (h,) numbers of heads; equal ones in the order of the model.

    Raises:
        UnknownName: there is no such ranking.

    >>> effects = np.array([[0.1, 0.3], [-0.5, -0.5], [0.0, 0.2]])
    >>> ranked_heads(effects, "signed").tolist(), ranked_heads(effects, "absolute").tolist()
    ([0, 2, 1], [1, 0, 2])
    """
    if ranking not in ("signed", "absolute"):
        raise unknown_name("ranking", ranking, ("signed", "absolute"))
    means = effects.mean(1)
    key = np.abs(means) if ranking == "absolute" else means
    return np.argsort(-key, kind="stable").astype(np.int64)


def first_heads(order: Array, ks: Sequence[int]) -> Bools:
    """The first k heads of a ranking, for each k.

    Args:
        order: (h,) numbers of heads, from `ranked_heads`.
        ks: numbers of heads, from 0 to h.

    Returns:
        (len(ks), h) sets of heads.

    Raises:
        OptionError: there are not as many heads.

    >>> first_heads(np.array([2, 0, 1]), [0, 2]).tolist()
    [[False, False, False], [True, False, True]]
    """
    heads = len(order)
    wrong = [k for k in ks if not 0 <= k <= heads]
    if wrong:
        found = f"the model has {heads} heads"
        raise OptionError(f"Taking a circuit of k={wrong[0]}", found, f"Give k from 0 to {heads}")
    chosen = np.zeros((len(ks), heads), dtype=bool)
    for row, k in enumerate(ks):
        chosen[row, order[:k]] = True
    return chosen


def random_heads(heads: int, ks: Sequence[int], draws: int, seed: int) -> Bools:
    """Sets of random heads of the same sizes, the band that a circuit is held against.

    Args:
        heads: of the model.
        ks: numbers of heads, from 0 to `heads`.
        draws: random rankings; each gives a set for each k, smaller ones within larger ones.
        seed: of the draws.

    Returns:
        (draws, len(ks), heads) sets of heads.

    Raises:
        OptionError: there are not as many heads.
    """
    stream = np.random.default_rng(seed)
    sets = [first_heads(stream.permutation(heads), ks) for _ in range(draws)]
    return np.stack(sets) if sets else np.empty((0, len(ks), heads), dtype=bool)
