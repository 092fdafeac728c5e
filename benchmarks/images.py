"""Vectors of images one at a time against batches, and what the store saves, on one thread.

    python benchmarks/images.py [--images 64] [--least 0.8] [--least-kept 20]

EfficientNet-Lite0 on drawn images of 640 by 480 pixels: `image_vectors` encodes each by itself.
The peers are the same network in batches of 8 and 16, the folded one and one of torch's own
modules whose normalisations stand apart; all read and prepare the same files. Without the package
of weights they are random. Seconds are the processor's; sides take turns, the best of each counts.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from ratios import say_ratio
from slant.data.images import upright_image
from slant.systems import efficientnet, imagevectors
from slant.systems.encoder import one_thread


def seconds_of(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    made = work()
    return time.process_time() - start, made


def drawn(folder: Path, n: int) -> list[str]:
    """Smooth coloured noise, as JPEG, no two alike."""
    stream = np.random.default_rng(3)
    files = []
    for number in range(n):
        small = Image.fromarray(stream.integers(0, 256, (24, 32, 3), dtype=np.uint8))
        file = folder / f"{number:04}.jpg"
        small.resize((640, 480), Image.Resampling.BICUBIC).save(file, quality=90)
        files.append(str(file))
    return files


def prepared(files: list[str]) -> Any:
    return np.stack([efficientnet.pixels_of(upright_image(Path(one), 1024)) for one in files])


def in_batches(read: Callable[[Any], Any], files: list[str], size: int) -> Any:
    parts = [files[start : start + size] for start in range(0, len(files), size)]
    with one_thread():
        return np.concatenate([read(prepared(part)) for part in parts])


def unfolded(net: Any) -> Callable[[Any], Any]:
    """The network with a normalisation that changes nothing behind each convolution."""
    import torch
    from torch.nn import functional

    def read(pixels: Any) -> Any:
        with torch.inference_mode():
            x = torch.from_numpy(pixels)
            for block in net:
                y = x
                for one in block.layers:
                    side, kernel = y.shape[-1], one.weight.shape[-1]
                    total = max((-(-side // one.stride) - 1) * one.stride + kernel - side, 0)
                    left, right = total // 2, total - total // 2
                    y = functional.pad(y, (left, right, left, right))
                    y = functional.conv2d(y, one.weight, None, one.stride, 0, 1, one.groups)
                    still = torch.zeros(len(one.bias))
                    y = functional.batch_norm(y, still, still + 1, still + 1, one.bias, eps=0)
                    y = functional.relu6(y) if one.bounded else y
                x = x + y if block.skips else y
            return x.mean((2, 3)).numpy()

    return read


def random_tensors() -> dict[str, Any]:
    """Tensors of the network's names and shapes, as they are before training."""
    import torch

    widths = (16, 24, 24, 40, 40, 80, 80, 80, 112, 112, 112, 192, 192, 192, 192, 320)
    kernels = (3, 3, 3, 5, 5, 3, 3, 3, 5, 5, 5, 5, 5, 5, 5, 3)
    stream = torch.Generator().manual_seed(3)
    made: dict[str, Any] = {}

    def add(weight: str, norm: str, *shape: int) -> None:
        scale = (2 / np.prod(shape[1:])) ** 0.5
        made[f"{weight}.weight"] = torch.randn(shape, generator=stream) * scale
        ones = torch.ones(shape[0])
        for part, value in (("weight", 1), ("running_var", 1), ("bias", 0), ("running_mean", 0)):
            made[f"{norm}.{part}"] = ones * value

    add("_conv_stem", "_bn0", 32, 3, 3, 3)
    inside = 32
    for number, (outside, kernel) in enumerate(zip(widths, kernels, strict=True)):
        name, wide = f"_blocks.{number}", inside * (6 if number else 1)
        if number:
            add(f"{name}._expand_conv", f"{name}._bn0", wide, inside, 1, 1)
        add(f"{name}._depthwise_conv", f"{name}._bn1", wide, 1, kernel, kernel)
        add(f"{name}._project_conv", f"{name}._bn2", outside, wide, 1, 1)
        inside = outside
    add("_conv_head", "_bn1", 1280, 320, 1, 1)
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=64)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--least", type=float, default=0.8)
    parser.add_argument("--least-kept", type=float, default=20.0)
    asked = parser.parse_args()
    try:
        net = efficientnet.load_efficientnet()
        fingerprint = efficientnet.weights_fingerprint()
    except Exception as why:
        print(f"  random weights ({why})", flush=True)
        net, fingerprint = efficientnet.network(random_tensors()), "random"

    def load() -> Callable[[Path], Any]:
        return lambda file: efficientnet.pooled_features(net, prepared([str(file)]))[0]

    encoder = imagevectors.ImageEncoder("efficientnet", fingerprint, True, load)
    plain = unfolded(net)
    times: dict[str, list[float]] = {}
    vectors: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as name:
        files = drawn(Path(name), asked.images)
        for repeat in range(asked.repeats):
            os.environ["SLANT_CACHE"] = str(Path(name) / f"store{repeat}")
            for side, work in {
                "one at a time, kept": lambda: imagevectors.image_vectors(encoder, files),
                "from the store": lambda: imagevectors.image_vectors(encoder, files),
                "batches of 8": lambda: in_batches(
                    lambda pixels: efficientnet.pooled_features(net, pixels), files, 8
                ),
                "batches of 16": lambda: in_batches(
                    lambda pixels: efficientnet.pooled_features(net, pixels), files, 16
                ),
                "unfolded, batches of 8": lambda: in_batches(plain, files, 8),
            }.items():
                spent, vectors[side] = seconds_of(work)
                times.setdefault(side, []).append(spent)
    best = {side: min(all_) for side, all_ in times.items()}
    own = best["one at a time, kept"]
    for side, spent in best.items():
        apart = np.abs(vectors[side] - vectors["one at a time, kept"]).max()
        print(f"  {side}: {asked.images / spent:,.1f} images/s, {own / spent:.2f} times one at a "
              f"time, apart by at most {apart:.1e}", flush=True)  # fmt: skip
    missed = []
    quickest = min(best["batches of 8"], best["batches of 16"])
    say_ratio(
        "image vectors, kept one at a time", quickest / own, "batches of 8 or 16", asked.least
    )
    say_ratio(
        "image vectors from the store", own / best["from the store"], "computed", asked.least_kept
    )
    if quickest / own < asked.least:
        missed.append(f"one at a time should be at least {asked.least:g} times batches")
    if own / best["from the store"] < asked.least_kept:
        missed.append(f"the store should be at least {asked.least_kept:g} times quicker")
    if not all(np.allclose(one, vectors["from the store"], atol=1e-3) for one in vectors.values()):
        missed.append("vectors should be equal to 1e-3")
    if missed:
        raise SystemExit("; ".join(missed).capitalize())


if __name__ == "__main__":
    main()
