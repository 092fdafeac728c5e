from __future__ import annotations

import polars as pl
import pytest

from slant.data.babe import (
    babe_table,
    list_cells,
    load_annotations,
    read_annotations,
    read_babe_words,
    typed_words,
)
from slant.data.cards import load_card
from slant.data.files import check, data_homes, locate, locate_form
from slant.data.sources import Source
from slant.errors import DataError, SlantError

HEADER = "text;news_link;outlet;topic;type;label_bias;label_opinion;biased_words"
ROWS = (
    "Calm words.;http://a/1;Reuters;gun-control;center;Non-biased;Entirely factual;[]",
    "\"Mad;\nwords “here”\";;Fox;blm;;Biased;No agreement;['Mad', '\"here\"']",
    "Who knows;http://a/2;Fox;trump;right;No agreement;No agreement;[]",
)


def made(folder, rows=ROWS, header=HEADER):
    path = folder / "final_labels_SG2.csv"
    path.write_text("\n".join([header, *rows, ""]), encoding="utf-8-sig")
    return Source("babe", "final labels", folder, (path,), "complete", (), "00")


def test_quoted_line_ends_separators_and_lists_are_read_as_they_are_meant(tmp_path):
    table = read_babe_words(made(tmp_path), "clean")
    assert table["text"][1] == "Mad;\nwords “here”"
    assert table["words"].to_list() == [[], ["Mad", '"here"'], []]
    assert table["label"].to_list() == [0, 1, None]
    assert table["left_out"].to_list() == [None, None, "undecided"]
    assert table["article"].to_list() == ["http://a/1", None, "http://a/2"]
    assert table["leaning"].to_list() == ["center", None, "right"]


def test_doubled_topics_are_one_and_the_published_value_is_kept(tmp_path):
    table = read_babe_words(made(tmp_path), "clean")
    assert table["topic"].to_list() == ["gun control", "black lives matter", "trump"]
    assert table["source_topic"].to_list() == ["gun-control", "blm", "trump"]


def test_a_sentence_without_agreement_has_the_label_2_officially(tmp_path):
    assert read_babe_words(made(tmp_path), "official")["label"].to_list() == [0, 1, 2]


@pytest.mark.parametrize(
    "cell", ["__import__('os').getcwd()", "['a', 1]", "('a',)", "['a'", "", "[" * 500]
)
def test_words_that_are_no_list_are_one_line_with_their_row_and_are_never_run(tmp_path, cell):
    rows = (*ROWS[:2], f"Text;;Fox;x;;Biased;x;{cell}")
    with pytest.raises(DataError, match=r"row 3 has the words .* no list of strings") as caught:
        read_babe_words(made(tmp_path, rows), "clean")
    assert "\n" not in str(caught.value)


def test_an_unknown_label_and_a_missing_column_are_named(tmp_path):
    with pytest.raises(DataError, match="row 1 has the label 'biased'"):
        read_babe_words(made(tmp_path, ("Text;;Fox;x;;biased;x;[]",)), "clean")
    with pytest.raises(DataError, match="no column 'biased_words'"):
        read_babe_words(made(tmp_path, ("Text;;Fox;x;;Biased;x",), HEADER[:-13]), "clean")


def test_a_file_with_commas_is_refused(tmp_path):
    with pytest.raises(DataError, match="there is no column 'text'"):
        read_babe_words(made(tmp_path, (), HEADER.replace(";", ",")), "clean")


def test_lists_keep_quotes_and_backslashes():
    assert list_cells(["['don\\'t', \"it's\", 'a\\\\b']"], "x") == [["don't", "it's", "a\\b"]]


def test_an_annotators_entries_are_cut_at_commas_semicolons_and_line_ends():
    assert typed_words("illegal aliens, mad;\r\n sad") == ["illegal aliens", "mad", "sad"]
    assert typed_words("nan") == typed_words("  ") == typed_words(" , ") == []


def workbook(path, rows):
    import openpyxl

    book = openpyxl.Workbook()
    book.active.append(["annotator_id", "text", "label_bias", "biased_words", "df_id"])
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def test_answers_are_matched_with_their_sentences_and_what_is_not_is_counted(tmp_path):
    sentences = pl.DataFrame({"id": ["a", "b"], "text": ["“Mad” words", "Calm."]})
    path = workbook(
        tmp_path / "raw.xlsx",
        [
            ["3", "“Mad” words", "Biased", "mad", "1"],
            ["3", "Calm.", "Non-biased", None, "1"],
            ["9", '"Mad"\u00a0words ', "Biased, unfair", "Mad words", "2"],
            ["9", "Other", "Biased", "x", "2"],
            ["9", "Calm", "Non-biased", "nan", "2"],
            ["9", "Calm .", "Biased", "calm", "3"],
        ],
    )
    found = read_annotations(path, sentences)
    assert (found.labels, found.exact, found.alike, found.unmatched) == (6, 2, 3, 1)
    assert found.repeated == 1
    assert found.table["sentence"].to_list() == ["a", "b", "a", None, "b", None]
    assert found.table["label"].to_list() == [1, 0, 1, 1, 0, 1]
    assert found.table["words"].to_list() == [["mad"], [], ["Mad words"], ["x"], [], ["calm"]]


def test_each_annotators_label_stands_in_the_unified_table_and_nothing_else_changes(tmp_path):
    final = made(tmp_path)
    path = workbook(
        tmp_path / "raw_labels_SG2.xlsx",
        [
            ["3", "Who knows", "Biased", "nan", "1"],
            ["3", 'Mad;\nwords "here" ', "Biased", "mad", "1"],
            ["9", "Mad;\nwords “here”", "Non-biased", None, "2"],
            ["3", "Mad;\nwords “here”", "Non-biased", None, "3"],
            ["9", "Other", "Biased", "x", "2"],
        ],
    )
    raw = Source("babe", "raw labels", tmp_path, (path,), "complete", (), "11")
    for preset, cleaning in (("clean", "minimal"), ("official", "official")):
        table = babe_table(final, raw, preset, cleaning)
        # The second answer of annotator 3 to the second sentence does not count.
        assert table["annotators"].to_list() == [
            [],
            [{"annotator": "3", "label": 1}, {"annotator": "9", "label": 0}],
            [{"annotator": "3", "label": 1}],
        ]
        without = babe_table(final, None, preset, cleaning)
        assert table.drop("annotators").equals(without)


def test_answers_to_other_sentences_are_refused(tmp_path):
    path = workbook(tmp_path / "raw.xlsx", [["3", "Other", "Biased", "x", "1"]])
    with pytest.raises(DataError, match="none of its texts is a sentence of BABE"):
        read_annotations(path, pl.DataFrame({"id": ["a"], "text": ["Mad"]}))


def test_a_workbook_that_is_none_is_one_line(tmp_path):
    path = tmp_path / "raw.xlsx"
    path.write_bytes(b"PK\x03\x04 no workbook")
    with pytest.raises(SlantError, match="no xlsx file"):
        read_annotations(path, pl.DataFrame({"id": ["a"], "text": ["Mad"]}))


def test_answers_that_are_not_here_say_how_they_are_had(tmp_path):
    made(tmp_path)
    with pytest.raises(DataError, match=r"raw_labels_SG2\.xlsx is not here\. .*data fetch babe"):
        load_annotations([tmp_path])


def test_the_card_finds_both_files_wherever_they_lie(real_data, tmp_path):
    for name in ("final_labels_SG2.csv", "raw_labels_SG2.xlsx"):
        (tmp_path / name).symlink_to(real_data / "babe" / name)
    assert locate("babe", [tmp_path], "clean").state == "complete"
    assert locate_form("babe", "raw labels", [tmp_path]).state == "complete"
    assert check([real_data], ["babe"])[0].state == "complete"
    assert locate_form("babe", "raw labels", [tmp_path / "nowhere"]) is None


def test_both_files_can_be_fetched_and_the_card_says_the_licence():
    card = load_card("babe")
    assert [one.path for one in card.downloads] == ["final_labels_SG2.csv", "raw_labels_SG2.xlsx"]
    assert "CC BY-NC-SA" in card.licence
    assert (card.public_name, card.place) == ("babe", "babe")


def test_the_published_sentences_are_as_their_description_says(real_data):
    table = read_babe_words(locate("babe", data_homes(real_data), "clean"), "clean")
    assert table["source_label"].value_counts().sort("source_label").rows() == [
        ("Biased", 1810),
        ("No agreement", 1),
        ("Non-biased", 1863),
    ]
    assert table["leaning"].null_count() == 1000
    assert table["article"].null_count() == 32
    biased = table.filter(pl.col("label") == 1)["words"].list.len()
    assert (int((biased == 0).sum()), int(biased.sum())) == (178, 3613)
    assert int((table.filter(pl.col("label") == 0)["words"].list.len() > 0).sum()) == 217
    assert table["topic"].n_unique() == table["source_topic"].n_unique() - 3


def test_the_published_answers_are_matched_but_for_eight_rows(real_data):
    found = load_annotations(data_homes(real_data))
    assert (found.labels, found.exact, found.alike) == (18_362, 18_321, 33)
    assert (found.unmatched, found.repeated) == (8, 1)
    assert found.table["annotator"].n_unique() == 8
    each = found.table.drop_nulls("sentence").group_by("sentence").len()["len"]
    assert sorted(each.value_counts().rows()) == [(2, 1), (4, 14), (5, 3659)]


def test_a_majority_of_the_answers_is_the_published_label(real_data):
    answers = load_annotations(data_homes(real_data)).table.drop_nulls("sentence")
    table = read_babe_words(locate("babe", data_homes(real_data), "clean"), "clean")
    share = answers.group_by("sentence").agg(pl.col("label").mean().alias("share"))
    both = share.join(
        table.select(pl.format("babe-{}", "id").alias("sentence"), "label"), on="sentence"
    ).drop_nulls()
    wrong = both.filter((pl.col("share") > 0.5) != (pl.col("label") == 1))
    # The published label of both is of the three answers under the text with a dash; two more
    # stand under the same text with a question mark for it.
    assert set(wrong["sentence"]) == {"babe-1238", "babe-2068"}
