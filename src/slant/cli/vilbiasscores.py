"""slant vilbias score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from slant.cli.options import Json
from slant.cli.show import document, interval_text, say, table

_SCORES = ("accuracy", "precision", "recall", "f1", "class_f1", "weighted_f1")
_RECIPES = ("ours", "published", "both")


def score(
    run: Annotated[Path, typer.Argument(help="The folder of `slant vilbias run`.")],
    recipe: Annotated[str, typer.Option(help="Which is shown: ours, published, both.")] = "both",
    clusters: Annotated[
        str, typer.Option(help="What is drawn as one: auto, pairs (twins), outlets, items.")
    ] = "auto",
    level: Annotated[float, typer.Option(help="Of the intervals.")] = 0.95,
    resamples: Annotated[int, typer.Option(help="Of the bootstrap.")] = 1000,
    permutations: Annotated[
        int, typer.Option(help="Of tests, where not all are counted.")
    ] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Of resamples and permutations.")] = 42,
    believe: Annotated[
        str, typer.Option(help="Judges whose known errors lie below this; none: all of them.")
    ] = "0.5",
    json_: Json = False,
) -> None:
    """Score the answers and verdicts of a ViLBias run again; nothing is asked.

    Both recipes always stand in RUN/scores.json.

    Examples:

    slant vilbias score runs/vilbias

    slant vilbias score runs/vilbias --recipe published --json
    """
    from slant.errors import OptionError, unknown_name
    from slant.runs.vilbiasscoring import PairRules, score_vilbias

    if recipe not in _RECIPES:
        raise unknown_name("recipe", recipe, _RECIPES)
    try:
        below = None if believe == "none" else float(believe)
    except ValueError:
        asked = f"Reading --believe '{believe}'"
        raise OptionError(asked, "it is neither a number nor none", "Give 0.5 or none") from None
    rules = PairRules(level, resamples, permutations, seed, clusters, below)  # type: ignore[arg-type]
    found = score_vilbias(run, rules)
    if json_:
        document(found)
        return
    if recipe != "published":
        show_scores(found)
    if recipe != "ours":
        _show_published(found)
    say(f"Written to {run}/scores.json and outcomes.jsonl; `slant report {run}` makes the page.")


def show_scores(found: Mapping[str, Any]) -> None:
    """Print our scores of labels and rationales, as `slant vilbias run` and `judge` do, too."""
    rows = [
        (*_named(one, setting), *(interval_text(setting["scores"][name]) for name in _SCORES),
         str(sum(setting["faults"].values())))
        for one, setting in _settings(found)
    ]  # fmt: skip
    rows += [
        (one["name"], "control", "", *(interval_text(one["scores"][name]) for name in _SCORES), "0")
        for one in found["controls"]
    ]
    table(("system", "mode", "examples", *_SCORES, "unreadable"), rows, "ours")
    judged = [
        (*_named(one, setting), row["judge"], interval_text(row["reasoning_accuracy_items"]),
         interval_text(row["faithfulness_items"]), f"{row['judged']} of {row['asked']}",
         interval_text(row["reasoning_accuracy"]), interval_text(row["faithfulness"]))
        for one, setting in _settings(found)
        for row in setting["judged"]
    ]  # fmt: skip
    if judged:
        head = (
            "system",
            "mode",
            "examples",
            "judge",
            "reasoning accuracy",
            "faithfulness",
            "judged",
            "accuracy of those judged",
            "faithful of those judged",
        )
        table(head, judged, "rationales")
    for judge in found["judges"]:
        if not judge["believed"]:
            say(f"{judge['name']} is not believed: its errors are not known to lie below the bound")
    for note in found["notes"]:
        say(f"The data: {note}")
    if found["clusters"]["few"]:
        number = found["clusters"]["number"]
        say(f"Only {number} clusters are drawn again: intervals over so few are too narrow.")


def _show_published(found: Mapping[str, Any]) -> None:
    names = _SCORES[:4]
    rows = [
        (*_named(one, setting), *(f"{setting['published'][name]:.3f}" for name in names))
        for one, setting in _settings(found)
    ]
    table(("system", "mode", "examples", *names), rows, "published recipe")


def _settings(found: Mapping[str, Any]) -> Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    return [(one, setting) for one in found["systems"] for setting in one["settings"]]


def _named(one: Mapping[str, Any], setting: Mapping[str, Any]) -> tuple[str, str, str]:
    return one["name"], setting["mode"], str(setting["shots"])
