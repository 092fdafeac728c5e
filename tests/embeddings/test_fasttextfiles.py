"""Models of fastText that say more of themselves than they hold."""

from __future__ import annotations

import struct

import pytest

from slant.embeddings.fasttextfiles import MAGIC, check_fasttext
from slant.errors import DataError


def model(
    words=("a", "b"), dim=2, bucket=0, said_words=None, rows=None, cut=0, pruned=-1, grams=(3, 6)
):
    """Settings, dictionary, and a matrix of zeros, as fastText writes them."""
    settings = struct.pack("<12id", dim, 5, 1, 1, 5, 1, 1, 1, bucket, *grams, 100, 1e-4)
    number = len(words) if said_words is None else said_words
    dictionary = struct.pack("<3iqq", number, number, 0, 9, pruned)
    entries = b"".join(word.encode() + b"\0" + struct.pack("<qb", 1, 0) for word in words)
    rows = len(words) + bucket if rows is None else rows
    matrix = struct.pack("<?2q", False, rows, dim) + bytes(4 * dim * (len(words) + bucket))
    whole = struct.pack("<2i", MAGIC, 12) + settings + dictionary + entries + matrix
    return whole[: len(whole) - cut]


def said(tmp_path, content):
    path = tmp_path / "0.bin"
    path.write_bytes(content)
    with pytest.raises(DataError, match="Reading it") as caught:
        check_fasttext(path, "Reading it")
    return caught.value.found


def test_a_whole_model_passes(tmp_path):
    path = tmp_path / "0.bin"
    for content in (model(), model(bucket=3), model(grams=(0, 0))):
        path.write_bytes(content)
        check_fasttext(path, "Reading it")


@pytest.mark.parametrize(
    ("made", "found"),
    [
        ({"said_words": 2**31 - 1}, "2147483647 words"),
        ({"said_words": -1}, "-1 words"),
        ({"said_words": 3}, "vectors|within word"),
        ({"dim": 0}, "of 0 numbers"),
        ({"rows": 2**62}, "4611686018427387904 vectors"),
        ({"rows": 1}, "1 vectors"),
        ({"bucket": 2, "rows": 9}, "9 vectors"),
        ({"cut": 4}, "2 vectors of 2 numbers, and 3 numbers follow"),
        ({"pruned": 2**61}, "n-grams were kept"),
        ({"bucket": 1, "grams": (9, 3)}, "9 to 3 characters"),
    ],
)
def test_sizes_that_the_file_does_not_hold_are_refused_before_they_are_taken(tmp_path, made, found):
    import re

    assert re.search(found, said(tmp_path, model(**made)))


def test_what_ends_in_its_head_and_what_is_empty_are_refused(tmp_path):
    for content in (b"", model()[:20], model()[:70]):
        assert "too early" in said(tmp_path, content)


def test_words_without_an_end_are_no_endless_loop(tmp_path):
    # gensim reads on and on where the zero byte behind a word is missing.
    head = model()[: 8 + 56 + 12 + 16]
    assert "ends within word 1 of its 2" in said(tmp_path, head + b"x" * 400)
