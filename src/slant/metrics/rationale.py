"""Plausibility: how well scores of words agree with the words that people marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from slant.errors import DataError
from slant.metrics.ranking import auroc
from slant.types import Array, Floats, Undefined

IOU = 0.5
"""Overlap from which a run of chosen words counts as one of the marked runs, as in ERASER."""


def average_precision(gold: ArrayLike, scores: ArrayLike) -> float | Undefined:
    """The mean over marked words of the precision at their place in the order of the scores.

    Rule: sum over distinct scores, from the highest, of (recall gained there) * (precision there).
    Words of equal score enter together, as in scikit-learn's `average_precision_score`, so that
    the order of the words never matters; equal scores for all give the share of marked words.

    Args:
        gold: (words,) 0 or 1, 1 = marked.
        scores: (words,) any real number that grows with importance.

    Returns:
        In (0, 1]; 1 = every marked word above all others. Undefined where gold has one class.

    Source: DeYoung et al. 2020 (ERASER), section 4.1, AUPRC and average precision.

    >>> average_precision([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])  # (1/1 + 2/3) / 2
    0.8333333333333333
    """
    truth, values = _checked(gold, scores)
    if _one_class(truth):
        return _undefined("average precision", truth)
    levels, place = np.unique(-values, return_inverse=True)
    marked = np.bincount(place, weights=truth, minlength=levels.size)
    entered = np.cumsum(np.bincount(place, minlength=levels.size))
    precision = np.cumsum(marked) / entered
    return float((marked * precision).sum() / truth.sum())


def chosen_words(scores: ArrayLike, size: int) -> Array:
    """The `size` words of highest score; of equal ones, those further left.

    Args:
        scores: (words,).
        size: how many.

    Returns:
        (words,) 0 or 1.

    >>> chosen_words([0.2, 0.9, 0.2], 2).tolist()
    [1, 1, 0]
    """
    values = np.asarray(scores, np.float64)
    chosen = np.zeros(values.size, np.int64)
    chosen[np.argsort(-values, kind="stable")[:size]] = 1
    return chosen


def token_f1(gold: ArrayLike, scores: ArrayLike) -> float | Undefined:
    """F1 of as many words as the rationale has, those of highest score.

    Rule: at the rationale's own size, precision = recall = F1 = the share of marked words among
    the chosen. Where equal scores straddle the cut, the expected share over all orders of them.

    Args:
        gold: (words,) 0 or 1, 1 = marked.
        scores: (words,).

    Returns:
        In [0, 1]; 1 = the chosen words are the marked ones. Undefined where gold has one class.

    Source: DeYoung et al. 2020 (ERASER), section 4.1, token F1.

    >>> token_f1([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    0.5
    >>> token_f1([1, 0, 0, 0], [0.5, 0.5, 0.1, 0.1])  # one of two equal words is chosen
    0.5
    """
    truth, values = _checked(gold, scores)
    if _one_class(truth):
        return _undefined("token F1", truth)
    size = int(truth.sum())
    cut = np.sort(values)[-size]
    above, at = values > cut, values == cut
    share = (size - above.sum()) / at.sum()
    return float((truth[above].sum() + share * truth[at].sum()) / size)


def iou_f1(gold: ArrayLike, chosen: ArrayLike, threshold: float = IOU) -> float | Undefined:
    """F1 over runs of neighbouring words, a chosen run counting where it overlaps a marked one.

    Rule: a chosen run is a hit where its words in common with a marked run are at least
    `threshold` of the words in either; precision = hits / chosen runs, recall = hits / marked runs
    (from 1/2 on no two chosen runs can hit one marked run; below, recall is cut at 1).

    Args:
        gold: (words,) 0 or 1, 1 = marked.
        chosen: (words,) 0 or 1, e.g. of `chosen_words`.
        threshold: in (0, 1].

    Returns:
        In [0, 1]; 0 where nothing is chosen. Undefined where gold has one class.

    Source: DeYoung et al. 2020 (ERASER), section 4.1, IOU F1; threshold 0.5, reached or passed.

    >>> iou_f1([1, 1, 0, 1, 0], [0, 1, 0, 0, 1])  # one of two chosen runs covers half of a marked
    0.5
    """
    truth, picked = np.asarray(gold).astype(np.int64), np.asarray(chosen).astype(np.int64)
    if truth.shape != picked.shape:
        raise _unlike(truth, picked)
    if _one_class(truth):
        return _undefined("IOU F1", truth)
    hits, predicted, marked = _iou_counts(truth, picked, threshold)
    return _f1(hits, predicted, marked)


@dataclass(frozen=True, slots=True)
class Plausibility:
    """Scores of every sentence that has both classes of words.

    Fields:
        shown: (s,) indices of these sentences among all that were given.
        sentences: how many were given.
        by_sentence: name -> (s,) score of each; names "auroc", "average_precision", "token_f1",
            "iou_f1".
        pooled: the same scores, or why there is none, over the words of the shown sentences taken
            together as one text; the choice of words stays that of each sentence.
        words, marked: in the shown sentences.
    """

    shown: Array
    sentences: int
    by_sentence: dict[str, Floats]
    pooled: dict[str, float | Undefined]
    words: int
    marked: int

    def mean(self, name: str) -> float | Undefined:
        """Mean over the shown sentences."""
        values = self.by_sentence[name]
        return float(values.mean()) if values.size else Undefined("no sentence has both classes")

    def spread(self, name: str) -> float | Undefined:
        """Standard deviation over the shown sentences (n - 1), how much they differ: no error of
        the mean."""
        values = self.by_sentence[name]
        if values.size < 2:
            return Undefined("a spread needs two sentences with both classes")
        return float(values.std(ddof=1))


def plausibility(
    gold: Sequence[ArrayLike], scores: Sequence[ArrayLike], threshold: float = IOU
) -> Plausibility:
    """All plausibility scores of an attribution over many sentences.

    Args:
        gold: (n,) arrays (words,) of 0 or 1, 1 = marked.
        scores: (n,) arrays (words,) of the same lengths.
        threshold: of `iou_f1`.

    Returns:
        The scores by sentence, and pooled. Sentences with one class of words are in neither.

    Source: DeYoung et al. 2020 (ERASER), section 4.1; AUROC with mid-ranks.
    """
    pairs = [_checked(truth, value) for truth, value in zip(gold, scores, strict=True)]
    shown = [n for n, (truth, _) in enumerate(pairs) if not _one_class(truth)]
    both = [pairs[n] for n in shown]
    picked = [chosen_words(values, int(truth.sum())) for truth, values in both]
    runs = [
        _iou_counts(truth, chosen, threshold)
        for (truth, _), chosen in zip(both, picked, strict=True)
    ]
    by_sentence: dict[str, list[float | Undefined]] = {
        "auroc": [auroc(truth, values) for truth, values in both],
        "average_precision": [average_precision(truth, values) for truth, values in both],
        "token_f1": [token_f1(truth, values) for truth, values in both],
        "iou_f1": [_f1(*counts) for counts in runs],
    }
    return Plausibility(
        shown=np.array(shown, np.int64),
        sentences=len(pairs),
        by_sentence={name: np.array(values, np.float64) for name, values in by_sentence.items()},
        pooled=_pooled(both, by_sentence["token_f1"], runs),
        words=sum(len(truth) for truth, _ in both),
        marked=sum(int(truth.sum()) for truth, _ in both),
    )


def _pooled(
    both: Sequence[tuple[Array, Floats]],
    f1: Sequence[float | Undefined],
    runs: Sequence[tuple[int, int, int]],
) -> dict[str, float | Undefined]:
    names = ("auroc", "average_precision", "token_f1", "iou_f1")
    if not both:
        return dict.fromkeys(names, Undefined("no sentence has both classes"))
    truth = np.concatenate([one for one, _ in both])
    values = np.concatenate([one for _, one in both])
    sizes = np.array([one.sum() for one, _ in both], np.float64)
    hits, predicted, marked = np.sum(runs, axis=0).tolist()
    found = float((np.array(f1, np.float64) * sizes).sum() / sizes.sum())
    rank = auroc(truth, values), average_precision(truth, values)
    return dict(zip(names, (*rank, found, _f1(hits, predicted, marked)), strict=True))


def _iou_counts(truth: Array, chosen: Array, threshold: float) -> tuple[int, int, int]:
    """Chosen runs that hit, chosen runs, marked runs."""
    marked, picked = _runs(truth), _runs(chosen)
    hits = 0
    for start, end in picked:
        overlaps = (
            max(0, min(end, stop) - max(start, begin)) / (max(end, stop) - min(start, begin))
            for begin, stop in marked
            if begin < end and start < stop
        )
        hits += any(overlap >= threshold for overlap in overlaps)
    return hits, len(picked), len(marked)


def _runs(mask: Array) -> list[tuple[int, int]]:
    edges = np.diff(np.concatenate([[0], mask, [0]]))
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def _f1(hits: int, predicted: int, marked: int) -> float:
    if not hits:
        return 0.0
    precision, recall = hits / predicted, min(hits / marked, 1.0)
    return 2 * precision * recall / (precision + recall)


def _checked(gold: ArrayLike, scores: ArrayLike) -> tuple[Array, Floats]:
    truth, values = np.asarray(gold).astype(np.int64), np.asarray(scores, np.float64)
    if truth.shape != values.shape:
        raise _unlike(truth, values)
    if not np.isfinite(values).all():
        found = f"{int((~np.isfinite(values)).sum())} scores are not numbers"
        raise DataError("Scoring an explanation", found, "Give one number for each word")
    return truth, values


def _unlike(truth: Array, other: Array | Floats) -> DataError:
    found = f"there are {truth.size} words and {other.size} scores"
    return DataError("Scoring an explanation", found, "Give one score for each word")


def _one_class(truth: Array) -> bool:
    return not 0 < truth.sum() < truth.size


def _undefined(what: str, truth: Array) -> Undefined:
    return Undefined(
        f"{what} needs both classes of words, and {int(truth.sum())} of {truth.size} are marked"
    )
