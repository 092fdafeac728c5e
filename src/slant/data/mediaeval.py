"""The images of news events of MediaEval's verification task of 2016, with posts that show them."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import polars as pl

from slant.data.fields import read_fields
from slant.data.imagesums import IMAGES, Images, found_images, with_images
from slant.data.rows import check_labels, file_named
from slant.data.sources import Source
from slant.data.tables import dataset_table, record_table
from slant.data.texts import Cleaning
from slant.errors import DataError
from slant.types import Preset

DATASET = "mediaeval"
POSTS, TRUTH = "posts_groundtruth.txt", "data_groundtruth.txt"
POST_LABELS = {"fake": 1, "real": 0}
IMAGE_LABELS = {"tampered": 1, "non-tampered": 0}
_NAMED_OTHERWISE = {"rio_moon_2": "riom_moon_2"}
_NUMBER = re.compile(r"_\d+$")


def mediaeval_table(source: Source, preset: Preset, cleaning: Cleaning) -> pl.DataFrame:
    """The posts as a unified table, each with the image that it shows.

    Rule: one row per post. `label` is 1 for a fake post, 0 for a real one; `image_label` 1 for a
    tampered image, 0 for another; there is no label of the text alone. `article` is the event: the
    image's name without its number, since images of an event have posts that retell one another.

    Args:
        source: the card's form.
        preset, cleaning: as in `tables.dataset_table`.

    Returns:
        The table with the columns of `vilbias.pair_table`; `rationale_text` is null.

    Raises:
        DataError: a label outside the published ones, or a post of an image that has none.

    Source: Boididou et al. 2016 (Verifying Multimedia Use, MediaEval).
    """
    path = file_named(source, POSTS)
    posts = read_fields(path, {"id": 0, "text": 1, "image": 4, "label": 6}, header=True)
    posts = posts.with_columns(pl.col("image", "label").str.strip_chars())
    truth = _truth(source)
    check_labels(posts["label"], POST_LABELS, path, first=2)
    unknown = posts.filter(~pl.col("image").is_in(truth["image"].implode()))
    if len(unknown):
        name = unknown["image"][0]
        found = f"post {unknown['id'][0]} is of the image '{name}', which {TRUTH} does not label"
        raise DataError(f"Reading '{path}'", found, "Give both files of one release")
    tampered = dict(zip(truth["image"], truth["label"], strict=True))
    images = images_of(source)
    records = record_table(
        posts.select(
            "id",
            pl.col("text").str.replace_all("\\n", "\n", literal=True),
            label=pl.col("label").replace_strict(POST_LABELS, return_dtype=pl.Int8),
            source_label="label",
            part=pl.lit(path.name),
            article=pl.Series([_NUMBER.sub("", name) for name in posts["image"]], dtype=pl.String),
            official_id="id",
            text_label=pl.lit(None, pl.Int8),
            image_label=pl.Series([IMAGE_LABELS[tampered[name]] for name in posts["image"]]).cast(
                pl.Int8
            ),
            image="image",
            rationale_text=pl.lit(None, pl.String),
        )
    )
    return with_images(dataset_table(records, DATASET, preset, cleaning), images)


def images_of(source: Source) -> Images:
    """The images that the labels name and that are here; a label's file has no ending there."""
    folder = file_named(source, TRUTH).parent
    room = folder / IMAGES
    names = _truth(source)["image"].to_list()
    there = {path.stem: path.name for path in sorted(room.iterdir())} if room.is_dir() else {}
    files = {name: there.get(name) or there.get(_NAMED_OTHERWISE.get(name, "")) for name in names}
    found = found_images(folder, [f"{IMAGES}/{file}" for file in files.values() if file])
    places = {
        name: str(PurePosixPath(IMAGES) / file)
        for name, file in files.items()
        if file and f"{IMAGES}/{file}" in found.places
    }
    return Images(found.folder, places, found.sums, len(names))


def _truth(source: Source) -> pl.DataFrame:
    path = file_named(source, TRUTH)
    table = read_fields(path, {"image": 0, "label": 2}, header=True)
    table = table.with_columns(pl.col("label").str.strip_chars())
    check_labels(table["label"], IMAGE_LABELS, path, first=2)
    return table
