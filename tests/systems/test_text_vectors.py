import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")

from slant.systems.checkpoints import load_encoder  # noqa: E402
from slant.systems.textvectors import checkpoint_vectors  # noqa: E402

SHORT = "the corrupt regime lied ."
LONG = "the council met on monday . rain in the north . " * 12


def hidden(model, ids):
    with torch.inference_mode():
        return model.model.base_model(input_ids=torch.tensor([ids])).last_hidden_state[0].numpy()


@pytest.mark.parametrize("kind", ["bert", "gpt2", "bart"])
def test_a_vector_is_the_mean_of_the_last_layer_over_the_tokens(kind, tiny_folders):
    model = load_encoder(str(tiny_folders(kind)), 0)
    model.model.eval()
    got = checkpoint_vectors(model, [SHORT], 64)
    states = hidden(model, model.tokenizer(SHORT)["input_ids"])
    assert got.shape == (1, 32)
    assert got[0] == pytest.approx(states.mean(0), abs=1e-5)


def test_a_long_text_is_the_mean_over_all_tokens_of_its_windows(tiny_folders):
    from slant.systems.batches import tokenised

    model = load_encoder(str(tiny_folders("bert")), 0)
    model.model.eval()
    (text,) = tokenised([LONG], model.tokenizer, model.fingerprint, 32, "window")
    assert len(text.windows) > 2
    states = np.concatenate([hidden(model, window.tolist()) for window in text.windows])
    assert checkpoint_vectors(model, [LONG], 32)[0] == pytest.approx(states.mean(0), abs=1e-5)


def test_a_vector_depends_on_its_text_alone_to_the_bit(tiny_folders, tmp_path, monkeypatch):
    model = load_encoder(str(tiny_folders("bert")), 0)
    texts = [SHORT, LONG, "", "rain", SHORT, *(f"rain {'north ' * k}" for k in range(40))]
    together = checkpoint_vectors(model, texts, 64)
    monkeypatch.setenv("SLANT_CACHE", str(tmp_path / "other"))
    alone = np.stack([checkpoint_vectors(model, [text], 64)[0] for text in texts])
    assert (together == alone).all()
    assert np.isfinite(together).all()


def test_the_seed_of_a_head_changes_no_vector(tiny_folders, tmp_path, monkeypatch):
    one = checkpoint_vectors(load_encoder(str(tiny_folders("bert")), 1), [SHORT], 64)
    monkeypatch.setenv("SLANT_CACHE", str(tmp_path / "other"))
    two = checkpoint_vectors(load_encoder(str(tiny_folders("bert")), 2), [SHORT], 64)
    assert (one == two).all()


def test_kept_vectors_are_not_computed_again(tiny_folders, monkeypatch):
    model = load_encoder(str(tiny_folders("bert")), 0)
    first = checkpoint_vectors(model, [SHORT, LONG], 64)
    monkeypatch.setattr("slant.systems.textvectors._encoded", None)
    assert (checkpoint_vectors(model, [LONG, SHORT], 64)[::-1] == first).all()
