"""Bias as uneven sentiment: a classifier trained on two word sets, and what it says of others."""

from __future__ import annotations

import numpy as np

from slant.embeddings.directions import Score, without_words
from slant.types import Floats, Undefined


def negative_probabilities(
    w: Floats, positive: Floats, negative: Floats, *, strength: float = 1.0
) -> Floats | Undefined:
    """What a sentiment classifier trained on two word sets says of each word of w.

    Logistic regression with L2 regularisation, the intercept being the weight of one more
    dimension that is always 1 (hence regularised too): it minimises |v|^2 / 2 + strength x the
    sum over the training words of log(1 + exp(-s v.w)), s being 1 for positive words, -1 else.
    That has one solution, found by Newton's method to a gradient of 1e-10; nothing is drawn.

    Args:
        w: (n, d) words.
        positive, negative: (p, d), (q, d) all of which are trained on.
        strength: scikit-learn's C.

    Returns:
        (n,) the probability of "negative", in (0, 1). Undefined where a set is empty.
    Source: Sweeney and Najafian 2019, section 3.
    """
    from sklearn.linear_model import LogisticRegression

    lacking = without_words(w=w, positive=positive, negative=negative)
    if lacking:
        return lacking
    classifier = LogisticRegression(
        C=strength, solver="newton-cholesky", fit_intercept=False, tol=1e-10, max_iter=1000
    )
    labels = np.repeat([0, 1], [len(positive), len(negative)])
    classifier.fit(_with_one(np.concatenate([positive, negative])), labels)
    shares: Floats = classifier.predict_proba(_with_one(w))[:, 1]
    return shares


def rnsb(w: Floats, positive: Floats, negative: Floats, *, strength: float = 1.0) -> Score:
    """How unevenly negative sentiment falls on the words of w (RNSB).

    Kullback-Leibler divergence from the uniform distribution, in nats, of the words'
    `negative_probabilities` divided by their sum. (WEFE by default trains on a random 80 % of the
    attribute words, so that its value changes from call to call; here on all.)

    Args:
        w: (n, d) identity terms, which all should be alike.
        positive, negative: (p, d), (q, d) sentiment words.
        strength: of the classifier: scikit-learn's C.

    Returns:
        From 0 (all alike) to log n. Undefined where a set is empty or w has one word only.
    Source: Sweeney and Najafian 2019, section 3.

    >>> w = np.array([[1.0, 0.0], [1.0, 0.0]])
    >>> rnsb(w, np.array([[1.0, 1.0]]), np.array([[0.0, 1.0]]))
    0.0
    """
    shares = negative_probabilities(w, positive, negative, strength=strength)
    if isinstance(shares, Undefined):
        return shares
    if len(shares) < 2:
        return Undefined("one word has no other to be compared with")
    shares = shares / shares.sum()
    return max(0.0, float((shares * np.log(shares * len(shares))).sum()))


def _with_one(rows: Floats) -> Floats:
    return np.hstack([rows, np.ones((len(rows), 1))])
