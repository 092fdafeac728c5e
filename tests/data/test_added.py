"""A user's own data sets: taken in strictly, given back as the unified table."""

import errno
import json
import os
from pathlib import Path

import polars as pl
import pytest

from slant.data import added
from slant.data.added import add_dataset, added_table, load_added, read_added
from slant.errors import DataError, OptionError, UnknownName, WorkFailed

TASK = "reporting-level-bias"


@pytest.fixture
def given(tmp_path):
    def _given(content, name="mine.csv"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return _given


def add(file: Path, name="mine", **options):
    facts = {
        "text": "text",
        "label": "label",
        "tasks": [TASK],
        "store": file.parent / "store",
    } | options
    return add_dataset(name, file, **facts)


def one(file: Path):
    return load_added([file.parent / "store"])[0]


def test_a_csv_comes_back_as_the_unified_table(given):
    file = given('text,label,who\n"One, two",1,a\nThree,0,b\n')
    card = add(file, group="who")
    assert (card.number, card.tasks, card.one_class) == ("mine", (TASK,), ())
    assert card.rows_official == {"total": 2, "0": 1, "1": 1}
    table = added_table(one(file).source, "clean", "minimal")
    assert table.select(
        "id", "dataset", "text", "label", "source_label", "part", "article", "left_out"
    ).rows() == [
        ("mine-1", "mine", "One, two", 1, "1", "mine.csv", "a", None),
        ("mine-2", "mine", "Three", 0, "0", "mine.csv", "b", None),
    ]


@pytest.mark.parametrize("name", ["mine.csv", "mine.tsv", "mine.jsonl", "mine.parquet"])
def test_all_four_formats_give_the_same_table(given, name):
    rows = [("A “quoted”, text", "true"), ("B\nline", "false")]
    file = given("", name)
    frame = pl.DataFrame(rows, ["text", "label"], orient="row")
    if name.endswith("jsonl"):
        file.write_text(
            "".join(json.dumps({"text": t, "label": y == "true"}) + "\n" for t, y in rows),
            encoding="utf-8",
        )
    elif name.endswith("parquet"):
        frame.write_parquet(file)
    else:
        frame.write_csv(file, separator="\t" if name.endswith("tsv") else ",")
    add(file)
    assert read_added(one(file).source).select("text", "label", "source_label").rows() == [
        (t, int(y == "true"), y) for t, y in rows
    ]


@pytest.mark.parametrize(
    ("yes", "no"), [("1", "0"), ("true", "false"), ("True", "False"), ("Biased", "Non-biased"), ("1.0", "0.0"), ("yes", "no")]
)  # fmt: skip
def test_usual_labels_need_no_mapping(given, yes, no):
    file = given(f"text,label\na,{yes}\nb,{no}\n")
    add(file)
    assert read_added(one(file).source)["label"].to_list() == [1, 0]


def test_other_labels_are_mapped_by_the_positive_ones(given):
    file = given("text,label\na,left\nb,center\nc,right\n")
    card = add(file, positive=["left", "right"], negative=["center"])
    assert read_added(one(file).source)["label"].to_list() == [1, 0, 1]
    assert card.rule_clean == "The same."
    assert card.rule_official == "1 if the label is left or right, else 0"


def test_a_label_of_no_known_meaning_is_named_with_its_row(given):
    file = given("text,label\na,1\nb,maybe\n")
    with pytest.raises(DataError, match=r"row 2 has the label 'maybe'.*--positive"):
        add(file)
    with pytest.raises(OptionError, match="no row has this label, those are: 1, maybe"):
        add(file, positive=["perhaps"])


def test_where_two_labels_occur_the_other_one_means_not_biased(given):
    file = given("text,label\na,slanted\nb,fair\nc,fair\n")
    add(file, positive=["slanted"])
    assert read_added(one(file).source)["label"].to_list() == [1, 0, 0]


def test_with_a_positive_label_no_third_one_becomes_a_negative_unasked(given):
    file = given("text,label\na,1\nb,0\nc,maybe\n")
    said = r"row 2 has the label '0'.*the labels are 1, 0, maybe\. Name those .* by --negative"
    with pytest.raises(DataError, match=said):
        add(file, positive=["1"])
    with pytest.raises(DataError, match=r"row 3 has the label 'maybe' in the column 'label'"):
        add(file, positive=["1"], negative=["0"])
    with pytest.raises(OptionError, match=r"Taking '1' .* as not biased, too"):
        add(file, positive=["1"], negative=["0", "1", "maybe"])
    with pytest.raises(OptionError, match="Reading --negative 0: no label is named as biased"):
        add(file, negative=["0"])
    add(file, positive=["1"], negative=["0", "maybe"])
    assert read_added(one(file).source)["label"].to_list() == [1, 0, 0]


def test_a_set_of_one_class_says_so(given):
    card = add(given("text,label\na,1\nb,1\n"))
    assert card.one_class == ("official", "clean")
    assert "All rows have the same label." in card.quirks


def test_a_missing_column_is_answered_with_the_nearest(given):
    with pytest.raises(UnknownName, match=r"column of 'mine.csv' 'txt'.*Did you mean text"):
        add(given("text,label\na,1\n"), text="txt")


def test_blank_texts_are_listed(given):
    content = "text,label\n" + "".join(f"{'' if n % 2 else 'a'},1\n" for n in range(14))
    with pytest.raises(
        DataError, match=r"rows 2, 4, 6, 8, 10 and 2 more have no text in the column 'text'"
    ):
        add(given(content))
    with pytest.raises(DataError, match="row 1 has no label"):
        add(given("text,label\na,\n"))


def test_ids_of_the_file_are_kept_and_doubled_ones_named(given):
    file = given("text,label,key\na,1,x\nb,0,y\n")
    add(file, id_column="key")
    assert read_added(one(file).source)["id"].to_list() == ["x", "y"]
    with pytest.raises(DataError, match="the id 'x' stands in row 1 and in row 3"):
        add(given("text,label,key\na,1,x\nb,0,y\nc,0,x\n"), "other", id_column="key")


@pytest.mark.parametrize(
    ("content", "name", "found"),
    [
        ("", "a.csv", "it is empty"),
        (" \n", "a.csv", "it is empty"),
        ("text,label\n", "a.csv", "it has columns but no rows"),
        (b"text,label\nok,1\ncaf\xe9,0\n", "a.csv", r"byte 19 \(0xE9, line 3\) is not UTF-8"),
        ("text,label\na,b,1\n", "a.csv", r"row 1 \(line 2\) has 3 fields, the header has 2"),
        ('text,label\n"a,1\nb,0\n', "a.csv", "row 1 .* is broken"),
        ('text,label\n"a"b,1\n', "a.csv", "row 1 .* is broken"),
        ("text,text,label\na,b,1\n", "a.csv", "the column 'text' is there 2 times"),
        ('{"text": "a", "label": 1}\n{"text"\n', "a.jsonl", "line 2 is no JSON"),
        ("[1]\n", "a.jsonl", "line 1 holds no JSON object"),
        ('{"text": "a", "label": 1}\n\n{"text": "b", "label": 0}\n', "a.jsonl", "line 2 is blank"),
        ("PAR1 cut", "a.parquet", "no parquet file, or cut"),
        ("x", "a.xlsx", "the ending '.xlsx' is not known"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_clear_line_and_writes_nothing(
    given, content, name, found
):
    file = given(content, name)
    with pytest.raises(DataError, match=found) as error:
        add(file)
    assert str(file) in str(error.value)
    assert "\n" not in str(error.value)
    assert not (file.parent / "store").exists()


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(DataError, match="there is no such file"):
        add(tmp_path / "none.csv")


def test_a_text_longer_than_the_usual_limit_of_csv_is_read(given):
    file = given(f"text,label\n{'word ' * 60_000},1\nb,0\n")  # 300,000 characters
    add(file)
    assert read_added(one(file).source)["text"].str.len_chars()[0] == 300_000


@pytest.mark.parametrize("name", ["Mine", "", "a/b", "../x", ".x", "x" * 41])
def test_a_name_that_cannot_be_a_folder_is_refused(given, name):
    with pytest.raises(OptionError, match="small letters"):
        add(given("text,label\na,1\n"), name)


@pytest.mark.parametrize("name", ["072", "gender-bias", "mbib"])
def test_a_name_of_the_benchmark_is_refused(given, name):
    with pytest.raises(OptionError, match="has this name"):
        add(given("text,label\na,1\n"), name)


def test_an_unknown_task_is_refused_and_none_leaves_a_task_of_its_own(given):
    file = given("text,label\na,1\n")
    with pytest.raises(UnknownName, match="Did you mean gender-bias"):
        add(file, tasks=["gender-bais"])
    assert add(file, "alone", tasks=[]).tasks == ()
    assert one(file).tasks == ()
    assert add(file, tasks=["mbib/gender-bias", "gender-bias"]).tasks == ("gender-bias",)


def test_a_doubled_name_is_refused_unless_it_is_to_be_replaced(given):
    file = given("text,label\na,1\n")
    add(file)
    with pytest.raises(OptionError, match="--replace"):
        add(file)
    file.write_text("text,label\na,1\nb,0\n")
    assert add(file, replace=True).rows_official["total"] == 2
    assert [s.name for s in load_added([file.parent / "store"])] == ["mine"]
    assert not list((file.parent / "store" / "added").glob(".*"))


def test_a_refused_replacement_leaves_the_old_set(given):
    file = given("text,label\na,1\nb,0\n")
    add(file)
    before = one(file).fingerprint
    file.write_text("text,label\na,what\n")
    with pytest.raises(DataError):
        add(file, replace=True)
    assert one(file).fingerprint == before


def test_the_same_rows_have_the_same_fingerprint(given):
    file = given("text,label\na,1\nb,0\n")
    add(file)
    add(file, "other")
    first, second = load_added([file.parent / "store"])
    assert (first.name, second.name) == ("mine", "other")
    assert first.fingerprint == second.fingerprint


def test_a_table_that_was_changed_by_hand_is_altered_and_not_read(given):
    file = given("text,label\na,1\nb,0\n")
    add(file)
    table = one(file).source.files[0]
    pl.read_parquet(table).head(1).write_parquet(table)
    assert one(file).source.state == "altered"
    with pytest.raises(DataError, match=r"its bytes differ\. Add the data set again"):
        read_added(one(file).source)


def test_a_damaged_card_is_a_clear_error(given):
    file = given("text,label\na,1\n")
    add(file)
    card = file.parent / "store" / "added" / "mine" / "card.toml"
    card.write_bytes(card.read_bytes().replace(b"mine", b"min\xff", 1))
    with pytest.raises(DataError, match="its bytes are not those written"):
        load_added([file.parent / "store"])
    card.with_name(".card.toml.sum").unlink()
    card.write_text("number = ")
    with pytest.raises(DataError, match="it is no TOML"):
        load_added([file.parent / "store"])
    card.write_text('number = "mine"\nextra = 1\n')
    with pytest.raises(DataError, match="Reading the card"):
        load_added([file.parent / "store"])


def test_the_first_home_wins_over_a_later_one_of_the_same_name(given, tmp_path):
    file = given("text,label\na,1\nb,0\n")
    add(file, store=tmp_path / "one")
    file.write_text("text,label\na,1\nb,0\nc,1\n")
    add(file, store=tmp_path / "two")
    assert [
        s.card.rows_official["total"]
        for s in load_added([tmp_path / "two", tmp_path / "one", tmp_path / "none"])
    ] == [3]


@pytest.mark.parametrize("calls", [0, 1])
def test_a_full_disk_names_the_bytes_and_keeps_the_old_set(given, monkeypatch, calls):
    file = given("text,label\na,1\nb,0\n")
    add(file)
    before, left, replace = one(file).fingerprint, [calls, 1], os.replace

    def _full(old, new):
        if left[0] == 0 and left[1]:
            left[1] = 0
            raise OSError(errno.ENOSPC, "No space left on device")
        left[0] -= 1
        replace(old, new)

    monkeypatch.setattr(added.os, "replace", _full)
    with pytest.raises(WorkFailed, match=r"no space is left .* bytes are needed"):
        add(file, replace=True)
    assert one(file).fingerprint == before
    assert not list((file.parent / "store" / "added").glob(".*"))
