import json

import numpy as np
import pytest
from drawnimages import save_image, save_tiny_vision
from PIL import Image
from tiny import save_tiny

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")

from slant.errors import DataError  # noqa: E402
from slant.systems.hubvision import load_vision  # noqa: E402
from slant.systems.imagevectors import image_encoder, image_vectors  # noqa: E402


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    return {
        kind: save_tiny_vision(tmp_path_factory.mktemp(kind), kind)
        for kind in ("vit", "clip", "resnet")
    }


def pixels_of(file):
    """32 by 32 by bilinear filtering, from 0..255 to -1..1: the processor's settings by hand."""
    image = Image.open(file).convert("RGB").resize((32, 32), Image.Resampling.BILINEAR)
    return torch.from_numpy(((np.asarray(image, np.float32) / 255 - 0.5) / 0.5).transpose(2, 0, 1))[
        None
    ]


def expected(kind, folder, file):
    from transformers import AutoModel

    model = AutoModel.from_pretrained(folder).eval()
    with torch.inference_mode():
        x = pixels_of(file)
        if kind == "clip":
            return model.visual_projection(model.vision_model(x).pooler_output)[0].numpy()
        hidden = model(x).last_hidden_state[0]
        return hidden.mean(0 if kind == "vit" else (1, 2)).numpy()


@pytest.mark.parametrize(("kind", "width"), [("vit", 16), ("clip", 8), ("resnet", 12)])
def test_a_vector_is_the_mean_of_the_last_states_or_the_place_in_the_joint_space(
    kind, width, folders, tmp_path
):
    file = save_image(tmp_path / "a.png", (200, 60, 20), (40, 30))
    got = image_vectors(image_encoder(str(folders[kind])), [str(file)])
    assert got.shape == (1, width)
    assert got[0] == pytest.approx(expected(kind, folders[kind], file), abs=1e-4)


def test_a_vector_does_not_depend_on_the_images_beside_it(folders, tmp_path, monkeypatch):
    encoder = image_encoder(str(folders["vit"]))
    files = [str(save_image(tmp_path / f"{k}.png", (k, 60, 20))) for k in (20, 120, 220)]
    together = image_vectors(encoder, files)
    for number, file in enumerate(files):
        monkeypatch.setenv("SLANT_CACHE", str(tmp_path / f"own{number}"))
        assert (image_vectors(encoder, [file])[0] == together[number]).all()


def test_a_kept_vector_needs_no_model(folders, tmp_path, monkeypatch):
    encoder = image_encoder(str(folders["clip"]))
    file = str(save_image(tmp_path / "a.png", (9, 60, 20)))
    first = image_vectors(encoder, [file])
    monkeypatch.setattr("slant.systems.hubvision.load_vision", None)
    assert (image_vectors(encoder, [file]) == first).all()


def test_another_checkpoint_has_another_fingerprint(folders):
    prints = {image_encoder(str(folder)).fingerprint for folder in folders.values()}
    assert len(prints) == 3


def test_a_checkpoint_without_a_trained_pooler_loads(tmp_path):
    from transformers import ViTModel

    folder = save_tiny_vision(tmp_path / "own", "vit")
    ViTModel.from_pretrained(folder, add_pooling_layer=False).save_pretrained(folder)
    assert not load_vision(str(folder)).joint


def test_a_folder_without_an_image_processor_says_so(tmp_path):
    folder = save_tiny_vision(tmp_path / "own", "vit", processor=False)
    with pytest.raises(DataError, match="its folder has no image processor"):
        image_encoder(str(folder))


def test_a_text_model_reads_no_images(tmp_path, folders):
    folder = save_tiny(tmp_path / "bert", "bert")
    (folder / "preprocessor_config.json").write_text(
        (folders["vit"] / "preprocessor_config.json").read_text()
    )
    with pytest.raises(DataError, match="a BertModel reads no images"):
        load_vision(str(folder))


def test_broken_files_are_one_clear_error(tmp_path):
    folder = save_tiny_vision(tmp_path / "own", "vit")
    (folder / "model.safetensors").write_bytes(b"broken")
    with pytest.raises(DataError, match="Loading the image encoder"):
        load_vision(str(folder))


def test_weights_of_another_width_are_not_taken(tmp_path):
    folder = save_tiny_vision(tmp_path / "own", "vit")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "num_hidden_layers": 3}))
    with pytest.raises(DataError, match="its weights lack"):
        load_vision(str(folder))


def test_pickled_weights_are_refused(tmp_path):
    folder = save_tiny_vision(tmp_path / "own", "vit")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(DataError, match="may run code"):
        image_encoder(str(folder))


def test_pixels_of_another_size_are_one_clear_error(tmp_path):
    folder = save_tiny_vision(tmp_path / "own", "vit")
    settings = json.loads((folder / "preprocessor_config.json").read_text())
    settings["size"] = {"height": 48, "width": 48}
    (folder / "preprocessor_config.json").write_text(json.dumps(settings))
    file = save_image(tmp_path / "a.png", (9, 60, 20))
    with pytest.raises(DataError, match="Give the image processor that belongs to the model"):
        image_vectors(image_encoder(str(folder)), [str(file)])
