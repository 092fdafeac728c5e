"""Texts -> sentences -> tokens."""

from __future__ import annotations

import json

import polars as pl
import pytest

from slant.embeddings.corpus import (
    Cleaning,
    document_sentences,
    fingerprint,
    read_texts,
    sentences,
)
from slant.errors import DataError, OptionError, UnknownName

RAW = Cleaning(lower=False, alphabetic=False, tokenizer="regex")
FAST = Cleaning(tokenizer="regex")


def cut(text):
    """The sentences of a text, each with its tokens joined again."""
    return [" ".join(tokens) for tokens in sentences(text, RAW)]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("One. Two! Three? Four", 4),
        ('He said "Yes." Then he left.', 2),
        ("Mr. Lee met Dr. Kim in St. Paul. They talked.", 2),
        ("J. R. R. Tolkien wrote. He taught.", 2),
        ("The U.S. Senate met, e.g. on Monday.", 1),
        ("It cost 3.5 million. 12 men paid.", 2),
        ("Really?! Yes... So it is.", 3),
        ("a.b.c and v1.2 are names.", 1),
        ("He came at 5 p.m. and left.", 1),
        ("No stop\n\nNew paragraph", 2),
        ("One line\nof a paragraph.", 1),
        ("the cat sat . The dog ran . ", 2),
        ("\u4f60\u597d\u3002\u518d\u89c1\u3002", 2),
        ("\u00c9tienne came. \u00c9milie left.", 2),
        ("", 0),
        (" \n\n ", 0),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text, number):
    assert len(cut(text)) == number


def test_by_default_tokens_are_nltk_words_in_lower_case_of_letters_alone():
    # Treebank: ca|n't, Lee|'s, well-known, $|5|.|50 -> only words made of letters alone stay.
    text = "Ada can't pay Lee's well-known 5.50 dollars, na\u00efve \u0410\u0434\u0430 in 1843!"
    assert list(sentences(text)) == [
        ["ada", "ca", "pay", "lee", "dollars", "na\u00efve", "\u0430\u0434\u0430", "in"]
    ]


def test_every_step_can_be_left_out():
    text = "Ada's Cat, 1843."
    assert list(sentences(text, Cleaning(lower=False))) == [["Ada", "Cat"]]
    assert list(sentences(text, Cleaning(alphabetic=False))) == [
        ["ada", "'s", "cat", ",", "1843", "."]
    ]
    assert list(sentences(text, Cleaning(alphabetic=False, tokenizer="regex"))) == [
        ["ada's", "cat", ",", "1843", "."]
    ]


@pytest.mark.parametrize("tokenizer", ["nltk", "regex"])
def test_the_marks_of_tokenised_corpora_are_no_words(tokenizer):
    text = "the <unk> was a well @-@ known man of 1 @,@ 000 ."
    assert list(sentences(text, Cleaning(tokenizer=tokenizer))) == [
        ["the", "was", "a", "well", "known", "man", "of"]
    ]
    kept = Cleaning(tokenizer=tokenizer, alphabetic=False)
    assert list(sentences("the <unk> well @-@ known", kept)) == [
        ["the", "<unk>", "well", "@-@", "known"]
    ]


def test_letters_with_marks_of_their_own_are_alphabetic():
    # Devanagari writes vowels, and a decomposed e acute its accent, as marks (M).
    assert list(sentences("\u0939\u093f\u0928\u094d\u0926\u0940 cafe\u0301", Cleaning())) == [
        ["\u0939\u093f\u0928\u094d\u0926\u0940", "cafe\u0301"]
    ]


@pytest.mark.parametrize("ending", ["parquet", "csv", "jsonl", "txt", "cor"])
def test_documents_are_read_from_every_kind_of_file(ending, tmp_path):
    path = tmp_path / f"corpus.{ending}"
    texts = ["One, two.", "Three.", " "]
    frame = pl.DataFrame({"id": ["1", "2", "3"], "text": texts})
    if ending == "parquet":
        frame.write_parquet(path)
    elif ending == "csv":
        frame.write_csv(path)
    elif ending == "jsonl":
        path.write_text("\n".join(json.dumps({"id": "1", "text": one}) for one in texts))
    else:
        path.write_text("\n".join(texts))
    assert list(read_texts(path)) == list(read_texts(path, "text")) == ["One, two.", "Three."]
    assert list(document_sentences([path], FAST)) == [[["one", "two"]], [["three"]]]


def test_a_folder_of_texts_has_a_document_in_each(tmp_path):
    (tmp_path / "b.txt").write_text("Second.\n\nPart.")
    (tmp_path / "a.txt").write_text("First.")
    assert list(read_texts(tmp_path)) == ["First.", "Second.\n\nPart."]
    assert list(document_sentences([tmp_path], FAST)) == [[["first"]], [["second"], ["part"]]]


def test_another_column_can_be_named_and_an_unknown_one_is_answered(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("body,text\nHere.,There.\n")
    assert list(read_texts(path, "body")) == ["Here."]
    with pytest.raises(UnknownName, match="body"):
        list(read_texts(path, "bodi"))


@pytest.mark.parametrize("content", ["", "\n \n", "123 456\n--- 7\n", "<unk> @-@\n"])
def test_a_corpus_without_words_is_an_error_that_names_it(content, tmp_path):
    path = tmp_path / "empty.txt"
    path.write_text(content)
    with pytest.raises(DataError, match=r"empty\.txt"):
        list(document_sentences([path], FAST))


def test_a_folder_without_texts_and_no_path_at_all_are_errors(tmp_path):
    with pytest.raises(DataError, match=r"no \.txt"):
        list(read_texts(tmp_path))
    with pytest.raises(DataError, match="there is none"):
        list(document_sentences([], FAST))


def test_a_cleaning_that_does_not_exist_is_refused():
    with pytest.raises(OptionError, match="nltk or regex"):
        Cleaning(tokenizer="spacy")
    with pytest.raises(OptionError, match="below 1"):
        Cleaning(minimum=0)


def test_the_fingerprint_is_of_the_bytes_and_a_folders_of_its_files(tmp_path):
    (tmp_path / "a.txt").write_text("abc")
    # sha256 of "abc", FIPS 180-2, appendix B.1
    assert fingerprint(tmp_path / "a.txt").startswith("ba7816bf8f01cfea414140de5dae2223b00361a3")
    before = fingerprint(tmp_path)
    (tmp_path / "b.txt").write_text("abc")
    assert fingerprint(tmp_path) != before


def test_the_real_news_have_their_words(real_data):
    # 300 texts of news; a word list by hand of the first sentence.
    documents = list(document_sentences([real_data / "weat/corpora/lee_background.cor"], FAST))
    assert len(documents) == 300
    assert documents[0][0][:6] == ["hundreds", "of", "people", "have", "been", "forced"]
