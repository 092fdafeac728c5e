"""Write docs/results/explanations.md and its figures from the folder of a study, so that no number
in it is typed by hand.

    python docs/results/make_explanations.py STUDY [--slow RUN] [--second RUN] [--divided RUN ...]

STUDY holds explain.json and circuit.json (`slant explain`, `slant circuit`); --slow is a run of one
seed that was explained by the slow methods too; --second is a run of another encoder, with its own
explain.json and circuit.json; --divided are runs with `--set groups=near`, where
sentences of one article may stand on two sides of a split, in the order of STUDY's runs.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from slant.report.drawings import figure_svg
from slant.report.formats import table_markdown
from slant.report.studies import study
from slant.report.studypage import study_report
from slant.report.studywords import study_answers, study_asked
from slant.runs.studyrecords import read_study

HERE = Path(__file__).parent
FIGURES = (
    "circuits-classes-words",
    "circuits-corruption-words",
    "effects-words",
    "effects-excess",
    "plausibility-retention",
)
TABLES = (
    ("The paper's table 1", ("models",)),
    ("Every method", ("plausibility", "plausibility-pooled", "sentences")),
    ("Tested differences", ("differences",)),
    ("Table C2: weight of attention's loss, on development data", ("lambda",)),
    ("Table D1: either class", ("classes",)),
    ("Erasure, with as many random words beside", ("erasure-delete", "erasure-mask",
                                                   "erasure-unknown")),
    ("Heads", ("heads",)),
    ("Table E1: circuits", ("circuits-classes-words", "circuits-corruption-words",
                            "circuits-corruption-random-words", "circuits-corruption-excess",
                            "plausibility-retention")),
)  # fmt: skip


def commands(folder: Path) -> list[str]:
    """The commands that made the runs of a study, without the folders of a machine."""
    found = []
    for path in sorted(folder.glob("*/run.json")):
        asked = json.loads(path.read_text("utf-8"))
        params = " ".join(f"-p {key}={value}" for key, value in sorted(asked["params"].items()))
        seeds = ",".join(map(str, asked["seeds"]))
        found.append(f"{path.parent.name}: {asked['spec']} {params} --seeds {seeds}")
    return found


def tables_of(folder: Path) -> dict[str, str]:
    """The tables of a study's report in Markdown, by name; its figures are written beside."""
    read = read_study(folder)
    tables, figures, _ = study_report(study(read.explain, read.circuit))
    place = HERE / "explanations"
    place.mkdir(exist_ok=True)
    for figure in figures:
        if figure.name in FIGURES:
            (place / f"{figure.name}.svg").write_text(figure_svg(figure), "utf-8")
    return {table.name: table_markdown(table) for table in tables}


def second_encoder(run: Path) -> list[str]:
    """What another encoder's explanations and heads are like, with its heat map."""
    read = read_study(run)
    found = study(read.explain, read.circuit)
    tables, figures, _ = study_report(found)
    lines = ["", "## A second encoder, 12 layers of 12 heads", "", study_asked(found), ""]
    lines += [*(HERE / "explanations" / "second.md").read_text("utf-8").splitlines(), ""]
    wanted = ("models", "plausibility", "erasure-delete", "heads", "circuits-classes-words")
    for table in tables:
        if table.name in wanted:
            lines += [table_markdown(table).strip(), ""]
    for figure in figures:
        if figure.name in ("effects-words", "circuits-classes-words"):
            (HERE / "explanations" / f"second-{figure.name}.svg").write_text(
                figure_svg(figure), "utf-8"
            )
            lines += [f"![{figure.name}](explanations/second-{figure.name}.svg)", ""]
    return lines


def divided_table(kept: list[Path], divided: list[Path]) -> list[str]:
    """Class F1 with articles kept together and divided, a row for each condition."""
    lines = [
        "| condition | articles | class F1 | of each seed |",
        "| --- | --- | ---: | --- |",
    ]
    for one, other in zip(kept, divided, strict=True):
        for articles, run in (("on one side", one), ("divided", other)):
            found = json.loads((run / "scores.json").read_text("utf-8"))
            score = found["tasks"]["babe"]["scores"]["micro_class_f1"]
            seeds = " ".join(f"{value:.3f}" for value in score["folds"])
            value, low, high = (f"{score[key]:.3f}" for key in ("value", "low", "high"))
            lines.append(f"| {run.name} | {articles} | {value} [{low}, {high}] | {seeds} |")
    return lines


def main() -> None:
    """Write the page."""
    asked = argparse.ArgumentParser()
    asked.add_argument("study", type=Path)
    asked.add_argument("--slow", type=Path)
    asked.add_argument("--second", type=Path)
    asked.add_argument("--divided", type=Path, nargs="*", default=[])
    given = asked.parse_args()
    folder = given.study
    read = read_study(folder)
    found = study(read.explain, read.circuit)
    made = tables_of(folder)
    lines = [
        "# Explanations on BABE, measured",
        "",
        "Made by `docs/results/make_explanations.py` from what the commands below left; tables and",
        "words are those of `slant report`.",
        "",
        "```",
        *(HERE / "explanations" / "commands.txt").read_text("utf-8").splitlines(),
        "```",
        "",
        "What each run was asked for:",
        "",
        "```",
        *commands(folder),
        "```",
        "",
        study_asked(found),
        "",
        *(f"- {answer}" for answer in study_answers(found)),
        "",
        *(HERE / "explanations" / "reading.md").read_text("utf-8").splitlines(),
    ]
    for title, names in TABLES:
        shown = [name for name in names if name in made]
        if not shown:
            continue
        lines += ["", f"## {title}", ""]
        for name in shown:
            lines += [made[name].strip(), ""]
            if name in FIGURES:
                lines += [f"![{title}](explanations/{name}.svg)", ""]
    for name in ("effects-excess", "effects-words"):
        if (HERE / "explanations" / f"{name}.svg").exists():
            lines += [f"![Effects of heads](explanations/{name}.svg)", ""]
    if given.divided:
        names = [run.name for run in given.divided]
        kept = [folder / name for name in names]
        lines += ["", "## Articles on one side of a split, and divided", ""]
        lines += divided_table(kept, given.divided)
    if given.second:
        lines += second_encoder(given.second)
    if given.slow:
        one = read_study(given.slow)
        alone, _, _ = study_report(study(one.explain, one.circuit))
        lines += ["", "## One seed, the slow methods too", ""]
        for table in alone:
            if table.name in ("plausibility", "erasure-delete"):
                lines += [table_markdown(table).strip(), ""]
    (HERE / "explanations.md").write_text("\n".join(lines).rstrip() + "\n", "utf-8")


if __name__ == "__main__":
    main()
