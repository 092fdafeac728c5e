"""ViLBias and VLDBench: the published columns, read strictly."""

from __future__ import annotations

import shutil

import polars as pl
import pytest
from drawn import picture

from slant.data.cards import load_card, public_name
from slant.data.files import data_homes, locate
from slant.data.imports import import_set
from slant.data.sources import Source
from slant.data.vilbias import array_cells, images_of, notes_of, pair_table, vote_counts
from slant.errors import DataError

FINAL = ["unique_id", "outlet", "title", "canonical_link", "content", "image", "text_label", "multimodal_label"]  # fmt: skip
VOTED = ["unique_id", "outlet", "title", "content", "image", "gemma", "gpt4omini", "llama3.1", "llama3", "mistral", "phi_label", "cpm_label"]  # fmt: skip
L, U = "Likely", "Unlikely"
ROWS = [
    ("a1", "Herald", "One", "https://h/1", "First\nline, with a comma.", "images/a1.png", U, L),
    ("b2", "Herald", "Two", "", "Second “text”.", "images/b2.jpg", L, L),
    ("c3", "Post", "Three", "https://p/3", "Third text.", "", U, U),
]


def source(folder, rows=ROWS, columns=FINAL, dataset="vilbias"):
    path = folder / "vilbias.csv"
    pl.DataFrame(rows, columns, orient="row").write_csv(path)
    return Source(dataset, "articles", folder, (path,), "complete", (), "00")


def test_the_final_csv_gives_labels_text_outlet_and_the_images_that_are_here(tmp_path):
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "a1.png").write_bytes(picture())
    table = pair_table(source(tmp_path), "clean", "minimal")
    assert table["id"].to_list() == ["vilbias-a1", "vilbias-b2", "vilbias-c3"]
    assert table["text"][0] == "One First line, with a comma."
    assert table["label"].to_list() == [1, 1, 0]
    assert table["text_label"].to_list() == [0, 1, 0]
    assert table["image_label"].to_list() == [None] * 3
    assert table["outlet"].to_list() == ["Herald", "Herald", "Post"]
    assert table["article"].to_list() == ["https://h/1", None, "https://p/3"]
    assert table["image"].to_list() == ["images/a1.png", "images/b2.jpg", None]
    assert table["image_file"].to_list() == [str(tmp_path / "images" / "a1.png"), None, None]
    assert table["rationale_text"].null_count() == 3
    assert table["source_label"].to_list() == [L, L, U]


def test_images_are_also_sought_by_their_name_and_a_path_that_climbs_is_not_followed(tmp_path):
    home = tmp_path / "set"
    (home / "images").mkdir(parents=True)
    (tmp_path / "out.png").write_bytes(picture())
    (home / "images" / "b2.png").write_bytes(picture())
    rows = [(*row[:5], name, *row[6:]) for row, name in zip(ROWS, ("../out.png", "../x/b2.png", "/b2.png"), strict=True)]  # fmt: skip
    found = images_of(source(home, rows))
    assert found.places == {"../x/b2.png": "images/b2.png", "/b2.png": "images/b2.png"}


def test_rows_that_show_one_image_are_of_one_pair_and_its_bytes_are_in_the_fingerprint(tmp_path):
    (tmp_path / "images").mkdir()
    for name in ("a1.png", "b2.jpg"):
        (tmp_path / "images" / name).write_bytes(picture())
    made = source(tmp_path)
    table = pair_table(made, "clean", "minimal")
    first, second, third = table["pair"]
    assert first == second
    assert first.startswith("image-")
    assert third is None
    before = images_of(made).fingerprint
    (tmp_path / "images" / "b2.jpg").write_bytes(picture(color=(0, 0, 9)))
    assert images_of(made).fingerprint != before
    assert pair_table(made, "clean", "minimal")["pair"].null_count() == 3


@pytest.mark.parametrize("label", ["likely", "Biased", "", "Likely "])
def test_a_label_outside_the_set_is_named_with_its_row(tmp_path, label):
    rows = [*ROWS[:2], (*ROWS[2][:-1], label)]
    with pytest.raises(DataError, match=rf"row 3 has the label '{label}'.*'Likely', 'Unlikely'"):
        pair_table(source(tmp_path, rows), "clean", "minimal")


def test_a_csv_without_text_id_or_label_is_refused(tmp_path):
    for gone in ("content", "unique_id"):
        columns = [name if name != gone else "other" for name in FINAL]
        with pytest.raises(DataError, match=f"no column '{gone}'"):
            pair_table(source(tmp_path, columns=columns), "clean", "minimal")
    with pytest.raises(DataError, match="no column 'multimodal_label'"):
        pair_table(source(tmp_path, [row[:6] for row in ROWS], FINAL[:6]), "clean", "minimal")


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "the file is empty"),
        (b"unique_id,content,multimodal_label\n", "a header and no rows"),
        (b"unique_id,content,multimodal_label\na,b\xff,Likely\n", r"byte 38 \(0xFF, line 2\)"),
        (b"unique_id,content,multimodal_label\ra,b,Likely\r", "its first line is no header"),
        (bytes(range(256)) * 4, "is not utf-8"),
    ],
)
def test_a_csv_that_is_none_is_one_line_however_it_is_found(tmp_path, content, found):
    (tmp_path / "vilbias").mkdir()
    path = tmp_path / "vilbias" / "vilbias.csv"
    path.write_bytes(content)
    with pytest.raises(DataError, match=found) as caught:
        pair_table(locate("vilbias", [tmp_path], "clean"), "clean", "minimal")
    assert "\n" not in str(caught.value)


def test_line_ends_of_windows_emoji_and_backslashes_in_paths_change_nothing(tmp_path):
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "a1.png").write_bytes(picture())
    made = source(tmp_path)
    before = pair_table(made, "clean", "minimal")
    path = made.files[0]
    text = path.read_text().replace("images/", "images\\").replace("One", "One \U0001f680")
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    after = pair_table(made, "clean", "minimal")
    assert after.drop("image").equals(before.drop("image"))
    assert after["image_file"][0] == before["image_file"][0]


def test_an_id_that_stands_twice_is_named(tmp_path):
    with pytest.raises(DataError, match="record 'a1' has an id that another record has too"):
        pair_table(source(tmp_path, [*ROWS, ROWS[0]]), "clean", "minimal")


# By hand: text 3:2 Likely, 1:4 Unlikely, 2:2 of four a tie; image both, one each, one each.
VOTES = [
    ("a", "H", "One", "First text.", "", L, L, L, U, U, U, U),
    ("b", "H", "Two", "Second text.", "", L, U, U, U, U, L, U),
    ("c", "P", "Three", "Third text.", "", L, L, U, U, "Maybe", U, L),
]


@pytest.mark.parametrize(
    ("votes", "text", "image", "both"),
    [
        ("first", [1, 0, 1], [0, 1, 0], [1, 1, 1]),
        # OR of a dropped tie with 0 is not known, with 1 it is 1; two dropped ties are not known.
        ("drop", [1, 0, None], [0, None, None], [1, None, None]),
    ],
)
def test_labels_are_recomputed_from_the_votes_by_the_rule_that_was_asked_for(
    tmp_path, votes, text, image, both
):
    made = source(tmp_path, VOTES, VOTED)
    table = pair_table(made, "clean", "minimal", votes)
    assert table["text_label"].to_list() == text
    assert table["image_label"].to_list() == image
    assert table["label"].to_list() == both
    assert table["left_out"].to_list() == [None if one is not None else "no label" for one in both]
    official = pair_table(made, "official", "official", votes)
    assert official["label"].to_list() == [2 if one is None else one for one in both]


def test_the_share_of_ties_and_the_rule_are_said(tmp_path):
    made = source(tmp_path, VOTES, VOTED)
    counts = vote_counts(made, "seeded")
    assert (counts["text"].ties, counts["image"].ties) == (1, 2)
    said = " ".join(notes_of(made, images_of(made), "seeded"))
    assert "1 of 3 (33.3%) are ties, drawn with seed 42; 1 votes" in said
    assert "2 of 3 (66.7%) are ties" in said
    assert "No image file is here: all 3 rows are text alone." in said


def test_votes_that_are_not_in_the_file_cannot_be_recomputed(tmp_path):
    with pytest.raises(DataError, match=r"none of the annotators' columns.*votes=published"):
        pair_table(source(tmp_path), "clean", "minimal", "seeded")


def test_published_majorities_are_the_labels_where_no_final_one_stands(tmp_path):
    columns = [*FINAL[:6], "text_majority_vote", "image_majority_vote"]
    table = pair_table(source(tmp_path, columns=columns), "clean", "minimal")
    assert table["image_label"].to_list() == [1, 1, 0]
    assert table["label"].to_list() == [1, 1, 0]


@pytest.mark.parametrize(
    "cell", ["__import__('os')", "['a'", "a", "", "['a' b]", "[0.1 x]", "[[1]]", "['a']]"]
)
def test_an_array_that_is_none_is_named_with_its_row_and_never_run(tmp_path, cell):
    for kind in ("words", "numbers"):
        with pytest.raises(DataError, match=r"row 1 has .* no list of"):
            array_cells([cell], tmp_path / "a.csv", kind)


@pytest.mark.parametrize("cell", ["['a\rb']", "['a\0b']"])
def test_a_word_that_python_could_not_have_written_is_named_with_its_row(tmp_path, cell):
    with pytest.raises(DataError, match=r"row 2 has .* no word in quotes"):
        array_cells(["[]", cell], tmp_path / "a.csv", "words")


def test_arrays_of_numpy_come_back_as_they_were(tmp_path):
    import numpy as np

    words = ["it's", 'say "so"', "a b", "x\\y", "line\nend", "“é”"]
    assert array_cells([str(np.array(words))], tmp_path, "words") == [words]
    numbers = [0.95, 1.0, 1e-05, 12.5]
    assert array_cells([str(np.array(numbers))], tmp_path, "numbers") == [numbers]
    long = [f"word{n}" for n in range(40)]
    assert "\n" in str(np.array(long))
    assert array_cells([str(np.array(long))], tmp_path, "words") == [long]


def test_files_and_images_are_imported_from_any_nesting(tmp_path):
    given = tmp_path / "download" / "VILBias-main"
    (given / "images").mkdir(parents=True)
    source(given)
    (given / "images" / "a1.png").write_bytes(picture())
    states = import_set(tmp_path / "download", tmp_path / "store", None, ["vilbias"])
    assert [one.state for one in states] == ["complete"]
    kept = locate("vilbias", [tmp_path / "store"], "clean")
    assert images_of(kept).places == {"images/a1.png": "images/a1.png"}


def test_an_archive_whose_paths_climb_out_is_refused(tmp_path):
    import zipfile

    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as packed:
        packed.writestr("vilbias/../../images/a.png", picture())
    with pytest.raises(DataError, match="would land outside the folder"):
        import_set(tmp_path / "bad.zip", tmp_path / "store", None, ["vilbias"])
    assert not list(tmp_path.glob("images"))


def test_the_cards_say_what_the_labels_mean_and_how_the_files_are_had():
    assert [public_name(n) for n in ("vilbias", "vldbench", "mediaeval")] == [
        "vilbias", "vilbias/vldbench", "vilbias/mediaeval",
    ]  # fmt: skip
    assert load_card("vilbias").access == "on request"
    assert "disinformation" in load_card("vldbench").quirks[0]
    assert "transfer exercise" in load_card("mediaeval").quirks[0]
    for number in ("vilbias", "vldbench", "mediaeval"):
        card = load_card(number)
        assert card.citation is not None
        assert not card.downloads


def test_the_shared_rows_are_as_their_description_says(real_data):
    found = locate("vldbench", data_homes(real_data), "clean")
    table = pair_table(found, "clean", "minimal")
    # The description's counts: 334 rows, 35 outlets; text 257 / 77, both 180 / 154.
    assert (len(table), table["outlet"].n_unique()) == (334, 35)
    assert table["text_label"].sum() == 257
    assert table["label"].sum() == 180
    # A likely text in an unlikely pair: the label of both is no OR here.
    assert len(table.filter((pl.col("text_label") == 1) & (pl.col("label") == 0))) == 105
    assert table["image_file"].null_count() == 334
    assert table["categories"][0].to_list() == ["Politics", "Opinion/Editorial"]
    assert table["confidences"][0].to_list() == [0.95, 0.9]
    assert (table["categories"].list.len() == table["confidences"].list.len()).all()


def test_the_shared_csv_is_found_under_its_name_alone(real_data, tmp_path):
    shutil.copy(real_data / "vilbias" / "vldbench_metadata_shared.csv", tmp_path)
    assert locate("vldbench", [tmp_path], "clean").state == "partial"
    assert locate("vilbias", [tmp_path], "clean") is None
