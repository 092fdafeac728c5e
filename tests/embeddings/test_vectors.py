"""Word vectors of every format, and the vectors of a word set."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import pickle
import struct

import numpy as np
import pytest

from slant.embeddings.vectors import Vectors, found, read_vectors, replica_files
from slant.errors import DataError, RunError

gensim = pytest.importorskip("gensim")
TEXT = "the 1 2\nThe 3 4\nhe 0.5 -1e-3\n"


def made(tmp_path, content, name="some.txt"):
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.fixture
def keyed():
    from gensim.models import KeyedVectors

    held = KeyedVectors(3)
    held.add_vectors(["one", "two", "naïve"], np.arange(9, dtype=np.float32).reshape(3, 3) / 7)
    return held


@pytest.fixture(scope="module")
def trained():
    from gensim.models import FastText

    return FastText(
        [["man", "woman", "king", "queen", "a"]] * 9, vector_size=4, min_count=1, bucket=60,
        epochs=1, workers=1,
    )  # fmt: skip


def same(vectors, held):
    assert list(vectors.rows) == list(held.index_to_key)
    np.testing.assert_array_equal(vectors.matrix, held.vectors)
    assert vectors.matrix.dtype == np.float32


@pytest.mark.parametrize(
    ("name", "header"), [("glove840b_items_shared.txt", b"327 300\n"), ("googlenews_analogy_words.txt", b"")]
)  # fmt: skip
def test_real_text_vectors_are_gensims_to_the_bit(real_data, tmp_path, name, header):
    from gensim.models import KeyedVectors

    path = real_data / "weat" / name
    # Without a header gensim leaves the file open.
    headed = made(tmp_path, header + path.read_bytes())
    same(read_vectors(path), KeyedVectors.load_word2vec_format(headed))


@pytest.mark.parametrize("name", ["lee_fasttext", "crime-and-punishment"])
def test_real_fasttext_models_are_gensims_to_the_bit_with_counts_and_words_outside(real_data, name):
    from gensim.models import KeyedVectors
    from gensim.models.fasttext import load_facebook_vectors

    folder = real_data / "weat" / "corpora"
    held = load_facebook_vectors(str(folder / f"{name}.bin"))
    vectors = read_vectors(folder / f"{name}.bin")
    same(vectors, held)
    np.testing.assert_array_equal(
        vectors.grams("antidemocratic"), held.get_vector("antidemocratic")
    )
    assert vectors.counts[held.index_to_key[0]] == held.get_vecattr(held.index_to_key[0], "count")
    text = folder / f"{name}.vec"
    same(read_vectors(text), KeyedVectors.load_word2vec_format(text))


@pytest.mark.parametrize("binary", [False, True])
def test_word2vec_text_and_binary_are_told_by_content_packed_or_not(tmp_path, keyed, binary):
    path = tmp_path / "vectors.anything"
    keyed.save_word2vec_format(path, binary=binary)
    same(read_vectors(path), keyed)
    packed = made(tmp_path, gzip.compress(path.read_bytes()), "packed.bin")
    same(read_vectors(packed), keyed)


def test_the_word2vec_of_mikolovs_program_ends_each_record_with_a_line_end(tmp_path):
    rows = b"".join(name + b" " + struct.pack("<2f", 1, 2) + b"\n" for name in (b"a", b"b"))
    vectors = read_vectors(made(tmp_path, b"2 2\n" + rows))
    assert vectors.rows == {"a": 0, "b": 1}
    assert vectors.matrix.tolist() == [[1, 2], [1, 2]]


def test_models_that_gensim_saved_are_read_with_arrays_inside_or_beside(tmp_path, keyed, trained):
    keyed.save(str(tmp_path / "one.kv"))
    keyed.save(str(tmp_path / "two.kv"), sep_limit=0)
    trained.save(str(tmp_path / "three.model"))
    same(read_vectors(tmp_path / "one.kv"), keyed)
    same(read_vectors(tmp_path / "two.kv"), keyed)
    vectors = read_vectors(tmp_path / "three.model")
    same(vectors, trained.wv)
    np.testing.assert_array_equal(vectors.grams("kings"), trained.wv.get_vector("kings"))
    assert vectors.counts["king"] == 9
    (tmp_path / "two.kv.vectors.npy").unlink()
    with pytest.raises(DataError, match=r"'two.kv.vectors.npy' is not beside it"):
        read_vectors(tmp_path / "two.kv")


def test_a_pickle_that_runs_a_program_is_not_opened(tmp_path):
    class Evil:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "ran"),)

    with pytest.raises(DataError, match="no model of gensim"):
        read_vectors(made(tmp_path, pickle.dumps(Evil())))
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "it is empty"),
        ("Hello world, this is text\n", "neither a header nor a word with its numbers"),
        ("a 1 2\nb 1\n", "line 2 has 1 numbers where 2 are due"),
        ("a 1 2\nb 1 2 3\n", "line 2 has 3 numbers where 2 are due"),
        ("a 1 2\n\nb 1 2\n", "line 2 is empty"),
        ("a 1 2\nb nan 2\n", "line 2 has 'nan' in column 2, no finite number"),
        ("a 1 2\nb 1 1e99\n", "line 2 has '1e99' in column 3, no finite number"),
        ("a 1 2\nb 1 x\n", "line 2 has 'x' in column 3, no finite number"),
        ("a 1 2\nb 1 2\na 3 4\n", "line 3 has the word 'a' a second time"),
        ("3 2\na 1 2\nb 1 2\n", "it ends at line 3: its header says 3 words, and 2 lines follow"),
        ("1 2\na 1 2\nb 1 2\n", "its header says 1 words, and 2 lines follow"),
        (b"a 1 2\n\xff 1 2\n", "the word of line 2 is not UTF-8"),
        (b"2 2\na \0\0\0\0\0\0\0\0b \0\0", "it ends within word 2 of the 2 of its header"),
        (b"1 1\na \0\0\xc0\x7f", "word 1, 'a', has a number that is not finite"),
        (b"2 1\na \0\0\0\0a \0\0\0\0", "word 2, 'a', stands a second time"),
        (b"1 1\na \0\0\0\0more", "more follows after the 1 words of its header"),
    ],
)
def test_a_damaged_file_is_one_sentence_that_names_file_and_line(tmp_path, content, words):
    path = made(tmp_path, content)
    with pytest.raises(DataError) as error:
        read_vectors(path)
    assert f"Reading the vectors '{path}': " in str(error.value)
    assert words in str(error.value)


def test_a_fasttext_model_that_is_cut_is_named(tmp_path, trained):
    from gensim.models.fasttext import save_facebook_model

    save_facebook_model(trained, str(tmp_path / "whole.bin"))
    whole = (tmp_path / "whole.bin").read_bytes()
    for share in (0.02, 0.3, 0.7):
        path = made(tmp_path, whole[: int(len(whole) * share)], "cut.bin")
        with pytest.raises(DataError, match=r"cut\.bin"):
            read_vectors(path)


def test_a_word_of_glove_may_hold_blanks_but_no_numbers(tmp_path):
    assert list(read_vectors(made(tmp_path, "a 1 2\n. . . 3 4\n")).rows) == ["a", ". . ."]


def test_keep_leaves_the_words_asked_in_any_capitalisation(tmp_path, keyed, trained):
    kept = read_vectors(made(tmp_path, TEXT), keep=["THE"])
    assert kept.rows == {"the": 0, "The": 1}
    assert kept.matrix.tolist() == [[1, 2], [3, 4]]
    keyed.save_word2vec_format(tmp_path / "b.bin", binary=True)
    assert list(read_vectors(tmp_path / "b.bin", keep=["Two"]).rows) == ["two"]
    trained.wv.save(str(tmp_path / "m.kv"))
    vectors = read_vectors(tmp_path / "m.kv", keep=["queen", "none"])
    np.testing.assert_array_equal(
        vectors.matrix, trained.wv.vectors[[trained.wv.key_to_index["queen"]]]
    )


def test_keep_bounds_the_memory_that_a_large_text_takes(tmp_path):
    import tracemalloc

    with (tmp_path / "large.txt").open("w") as file:
        numbers = " 0.125" * 100
        file.writelines(f"w{number}{numbers}\n" for number in range(12_000))
    tracemalloc.start()
    vectors = read_vectors(tmp_path / "large.txt", keep=["w7", "w11999"])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert list(vectors.rows) == ["w7", "w11999"]
    # The file has 7.3 MB, and all its vectors would be 12,000 x 100 x 4 = 4.8 MB.
    assert peak < 1_000_000


def vectors_of(words, counts=None, grams=None):
    matrix = np.arange(2 * len(words), dtype=np.float32).reshape(-1, 2)
    rows = {word: row for row, word in enumerate(words)}
    return Vectors("v", rows, matrix, grams, counts)


@pytest.mark.parametrize(
    ("case", "rows", "missing"),
    [("exact", {"us": 1}, ("May", "apple")), ("lower", {"us": 1, "May": 0}, ("apple",)),
     ("any", {"us": 1, "May": 0, "apple": 2}, ())],
)  # fmt: skip
def test_the_case_rule_says_which_word_is_meant(case, rows, missing):
    vectors = vectors_of(["may", "us", "APPLE", "Apple"])
    one = found(vectors, ["us", "May", "apple", "us"], case=case)
    assert dict(zip(one.words, one.matrix[:, 0] / 2, strict=True)) == rows
    assert one.missing == missing
    assert one.matrix.dtype == np.float64


def test_of_several_capitalisations_the_most_frequent_is_taken():
    vectors = vectors_of(["APPLE", "Apple"], {"APPLE": 3, "Apple": 9})
    assert found(vectors, ["apple"], case="any").matrix.tolist() == [[2, 3]]


def test_a_word_outside_is_missing_or_made_of_its_n_grams(tmp_path, trained):
    trained.wv.save(str(tmp_path / "m.kv"))
    vectors = read_vectors(tmp_path / "m.kv")
    dropped = found(vectors, ["king", "kings"])
    assert (dropped.words, dropped.missing, dropped.by_grams) == (("king",), ("kings",), ())
    # The empty word, "<>", has no n-gram of three characters.
    by_grams = found(vectors, ["kings", "king", ""], outside="grams")
    assert (by_grams.words, by_grams.missing) == (("kings", "king"), ("",))
    assert by_grams.by_grams == ("kings",)
    np.testing.assert_array_equal(by_grams.matrix[0], trained.wv.get_vector("kings"))
    without = found(vectors_of(["a"]), ["b"], outside="grams")
    assert (without.words, without.missing, without.matrix.shape) == ((), ("b",), (0, 2))


def test_a_missing_replica_is_named(tmp_path):
    with pytest.raises(RunError, match=r"it holds no embedding\.json"):
        replica_files(tmp_path)
    (tmp_path / "embedding.json").write_text(json.dumps({"seeds": [0, 1, 2]}))
    for seed in (0, 2):
        (tmp_path / f"{seed}.bin").touch()
    with pytest.raises(RunError, match=r"1 of its 3 replicas are missing \(1\.bin\)"):
        replica_files(tmp_path)
    (tmp_path / "1.bin").touch()
    assert [path.name for path in replica_files(tmp_path)] == ["0.bin", "1.bin", "2.bin"]


def test_a_replica_whose_bytes_are_not_those_that_were_trained_is_named(tmp_path):
    (tmp_path / "0.bin").write_bytes(b"trained")
    kept = hashlib.sha256(b"trained").hexdigest()
    record = {"seeds": [0], "replicas": [{"seed": 0, "sha256": kept}]}
    (tmp_path / "embedding.json").write_text(json.dumps(record))
    assert replica_files(tmp_path) == [tmp_path / "0.bin"]
    (tmp_path / "0.bin").write_bytes(b"trainee")
    with pytest.raises(RunError, match=r"0\.bin': its bytes are not those that were trained"):
        replica_files(tmp_path)
