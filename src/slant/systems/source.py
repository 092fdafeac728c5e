"""The control that sees the data set's id and no text: what a benchmark gives away for free."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from slant.systems.binary import predictions, training_labels
from slant.types import Fold, Prediction, System


def source_only() -> System:
    """A system that answers with the majority label of the item's data set in train.

    A data set that is tied or that train does not know takes the majority over all of train,
    and a tie there goes to biased. The probability is the smoothed share of biased in the data
    set, (biased + 2q) / (n + 2) with q the share over all of train.

    Returns:
        The system.
    """

    def predict(folds: Sequence[Fold], seed: int) -> Iterator[list[Prediction]]:
        for fold in folds:
            labels = training_labels("source-only", fold, classes=1)
            overall = float(labels.mean())
            total: Counter[str | None] = Counter()
            biased: Counter[str | None] = Counter()
            for example, label in zip(fold.train, labels.tolist(), strict=True):
                total[example.item.group] += 1
                biased[example.item.group] += label
            answers = []
            for item in fold.test:
                n, yes = total[item.group], biased[item.group]
                lead = 2 * yes - n
                answers.append((lead > 0 or (lead == 0 and overall >= 0.5), n, yes))
            shares = [(yes + 2 * overall) / (n + 2) for _, n, yes in answers]
            yield predictions(fold.test, [answer for answer, _, _ in answers], shares)

    return predict
