"""What attributions, erasures and predictions of many models come to, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slant.explain.words import Aligned, rationale_words
from slant.metrics.rationale import Plausibility, plausibility
from slant.metrics.scores import biased_f1, class_f1, precision, recall
from slant.runs.attributing import Work, read_work
from slant.runs.erasing import NUMBERS
from slant.stats.overseeds import Drawn, Overall, Statistic, estimate, mean_of, over_seeds
from slant.types import Array, Example, Floats, Kernel, Span, Undefined

SCORES = ("auroc", "average_precision", "token_f1", "iou_f1")
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Told:
    """Plausibility of one method on the texts of one seed.

    Fields:
        plausibility: of the texts.
        ids, clusters: (shown,) of the texts that have both classes of words.
    """

    plausibility: Plausibility
    ids: tuple[str, ...]
    clusters: tuple[str, ...]


def told(
    examples: Sequence[Example],
    texts: Sequence[Aligned],
    spans: Sequence[Sequence[Span]],
    scores: Mapping[str, Floats],
) -> Told:
    """Plausibility of scores of words.

    Args:
        examples, texts, spans: (n,) of all explained texts.
        scores: by id (words,), of these texts or some of them.
    """
    kept = [place for place, one in enumerate(examples) if one.item.id in scores]
    gold = [rationale_words(texts[place].words, spans[place]) for place in kept]
    found = plausibility(gold, [scores[examples[place].item.id] for place in kept])
    shown = [examples[kept[place]] for place in found.shown.tolist()]
    return Told(
        found,
        tuple(one.item.id for one in shown),
        tuple(str(one.cluster) for one in shown),
    )


def plausibility_scores(seeds: Sequence[Told], drawn: Drawn) -> dict[str, Any]:
    """Each score of one method: mean over texts, then over seeds; see the Estimate of docs."""
    made: dict[str, Any] = {}
    for name in SCORES:
        overall = over_seeds(
            [(one.clusters, mean_of(one.plausibility.by_sentence[name])) for one in seeds], drawn
        )
        pooled = [one.plausibility.pooled[name] for one in seeds]
        made[name] = {
            **estimate(overall, LEVEL, "no text has both classes of words"),
            "within": _mean([one.plausibility.spread(name) for one in seeds]),
            "pooled": _mean(pooled),
        }
    return made


def _mean(values: Sequence[float | Undefined]) -> float | None:
    known = [value for value in values if not isinstance(value, Undefined)]
    return float(np.mean(known)) if known and len(known) == len(values) else None


def difference(
    own: Sequence[Told], other: Sequence[Told], score: str, drawn: Drawn
) -> tuple[Overall, int]:
    """The paired difference of two methods or models over the texts that both show.

    Returns:
        It, and the mean number of texts of a seed.
    """
    pairs, counts = [], []
    for a, b in zip(own, other, strict=True):
        theirs = dict(zip(b.ids, b.plausibility.by_sentence[score].tolist(), strict=True))
        kept = [place for place, name in enumerate(a.ids) if name in theirs]
        less = np.array([theirs[a.ids[place]] for place in kept])
        values = a.plausibility.by_sentence[score][kept] - less
        clusters = [a.clusters[place] for place in kept]
        pairs.append((clusters, mean_of(values)))
        counts.append(len(kept))
    return over_seeds(pairs, drawn), round(float(np.mean(counts)))


def erasure_scores(works: Sequence[Work], clusters: Mapping[str, str], drawn: Drawn) -> Any:
    """Comprehensiveness and sufficiency by method, from one way of taking words out.

    Args:
        works: of one way, one for each seed.
        clusters: of the texts, by id.
        drawn: resamples.

    Returns:
        method -> number -> Estimate, random words and the excess over them beside it.
    """
    frames = [frame for one in works if (frame := read_work(one.path)) is not None]
    made: dict[str, Any] = {}
    for method in frames[0]["method"].unique(maintain_order=True).to_list():
        rows = [frame.filter(frame["method"] == method) for frame in frames]
        own = {
            name: over_seeds(
                [([clusters[i] for i in one["id"]], mean_of(one[name].to_numpy())) for one in rows],
                drawn,
            )
            for name in NUMBERS
        }
        made[method] = {name: estimate(overall, LEVEL) for name, overall in own.items()}
        for kind in ("comprehensiveness", "sufficiency"):
            made[method][f"excess_{kind}"] = estimate(own[kind].minus(own[f"random_{kind}"]), LEVEL)
        made[method]["texts"] = round(float(np.mean([len(one) for one in rows])))
    return made


def counted(gold: Array, said: Array, kernel: Kernel) -> Statistic:
    """A score of labels, from the counts of tp, fp, fn, tn, as a statistic of texts.

    Args:
        gold, said: (n,) 0 or 1.
        kernel: (..., 4) counts -> (...).
    """
    cases = np.stack(
        [gold & said, (1 - gold) & said, gold & (1 - said), (1 - gold) & (1 - said)], axis=-1
    ).astype(np.float64)

    def of(weights: Floats) -> Floats:
        return kernel((weights @ cases).astype(np.int64))

    return of


def classification_scores(
    seeds: Sequence[tuple[Sequence[str], Array, Array]], drawn: Drawn
) -> dict[str, Any]:
    """Class F1, and precision, recall and F1 of either class.

    Args:
        seeds: clusters, gold and prediction (n,) of each seed's test texts.
        drawn: resamples.
    """

    def scored(kernel: Kernel, turned: bool = False) -> dict[str, Any]:
        return estimate(classified(seeds, drawn, kernel, turned), LEVEL)

    kinds: dict[str, Callable[..., Any]] = {
        "precision": precision, "recall": recall, "f1": biased_f1,
    }  # fmt: skip
    return {
        "class_f1": scored(class_f1_of),
        "biased": {name: scored(_defined(one)) for name, one in kinds.items()},
        "unbiased": {name: scored(_defined(one), True) for name, one in kinds.items()},
    }


def classified(
    seeds: Sequence[tuple[Sequence[str], Array, Array]],
    drawn: Drawn,
    kernel: Kernel,
    turned: bool = False,
) -> Overall:
    """One score of labels over seeds; `turned` takes the unbiased for the class that is sought."""
    parts = [
        (clusters, counted(1 - gold if turned else gold, 1 - said if turned else said, kernel))
        for clusters, gold, said in seeds
    ]
    return over_seeds(parts, drawn)


def class_f1_of(counts: Array) -> Floats:
    """Class F1 of counts, 0 where a class has neither gold nor prediction."""
    return class_f1(counts, undefined=0.0)


def _defined(kernel: Callable[..., Any]) -> Kernel:
    return lambda counts: kernel(counts, undefined=0.0)
