"""Vision and CLIP models of the Hugging Face hub as encoders of images.

Weights are read from safetensors alone, and no code that a checkpoint brings is run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from slant.errors import DataError, SlantError
from slant.systems.checkpoints import checkpoint_folder, quiet_transformers
from slant.systems.encoder import require_encoders
from slant.systems.memory import within_memory

if TYPE_CHECKING:
    from PIL.Image import Image

PROCESSOR = "image processor"


@dataclass(frozen=True, slots=True)
class Vision:
    """A vision model in memory.

    Fields:
        name: of the hub, or its folder.
        processor: turns an image into the pixels that the model was trained on.
        model: in float32 on the processor.
        joint: whether it has a space that images and texts share, as CLIP and SigLIP have.
    """

    name: str
    processor: Any
    model: Any
    joint: bool


def load_vision(name: str) -> Vision:
    """A vision or CLIP model with its image processor.

    Args:
        name: a folder, or a name of the hub.

    Raises:
        SlantError: see `checkpoints.checkpoint_folder`; it reads no images, its files are broken,
            do not belong together, or need code of their own.
    """
    asked = f"Loading the image encoder '{name}'"
    require_encoders(f"the image encoder '{name}'", ("torch", "transformers"))
    folder = str(checkpoint_folder(name, PROCESSOR))
    try:
        with quiet_transformers(), within_memory(asked):
            processor, model, info = _loaded(folder)
    except SlantError:
        raise
    # Configuration, processor and weights each fail in their own library's way.
    except Exception as why:
        found = f"{type(why).__name__}: {(str(why).strip() or 'no more is said').splitlines()[0]}"
        do = "Give a vision or CLIP model that transformers knows"
        raise DataError(asked, found[:200], do) from why
    joint = hasattr(model, "get_image_features")
    if not joint and getattr(model, "main_input_name", "") != "pixel_values":
        do = "Give a vision or CLIP model"
        raise DataError(asked, f"a {type(model).__name__} reads no images", do)
    odd = {*info["missing_keys"], *(str(one[0]) for one in info["mismatched_keys"])}
    lacking = sorted(key for key in odd if joint or "pooler" not in key)
    if lacking:
        found = f"its weights lack {len(lacking)} tensors of the model, the first '{lacking[0]}'"
        raise DataError(asked, found, "Give the weights that belong to its config.json")
    return Vision(name, processor, model.float().eval(), joint)


def _loaded(folder: str) -> tuple[Any, Any, dict[str, Any]]:
    from transformers import AutoImageProcessor, AutoModel

    there: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    untyped: Any = AutoImageProcessor
    processor = untyped.from_pretrained(folder, **there)
    model, info = AutoModel.from_pretrained(
        folder, use_safetensors=True, output_loading_info=True, **there
    )
    return processor, model, info


def vision_vector(vision: Vision, image: Image) -> NDArray[np.float32]:
    """The vector of one image.

    Of a model with a joint space, the image's features in it; of another one the mean of the last
    hidden states over their places. (A pooler is not used: many checkpoints come without one.)

    Args:
        vision: the model.
        image: in RGB.

    Returns:
        (d,) float32.

    Raises:
        DataError: the model does not take what its processor makes, or gives no finite vector.
    """
    import torch

    try:
        with torch.inference_mode(), quiet_transformers():
            pixels = vision.processor(images=[image], return_tensors="pt")["pixel_values"]
            if vision.joint:
                made = vision.model.get_image_features(pixel_values=pixels)
                vector = getattr(made, "pooler_output", made)[0]
            else:
                hidden = vision.model(pixel_values=pixels).last_hidden_state[0]
                # (places, d) of a transformer, (d, height, width) of a convolutional network.
                vector = hidden.mean(0) if hidden.ndim == 2 else hidden.mean((1, 2))
            values: NDArray[np.float32] = vector.float().numpy()
    except (RuntimeError, ValueError, TypeError, KeyError, AttributeError) as why:
        found = f"{type(why).__name__}: {str(why).strip().splitlines()[0][:160]}"
        do = "Give the image processor that belongs to the model"
        raise DataError(f"Reading an image with '{vision.name}'", found, do) from why
    if values.ndim != 1 or not np.isfinite(values).all():
        found = "its vector is not one row of finite numbers"
        raise DataError(f"Reading an image with '{vision.name}'", found, "Give another model")
    return values
