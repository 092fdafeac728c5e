from __future__ import annotations

import numpy as np
import pytest

from slant.data.spans import marked
from slant.errors import DataError, OptionError
from slant.explain.words import (
    aligned,
    cut_texts,
    rationale_words,
    text_words,
    tokens_of,
    word_scores,
)
from slant.types import Span

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "so", "-", "call", "##ed", "plan",
          "is", "mad", "##den", "##ing", "’", "s", "“", "”", ".", "a"]  # fmt: skip


@pytest.fixture(scope="module")
def wordpiece():
    """A tokenizer of the BERT kind that cuts words into pieces."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    vocabulary = {piece: number for number, piece in enumerate(PIECES)}
    own = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    own.normalizer = normalizers.BertNormalizer(lowercase=True)
    own.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    own.post_processor = processors.TemplateProcessing(
        "[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=own, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]",
        sep_token="[SEP]", mask_token="[MASK]",
    )  # fmt: skip


@pytest.fixture(scope="module")
def bytelevel():
    """A tokenizer of the GPT-2 kind: a blank belongs to the next token, a letter may be two."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    own = Tokenizer(models.BPE({one: n for n, one in enumerate(letters)}, []))
    own.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    own.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=own, unk_token=letters[0])


def test_words_are_runs_of_letters_with_what_joins_them_inside():
    text = "“So-called” U.S. plans – don’t 2,000_x"
    assert text_words(text).strings == ["So-called", "U.S", "plans", "don’t", "2", "000", "x"]
    assert len(text_words("… – !")) == 0


def test_a_word_is_marked_where_it_shares_a_character_with_a_span():
    words = text_words("the so-called plan")
    assert rationale_words(words, [Span(7, 9)]).tolist() == [0, 1, 0]
    assert rationale_words(words, [Span(3, 4)]).tolist() == [0, 0, 0]
    assert rationale_words(words, [Span(0, 3), Span(14, 18)]).tolist() == [1, 0, 1]
    assert rationale_words(words, []).tolist() == [0, 0, 0]


def test_pieces_belong_to_their_word_and_punctuation_to_none(wordpiece):
    (one,) = aligned(wordpiece, ["The “so-called” plan."], 32)
    pieces = wordpiece.convert_ids_to_tokens(one.tokens.ids)
    assert pieces == [
        "[CLS]", "the", "“", "so", "-", "call", "##ed", "”", "plan", ".", "[SEP]",
    ]  # fmt: skip
    assert one.word_of.tolist() == [-1, 0, -1, 1, 1, 1, 1, -1, 2, -1, -1]
    assert one.words.strings == ["The", "so-called", "plan"]
    assert one.tokens.special.tolist() == [True] + [False] * 9 + [True]
    assert one.lost == 0


def test_a_span_marks_every_piece_that_it_touches_and_no_special_token(wordpiece):
    text = "The “so-called” plan."
    (tokens,) = tokens_of(wordpiece, [text], 32)
    start = text.index("so-")
    mask = marked(tokens.starts, tokens.ends, [Span(start, start + 9)])
    assert mask.tolist() == [0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0]
    assert marked(tokens.starts, tokens.ends, [Span(0, len(text))]).tolist() == [0, *[1] * 9, 0]


def test_a_cut_text_is_counted_and_its_lost_words_have_no_score(wordpiece):
    found = aligned(wordpiece, ["the plan is mad", "mad", "a maddening plan"], 4)
    assert cut_texts(found) == 2
    assert [one.words.strings for one in found] == [["the", "plan"], ["mad"], ["a", "maddening"]]
    assert [one.lost for one in found] == [2, 0, 1]


def test_bytes_of_one_letter_and_blanks_stay_with_their_word(bytelevel):
    text = "a “mad” plän"
    (one,) = aligned(bytelevel, [text], 64)
    assert one.words.strings == ["a", "mad", "plän"]
    counts = np.bincount(one.word_of[one.word_of >= 0]).tolist()
    assert counts == [1, 3, 5]
    assert not one.tokens.special.any()
    mask = marked(one.tokens.starts, one.tokens.ends, [Span(8, 12)])
    assert mask.sum() == 5


def test_a_tokenizer_without_offsets_is_one_line():
    class Slow:
        is_fast = False

    with pytest.raises(OptionError, match="Slow: it gives no character offsets"):
        tokens_of(Slow(), ["a"], 8)


def test_no_text_and_a_text_without_words(wordpiece):
    assert aligned(wordpiece, [], 8) == []
    (one,) = aligned(wordpiece, ["”"], 8)
    assert (len(one.words), one.word_of.tolist()) == (0, [-1, -1, -1])


@pytest.mark.parametrize(
    ("by", "scores"),
    [
        ("max", [5.0, 4.0]),
        ("sum", [6.0, 4.0]),
        ("mean", [2.0, 4.0]),
        ("first", [-1.0, 4.0]),
    ],
)
def test_scores_of_pieces_become_those_of_words(by, scores):
    found = word_scores(np.array([9.0, -1, 2, 5, 4, 7]), np.array([-1, 0, 0, 0, 1, -1]), 2, by)
    assert found.tolist() == scores


def test_highest_of_negative_scores_is_not_zero():
    assert word_scores(np.array([-3.0, -2.0]), np.array([0, 0]), 1, "max").tolist() == [-2.0]


def test_scores_that_do_not_fit_are_refused():
    with pytest.raises(DataError, match="2 scores stand beside 3 tokens"):
        word_scores(np.zeros(2), np.array([0, 0, 1]), 2)
    with pytest.raises(DataError, match="3 words"):
        word_scores(np.zeros(3), np.array([0, 0, 1]), 3)
