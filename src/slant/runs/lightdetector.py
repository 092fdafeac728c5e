"""The detector that is there without training: linear, taught on the embedded sentences."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

import slant
from slant.analysis.analyses import DetectorFacts
from slant.analysis.analysisjson import estimate_json
from slant.analysis.detectors import LEVEL
from slant.analysis.linear import LinearDetector, Weights
from slant.data.samples import load_sentences
from slant.data.writing import intact, sealed
from slant.metrics.calibration import brier, expected_calibration_error
from slant.metrics.scores import class_f1, micro
from slant.metrics.tallies import binary_tally, cluster_counts
from slant.runs.calibration import calibrated, fitted_temperature
from slant.runs.lightwords import words_auroc
from slant.runs.modelcards import NOT_FOR
from slant.stats.intervals import bootstrap
from slant.stats.resampling import generator
from slant.systems.encoder import cache_folder
from slant.systems.linear import fitted_regression, fitted_terms
from slant.types import Array, Estimate, Floats, Span, Undefined

NAME: Final = "open-light"
C: Final = 10.0
FOLDS: Final = 13
REFITS: Final = 100
RESAMPLES: Final = 2_000
SEED: Final = 42
BINS: Final = 10
VERSION: Final = 2
"""Of the recipe: another number trains anew."""
_UNSAID: Final = DetectorFacts(NAME, "", "", Undefined("not asked for"), "", 0.5, "")


def light_detector() -> LinearDetector:
    """The light detector, from the cache or trained now, which takes a few seconds.

    Logistic regression (C 10) over TF-IDF of single words on `open/sentences`: 208 invented
    sentences on 26 events. 13-fold cross-validation by event gives each sentence a probability of
    a model that saw no sentence of its event; they set the temperature and the F1. The interval
    of a probability comes from 100 refits on events drawn with replacement.

    Raises:
        WorkFailed: the cache folder cannot be written.
    """
    path = cache_folder() / "analysis" / f"{NAME}-{VERSION}-{_data_key()[:12]}.npz"
    content = intact(path)
    if content is None:
        weights, facts = trained_light()
        sealed(path, partial(_write, weights, facts))
        return LinearDetector(facts, weights)
    return _read(content)


def trained_light() -> tuple[Weights, DetectorFacts]:
    """Train, cross-validate and calibrate; the same numbers every time."""
    from threadpoolctl import threadpool_limits

    frame = load_sentences()
    texts = frame["text"].to_list()
    gold = np.array(frame["label"].to_list(), np.int64)
    names = sorted(set(frame["article"].to_list()))
    event = np.array([names.index(one) for one in frame["article"].to_list()], np.int64)
    with threadpool_limits(limits=1):
        fold = (generator(SEED, [NAME, "folds"]).permutation(len(names)) % FOLDS)[event]
        held_out = [_fold_weights(texts, gold, fold != number) for number in range(FOLDS)]
        terms, x = fitted_terms(NAME, texts, 1, 1)
        models = [_fitted(x, gold)]
        stream = generator(SEED, [NAME, "refits"])
        for _ in range(REFITS):
            drawn = stream.integers(len(names), size=len(names))
            rows = np.concatenate([np.flatnonzero(event == one) for one in drawn.tolist()])
            models.append(_fitted(x[rows], gold[rows]))
    asked = [LinearDetector(_UNSAID, held_out[number]) for number in fold.tolist()]
    raw = np.array(
        [one.probabilities([text])[0, 0] for one, text in zip(asked, texts, strict=True)]
    )
    temperature = fitted_temperature(raw, gold)
    weights = _weights(terms, models, temperature)
    spans = [[Span(*span) for span in row] for row in frame["rationale"].to_list()]
    words = words_auroc(texts, spans, asked, event)
    return weights, _facts(raw, gold, event, fold, temperature, words)


def _weights(terms: Any, models: Sequence[Any], temperature: float) -> Weights:
    return Weights(
        terms=tuple(terms.get_feature_names_out().tolist()),
        idf=np.asarray(terms.idf_, np.float64),
        coefficients=np.array([model.coef_[0] for model in models]),
        intercepts=np.array([model.intercept_[0] for model in models]),
        temperature=temperature,
    )


def _fold_weights(texts: Sequence[str], gold: Array, kept: NDArray[np.bool_]) -> Weights:
    """Those of a model that learnt from the kept texts alone, not calibrated."""
    train = [text for text, keep in zip(texts, kept.tolist(), strict=True) if keep]
    terms, x = fitted_terms(NAME, train, 1, 1)
    return _weights(terms, [_fitted(x, gold[kept])], 1.0)


def _fitted(x: Any, gold: Array) -> Any:
    return fitted_regression(NAME, x, gold, c=C, balanced=False, seed=SEED)


def _facts(
    raw: Floats, gold: Array, event: Array, fold: Array, temperature: float,
    auroc: Estimate | Undefined,
) -> DetectorFacts:  # fmt: skip
    f1 = _class_f1((raw >= 0.5).astype(np.int64), gold, event)
    p = np.empty(len(raw))
    for number in range(FOLDS):
        held = fold == number
        p[held] = calibrated(raw[held], fitted_temperature(raw[~held], gold[~held]))
    ece, score = expected_calibration_error(gold, p, BINS), brier(gold, p)
    events = len(np.unique(event))
    measured = (
        f"{FOLDS}-fold cross-validation by event over the {len(raw)} invented sentences of "
        f"open/sentences on {events} events; interval by bootstrap over events. On real news it "
        "was not measured here and is likely to be worse"
    )
    calibration = (
        f"temperature {temperature:.3f}, from the probabilities of cross-validation; with "
        f"temperatures of the other folds the expected calibration error ({BINS} bins) is "
        f"{ece:.3f} and Brier's score {score:.3f}, where always one half has 0.25"
    )
    says = "the sentence takes a side in the outlet's own words, as the rule of open/sentences says"
    words = "exact contributions: weight of the word times its coefficient, in log odds"
    assert isinstance(auroc, Estimate), auroc
    words_measured = (
        "the contributions of all known words and a constant add up to the log odds; against the "
        f"words that people marked in the {auroc.n} biased sentences of open/sentences, by models "
        f"that saw no sentence of the event, AUROC {auroc.value:.3f} [{auroc.low:.3f}, "
        f"{auroc.high:.3f}], where chance has 0.5"
    )
    facts = DetectorFacts(
        name=f"{NAME}#{_data_key()[:8]}", task="open/sentences", says=says, f1=f1,
        measured=measured, threshold=0.5, calibration=calibration, words=words,
        words_measured=words_measured, signature=_signature(),
    )  # fmt: skip
    return replace(facts, card_text=light_card(facts))


def _class_f1(said: Array, gold: Array, event: Array) -> Estimate | Undefined:
    tally = binary_tally(
        gold, said, [str(at) for at in range(len(gold))], groups=np.zeros(len(gold), np.int64),
        clusters=event, group_names=("open",),
    )  # fmt: skip
    distinct, number, _ = cluster_counts(tally)
    return bootstrap(
        [(distinct, number)], partial(micro, of=partial(class_f1, undefined=0.0)), combine="pool",
        level=LEVEL, resamples=RESAMPLES, seed=SEED, names=[NAME, "f1"], method="percentile",
    )  # fmt: skip


def light_card(facts: DetectorFacts) -> str:
    """The card of the light detector in Markdown."""
    assert isinstance(facts.f1, Estimate)
    return "\n\n".join(
        [
            f"# {facts.name}: the light detector",
            f"It gives a sentence the probability that {facts.says}.",
            f"Class F1 {facts.f1.value:.3f}, {LEVEL:.0%} interval {facts.f1.low:.3f} to "
            f"{facts.f1.high:.3f}: {facts.measured}.",
            f"Calibration: {facts.calibration}.",
            f"Words: {facts.words}; {facts.words_measured}.",
            "Logistic regression over TF-IDF of single words; it knows the words of 208 sentences "
            "and no others, no order of words and no context. The interval of a probability holds "
            f"the middle {LEVEL:.0%} of {REFITS} refits on events drawn with replacement.",
            "## What it must not be used for",
            "\n".join(f"- {line}" for line in NOT_FOR),
            f"Signature: `{facts.signature}`",
        ]
    )


def _signature() -> str:
    return (
        f"{NAME}|recipe:{VERSION}|data:{_data_key()[:8]}|C:{C:g}|ngram:1|min_df:1|folds:{FOLDS}"
        f"|refits:{REFITS}|resamples:{RESAMPLES}|seed:{SEED}|slant:{slant.__version__}"
    )


@lru_cache(maxsize=1)
def _data_key() -> str:
    """A hash of all that the detector learns from and of its recipe."""
    frame = load_sentences().select("id", "text", "label", "article")
    recipe = [VERSION, C, FOLDS, REFITS, RESAMPLES, SEED, slant.__version__]
    return sha256(json.dumps([recipe, frame.rows()]).encode()).hexdigest()


def _write(weights: Weights, facts: DetectorFacts, path: Path) -> None:
    told = {**asdict(facts), "f1": estimate_json(facts.f1)}
    with path.open("wb") as file:
        np.savez(
            file, terms=np.array(weights.terms), idf=weights.idf,
            coefficients=weights.coefficients, intercepts=weights.intercepts,
            temperature=np.array(weights.temperature), facts=np.array(json.dumps(told)),
        )  # fmt: skip


def _read(content: bytes) -> LinearDetector:
    # Plain arrays and strings: nothing is unpickled.
    with np.load(io.BytesIO(content), allow_pickle=False) as kept:
        weights = Weights(
            terms=tuple(kept["terms"].tolist()), idf=kept["idf"],
            coefficients=kept["coefficients"], intercepts=kept["intercepts"],
            temperature=float(kept["temperature"]),
        )  # fmt: skip
        told = json.loads(str(kept["facts"]))
    f1 = Estimate(**told["f1"]) if told["f1"]["value"] is not None else Undefined(told["f1"]["why"])
    return LinearDetector(DetectorFacts(**{**told, "f1": f1}), weights)
