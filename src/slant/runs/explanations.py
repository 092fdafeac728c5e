"""The content of explain.json, from the files of attributions and erasures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from slant.data.files import data_homes
from slant.explain.words import Aggregation, cut_texts
from slant.runs.attributing import (
    Work,
    explained_examples,
    read_work,
)
from slant.runs.explained import Trained, marked_spans, parts_of
from slant.runs.explanationscores import (
    LEVEL,
    Told,
    class_f1_of,
    classification_scores,
    classified,
    difference,
    erasure_scores,
    plausibility_scores,
)
from slant.runs.humanrow import human_row
from slant.runs.outcomes import outcomes
from slant.runs.seentexts import Judged, Seen, judged_texts
from slant.stats.corrections import holm
from slant.stats.overseeds import Drawn, Overall, drawn_clusters, estimate
from slant.types import Floats

SHOWN = 12
"""Sentences shown of each model."""
BASELINES = ("idf", "lexicon", "random")


def explanations(
    runs: Sequence[Trained],
    works: Sequence[Work],
    aggregation: Aggregation,
    sample: int,
    resamples: int,
    seed: int,
    data: Path | None,
) -> dict[str, Any]:
    """All numbers of explain.json, from files that are all there."""
    judged = {run.name: judged_texts(run) for run in runs}
    task = runs[0].record["tasks"][0]
    clusters = {
        str(one.cluster)
        for run in runs
        for model in run.models
        for part in (parts_of(run, model),)
        for one in (*part.dev, *part.test)
    }
    texts = {
        one.item.id: one.item.text
        for run in runs
        for model in run.models
        for one in explained_examples(run, model, "test", 0)
    }
    drawn = drawn_clusters(clusters, resamples, seed, ["explain", task])
    models: dict[str, Any] = {}
    methods: dict[str, dict[str, list[Told]]] = {}
    beside: dict[str, dict[str, list[Told]]] = {}
    for run in runs:
        own = [one for one in works if one.trained.name == run.name]
        models[run.name], methods[run.name], beside[run.name] = _model(
            run, own, aggregation, judged[run.name], drawn
        )
    first = max(runs, key=lambda run: len(run.models))
    return {
        "level": LEVEL,
        "resamples": resamples,
        "task": task,
        "part": "test",
        "unit": "word",
        "aggregation": aggregation,
        "target": "predicted",
        "sample": sample,
        "models": models,
        "baselines": {
            name: plausibility_scores(beside[first.name][name], drawn) for name in BASELINES
        },
        "humans": human_row(task, data_homes(data), texts),
        "differences": _differences(runs, methods, beside, judged, drawn),
    }


def _model(
    run: Trained,
    works: Sequence[Work],
    aggregation: Aggregation,
    judged: Sequence[Judged],
    drawn: Drawn,
) -> tuple[dict[str, Any], dict[str, list[Told]], dict[str, list[Told]]]:
    names = [one.name for one in works if one.kind == "attribution" and one.part == "test"]
    methods: dict[str, list[Told]] = {name: [] for name in dict.fromkeys(names)}
    beside: dict[str, list[Told]] = {name: [] for name in BASELINES}
    sentences: list[dict[str, Any]] = []
    shown: list[dict[str, Any]] = []
    for model in run.models:
        seen = Seen(run, model)
        own = [one for one in works if one.model == model and one.part == "test"]
        scores = {
            one.name: seen.of_file(one.path, aggregation)
            for one in own
            if one.kind == "attribution"
        }
        for name, found in scores.items():
            methods[name].append(seen.told(found))
        for name, one in seen.baselines().items():
            beside[name].append(one)
        sentences.append(
            {
                "seed": model.seed,
                "fold": model.fold,
                "test": len(judged[len(sentences)][1]),
                "marked": len(seen.examples),
                "shown": len(beside["idf"][-1].ids),
                "cut": cut_texts(seen.texts),
            }
        )
        if model == run.models[0]:
            shown = _sentences(seen, scores, run)
    clusters = {
        one.item.id: str(one.cluster)
        for model in run.models
        for one in explained_examples(run, model, "test", 0)
    }
    made = {
        "signature": run.record["signature"],
        "system": run.system,
        "params": run.record["params"],
        "seeds": list(dict.fromkeys(one.seed for one in run.models)),
        "folds": 1 + max(one.fold for one in run.models),
        "classification": classification_scores(judged, drawn),
        "dev": _on_dev(run, works, aggregation, drawn),
        "sentences": sentences,
        "plausibility": {
            name: plausibility_scores(found, drawn) for name, found in methods.items()
        },
        "erasure": _erasure(works, clusters, drawn),
        "examples": shown,
    }
    return made, methods, beside


def _erasure(works: Sequence[Work], clusters: dict[str, str], drawn: Drawn) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for removal in dict.fromkeys(one.name for one in works if one.kind == "erasure"):
        own = [one for one in works if one.kind == "erasure" and one.name == removal]
        for method, numbers in erasure_scores(own, clusters, drawn).items():
            made.setdefault(method, {})[removal] = numbers
    return made


def _on_dev(
    run: Trained, works: Sequence[Work], aggregation: Aggregation, drawn: Drawn
) -> dict[str, Any]:
    judged: list[Judged] = []
    methods: dict[str, list[Told]] = {}
    for model in run.models:
        own = [one for one in works if one.model == model and one.part == "dev"]
        (whole,) = (one for one in own if one.kind == "probability")
        frame = read_work(whole.path)
        assert frame is not None
        dev = parts_of(run, model).dev
        gold = np.array([one.gold.biased for one in dev], np.int64)
        said = (frame["probability"].to_numpy() >= 0.5).astype(np.int64)
        judged.append(([str(one.cluster) for one in dev], gold, said))
        seen = Seen(run, model, "dev")
        for one in own:
            if one.kind == "attribution":
                found = seen.told(seen.of_file(one.path, aggregation))
                methods.setdefault(one.name, []).append(found)
    return {
        "class_f1": estimate(classified(judged, drawn, class_f1_of), LEVEL),
        "auroc": {
            name: plausibility_scores(found, drawn)["auroc"] for name, found in methods.items()
        },
    }


def _sentences(
    seen: Seen, scores: dict[str, dict[str, Floats]], run: Trained
) -> list[dict[str, Any]]:
    """Test sentences that every method has scored, as a page shows them."""
    by_id = dict(zip([one.item.id for one in seen.examples], range(len(seen.texts)), strict=True))
    common = [name for name in by_id if all(name in found for found in scores.values())]
    table = outcomes(run.folder, run.ready, 1 + max(one.fold for one in run.models))
    rows = table.filter((table["seed"] == seen.model.seed) & (table["fold"] == seen.model.fold))
    said = dict(zip(rows["id"], rows["probability"], strict=True))
    made = []
    for name in common[:SHOWN]:
        example, text = seen.examples[by_id[name]], seen.texts[by_id[name]]
        words = zip(text.words.starts.tolist(), text.words.ends.tolist(), strict=True)
        made.append(
            {
                "seed": seen.model.seed,
                "id": name,
                "text": example.item.text,
                "label": int(example.gold.biased),
                "probability": said.get(name),
                "marked": [[span.start, span.end] for span in marked_spans(example)],
                "words": [list(pair) for pair in words],
                "scores": {method: found[name].tolist() for method, found in scores.items()},
            }
        )
    return made


def _differences(
    runs: Sequence[Trained],
    methods: dict[str, dict[str, list[Told]]],
    beside: dict[str, dict[str, list[Told]]],
    judged: dict[str, list[Judged]],
    drawn: Drawn,
) -> list[dict[str, Any]]:
    """Each method against rarity; then each model against the first, on the seeds of both."""
    rows = []
    for run in runs:
        for method, found in methods[run.name].items():
            overall, texts = difference(found, beside[run.name]["idf"], "auroc", drawn)
            rows.append(_row(run.name, method, None, "idf", "auroc", overall, texts))
    first = runs[0]
    for run in runs[1:]:
        pairs = [
            (own, other)
            for own, a in enumerate(run.models)
            for other, b in enumerate(first.models)
            if (a.seed, a.fold) == (b.seed, b.fold)
        ]
        if not pairs:
            continue
        ones, others = zip(*pairs, strict=True)
        for method in methods[run.name]:
            if method in methods[first.name]:
                overall, texts = difference(
                    [methods[run.name][method][place] for place in ones],
                    [methods[first.name][method][place] for place in others],
                    "auroc", drawn,
                )  # fmt: skip
                rows.append(_row(run.name, method, first.name, method, "auroc", overall, texts))
        own = classified([judged[run.name][place] for place in ones], drawn, class_f1_of)
        other = classified([judged[first.name][place] for place in others], drawn, class_f1_of)
        texts = len(judged[run.name][0][1])
        rows.append(_row(run.name, None, first.name, None, "class_f1", own.minus(other), texts))
    known = [row for row in rows if row["p"] is not None]
    for row, p in zip(known, holm([row["p"] for row in known]).tolist(), strict=True):
        row["p_holm"] = p
    return rows


def _row(
    model: str,
    method: str | None,
    against_model: str | None,
    against: str | None,
    score: str,
    overall: Overall,
    texts: int,
) -> dict[str, Any]:
    return {
        "model": model, "method": method, "against_model": against_model, "against": against,
        "score": score, "texts": texts, **estimate(overall, LEVEL), "p": overall.p(),
        "p_holm": None,
    }  # fmt: skip
