"""Probabilities and gold of the development part -> a temperature and a threshold."""

from __future__ import annotations

from math import log

import numpy as np

from slant.metrics.scores import class_f1
from slant.types import Array, Floats

COLDEST, HOTTEST = 0.05, 20.0
_NEARLY = 1e-7  # float32 says 0 and 1 where it means nearly


def log_odds(probability: Floats) -> Floats:
    """ln(p / (1 - p)), p kept 1e-7 away from 0 and 1.

    >>> log_odds(np.array([0.5])).tolist()
    [0.0]
    """
    p = np.clip(probability, _NEARLY, 1 - _NEARLY)
    return np.log(p) - np.log1p(-p)


def calibrated(probability: Floats, temperature: float) -> Floats:
    """Probabilities whose log odds are divided by a temperature.

    Args:
        probability: (n,) of biased, in [0, 1].
        temperature: above 0; 1 changes nothing, more draws all towards 0.5.

    Returns:
        (n,) in (0, 1), in the same order and on the same side of 0.5.
    Source: Guo et al. 2017, section 4.2, for two classes.

    >>> calibrated(np.array([0.9]), 2.0).round(2).tolist()  # log odds ln 9 -> ln 3, p = 3 / 4
    [0.75]
    """
    p: Floats = 1 / (1 + np.exp(-log_odds(probability) / temperature))
    return p


def fitted_temperature(probability: Floats, gold: Array) -> float:
    """The temperature with the least mean log loss.

    Args:
        probability: (n,) of biased.
        gold: (n,) 0 or 1.

    Returns:
        From 0.05 to 20; 1 where there is no text.

    >>> p = np.array([0.9] * 4)  # sure of 9 to 1 and right in 3 of 4: ln 9 / T = ln 3
    >>> round(fitted_temperature(p, np.array([1, 1, 1, 0])), 3)
    2.0
    """
    from scipy.optimize import minimize_scalar

    if not gold.size:
        return 1.0
    signed = np.where(gold == 1, 1.0, -1.0) * log_odds(probability)

    def loss(scale: float) -> float:
        return float(np.logaddexp(0.0, -signed / np.exp(scale)).mean())

    found = minimize_scalar(
        loss, bounds=(log(COLDEST), log(HOTTEST)), method="bounded", options={"xatol": 1e-6}
    )
    return float(np.exp(found.x))


def chosen_threshold(probability: Floats, gold: Array) -> float:
    """The threshold with the highest class F1: biased from it on.

    Candidates are 0.5 and the middles between neighbouring probabilities; of equals the one
    nearest to 0.5 is taken, so that a few texts do not move it for nothing.

    Args:
        probability: (n,) of biased.
        gold: (n,) 0 or 1.

    Returns:
        In (0, 1); 0.5 where there is no text.

    >>> chosen_threshold(np.array([0.1, 0.2, 0.4]), np.array([0, 1, 1]))  # (0.1 + 0.2) / 2
    0.15000000000000002
    """
    values = np.unique(probability)
    candidates = np.append((values[1:] + values[:-1]) / 2, 0.5)
    order = np.argsort(probability, kind="stable")
    place = np.searchsorted(probability[order], candidates, side="left")
    below = np.concatenate([[0], np.cumsum(gold[order])])[place]
    biased = int(gold.sum())
    tp, fn = biased - below, below
    fp, tn = gold.size - place - tp, place - below
    f1 = class_f1(np.stack([tp, fp, fn, tn], axis=-1), undefined=0.0)
    best = np.flatnonzero(f1 == f1.max())
    distance = np.abs(candidates[best] - 0.5)
    return float(candidates[best[int(distance.argmin())]])
