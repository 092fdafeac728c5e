"""Write docs/results/encoders.md from run directories, so that no number in it is typed by hand.

    python docs/results/make_encoders.py RUNS > docs/results/encoders.md

RUNS holds tfidf-lr, minilm-lr, encoder and multitask, each made by `slant run` on the same tasks,
options and seeds; the data are found as by `slant compare`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import polars as pl
from make_mbib import interval, row
from sklearn.metrics import f1_score

from slant.runs.comparing import compare
from slant.runs.outcomes import outcomes
from slant.tasks.options import Options
from slant.tasks.prepare import prepared

NAMES = ("tfidf-lr", "minilm-lr", "encoder", "multitask")
SHOWN = {
    "micro_class_f1": "micro class F1",
    "group_class_f1": "group class F1",
    "mcc": "MCC",
    "auroc": "AUROC",
}
PAIRS = (("minilm-lr", "encoder"), ("tfidf-lr", "encoder"), ("encoder", "multitask"))


def short(task: str) -> str:
    """The task without its benchmark."""
    return task.removeprefix("mbib/")


def score_table(found: dict[str, dict], score: str) -> list[str]:
    """One score of every system and task."""
    first = next(iter(found.values()))
    lines = [row("task", "texts", *found), row(*["---"] * (2 + len(found)))]
    for task, one in first["tasks"].items():
        cells = [interval(scores["tasks"][task]["scores"][score]) for scores in found.values()]
        lines.append(row(short(task), f"{one['n']:,}", *cells))
    mean = {"micro_class_f1": "media_bias_micro", "group_class_f1": "media_bias_group"}.get(score)
    if mean:
        cells = [interval(scores["overall"][mean]) for scores in found.values()]
        lines.append(row("**mean over tasks**", "", *cells))
    return lines


def difference_table(runs: Path, a: str, b: str) -> list[str]:
    """What the second system adds to the first, with its tests."""
    (found,) = compare([runs / a, runs / b], score="micro_class_f1")
    columns = ("task", a, b, "difference", "p bootstrap", "p randomisation", "p Holm")
    lines = [row(*columns), row(*["---"] * len(columns))]
    for one in found["tasks"]:
        difference = f"{one['difference']:+.3f} [{one['low']:+.3f}, {one['high']:+.3f}]"
        tests = [f"{one[key]:.4f}" for key in ("p_bootstrap", "p_randomisation", "p_holm")]
        cells = (short(one["task"]), f"{one['a']:.3f}", f"{one['b']:.3f}", difference, *tests)
        lines.append(row(*cells))
    return lines


def called_table(found: dict[str, dict]) -> list[str]:
    """The share of texts that is biased, and that each system calls biased."""
    lines = [row("task", "biased", *found), row(*["---"] * (2 + len(found)))]
    for task in next(iter(found.values()))["tasks"]:
        counts = [scores["tasks"][task]["confusion"] for scores in found.values()]
        called = [(one["tp"] + one["fp"]) / sum(one.values()) for one in counts]
        biased = (counts[0]["tp"] + counts[0]["fn"]) / sum(counts[0].values())
        lines.append(row(short(task), f"{biased:.3f}", *(f"{share:.3f}" for share in called)))
    return lines


def ranked_table(runs: Path, found: dict[str, dict]) -> list[str]:
    """Class F1 where each system calls as many texts of a fold biased as are."""
    asked = json.loads((runs / next(iter(found)) / "run.json").read_text())
    options = Options(**asked["options"])
    lines = [row("task", *found), row(*["---"] * (1 + len(found)))]
    for task in asked["tasks"]:
        ready = [prepared(task, options, seed, None, {}) for seed in asked["seeds"]]
        cells = []
        for name in found:
            folds = outcomes(runs / name, ready, options.splits).partition_by("seed", "fold")
            cells.append(f"{sum(map(ranked_f1, folds)) / len(folds):.3f}")
        lines.append(row(short(task), *cells))
    return lines


def ranked_f1(fold: pl.DataFrame) -> float:
    """Class F1 of one fold, cut at the quantile of its probabilities that its share of bias is."""
    gold, p = fold["label"].to_numpy(), fold["probability"].to_numpy()
    return float(f1_score(gold, p >= np.quantile(p, 1 - gold.mean()), average="macro"))


def training_table(found: dict[str, dict]) -> list[str]:
    """Mean training rows of a fold, and what was kept from the encoder of all tasks."""
    single, joint = (found[name]["counts"]["train"] for name in ("encoder", "multitask"))
    lines = [row("task", "rows of a fold", "learnt by multitask"), row("---", "---", "---")]
    lines += [row(short(task), f"{single[task]:,}", f"{joint[task]:,}") for task in single]
    return lines


def main(runs: Path) -> None:
    """Print the page."""
    found = {
        name: json.loads((runs / name / "scores.json").read_text())
        for name in NAMES
        if (runs / name / "scores.json").exists()
    }
    lines = [
        "# Fine-tuned encoders: measured",
        "",
        "Made by `python docs/results/make_encoders.py RUNS`; no number is typed. Preset `clean`, five "
        "folds, one seed, and the stated sample `--set train_rows=800`: each system learns from the same "
        "at most 800 rows of a fold and is tested on every row. `encoder` is `encoder:minilm`, "
        "`multitask` is `encoder-multitask:minilm`, both with `epochs=2` and `batch=16`, chosen before any result was seen; the others are as they come. "
        "Intervals are 95 %, over resampled clusters of test texts; they do not hold the chance of "
        "training.",
        "",
        "```",
        *(one["command"] for one in found.values()),
        "```",
    ]
    for score, title in SHOWN.items():
        lines += ["", f"## {title}", "", *score_table(found, score)]
    lines += ["", "## Called biased", ""]
    lines += [
        "A run answers from a probability of 0.5 on, and class F1 punishes a system that calls too "
        "few or too many texts biased. On the two tasks that are mostly LIAR every system here calls too "
        "few biased, the fine-tuned ones among them. A hundred steps on 800 rows are little for its statements; on all rows of "
        "racial bias fine-tuning adds more: see [encoders-racial.md](encoders-racial.md).",
        "",
        *called_table(found),
        "",
        "The same answers cut so that each system calls as many texts of a fold biased as are, class "
        "F1. This uses the share of bias in the test part, which no detector knows: it separates the "
        "order of the texts from the threshold, and is no score to report.",
        "",
        *ranked_table(runs, found),
    ]
    lines += ["", "## Differences in micro class F1", ""]
    lines += [
        "Paired bootstrap (interval, first p) and approximate randomisation (second p), 10,000 each; "
        "Holm's correction of the second over the tasks.",
    ]
    for a, b in PAIRS:
        if a in found and b in found:
            lines += ["", f"### {a} to {b}", "", *difference_table(runs, a, b)]
    if "multitask" in found:
        lines += ["", "## Training rows", ""]
        lines += [
            "LIAR is in two of these tasks and RedditBias in two, so a row that another task tests in the "
            "same fold is kept from the encoder of all tasks. It therefore learns less of these tasks than "
            "the single ones do.",
            "",
            *training_table(found),
        ]
    lines += ["", "## Signatures", ""]
    lines += [f"- `{one['signature']}`" for one in found.values()]
    print("\n".join(lines))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
