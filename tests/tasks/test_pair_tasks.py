"""Tasks of text and image: what stays together, which label is asked, what the items carry."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import polars as pl
import pytest

sys.path.append(str(Path(__file__).parents[1] / "data"))
from drawn import picture

import slant
from slant.data.samples import sample_pairs
from slant.errors import DataError, OptionError
from slant.tasks.leaks import leaks_of
from slant.tasks.members import described
from slant.tasks.names import members_of, task_names
from slant.tasks.options import chosen_options
from slant.tasks.prepare import examples_of, prepared
from slant.tasks.protocols import DEV, TEST, TRAIN
from slant.tasks.splits import split_changes, split_text

WORDS = ["apple", "basin", "cedar", "delta", "ember", "fjord", "grove", "heron", "inlet", "jetty"]
COLUMNS = ["unique_id", "outlet", "title", "content", "image", "text_label", "image_label", "multimodal_label"]  # fmt: skip


def text_of(number):
    import random

    return " ".join(random.Random(number).choices(WORDS, k=30)) + f" {number}"


@pytest.fixture
def home(tmp_path):
    """200 made pairs of ViLBias of twenty outlets; rows 4n and 4n + 1 show one image."""
    folder = tmp_path / "data" / "vilbias"
    (folder / "images").mkdir(parents=True)
    rows = []
    for n in range(200):
        name = f"images/{n - n % 2 if n % 4 < 2 else n}.png"
        color = (int(name[7:-4]), 9, 9)
        (folder / name).write_bytes(picture((4, 4), color))
        text, image = n % 2, (n // 4) % 2
        label = "Likely" if text or image else "Unlikely"
        words = ["Unlikely", "Likely"]
        rows.append((f"r{n}", f"outlet {n % 20}", f"Title {n}", text_of(n), name, words[text], words[image], label))  # fmt: skip
    pl.DataFrame(rows, COLUMNS, orient="row").write_csv(folder / "vilbias.csv")
    return tmp_path / "data"


def rows_of(task, home, changes=None):
    asked = chosen_options("clean", changes or {}, [task])
    ready = prepared(task, asked, 42, home, {})
    return pl.read_parquet(ready.rows), pl.read_parquet(ready.left_out)


def parts(rows, role="role_0"):
    return dict(rows[role].value_counts().iter_rows())


def test_vilbias_is_split_80_10_10_with_equal_shares_of_labels_and_no_image_on_two_sides(home):
    rows, left_out = rows_of("vilbias", home)
    assert left_out.is_empty()
    assert parts(rows) == {TRAIN: 160, DEV: 20, TEST: 20}
    # 150 of 200 are biased: 3 of 4 in each part.
    share = rows.group_by("role_0").agg(pl.col("label").mean())
    assert share["label"].to_list() == pytest.approx([0.75] * 3, abs=0.051)
    shown = rows.group_by("image_sha256").agg(pl.col("role_0").n_unique(), pl.len())
    assert shown["len"].max() == 2
    assert shown["role_0"].max() == 1


def test_outlets_are_groups_where_that_is_asked_for(home):
    rows, _ = rows_of("vilbias", home)
    assert rows.group_by("outlet").agg(pl.col("role_0").n_unique())["role_0"].max() == 3
    rows, _ = rows_of("vilbias", home, {"groups": "outlet"})
    assert rows.group_by("outlet").agg(pl.col("role_0").n_unique())["role_0"].max() == 1


def test_outlets_too_large_for_a_part_are_one_line_before_anything_is_trained(home):
    # 80 rows in 7 outlets of 11 or 12: a part of 8 can take none of them.
    path = home / "vilbias" / "vilbias.csv"
    rows = pl.read_csv(path).head(80).with_row_index()
    outlet = pl.format("outlet {}", pl.col("index") % 7)
    rows.with_columns(outlet=outlet).drop("index").write_csv(path)
    said = (
        r"80 rows in . clusters of up to \d+ rows, .*\(groups=outlet\), give parts smaller than 5"
    )
    with pytest.raises(DataError, match=said):
        rows_of("vilbias", home, {"groups": "outlet", **split_changes("80/10/10", None)})


def test_five_folds_test_every_row_once(home):
    rows, _ = rows_of("vilbias", home, split_changes(None, 5))
    tested = rows.select(pl.sum_horizontal(pl.col("^role_.*$") == TEST)).to_series()
    assert tested.to_list() == [1] * 200


def test_an_item_carries_the_absolute_path_of_its_image_and_nothing_of_the_gold(home):
    rows, _ = rows_of("vilbias", home)
    examples = examples_of(rows)
    assert all(Path(one.item.image).is_file() for one in examples)
    assert all(Path(one.item.image).is_absolute() for one in examples)
    assert {one.item.group for one in examples} == {"vilbias"}


def test_the_label_asked_for_is_that_of_the_text_the_image_or_both(home):
    assert rows_of("vilbias", home)[0]["label"].sum() == 150
    assert rows_of("vilbias", home, {"target": "text"})[0]["label"].sum() == 100
    rows, left_out = rows_of("vilbias", home, {"target": "image"})
    # 50 images are shown twice; an image is asked once.
    assert (len(rows), rows["image_sha256"].n_unique()) == (150, 150)
    assert dict(left_out["reason"].value_counts().iter_rows()) == {"same image": 50}
    assert (rows["label"] == rows["image_label"]).all()


def test_changed_bytes_of_one_image_make_other_data_and_another_place_another_cache(home, tmp_path):
    asked = chosen_options("clean", {}, ["vilbias"])
    before = prepared("vilbias", asked, 42, home, {})
    assert prepared("vilbias", asked, 42, home, {}).rows == before.rows
    moved = home.rename(tmp_path / "moved")
    after = prepared("vilbias", asked, 42, moved, {})
    assert after.data == before.data
    assert after.rows != before.rows
    assert examples_of(pl.read_parquet(after.rows))[0].item.image.startswith(str(moved))
    (moved / "vilbias" / "images" / "2.png").write_bytes(picture((5, 5)))
    assert prepared("vilbias", asked, 42, moved, {}).data != before.data


def test_without_image_files_the_texts_are_run_and_that_is_said(home):
    for path in (home / "vilbias" / "images").iterdir():
        path.unlink()
    rows, _ = rows_of("vilbias", home)
    assert {one.item.image for one in examples_of(rows)} == {None}
    (member,) = members_of("vilbias", chosen_options("clean", {}), home)
    said = described([member])[0]
    assert said["images"] == 0
    assert "No image file is here: all 200 rows are text alone." in said["notes"]


def test_pair_twins_stay_in_one_fold_of_the_embedded_pairs():
    rows, _ = rows_of("open/pairs", None, {"folds": "2"})
    table = sample_pairs()
    assert len(rows) == len(table)
    for role in ("role_0", "role_1"):
        assert rows.group_by("pair").agg(pl.col(role).n_unique())[role].max() == 1
    assert leaks_of(rows).pairs_across == 0
    one = examples_of(rows)[0]
    row = table.row(by_predicate=pl.col("id") == one.item.id, named=True)
    assert (one.gold.reason, one.item.image) == (row["rationale_text"], row["image_file"])
    assert one.gold.biased == bool(row["label"])
    assert Path(one.item.image).is_file()


def test_a_target_that_a_data_set_has_no_labels_of_says_which_it_has(real_data):
    with pytest.raises(DataError, match=r"'vldbench': it has none\. .*multimodal or target=text"):
        rows_of("vilbias/vldbench", real_data, {"target": "image"})
    with pytest.raises(DataError, match="Take target=multimodal or target=image"):
        rows_of("vilbias/mediaeval", real_data, {"target": "text"})
    with pytest.raises(DataError, match=r"Take target=multimodal\."):
        rows_of("open/sentences", None, {"target": "text"})


def test_vldbench_stands_in_where_vilbias_is_absent_and_says_so(real_data, home):
    asked = chosen_options("clean", {}, ["vilbias"])
    own, other = members_of("vilbias", asked, real_data)
    assert (own.here, other.here, other.dataset) == (False, True, "vldbench")
    assert other.source.state == "partial"
    assert "disinformation, not bias" in other.source.notes[0]
    alone = members_of("vilbias/vldbench", asked, real_data)[0]
    assert "stand in" not in " ".join(alone.source.notes)
    assert [one.dataset for one in members_of("vilbias", asked, home)] == ["vilbias"]


def test_no_event_of_the_real_images_is_on_two_sides(real_data):
    rows, _ = rows_of("vilbias/mediaeval", real_data)
    assert leaks_of(rows).articles_across == 0
    assert rows["article"].n_unique() == 19
    images, _ = rows_of("vilbias/mediaeval", real_data, {"target": "image", "folds": "3"})
    # 30 of the 43 images have a post; of these 13 were tampered with.
    assert (len(images), images["label"].sum()) == (30, 13)


def test_a_run_names_the_task_the_split_and_the_target(home, tmp_path):
    done = slant.run(
        "vilbias", "tfidf-lr", tmp_path / "run", data=home, jobs=1, options={"target": "text"}
    )
    scores = json.loads((done.folder / "scores.json").read_text())
    assert scores["tasks"]["vilbias"]["n"] == 20
    assert scores["primary"] == "biased_f1"
    for part in ("vilbias|task:vilbias|", "|split:holdout|", "|test-share:0.1|", "|target:text|"):
        assert part in done.signature
    used = json.loads((done.folder / "run.json").read_text())["data"]
    assert used[0]["images"] == 150


def test_names_of_pair_tasks():
    names = ["vilbias", "vilbias/vldbench", "vilbias/mediaeval", "open/pairs"]
    assert task_names(names, None) == (names, False)


@pytest.mark.parametrize(
    ("split", "shares"),
    [("80/10/10", (0.1, 0.1)), ("8/1/1", (0.1, 0.1)), ("70/20/10", (0.2, 0.1)), ("0.5/0.25/0.25", (0.25, 0.25))],
)  # fmt: skip
def test_a_split_is_read_as_train_dev_test(split, shares):
    asked = chosen_options("clean", split_changes(split, None))
    assert (asked.dev_share, asked.test_share) == shares
    assert asked.split == "holdout"


@pytest.mark.parametrize(
    "split", ["80/20", "80/10/0", "a/b/c", "", "80/10/-10", "1/2/nan", "1/1/inf", "80/10/20"]
)
def test_a_split_that_is_none_is_one_line(split):
    with pytest.raises(OptionError, match="80/10/10"):
        split_changes(split, None)


def test_split_and_folds_exclude_each_other_and_are_named_in_words():
    with pytest.raises(OptionError, match="--split 80/10/10 and --folds 5 were given"):
        split_changes("80/10/10", 5)
    assert (
        split_text(chosen_options("clean", split_changes("80/10/10", None))) == "holdout 80/10/10"
    )
    assert split_text(chosen_options("clean", split_changes(None, 7), ["vilbias"])) == "7 folds"
