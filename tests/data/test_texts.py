"""The two cleanings and the key of equal texts."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slant.data.texts import clean_text, damaged, key, official_text


def seven_steps(text: str) -> str:
    """The seven steps one after the other, as PROCESSING.md words them."""
    text = re.sub(r"@[A-Za-z0-9_]+", " ", text)
    text = re.sub(r"https?://[A-Za-z0-9./]+", " ", text)
    text = re.sub(r"[^a-zA-z.!?'0-9]", " ", text)
    text = re.sub(r"[^A-Za-z0-9]+", " ", text)
    text = text.replace("#", "").replace("\t", " ")
    text = re.sub(r" +", " ", text)
    return text.replace("linebreak", "")


def all_of(function, texts):
    return (
        pl.DataFrame({"t": texts}, schema={"t": pl.String})
        .select(function(pl.col("t")))["t"]
        .to_list()
    )


def one(function, text):
    return all_of(function, [text])[0]


pieces = st.sampled_from(
    [
        "@",
        "@a_b",
        "http://",
        "https://t.co/x",
        "http",
        "://",
        "#",
        "linebreak",
        "[linebreak]",
        "_",
        "`",
        "é",
        "😂",
        "\t",
        "\r\n",
        "a.b",
        "Z",
        "7",
        " ",
        "'",
        "\u2028",
        "[",
        "\\",
        "ẞ",
        "中",
    ]
)
mixed = st.lists(st.one_of(pieces, st.text(max_size=6)), max_size=12).map("".join)


@settings(max_examples=400, deadline=None)
@given(st.lists(mixed, min_size=1, max_size=8))
def test_official_cleaning_equals_the_seven_steps_on_any_text(texts):
    assert all_of(official_text, texts) == [seven_steps(text) for text in texts]


@pytest.mark.parametrize(
    ("published", "cleaned"),
    [
        ("don't", "don t"),
        ("U.S.", "U S "),
        ("Laják", "Laj k"),
        ("see https://a.b/c_d?e=f now", "see d e f now"),
        # Both brackets become a space each; the letters between them go after the squeeze.
        ("[linebreak]", "  "),
        ("one[linebreak]two", "one  two"),
        ("linebreaker", "er"),
        ("…", " "),
        ("", ""),
    ],
)
def test_official_cleaning_keeps_what_the_script_keeps(published, cleaned):
    assert one(official_text, published) == cleaned


@pytest.mark.parametrize(
    ("published", "cleaned"),
    [
        ("@ann and @bob_2: hi", "and : hi"),
        ("write to ann@example.org", "write to ann@example.org"),
        ("MENTION12 you <user> there", "you there"),
        ("See http://t.co/ab. Then go", "See . Then go"),
        ("(https://en.example.org/wiki/X_y)", "( )"),
        ("#MKR #adaywithoutwomen", "MKR adaywithoutwomen"),
        ("LBJ started#WarOnPoverty#now", "LBJ started WarOnPoverty now"),
        ("fine :) ok ;-) <3 xD", "fine ok"),
        ("so good 👍🏽👨‍👩‍👧 1️⃣", "so good 1"),
        ("one[linebreak][linebreak]two", "one two"),
        ("a\u00a0b\t c\r\n", "a b c"),
        ("R&amp;D &lt;b&gt; it&#39;s", "R&D <b> it's"),
        ("AT&T &copy of &unknown;", "AT&T &copy of &unknown;"),
        ("Itâ€™s â€œtrueâ€\x9d", "It’s “true”"),
        ("Ã¢â‚¬â„¢tis cafÃ©", "’tis café"),
        ("Â£5", "£5"),
        ("", ""),
        ("@ann http://t.co/x 😂 :)", ""),
    ],
)
def test_minimal_cleaning_removes_what_is_not_language(published, cleaned):
    assert one(clean_text, published) == cleaned


@pytest.mark.parametrize(
    "text",
    [
        "“CAFÉ” – said Ñandú, the naïve façade; ÄÖ“!",
        "Москва — столица.",
        "मुझे हिन्दी आती है।",
        "ما هي لغة‌ها؟",
        "日本語のテキスト。",
        "U.S. don't 3:4 x < 3 (1:2) a/b C++ © 2017™ 50% $5",
        "Đại Việt Quốc dân đảng",
    ],
)
def test_minimal_cleaning_leaves_words_case_and_punctuation_of_every_alphabet_alone(text):
    assert one(clean_text, text) == text


@settings(max_examples=200, deadline=None)
@given(mixed)
def test_minimal_cleaning_never_drops_a_letter_of_another_alphabet(text):
    # Repaired mojibake may add some; it takes away Latin letters only.
    def letters(s):
        return Counter(
            c for c in s if unicodedata.category(c) in ("Lu", "Ll", "Lo") and c > "\u0370"
        )

    # A link swallows the letters that touch it.
    if not re.search(r"http|www|htt?…", text, re.IGNORECASE):
        assert letters(text) <= letters(one(clean_text, text))


@settings(max_examples=200, deadline=None)
@given(mixed)
def test_minimal_cleaning_leaves_single_spaces_and_no_space_at_the_ends(text):
    cleaned = one(clean_text, text)
    assert cleaned == cleaned.strip(" ")
    assert "  " not in cleaned
    assert "\t" not in cleaned


@pytest.mark.parametrize(
    "text", ["caf\ufffd", "he said â€ and left", "Jos?Ÿ?? Maria", "K?ñbr?ñs", "\x90"]
)
def test_texts_that_lost_letters_are_damaged(text):
    assert one(damaged, text)


@pytest.mark.parametrize("text", ["José María", "Why? Because “so?”", "¿Qué?»", "what??", ""])
def test_texts_with_all_their_letters_are_not_damaged(text):
    assert not one(damaged, text)


def test_texts_with_the_same_letters_and_digits_share_a_key():
    texts = ["The U.S.  said: “no” 3", "the us SAID no3", "THE U.S. SAID NO, 3!"]
    assert all_of(key, texts) == ["theussaidno3"] * 3
    # Composed and decomposed e with acute; full-width letters; sharp s.
    assert one(key, "cafe\u0301") == one(key, "CAFÉ")
    assert one(key, "ＡＢ") == "ab"
    assert one(key, "Straße") == one(key, "STRASSE")


def test_keys_of_different_words_differ_by_their_vowel_signs():
    # ki and ku in Devanagari differ in the vowel sign alone.
    assert one(key, "कि") != one(key, "कु")
    assert one(key, "?! …") == ""


def test_null_stays_null():
    for function in (official_text, clean_text, key):
        assert all_of(function, [None, "a"]) == [None, "a"]
