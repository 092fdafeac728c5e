"""`fusion:TEXT+IMAGE`: a text vector and an image vector joined, and a logistic regression."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from slant.errors import DataError, OptionError, unknown_name
from slant.metrics.scores import class_f1
from slant.systems.binary import gold_labels, predictions, training_labels
from slant.systems.blocks import fitted_scaling, joined, linear_probabilities, scaled
from slant.systems.capacity import reading_bytes
from slant.systems.checkpoints import CHECKPOINTS, checkpoint_fingerprint, load_encoder
from slant.systems.encoder import encode_texts, require_encoders
from slant.systems.hubvision import PROCESSOR
from slant.systems.imagevectors import OWN, image_encoder, image_vectors
from slant.systems.linear import CHOICES_OF_C, dev_losses, fitted_regression, fitted_terms
from slant.systems.textvectors import checkpoint_vectors
from slant.systems.threads import one_blas_thread
from slant.types import Array, Floats, Fold, Item, Prediction, System

NONE, TFIDF, MINILM = "none", "tfidf", "minilm"
NGRAM = 2

Read = Callable[[Sequence[Item]], Floats]
"""Items -> (n, d) vectors."""
Block = Callable[[Sequence[Item]], Any]
"""Items, at least one -> a block of (n, d) features, dense or sparse, scaled by train."""


class Pair(NamedTuple):
    """What reads the text and what reads the image; `NONE` where nothing does."""

    text: str
    image: str


def parts_of(spec: str) -> Pair:
    """The two names in "TEXT+IMAGE"; without a plus, the image is not read.

    Raises:
        OptionError: a name is empty, both are none, or there are more than two.

    >>> parts_of("tfidf+color"), parts_of("minilm")
    (Pair(text='tfidf', image='color'), Pair(text='minilm', image='none'))
    """
    asked = f"Making the system 'fusion:{spec}'"
    names = [one.strip() for one in spec.split("+")]
    if len(names) > 2 or not all(names):
        found = "it is not the name of a text encoder, a plus, and that of an image encoder"
        raise OptionError(asked, found, "Give fusion:TEXT+IMAGE, such as fusion:tfidf+color")
    pair = Pair(names[0], names[1] if len(names) == 2 else NONE)
    if pair == (NONE, NONE):
        raise OptionError(asked, "it reads neither text nor image", "Name one of them at least")
    return pair


def fusion(
    spec: str,
    C: float = 0.0,  # noqa: N803
    missing: str = "error",
    max_length: int = 256,
    min_df: int = 2,
    balanced: bool = False,
) -> System:
    """A system of a text vector and an image vector, joined, and a logistic regression.

    Both encoders are frozen; what is learnt are the terms and their weights, the standardisation
    and the regression, all on train. Vectors are standardised by `blocks.fitted_scaling`; a text's
    TF-IDF, as `linear.tfidf_lr` has it, has length 1 as it is. Text and image therefore weigh the
    same before anything is learnt. Where C is 0, the value of `CHOICES_OF_C` with the highest class
    F1 on dev is taken, of equal ones that with the least log loss, then the smallest; without dev
    it is 1. Biased from a probability of 0.5 on.

    Args:
        spec: TEXT+IMAGE. TEXT is none, tfidf, minilm, or a checkpoint of `checkpoints`: the mean of
            its last layer. IMAGE is none, color, efficientnet, or a vision or CLIP model: a folder,
            or a name of the hub.
        C: inverse of the penalty, above 0, or 0 to choose it on dev.
        missing: what an item without an image is: an "error", or "zero" for train's mean image,
            so that only its text is read; `raw` of its prediction says so.
        max_length: tokens of a text for minilm, which cuts there; of a window for a checkpoint.
        min_df: texts of train that a term of tfidf must stand in.
        balanced: whether both classes weigh the same.

    Returns:
        The system.

    Raises:
        UnknownName: no encoder has this name. MissingExtra: its packages are not installed.
        SlantError: see `checkpoints.checkpoint_folder` and `imagevectors.image_encoder`.

    Source: the ViLBias paper's protocols, whose third regime beside zero-shot and five-shot this
    stands for; docs/fusion.md says how it differs.
    """
    pair = parts_of(spec)
    check_text(pair.text)
    images = None if pair.image == NONE else image_encoder(pair.image)
    system = f"fusion:{spec}"

    def predict(folds: Sequence[Fold], seed: int) -> Iterator[list[Prediction]]:

        read_text = None if pair.text in (NONE, TFIDF) else text_reader(pair.text, max_length)
        for fold in folds:
            y = training_labels(system, fold, classes=2)
            train, dev = ([e.item for e in part] for part in (fold.train, fold.dev))
            if images:
                check_images(system, [*train, *dev, *fold.test], train, missing)
            with one_blas_thread():
                blocks: list[Block] = []
                if pair.text == TFIDF:
                    blocks.append(_term_block(system, train, min_df))
                if read_text:
                    blocks.append(_dense_block(read_text, train))
                if images:
                    read = _image_reader(images.name)
                    blocks.append(_image_block(read, train))
                x = _features(blocks, train)
                tries = (C,) if C else CHOICES_OF_C if dev else (1.0,)
                models = [
                    fitted_regression(system, x, y, c=c, balanced=balanced, seed=seed)
                    for c in tries
                ]
                best = 0
                if len(models) > 1:
                    best = best_on_dev(_features(blocks, dev), gold_labels(fold.dev), models)
                p = np.empty(0)
                if fold.test:
                    own = models[best]
                    features = _features(blocks, fold.test)
                    p = linear_probabilities(features, own.coef_[0], float(own.intercept_[0]))
            yield _noted(predictions(fold.test, p >= 0.5, p), fold.test, images is not None)

    return predict


def _noted(
    answers: Sequence[Prediction], items: Sequence[Item], reads_images: bool
) -> list[Prediction]:
    return [
        Prediction(one.id, one.answer, one.probability, raw="no image")
        if reads_images and not item.image
        else one
        for one, item in zip(answers, items, strict=True)
    ]


def best_on_dev(x: Any, y: Array, models: Sequence[Any]) -> int:
    """The place of the model with the highest class F1 on dev; of equals that with the least log
    loss, then the first.

    Args:
        x: (n, d) features of dev, n at least 1.
        y: (n,) labels 0 and 1.
        models: (k,) fitted models.
    """
    losses = dev_losses(x, y, models)

    def rank(place: int) -> tuple[float, float]:
        said = models[place].predict_proba(x)[:, 1] >= 0.5
        cells = [said & (y == 1), said & (y == 0), ~said & (y == 1), ~said & (y == 0)]
        return -float(class_f1(np.array([one.sum() for one in cells]), 0.0)), float(losses[place])

    return min(range(len(models)), key=rank)


def check_text(name: str) -> None:
    """Refuse a text encoder that nobody knows, or whose packages are not installed.

    Raises:
        UnknownName, MissingExtra: see `fusion`.
    """
    if name in (NONE, TFIDF):
        return
    if name not in CHECKPOINTS and "/" not in name and not Path(name).expanduser().exists():
        raise unknown_name("text encoder", name, (NONE, TFIDF, *CHECKPOINTS))
    packages = (
        ("torch", "transformers") if name == MINILM else ("torch", "transformers", "accelerate")
    )
    require_encoders(f"fusion:{name}", packages)


def check_images(system: str, items: Sequence[Item], train: Sequence[Item], missing: str) -> None:
    """Refuse items without an image, unless they are to be zero; and a train without any.

    Raises:
        DataError: naming the first such item.
    """
    without = [item for item in items if not item.image]
    text = system.partition(":")[2].partition("+")[0]
    alone = f"run fusion:{text} for the text alone" if text != NONE else "take a task with images"
    if without and missing != "zero":
        more = f", nor have {len(without) - 1:,} more of {len(items):,}" if without[1:] else ""
        asked = f"Reading the image of '{without[0].id}' for {system}"
        do = f"Set missing=zero to read only the text of such items, or {alone}"
        raise DataError(asked, f"it has none{more}", do)
    if not any(item.image for item in train):
        found = f"None of the {len(train):,} training items has an image"
        raise DataError(f"Training {system}", found, alone.capitalize())


def text_reader(name: str, max_length: int) -> Read:
    """What turns items into vectors of their texts by a frozen encoder.

    Args:
        name: minilm, or another checkpoint, which is loaded here.
        max_length: see `fusion`.
    """
    if name == MINILM:
        return lambda items: encode_texts([i.text for i in items], max_length).astype(np.float64)
    model = load_encoder(name, 0)
    return lambda items: checkpoint_vectors(model, [i.text for i in items], max_length).astype(
        np.float64
    )


def _image_reader(name: str) -> Read:
    encoder = image_encoder(name)
    return lambda items: image_vectors(encoder, [str(i.image) for i in items]).astype(np.float64)


def _term_block(system: str, train: Sequence[Item], min_df: int) -> Block:
    terms, _ = fitted_terms(system, [item.text for item in train], NGRAM, min_df)
    return lambda items: terms.transform([item.text for item in items])


def _dense_block(read: Read, train: Sequence[Item]) -> Block:
    scaling = fitted_scaling(read(train))
    return lambda items: scaled(read(items), scaling)


def _image_block(read: Read, train: Sequence[Item]) -> Block:
    """Items without an image have zeros: the mean of train."""
    inner = _dense_block(read, [item for item in train if item.image])
    width = inner([next(item for item in train if item.image)]).shape[1]

    def block(items: Sequence[Item]) -> Floats:
        rows = np.zeros((len(items), width))
        there = [place for place, item in enumerate(items) if item.image]
        if there:
            rows[there] = inner([items[place] for place in there])
        return rows

    return block


def _features(blocks: Sequence[Block], items: Sequence[Item]) -> Any:
    return joined([block(items) for block in blocks])


def fusion_fingerprint(spec: str) -> str:
    """The first 8 hex digits of a hash over both encoders' fingerprints."""
    pair = parts_of(spec)
    check_text(pair.text)
    text = pair.text if pair.text in (NONE, TFIDF) else checkpoint_fingerprint(pair.text)
    image = NONE if pair.image == NONE else image_encoder(pair.image).fingerprint
    return sha256(f"{text} {image}".encode()).hexdigest()[:8]


def fusion_label(spec: str) -> str:
    """Both encoders by the last parts of their names.

    >>> fusion_label("tfidf+openai/clip-vit-base-patch32")
    'tfidf+clip-vit-base-patch32'
    """
    return "+".join(Path(one.strip()).name for one in spec.split("+"))


def fusion_bytes(spec: str) -> int:
    """What one process of the system needs, about; 0 where neither encoder is a network."""
    pair = parts_of(spec)
    need = 0 if pair.text in (NONE, TFIDF) else reading_bytes(pair.text)
    if pair.image not in OWN:
        return need + reading_bytes(pair.image, PROCESSOR)
    return need + (2**30 if pair.image == "efficientnet" else 0)
