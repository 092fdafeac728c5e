"""Corpora of each format come as the same rows, and what is broken is named by its place."""

from __future__ import annotations

import json

import polars as pl
import pytest

from slant.data.streams import merge_parquet, open_corpus
from slant.errors import DataError, OptionError, UnknownName

TEXTS = ["He lied, twice.", 'She said "no".\nThen left.', "", "Überall Ärger", "x"]
IDS = [f"n{i}" for i in range(5)]


def written(folder, kind):
    path = folder / f"corpus.{kind}"
    table = pl.DataFrame({"id": IDS, "other": range(5), "sentence": TEXTS})
    if kind == "parquet":
        table.write_parquet(path, row_group_size=2)
    elif kind == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in table.iter_rows(named=True)))
    else:
        table.write_csv(path, separator="\t" if kind == "tsv" else ",")
    return path


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet"])
@pytest.mark.parametrize("rows", [1, 2, 5, 9])
def test_all_formats_and_batches_give_the_same_rows(tmp_path, kind, rows):
    batches = list(open_corpus(written(tmp_path, kind), "sentence", None).batches(rows))
    assert [one for batch in batches for one in batch.ids] == IDS
    assert [one for batch in batches for one in batch.texts] == TEXTS
    assert [len(batch.ids) for batch in batches[:-1]] == [rows] * (len(batches) - 1)


def test_a_text_file_has_a_text_a_line_numbered_from_one(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffone\r\n\n trois é\n".encode())
    (batch,) = open_corpus(path, None, None).batches(10)
    assert batch.ids == ["1", "2", "3"]
    assert batch.texts == ["one", "", " trois é"]


def test_the_column_text_is_taken_or_the_only_one(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("n,text\n1,a\n2,b\n")
    (batch,) = open_corpus(path, None, None).batches(10)
    assert (batch.ids, batch.texts) == (["1", "2"], ["a", "b"])
    (batch,) = open_corpus(path, None, "n").batches(10)
    assert batch.ids == ["1", "2"]
    path.write_text("sentence\na\nb\n")
    assert open_corpus(path, None, None).text == "sentence"


def test_an_unknown_column_is_answered_with_the_nearest(tmp_path):
    path = written(tmp_path, "csv")
    with pytest.raises(UnknownName, match=r"column of 'corpus.csv' 'sentense'.*mean sentence\?"):
        open_corpus(path, "sentense", None)
    with pytest.raises(DataError, match="columns id, other, sentence, none of which is 'text'"):
        open_corpus(path, None, None)
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(OptionError, match="a text file has no columns"):
        open_corpus(tmp_path / "a.txt", "text", None)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        # The header has 5 bytes, "good\n" too; the byte order mark counts.
        ("a.csv", b"text\ngood\nb\xe4d\n", r"byte 11 \(0xE4, line 3\) is not UTF-8"),
        ("a.txt", b"\xef\xbb\xbfab\xff", r"byte 5 \(0xFF, line 1\)"),
        ("a.csv", b"id,text\n1,a\n2,b,c\n", r"row 2 \(line 3\) has 3 fields, the header has 2"),
        ("a.csv", b'text\n"a\nb\n', "is broken"),
        ("a.csv", b"text,text\na,b\n", "the column 'text' is there 2 times"),
        ("a.jsonl", b'{"text": "a"}\n{"text"\n', "line 2 is no JSON"),
        ("a.jsonl", b'{"text": "a"}\n["b"]\n', "line 2 holds no JSON object"),
        ("a.jsonl", b'{"text": "a"}\n{"text": 5}\n', "the 'text' of object 2 is no text but 5"),
        ("a.parquet", b"PAR1 no", "it is no parquet file, or cut"),
        ("a.csv", b"", "it is empty"),
        ("a.pdf", b"x", r"the ending '.pdf' is not known"),
    ],
)
def test_what_is_broken_is_named_by_its_place(tmp_path, name, content, words):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DataError, match=words):
        list(open_corpus(path, None, None).batches(10))


def test_a_missing_file_and_a_column_of_numbers_are_told(tmp_path):
    with pytest.raises(DataError, match="there is no such file"):
        open_corpus(tmp_path / "none.csv", None, None)
    path = tmp_path / "a.parquet"
    pl.DataFrame({"text": [1, 2]}).write_parquet(path)
    with pytest.raises(DataError, match="the column 'text' holds Int64, not texts"):
        list(open_corpus(path, None, None).batches(10))


def test_parts_are_joined_in_order_with_their_constants(tmp_path):
    parts = [tmp_path / f"{i}.parquet" for i in range(3)]
    for i, part in enumerate(parts):
        pl.DataFrame({"id": [f"{i}a", f"{i}b"], "more": [1, 2]}).write_parquet(part)
    merge_parquet(parts, tmp_path / "all.parquet", ["id"], {"detector": "d"}, slant="known")
    table = pl.read_parquet(tmp_path / "all.parquet")
    assert table["id"].to_list() == ["0a", "0b", "1a", "1b", "2a", "2b"]
    assert table["detector"].to_list() == ["d"] * 6
    assert pl.read_parquet_metadata(tmp_path / "all.parquet")["slant"] == "known"
