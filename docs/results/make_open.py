"""Write docs/results/open.md from run directories, so that no number in it is typed by hand.

    python docs/results/make_open.py RUNS > docs/results/open.md

RUNS is a folder; every run directory below it is read, whatever its name: what it was trained and
tested on stands in its run.json. `docs/results/open/commands.txt` has the commands. BABE and MBIB
are found as by `slant run`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from make_mbib import interval, row

from slant.annotate.concordance import agreement
from slant.data.baitsamples import ANNOTATORS, load_bait_samples, sample_passes
from slant.data.samples import load_sentences, read_sample_rows, sample_card
from slant.data.schemas import load_schema
from slant.runs.outcomes import outcomes
from slant.runs.scoring import load_scores
from slant.stats.overseeds import drawn_clusters, estimate, mean_of, over_seeds
from slant.tasks.options import Options
from slant.tasks.prepare import prepared
from slant.tasks.splits import split_text

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "samples"))
OWN = "open/sentences"
LEVEL, RESAMPLES, SEED = 0.95, 2000, 42
LIMIT = 0.55
"""What the probe of artefacts may reach."""
AIM, AIMED = 0.68, "encoder:minilm"
"""Class F1 on BABE that this system should reach, taught on the embedded sentences alone."""
FIRST = 16
"""Articles up to n16 were written with their two passes, later ones marked by two apart."""
PAPER = {
    "mean": (0.53, 0.50), "B03": (0.23, None), "B06": (None, 0.66), "B09": (0.63, 0.33),
}  # fmt: skip
"""Of BAIT's section 4.4: kappa of presence and F1 of words over 50 articles, where its text has
them; the other biases stand in its table 2 alone, between these."""


@dataclass(frozen=True, slots=True)
class Found:
    """A run on one task: where it lies, what was asked, its scores of the task and of controls."""

    folder: Path
    asked: Mapping[str, Any]
    scores: Mapping[str, Any]
    task: str

    @property
    def options(self) -> Options:
        """Its protocol."""
        return Options(**self.asked["options"])

    @property
    def own(self) -> Mapping[str, Any]:
        """Scores of the task."""
        return self.scores["tasks"][self.task]

    @property
    def system(self) -> str:
        """Its name and parameters, without version and fingerprint."""
        return re.sub(r"(#\w+)?@\d+", "", self.asked["system"])

    @property
    def order(self) -> tuple[Any, ...]:
        """Tasks together, what is trained on itself first, then systems, small shares first."""
        options = self.options
        return (
            self.task, options.train_on, self.system, options.train_share
        )  # fmt: skip


def runs_of(folder: Path) -> list[Found]:
    """Every scored run below a folder, task by task."""
    found = []
    for path in sorted(folder.rglob("scores.json")):
        asked, scores = load_scores(path.parent)
        found += [Found(path.parent, asked, scores, task) for task in asked["tasks"]]
    return sorted(found, key=lambda one: one.order)


def table(head: Sequence[str], rows: Iterable[Sequence[object]], words: int = 1) -> list[str]:
    """A Markdown table; all columns but the first `words` are flush right."""
    rule = ["---"] * words + ["---:"] * (len(head) - words)
    return [row(*head), row(*rule), *(row(*cells) for cells in rows)]


def shown(one: Mapping[str, Any]) -> str:
    """An estimate, or a dash where there is none."""
    if one["value"] is None:
        return "–"
    return f"{one['value']:.3f}" if one["low"] is None else interval(dict(one))


def plain(value: float | None) -> str:
    """A number of the paper, or nothing where its text has none."""
    return "" if value is None else f"{value:.2f}"


def transfer_rows(found: Sequence[Found]) -> list[list[object]]:
    """Each run at full share: what it learnt from, and what it reaches where."""
    rows: list[list[object]] = []
    for one in found:
        if one.options.train_share < 1:
            continue
        counts = one.own["confusion"]
        total = sum(counts.values())
        random = one.scores["controls"]["random"][one.task]["micro_class_f1"]
        rows.append(
            [
                one.task,
                one.options.train_on or f"itself, {split_text(one.options)}",
                one.system,
                f"{one.scores['counts']['train'][one.task]:,}",
                f"{one.own['n']:,}",
                shown(one.own["scores"]["micro_class_f1"]),
                shown(one.own["scores"]["auroc"]),
                shown(random),
                f"{(counts['tp'] + counts['fp']) / total:.2f} of {(counts['tp'] + counts['fn']) / total:.2f}",
            ]
        )
    return rows


def curve_rows(found: Sequence[Found]) -> list[list[object]]:
    """Runs that were made at several shares of train."""
    alike: dict[tuple[Any, ...], list[Found]] = {}
    for one in found:
        alike.setdefault(one.order[:3], []).append(one)
    return [
        [
            one.task,
            one.options.train_on or "itself",
            one.system,
            f"{one.options.train_share:g}",
            f"{one.scores['counts']['train'][one.task]:,}",
            shown(one.own["scores"]["micro_class_f1"]),
        ]
        for group in alike.values()
        if len(group) > 1
        for one in group
    ]


def wrong_answers(one: Found) -> pl.DataFrame:
    """The tested sentences of a run on the embedded ones: whether wrong, kinds, difficulty, rule."""
    ready = [prepared(one.task, one.options, seed, None, {}) for seed in one.asked["seeds"]]
    said = outcomes(one.folder, ready, one.options.splits)
    wrong = said.select("id", wrong=(pl.col("predicted") != pl.col("label")).fill_null(True))
    columns = ("id", "label", "article", "kinds", "difficulty", "rule", "hard_negative")
    return wrong.join(load_sentences().select(*columns), on="id")


def error_rows(tables: Mapping[str, pl.DataFrame]) -> list[list[object]]:
    """Share of wrong answers of each system, over groups of sentences."""
    first = next(iter(tables.values()))
    kinds = sorted({kind for row_ in first["kinds"].to_list() for kind in row_})
    groups: list[tuple[str, pl.Expr]] = [
        ("all biased", pl.col("label") == 1), ("all neutral", pl.col("label") == 0),
    ]  # fmt: skip
    groups += [(f"biased: {kind}", pl.col("kinds").list.contains(kind)) for kind in kinds]
    for label, name in ((1, "biased"), (0, "neutral")):
        groups += [
            (
                f"{name}: difficulty {step}",
                (pl.col("label") == label) & (pl.col("difficulty") == step),
            )
            for step in sorted(first["difficulty"].unique().to_list())
        ]
    neutral = first.filter(pl.col("label") == 0)
    for rule in sorted(neutral["rule"].unique().to_list()):
        hard = neutral.filter(pl.col("rule") == rule)["hard_negative"].all()
        name = f"neutral: rule {rule}{', hard' if hard else ''}"
        groups.append((name, (pl.col("label") == 0) & (pl.col("rule") == rule)))
    rows: list[list[object]] = []
    for name, rule_of in groups:
        parts = {system: one.filter(rule_of) for system, one in tables.items()}
        number = next(iter(parts.values())).height
        if number:
            cells = [shown(wrong_share(part)) for part in parts.values()]
            rows.append([name, f"{number:,}", *cells])
    return rows


def wrong_share(part: pl.DataFrame) -> dict[str, Any]:
    """The share of wrong answers with its interval over events."""
    events = part["article"].to_list()
    drawn = drawn_clusters(events, RESAMPLES, SEED, ["wrong"])
    values = part["wrong"].to_numpy().astype(np.float64)
    return estimate(over_seeds([(events, mean_of(values))], drawn), LEVEL)


def agreement_lines() -> list[str]:
    """Agreement of the two passes, for the two ways in which they came about, beside the paper's."""
    schema, every = load_schema("bait"), load_bait_samples()
    sets = {
        f"n01 to n{FIRST}": [one for one in every if int(one.item.id[1:]) <= FIRST],
        f"n{FIRST + 1} on": [one for one in every if int(one.item.id[1:]) > FIRST],
    }
    found = {name: passes_agreement(own, schema.codes) for name, own in sets.items() if own}
    head = ["bias"]
    for name in found:
        head += [f"kappa, {name}", f"word F1, {name}"]
    rows = []
    for code in (*schema.codes, "mean"):
        names = {bias.code: bias.name for bias in schema.biases}
        cells: list[object] = [f"{code} {names.get(code, '')}".strip()]
        for one in found.values():
            own = one["mean"] if code == "mean" else one["biases"][code]
            cells += [shown(own["kappa"]), shown(own["token_f1"])]
        rows.append([*cells, *(plain(value) for value in PAPER.get(code, (None, None)))])
    sizes = ", ".join(f"{one['articles']} articles {name}" for name, one in found.items())
    head = [*head, "kappa, BAIT", "word F1, BAIT"]
    return [f"{sizes}; 95 % intervals over articles.", "", *table(head, rows)]


def passes_agreement(examples: Sequence[Any], codes: Sequence[str]) -> dict[str, Any]:
    """Agreement of the two annotators over some of the articles."""
    return agreement(*sample_passes(examples), codes, SEED, names=ANNOTATORS, resamples=RESAMPLES)


def probe_lines() -> list[str]:
    """What a model reaches that sees no telling word."""
    from sentencelint import probe_f1

    probe = probe_f1(read_sample_rows("sentences.jsonl"))
    kept = "kept" if max(probe.values()) <= LIMIT else "NOT kept"
    said = {
        "surface": "lengths, marks, capitals, figures",
        "artefacts": "these, position, names, words of the topic, section and outlet",
    }
    rows = [[said[name], f"{f1:.3f}"] for name, f1 in probe.items()]
    lines = [
        "Logistic regression, five folds that keep events together, mean of three groupings; 0.5 is "
        f"chance. The limit of {LIMIT:.2f} is {kept}.",
        "",
        *table(["sees", "class F1"], rows),
    ]
    surface = sample_card("open/pairs").get("surface", {})
    if surface:
        rows = [[name.replace("_", " "), f"{value:.2f}"] for name, value in surface.items()]
        lines += [
            "",
            "The pairs, F1 of the biased class as their card has it; 0.5 is chance:",
            "",
            *table(["sees", "F1"], rows),
        ]
    return lines


def aim_line(found: Sequence[Found]) -> str:
    """Whether the encoder taught on the embedded sentences alone reaches the aim on BABE."""
    here = [
        one
        for one in found
        if one.task == "babe"
        and one.options.train_on == OWN
        and one.options.train_share == 1
        and one.system.startswith(AIMED)
    ]
    aim = f"Aim: class F1 of {AIM} on BABE by {AIMED}, taught on {OWN} alone"
    told = [
        f"{one.system} {shown(own)}, {'reached' if own['value'] >= AIM else 'not reached'}"
        for one in here
        if (own := one.own["scores"]["micro_class_f1"])
    ]
    return f"{aim}: {'; '.join(told) or 'no run of it is here'}."


def main(folder: Path) -> None:
    """Print the page."""
    found = runs_of(folder)
    lines = [
        "# The embedded data, measured",
        "",
        "Made by `python docs/results/make_open.py RUNS`; no measured number is typed. Intervals are 95 %, over "
        "resampled clusters of tested texts.",
        "",
        "```",
        *(HERE / "open" / "commands.txt").read_text("utf-8").splitlines(),
        "```",
        "",
        "## Transfer",
        "",
        "Trained on one data set, tested on all rows of another under the preset `clean`, where a "
        "constant answer has a class F1 of 0.333; how: [../transfer.md](../transfer.md). Beside it the "
        'data set\'s own folds. "Called biased" is the share that the system calls biased, of the share '
        "that is.",
        "",
        aim_line(found),
        "",
        "After the first 2,008 sentences the words behind the wrong answers of a bag of words on BABE, and "
        "the AUROC of a frozen encoder there, decided which of 864 further sentences in another style came "
        "in: 288 did, 576 did not. No sentence of BABE was read for it, but BABE is thereby no data that "
        "nobody has looked at, and its figures are a little too good. With the 288, logistic regression over "
        "that encoder went from a class F1 of 0.659 to 0.664 there, and from an AUROC of 0.745 to 0.733.",
        "",
        "Every run has one seed. From MBIB back only tf-idf was trained, on 4,000 rows: two cores were "
        "all there was.",
        "",
    ]
    head = ["tested on", "trained on", "system", "trained", "tested", "class F1", "AUROC", "a coin's F1",
            "called biased"]  # fmt: skip
    lines += table(head, transfer_rows(found), 3)
    if curve := curve_rows(found):
        head = ["tested on", "trained on", "system", "share of train", "texts", "class F1"]
        told = (
            "Shares of the events that a run trains on, one seed. On BABE the encoder does best at a "
            "quarter and a half, so that more of these sentences are not better there by themselves."
        )
        lines += ["", "## Learning curve", "", told, "", *table(head, curve, 3)]
    own = {
        one.system: one
        for one in found
        if one.task == OWN and not one.options.train_on and one.options.train_share == 1
    }
    if own:
        lines += [
            "",
            "## Errors",
            "",
            f"Share of wrong answers on {OWN}, each sentence in the fold that tests it; intervals over "
            "events. A sentence with two kinds counts in both.",
            "",
            *table(
                ["sentences", "number", *own],
                error_rows({name: wrong_answers(one) for name, one in own.items()}),
            ),
        ]
    lines += ["", "## Artefacts", "", *probe_lines()]
    lines += [
        "",
        "## Two passes over the articles",
        "",
        f"The passes over n01 to n{FIRST} were written together with the articles, to differ as annotators "
        "do: they exercise the workflow, and their agreement was chosen, not found. Later articles were "
        "marked by two annotators apart from each other, of the same kind as the writers. Their "
        "agreement says how plain the triggers of these articles are to readers of that kind; it is not "
        "that of people with different training on published articles, which is what BAIT's figures are "
        "of (two people, 50 articles; its text has the means and the biases at either end).",
        "",
        *agreement_lines(),
        "",
        "## Signatures",
        "",
        *(f"- `{line}`" for line in dict.fromkeys(one.scores["signature"] for one in found)),
    ]
    print("\n".join(lines))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
