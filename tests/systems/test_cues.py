"""Surface cues, and which biases of a schema they belong to."""

from __future__ import annotations

import pytest
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from slant.data.schemas import load_schema, plain_schema
from slant.errors import UnknownName
from slant.systems.cues import cue_keys, cue_spans, has_cue, packaged_cues


def cues(bias: str, text: str) -> list[str]:
    return [text[span.start : span.end] for span in cue_spans(bias, text)]


@pytest.mark.parametrize(
    ("bias", "text", "expected"),
    [
        ("B02", "A horrible, ugly attack on nice people", ["horrible", "ugly", "attack"]),
        ("B04", "An expert and two scientists", ["expert", "scientists"]),
        ("B04", "ACCORDING\nTO a new study", ["ACCORDING\nTO", "study"]),
        ("B04", "Dr. Elm and Prof Oak", ["Dr.", "Prof"]),
        ("B04", "the WHO, but not the man who came", ["WHO"]),
        ("B04", "in general, a world-renowned name", ["world-renowned"]),
        ("B06", "It used to work in 1987 and in the ’60s", ["used to", "1987", "’60s"]),
        ("B06", "no longer what it once was", ["no longer", "once was"]),
        ("B06", "the 19th century, the 1950s", ["19th century", "1950s"]),
        ("B06", "$1,954 and 1954.5 and 19540 and 2050", []),
        ("B03", "Everyone knows; most people agree", ["Everyone knows", "most people"]),
        ("B05", "Politicians never listen. These people", ["Politicians never", "These people"]),
        ("B07", "Anna Lind, 34, a mother of two", ["Lind, 34,", "mother of"]),
        ("B07", "a 7-year-old girl", ["7-year-old"]),
        ("B08", "which is why it is no coincidence", ["which is why", "no coincidence"]),
        ("B09", "They should have known. It was bound to end", ["should have known", "bound to"]),
        ("B01", "Once again, and again and again", ["Once again", "again and again"]),
    ],
)
def test_cues_are_found_where_they_stand(bias, text, expected):
    assert cues(bias, text) == expected
    assert has_cue(bias, text) == bool(expected)


@pytest.mark.parametrize("bias", sorted(packaged_cues()))
def test_a_plain_sentence_and_an_empty_one_hold_no_cue(bias):
    for text in ("", "The cat sat on the mat beside a green chair.", "😀\r\n"):
        assert not cue_spans(bias, text)
        assert not has_cue(bias, text)


def test_negative_words_are_those_of_vader():
    lexicon = SentimentIntensityAnalyzer().lexicon
    words = sorted(word for word in lexicon if word.isascii() and word.isalpha())
    assert all(has_cue("B02", word) == (lexicon[word] < 0) for word in words)
    assert len(words) > 7000


def test_a_part_of_a_word_is_no_cue():
    assert not has_cue("B04", "inexperts studyhall popeye")
    assert not has_cue("B02", "warp3 xattackx")


def test_there_are_cues_for_each_of_the_nine_and_no_other():
    schema = load_schema("bait")
    assert cue_keys(schema) == {code: code for code in schema.codes}
    with pytest.raises(UnknownName, match="no bias with surface cues"):
        has_cue("B10", "text")


def test_biases_of_another_schema_are_known_by_name_not_by_code():
    assert cue_keys(load_schema("ptc")) == {
        "Appeal_to_Authority": "B04",
        "Causal_Oversimplification": "B08",
        "Repetition": "B01",
    }
    assert cue_keys(plain_schema(["B04", "Doubt"])) == {"B04": "B04"}
    other = plain_schema(["B04"])
    renamed = type(other.biases[0])(code="B04", name="Doubt")
    assert cue_keys(type(other)("x", "1", "", "", "mark", (), (renamed,))) == {}
