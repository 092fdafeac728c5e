"""Small images and vision checkpoints that several test files share."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from slant.types import NO, YES, Example, Fold, Item

WORDS = ("the", "council", "met", "in", "north", "rain", "road", "bridge", "school", "budget")


def save_image(path: Path, colour, size=(24, 16)) -> Path:
    """One colour, with a black bar, whose width differs from size to size."""
    pixels = np.full((size[1], size[0], 3), colour, dtype=np.uint8)
    pixels[:, : size[0] // 4] = 0
    Image.fromarray(pixels).save(path)
    return path


def pictured(folder: Path, n: int, start=0, images=True):
    """Every second item has a reddish image and is biased; the texts are the same in both kinds."""
    made = []
    for i in range(start, start + n):
        colour = (200 + i % 40, 30, 30) if i % 2 == 0 else (30, 30, 200 + i % 40)
        path = save_image(folder / f"{i:03}.png", colour) if images else None
        text = " ".join(WORDS[(i // 2 * k + k) % 10] for k in range(1, 7))
        made.append(Example(Item(f"{i:03}", text, path and str(path)), (YES, NO)[i % 2]))
    return made


def pictured_fold(folder: Path, train=16, dev=8, test=8):
    made = pictured(folder, train + dev + test)
    return Fold(made[:train], made[train : train + dev], [e.item for e in made[train + dev :]])


SMALL = {
    "hidden_size": 16,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 16,
}


def save_tiny_vision(folder: Path, kind: str, processor=True) -> Path:
    """A randomly initialised ViT, CLIP or ResNet that reads 32 by 32 pixels."""
    import torch
    import transformers

    seen = {**SMALL, "image_size": 32, "patch_size": 16}
    if kind == "vit":
        config = transformers.ViTConfig(**seen)
    elif kind == "clip":
        text = {**SMALL, "vocab_size": 50, "bos_token_id": 1, "eos_token_id": 2}
        config = transformers.CLIPConfig(text_config=text, vision_config=seen, projection_dim=8)
    else:
        config = transformers.ResNetConfig(embedding_size=8, hidden_sizes=[8, 12], depths=[1, 1])
    with torch.random.fork_rng():
        torch.manual_seed(3)
        transformers.AutoModel.from_config(config).save_pretrained(folder)
    if processor:
        made = transformers.ViTImageProcessorPil(size={"height": 32, "width": 32})
        made.save_pretrained(folder)
    return folder
