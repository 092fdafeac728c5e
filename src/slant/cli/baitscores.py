"""slant bait score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from slant.cli.options import Json, Quiet
from slant.cli.show import document, interval_text, progress, say, table
from slant.errors import OptionError

BAIT = "bait"


def score(
    run: Annotated[
        Path | None, typer.Argument(help="A run directory of `slant bait run`.", show_default=False)
    ] = None,
    gold: Annotated[
        Path | None, typer.Option(help="Annotated articles; for ptc-*: folder of .labels files.")
    ] = None,
    predictions: Annotated[
        Path | None, typer.Option(help="Annotated articles; for ptc-*: the .tsv of spans.")
    ] = None,
    articles: Annotated[
        Path | None, typer.Option(help="Folder or file of the texts, where they stand apart.")
    ] = None,
    metric: Annotated[
        str, typer.Option(help="bait: all levels; ptc-si, ptc-flc: partial character overlap.")
    ] = BAIT,
    ids: Annotated[
        Path | None, typer.Option(help="For ptc-*: the articles that count, one id a line.")
    ] = None,
    format_: Annotated[
        str | None, typer.Option("--format", help="Of both sets; else told from the content.")
    ] = None,
    schema: Annotated[
        str, typer.Option(help="Name or file of the biases; found: those that occur.")
    ] = BAIT,
    tau_s: Annotated[float, typer.Option(help="IoU from which two spans match.")] = 0.5,
    tau_t: Annotated[float, typer.Option(help="Overlap from which two triggers match.")] = 0.5,
    trigger_overlap: Annotated[
        str, typer.Option(help="dice, jaccard or max; which one triggers_f1 is by.")
    ] = "dice",
    without: Annotated[
        list[str] | None,
        typer.Option(help="A bias left out of the second scores; repeatable; else the schema's."),
    ] = None,
    least: Annotated[
        float, typer.Option(help="Similarity from which a string without offsets is located.")
    ] = 0.8,
    gold_use: Annotated[
        str,
        typer.Option(help="literal, exact or never: where gold chooses among equal places."),
    ] = "literal",
    absent: Annotated[
        str,
        typer.Option(help="left-out, zero or one: a bias that neither side has, in the macro F1."),
    ] = "left-out",
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes for a run; else one per core.")
    ] = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Score triggers against gold: a run, two annotated sets, or files of the propaganda corpus.

    A run where answers of models never came is scored with these as empty, says so, and ends with
    exit code 1.

    Examples:

    slant bait score runs/bait

    slant bait score --gold gold.jsonl --predictions mine.jsonl --json

    slant bait score --gold annotator-a/ --predictions annotator-b/ --format brat --without B01

    slant bait score --metric ptc-flc --articles articles/ --gold labels/ --predictions mine.tsv
    """
    two_sets = {"--gold": gold, "--predictions": predictions, "--articles": articles}
    rules: dict[str, Any] = {
        "span_threshold": tau_s, "trigger_threshold": tau_t, "trigger_overlap": trigger_overlap,
        "without": tuple(without) if without else None,
        "least": least, "gold_use": gold_use, "absent": absent,
    }  # fmt: skip
    if run is not None:
        _refuse("a run directory", {**two_sets, "--ids": ids, "--format": format_})
        _score_run(run, rules, jobs, json_, quiet)
        return
    if gold is None or predictions is None:
        found = "there is no run directory, and not both of --gold and --predictions"
        raise OptionError("Scoring triggers", found, "Give a run directory, or these two options")
    if metric == BAIT:
        _refuse("two annotated sets", {"--ids": ids})
        _score_sets(gold, predictions, articles, format_, schema, rules, json_)
        return
    _refuse(f"by {metric}", {"--format": format_, "--without": without})
    if articles is None:
        raise OptionError(
            f"Scoring by {metric}", "there is no --articles", "Give the folder of the texts"
        )
    _score_ptc(metric, articles, gold, predictions, ids, json_)


def _refuse(what: str, given: Mapping[str, object]) -> None:
    for option, value in given.items():
        if value is not None:
            raise OptionError(f"Scoring {what}", f"{option} was given too", f"Leave out {option}")


def _score_run(
    folder: Path, rules: Mapping[str, Any], jobs: int | None, json_: bool, quiet: bool
) -> None:
    from slant.runs.baitfates import ScoringRules
    from slant.runs.baitscoring import score_bait

    with progress(quiet or json_, "articles") as told:
        scores = score_bait(folder, ScoringRules(**rules), jobs=jobs, progress=told)
    if json_:
        document(scores)
    else:
        _show_run(scores)
    if _say_missing(scores["systems"]):
        raise typer.Exit(1)


def _show_run(scores: Mapping[str, Any]) -> None:
    names = ["detection_micro_f1", "characters_f1", "spans_f1", "triggers_f1"]
    rows = [
        [
            system["name"],
            str(setting["shots"]),
            str(len(setting["runs"])),
            *(interval_text(setting["scores"].get(name, {})) for name in names),
            f"{sum(setting['faults'].values())} of {setting['expected']}",
        ]
        for system in scores["systems"]
        for setting in system["settings"]
    ]
    head = ["system", "examples", "runs", *(_plain(name) for name in names), "unusable"]
    table(head, rows, cut=["system"])
    say(scores["signature"])


def _say_missing(systems: Sequence[Mapping[str, Any]]) -> bool:
    """Says which answers a run was to have and has not; whether there are any."""
    missing = False
    for system in systems:
        for one in system["settings"]:
            if one["no_answer"]:
                missing = True
                say(
                    f"no answer: {system['name']} with {one['shots']} examples: {one['no_answer']} "
                    f"of {one['expected']} never came ({one['not_asked']} not asked); they score "
                    "as empty"
                )
        if system["missing_runs"]:
            missing = True
            names = ", ".join(system["missing_runs"])
            say(f"no run: {system['name']} has no answers of {names}, which were planned")
    if missing:
        say("The command of the run asks for what is missing, and for nothing else.")
    return missing


def _score_sets(
    gold: Path,
    predictions: Path,
    articles: Path | None,
    format_: str | None,
    schema: str,
    rules: Mapping[str, Any],
    json_: bool,
) -> None:
    from slant.runs.baitsets import score_sets

    found = score_sets(gold, predictions, articles=articles, format=format_, schema=schema, **rules)
    if json_:
        document(found)
    else:
        _show_sets(found)


def _score_ptc(
    metric: str, articles: Path, gold: Path, predictions: Path, ids: Path | None, json_: bool
) -> None:
    from slant.runs.ptcscoring import score_ptc

    found = score_ptc(metric, articles, gold, predictions, ids)
    _say_articles(found)
    if json_:
        document(found)
        return
    by = {"all": found, **found.get("techniques", {})}
    rows = [
        [
            name,
            *(f"{one[key]:.6f}" for key in ("precision", "recall", "f1")),
            str(one["predicted_spans"]),
            str(one["gold_spans"]),
        ]
        for name, one in by.items()
    ]
    table(["technique", "precision", "recall", "F1", "predicted", "gold"], rows)


def _say_articles(found: Mapping[str, Any]) -> None:
    counted = found["articles"]
    if listed := counted["listed_in"]:
        say(f"scored: the {counted['scored']} articles listed in {listed}")
    if missing := counted["without_predictions"]:
        own = found["articles_with_predictions"]
        say(
            f"{missing} of {counted['scored']} articles have no prediction and count as predicted "
            f"empty (over the others F1 {own['f1']:.6f}); --ids names the articles that count"
        )
    if left := counted["predicted_and_left_out"]:
        say(f"left out: predictions for {left} articles that are not listed")
    if without := counted["without_gold"]:
        say(f"not scored: {without} articles without gold")
    if unknown := found.get("techniques_without_gold"):
        say(f"techniques that gold has nowhere: {', '.join(unknown)}")
    if joined := found["predicted_joined"]:
        say(f"{joined} predicted spans share a character with another and were joined to it")


def _show_sets(found: Mapping[str, Any]) -> None:
    rest = found["scores_without"]
    left_out = ", ".join(found["settings"]["without"])
    rows = [
        [_plain(name), _number(value), *([_number(rest[name])] if rest else [])]
        for name, value in found["scores"].items()
    ]
    table(["score", "value", *([f"without {left_out}"] if rest else [])], rows)
    counts = [
        [level, *(str(cells[cell]) for cell in ("tp", "fp", "fn"))]
        for level, cells in found["counts"].items()
    ]
    table(["level", "hits", "false alarms", "missed"], counts)
    names = ("detection_f1", "characters_f1", "spans_f1", "triggers_f1")
    each = [
        [code, one["name"], *(_number(one[name]) for name in names)]
        for code, one in found["biases"].items()
    ]
    table(["bias", "name", *(_plain(name) for name in names)], each)
    steps = {step: n for step, n in found["located"].items() if n}
    if steps:
        told = (f"{'not located' if one == 'unlocated' else one} {n}" for one, n in steps.items())
        say(f"strings: {', '.join(told)}")
    if missing := found["without_predictions"]:
        say(f"{missing} of {found['articles']} articles are in gold alone: predicted empty")


def _plain(name: str) -> str:
    return name.replace("_f1", " F1").replace("_", " ")


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
