"""Detectors whose answers a test knows."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from slant.analysis.analyses import DetectorFacts, KindFacts
from slant.analysis.linear import KindWeights, LinearDetector, Weights
from slant.types import Undefined


def made_facts(name="made", threshold=0.5):
    return DetectorFacts(name, "a task", "says", Undefined("not measured"), "", threshold, "")


def made_linear(name="made", refits=()):
    """vile 3, nice -3, plan 0, all of idf 1; further rows of coefficients are refits."""
    coefficients = np.array([[-3.0, 0.0, 3.0], *refits])
    weights = Weights(("nice", "plan", "vile"), np.ones(3), coefficients, np.zeros(len(coefficients)), 1.0)  # fmt: skip
    return LinearDetector(made_facts(name), weights)


def made_kinds():
    """The same; knows at least two words for a verdict and one kind, whose log odds are 1 + 2 vile,
    and one at which it is not good enough."""
    facts = [
        KindFacts(name, "", (), 9, 99, Undefined(""), Undefined(""), 0.1, 0.6, "", good)
        for name, good in (("racial-bias", True), ("age", False))
    ]
    one = made_linear()
    kinds = KindWeights(np.array([[0.0, 0.0, 2.0]]), np.ones(1), np.ones(1))
    return replace(one, facts=replace(one.facts, least_words=2, kinds=tuple(facts)), kinds=kinds)


class Told:
    """Says the probability that a sentence ends with: "A plan 0.9"."""

    weighs_from = 0.0

    def __init__(self, name="told", threshold=0.5):
        self.facts = made_facts(name, threshold)

    def probabilities(self, texts):
        values = [float(text.rstrip(".").split()[-1]) for text in texts]
        return np.array([[value, math.nan, math.nan] for value in values]).reshape(-1, 3)

    def contributions(self, texts):
        return None
