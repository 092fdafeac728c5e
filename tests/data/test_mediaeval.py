"""The images of news events with posts."""

from __future__ import annotations

import polars as pl
import pytest
from drawn import picture

from slant.data.files import data_homes, locate
from slant.data.mediaeval import POSTS, TRUTH, images_of, mediaeval_table
from slant.data.sources import Source
from slant.errors import DataError

HEAD = "post_id\tpost_text\tuser_id\tusername\timage_id\ttimestamp\tlabel"


def made(folder, posts=("1\tA \"quoted\"\\ntext\t7\tu\tevent_a_1\tt\tfake ", "2\tB\t7\tu\tevent_a_2\tt\treal")):  # fmt: skip
    (folder / POSTS).write_text("\n".join([HEAD, *posts, ""]), encoding="utf-8")
    truth = ["image_filename\tpost_id\tlabel", "event_a_1\t1\tnon-tampered", "event_a_2\t2\ttampered", "rio_moon_2\t-\ttampered"]  # fmt: skip
    (folder / TRUTH).write_text("\n".join(truth) + "\n", encoding="utf-8")
    (folder / "images").mkdir(exist_ok=True)
    for name in ("event_a_1.jpg", "riom_moon_2.jpg"):
        (folder / "images" / name).write_bytes(picture(kind="JPEG"))
    return Source("mediaeval", "x", folder, (folder / POSTS, folder / TRUTH), "partial", (), "00")


def test_a_post_has_its_own_label_that_of_its_image_and_the_event(tmp_path):
    table = mediaeval_table(made(tmp_path), "clean", "minimal")
    assert table["text"].to_list() == ['A "quoted" text', "B"]
    assert table["label"].to_list() == [1, 0]
    assert table["image_label"].to_list() == [0, 1]
    assert table["text_label"].to_list() == [None, None]
    assert table["article"].to_list() == ["event_a", "event_a"]
    assert table["image"].to_list() == ["images/event_a_1.jpg", "event_a_2"]
    assert table["image_file"].to_list() == [str(tmp_path / "images" / "event_a_1.jpg"), None]


def test_the_one_image_that_is_named_otherwise_is_found(tmp_path):
    assert images_of(made(tmp_path)).places["rio_moon_2"] == "images/riom_moon_2.jpg"


def test_a_label_outside_the_set_and_a_post_of_an_unlabelled_image_are_named(tmp_path):
    with pytest.raises(DataError, match="row 2 has the label 'unsure'"):
        mediaeval_table(made(tmp_path, ["1\tA\t7\tu\tevent_a_1\tt\tunsure"]), "clean", "minimal")
    with pytest.raises(DataError, match="post 9 is of the image 'other_1', which"):
        mediaeval_table(made(tmp_path, ["9\tA\t7\tu\tother_1\tt\tfake"]), "clean", "minimal")


def test_the_real_posts_are_as_their_description_says(real_data):
    source = locate("mediaeval", data_homes(real_data), "clean")
    table = mediaeval_table(source, "clean", "minimal")
    # 455 posts, 307 fake and 148 real; 43 images, 23 of them without tampering, 13 without a post.
    assert table["source_label"].value_counts().sort("source_label").rows() == [
        ("fake", 307),
        ("real", 148),
    ]
    assert table["image_file"].null_count() == 0
    assert table["image"].n_unique() == 43 - 13
    assert len(images_of(source).places) == 43
    each = table.group_by("image").agg(pl.col("source_label").n_unique())
    assert each["source_label"].to_list() == [1] * 30
