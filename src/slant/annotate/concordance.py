"""How far two annotators agree, per category: on presence, on words, on stretches of text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from slant.annotate.passes import Paired, check_codes, found_codes, paired_passes, said
from slant.data.spans import marked
from slant.data.words import word_ranges
from slant.errors import DataError, OptionError
from slant.metrics.kappas import agreed_share, chance_share, gwet_kernel, kappa_kernel
from slant.metrics.scores import biased_f1
from slant.metrics.unitising import unit_counts, unitising_kernel
from slant.stats.overseeds import Overall, drawn_clusters
from slant.types import Answer, Array, Example, Floats, Span

LEVEL: Final = 0.95
MEASURES: Final = ("kappa", "p_o", "p_e", "ac1", "token_f1", "alpha_u")


def agreement(
    first: Sequence[Example],
    second: Sequence[Example],
    codes: Sequence[str] | None = None,
    seed: int = 42,
    *,
    names: tuple[str, str] = ("a", "b"),
    resamples: int = 2000,
) -> dict[str, Any]:
    """Agreement of two annotators before adjudication, per category and as the mean over them.

    Rule: presence in an article is what the first pass or a trigger says. kappa is Cohen's, with
    raw agreement p_o and chance agreement p_e; ac1 is Gwet's. token_f1: word tokens
    (`slant.data.words`) that share a character with a span of the category, pooled over articles:
    2 both / (one + other). alpha_u: Krippendorff's u-alpha over characters, all articles in a row.
    Quotes that were not located count for presence alone.
    Intervals: percentiles of a bootstrap over articles. The mean is over the categories that an
    annotator marked anywhere and whose value is defined; a resample leaves out those that are
    undefined in it.

    Args:
        first, second: the annotators' passes, their answers as `gold`; the same articles.
        codes: the categories; None for those that occur.
        seed: of the bootstrap, 0 or more.
        names: of the annotators.
        resamples: of the bootstrap, 1 or more.

    Returns:
        JSON-able: "annotators", "articles", "biases" {code: measures and counts of articles "a",
        "b", "both", and of triggers}, "mean", "first_pass" (what each annotator's two passes do not
        share), "settings". An estimate is {"value", "low", "high"}, with "why" where its value is
        None. Changing the annotators' places changes no measure.

    Raises:
        DataError: other articles, other texts, no category, or one that `codes` lacks.

    Source: BAIT, sections 4.3 and 4.4, table 2; its tokenisation is not stated.
    """
    pairs = paired_passes(first, second, names)
    if resamples < 1:
        raise OptionError("Resampling", f"{resamples} resamples were asked for", "Give 1 or more")
    known = found_codes(first, second) if codes is None else tuple(codes)
    if not known:
        found = f"neither {names[0]} nor {names[1]} says of any article that a bias is in it"
        raise DataError("Comparing two passes", found, "Give annotated passes, or name --schema")
    check_codes(pairs, known, names)
    presence, tokens, units = _counts(pairs, known)
    articles = [pair.item.id for pair in pairs]
    # Articles are drawn in the order of their ids, so that no order of files changes an interval.
    weights = drawn_clusters(articles, resamples, seed, ["annotators"]).weights(articles)
    few = len(pairs) < 2
    drawn: dict[str, Floats] = {
        name: kernel(np.tensordot(weights, counts, axes=1))
        for name, (counts, kernel) in _measures(presence, tokens, units).items()
    }
    occurs = presence[..., :3].sum(axis=(0, 2)) > 0
    biases = {
        code: {
            **{name: _estimate(drawn[name][:, at], _why(name), few) for name in MEASURES},
            **_sizes(pairs, presence[:, at], code),
        }
        for at, code in enumerate(known)
    }
    for bias in biases.values():
        # plain numbers: they explain kappa and are compared with nothing
        bias["p_e"], bias["p_o"] = bias["p_e"]["value"], bias["p_o"]["value"]
    means = {name: _mean(drawn[name], occurs, few) for name in MEASURES}
    return {
        "annotators": list(names),
        "articles": len(pairs),
        "biases": biases,
        "mean": {name: one for name, (one, _) in means.items()},
        "mean_over": {name: number for name, (_, number) in means.items()},
        "first_pass": {who: _first_pass(pairs, side) for side, who in enumerate(names)},
        "settings": {
            "level": LEVEL,
            "resamples": resamples,
            "seed": seed,
            "interval": "percentile bootstrap over articles",
            "tokens": "runs of letters, digits and combining marks, joined by single ' - . inside",
            "alpha_u": "u-alpha (nominal) of each category against gaps, over characters",
        },
    }


def _measures(
    presence: Array, tokens: Array, units: Array
) -> dict[str, tuple[Array, Callable[[Floats], Floats]]]:
    return {
        "kappa": (presence, kappa_kernel),
        "p_o": (presence, agreed_share),
        "p_e": (presence, chance_share),
        "ac1": (presence, gwet_kernel),
        "token_f1": (tokens, lambda counts: biased_f1(counts, None)),  # type: ignore[arg-type]
        "alpha_u": (units, unitising_kernel),
    }


def _counts(pairs: Sequence[Paired], codes: Sequence[str]) -> tuple[Array, Array, Array]:
    """(articles, categories, 4) of presence, of words, and (articles, categories, 5) of units."""
    presence = np.zeros((len(pairs), len(codes), 4), np.int64)
    tokens = np.zeros_like(presence)
    units = np.zeros((len(pairs), len(codes), 5), np.int64)
    for row, pair in enumerate(pairs):
        words, length = word_ranges(pair.item.text), len(pair.item.text)
        present = [said(answer) for answer in (pair.first, pair.second)]
        for at, code in enumerate(codes):
            one, two = (code in side for side in present)
            presence[row, at] = _cells(np.array([one]), np.array([two]))
            spans = [_spans(answer, code) for answer in (pair.first, pair.second)]
            if not any(spans):
                tokens[row, at, 3], units[row, at, 3] = len(words), length
                continue
            inside = [marked(words[:, 0], words[:, 1], side).astype(bool) for side in spans]
            tokens[row, at] = _cells(*inside)
            units[row, at] = unit_counts(spans[0], spans[1], length)
    return presence, tokens, units


def _cells(one: Array, two: Array) -> list[int]:
    cells = (one & two, ~one & two, one & ~two, ~one & ~two)
    return [int(cell.sum()) for cell in cells]


def _spans(answer: Answer, code: str) -> list[Span]:
    return [span for mark in answer.marks if mark.category == code for span in mark.spans]


def _sizes(pairs: Sequence[Paired], presence: Array, code: str) -> dict[str, Any]:
    both, second, first, _ = presence.sum(axis=0).tolist()
    sides = {"a": [pair.first for pair in pairs], "b": [pair.second for pair in pairs]}
    triggers = {
        side: sum(mark.category == code for answer in answers for mark in answer.marks)
        for side, answers in sides.items()
    }
    return {"a": both + first, "b": both + second, "both": both, "triggers": triggers}


def _first_pass(pairs: Sequence[Paired], side: int) -> dict[str, int]:
    answers = [(pair.first, pair.second)[side] for pair in pairs]
    marks = [{mark.category for mark in answer.marks} for answer in answers]
    both = list(zip(answers, marks, strict=True))
    return {
        "labels": sum(len(answer.labels) for answer in answers),
        "labels_without_trigger": sum(len(answer.labels - own) for answer, own in both),
        "triggers_without_label": sum(len(own - answer.labels) for answer, own in both),
    }


def _mean(drawn: Floats, occurs: Array, few: bool) -> tuple[dict[str, Any], int]:
    kept = occurs & ~np.isnan(drawn[0])
    own = drawn[:, kept]
    defined = ~np.isnan(own)
    number = defined.sum(axis=1)
    mean = np.divide(
        np.where(defined, own, 0.0).sum(axis=1), number,
        out=np.full(len(own), np.nan), where=number > 0,
    )  # fmt: skip
    why = "it is defined in no category that an annotator marked"
    return _estimate(mean, why, few), int(kept.sum())


def _estimate(drawn: Floats, why: str, few: bool) -> dict[str, Any]:
    """The first of the draws is the data's own value."""
    value = float(drawn[0])
    if np.isnan(value):
        return {"value": None, "low": None, "high": None, "why": why}
    bounds = None if few else Overall((value,), drawn[1:]).bounds(LEVEL)
    if bounds is None:
        why = "one article gives no interval" if few else "too many resamples are undefined"
        return {"value": value, "low": None, "high": None, "why": why}
    return {"value": value, "low": bounds[0], "high": bounds[1]}


def _why(name: str) -> str:
    return {
        "kappa": "both annotators say the same of all articles: chance alone agrees",
        "token_f1": "neither annotator marked a word",
        "alpha_u": "neither annotator marked a character, or no character is left unmarked",
    }.get(name, "there is no article")
