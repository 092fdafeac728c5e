"""Heads of sequence classifiers: new ones of two classes, or two classes made of one's own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from slant.errors import OptionError, unknown_name

LABELS = ("non-biased", "biased")
FRESH = ("pooler.", "classifier.", "classification_head.", "pre_classifier.", "score.", "head.")
"""How the names of weights begin that a new head may lack."""
BIASED = ("biased", "bias")
UNBIASED = ("non biased", "nonbiased", "not biased", "unbiased", "no bias", "neutral")
"""Names of labels that leave no doubt, in small letters, blanks for - and _."""
MULTIPLE = "multi_label_classification"


class Rows(NamedTuple):
    """The rows of a classifier's last layer that speak for either class; None: always a logit of
    0, so that the other's is the log odds."""

    unbiased: int | None
    biased: int


def own_rows(config: Mapping[str, Any], biased: str, name: str) -> Rows:
    """Which rows of a classifier's own head are the two classes.

    Rule: of two labels with one softmax, both rows; of labels that each have a logistic function
    (`problem_type` multi_label_classification, or a single label), 0 and the row of biased. More
    labels with one softmax have no such rows.

    Args:
        config: of config.json: `id2label` or `num_labels`, `problem_type`.
        biased: the name or number of the label that means biased; empty: the one that is named so
            beyond doubt, else the label 1 of two.
        name: of the checkpoint, for errors.

    Returns:
        The rows.

    Raises:
        OptionError: it cannot be told which label means biased, the head gives a number, or it is
            one of more than two labels that exclude each other. UnknownName: no such label.

    >>> own_rows({"id2label": {"0": "BIASED", "1": "NEUTRAL"}}, "", "a/b")
    Rows(unbiased=1, biased=0)
    >>> own_rows({"num_labels": 1}, "", "a/b")
    Rows(unbiased=None, biased=0)
    """
    labels = label_names(config)
    asked = f"Reading with classifier:{name}"
    listed = ", ".join(f"{number} {label}" for number, label in enumerate(labels))
    if config.get("problem_type") == "regression":
        found = "its head was trained to give a number, not the probability of a label"
        raise OptionError(asked, found, "Give a classifier, or fine-tune it as encoder:NAME")
    row = _named(labels, biased, name) if biased else _told(labels)
    if row is None:
        found = f"it has the labels {listed}, and none is biased beyond doubt"
        raise OptionError(asked, found, "Name the one that means biased by --param biased=LABEL")
    if len(labels) == 1 or config.get("problem_type") == MULTIPLE:
        return Rows(None, row)
    if len(labels) > 2:
        found = f"it has {len(labels)} labels that exclude each other ({listed})"
        raise OptionError(asked, found, "Give a classifier of two, or fine-tune it as encoder:NAME")
    return Rows(1 - row, row)


def label_names(config: Mapping[str, Any]) -> list[str]:
    """The names of a classifier's labels by number, LABEL_0, LABEL_1 ... where it names none.

    >>> label_names({"id2label": {"1": "b", "0": "a"}}), label_names({})
    (['a', 'b'], ['LABEL_0', 'LABEL_1'])
    """
    named = config.get("id2label")
    if isinstance(named, Mapping) and named:
        numbers = sorted(named, key=int)
        return [str(named[number]) for number in numbers]
    return [f"LABEL_{number}" for number in range(int(config.get("num_labels") or 2))]


def _named(labels: list[str], biased: str, name: str) -> int:
    same = [row for row, label in enumerate(labels) if label == biased]
    if not same:
        same = [row for row, label in enumerate(labels) if label.lower() == biased.lower()]
    if same:
        return same[0]
    if biased.isdecimal() and int(biased) < len(labels):
        return int(biased)
    raise unknown_name(f"label of classifier:{name}", biased, labels)


def _told(labels: list[str]) -> int | None:
    plain = [re.sub(r"[\s_-]+", " ", label).strip().lower() for label in labels]
    clear = [row for row, label in enumerate(plain) if label in BIASED]
    if len(clear) == 1:
        return clear[0]
    if len(labels) == 1:
        return None if plain[0] in UNBIASED else 0
    if len(labels) != 2:
        return None
    denied = [row for row, label in enumerate(plain) if label in UNBIASED]
    return 1 - denied[0] if len(denied) == 1 else 1


def fresh_heads(config: Any, heads: int) -> None:
    """Set a configuration of transformers to new heads of two classes, side by side."""
    names = dict(enumerate(f"{k or ''}{word}" for k in range(heads) for word in LABELS))
    config.num_labels = 2 * heads
    config.id2label, config.label2id = names, {name: number for number, name in names.items()}
    config.problem_type = None


def two_classes(model: Any, rows: Rows) -> None:
    """Put two rows of a classifier's own last layer, in place, where its head was.

    Args:
        model: a sequence classifier of transformers.
        rows: for the class 0 and the class 1, biased.

    Raises:
        OptionError: its last layer is not linear with a row for each label.
    """
    import torch

    number = model.config.num_labels
    linear = [
        (name, module)
        for name, module in model.named_modules()
        if isinstance(module, torch.nn.Linear)
        and module.out_features == number
        and not name.startswith(f"{model.base_model_prefix}.")
    ]
    if not linear:
        found = f"no linear layer of its head has {number} rows, one for each label"
        raise OptionError("Reading with a classifier's own head", found, "Fine-tune encoder:NAME")
    name, old = linear[-1]
    new = torch.nn.Linear(old.in_features, 2, bias=old.bias is not None)
    with torch.no_grad():
        new.weight.zero_()
        if old.bias is not None:
            new.bias.zero_()
        for place, row in enumerate(rows):
            if row is not None:
                new.weight[place] = old.weight[row]
                if old.bias is not None:
                    new.bias[place] = old.bias[row]
    model.set_submodule(name, new)
    fresh_heads(model.config, 1)
    model.num_labels = 2
