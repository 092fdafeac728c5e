"""Write docs/results/vilbias.md from run directories, so that no number in it is typed by hand.

    python docs/results/make_vilbias.py RUNS > docs/results/vilbias.md

RUNS holds a folder for each of `PARTS`, in it a run of each of `SYSTEMS`; docs/fusion.md gives the
commands. The data are found as by `slant compare`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from make_mbib import interval, row

from slant.runs.comparing import compare
from slant.stats.corrections import adjusted, holm
from slant.types import Test

SYSTEMS = {
    "majority": "control",
    "fusion-tfidf": "text alone",
    "fusion-minilm": "text alone",
    "fusion-none+color": "image alone",
    "fusion-none+efficientnet": "image alone",
    "fusion-tfidf+color": "both",
    "fusion-tfidf+efficientnet": "both",
    "fusion-minilm+color": "both",
    "fusion-minilm+efficientnet": "both",
}
PARTS = {
    "pairs-multimodal": (
        "Drawn pairs, label of text and image together",
        "An item is biased where its text or its image is.",
    ),
    "pairs-holdout": (
        "Drawn pairs, label of text and image together, one split",
        "The paper's shares. A test part has some eight items, another for each seed: intervals "
        "say how little that shows, and the folds above are to be preferred.",
    ),
    "pairs-text": (
        "Drawn pairs, label of the text",
        "The image's own label plays no part: what the image adds here is noise, or a leak.",
    ),
    "pairs-image": (
        "Drawn pairs, label of the image",
        "What the text adds here is noise, or a leak.",
    ),
    "mediaeval-multimodal": (
        "MediaEval 2016, fake or real posts: a transfer exercise",
        "Not bias: posts that make false claims of an image, against true ones. All posts of an "
        "event stay in one fold, so that neither a text nor an image is seen again. There are few "
        "events, most of one label alone: a fold that tests an event of the rarer label lacks it "
        "in train, which is how an AUROC comes to lie below one half.",
    ),
    "mediaeval-image": (
        "MediaEval 2016, tampered images: a transfer exercise",
        "Not bias: whether the image was altered; one post for each image. Images without a post "
        "are left out. A fold tests six items: a class F1 of so few is far from its expectation, "
        "and so may its interval be; accuracy and AUROC suffer less.",
    ),
}
SHOWN = {
    "micro_class_f1": "class F1",
    "micro_biased_f1": "F1 of biased",
    "accuracy": "accuracy",
    "auroc": "AUROC",
}
SCORE = "micro_class_f1"


def protocol(options: dict) -> str:
    """How the items were split, in words."""
    if options["split"] == "holdout":
        shares = options["test_share"], options["dev_share"]
        parts = [1 - sum(shares), shares[1], shares[0]]
        return f"One split into {'/'.join(f'{100 * one:.0f}' for one in parts)} for each seed"
    return f"{options['folds']} folds for each seed"


def short(name: str) -> str:
    """A run's folder as the system is called."""
    return f"`{name.replace('fusion-', 'fusion:', 1)}`"


def scores_of(folder: Path) -> dict[str, dict]:
    """The scores of the one task of each run of a part."""
    found = {}
    for name in SYSTEMS:
        whole = json.loads((folder / name / "scores.json").read_text())
        (task,) = whole["tasks"].values()
        found[name] = {**whole, "task": task}
    return found


def score_table(found: dict[str, dict]) -> list[str]:
    """Every system's scores with their intervals."""
    lines = [row("system", "reads", *SHOWN.values()), row(*["---"] * (2 + len(SHOWN)))]
    for name, one in found.items():
        scores = one["task"]["scores"]
        cells = [
            interval(scores[key])
            if isinstance(scores.get(key), dict) and scores[key].get("low") is not None
            else "-"
            for key in SHOWN
        ]
        lines.append(row(short(name), SYSTEMS[name], *cells))
    return lines


def couples() -> list[tuple[str, str]]:
    """Each system of both, after the one of its text alone and of its image alone."""
    both = [name.removeprefix("fusion-") for name, reads in SYSTEMS.items() if reads == "both"]
    texts = [(f"fusion-{one.split('+')[0]}", f"fusion-{one}") for one in both]
    images = [(f"fusion-none+{one.split('+')[1]}", f"fusion-{one}") for one in both]
    return [*texts, *images]


def difference_table(folder: Path) -> list[str]:
    """What the second source adds: paired differences; Holm's correction over the table."""
    rows, tests = [], []
    for one, other in couples():
        (found,) = compare([folder / one, folder / other], score=SCORE)
        (task,) = found["tasks"]
        p = task["p_randomisation"]
        tests.append(Test(other, task["difference"], p, task["n"], "randomisation"))
        difference = f"{task['difference']:+.3f} [{task['low']:+.3f}, {task['high']:+.3f}]"
        rows.append([short(other), short(one), difference, f"{p:.4f}"])
    lines = [row("both", "less", f"difference in {SHOWN[SCORE]}", "p", "p Holm")]
    lines.append(row(*["---"] * 5))
    for cells, test in zip(rows, adjusted(tests, holm), strict=True):
        lines.append(row(*cells, f"{test.p_adjusted:.4f}"))
    return lines


def part_lines(folder: Path, title: str, says: str) -> list[str]:
    """One section: data, scores, differences, signature."""
    found = scores_of(folder)
    first = next(iter(found.values()))
    task = first["task"]
    options = json.loads((folder / next(iter(SYSTEMS)) / "run.json").read_text())["options"]
    labels = ", ".join(f"{n:,} of {label}" for label, n in task["by_label"].items())
    left = ", ".join(f"{n:,} {why}" for why, n in task["left_out"].items() if n) or "none"
    images = [f"{one['images']:,} images" for one in first["data"] if "images" in one]
    signature = first["signature"].replace(f"system:{first['system']}", "system:*")
    return [
        "",
        f"## {title}",
        "",
        f"{says} {protocol(options)}. {task['n']:,} items tested; by label: {labels}; "
        f"{', '.join(images)} in the data. Left out: {left}.",
        "",
        *score_table(found),
        "",
        *difference_table(folder),
        "",
        f"`{signature}`",
    ]


def main(runs: Path) -> None:
    """Print the page."""
    lines = [
        "# Fusion of text and image: measured",
        "",
        "Made by `python docs/results/make_vilbias.py RUNS` from runs of `slant run`, five seeds "
        "each ([fusion.md](../fusion.md) gives the commands); no number is typed. Values are "
        "means over the seeds; intervals are 95 %, over resampled clusters of items (twins of a "
        "pair, posts of an event); they do not hold the chance of training. Differences are paired "
        "over the same items: the system that reads both less the one that reads one of them, "
        "with the p-value of an approximate randomisation, corrected over the eight of a table.",
        "",
        "The published corpus of ViLBias is not here. The pairs are drawn and their news invented: "
        "small, made to vary one thing at a time, and no sample of any outlet. No number below "
        "stands for one of the paper, and a fresh model of each fold saw few examples.",
    ]
    for name, (title, says) in PARTS.items():
        lines += part_lines(runs / name, title, says)
    print("\n".join(lines))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
