"""Vectors of images: by statistics, by EfficientNet-Lite0, or by a model of the hub.

A vector is a function of its image's bytes and of its encoder alone: each image is encoded by
itself, once, and kept in the user's store.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from slant.data.images import image_bytes, upright_image
from slant.errors import MissingExtra, unknown_name
from slant.systems import efficientnet, hubvision, imagestatistics
from slant.systems.checkpoints import checkpoint_fingerprint, code_fingerprint
from slant.systems.encoder import (
    Vectors,
    cache_folder,
    keep_rows,
    one_thread,
    open_store,
    store_failed,
    stored_rows,
)
from slant.systems.memory import within_memory

STATISTICS_SIDE = 256
"""Pixels of the longer side of the image that statistics are taken of."""
READ_SIDE = 1024
"""Pixels of the longer side of the image that a network's own preparation begins with."""
OWN = ("none", "color", "efficientnet")
COMMIT = 32  # images between two commits: what a kill can lose
TABLE = "imagevectors"

Encode = Callable[[Path], Vectors]


@dataclass(frozen=True, slots=True)
class ImageEncoder:
    """One way from an image to a vector.

    Fields:
        name: as it was asked for.
        fingerprint: of its weights or formulas, 64 hex digits.
        heavy: whether it is a network.
        load: makes what turns a file into a vector; weights are loaded only then.
    """

    name: str
    fingerprint: str
    heavy: bool
    load: Callable[[], Encode]


def image_encoder(name: str) -> ImageEncoder:
    """The encoder that a name stands for; no weights are loaded yet.

    Args:
        name: "color", "efficientnet", a folder, or a name of the hub (`owner/name`).

    Raises:
        UnknownName: nobody knows it.
        MissingExtra: Pillow, or what a network needs, is not installed.
        SlantError: see `efficientnet.weights_file` and `checkpoints.checkpoint_folder`.
    """
    if not find_spec("PIL"):
        asked = f"Loading the image encoder '{name}'"
        raise MissingExtra(asked, "Pillow is not installed", 'Run pip install "slant[vision]"')
    if name == "color":
        digest = sha256(f"color {imagestatistics.VERSION}".encode()).hexdigest()
        return ImageEncoder(name, digest, False, lambda: _statistics)
    if name == "efficientnet":
        return ImageEncoder(name, efficientnet.weights_fingerprint(), True, _load_efficientnet)
    if "/" not in name and not Path(name).expanduser().is_dir():
        raise unknown_name("image encoder", name, OWN)
    digest = checkpoint_fingerprint(name, hubvision.PROCESSOR)
    return ImageEncoder(name, digest, True, lambda: _load_vision(name))


def _statistics(file: Path) -> Vectors:
    pixels = np.asarray(upright_image(file, STATISTICS_SIDE), dtype=np.uint8)
    return imagestatistics.colour_statistics(pixels).astype(np.float32)


def _load_efficientnet() -> Encode:
    net = efficientnet.load_efficientnet()

    def encode(file: Path) -> Vectors:
        pixels = efficientnet.pixels_of(upright_image(file, READ_SIDE))
        vector: Vectors = efficientnet.pooled_features(net, pixels[None])[0]
        return vector

    return encode


def _load_vision(name: str) -> Encode:
    vision = hubvision.load_vision(name)
    return lambda file: hubvision.vision_vector(vision, upright_image(file, READ_SIDE))


def _code(encoder: ImageEncoder) -> str:
    """What decides a vector's bits beside the image and the encoder's fingerprint."""
    from importlib.metadata import version

    reading = f"1 Pillow {version('pillow')}"
    return code_fingerprint(reading) if encoder.heavy else reading


def image_vectors(encoder: ImageEncoder, files: Sequence[str]) -> Vectors:
    """The vectors of image files; those that the store knows are read from it.

    The key is the SHA-256 of the file's bytes together with the encoder's fingerprint, so that a
    changed image is encoded anew and a copied one is not.

    Args:
        encoder: see `image_encoder`.
        files: (n,) paths, at least one.

    Returns:
        (n, d) float32.

    Raises:
        DataError: a file is missing, no image, or broken; it is named.
        WorkFailed: the store cannot be read or written, or memory ran out.
    """
    begun = sha256(f"{encoder.fingerprint} {_code(encoder)} ".encode())
    keys: dict[str, bytes] = {}
    for file in dict.fromkeys(files):
        own = begun.copy()
        own.update(sha256(image_bytes(Path(file), "")).digest())
        keys[file] = own.digest()
    first = {key: file for file, key in reversed(keys.items())}
    folder = cache_folder()
    try:
        with closing(open_store(folder, TABLE)) as store:
            known = {
                key: np.frombuffer(value, dtype="<f4").astype(np.float32, copy=False)
                for key, value in stored_rows(store, TABLE, list(first))
            }
            new = [key for key in first if key not in known]
            encode = encoder.load() if new else None
            for start in range(0, len(new), COMMIT):
                fresh = {
                    key: _encoded(encoder, encode, first[key])
                    for key in new[start : start + COMMIT]
                    if encode
                }
                rows = [(key, vector.astype("<f4").tobytes()) for key, vector in fresh.items()]
                keep_rows(store, TABLE, rows)
                known |= fresh
    except sqlite3.Error as why:
        raise store_failed(folder, TABLE, why) from why
    return np.stack([known[keys[file]] for file in files])


def _encoded(encoder: ImageEncoder, encode: Encode, file: str) -> Vectors:
    if not encoder.heavy:
        return encode(Path(file))
    with one_thread(), within_memory(f"Reading images with '{encoder.name}'"):
        return encode(Path(file))
