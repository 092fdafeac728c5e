"""From articles to analyses: all sentences of a batch are asked at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from slant.analysis.analyses import Analysis, Sentence, TriggerCue, Weighted
from slant.analysis.article import Article
from slant.analysis.detectors import LEVEL, LoadedDetector, no_verdicts
from slant.analysis.evidence import carrying_words, lexical_cues
from slant.analysis.leftout import left_out
from slant.analysis.profiles import passages, profile
from slant.analysis.sentences import article_sentences
from slant.analysis.triggercues import bias_facts, cues_found, triggers_found
from slant.data.schemas import Schema
from slant.errors import OptionError
from slant.systems.lexicon import cue_words
from slant.types import Answer, Estimate, Floats

CALIBRATED: Final = "calibrated probability"

_Told = tuple[dict[str, Estimate], list[Weighted], dict[str, str], dict[str, float]]


def analysed(
    articles: Sequence[Article],
    detectors: Sequence[LoadedDetector],
    schema: Schema,
    *,
    answers: Mapping[str, Answer] | None = None,
    model: str = "",
) -> list[Analysis]:
    """Analyse a batch of articles.

    Args:
        articles: with unique ids; those with a `why` come back without sentences.
        detectors: asked for every sentence with a word in it.
        schema: of the biases whose cues are looked for.
        answers: article id -> what a model answered, its spans located in the text.
        model: who answered.

    Returns:
        One analysis an article, in their order. With linear detectors it is the same in whatever
        batch; an encoder's probabilities may differ in the last bits.

    Raises:
        OptionError: two detectors of one name.
    """
    names = [one.facts.name for one in detectors]
    if len(set(names)) < len(names):
        found = f"{', '.join(names)} are not all different"
        raise OptionError("Asking several detectors", found, "Give each detector once")
    read = [article_sentences(one) if not one.why else () for one in articles]
    told = _told(articles, read, detectors)
    made, first = [], 0
    silent = f"{model} gave no answer" if model else "no language model was asked"
    for article, sentences in zip(articles, read, strict=True):
        own = _with_cues(article, sentences, schema, (answers or {}).get(article.id), model)
        place = slice(first, first + len(own))
        own = tuple(
            replace(one, probabilities=p, words=tuple(words), abstained=why, kinds=kinds)
            for one, (p, words, why, kinds) in zip(own, told[place], strict=True)
        )
        first += len(own)
        answered = article.id in (answers or {})
        asked = "" if answered else silent
        made.append(_analysis(article, own, detectors, schema, answered, asked))
    return made


def _told(
    articles: Sequence[Article],
    read: Sequence[Sequence[Sentence]],
    detectors: Sequence[LoadedDetector],
) -> list[_Told]:
    """Probabilities, words, abstentions and kinds of all sentences, one after another."""
    pairs = [(a.text, one) for a, own in zip(articles, read, strict=True) for one in own]
    texts = [text[one.start : one.end] for text, one in pairs]
    worded = [at for at, text in enumerate(texts) if any(c.isalnum() for c in text)]
    probabilities: list[dict[str, Estimate]] = [{} for _ in texts]
    abstained: list[dict[str, str]] = [{} for _ in texts]
    words: list[list[Weighted]] = [[] for _ in texts]
    kinds: list[dict[str, float]] = [{} for _ in texts]
    for detector in detectors:
        facts = detector.facts
        said: Floats = np.full((len(texts), 3), np.nan)
        if worded:
            said[worded] = detector.probabilities([texts[at] for at in worded])
        for at in np.flatnonzero(~np.isnan(said[:, 0])).tolist():
            probabilities[at][facts.name] = _probability(*said[at].tolist())
        least = facts.least_words
        known = detector.known_words(texts) if least else None
        reasons = no_verdicts(said, facts.threshold, known, least)
        blank = set(range(len(texts))) - set(worded)
        for at, why in enumerate(reasons):
            if why:
                abstained[at][facts.name] = "it holds no word" if at in blank else why
        biased = [at for at in worded if not reasons[at] and said[at, 0] >= facts.threshold]
        if facts.good_kinds and biased:
            shares = detector.kind_probabilities([texts[at] for at in biased])
            for at, row in zip(biased, shares.tolist(), strict=True):
                kinds[at].update(
                    {kind.name: p for kind, p in zip(facts.good_kinds, row, strict=True)}
                )
        weighed = [at for at in worded if said[at, 0] >= detector.weighs_from]
        found = detector.contributions([texts[at] for at in weighed]) if weighed else None
        for at, own in zip(weighed, found or [], strict=False):
            words[at] += carrying_words(own, pairs[at][1], facts.name)
    return list(zip(probabilities, words, abstained, kinds, strict=True))


def _probability(p: float, low: float, high: float) -> Estimate:
    if np.isnan(low):
        return Estimate(p, None, None, level=LEVEL, n=1, method=CALIBRATED)
    return Estimate(p, low, high, level=LEVEL, n=1, method=CALIBRATED)


def _with_cues(
    article: Article, sentences: Sequence[Sentence], schema: Schema, answer: Answer | None,
    model: str,
) -> tuple[Sentence, ...]:  # fmt: skip
    cues = lexical_cues(article.text, sentences)
    surface = cues_found(article.text, sentences, schema)
    found: list[tuple[TriggerCue, ...]] = [() for _ in sentences]
    if answer is not None:
        found = triggers_found(sentences, answer, schema, model)
    return tuple(
        replace(one, cues=own, triggers=(*triggers, *marks))
        for one, own, marks, triggers in zip(sentences, cues, surface, found, strict=True)
    )


def _analysis(
    article: Article, sentences: tuple[Sentence, ...], detectors: Sequence[LoadedDetector],
    schema: Schema, answered: bool, asked: str,
) -> Analysis:  # fmt: skip
    facts = tuple(one.facts for one in detectors)
    most, least = passages(sentences)
    return Analysis(
        article=article,
        sentences=sentences,
        detectors=facts,
        biases=bias_facts(schema),
        profile=profile(sentences, facts, sorted(cue_words()), schema.codes, answered),
        most=most,
        least=least,
        left_out=left_out(article, sentences, facts, schema, asked),
    )  # fmt: skip
