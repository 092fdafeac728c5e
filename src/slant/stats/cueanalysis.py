"""Where predicted spans land, and whether misplaced ones carry the surface cue of their bias."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from slant.errors import OptionError
from slant.stats.intervals import interval
from slant.stats.resampling import Draws, generator
from slant.types import Array, Floats, Span

FATES = ("matched", "same-bias", "other-bias", "unmarked", "unlocated")
"""What a predicted span can be: see `slant.metrics.triggerfates`."""

_COUNTS = (*FATES, "without", "with cue", "stretches", "stretches with cue")

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_JOINERS = "\u200c\u200d"


@dataclass(frozen=True, slots=True)
class CueCase:
    """One predicted span.

    Fields:
        article: id of its article, the unit that is resampled.
        text: of the article.
        bias: code that it was predicted for.
        span: its place, None where it is unlocated.
        fate: one of FATES.
        in_gold: whether the gold of the article has this bias anywhere.
    """

    article: str
    text: str
    bias: str
    span: Span | None
    fate: str
    in_gold: bool


def cue_analysis(
    cases: Sequence[CueCase],
    has_cue: Callable[[str, str], bool],
    cued: Collection[str],
    *,
    seed: int,
    articles: Collection[str] = (),
    draws: int = 5,
    word_aligned: bool = True,
    level: float = 0.95,
    resamples: int = 2000,
) -> dict[str, Any]:
    """The fate of predicted spans by bias, and the cues in those on text that nobody marked.

    Each span on unmarked text of a bias in `cued` is held against `draws` random stretches of the
    same article and as many characters, drawn with replacement from all places that start at a
    word (or, where `word_aligned` is false or there is none, anywhere). Intervals resample whole
    articles, the same ones for every share; random stretches are drawn once.

    Args:
        cases: predicted spans of one system and any number of runs; their order does not matter.
        has_cue: whether a passage carries the cue of a bias: (code, passage) -> bool.
        cued: the codes that `has_cue` knows.
        seed: of the stretches and of the intervals.
        articles: ids of all articles, so that those without a predicted span are resampled too.
        draws: random stretches for each span, at least 1.
        word_aligned: whether stretches start at a word.
        level, resamples: of the intervals.

    Returns:
        Values of JSON: the settings; `biases`, by code, and `groups`, "cued" and "others" pooled,
        each with `spans` (number) and the shares in [0, 1] "matched", "same_bias", "other_bias",
        "unmarked", "unlocated", "in_articles_without" (of all its spans) and, where there are
        cues, `misplaced` (number on unmarked text), "with_cue" (of these) and "random_with_cue"
        (of their random stretches). A share is {"value", "low", "high"}, value None for no span.

    Raises:
        OptionError: a fate is unknown, a span is outside its text, `draws` is below 1.

    Source: BAIT paper, section 7.4 and figure 5.

    >>> case = CueCase("a", "An expert says so.", "B04", Span(0, 9), "unmarked", False)
    >>> found = cue_analysis([case], lambda code, passage: "expert" in passage, ["B04"], seed=1)
    >>> found["biases"]["B04"]["with_cue"]["value"], found["biases"]["B04"]["misplaced"]
    (1.0, 1)
    """
    if draws < 1:
        raise OptionError(
            "Drawing random stretches", f"{draws} for each span", "Give 1 or more draws"
        )
    ordered = sorted(cases, key=_place)
    names = sorted({case.article for case in ordered} | set(articles))
    codes = sorted({case.bias for case in ordered})
    counts = _counts(ordered, names, codes, has_cue, cued, seed, draws, word_aligned)
    weights = _weights(len(names), resamples, seed)

    def summary(of: Sequence[str]) -> dict[str, Any]:
        pooled = counts[:, [codes.index(code) for code in of]].sum(axis=1)
        return _summary(pooled, weights, level, any(code in cued for code in of))

    return {
        "seed": seed,
        "draws": draws,
        "word_aligned": word_aligned,
        "level": level,
        "resamples": resamples,
        "articles": len(names),
        "cued": sorted(cued),
        "biases": {code: summary([code]) for code in codes},
        "groups": {
            "cued": summary([code for code in codes if code in cued]),
            "others": summary([code for code in codes if code not in cued]),
        },
    }


def random_stretches(
    text: str, length: int, number: int, word_aligned: bool, stream: np.random.Generator
) -> list[Span]:
    """Stretches of a text of one length, drawn with replacement.

    Args:
        text: of an article.
        length: characters, 0 to the text's own.
        number: how many.
        word_aligned: draw among places where a word starts; where no stretch of this length does,
            among all places.
        stream: of random numbers.

    >>> stream = generator(1, ["doc"])
    >>> spans = random_stretches("one two three", 3, 50, True, stream)
    >>> sorted({span.start for span in spans})
    [0, 4, 8]
    """
    starts = _word_starts(text) if word_aligned else np.arange(len(text) + 1)
    starts = starts[: np.searchsorted(starts, len(text) - length, "right")]
    if not starts.size:
        starts = np.arange(len(text) - length + 1)
    chosen = starts[stream.integers(starts.size, size=number)].tolist()
    return [Span(start, start + length) for start in chosen]


@lru_cache(maxsize=256)
def _word_starts(text: str) -> Array:
    starts = (match.start() for match in _WORD.finditer(text))
    return np.array([start for start in starts if not _inside(text, start)], np.int64)


def _inside(text: str, start: int) -> bool:
    """Whether only marks that combine, or joiners, stand between a letter and the one before."""
    at = start
    while at and (text[at - 1] in _JOINERS or unicodedata.category(text[at - 1]) in ("Mn", "Mc")):
        at -= 1
    return 0 < at < start and text[at - 1].isalnum()


def _place(case: CueCase) -> tuple[str, str, int, int]:
    span = case.span or Span(-1, -1)
    return case.bias, case.article, span.start, span.end


def _counts(
    cases: Sequence[CueCase],
    names: Sequence[str],
    codes: Sequence[str],
    has_cue: Callable[[str, str], bool],
    cued: Collection[str],
    seed: int,
    draws: int,
    word_aligned: bool,
) -> Array:
    """(articles, codes, _COUNTS): how many spans and stretches there are of each kind."""
    counts = np.zeros((len(names), len(codes), len(_COUNTS)), np.int64)
    article = {name: place for place, name in enumerate(names)}
    streams = {code: generator(seed, ["cues", code]) for code in codes}
    kinds = {name: place for place, name in enumerate(_COUNTS)}
    for case in cases:
        row = counts[article[case.article], codes.index(case.bias)]
        _check(case)
        row[kinds[case.fate]] += 1
        row[kinds["without"]] += not case.in_gold
        if case.fate != "unmarked" or case.span is None or case.bias not in cued:
            continue
        start, end = case.span.start, case.span.end
        row[kinds["with cue"]] += has_cue(case.bias, case.text[start:end])
        stretches = random_stretches(
            case.text, end - start, draws, word_aligned, streams[case.bias]
        )
        row[kinds["stretches"]] += draws
        row[kinds["stretches with cue"]] += sum(
            has_cue(case.bias, case.text[one.start : one.end]) for one in stretches
        )
    return counts


def _check(case: CueCase) -> None:
    if case.fate not in FATES:
        found, do = f"the fate is '{case.fate}'", f"Give one of {', '.join(FATES)}"
    elif (case.span is None) != (case.fate == "unlocated"):
        found, do = f"a span that is {case.fate} has the place {case.span}", "Give both or neither"
    elif case.span and not 0 <= case.span.start <= case.span.end <= len(case.text):
        found = f"{case.span} lies outside a text of {len(case.text)} characters"
        do = "Give offsets in characters of the article's own text"
    else:
        return
    raise OptionError(f"Counting a span of {case.bias} in '{case.article}'", found, do)


def _weights(articles: int, resamples: int, seed: int) -> Array:
    """(resamples, articles): how often each article is drawn."""
    stream = generator(seed, ["cues", "articles"])
    if not articles:
        return np.zeros((resamples, 0), np.int64)
    return stream.multinomial(articles, np.full(articles, 1 / articles), size=resamples)


def _summary(counts: Array, weights: Array, level: float, with_cues: bool) -> dict[str, Any]:
    kinds = {name: counts[:, place] for place, name in enumerate(_COUNTS)}
    every = np.sum([kinds[fate] for fate in FATES], axis=0)
    shares: dict[str, tuple[Array, Array]] = {
        fate.replace("-", "_"): (kinds[fate], every) for fate in FATES
    }
    shares["in_articles_without"] = (kinds["without"], every)
    found: dict[str, Any] = {"spans": int(every.sum())}
    if with_cues:
        found["misplaced"] = int(kinds["unmarked"].sum())
        shares["with_cue"] = (kinds["with cue"], kinds["unmarked"])
        shares["random_with_cue"] = (kinds["stretches with cue"], kinds["stretches"])
    estimates = {name: _share(*parts, weights, level) for name, parts in shares.items()}
    return found | estimates


def _share(part: Array, whole: Array, weights: Array, level: float) -> Mapping[str, float | None]:
    total = int(whole.sum())
    if not total:
        return {"value": None, "low": None, "high": None}
    # products of whole numbers below 2**53 are exact, so that no order of sums matters
    tops, bottoms = (weights.astype(np.float64) @ one.astype(np.float64) for one in (part, whole))
    drawn: Floats = np.divide(tops, bottoms, out=np.full(tops.size, np.nan), where=bottoms > 0)
    estimate = interval(Draws(int(part.sum()) / total, drawn, whole.size, 1), level, "percentile")
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}
