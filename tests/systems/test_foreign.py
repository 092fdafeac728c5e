import polars as pl
import pytest

from slant.errors import DataError
from slant.systems import make_system
from slant.systems.foreign import check_predictions, read_predictions
from slant.types import Fold, Item


@pytest.fixture
def write(tmp_path):
    def made(text, name="own.csv"):
        file = tmp_path / name
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    return made


def read(file, missing="error"):
    found = read_predictions(file, missing)
    return [(p.id, p.answer and p.answer.biased, p.probability) for p in found.values()]


def test_a_probability_alone_is_biased_from_one_half_on(write):
    file = write("id,probability\na,0.5\nb,0.49\n")
    assert read(file) == [("a", True, 0.5), ("b", False, 0.49)]


def test_a_label_overrules_its_probability(write):
    assert read(write("id,label,probability\na,0,0.9\n")) == [("a", False, 0.9)]


@pytest.mark.parametrize(("word", "biased"), [("1", True), ("True", True), ("BIASED", True), ("0", False), ("false", False), ("Non-biased", False)])  # fmt: skip
def test_labels_may_be_written_as_words(write, word, biased):
    assert read(write(f"id,label\na,{word}\n")) == [("a", biased, None)]


def test_csv_jsonl_and_parquet_say_the_same(tmp_path):
    rows = [
        {"id": 1, "label": True, "probability": 0.75},
        {"id": 2, "label": False, "probability": None},
    ]
    pl.DataFrame(rows).write_parquet(tmp_path / "own.parquet")
    pl.DataFrame(rows).write_ndjson(tmp_path / "own.jsonl")
    pl.DataFrame(rows).write_csv(tmp_path / "own.csv")
    for end in ("csv", "jsonl", "parquet"):
        assert read(tmp_path / f"own.{end}") == [("1", True, 0.75), ("2", False, None)]


def test_a_byte_order_mark_and_line_breaks_in_quotes_are_read(write):
    file = write('\ufeffid,text,label\na,"one\ntwo",1\nb,x,0\n')
    assert read(file) == [("a", True, None), ("b", False, None)]


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("id,label\na,1\na,0\n", "own.csv", "line 3 has the id 'a', which stands in line 2 too"),
        ("id,label\na,1\nb,maybe\n", "own.csv", "line 3 has the label 'maybe'"),
        ("id,probability\na,1.2\n", "own.csv", "line 2 has the probability '1.2'"),
        ("id,probability\na,nan\n", "own.csv", "line 2 has the probability 'nan'"),
        ("id,probability\na,high\n", "own.csv", "line 2 has the probability 'high'"),
        ("name,label\na,1\n", "own.csv", "line 2 has no column 'id', only label, name"),
        ("id,score\na,1\n", "own.csv", "line 2 has no column 'label' or 'probability'"),
        ("id,label\n,1\n", "own.csv", "line 2 has an empty id"),
        ("id,label\na\n", "own.csv", "line 2 has not as many fields as the header"),
        ("id,label\na,1,2\n", "own.csv", "line 2 has not as many fields as the header"),
        (
            'id,label\na,"1\n',
            "own.csv",
            "the row from line 2 on: unexpected end of data",
        ),
        ("id,label\na,\n", "own.csv", "line 2 has neither label nor probability"),
        ("id,label\n", "own.csv", "it has no rows"),
        ("", "own.csv", "it has no rows"),
        (b"id,label\na,1\nb\xff,0\n", "own.csv", r"byte 14 \(line 3\) is not UTF-8"),
        ('{"id": "a", "label": 1}\n{"id"\n', "own.jsonl", "line 2: expecting|line 2: Expecting"),
        ("[1]\n", "own.jsonl", "line 1 is no object"),
        ("PAR1", "own.parquet", "it is no parquet file, or cut"),
        ("id,label\na,1\n", "own.txt", "it ends in '.txt'"),
    ],
)
def test_a_faulty_file_is_named_with_its_line(write, text, name, found):
    with pytest.raises(DataError, match=f"^Reading the predictions '{name}': ({found})"):
        read_predictions(write(text, name), "error")


def test_an_absent_file_is_one_clear_line(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        make_system(f"predictions:{tmp_path / 'none.csv'}", {})


def test_missing_ids_are_counted_and_the_first_three_named(write):
    file = write("id,label\na,1\n")
    with pytest.raises(DataError, match="4 of 5 test items are missing: b, c, d and 1 more"):
        check_predictions(file, list("abcde"), "error")
    check_predictions(file, list("abcde"), "fault")
    with pytest.raises(DataError, match=r"2 of 2 .* the ids that `slant data export TASK` writes"):
        check_predictions(file, ["0", "1"], "error")


def test_unknown_ids_are_counted_and_named(write):
    with pytest.raises(DataError, match="2 of its 3 ids are no test item: b, c"):
        check_predictions(write("id,label\na,1\nb,1\nc,0\n"), ["a"], "fault")


def test_the_system_itself_refuses_rows_without_an_answer_or_takes_them_as_faults(write):
    file = write("id,label\na,1\nc,\n")
    fold = Fold([], [], [Item("a", ""), Item("b", ""), Item("c", "")])
    with pytest.raises(DataError, match="neither label"):
        list(make_system(f"predictions:{file}", {})[1]([fold], 42))
    got = next(iter(make_system(f"predictions:{file}", {"missing": "fault"})[1]([fold], 42)))
    assert [(p.id, p.fault) for p in got] == [
        ("a", None),
        ("b", "absent from the file"),
        ("c", "no answer in the file"),
    ]


def test_the_system_itself_refuses_missing_ids(write):
    file = write("id,label\na,1\n")
    fold = Fold([], [], [Item("a", ""), Item("b", "")])
    with pytest.raises(DataError, match="1 of 2 test items are missing: b"):
        list(make_system(f"predictions:{file}", {})[1]([fold], 42))


def test_a_file_is_named_with_the_start_of_its_sha256(write):
    # printf 'id,label\na,1\n' | sha256sum
    name = make_system(f"predictions:{write('id,label' + chr(10) + 'a,1' + chr(10))}", {})[0]
    assert name == "predictions:own.csv#862352ae@1"
