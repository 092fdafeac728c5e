"""Tokens, windows and batches."""

from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny import tiny_tokenizer

from slant.errors import WorkFailed
from slant.systems import batches
from slant.systems.batches import (
    Frame,
    Text,
    batches_by_budget,
    frame_of,
    padded,
    sentence_ends,
    text_probabilities,
    tokenised,
    window_ends,
)

absent = not all(find_spec(n) for n in ("torch", "transformers"))
needs_encoders = pytest.mark.skipif(absent, reason="the extra 'encoders' is not installed")

LONG = "the council met on monday . the train left . rain was in the north . the mob lied !"


def windows_of(*lengths):
    return [np.arange(n, dtype=np.int32) + 5 for n in lengths]


def test_a_sentence_ends_at_its_mark_its_quote_or_its_line():
    # "Why?" ends at 4, ' "No.", they said' has its mark before a comma, the line ends behind it.
    assert sentence_ends('Why? "No." Yes\nOn') == [4, 10, 15, 17]
    assert sentence_ends("3.5 per cent") == [12]
    assert sentence_ends("") == [0]


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=30),
    st.integers(1, 12),
)
def test_windows_cover_every_token_once_and_none_is_too_long(sentences, room):
    ends = np.cumsum(sentences).tolist()
    found = window_ends(ends, ends[-1], room)
    sizes = np.diff([0, *found])
    assert sizes.sum() == ends[-1]
    assert (sizes >= 1).all()
    assert (sizes <= room).all()
    if room >= max(sentences):
        assert set(found) <= set(ends)


@needs_encoders
def test_the_tokens_around_a_text_are_those_of_the_tokenizer():
    bert, gpt = tiny_tokenizer("bert"), tiny_tokenizer("gpt2")
    assert frame_of(bert) == Frame((bert.cls_token_id,), (bert.sep_token_id,))
    assert frame_of(gpt) == Frame((), ())


@needs_encoders
def test_a_text_that_fits_has_the_tokens_that_the_tokenizer_gives():
    own = tiny_tokenizer("bert")
    (text,) = tokenised([LONG], own, "f", 64, "window")
    assert text.cut == 0
    assert [w.tolist() for w in text.windows] == [own(LONG)["input_ids"]]


@needs_encoders
def test_a_long_text_is_split_at_the_ends_of_its_sentences():
    own = tiny_tokenizer("bert")
    (text,) = tokenised([LONG], own, "f", 12, "window")
    # 6 + 4 words fit the 10 places beside the special tokens, then 6 + 4 again (full stops count).
    said = [own.convert_ids_to_tokens(w.tolist()) for w in text.windows]
    assert [" ".join(s[1:-1]) for s in said] == [
        "the council met on monday . the train left .",
        "rain was in the north . the mob lied !",
    ]
    assert all(s[0] == "[CLS]" and s[-1] == "[SEP]" for s in said)


@needs_encoders
def test_a_long_text_is_cut_where_that_is_asked_and_the_loss_is_counted():
    own = tiny_tokenizer("bert")
    (text,) = tokenised([LONG], own, "f", 12, "cut")
    # 20 tokens, 10 of them fit.
    assert len(text.windows) == 1
    assert text.cut == 10
    assert text.windows[0].tolist() == own(LONG, truncation=True, max_length=12)["input_ids"]


@needs_encoders
def test_a_text_is_tokenised_once(monkeypatch):
    own = tiny_tokenizer("bert")
    first = tokenised([LONG, "rain"], own, "f", 12, "window")
    monkeypatch.setattr(batches, "windows_of", lambda *a: pytest.fail("it was tokenised again"))
    again = tokenised(["rain", LONG, LONG], own, "f", 12, "window")
    pairs = zip(again, [first[1], first[0], first[0]], strict=True)
    assert all(
        a.cut == b.cut and all((x == y).all() for x, y in zip(a.windows, b.windows, strict=True))
        for a, b in pairs
    )


@needs_encoders
def test_what_is_kept_belongs_to_one_checkpoint_one_length_and_one_way(monkeypatch):
    own, calls = tiny_tokenizer("bert"), []
    real = batches.windows_of
    monkeypatch.setattr(batches, "windows_of", lambda *a: calls.append(1) or real(*a))
    for settings in (
        ("f", 12, "window"),
        ("g", 12, "window"),
        ("f", 13, "window"),
        ("f", 12, "cut"),
    ):
        tokenised([LONG], own, *settings)
    assert len(calls) == 4


@needs_encoders
@pytest.mark.parametrize("text", ["", "   ", "\ud800", "[SEP] </s>", "\x00"])
@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_any_text_has_a_window_with_a_token(text, kind):
    own = tiny_tokenizer(kind)
    if own.pad_token is None:
        own.pad_token = own.eos_token
    (found,) = tokenised([text], own, "f", 12, "window")
    assert all(window.size for window in found.windows)


@needs_encoders
def test_a_store_that_is_no_database_is_one_clear_error(tmp_path, monkeypatch):
    monkeypatch.setenv("SLANT_CACHE", str(tmp_path))
    (tmp_path / "tokens.sqlite").write_text("no database " * 100)
    with pytest.raises(WorkFailed, match="tokens"):
        tokenised(["rain"], tiny_tokenizer("bert"), "f", 12, "window")


@needs_encoders
@pytest.mark.parametrize(
    ("lengths", "limit", "width"), [((3, 9), 64, 16), ((3, 9), 12, 12), ((8,), 64, 8)]
)
def test_a_batch_is_padded_to_a_multiple_of_eight_that_the_model_can_read(lengths, limit, width):
    batch = padded(windows_of(*lengths), 0, limit)
    assert batch["input_ids"].shape == batch["attention_mask"].shape == (len(lengths), width)
    assert batch["attention_mask"].sum(1).tolist() == list(lengths)
    assert (batch["input_ids"][batch["attention_mask"] == 0] == 0).all()


@given(st.lists(st.integers(1, 60), max_size=50), st.randoms(use_true_random=False))
def test_batches_under_a_budget_hold_each_window_once_in_any_order(lengths, stream):
    windows = windows_of(*lengths)
    places = list(batches_by_budget(windows, 64))
    assert sorted(i for batch in places for i in batch) == list(range(len(windows)))
    for batch in places:
        width = -(-max(lengths[i] for i in batch) // 8) * 8
        assert len(batch) == 1 or len(batch) * width <= 64
    turned = windows[:]
    stream.shuffle(turned)
    sizes = [[len(windows[i]) for i in batch] for batch in places]
    assert sizes == [[len(turned[i]) for i in batch] for batch in batches_by_budget(turned, 64)]


def test_a_texts_probability_is_the_mean_of_its_windows_by_tokens():
    one, two = Text(tuple(windows_of(30, 10)), 0), Text(tuple(windows_of(7)), 3)
    # (30 * 0.9 + 10 * 0.1) / 40 = 0.7
    found = text_probabilities([one, two], np.array([0.9, 0.1, 0.25]))
    assert found == pytest.approx([0.7, 0.25])
    assert text_probabilities([], np.empty(0)).tolist() == []
