"""The unified table: ids, texts left out, and what it refuses."""

from __future__ import annotations

import polars as pl
import pytest

from slant.data.tables import (
    RECORDS,
    UNIFIED,
    dataset_table,
    export_csv,
    record_table,
)
from slant.errors import DataError


def records(**columns):
    rows = len(next(iter(columns.values())))
    base = {"id": [str(n) for n in range(rows)], "text": ["a"] * rows, "label": [0] * rows}
    return record_table(pl.DataFrame(base | columns))


def test_records_carry_every_column_and_extras_come_last():
    table = records(text=["a"], category=[3])
    assert list(table.schema.items())[: len(RECORDS)] == list(RECORDS.items())
    assert table.columns[-1] == "category"


def test_ids_are_global_and_the_unified_columns_come_first():
    table = dataset_table(records(text=["Hi, @you"], words=["x"]), "072", "clean", "minimal")
    assert table["id"].to_list() == ["072-0"]
    assert table["dataset"].to_list() == ["072"]
    assert table["text"].to_list() == ["Hi,"]
    assert dict(list(table.schema.items())[: len(UNIFIED)]) == UNIFIED
    assert table.columns[-1] == "words"


def test_blank_and_damaged_texts_are_left_out_in_clean_only():
    texts = ["fine", " http://t.co/x ", "caf\ufffd"]
    clean = dataset_table(records(text=texts), "072", "clean", "minimal")
    assert clean["left_out"].to_list() == [None, "blank", "damaged"]
    assert clean["label"].to_list() == [0, None, None]
    official = dataset_table(records(text=texts), "072", "official", "official")
    assert official["text"].to_list() == ["fine", " ", "caf "]
    assert official["label"].to_list() == [0, 0, 0]


def test_a_reason_of_the_source_stands_before_blank():
    table = dataset_table(
        records(text=[""], label=[None], left_out=["undecided"]), "010", "clean", "minimal"
    )
    assert table["left_out"].to_list() == ["undecided"]


@pytest.mark.parametrize(
    ("bad", "preset", "found"),
    [
        ({"id": ["1", "1"]}, "clean", "record '1' has an id that another record has too"),
        ({"label": [0, 2]}, "clean", "record '1' has a label outside the preset (label 2"),
        ({"label": [0, None]}, "clean", "record '1' has a label outside the preset (label None"),
        ({"label": [0, 3]}, "official", "record '1' has a label outside the preset"),
        ({"text": ["a", None]}, "clean", "record '1' has no text"),
        ({"label": [0, 1], "left_out": [None, "x"]}, "clean", "record '1' has a label"),
    ],
)
def test_a_record_that_breaks_the_contract_is_named(bad, preset, found):
    with pytest.raises(DataError) as caught:
        dataset_table(records(**bad), "075", preset, "minimal")
    assert f"Building the table of mbib/075: {found}" in str(caught.value)


def test_a_table_without_a_column_or_without_rows_is_refused():
    with pytest.raises(DataError, match="column 'pair' is missing"):
        dataset_table(records(text=["a"]).drop("pair"), "075", "clean", "minimal")
    with pytest.raises(DataError, match="there is no record"):
        dataset_table(records(text=["a"]).clear(), "075", "clean", "minimal")


def test_official_csv_has_the_official_columns_in_their_order():
    table = dataset_table(
        records(
            text=['say "x", y', "..."],
            label=[1, 2],
            official_id=["7", "8"],
            toxicity=[0.1, 1.0],
        ),
        "107",
        "official",
        "minimal",
    )
    expected = 'id,text,label,toxicity\n7,"say ""x"", y",1,0.1\n8,...,2,1.0\n'
    assert export_csv(table, "107", "official") == expected


def test_an_empty_official_text_is_an_empty_cell_as_pandas_writes_it():
    table = dataset_table(records(text=[""], official_id=["0"]), "003", "official", "official")
    assert export_csv(table, "003", "official") == "id,text,label\n0,,0\n"


def test_clean_csv_leaves_out_what_has_no_label():
    table = dataset_table(
        records(text=["a", "b"], label=[1, None], left_out=[None, "unverified"]),
        "012",
        "clean",
        "minimal",
    )
    assert export_csv(table, "012", "clean") == (
        "id,text,label,dataset,source_label,part\n012-0,a,1,012,,\n"
    )
