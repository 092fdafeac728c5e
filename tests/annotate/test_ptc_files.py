"""Tab files of PTC, and the official predictions that come with the corpus."""

from __future__ import annotations

import csv

import pytest

from slant.annotate.formats import read_annotated, read_reported, write_annotated
from slant.errors import DataError
from slant.types import Answer, Example, Item, Mark, Span


@pytest.fixture
def articles(tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "article7.txt").write_bytes("Doubt 😀 it\r\n".encode())
    (folder / "article8.txt").write_bytes(b"Nothing.")
    return folder


def test_both_orders_of_fields_are_read(tmp_path, articles):
    labels = tmp_path / "labels"
    labels.mkdir()
    # The emoji is one character, and CRLF two: 'it' is 8-10, the line end 10-12.
    (labels / "article7.task-si.labels").write_bytes(b"7\t8\t12\r\n7\t 0\t5 \r\n")
    (labels / "article8.labels.tsv").write_bytes(b"")
    first, second = read_annotated(labels, articles=articles)
    assert first.item == Item("7", "Doubt 😀 it\r\n")
    assert first.gold.marks == (
        Mark("propaganda", (Span(8, 12),)),
        Mark("propaganda", (Span(0, 5),)),
    )
    assert second.gold == Answer()
    (labels / "article7.task-si.labels").write_text("7\tName_Calling,Labeling\t0\t5\n")
    assert read_annotated(labels, articles=articles)[0].gold.marks == (
        Mark("Name_Calling,Labeling", (Span(0, 5),)),
    )


def test_one_file_is_about_all_articles(tmp_path, articles):
    (tmp_path / "all.tsv").write_text("\ufeff7\tDoubt\t0\t5\n", "utf-8")
    first, second = read_annotated(tmp_path / "all.tsv", articles=articles)
    assert first.gold.marks == (Mark("Doubt", (Span(0, 5),)),)
    assert second.gold == Answer()


def test_an_article_without_a_label_file_is_left_aside_and_told(tmp_path, articles):
    (articles / "article7.labels.tsv").write_text("7\t0\t5\n")
    reading = read_reported(articles, articles=articles)
    assert [one.item.id for one in reading.examples] == ["7"]
    assert [(one.what, one.count) for one in reading.losses] == [
        ("articles without annotations", 1)
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("7\tDoubt\t0", "line 2 is not id, start, end"),
        ("7\tDoubt\t0\t5\t9", "line 2 is not id, start, end"),
        ("7 0 5", "line 2 is not id, start, end"),
        ("7\tDoubt\t0\t5.0", "line 2 is not id, start, end"),
        ("7\t\t0\t5", "line 2 is not id, start, end"),
        ("9\tDoubt\t0\t5", "line 2 names the article '9'"),
        ("7\tDoubt\t5\t5", "line 2 has the span 5-5"),
        ("7\tDoubt\t0\t13", "line 2 has the span 0-13, and the article has 12"),
    ],
)
def test_a_broken_line_is_named(tmp_path, articles, line, said):
    (tmp_path / "all.tsv").write_text(f"7\tDoubt\t0\t5\n{line}\n")
    with pytest.raises(DataError, match=said):
        read_annotated(tmp_path / "all.tsv", articles=articles, format="ptc")


def test_a_line_about_another_article_is_refused(tmp_path, articles):
    (articles / "article7.labels").write_text("8\t0\t5\n")
    with pytest.raises(DataError, match=r"line 1 is about the article '8' in the file of '7'"):
        read_annotated(articles)


def test_spans_without_articles_are_refused(tmp_path):
    (tmp_path / "all.tsv").write_text("7\tDoubt\t0\t5\n")
    with pytest.raises(DataError, match="--articles"):
        read_annotated(tmp_path / "all.tsv")


def test_one_file_is_written_without_the_texts(tmp_path, articles):
    (tmp_path / "all.tsv").write_text("7\tDoubt\t0\t5\n")
    examples = read_annotated(tmp_path / "all.tsv", articles=articles)
    lost = write_annotated(examples, tmp_path / "made.tsv", format="ptc")
    assert (tmp_path / "made.tsv").read_text() == "7\tDoubt\t0\t5\n"
    assert [one.count for one in lost] == [2, 1]


def test_a_category_with_a_tab_is_refused(tmp_path):
    example = Example(Item("7", "abc"), Answer(marks=(Mark("a\tb", (Span(0, 1),)),)))
    with pytest.raises(DataError, match="cannot stand in a tab file"):
        write_annotated([example], tmp_path / "x", format="ptc")


def test_official_predictions_are_read_as_a_plain_csv_reader_reads_them(real_data):
    corpus = real_data / "propaganda"
    path = corpus / "scorer_reference/train40.flc.pred.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = sorted(
            (one, technique, int(start), int(end))
            for one, technique, start, end in csv.reader(file, delimiter="\t")
        )
    read = read_annotated(path, articles=corpus / "ptc/train-articles")
    assert rows == sorted(
        (one.item.id, mark.category, span.start, span.end)
        for one in read
        for mark in one.gold.marks
        for span in mark.spans
    )
