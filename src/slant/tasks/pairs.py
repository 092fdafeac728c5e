"""Tasks of text and image: their images found, their labels chosen, what must be said of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace

import polars as pl

from slant.data import mediaeval, vilbias
from slant.data.hashes import fingerprint_of
from slant.data.imagesums import Images, found_images
from slant.data.samples import sample_pairs
from slant.data.sources import Source
from slant.errors import DataError
from slant.tasks.options import Options

OPEN_PAIRS = "open/pairs"
STAND_IN = (
    "ViLBias itself is not here: rows of VLDBench stand in for it, whose labels say likely or "
    "unlikely disinformation, not bias."
)
_IMAGES: Mapping[str, Callable[[Source], Images]] = {
    vilbias.VILBIAS: vilbias.images_of,
    vilbias.VLDBENCH: vilbias.images_of,
    mediaeval.DATASET: mediaeval.images_of,
}
PAIR_SETS = tuple(_IMAGES)
"""The data sets with a card whose items have an image."""


def images_of(source: Source) -> Images | None:
    """The images of a data set that are here; None where its items are text alone."""
    if source.dataset in _IMAGES:
        return _IMAGES[source.dataset](source)
    if source.form != "added":
        return None
    table = source.files[0]
    if source.state != "complete" or "image" not in pl.read_parquet_schema(table):
        return None
    names = pl.read_parquet(table, columns=["image"], glob=False)["image"].to_list()
    return found_images(table.parent, names)


def with_notes(source: Source, images: Images, options: Options) -> Source:
    """A source of pairs with what a run must say of its images and labels."""
    if source.dataset in (vilbias.VILBIAS, vilbias.VLDBENCH):
        notes = vilbias.notes_of(source, images, options.votes)
    else:
        # The name of an added image is the sum of its bytes.
        sound = [place for place, found in images.sums.items() if found in place]
        if source.form == "added" and len(sound) < images.named:
            lost = images.named - len(sound)
            notes = (f"Of {images.named:,} images {lost:,} are gone or are not what was added.",)
            return replace(source, state="altered", notes=(*source.notes, *notes))
        notes = (f"{len(images.places):,} of {images.named:,} images named are here.",)
    return replace(source, notes=(*source.notes, *notes))


def standing_in(source: Source) -> Source:
    """VLDBench as what the task `vilbias` is made of; never called complete."""
    return replace(source, state="partial", notes=(STAND_IN, *source.notes))


def with_image_bytes(dataset: str, fingerprint: str, images: Images) -> str:
    """The fingerprint of a data set together with the bytes of its images; hex."""
    if not images.fingerprint:
        return fingerprint
    return fingerprint_of([(dataset, fingerprint), ("images", images.fingerprint)])


def pair_rows(source: Source, options: Options) -> pl.DataFrame:
    """The unified table of a data set of `PAIR_SETS`."""
    preset, cleaning = options.labels_preset, options.cleaning
    if source.dataset == mediaeval.DATASET:
        return mediaeval.mediaeval_table(source, preset, cleaning)
    return vilbias.pair_table(source, preset, cleaning, options.votes)


def with_target(table: pl.DataFrame, options: Options) -> pl.DataFrame:
    """A unified table with the label that the option `target` asks for.

    Rule: `multimodal` leaves the table as it is. `text` and `image` take that column's label; rows
    without it are left out. An image's label belongs to the image: of rows that show the same one
    (by its bytes) the first that has a text stays.

    Raises:
        DataError: the data set has no such labels.
    """
    target = options.target
    if target == "multimodal":
        return table
    name = f"{target}_label"
    if name not in table.columns or not table[name].is_in([0, 1]).any():
        others = [one for one in ("text", "image") if f"{one}_label" in table.columns]
        sets = ", ".join(table["dataset"].unique().sort())
        has = [one for one in others if table[f"{one}_label"].is_in([0, 1]).any()]
        raise DataError(
            f"Taking the labels of the {target}s of '{sets}'",
            "it has none",
            f"Take target={' or target='.join(['multimodal', *has])}",
        )
    other = pl.col("left_out") if "left_out" in table.columns else pl.lit(None, pl.String)
    kept = pl.when(other != "no label").then(other)
    missing = pl.when(pl.col(name).is_null()).then(pl.lit(f"no label of the {target}"))
    chosen = table.with_columns(left_out=pl.coalesce(kept, missing))
    usable = pl.col("left_out").is_null()
    if target == "image":
        sums = pl.when(usable).then("image_sha256")
        again = sums.is_not_null() & ~sums.is_first_distinct()
        chosen = chosen.with_columns(
            left_out=pl.when(again).then(pl.lit("same image")).otherwise("left_out")
        )
    return chosen.with_columns(label=pl.when(usable).then(pl.col(name)))


def open_pair_fingerprint() -> tuple[str, str]:
    """Hex, of the embedded pairs with the bytes of their images; and the folder of the images."""
    table = sample_pairs()
    rows = hashlib.sha256(table.drop("image_file").write_ndjson().encode()).hexdigest()
    return rows, str(table["image_file"][0]).removesuffix(str(table["image"][0]))
