"""The detector that is there without training: linear, taught on the embedded sentences."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

import slant
from slant.analysis.analyses import DetectorFacts, KindFacts
from slant.analysis.analysisjson import detector_json
from slant.analysis.detectors import LEVEL
from slant.analysis.linear import KindWeights, LinearDetector, Weights
from slant.data.samples import load_sentences
from slant.data.writing import intact, sealed
from slant.metrics.calibration import brier, expected_calibration_error
from slant.metrics.scores import class_f1
from slant.runs.calibration import calibrated, fitted_temperature
from slant.runs.lightkinds import kinds_of, trained_kinds
from slant.runs.lightwords import words_auroc
from slant.runs.linearmodels import Recipe, event_estimate, fitted, linear_weights, nameless
from slant.runs.modelcards import NOT_FOR
from slant.stats.resampling import generator
from slant.systems.encoder import cache_folder
from slant.systems.linear import fitted_terms
from slant.systems.threads import one_blas_thread
from slant.types import Array, Estimate, Floats, Span, Undefined

NAME: Final = "open-light"
C: Final = 10.0
FOLDS: Final = 13
REFITS: Final = 100
RESAMPLES: Final = 2_000
SEED: Final = 42
BINS: Final = 10
LEAST_WORDS: Final = 2
"""Different known words of a sentence below which there is no verdict."""
VERSION: Final = 4
"""Of the recipe: another number trains anew."""
TEACHING: Final = "Teaching the light detector on open/sentences, once: about 20 seconds"
"""What is said before it is trained."""
CAVEAT: Final = "not measured on real news, likely worse"
_RECIPE: Final = Recipe(NAME, C, SEED, RESAMPLES, BINS)


def light_detector() -> LinearDetector:
    """The light detector, from the cache or trained now, which takes seconds to a minute.

    Logistic regression (C 10) over TF-IDF of single words on the invented sentences of
    `open/sentences`. 13-fold cross-validation by event gives each sentence a probability of a model
    that saw no sentence of its event; they set the temperature and the F1. The interval of a
    probability comes from 100 refits on events drawn with replacement. Beside it a model for each
    kind of bias, see `slant.runs.lightkinds.trained_kinds`.

    Raises:
        WorkFailed: the cache folder cannot be written.
    """
    path = _path()
    content = intact(path)
    if content is not None:
        return _read(content)
    made: list[LinearDetector] = []

    def taught(temporary: Path) -> None:
        # A place that takes no file is found before the work, not behind it.
        temporary.touch()
        made.append(trained_light())
        _write(made[0], temporary)

    sealed(path, taught)
    return made[0]


def is_taught() -> bool:
    """Whether the light detector is in the cache, so that nothing is trained when it is asked."""
    return intact(_path()) is not None


def _path() -> Path:
    return cache_folder() / "analysis" / f"{NAME}-{VERSION}-{_data_key()[:12]}.npz"


def trained_light() -> LinearDetector:
    """Train, cross-validate and calibrate; the same numbers every time."""
    frame = load_sentences()
    texts = frame["text"].to_list()
    gold = np.array(frame["label"].to_list(), np.int64)
    names = sorted(set(frame["article"].to_list()))
    event = np.array([names.index(one) for one in frame["article"].to_list()], np.int64)
    with one_blas_thread():
        fold = (generator(SEED, [NAME, "folds"]).permutation(len(names)) % FOLDS)[event]
        held_out = [_fold_weights(texts, gold, fold != number) for number in range(FOLDS)]
        terms, x = fitted_terms(NAME, texts, 1, 1)
        models = [fitted(x, gold, _RECIPE)]
        stream = generator(SEED, [NAME, "refits"])
        for _ in range(REFITS):
            drawn = stream.integers(len(names), size=len(names))
            rows = np.concatenate([np.flatnonzero(event == one) for one in drawn.tolist()])
            models.append(fitted(x[rows], gold[rows], _RECIPE))
        kinds, known = trained_kinds(texts, kinds_of(frame), event, fold, _RECIPE)
    unsaid = [nameless(NAME, one) for one in held_out]
    asked = [unsaid[number] for number in fold.tolist()]
    raw = np.empty(len(texts))
    for number, one in enumerate(unsaid):
        held = np.flatnonzero(fold == number)
        raw[held] = one.probabilities([texts[at] for at in held.tolist()])[:, 0]
    temperature = fitted_temperature(raw, gold)
    weights = linear_weights(terms, models, temperature)
    spans = [[Span(*span) for span in row] for row in frame["rationale"].to_list()]
    words = words_auroc(texts, spans, asked, event)
    facts = _facts(raw, gold, event, fold, temperature, words, known)
    return LinearDetector(facts, weights, kinds=kinds)


def _fold_weights(texts: Sequence[str], gold: Array, kept: NDArray[np.bool_]) -> Weights:
    """Those of a model that learnt from the kept texts alone, not calibrated."""
    train = [text for text, keep in zip(texts, kept.tolist(), strict=True) if keep]
    terms, x = fitted_terms(NAME, train, 1, 1)
    return linear_weights(terms, [fitted(x, gold[kept], _RECIPE)])


def _facts(
    raw: Floats, gold: Array, event: Array, fold: Array, temperature: float,
    auroc: Estimate | Undefined, kinds: tuple[KindFacts, ...],
) -> DetectorFacts:  # fmt: skip
    said = (raw >= 0.5).astype(np.int64)
    f1 = event_estimate(gold, said, event, partial(class_f1, undefined=0.0), _RECIPE, ["f1"])
    p = np.empty(len(raw))
    for number in range(FOLDS):
        held = fold == number
        p[held] = calibrated(raw[held], fitted_temperature(raw[~held], gold[~held]))
    ece, score = expected_calibration_error(gold, p, BINS), brier(gold, p)
    events = len(np.unique(event))
    measured = (
        f"{FOLDS}-fold cross-validation by event over the {len(raw)} invented sentences of "
        f"open/sentences on {events} events; interval by bootstrap over events; "
        f"{CAVEAT}"
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
        words_measured=words_measured, signature=_signature(), least_words=LEAST_WORDS,
        kinds=kinds, caveat=CAVEAT,
    )  # fmt: skip
    return replace(facts, card_text=light_card(facts))


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
            "Logistic regression over TF-IDF of single words; it knows the words of those "
            "sentences and no others, no order of words and no context. The interval of a "
            f"probability holds the middle {LEVEL:.0%} of {REFITS} refits on events drawn with "
            f"replacement. A sentence of which it knows fewer than {LEAST_WORDS} different words "
            "gets no verdict.",
            _kinds_said(facts),
            "## What it must not be used for",
            "\n".join(f"- {line}" for line in NOT_FOR),
            f"Signature: `{facts.signature}`",
        ]
    )


def _kinds_said(facts: DetectorFacts) -> str:
    lines = [
        f"- {one.name}: {_said(one.f1)}, precision {_said(one.precision)}, on {one.number} of "
        f"{one.of} sentences, where always yes has F1 {one.always:.3f}"
        + ("" if one.good else "; not good enough, and not asked")
        for one in facts.kinds
    ]
    return "## Kinds of bias, F1 and precision of the kind\n\n" + "\n".join(lines)


def _said(one: Estimate | Undefined) -> str:
    if isinstance(one, Undefined):
        return "not measured"
    if one.low is None or one.high is None:
        return f"{one.value:.3f}"
    return f"{one.value:.3f} [{one.low:.3f}, {one.high:.3f}]"


def _signature() -> str:
    return (
        f"{NAME}|recipe:{VERSION}|data:{_data_key()[:8]}|C:{C:g}|ngram:1|min_df:1|folds:{FOLDS}"
        f"|refits:{REFITS}|resamples:{RESAMPLES}|seed:{SEED}|slant:{slant.__version__}"
    )


@lru_cache(maxsize=1)
def _data_key() -> str:
    """A hash of all that the detector learns from and of its recipe."""
    frame = load_sentences()
    kinds = [sorted(one) for one in kinds_of(frame)]
    rows = frame.select("id", "text", "label", "article", "rationale").rows()
    recipe = [VERSION, C, FOLDS, REFITS, RESAMPLES, SEED, LEAST_WORDS, slant.__version__]
    return sha256(json.dumps([recipe, rows, kinds]).encode()).hexdigest()


def _write(made: LinearDetector, path: Path) -> None:
    told, weights, kinds = detector_json(made.facts), made.weights, made.kinds
    assert kinds is not None
    with path.open("wb") as file:
        np.savez(
            file, terms=np.array(weights.terms), idf=weights.idf,
            coefficients=weights.coefficients, intercepts=weights.intercepts,
            temperature=np.array(weights.temperature), facts=np.array(json.dumps(told)),
            kind_coefficients=kinds.coefficients, kind_intercepts=kinds.intercepts,
            kind_temperatures=kinds.temperatures,
        )  # fmt: skip


def _read(content: bytes) -> LinearDetector:
    # Plain arrays and strings: nothing is unpickled.
    with np.load(io.BytesIO(content), allow_pickle=False) as kept:
        weights = Weights(
            terms=tuple(kept["terms"].tolist()), idf=kept["idf"],
            coefficients=kept["coefficients"], intercepts=kept["intercepts"],
            temperature=float(kept["temperature"]),
        )  # fmt: skip
        kinds = KindWeights(
            kept["kind_coefficients"], kept["kind_intercepts"], kept["kind_temperatures"]
        )
        told = json.loads(str(kept["facts"]))
    known = tuple(_kind(one) for one in told["kinds"])
    facts = DetectorFacts(**{**told, "f1": _estimate(told["f1"]), "kinds": known})
    return LinearDetector(facts, weights, kinds=kinds)


def _kind(told: dict[str, Any]) -> KindFacts:
    measured = {key: _estimate(told[key]) for key in ("f1", "precision")}
    return KindFacts(**{**told, **measured, "spans": tuple(told["spans"])})


def _estimate(told: dict[str, Any]) -> Estimate | Undefined:
    return Undefined(told["why"]) if told["value"] is None else Estimate(**told)
