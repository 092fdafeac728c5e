"""The README.md of a kept detector, from its detector.json alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from slant.stats.levels import level_percent

SHOWN = (
    "micro_class_f1",
    "micro_biased_f1",
    "micro_weighted_f1",
    "group_class_f1",
    "accuracy",
    "precision",
    "recall",
    "mcc",
    "auroc",
)
NOT_FOR = (
    "Not to judge a person, an author or an outlet: it sees one text and no context, and no score "
    "here is about outlets.",
    "Not to remove, rank or flag texts without a person who reads them and can be answered back.",
    "Not to say what is true: biased words may state facts, and neutral ones a falsehood.",
    "Not for other languages, times or kinds of text than those of its training data; there the "
    "scores say nothing.",
    "Not for a share of biased texts in a corpus without correcting for its errors: half of "
    "the training texts were biased by design where the protocol balances.",
    "Not beyond what the licences of the data and of the base checkpoint allow.",
)


def model_card(facts: Mapping[str, Any], name: str) -> str:
    """A model card in Markdown with the head that the hub reads.

    Args:
        facts: of detector.json.
        name: of the folder.
    """
    scores = facts["scores"]
    parts = [
        _head(facts),
        f"# {name}: a detector for {facts['task']}",
        f"{facts['system']}, trained by slant {facts['slant']} with",
        f"    {facts['command'] or '-'}",
        "and used by",
        f"    slant predict {name} corpus.parquet --out scored.parquet",
        "It gives each text a probability of being biased as the annotators of its training data "
        "understood the word.",
        "## What it must not be used for",
        "\n".join(f"- {line}" for line in NOT_FOR),
        "## Data",
        _table(
            ("data set", "name", "licence", "rows used", "sha256"),
            [
                (
                    one["dataset"],
                    one["name"],
                    one["licence"],
                    f"{one['used'][facts['task']]:,}",
                    one["fingerprint"][:8],
                )
                for one in facts["data"]
            ],
        ),
        _training(facts),
        f"## Scores\n\n{_where(facts)}",
        _table(
            ("score", "value", f"{level_percent(scores['level'])} interval"),
            [(key, *_estimate(scores["scores"][key])) for key in SHOWN if key in scores["scores"]],
        ),
        _table(
            ("data set", "texts", "biased", "F1", "recall"),
            [
                (
                    key,
                    f"{one['n']:,}",
                    f"{one['by_label']['1']:,}",
                    _n(one["f1"]),
                    _n(one["recall"]),
                )
                for key, one in scores["groups"].items()
            ],
        ),
        _calibration(facts),
        _cascade(facts.get("cascade")),
        f"## Signature\n\n`{facts['signature']}`",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(facts: Mapping[str, Any]) -> str:
    return "\n".join(
        [
            "---",
            "language: en",
            "library_name: transformers",
            "pipeline_tag: text-classification",
            "license: other",
            "license_name: see-the-licences-of-the-data-below",
            "tags: [media-bias, slant]",
            "---",
        ]
    )


def _training(facts: Mapping[str, Any]) -> str:
    rows = facts["rows"]
    best = min((one["eval_loss"] for one in facts["epochs"]), default=None)
    loss = "" if best is None else f" The least log loss on dev was {best:.4f}."
    return (
        f"Trained on {rows['train']:,} texts, dev {rows['dev']:,}, seed {facts['seed']}; texts "
        f"longer than {facts['max_length']} tokens are "
        f"{'split into windows' if facts['long'] == 'window' else 'cut'}.{loss}"
    )


def _where(facts: Mapping[str, Any]) -> str:
    scores = facts["scores"]
    if scores["from"] == "cross-validation":
        return (
            f"Of {scores['folds']}-fold cross-validation of the same recipe over {scores['n']:,} "
            "texts. This detector was trained on all rows but dev, so more than any of those "
            "scored, and was itself tested on nothing; those answer from 0.5 on."
        )
    return (
        f"Of this very detector on the {scores['n']:,} texts of fold 0, which it was not trained "
        f"on, biased from its threshold on."
    )


def _calibration(facts: Mapping[str, Any]) -> str:
    found = facts["scores"]["calibration"]
    text = (
        f"## Calibration\n\nTemperature {facts['temperature']:.3f} and threshold "
        f"{facts['threshold']:.3f} (highest class F1) were chosen on the {facts['rows']['dev']:,} "
        "texts of dev."
    )
    if not found:
        return text
    after = " before calibration" if facts["scores"]["from"] == "cross-validation" else ""
    return (
        f"{text} On the scored texts{after} the expected calibration error is {_n(found['ece'])} "
        f"and Brier's score {_n(found['brier'])}."
    )


def _cascade(found: Mapping[str, Any] | None) -> str:
    if found is None:
        return ""
    rows = [
        (
            f"{one['bound']:g}",
            f"{one['share']:.1%}",
            f"{one['disagreement']:.2%}",
            _n(one["encoder_class_f1"]),
            _n(one["cascade_class_f1"]),
            f"{one['loss']:+.3f}",
        )
        for one in found["rows"]
    ]
    head = ("bound", "answered", "disagreement", "F1 encoder", "F1 cascade", "loss")
    return (
        "## Cascade\n\nA linear model answers where it is sure. It was taught on "
        f"{found['taught_on']:,} unlabelled texts, every fourth of which chose the bands; measured "
        f"on the {found['rows'][0]['n']:,} labelled texts of {found['part']}.\n\n"
        f"{_table(head, rows)}"
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines)


def _estimate(one: Mapping[str, Any]) -> tuple[str, str]:
    low, high = one.get("low"), one.get("high")
    return _n(one.get("value")), "-" if low is None else f"{low:.3f} to {high:.3f}"


def _n(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
