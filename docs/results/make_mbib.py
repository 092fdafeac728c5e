"""Write docs/results/mbib.md from run directories, so that no number in it is typed by hand.

    python docs/results/make_mbib.py RUNS > docs/results/mbib.md

RUNS holds clean/SYSTEM and official/SYSTEM, each made by `slant run mbib`.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

import polars as pl

from slant.data.cards import card_numbers, load_card, load_tasks
from slant.runs.run import prepare_all, quiet
from slant.tasks.counts import row_counts
from slant.tasks.leaks import leaks_of
from slant.tasks.names import task_names
from slant.tasks.options import PRESETS

SYSTEMS = ("majority", "source-only", "random", "lexicon", "tfidf-lr", "minilm-lr")
# Table 4 of the paper: best micro and macro score per task.
PUBLISHED = {
    "linguistic-bias": (0.7126, 0.7664),
    "cognitive-bias": (0.7044, 0.4995),
    "text-level-bias": (0.7697, 0.7532),
    "hate-speech": (0.8897, 0.7310),
    "gender-bias": (0.8334, 0.8211),
    "racial-bias": (0.8772, 0.6170),
    "fake-news": (0.6811, 0.7533),
    "political-bias": (0.7041, 0.7110),
}


def interval(one: dict) -> str:
    """A score with its interval, three decimals."""
    return f"{one['value']:.3f} [{one['low']:.3f}, {one['high']:.3f}]"


def row(*cells: object) -> str:
    """One line of a Markdown table."""
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def scores_of(folder: Path) -> dict[str, dict]:
    """scores.json of each system that was run, in the order of `SYSTEMS`."""
    return {
        name: json.loads((folder / name / "scores.json").read_text())
        for name in SYSTEMS
        if (folder / name / "scores.json").exists()
    }


def score_tables(preset: str, found: dict[str, dict]) -> list[str]:
    """Micro and group F1 of each system and task, with signature."""
    first = next(iter(found.values()))
    tasks = list(first["tasks"])
    lines = []
    for kind in ("micro", "group"):
        name = f"{kind}_{first['primary']}"
        lines += [
            "",
            f"### {preset}: `{name}`",
            "",
            row("task", "texts", *found, *(["best published"] if preset == "official" else [])),
        ]
        lines.append(row(*["---"] * (2 + len(found) + (preset == "official"))))
        for task in tasks:
            cells = [interval(one["tasks"][task]["scores"][name]) for one in found.values()]
            best = PUBLISHED[task.removeprefix("mbib/")][kind == "group"]
            lines.append(
                row(
                    task.removeprefix("mbib/"),
                    f"{first['tasks'][task]['n']:,}",
                    *cells,
                    *([f"{best:.4f}"] if preset == "official" else []),
                )
            )
        lines.append(
            row(
                "**mean over tasks**",
                "",
                *(interval(one["overall"][f"media_bias_{kind}"]) for one in found.values()),
                *([""] if preset == "official" else []),
            )
        )
    signature = first["signature"].replace(f"system:{first['system']}", "system:*")
    versions = ", ".join(one["system"] for one in found.values())
    return [*lines, "", f"Systems: {versions}. Signature:", "", f"`{signature}`"]


def data_table(scores: dict) -> list[str]:
    """What data each task had."""
    lines = [
        row("task", "data sets used (rows, state)", "missing or left out"),
        row("---", "---", "---"),
    ]
    by_name = {one["dataset"]: one for one in scores["data"]}
    for task, one in scores["tasks"].items():
        used = "; ".join(
            f"{name} {load_card(name).short} ({by_name[name]['used'][task]:,}, {by_name[name]['state']})"
            for name in one["datasets"]
        )
        absent = [
            f"{missing['dataset']} {load_card(missing['dataset']).short}"
            for missing in one["missing"]
        ]
        small = [
            name
            for name in by_name
            if task in by_name[name]["used"] and name not in one["datasets"]
        ]
        absent += [f"{name} {load_card(name).short} (too few rows here)" for name in small]
        lines.append(row(task.removeprefix("mbib/"), used, "; ".join(absent) or "-"))
    return lines


def count_table(preset: str) -> list[str]:
    """Rows and labels per data set, with the reasons for each difference from the paper."""
    lines = [
        row(
            "data set",
            "state",
            "paper",
            "read",
            "0",
            "1",
            "left out",
            "why it differs from the paper",
        ),
        row(*["---"] * 8),
    ]
    for one in row_counts(card_numbers(), PRESETS[preset], None):
        paper = " / ".join(f"{n:,}" for n in dict.fromkeys(one.paper.values()))
        left = ", ".join(f"{n:,} {reason}" for reason, n in one.left_out.items()) or "-"
        cells = [f"{n:,}" for n in (one.records, one.unbiased, one.biased)]
        lines.append(
            row(
                f"{one.dataset} {one.name}",
                one.state,
                paper,
                *cells,
                left,
                " ".join(one.why) or "-",
            )
        )
    return lines


def leak_tables() -> list[str]:
    """The leak report of both presets."""
    names, _ = task_names(["mbib"], None)
    lines = []
    for preset in ("official", "clean"):
        ready, _ = prepare_all(names, PRESETS[preset], [42], None, True, quiet)
        found = {one.task: asdict(leaks_of(pl.read_parquet(one.rows))) for one in ready}
        columns = list(next(iter(found.values())))
        lines += [
            "",
            f"### {preset}",
            "",
            row("task", *(c.replace("_", " ") for c in columns)),
            row(*["---"] * (len(columns) + 1)),
        ]
        lines += [
            row(task.removeprefix("mbib/"), *(f"{n:,}" for n in counts.values()))
            for task, counts in found.items()
        ]
    return lines


def left_out_table(scores: dict) -> list[str]:
    """Rows left out of each task, by reason."""
    reasons = sorted({reason for one in scores["tasks"].values() for reason in one["left_out"]})
    lines = [row("task", *reasons), row(*["---"] * (len(reasons) + 1))]
    for task, one in scores["tasks"].items():
        lines.append(
            row(
                task.removeprefix("mbib/"),
                *(f"{one['left_out'].get(reason, 0):,}" for reason in reasons),
            )
        )
    return lines


def main(runs: Path) -> None:
    """Print the page."""
    clean, official = scores_of(runs / "clean"), scores_of(runs / "official")
    sums = {
        name: (task.paper_total, task.paper_sum)
        for name, task in load_tasks().items()
        if task.paper_total != task.paper_sum
    }
    differ = "; ".join(
        f"{name} {total:,} against {added:,}" for name, (total, added) in sums.items()
    )
    lines = [
        "# MBIB: measured",
        "",
        "Made by `python docs/results/make_mbib.py RUNS` from runs of `slant run mbib --system SYSTEM "
        "--preset PRESET`; no number of ours is typed; the best published ones are the paper's table 4. Intervals are 95 %, over resampled clusters of test texts; "
        "they do not hold the chance of training. Only part of MBIB's data was at hand: compare systems "
        "within a table, not with the paper.",
        "",
        "## Data of each task (clean)",
        "",
        *data_table(next(iter(clean.values()))),
        "",
        "## Scores",
        *score_tables("clean", clean),
        *score_tables("official", official),
        "",
        "`majority`, `source-only` and `random` are controls. Under `official` balance, knowing only the data set "
        "carries far; under `clean` it carries nothing on `group` scores and little on `micro`. Official "
        "text-level bias has 75 test texts here and weighs as much as any other task in the means. "
        "Intervals of means take tasks as independent although RedditBias and LIAR serve several: they "
        "are somewhat too narrow.",
        "",
        "## Rows and labels per data set (clean)",
        "",
        *count_table("clean"),
        "",
        f"Sums of the paper's table 2 that do not add up: {differ}.",
        "",
        "## Rows left out of each task (clean)",
        "",
        *left_out_table(next(iter(clean.values()))),
        "",
        "## What leaks",
        "",
        "Rows used; texts equal but for case, punctuation and blanks; pairs of near-duplicates (Jaccard of "
        "5-byte shingles at least 0.6, searched with sketches of the report's own), and those in two folds; articles and minimal pairs in two folds; texts "
        "in two data sets; texts with both labels; blank and damaged texts.",
        *leak_tables(),
    ]
    print("\n".join(lines))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
