"""What a kept model says of whole texts, and of texts with words taken out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import polars as pl

from slant.data.writing import sealed
from slant.errors import OptionError
from slant.explain.baselines import idf_scores, word_rarity
from slant.explain.erasure import Removal, erasure
from slant.explain.words import rationale_words
from slant.runs.attributing import (
    Work,
    attribution_path,
    explained_examples,
    loaded,
    read_texts,
    scores_by_text,
    write_attributions,
)
from slant.runs.explained import Trained, marked_spans, parts_of
from slant.systems.batches import frame_of, windows_of
from slant.systems.checkpoints import Encoder
from slant.systems.encoder import one_thread
from slant.systems.finetune import probabilities
from slant.types import Floats

REMOVALS: tuple[Removal, ...] = ("delete", "mask", "unknown")
BESIDE = ("experts", "idf")
"""Words that are erased beside those of the methods: the marked ones, and the rarest."""
NUMBERS = (
    "comprehensiveness",
    "sufficiency",
    "random_comprehensiveness",
    "random_sufficiency",
)


def removal_token(encoder: Encoder, removal: Removal) -> str:
    """The token that stands for a word taken out; none for "delete".

    Raises:
        OptionError: the tokenizer has no such token.
    """
    if removal == "delete":
        return ""
    token = getattr(encoder.tokenizer, "mask_token" if removal == "mask" else "unk_token")
    if token is None:
        found = f"its tokenizer has no {removal} token"
        raise OptionError(f"Erasing words by '{removal}'", found, "Choose delete")
    return str(token)


def asked_once(trained: Trained, encoder: Encoder) -> Callable[[Sequence[str]], Floats]:
    """The function that says the probability of "biased" of texts, asking each text once."""
    known: dict[str, float] = {}

    def said(texts: Sequence[str]) -> Floats:
        new = [text for text in texts if text not in known]
        if new:
            frame = frame_of(encoder.tokenizer)
            read = windows_of(new, encoder.tokenizer, frame, trained.max_length, "cut")
            with one_thread():
                p = probabilities(encoder, read, "float32")
            known.update(zip(new, p.tolist(), strict=True))
        return np.array([known[text] for text in texts])

    return said


def write_erasure(work: Work) -> None:
    """Take the words of each method out in one way, and write what it does to each text."""
    encoder = loaded(work.model)
    examples = explained_examples(work.trained, work.model, work.part, work.sample)
    texts = read_texts(work.trained, encoder, examples)
    train = [one.item.text for one in parts_of(work.trained, work.model).train]
    rarity = word_rarity(train)
    said = asked_once(work.trained, encoder)
    frames = []
    for method in (*work.methods, *BESIDE):
        if method == "experts":
            pairs = zip(texts, examples, strict=True)
            own = [
                rationale_words(text.words, marked_spans(one)).astype(np.float64)
                for text, one in pairs
            ]
        elif method == "idf":
            own = [idf_scores(text.words, rarity) for text in texts]
        else:
            by_id = scores_by_text(
                attribution_path(work.trained, work.model, method, work.part, work.sample),
                texts, examples, work.aggregation,
            )  # fmt: skip
            own = [by_id[one.item.id] for one in examples]
        removal: Removal = work.name  # type: ignore[assignment]
        found = erasure(
            [text.words for text in texts], own, said,
            names=[one.item.id for one in examples], removal=removal,
            token=removal_token(encoder, removal), seed=work.model.seed,
        )  # fmt: skip
        columns = {name: found.aopc(name) for name in NUMBERS}
        frames.append(
            pl.DataFrame({"id": [one.item.id for one in examples], **columns}).with_columns(
                method=pl.lit(method)
            )
        )
    sealed(work.path, partial(pl.concat(frames).write_parquet, compression="zstd"))


def write_probabilities(work: Work) -> None:
    """Write the probability of "biased" of all texts of a part."""
    encoder = loaded(work.model)
    examples = getattr(parts_of(work.trained, work.model), work.part)
    p = asked_once(work.trained, encoder)([one.item.text for one in examples])
    frame = pl.DataFrame({"id": [one.item.id for one in examples], "probability": p})
    sealed(work.path, partial(frame.write_parquet, compression="zstd"))


def write_work(work: Work) -> Work:
    """Make the file of a work.

    Returns:
        The work.
    """
    write = {
        "attribution": write_attributions,
        "erasure": write_erasure,
        "probability": write_probabilities,
    }
    write[work.kind](work)
    return work
