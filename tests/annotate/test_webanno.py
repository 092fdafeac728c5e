"""WebAnno TSV 3.3 as INCEpTION writes it, by hand, and as slant writes it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.annotate.codeunits import code_units, units
from slant.annotate.formats import read_annotated, read_reported, write_annotated
from slant.annotate.webannolayers import unescaped_text, unescaped_value, values_of
from slant.annotate.webannowriting import escaped_text, escaped_value
from slant.errors import DataError
from slant.types import Answer, Example, Item, Mark, Span

HEAD = "#FORMAT=WebAnno TSV 3.3\n"
# Offsets of the rows were counted by hand: the emoji is two UTF-16 units, so that "asks" is 19-23
# in the file and 18-22 in code points.
EXPORT = (
    HEAD
    + "#T_SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|PosValue\n"
    + "#T_SP=webanno.custom.Bias|bias|confidence|note\n"
    + "#T_RL=webanno.custom.Same|BT_webanno.custom.Bias\n"
    + "\n\n"
    + "#Text=Experts say so 😀 .\n"
    + "1-1\t0-7\tExperts\tNN\tB01[1]|B02[2]\thigh[1]|*[2]\ta\\_b\\|c[1]|*[2]\t_\t\n"
    + "1-2\t8-11\tsay\tVB\tB01[1]\thigh[1]\ta\\_b\\|c[1]\t_\t\n"
    + "1-3\t12-14\tso\tRB\t_\t_\t_\t_\t\n"
    + "1-4\t15-17\t😀\tUH\tB01\t*\t*\t1-1[1_0]\t\n"
    + "1-5\t18-19\t.\t.\t_\t_\t_\t_\t\n"
    + "\n"
    + "#Sentence.id=s2\n"
    + "#Text=asks\n"
    + "2-1\t20-24\tasks\tVB\t_\t_\t_\t_\t\n"
    + "2-1.1\t21-24\tsks\t_\tB02\t2\t*\t_\t\n"
)


def read(tmp_path, content, **options):
    (tmp_path / "a.tsv").write_bytes(content.encode())
    [example] = read_annotated(tmp_path / "a.tsv", **options)
    return example


def test_an_export_of_inception_is_read(tmp_path):
    example = read(tmp_path, EXPORT)
    assert example.item == Item("a", "Experts say so 😀 .\nasks")
    assert example.gold.marks == (
        # Tokens 1 and 2, joined by the relation with the emoji, which is one code point.
        Mark("B01", (Span(0, 11), Span(15, 16)), confidence=3, note="a_b|c"),
        Mark("B02", (Span(0, 7),)),
        # A sub-token: the last three letters.
        Mark("B02", (Span(20, 23),), confidence=2),
    )


def test_what_was_left_aside_is_told(tmp_path):
    (tmp_path / "a.tsv").write_text(EXPORT, "utf-8")
    assert [(one.what, one.count) for one in read_reported(tmp_path / "a.tsv").losses] == [
        ("layers 'de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS'", 1)
    ]


def test_the_articles_settle_what_stands_between_sentences(tmp_path):
    body = "\n\n#Text=One .\n1-1\t0-3\tOne\t\n1-2\t4-5\t.\t\n\n#Text=Two\n2-1\t8-11\tTwo\t\n"
    content = HEAD + body
    # The format has three characters there, of which it says nothing: a line end and two spaces.
    assert read(tmp_path, content).item.text == "One .\n  Two"
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts/a.txt").write_bytes(b"One .\r\n\tTwo\n")
    assert read(tmp_path, content, articles=tmp_path / "texts").item.text == "One .\r\n\tTwo\n"
    (tmp_path / "texts/a.txt").write_bytes(b"One . x Two\n")
    with pytest.raises(DataError, match=r"line 8.*offset 6: expected '', found 'x "):
        read(tmp_path, content, articles=tmp_path / "texts")
    (tmp_path / "texts/a.txt").write_bytes(b"One .\r\n\tTwa\n")
    with pytest.raises(DataError, match=r"line 8.*offset 10: expected 'Two', found 'Twa'"):
        read(tmp_path, content, articles=tmp_path / "texts")


def test_sentences_that_follow_at_once_have_no_line_end_between_them(tmp_path):
    content = HEAD + "\n\n#Text=One.\n1-1\t0-4\tOne.\t\n\n#Text=Two\n2-1\t4-7\tTwo\t\n"
    assert read(tmp_path, content).item.text == "One.Two"


def test_a_sentence_of_several_lines_is_joined(tmp_path):
    content = HEAD + "\n\n#Text=One\\r\n#Text=\n#Text=t\\tw\\\\o\n1-1\t0-3\tOne\t\n"
    assert read(tmp_path, content).item.text == "One\r\n\nt\tw\\o"


def test_a_document_without_triggers_declares_no_layer(tmp_path):
    content = HEAD + "#T_SP=de.x.NamedEntity|identifier\n\n\n#Text=One\n1-1\t0-3\tOne\tQ1\t\n"
    assert read(tmp_path, content).gold == Answer()


def test_a_named_entity_layer_will_do_where_there_is_no_other(tmp_path):
    content = (
        HEAD + "#T_SP=de.x.NamedEntity|identifier|value\n\n\n#Text=One\n1-1\t0-3\tOne\t*\tB01\t\n"
    )
    assert read(tmp_path, content).gold.marks == (Mark("B01", (Span(0, 3),)),)


def test_annotations_that_share_a_group_are_one_trigger(tmp_path):
    content = (
        HEAD
        + "#T_SP=webanno.custom.Bias|value|group\n\n\n#Text=One and two\n"
        + "1-1\t0-3\tOne\tB01\tg1\t\n1-2\t4-7\tand\tB02\tg1\t\n1-3\t8-11\ttwo\tB01\tg1\t\n"
    )
    assert read(tmp_path, content).gold.marks == (
        Mark("B01", (Span(0, 3), Span(8, 11)), id="g1"),
        Mark("B02", (Span(4, 7),), id="g1"),
    )


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("TSV 3.3", "TSV 2.0", "line 1 is '#FORMAT=WebAnno TSV 2.0'"),
        ("8-11\tsay", "8-11\tsaw", r"line 9.*offset 10: expected 'saw', found 'say'"),
        ("8-11\tsay", "8-12\tsay", r"line 9.*found 'say '"),
        ("15-17\t😀", "16-17\t😀", "line 11 has the offset 16, inside a character"),
        ("20-24\tasks", "18-24\tasks", "line 15 begins at 18, before the end"),
        ("1-1[1_0]", "1-9[1_0]", "line 11 has a relation with 1-9"),
        ("1-1[1_0]", "1-1[0_0]", "line 11 has a relation with 1-1, where 2 annotations"),
        ("1-1[1_0]", "here", "line 11 has the relation 'here'"),
        ("high[1]|*[2]", "high[1]", "line 8 has 2 categories and 1 values of confidence"),
        ("B02\t2", "*\t2", "line 17 has an annotation without a category"),
        ("B02\t2\t*\t_", "B02", "line 17 is no row of a token with 5 columns"),
        ("#T_RL=", "#T_XX=", "declares no layer"),
        ("webanno.custom.Bias|bias|confidence|note", "webanno.custom.Bias|x|y|z",
         "no span layers with a feature"),
    ],
)  # fmt: skip
def test_a_broken_file_is_named_with_its_line(tmp_path, before, after, said):
    assert before in EXPORT
    with pytest.raises(DataError, match=said):
        read(tmp_path, EXPORT.replace(before, after), format="webanno")


def test_a_project_export_has_a_folder_for_each_document(tmp_path):
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "CURATION_USER.tsv").write_text(EXPORT, "utf-8")
    assert [one.item.id for one in read_annotated(tmp_path)] == ["one", "two"]
    (tmp_path / "two.txt/anna.tsv").write_text(EXPORT, "utf-8")
    with pytest.raises(DataError, match=r"'two\.txt' has 2 files"):
        read_annotated(tmp_path)


def test_a_span_is_written_in_utf16_and_cuts_words_where_it_must(tmp_path):
    # text[2:6] is "unre": the emoji before it is one code point and two units
    mark = Mark("B_1", (Span(2, 6), Span(0, 1)), confidence=2, id="T1")
    example = Example(Item("a", "😀 unreal\r\n\nyes\n"), Answer(marks=(mark,)))
    assert write_annotated([example], tmp_path / "x", format="webanno") == []
    assert (tmp_path / "x/a.tsv").read_text("utf-8") == (
        HEAD
        + "#T_SP=webanno.custom.Trigger|bias|confidence|trigger|note\n\n\n"
        + "#Text=😀 unreal\\r\n#Text=\n"
        + "1-1\t0-2\t😀\tB\\_1\t2\tT1\t*\t\n"
        + "1-2\t3-7\tunre\tB\\_1\t2\tT1\t*\t\n"
        + "1-3\t7-9\tal\t_\t_\t_\t_\t\n"
        + "\n"
        + "#Text=yes\n#Text=\n"
        + "2-1\t12-15\tyes\t_\t_\t_\t_\t\n"
    )
    [back] = read_annotated(tmp_path / "x")
    assert back.item == example.item
    assert back.gold.marks == (Mark("B_1", (Span(0, 1), Span(2, 6)), confidence=2, id="T1"),)


SIGNS = st.text(st.sampled_from("ab\\[]|_->;\t\n*😀 \r\f\b\v\x01"), max_size=12)


@given(SIGNS)
def test_escaping_is_undone(text):
    assert unescaped_value(escaped_value(text)) == text
    assert unescaped_text(escaped_text(text)) == text


@given(st.lists(SIGNS, min_size=1, max_size=4))
def test_stacked_values_come_apart_where_they_were_joined(values):
    cell = "|".join(f"{escaped_value(one)}[{n}]" for n, one in enumerate(values))
    assert values_of(cell) == [(one, str(n)) for n, one in enumerate(values)]


@given(st.text(st.sampled_from("aé😀𝄞\u0301"), max_size=10))
def test_code_units_are_those_of_the_utf16_encoding(text):
    counting = code_units(text)
    # The encoding itself is the oracle: two bytes a unit.
    lengths = [len(text[:n].encode("utf-16-le")) // 2 for n in range(len(text) + 1)]
    assert [counting.of(n) for n in range(len(text) + 1)] == lengths
    assert units(text) == lengths[-1]
    for unit in range(lengths[-1] + 3):
        assert counting.point(unit) == (lengths.index(unit) if unit in lengths else None)
