"""Write docs/results/analyze.md: the light detector against outside gold; no number is typed.

SLANT_DATA=DIR python docs/results/make_analyze.py > docs/results/analyze.md
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from slant.analysis.article import Article
from slant.analysis.comparing import grouped
from slant.analysis.detectors import LoadedDetector, no_verdicts
from slant.analysis.intake import read_any
from slant.analysis.reading import analysed
from slant.analysis.spancomparison import compare_with_spans
from slant.analysis.summaries import summary
from slant.analysis.tables import Columns
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
    texts = [row["text"] for row in rows]
    found, facts = detector.probabilities(texts), detector.facts
    value, known = found[:, 0], ~np.isnan(found[:, 0])
    why = no_verdicts(found, facts.threshold, detector.known_words(texts), facts.least_words)
    verdict = np.array([not one for one in why])
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
    """Profiles of the AllSides articles by leaning, read as the command reads them."""
    articles = read_any([str(home / "news" / "articles")], columns=Columns(outlet="bias_text"))
    found = analysed(list(articles), detectors, load_schema("bait"))
    groups = grouped([summary(one) for one in found], "outlet")
    kinds = [f"kind:{kind.name}" for one in detectors for kind in one.facts.good_kinds]
    wanted = ("quoted", "probability", "biased", "not biased", "no verdict")
    keys = [one.key for one in groups[0].profile if one.key.partition(":")[0] in wanted]
    for some in (keys, kinds):
        names = [key if key in kinds else key.partition(":")[0] for key in some]
        yield "| leaning | articles | sentences | " + " | ".join(names) + " |"
        yield "| --- | ---: | ---: | " + " | ".join("---:" for _ in some) + " |"
        for group in groups:
            told = {one.key: one.estimate for one in group.profile}
            values = " | ".join(shown(told[key]) for key in some)
            yield f"| {group.name} | {group.articles} | {group.sentences} | {values} |"
        yield ""


def light_lines(detector: LoadedDetector) -> Iterator[str]:
    """What the detector says of itself."""
    facts = detector.facts
    yield f"- class F1 {shown(facts.f1)}: {facts.measured};"
    yield f"- calibration: {facts.calibration};"
    yield f"- words: {facts.words_measured}."


def kind_lines(detector: LoadedDetector) -> Iterator[str]:
    """What was measured of each kind of bias."""
    yield "| kind | marked words | sentences | F1 | always yes | precision | asked |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | --- |"
    for one in detector.facts.kinds:
        asked = "yes" if one.good else "no"
        yield (
            f"| {one.name} | {', '.join(one.spans)} | {one.number} | {shown(one.f1)} "
            f"| {one.always:.3f} | {shown(one.precision)} | {asked} |"
        )


def main() -> None:
    """Print the page."""
    home = Path(os.environ["SLANT_DATA"])
    detectors = analysis_detectors([])
    print(
        "# `slant analyze` against outside gold\n\n"
        "Made by `docs/results/make_analyze.py`. The detector is the light one, trained on the\n"
        "sentences of the embedded sample alone; [analyze-evidence.md](../analyze-evidence.md)\n"
        "says what each number means. Nothing here speaks for another detector.\n\n"
        "## On its own sentences\n"
    )
    print(*light_lines(detectors[0]), sep="\n")
    print(
        "\n## Kinds of bias\n\n"
        "F1 of the kind over the sentences of the embedded sample, by models that saw no sentence\n"
        "of the event; a kind is asked for where the whole interval lies above always saying yes and\n"
        "at least half of its calls are right.\n"
    )
    print(*kind_lines(detectors[0]), sep="\n")
    print("\n## BABE\n\nExperts' labels of 3,673 sentences.\n")
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
        "30 articles of AllSides, ten of each leaning, by what the detector says of sentences:\n"
        "95 % intervals by the bootstrap over articles. Ten articles of a few outlets stand for\n"
        "no leaning, and where intervals overlap nothing is said of which is higher. The same\n"
        "numbers come from `slant analyze news/articles --outlet bias_text`.\n"
    )
    print("\n".join(leaning_lines(home, detectors)).rstrip())


if __name__ == "__main__":
    main()
