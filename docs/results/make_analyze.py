"""Write docs/results/analyze.md: the light detector against outside gold; no number is typed.

SLANT_DATA=DIR python docs/results/make_analyze.py > docs/results/analyze.md
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from slant.analysis.article import Article
from slant.analysis.comparing import grouped
from slant.analysis.detectors import LoadedDetector
from slant.analysis.reading import analysed
from slant.analysis.spancomparison import compare_with_spans
from slant.analysis.summaries import summary
from slant.data.schemas import load_schema
from slant.metrics.scores import class_f1
from slant.runs.analysisdetectors import analysis_detectors
from slant.types import Array, Estimate, Floats, Span, Undefined

MARKED = {
    "sentences": "sentences called biased",
    "words": "the words that carry them",
    "lexicon": "lexical cues",
    "triggers": "surface cues of triggers",
    "everything": "the whole text",
}
NEAR_HALF = 0.1


def shown(estimate: Estimate | Undefined | None) -> str:
    """An estimate with its interval."""
    if estimate is None or isinstance(estimate, Undefined):
        return "-"
    ends = "" if estimate.low is None else f" [{estimate.low:.3f}, {estimate.high:.3f}]"
    return f"{estimate.value:.3f}{ends}"


def babe_lines(home: Path, detector: LoadedDetector) -> Iterator[str]:
    """Class F1 on BABE, over all sentences and over those that get a verdict."""
    with (home / "babe" / "final_labels_SG2.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = [r for r in csv.DictReader(file, delimiter=";") if r["label_bias"] != "No agreement"]
    gold = np.array([row["label_bias"] == "Biased" for row in rows], dtype=np.int64)
    found = detector.probabilities([row["text"] for row in rows])
    value, low, high = found.T
    known = ~np.isnan(value)
    verdict = known & (np.abs(value - 0.5) > NEAR_HALF) & ((low > 0.5) | (high < 0.5))
    yield "| sentences | share | class F1 |"
    yield "| --- | ---: | ---: |"
    for name, chosen in (("all", known), ("with a verdict", verdict)):
        yield f"| {name} | {chosen.mean():.3f} | {of_class(gold[chosen], value[chosen]):.3f} |"


def of_class(gold: Array, probability: Floats) -> float:
    """Class F1 where one half and more is called biased."""
    said = (probability >= 0.5).astype(np.int64)
    counts = [[(gold & said).sum(), ((1 - gold) & said).sum(), (gold & (1 - said)).sum(), 0]]
    counts[0][3] = len(gold) - sum(counts[0])
    return float(class_f1(np.array(counts), undefined=None)[0])


def span_lines(home: Path, detectors: Sequence[LoadedDetector], number: int) -> Iterator[str]:
    """Characters marked against the spans of the propaganda corpus."""
    place = home / "propaganda" / "ptc"
    articles, gold = [], {}
    for path in sorted((place / "train-articles").glob("*.txt"))[:number]:
        name = path.stem.removeprefix("article")
        articles.append(Article(name, path.read_bytes().decode("utf-8")))
        labels = place / "train-labels-task-si" / f"article{name}.task-si.labels"
        lines = [line.split("\t") for line in labels.read_text("utf-8").splitlines()]
        gold[name] = [Span(int(start), int(end)) for _, start, end in lines]
    found = analysed(articles, detectors, load_schema("bait"))
    yield "| marked | share of the text | precision | recall | F1 |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for kind, name in MARKED.items():
        one = compare_with_spans(found, gold, kind)  # type: ignore[arg-type]
        scores = " | ".join(shown(x) for x in (one.precision, one.recall, one.f1))
        yield f"| {name} | {one.share:.3f} | {scores} |"


def leaning_lines(home: Path, detectors: Sequence[LoadedDetector]) -> Iterator[str]:
    """Profiles of the AllSides articles by leaning."""
    articles = []
    for path in sorted((home / "news" / "articles").glob("*.json")):
        one = json.loads(path.read_text("utf-8"))
        text = f"{one['title']}\n\n{one['content_original']}"
        articles.append(Article(one["ID"], text, outlet=one["bias_text"], language="en"))
    found = analysed(articles, detectors, load_schema("bait"))
    groups = grouped([summary(one) for one in found], "outlet")
    keys = [measure.key for measure in groups[0].profile[:4]]
    yield "| leaning | articles | sentences | " + " | ".join(key for key in keys) + " |"
    yield "| --- | ---: | ---: | " + " | ".join("---:" for _ in keys) + " |"
    for group in groups:
        values = " | ".join(shown(measure.estimate) for measure in group.profile[:4])
        yield f"| {group.name} | {group.articles} | {group.sentences} | {values} |"


def main() -> None:
    """Print the page."""
    home = Path(os.environ["SLANT_DATA"])
    detectors = analysis_detectors([])
    print(
        "# `slant analyze` against outside gold\n\n"
        "Made by `docs/results/make_analyze.py`. The detector is the light one, trained on the\n"
        "sentences of the embedded sample alone; [analyze-evidence.md](../analyze-evidence.md) says\n"
        "what each number means. Nothing here speaks for another detector.\n\n"
        "## BABE\n\nExperts' labels of 3,673 sentences.\n"
    )
    print(*babe_lines(home, detectors[0]), sep="\n")
    for number in (20, 297):
        print(
            f"\n## Spans of the propaganda corpus, {number} articles\n\n"
            "A transfer, and a poor one: propaganda techniques are not what the detector learnt.\n"
            "Characters; 95 % intervals by the bootstrap over articles. Marking the whole text is\n"
            "the row to be above.\n"
        )
        print(*span_lines(home, detectors, number), sep="\n")
    print(
        "\n## Left, centre and right\n\n"
        "30 articles of AllSides, ten of each leaning, by what the detector says of sentences: 95 %\n"
        "intervals by the bootstrap over articles. Ten articles of a few outlets stand for no\n"
        "leaning, and where intervals overlap nothing is said of which is higher.\n"
    )
    print(*leaning_lines(home, detectors), sep="\n")


if __name__ == "__main__":
    main()
