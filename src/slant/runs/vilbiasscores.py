"""The scores of one system in one setting of ViLBias: labels under both recipes, and rationales.

The scores of the runs of a setting are averaged. An interval says what other pairs could have
given: clusters of pairs are drawn again, the same ones for every system, run, judge and score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from slant.metrics.pairs import (
    closed_counts,
    closed_kernels,
    label,
    label_scores,
    published_reasoning,
)
from slant.runs.vilbiasdraws import Resampled
from slant.runs.vilbiasfiles import GoldPair
from slant.runs.vilbiasrulings import Ruling
from slant.systems.pairanswers import PairAnswer
from slant.systems.pairprompts import Mode
from slant.types import Floats

PUBLISHED: Final = ("accuracy", "precision", "recall", "f1")
SHARES: Final = {"accuracy": [0, 1, 2, 3], "precision": [0, 1], "recall": [0, 2]}
"""Score -> which of tp, fp, fn, tn it is a share of."""
PARTS: Final = {
    (1, 0): "text alone",
    (0, 1): "image alone",
    (1, 1): "text and image",
    (0, 0): "neither",
}
"""Text label and image label -> where the bias stands."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What one system answered in one setting.

    Fields:
        system, mode, shots: which.
        runs: their names.
        answers: by run, pair by pair.
        rulings: by judge and run, pair by pair; of closed answers there are none.
    """

    system: str
    mode: Mode
    shots: int
    runs: tuple[str, ...]
    answers: tuple[tuple[PairAnswer, ...], ...]
    rulings: Mapping[str, tuple[Sequence[Ruling | None], ...]]

    def right(self, gold: Sequence[GoldPair]) -> Floats:
        """(runs, pairs) 1 where the label is right; one that cannot be read is not."""
        return np.array(
            [
                [float(said.biased == bool(one.label)) for said, one in zip(own, gold, strict=True)]
                for own in self.answers
            ]
        )


def cell_row(cell: Cell, drawn: Resampled) -> dict[str, Any]:
    """What scores.json says of a cell."""
    row = {
        "mode": cell.mode,
        "shots": cell.shots,
        "runs": _run_rows(cell, drawn),
        **label_rows([[said.biased for said in own] for own in cell.answers], drawn),
        "expected": len(cell.runs) * len(drawn.gold),
        "faults": _faults(cell.answers),
        "groups": group_rows(cell.right(drawn.gold), drawn),
        "judged": [],
    }
    if cell.mode == "open":
        rationales = sum(bool(said.rationale) for own in cell.answers for said in own)
        row["rationales"] = rationales
        row["judged"] = [
            {"judge": judge, **_judged_row(cell, own, drawn)} for judge, own in cell.rulings.items()
        ]
    return row


def label_rows(predicted: Sequence[Sequence[bool | None]], drawn: Resampled) -> dict[str, Any]:
    """Scores of labels with intervals, the published recipe's beside them, and who took what for
    what.

    Args:
        predicted: by run, pair by pair; None where it cannot be read.
        drawn: the pairs.

    Returns:
        scores, published, difference (published - ours), confusion (gold -> said -> answers of all
        runs).
    """
    counts = np.stack([closed_counts(drawn.biased, own) for own in predicted]).astype(np.float64)
    pooled = np.tensordot(drawn.weights, counts, axes=(1, 1))
    scores = {
        name: drawn.estimate(kernel(pooled.astype(np.int64)), "0/0: no pair is, or is called, so")
        for name, kernel in closed_kernels().items()
    }
    for name, cells in SHARES.items():
        known = np.asarray(counts[..., cells].sum(axis=(0, 2)) > 0).tolist()
        # a constant answer has no recall that other pairs could have changed
        if any(len(set(own)) > 1 for own in predicted):
            scores[name] = drawn.bounded(scores[name], known)
    published = [label_scores(drawn.biased, own, "published") for own in predicted]
    means = {name: float(np.mean([one[name] for one in published])) for name in PUBLISHED}
    return {
        "scores": scores,
        "published": means,
        "difference": {
            name: None if scores[name]["value"] is None else means[name] - scores[name]["value"]
            for name in PUBLISHED
        },
        "confusion": _confusion(predicted, drawn.biased),
    }


def _run_rows(cell: Cell, drawn: Resampled) -> list[dict[str, Any]]:
    rows = []
    for name, own in zip(cell.runs, cell.answers, strict=True):
        said = [one.biased for one in own]
        rows.append(
            {
                "run": name,
                "ours": label_scores(drawn.biased, said, "ours"),
                "published": label_scores(drawn.biased, said, "published"),
            }
        )
    return rows


def _faults(answers: Sequence[Sequence[PairAnswer]]) -> dict[str, int]:
    return dict(sorted(Counter(one.fault for own in answers for one in own if one.fault).items()))


def _confusion(
    predicted: Sequence[Sequence[bool | None]], gold: Sequence[bool]
) -> dict[str, dict[str, int]]:
    found = {label(g): {label(True): 0, label(False): 0, "unreadable": 0} for g in (True, False)}
    for own in predicted:
        for said, right in zip(own, gold, strict=True):
            found[label(right)]["unreadable" if said is None else label(said)] += 1
    return found


def group_rows(right: Floats, drawn: Resampled) -> dict[str, dict[str, Any]]:
    """Accuracy by outlet and by where the bias stands, as far as gold tells.

    Args:
        right: (runs, pairs) 1 where the label is right.
        drawn: the pairs.

    Returns:
        `outlet` and `part`: by name, pairs and accuracy (an estimate).
    """
    names: dict[str, list[str | None]] = {
        "outlet": [one.outlet for one in drawn.gold],
        "part": [
            None
            if one.text_label is None or one.image_label is None
            else PARTS[one.text_label, one.image_label]
            for one in drawn.gold
        ],
    }
    found: dict[str, dict[str, Any]] = {}
    for kind, own in names.items():
        found[kind] = {}
        for name in sorted({one for one in own if one is not None}):
            among = np.array([one == name for one in own])
            share = drawn.share(np.where(among, right, np.nan), "no pair is of it")
            found[kind][name] = {"pairs": int(among.sum()), "accuracy": share}
    return found


def support_values(rulings: Sequence[Sequence[Ruling | None]], key: str) -> Floats:
    """(runs, pairs) 1 where a ruling says yes, 0 where no, NaN where there is none.

    Args:
        rulings: by run, pair by pair.
        key: "supports" or "faithful".
    """
    return np.array(
        [
            [
                np.nan if one is None or not one.judged else float(getattr(one, key).value)
                for one in own
            ]
            for own in rulings
        ]
    )


def item_values(cell: Cell, rulings: Sequence[Sequence[Ruling | None]], key: str) -> Floats:
    """The same, where a pair without a rationale counts as a no: it has given no reason."""
    values = support_values(rulings, key)
    none = [[not said.rationale for said in own] for own in cell.answers]
    return np.where(np.array(none), 0.0, values)


def _judged_row(
    cell: Cell, rulings: Sequence[Sequence[Ruling | None]], drawn: Resampled
) -> dict[str, Any]:
    why = "no verdict could be read"
    rationales = sum(bool(said.rationale) for own in cell.answers for said in own)
    judged = sum(one is not None and one.judged for own in rulings for one in own)
    asked = len(cell.runs) * len(drawn.gold)
    row: dict[str, Any] = {
        "asked": asked,
        "rationales": rationales,
        "judged": judged,
        "coverage": judged / asked,
        "ties": sum(one is not None and one.supports.tied for own in rulings for one in own),
    }
    for name, key in (("reasoning_accuracy", "supports"), ("faithfulness", "faithful")):
        row[name] = drawn.share(support_values(rulings, key), why)
        row[f"{name}_items"] = drawn.share(item_values(cell, rulings, key), why)
    if any(one is not None and one.said for own in rulings for one in own):
        row["published"] = _published_reasoning(cell, rulings, drawn)
    return row


def _published_reasoning(
    cell: Cell, rulings: Sequence[Sequence[Ruling | None]], drawn: Resampled
) -> dict[str, float]:
    """What the published recipe would have made of the judge's first replies, asked as it asks."""
    found = []
    golds = [label(one) for one in drawn.biased]
    for own, of_run in zip(cell.answers, rulings, strict=True):
        raws = [one.said[0][0].raw if one is not None and one.said else None for one in of_run]
        replies = iter([*raws, *raws])
        texts = [one.text for one in drawn.gold]
        found.append(
            published_reasoning(
                [said.rationale for said in own], golds, texts, lambda _, left=replies: next(left)
            )
        )
    reasoning, faithfulness = np.mean(np.array(found), axis=0)
    return {"reasoning_accuracy": float(reasoning), "faithfulness": float(faithfulness)}
