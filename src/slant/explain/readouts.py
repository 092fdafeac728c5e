"""What is read off the state that a model sums a text up in: a probe, or the model's own head."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from slant.errors import DataError
from slant.explain.hooks import head_logits
from slant.explain.patching import Readout
from slant.types import Array, Floats


@dataclass(frozen=True, slots=True)
class Probe:
    """A logistic regression on states: the logit of "biased" is `states @ weight + bias`.

    Fields:
        weight: (d,), in the states' own units.
        bias: of the logit.
    """

    weight: Floats
    bias: float


def fitted_probe(states: Floats, labels: Array, strength: float = 1.0) -> Probe:
    """A logistic regression on standardised states, all of them.

    Args:
        states: (n, d) of clean training texts, from `patching.states_of`.
        labels: (n,) 0/1, 1 = biased.
        strength: C, the inverse of the penalty on the standardised weights.

    Returns:
        The probe, its weights taken back to the states' own units.

    Raises:
        DataError: the labels are of one class, or a state is no number.

    Source: Chen et al., section 3.5, equation 1. The paper trains on a sample and says nothing of
    scale; a probe on states that are not standardised depends on the penalty alone.
    """
    from sklearn.linear_model import LogisticRegression

    asked = f"Training a probe on {len(labels)} texts"
    if len(np.unique(labels)) < 2:
        raise DataError(asked, "their labels are of one class", "Give texts of both classes")
    if not np.isfinite(states).all():
        raise DataError(asked, "a state is no number", "Train the model again at a lower lr")
    mean, scale = states.mean(0), states.std(0)
    scale = np.where(scale > 0, scale, 1.0)
    model = LogisticRegression(C=strength, max_iter=5000)
    model.fit((states - mean) / scale, labels)
    weight = model.coef_[0] / scale
    return Probe(weight, float(model.intercept_[0] - weight @ mean))


def probe_readout(probe: Probe) -> Readout:
    """The readout by a probe."""
    import torch

    weight = torch.from_numpy(probe.weight)

    def read(states: Any) -> Any:
        return states @ weight.to(states.dtype) + probe.bias

    return read


def own_readout(model: Any) -> Readout:
    """The readout by the model's own (first) head: its logit of "biased" less that of the other."""

    def read(states: Any) -> Any:
        logits = head_logits(model, states)
        return logits[:, 1] - logits[:, 0]

    return read
