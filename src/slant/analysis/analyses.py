"""The nouns of an analysis: what is said of an article, of its sentences, and by whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from slant.analysis.article import Article
from slant.types import Estimate, Span, Undefined

Voice = Literal["outlet", "mixed", "quoted"]
"""Whose words a sentence holds: no word, some words, or at least half of its words are quoted."""

Grade = Literal["cue found", "trigger found"]
"""A cue is a surface pattern; a trigger is a passage that a reader, here a model, says meets the
condition of the schema."""

FORMAT: Final = 1
"""Version of the JSON of an analysis: a change of meaning is a new number."""


@dataclass(frozen=True, slots=True)
class KindFacts:
    """What is known of a detector's answer to the question which kind of bias a sentence has.

    Fields:
        name: of the kind, that of the MBIB task where there is one of the same meaning.
        task: that MBIB task, empty where there is none.
        spans: kinds of the marked words that make a sentence one of this kind.
        number, of: sentences of the kind, of all that it was learnt from.
        f1: F1 of the kind, with interval; undefined where it could not be measured.
        precision: share of what is called of the kind that is, of sentences that neither the model
            nor its threshold was chosen on; undefined where nothing is called so.
        always: F1 of whoever says of every sentence that it is of the kind.
        threshold: of the kind from it on; None where at none enough of the calls are right.
        calibration: how its probabilities were calibrated and how far they are off.
        good: whether the interval of F1 lies above `always`, and precision is high enough; only
            then is it asked.
    """

    name: str
    task: str
    spans: tuple[str, ...]
    number: int
    of: int
    f1: Estimate | Undefined
    precision: Estimate | Undefined
    always: float
    threshold: float | None
    calibration: str
    good: bool

    def holds(self, probability: float | None) -> bool:
        """Whether a sentence of this probability is of the kind; not where there is none."""
        if probability is None or self.threshold is None:
            return False
        return probability >= self.threshold


@dataclass(frozen=True, slots=True)
class DetectorFacts:
    """What is known of a detector, beside every probability that it gives.

    Fields:
        name: as shown and as key of probabilities, e.g. "open-light#1f00ab12".
        task: what it was trained on, e.g. "open/sentences".
        says: what its probability is the probability of, in one line.
        f1: class F1 (mean over both classes) with interval; undefined where it was not measured.
        measured: on what the F1 was measured.
        threshold: biased from it on.
        calibration: how its probabilities were calibrated and how far they are off.
        words: the method that weighs words, empty where there is none.
        words_measured: what is known of that method.
        card: path or address of its card, empty where `card_text` is all there is.
        card_text: its card in Markdown.
        signature: of the task and options that it was trained with.
        least_words: different words of a sentence that it must know to give a verdict; 0 where it
            reads every word.
        kinds: of bias that it tells apart, good enough or not.
        caveat: what its F1 does not hold for, in a few words; empty where nothing is known.
    """

    name: str
    task: str
    says: str
    f1: Estimate | Undefined
    measured: str
    threshold: float
    calibration: str
    words: str = ""
    words_measured: str = ""
    card: str = ""
    card_text: str = ""
    signature: str = ""
    least_words: int = 0
    kinds: tuple[KindFacts, ...] = ()
    caveat: str = ""

    @property
    def good_kinds(self) -> tuple[KindFacts, ...]:
        """The kinds that it is asked for."""
        return tuple(one for one in self.kinds if one.good)


@dataclass(frozen=True, slots=True)
class Weighted:
    """A word that carries a probability.

    Fields:
        start, end: in the article's text.
        weight: above 0 towards biased; log odds where the contributions are exact, else a share.
        detector: name of the detector.
        quoted: whether it stands in quoted speech.
    """

    start: int
    end: int
    weight: float
    detector: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class LexicalCue:
    """A word or phrase of the packaged lexicon.

    Fields:
        start, end: in the article's text.
        category: of the lexicon, e.g. "loaded".
        rule: what the category holds, in one line.
        quoted: whether it stands in quoted speech.
    """

    start: int
    end: int
    category: str
    rule: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class TriggerCue:
    """A cue or a trigger of a cognitive bias.

    Fields:
        bias, name: code in the schema, and as people call it.
        grade: what was found.
        spans: in the article's text, at least one.
        rule: the surface cue that was looked for, empty for a trigger.
        source: "surface cues", or the model that answered.
        reason: what the model said, empty for a cue.
        quoted: whether all of it stands in quoted speech.
    """

    bias: str
    name: str
    grade: Grade
    spans: tuple[Span, ...]
    rule: str
    source: str
    reason: str = ""
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class BiasFacts:
    """A bias of the schema: what it is, and the condition that a passage must meet.

    Fields:
        code, name, definition: of the schema.
        condition: what is not yet a trigger of it.
        cue: what its surface cues are, empty where there are none.
    """

    code: str
    name: str
    definition: str
    condition: str
    cue: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an article and all that was found in it; places are in the article's text.

    Fields:
        start, end: half-open.
        paragraph: number of its paragraph, from 0; the title is paragraph 0 where it stands there.
        title: whether it belongs to the title.
        quoted: its quoted speech, from left to right.
        voice: whose words it holds.
        probabilities: detector -> calibrated probability of biased, with its interval if known.
        words: those that carry the probabilities, the heaviest first.
        cues, triggers: from left to right.
        abstained: detector -> why it gives no verdict; a detector that is not here gives one.
        kinds: kind of bias -> its calibrated probability, where a detector that tells kinds calls
            the sentence biased; else empty.
    """

    start: int
    end: int
    paragraph: int = 0
    title: bool = False
    quoted: tuple[Span, ...] = ()
    voice: Voice = "outlet"
    probabilities: Mapping[str, Estimate] = field(default_factory=dict)
    words: tuple[Weighted, ...] = ()
    cues: tuple[LexicalCue, ...] = ()
    triggers: tuple[TriggerCue, ...] = ()
    abstained: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Passage:
    """Up to three consecutive sentences.

    Fields:
        start, end: in the article's text.
        first, last: numbers of its sentences, both included.
        loading: the mean over its sentences and over detectors of the probability, in [0, 1].
    """

    start: int
    end: int
    first: int
    last: int
    loading: float


@dataclass(frozen=True, slots=True)
class Measure:
    """One number of a profile.

    Fields:
        key: stable, e.g. "biased:DETECTOR", "kind:racial-bias", "cues:loaded", "quoted".
        says: what it is the share of.
        estimate: with its interval and number of sentences; undefined with the reason.
    """

    key: str
    says: str
    estimate: Estimate | Undefined


@dataclass(frozen=True, slots=True)
class Analysis:
    """What was found in one article, and what was not looked at.

    Fields:
        article: with its text.
        sentences: from left to right; none where `article.why` says why it was not looked at.
        detectors: those that were asked.
        biases: of the schema, in its order.
        profile: shares with intervals.
        most, least: the most and least loaded passages, sorted from the extreme on.
        left_out: what was not looked at, and why, one line each.
    """

    article: Article
    sentences: tuple[Sentence, ...]
    detectors: tuple[DetectorFacts, ...]
    biases: tuple[BiasFacts, ...]
    profile: tuple[Measure, ...]
    most: tuple[Passage, ...]
    least: tuple[Passage, ...]
    left_out: tuple[str, ...]
