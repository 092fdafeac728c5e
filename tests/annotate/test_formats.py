"""All annotation formats through their one door."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from slant.annotate.formats import FORMATS, read_annotated, read_articles, write_annotated
from slant.data.writing import clear_abandoned, temporary_beside
from slant.errors import DataError, OptionError, SlantError, UnknownName
from slant.types import Answer, Example, Item, Mark, Span

FOLDERS = {"brat", "ptc", "webanno"}
# Emoji (two UTF-16 units), a family of joined emoji, a combining accent, CRLF, a lone CR, a tab, a
# no-break space, a byte order mark, a line separator, and what the formats escape.
SIGNS = ["a", "Bc", " ", "é", "e\u0301", "😀", "👩\u200d👧", "\r\n", "\n", "\r", "\t", "\xa0",
         "\ufeff", "\u2028", "_", "[1]", "|", "->", ";", "*", "\\", "#Text=", "\v", "\x01", ".", "'"]  # fmt: skip
TEXTS = st.lists(st.sampled_from(SIGNS), max_size=14).map("".join)
NOTES = st.sampled_from(["", "sure", "two\nlines", "tab\there", "a|b_c[2]*", "\\n \\", "naïve 😀"])


@st.composite
def marks(draw, text):
    edges = st.integers(0, len(text))
    pairs = st.tuples(edges, edges).map(sorted).filter(lambda pair: pair[0] < pair[1])
    spans = draw(st.lists(pairs, min_size=1, max_size=3)) if text else []
    return [Span(start, end) for start, end in spans]


@st.composite
def annotated(draw):
    text = draw(TEXTS)
    found = []
    for number in range(draw(st.integers(0, 4)) if text else 0):
        found.append(
            Mark(
                draw(st.sampled_from(["B01", "B02", "Name_Calling,Labeling"])),
                tuple(draw(marks(text))),
                confidence=draw(st.sampled_from([None, 1.0, 3.0, 2.5])),
                id=draw(st.sampled_from([f"T{number + 1}", f"x {number}", f"{number + 1}"])),
                note=draw(NOTES),
            )
        )
    labels = draw(st.frozensets(st.sampled_from(["B01", "B09"])))
    return Example(Item("a1", text), Answer(labels, tuple(found)))


def there_and_back(examples, format, folder):
    path = Path(folder) / (format if format in FOLDERS else "set.json")
    lost = write_annotated(examples, path, format=format)
    return lost, read_annotated(path)


def everything(example):
    """All that a format can hold; the order of triggers and of their spans left aside."""
    found = (
        (m.category, m.confidence or 0, m.id, m.note, sorted((s.start, s.end) for s in m.spans))
        for m in example.gold.marks
    )
    return example.item, example.gold.labels, sorted(found)


def passages(example):
    return sorted((m.category, s.start, s.end) for m in example.gold.marks for s in m.spans)


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(example=annotated())
def test_a_round_trip_gives_everything_back_or_names_what_it_lost(format, example):
    with TemporaryDirectory() as folder:
        lost, [back] = there_and_back([example], format, folder)
    assert back.item == example.item
    if not lost:
        assert everything(back) == everything(example)
    if not any("line ends at the edge" in one.what for one in lost):
        assert passages(back) == passages(example)


@settings(max_examples=25, deadline=None)
@given(example=annotated())
def test_own_lines_give_back_the_same_objects(example):
    with TemporaryDirectory() as folder:
        lost, back = there_and_back([example], "jsonl", folder)
    assert (lost, back) == ([], [example])


@pytest.mark.parametrize("format", ["label-studio", "jsonl"])
@settings(max_examples=15, deadline=None)
@given(example=annotated())
def test_two_formats_hold_all_that_an_annotator_says(format, example):
    with TemporaryDirectory() as folder:
        lost, [back] = there_and_back([example], format, folder)
    assert lost == []
    assert everything(back) == everything(example)


TEXT = "Experts say so. They always said so. Nobody 😀 asks."
RICH = Example(
    Item("7", TEXT),
    Answer(
        frozenset({"B03"}),
        (
            Mark("B01", (Span(8, 14), Span(28, 35)), confidence=3, id="T1", note="again"),
            Mark("B02", (Span(0, 14),), quotes=("not there",), id="own id"),
            Mark("B03", (), quotes=("nor this",), confidence=2.5),
        ),
        reason="because",
    ),
)
# What stands above, counted by hand: one label, one reason, two quotes, one trigger without span.
LOST = {
    "jsonl": {"reasons of answers": 1},
    "brat": {
        "document-level labels": 1,
        "reasons of answers": 1,
        "quotes that are not located": 2,
        "triggers without a span": 1,
    },
    "ptc": {
        "document-level labels": 1,
        "reasons of answers": 1,
        "triggers of several spans, each of which becomes one": 1,
        "triggers without a span": 1,
        "quotes that are not located": 2,
        "confidences": 2,
        "ids of triggers": 2,
        "notes": 1,
    },
    "label-studio": {
        "reasons of answers": 1,
        "quotes that are not located": 2,
        "triggers without a span": 1,
    },
    "doccano": {
        "document-level labels": 1,
        "reasons of answers": 1,
        "quotes that are not located": 2,
        "triggers without a span": 1,
        "confidences": 2,
        "ids of triggers": 2,
        "notes": 1,
    },
    "webanno": {
        "document-level labels": 1,
        "reasons of answers": 1,
        "quotes that are not located": 2,
        "triggers without a span": 1,
    },
}


@pytest.mark.parametrize("format", FORMATS)
def test_every_loss_is_named_and_counted(format, tmp_path):
    lost, [back] = there_and_back([RICH], format, tmp_path)
    assert {one.what: one.count for one in lost} == LOST[format]
    assert passages(back) == passages(RICH)


@pytest.mark.parametrize("format", [one for one in FORMATS if one != "ptc"])
def test_spans_of_one_trigger_stay_together(format, tmp_path):
    _, [back] = there_and_back([RICH], format, tmp_path)
    assert (Span(8, 14), Span(28, 35)) in {mark.spans for mark in back.gold.marks}


@pytest.mark.parametrize("format", FORMATS)
def test_a_format_is_told_from_its_content(format, tmp_path):
    path = tmp_path / ("made" if format in FOLDERS else "made.txt")
    write_annotated([RICH], path, format=format)
    assert read_annotated(path) == read_annotated(path, format=format)


def test_a_folder_of_two_formats_is_refused(tmp_path):
    write_annotated([RICH], tmp_path / "x", format="brat")
    (tmp_path / "x/7.labels").write_text("7\tB01\t0\t3\n")
    with pytest.raises(OptionError, match=r"brat or ptc.*--format"):
        read_annotated(tmp_path / "x")


@pytest.mark.parametrize(
    "content", ["just prose", '["a"]', '{"id": "a"}', "a\tb\tc\n", '{"title": 1}\n{"title": 2}']
)
def test_content_of_no_format_is_refused(content, tmp_path):
    (tmp_path / "x").write_text(content)
    with pytest.raises(OptionError, match="fits no annotation format"):
        read_annotated(tmp_path / "x")


@pytest.mark.parametrize("format", [None, *FORMATS])
@pytest.mark.parametrize(
    "content", [b"", b" \n", b"\xff\xfe\x00", b"\x00\x01\x02", b'[{"data": {}}]', b"{" * 5000]
)
def test_damaged_files_are_one_clear_error(format, content, tmp_path):
    path = tmp_path / "x.ann"
    path.write_bytes(content)
    (tmp_path / "x.txt").write_bytes(b"words")
    # An empty .ann file is brat's way of an article without annotations.
    no_annotation = format in {None, "brat"} and not content.strip()
    if no_annotation:
        assert read_annotated(path, format=format)[0].gold == Answer()
        return
    with pytest.raises(SlantError, match=r"x\.ann"):
        read_annotated(path, format=format)


def test_a_path_or_format_that_is_not_there_is_named(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        read_annotated(tmp_path / "nothing")
    with pytest.raises(UnknownName, match="Did you mean brat"):
        write_annotated([RICH], tmp_path / "x", format="brt")
    with pytest.raises(DataError, match="no article"):
        write_annotated([], tmp_path / "x", format="jsonl")


def test_codes_refuse_other_categories_and_names_are_mapped(tmp_path):
    path = tmp_path / "x.jsonl"
    named = Answer(frozenset({"Doubt"}), (Mark("Illusory Truth", (Span(0, 3),)),))
    write_annotated([Example(Item("a", "abc"), named)], path, format="jsonl")
    names = {"Illusory Truth": "B01", "Doubt": "B02"}
    [read] = read_annotated(path, codes=["B01", "B02"], names=names)
    assert read.gold == Answer(frozenset({"B02"}), (Mark("B01", (Span(0, 3),)),))
    with pytest.raises(DataError, match=r"'a' has the category 'Doubt'.*Known are B01"):
        read_annotated(path, codes=["B01"], names={"Illusory Truth": "B01"})


def test_a_folder_with_other_files_is_not_written_into(tmp_path):
    write_annotated([RICH], tmp_path / "x", format="brat")
    write_annotated([RICH], tmp_path / "x", format="brat")
    (tmp_path / "x/8.ann").write_text("")
    with pytest.raises(OptionError, match=r"8\.ann"):
        write_annotated([RICH], tmp_path / "x", format="brat")


@pytest.mark.skipif(os.name != "posix", reason="only there can a process be looked for")
def test_what_a_killed_command_left_of_a_file_is_no_other_file(tmp_path):
    write_annotated([RICH], tmp_path / "x", format="brat")
    whole = sorted(path.name for path in (tmp_path / "x").iterdir())
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    half = temporary_beside(tmp_path / "x" / "7.ann")
    half.with_name(half.name.replace(f"-{os.getpid()}.", f"-{dead.pid}.")).write_text("T1")
    clear_abandoned.cache_clear()  # as in another process
    write_annotated([RICH], tmp_path / "x", format="brat")
    assert sorted(path.name for path in (tmp_path / "x").iterdir()) == whole


@pytest.mark.parametrize("identity", ["../up", "a/b", "", ".hidden", "x" * 300, "con:1", "a "])
def test_an_id_that_cannot_name_a_file_is_refused_and_nothing_is_written(identity, tmp_path):
    example = Example(Item(identity, "abc"), Answer())
    with pytest.raises(DataError):
        write_annotated([example], tmp_path / "x", format="brat")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("format", sorted(FOLDERS))
@pytest.mark.parametrize("identity", ["7", "article7", "articlearticle7", "a.b", "article-one"])
def test_ids_survive_the_names_of_files(format, identity, tmp_path):
    example = Example(Item(identity, "abc"), Answer(marks=(Mark("B01", (Span(0, 1),)),)))
    if format == "ptc" and identity.startswith("article") and identity.endswith("7"):
        # A tab file's own column of ids cannot tell article 7 from "article7".
        with pytest.raises(DataError, match="reads as that of the article"):
            write_annotated([example], tmp_path / "x", format=format)
        return
    _, [back] = there_and_back([example], format, tmp_path)
    assert back.item.id == identity


@pytest.mark.parametrize(
    # Counts of spans and techniques as the description of the data has them.
    ("labels", "spans", "kinds"),
    [("train-labels-task-si", 4346, 1), ("train-labels-task-flc-tc", 4856, 14)],
)
def test_both_label_folders_of_the_propaganda_corpus_are_read(labels, spans, kinds, real_data):
    corpus = real_data / "propaganda/ptc"
    examples = read_annotated(corpus / labels, articles=corpus / "train-articles")
    assert len(examples) == 297
    assert sum(len(passages(example)) for example in examples) == spans
    assert len({mark.category for one in examples for mark in one.gold.marks}) == kinds


@pytest.mark.parametrize("format", [one for one in FORMATS if one != "webanno"])
def test_the_propaganda_corpus_goes_through_every_format(format, real_data, tmp_path):
    corpus = real_data / "propaganda/ptc"
    labels = corpus / "train-labels-task-flc-tc"
    examples = read_annotated(labels, articles=corpus / "train-articles")
    lost, back = there_and_back(examples, format, tmp_path)
    assert lost == []
    by_id = {one.item.id: one for one in back}
    assert len(by_id) == len(back) == 297
    for example in examples:
        assert by_id[example.item.id].item == example.item
        assert passages(by_id[example.item.id]) == passages(example)


def test_forty_articles_of_the_propaganda_corpus_go_through_webanno(real_data, tmp_path):
    corpus = real_data / "propaganda/ptc"
    labels = corpus / "train-labels-task-flc-tc"
    examples = read_annotated(labels, articles=corpus / "train-articles")[-40:]
    lost, back = there_and_back(examples, "webanno", tmp_path)
    assert lost == []
    assert [one.item for one in back] == [one.item for one in examples]
    assert list(map(passages, back)) == list(map(passages, examples))


def test_articles_are_read_from_folders_and_tables(tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "article11.txt").write_bytes("\ufeffeleven\r\n".encode())
    (folder / "article2.txt").write_bytes(b"two")
    (folder / "note.md").write_bytes(b"no article")
    assert read_articles(folder) == [Item("2", "two"), Item("11", "\ufeffeleven\r\n")]
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "x", "text": "\ttext\r\n"}))
    assert read_articles(tmp_path / "a.jsonl") == [Item("x", "\ttext\r\n")]
    (tmp_path / "a.csv").write_bytes(b'id,text\nx,"two\r\nlines"\n')
    assert read_articles(tmp_path / "a.csv") == [Item("x", "two\r\nlines")]
    (folder / "2.txt").write_bytes(b"again")
    with pytest.raises(DataError, match="'2' a second time"):
        read_articles(folder)


def test_bytes_that_are_not_utf8_are_named_with_their_line(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"one\ntw\xe9\n")
    with pytest.raises(DataError, match=r"a\.txt.*byte 6 \(0xE9, line 2\)"):
        read_articles(tmp_path)
