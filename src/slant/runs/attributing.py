"""Attributions of one model, kept as a file for each method: scores of every token."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path

import numpy as np
import polars as pl

from slant.data.writing import intact, sealed
from slant.explain.methods import METHODS, SLOW
from slant.explain.words import Aggregation, Aligned, aligned, word_scores
from slant.runs.explained import Trained, marked_spans, part_digests, parts_of, rows_of
from slant.runs.kept import KeptModel
from slant.stats.resampling import generator
from slant.systems.checkpoints import Encoder, checkpoint_fingerprint, code_fingerprint
from slant.types import Example, Floats

VERSION = 1


@dataclass(frozen=True, slots=True)
class Work:
    """One file to make: what `kind` says, of one model.

    Fields:
        trained, model: whose.
        kind: "attribution", "erasure" or "probability".
        name: the method, or how words are taken out.
        part: "dev" or "test".
        sample: texts that are looked at, drawn by the model's seed; 0 for all.
        path: the file.
        methods: of an erasure, those whose words are taken out.
        aggregation: of an erasure, how tokens become words.
    """

    trained: Trained
    model: KeptModel
    kind: str
    name: str
    part: str
    sample: int
    path: Path
    methods: tuple[str, ...] = ()
    aggregation: Aggregation = "max"


def work_path(
    trained: Trained, model: KeptModel, kind: str, name: str, part: str, *facts: object
) -> Path:
    """Where a file of a model lies; its name holds a hash of all that it depends on."""
    folder = trained.folder / "explain" / model.task / f"{model.seed}-{model.fold}"
    texts = part_digests(rows_of(trained, model), model.fold)
    known = [VERSION, kept_fingerprint(model.folder), *texts, trained.max_length, *facts]
    key = sha256(code_fingerprint(*known).encode()).hexdigest()[:12]
    return folder / f"{kind}-{name}-{part}-{key}.parquet"


def attribution_path(
    trained: Trained, model: KeptModel, method: str, part: str, sample: int
) -> Path:
    """Where the attributions of a method lie; the fast ones see all texts."""
    return work_path(trained, model, "attribution", method, part, seen_by(method, sample))


def seen_by(method: str, sample: int) -> int:
    """How many texts a method sees where slow ones see a sample; 0 for all.

    >>> seen_by("shap", 100), seen_by("rollout", 100)
    (100, 0)
    """
    return sample if method in SLOW else 0


@lru_cache(maxsize=64)
def kept_fingerprint(folder: Path) -> str:
    """The hash over the files of a kept model."""
    return checkpoint_fingerprint(str(folder.resolve()))


@lru_cache(maxsize=1)
def loaded(model: KeptModel) -> Encoder:
    """The model in memory; the last one stays, since files of one model follow one another."""
    return model.encoder()


def explained_examples(trained: Trained, model: KeptModel, part: str, sample: int) -> list[Example]:
    """The texts with marked words of a part, or a sample of them, in their order.

    Args:
        trained, model: whose.
        part: "dev" or "test".
        sample: how many at most, drawn by the model's seed; 0 for all.
    """
    parts = parts_of(trained, model)
    every = [one for one in getattr(parts, part) if marked_spans(one)]
    if not sample or sample >= len(every):
        return every
    stream = generator(model.seed, ["explained", part])
    kept = np.sort(stream.permutation(len(every))[:sample])
    return [every[place] for place in kept.tolist()]


def read_texts(trained: Trained, encoder: Encoder, examples: Sequence[Example]) -> list[Aligned]:
    """Words and tokens of texts, as the model reads them."""
    return aligned(encoder.tokenizer, [one.item.text for one in examples], trained.max_length)


def write_attributions(work: Work) -> None:
    """Score every token of the texts of a work, and write its file."""
    encoder = loaded(work.model)
    examples = explained_examples(work.trained, work.model, work.part, work.sample)
    texts = read_texts(work.trained, encoder, examples)
    windows = [one.tokens.ids.astype(np.int32) for one in texts]
    made = METHODS[work.name](encoder, windows, work.model.seed)
    frame = pl.DataFrame(
        {"id": [one.item.id for one in examples], "scores": [one.scores.tolist() for one in made]},
        schema={"id": pl.Utf8, "scores": pl.List(pl.Float64)},
    )
    sealed(work.path, partial(frame.write_parquet, compression="zstd"))


def read_work(path: Path) -> pl.DataFrame | None:
    """The content of a work's file; None where it is absent or damaged."""
    content = intact(path)
    return None if content is None else pl.read_parquet(io.BytesIO(content))


def scores_by_text(
    path: Path, texts: Sequence[Aligned], examples: Sequence[Example], aggregation: Aggregation
) -> dict[str, Floats]:
    """Scores of words (words,) by the text's id, from a file of `write_attributions`.

    Args:
        path: the file, which is there.
        texts, examples: of those that are wanted; others in the file are left out.
        aggregation: how scores of tokens become those of a word.
    """
    frame = read_work(path)
    assert frame is not None, path
    by_id = dict(zip([one.item.id for one in examples], texts, strict=True))
    found = {}
    for number, scores in frame.iter_rows():
        if (text := by_id.get(number)) is not None:
            own = np.array(scores, np.float64)
            found[number] = word_scores(own, text.word_of, len(text.words), aggregation)
    return found
