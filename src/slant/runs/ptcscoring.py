"""Scoring files of the propaganda corpus (PTC) as its official scorers do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import asdict
from pathlib import Path
from typing import Any

from slant.annotate.folders import article_id, article_of, article_text, articles_by_id, lines_of
from slant.annotate.standoff import Place, checked_span
from slant.errors import DataError, unknown_name
from slant.metrics.overlaps import joined
from slant.metrics.ptc import PartialOverlap, ptc_flc, ptc_si
from slant.types import Item, Span

METRICS = ("ptc-si", "ptc-flc")
COLUMNS = {"ptc-si": ("id", "start", "end"), "ptc-flc": ("id", "technique", "start", "end")}
_FRAGMENT = "propaganda"
_WHOLE = re.compile("[0-9]{1,15}")

_Spans = dict[str, dict[str, list[Span]]]
"""Article -> technique -> spans; the one technique of SI is `_FRAGMENT`."""


def score_ptc(
    metric: str, articles: Path, gold: Path, predictions: Path, ids: Path | None = None
) -> dict[str, Any]:
    """Score a file of predicted spans against gold labels, by partial overlap of characters.

    Which articles count: those of `articles` that `ids` lists; without `ids`, those in
    NAME.ids.txt beside predictions called NAME.*, where that file is there, lists every article
    with a prediction, and none that `articles` has not; else all that have gold. One without a
    prediction counts, its gold spans are missed: so do the official scorers. Gold of other
    articles is left aside.

    Args:
        metric: one of `METRICS`.
        articles: folder of article texts, or a jsonl or csv file with `id` and `text`.
        gold: folder of .labels files, one an article; or one file of all, in which an article
            without a line has no span.
        predictions: lines of id, start, end; with the technique after the id for ptc-flc. Spans
            may overlap: those of one technique that share a character are joined.
        ids: one article id a line.

    Returns:
        JSON-able: precision, recall, f1 in [0, 1]; the credits and numbers of spans they come from;
        which articles count; the same over the articles with predictions alone; per technique.

    Raises:
        DataError: with file and line, a span that is not in the text, an unknown article, columns
            of another metric.
    """
    if metric not in METRICS:
        raise unknown_name("metric", metric, METRICS)
    items = articles_by_id(articles) or {}
    truth = _gold(metric, gold, items)
    said, lines = _labels(metric, predictions, items)
    listed, source = _listed(ids, predictions, items, said.keys())
    scored = [one for one in items if one in truth and (listed is None or one in listed)]
    if not scored:
        found = f"none of the {len(items)} articles in '{articles}' is to be scored"
        raise DataError(f"Scoring '{predictions}'", found, "Give gold and ids of these articles")
    for identity, place in lines.items():
        if identity not in truth and (listed is None or identity in listed):
            found = f"names the article '{identity}', which has no gold in '{gold}'"
            raise place.fault(found, "Give its gold, or remove the lines of this article")
    predicted = {one: said[one] for one in scored if one in said}
    kept = {one: truth[one] for one in scored}
    whole, techniques = _scored(metric, kept, predicted)
    result: dict[str, Any] = {
        "metric": metric,
        **asdict(whole),
        "predicted_joined": _joined_away(predicted),
        "gold_joined": _joined_away(kept),
        "articles": {
            "scored": len(scored),
            "without_predictions": len(scored) - len(predicted),
            "listed_in": source,
            "predicted_and_left_out": len(said) - len(predicted),
            "without_gold": sum(one not in truth for one in items),
        },
        "articles_with_predictions": asdict(
            _scored(metric, {one: kept[one] for one in predicted}, predicted)[0]
        ),
    }
    if metric == "ptc-flc":
        known = {name for one in truth.values() for name in one}
        found_ = {name for one in predicted.values() for name in one}
        result["techniques"] = {name: asdict(one) for name, one in techniques.items()}
        result["techniques_without_gold"] = sorted(found_ - known)
    return result


def _scored(
    metric: str, gold: _Spans, predicted: _Spans
) -> tuple[PartialOverlap, dict[str, PartialOverlap]]:
    if metric == "ptc-flc":
        return ptc_flc(gold, predicted)
    truth, said = (
        {one: by.get(_FRAGMENT, []) for one, by in side.items()} for side in (gold, predicted)
    )
    return ptc_si(truth, said), {}


def _joined_away(spans: _Spans) -> int:
    """How many spans fewer there are once those that share a character are joined."""
    lists = [each for by in spans.values() for each in by.values()]
    return sum(len(each) - len(joined(each)) for each in lists)


def _gold(metric: str, gold: Path, items: Mapping[str, Item]) -> _Spans:
    """The gold spans of each article that has any gold, be it an empty file."""
    if not gold.is_dir():
        spans, _ = _labels(metric, gold, items, strangers=True)
        return {one: spans.get(one, {}) for one in items}
    found: _Spans = {}
    origin: dict[str, Path] = {}
    for path in _label_files(metric, gold):
        identity = article_id(path.name.split(".")[0])
        if identity not in items:
            continue
        if identity in origin:
            raise DataError(
                f"Reading the gold in '{gold}'",
                f"'{origin[identity].name}' and '{path.name}' are both of the article '{identity}'",
                "Keep one of them",
            )
        origin[identity] = path
        spans, lines = _labels(metric, path, items)
        for other in lines:
            if other != identity:
                raise lines[other].fault(
                    f"is of the article '{other}'", f"A file holds one article, here '{identity}'"
                )
        found[identity] = spans.get(identity, {})
    return found


def _label_files(metric: str, folder: Path) -> list[Path]:
    files = sorted(one for one in folder.glob("*.labels") if one.name[0] != ".")
    if not files:
        raise DataError(
            f"Reading the gold in '{folder}'", "the folder has no .labels file",
            "Give the folder of label files, e.g. article111.task-si.labels",
        )  # fmt: skip
    task = metric.replace("ptc-", "task-")
    return [one for one in files if task in one.name.lower()] or files


def _labels(
    metric: str, path: Path, items: Mapping[str, Item], strangers: bool = False
) -> tuple[_Spans, dict[str, Place]]:
    """The spans in a file by article and technique, and the first line of each article.

    Args:
        strangers: lines of articles that are not in `items` are left aside, not refused.
    """
    names = COLUMNS[metric]
    spans: _Spans = {}
    first: dict[str, Place] = {}
    for number, line in lines_of(article_text(path).removeprefix("\ufeff")):
        place = Place(path, f"line {number}")
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != len(names):
            raise place.fault(
                f"has {len(cells)} columns",
                f"{metric} has {len(names)}, with tabs between them and no header: "
                + ", ".join(names),
            )
        identity, technique = cells[0], cells[1] if len(cells) == 4 else _FRAGMENT
        if strangers and identity not in items:
            continue
        text = article_of(identity, items, place).text
        if not technique:
            raise place.fault("has no technique", "Name the technique in the second column")
        start, end = (_offset(cell, place) for cell in cells[-2:])
        span = checked_span(text, start, end, place)
        spans.setdefault(identity, {}).setdefault(technique, []).append(span)
        first.setdefault(identity, place)
    return spans, first


def _offset(cell: str, place: Place) -> int:
    if not _WHOLE.fullmatch(cell):
        raise place.fault(
            f"has the offset '{cell[:20]}'", "Offsets are whole numbers of characters from 0"
        )
    return int(cell)


def _listed(
    ids: Path | None, predictions: Path, items: Mapping[str, Item], predicted: Set[str]
) -> tuple[frozenset[str] | None, str | None]:
    """The articles to be scored, None for all, and the name of the file that lists them."""
    if ids is not None:
        for number, one in _ids(ids):
            article_of(one, items, Place(ids, f"line {number}"))
        return frozenset(one for _, one in _ids(ids)), ids.name
    beside = predictions.with_name(f"{predictions.name.split('.')[0]}.ids.txt")
    if beside != predictions and beside.is_file():
        listed = frozenset(one for _, one in _ids(beside))
        if predicted <= listed <= items.keys():
            return listed, beside.name
    return None, None


def _ids(path: Path) -> Sequence[tuple[int, str]]:
    found = [(number, line.strip()) for number, line in lines_of(article_text(path))]
    for one, times in Counter(one for _, one in found).items():
        if times > 1:
            raise DataError(
                f"Reading '{path}'", f"it has '{one}' {times} times", "Keep one of them"
            )
    return found
