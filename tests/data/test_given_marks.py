"""Marked words of a user's own data: read strictly, located, counted."""

from __future__ import annotations

import json

import polars as pl
import pytest

from slant.data.added import add_dataset, added_table, load_added, read_added
from slant.errors import DataError, UnknownName

TEXTS = ("The mob lied, the mob!", "Calm  &amp; “fair” words", "No word")
LABELS = ("1", "1", "0")


def write(folder, name, marks):
    path = folder / name
    if name.endswith(".parquet"):
        pl.DataFrame({"text": TEXTS, "label": LABELS, "why": marks}).write_parquet(path)
    elif name.endswith(".jsonl"):
        rows = zip(TEXTS, LABELS, marks, strict=True)
        path.write_text("".join(json.dumps(dict(zip(("text", "label", "why"), row, strict=True)))
                                + "\n" for row in rows))  # fmt: skip
    else:
        pl.DataFrame({"text": TEXTS, "label": LABELS, "why": marks}).write_csv(path)
    return path


def add(path, **more):
    store = path.parent / "store"
    card = add_dataset("mine", path, text="text", label="label", marks="why", store=store, **more)
    return card, load_added([store])[0]


def marked(own, cleaning="minimal"):
    table = added_table(own.source, "clean" if cleaning == "minimal" else "official", cleaning)
    places = zip(table["text"], table["rationale"].to_list(), strict=True)
    return [[text[a:b] for a, b in spans] for text, spans in places], table


WORDS = (["MOB", "lie"], ['"fair"', "unfair"], [])


@pytest.mark.parametrize(
    ("name", "marks"),
    [
        ("a.csv", [json.dumps(one) for one in WORDS]),
        ("b.csv", [str(one) for one in WORDS]),
        ("c.csv", [json.dumps(WORDS[0]), str(WORDS[1]), ""]),
        ("a.jsonl", list(WORDS)),
        ("b.jsonl", [*WORDS[:2], None]),
        ("a.parquet", list(WORDS)),
        ("b.parquet", [*WORDS[:2], None]),
    ],
)
def test_words_are_located_like_those_of_babe_in_every_format(tmp_path, name, marks):
    card, own = add(write(tmp_path, name, marks))
    found, table = marked(own)
    # Every occurrence, case and the kind of quotes ignored; "lie" stands only inside "lied".
    assert found == [["mob", "mob"], ["“fair”"], []]
    assert table["text"][1] == "Calm & “fair” words"
    assert table["words"].to_list() == list(WORDS)
    assert table["unlocated"].to_list() == [["lie"], ["unfair"], []]
    assert card.quirks == (
        "2 rows have a located mark; 2 of 4 marks stand nowhere in their text, or only inside "
        "longer words, and are dropped.",
    )


@pytest.mark.parametrize(
    ("name", "marks"),
    [
        ("a.csv", ["[[4, 7], [18, 21]]", "[(12, 18), (18, 24)]", "[]"]),
        ("a.jsonl", [[[4, 7], [18, 21]], [[12, 18], [18, 24]], []]),
        ("a.parquet", [[[4, 7], [18, 21]], [[12, 18], [18, 24]], []]),
    ],
)
def test_ranges_of_characters_follow_their_text_through_the_cleaning(tmp_path, name, marks):
    _, own = add(write(tmp_path, name, marks))
    found, table = marked(own)
    assert found == [["mob", "mob"], ["“fair”", "words"], []]
    assert table["rationale"][0].to_list() == [[4, 7], [18, 21]]
    # "Calm & “fair” words": the entity and a blank are gone.
    assert table["rationale"][1].to_list() == [[7, 13], [14, 19]]
    assert table["unlocated"].to_list() == [[], [], []]
    assert "pairs" not in table.columns
    assert marked(own, "official")[0] == [["mob", "mob"], ["fair", "words"], []]


def test_a_range_that_the_cleaning_removes_is_counted(tmp_path):
    path = tmp_path / "a.jsonl"
    rows = [("See http://t.co/x now", 1, [[4, 17], [18, 21]]), ("Calm", 0, [])]
    path.write_text("".join(json.dumps({"text": t, "label": y, "why": m}) + "\n"
                            for t, y, m in rows))  # fmt: skip
    card, own = add(path)
    found, table = marked(own)
    assert found == [["now"], []]
    assert table["unlocated"].to_list() == [["http://t.co/x"], []]
    assert "1 of 2 marks" in card.quirks[0]


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("mob", "row 2 has 'mob' in the column 'why', which is neither a list of words nor one of"),
        ("3", "neither a list"),
        ('{"a": 1}', "neither a list"),
        ('["mob", 3]', "neither a list"),
        ("[[1, 2, 3]]", "neither a list"),
        ("[[true, 3]]", "neither a list"),
        ("[[0.0, 3.0]]", "neither a list"),
        ("[" * 10000, "neither a list"),
        ("__import__('os').getcwd()", "neither a list"),
        ("[[3, 3]]", r"row 2 has the range \[3, 3\] .* 0 <= start < end <= 24"),
        ("[[20, 25]]", r"the range \[20, 25\] in the column 'why', and its text has 24 characters"),
        ("[[-3, 2]]", r"the range \[-3, 2\]"),
    ],
)
def test_a_cell_that_is_no_list_of_marks_is_named_with_its_row(tmp_path, cell, words):
    path = write(tmp_path, "a.csv", ['["mob"]', cell, ""])
    with pytest.raises(DataError, match=f"a.csv.*{words}"):
        add(path)
    assert not (tmp_path / "store" / "added" / "mine").exists()


def test_marks_that_never_occur_and_empty_columns_are_refused(tmp_path):
    with pytest.raises(DataError, match="none of the words in the column 'why' stands in its text"):
        add(write(tmp_path, "a.csv", ["['rule']", "['regime']", ""]))
    with pytest.raises(DataError, match="no row has a mark in the column 'why'"):
        add(write(tmp_path, "a.csv", ["", "[]", ""]))
    path = write(tmp_path, "a.csv", ["['mob']", "", ""])
    with pytest.raises(UnknownName, match="Did you mean why"):
        add_dataset("x", path, text="text", label="label", marks="whi", store=tmp_path / "store")


def test_without_marks_the_kept_table_has_no_column_of_them(tmp_path):
    path = write(tmp_path, "a.csv", ["['mob']", "", ""])
    store = tmp_path / "store"
    add_dataset("plain", path, text="text", label="label", store=store)
    table = read_added(load_added([store])[0].source)
    assert not {"words", "pairs", "rationale"} & set(table.columns)


def test_own_marked_words_join_published_ones_that_are_text(tmp_path):
    from slant.tasks.assembly import joined_rows
    from slant.tasks.options import CLEAN

    _, own = add(write(tmp_path, "a.csv", ["['mob']", "", ""]))
    table = added_table(own.source, "clean", "minimal")
    published = table.drop("rationale", "unlocated").with_columns(
        text=pl.lit("other ") + pl.col("text"), id=pl.lit("x") + pl.col("id"),
        words=pl.lit("['mob']"),
    )  # fmt: skip
    rows, _ = joined_rows([published, table], CLEAN)
    assert rows["words"].to_list() == [None, None, None, ["mob"], [], []]
    assert rows["rationale"].to_list()[3] == [[4, 7], [18, 21]]
    alone, _ = joined_rows([published], CLEAN)
    assert alone["words"].to_list() == ["['mob']"] * 3
