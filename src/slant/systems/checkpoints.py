"""Checkpoints of encoders: a name or folder -> a tokenizer and a model with a head of two classes.

Weights are read from safetensors alone, and no code that a checkpoint brings is run.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from slant.data.hashes import fingerprint_of, read_sha256
from slant.errors import DataError, OptionError, SlantError, unknown_name
from slant.systems.batches import longest_window
from slant.systems.encoder import minilm_folder, require_encoders
from slant.systems.foreigncode import check_code, needs_code
from slant.systems.heads import FRESH, Rows, fresh_heads, two_classes
from slant.systems.hub import hub_folder
from slant.systems.memory import within_memory


class Named(NamedTuple):
    """A short name: the hub's name (empty: a package carries it), and the learning rate."""

    hub: str
    lr: float = 5e-5


CHECKPOINTS: dict[str, Named] = {
    "minilm": Named("", 1e-4),
    "bge-small": Named("", 1e-4),
    "bert": Named("google-bert/bert-base-uncased"),
    "convbert": Named("YituTech/conv-bert-base"),
    "bart": Named("facebook/bart-base"),
    "twitter-roberta": Named("cardiffnlp/twitter-roberta-base"),
    "electra": Named("google/electra-base-discriminator"),
    "gpt2": Named("openai-community/gpt2"),
    "roberta": Named("FacebookAI/roberta-base"),
    "deberta": Named("microsoft/deberta-v3-base", 2e-5),
    "modernbert": Named("answerdotai/ModernBERT-base"),
    "distilbert": Named("distilbert/distilbert-base-uncased"),
}
"""Short names. The paper's five are convbert, bart, twitter-roberta, electra, gpt2."""
PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".h5", ".msgpack")
WANTED = ("*.json", "*.safetensors", "*.txt", "*.model")
NEEDED = {  # beside weights, by how the names of its files begin
    "tokenizer": ("tokenizer.", "vocab.", "spiece", "sentencepiece", "spm"),
    "image processor": ("preprocessor_config.", "processor_config.", "image_processor"),
}


@dataclass(frozen=True, slots=True)
class Encoder:
    """A checkpoint in memory.

    Fields:
        name, folder, fingerprint: which; the fingerprint is over its files.
        tokenizer: a fast tokenizer of transformers that has a padding token.
        model: a sequence classifier, for each head two classes, 1 = biased, in float32.
        limit: tokens that it can read at once, special ones included.
    """

    name: str
    folder: Path
    fingerprint: str
    tokenizer: Any
    model: Any
    limit: int


@contextmanager
def quiet_transformers() -> Iterator[None]:
    """No progress bars and no advice on standard error; both as before afterwards."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from transformers.utils import logging as untyped

    logging: Any = untyped
    level, bar = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bar:
            logging.enable_progress_bar()


def default_lr(name: str) -> float:
    """The learning rate if none is given: 1e-4 for the small ones, 2e-5 for deberta, else 5e-5.

    >>> default_lr("minilm"), default_lr("my/folder")
    (0.0001, 5e-05)
    """
    return CHECKPOINTS.get(name, Named("")).lr


def checkpoint_folder(name: str, needs: str = "tokenizer") -> Path:
    """The folder of a checkpoint; one of the hub is downloaded into the hub's own cache first.

    Args:
        name: a short name, a folder, or a name of the hub (`owner/name`).
        needs: a key of `NEEDED`.

    Returns:
        A folder in the Hugging Face format whose weights are safetensors.

    Raises:
        UnknownName: nobody knows it. DataError: the folder is not as it must be. WorkFailed: the
            hub cannot be reached. MissingExtra: the package that carries it is not installed.
    """
    if name == "minilm":
        require_encoders("encoder:minilm")
        return minilm_folder()
    if name == "bge-small":
        from slant.systems.bge import bge_folder

        return bge_folder()
    if name in CHECKPOINTS:
        return checked_folder(hub_folder(CHECKPOINTS[name].hub, WANTED), name)
    path = Path(name).expanduser()
    if path.is_dir():
        return checked_folder(path, name, needs)
    if path.exists():
        do = "Give the folder that holds config.json and model.safetensors"
        raise DataError(f"Loading the checkpoint '{name}'", "it is a file", do)
    beside = [one.parent.name for one in path.parent.glob("*/config.json")]
    if beside and path.parent != Path():
        raise unknown_name(f"checkpoint in the folder {path.parent}", path.name, beside)
    if re.fullmatch(r"[\w-][\w.-]*/[\w.-]+", name):
        return checked_folder(hub_folder(name, WANTED), name, needs)
    if "/" in name or os.sep in name:
        found = "there is no such folder, and a name of the hub has one slash, owner/name"
        raise OptionError(f"Loading the checkpoint '{name}'", found, "Check the path")
    raise unknown_name("checkpoint", name, CHECKPOINTS)


def checked_folder(folder: Path, name: str, needs: str = "tokenizer") -> Path:
    """The folder, if it holds what a checkpoint needs.

    Raises:
        DataError: no configuration, no weights, weights as pickles alone, not what it `needs`, or
            what asks for code (see `foreigncode`).
    """
    asked = f"Loading the checkpoint '{name}'"
    files = sorted(path.name for path in folder.iterdir() if path.is_file())
    if "config.json" not in files:
        has = f"has no config.json, only {', '.join(files[:5])}" if files else "is empty"
        found = f"its folder {has}"
        raise DataError(asked, found, "Give the folder that `save_pretrained` wrote")
    if not any(file.endswith(".safetensors") for file in files):
        pickles = [file for file in files if file.endswith(PICKLES)]
        if pickles:
            found = f"its weights are {pickles[0]}, which may run code when it is read"
            do = "Have its owner save them as safetensors, or choose another checkpoint"
            raise DataError(asked, found, do)
        do = "Give a folder with model.safetensors"
        raise DataError(asked, "its folder has no weights", do)
    if not any(file.startswith(NEEDED[needs]) for file in files):
        do = f"Save its {needs} into the same folder"
        raise DataError(asked, f"its folder has no {needs}", do)
    check_code(folder, asked)
    return folder


def checkpoint_fingerprint(name: str, needs: str = "tokenizer") -> str:
    """A hash of all files of a checkpoint that decide what it says: 64 hex digits."""
    folder = checkpoint_folder(name, needs)
    files = sorted(path for pattern in WANTED for path in folder.glob(pattern))
    return fingerprint_of((path.name, read_sha256(path)) for path in files)


def short_fingerprint(name: str) -> str:
    """The first 8 digits of the checkpoint's fingerprint, for a system's name."""
    return checkpoint_fingerprint(name)[:8]


def load_encoder(
    name: str, seed: int, attention: str | None = None, heads: int = 1, own: Rows | None = None
) -> Encoder:
    """A checkpoint with its tokenizer and heads of two classes.

    A head that the checkpoint lacks, or has for another number of classes, is drawn from the seed;
    the caller's random state is left as it was. A tokenizer without a padding token (GPT-2) pads
    with its end-of-text token.

    Args:
        name: as for `checkpoint_folder`.
        seed: of the head.
        attention: "eager" where attention weights are wanted, else the fastest it has.
        heads: how many; head k reads the logits 2k and 2k + 1.
        own: rows of the checkpoint's own head, which are its two classes then; nothing is drawn.

    Returns:
        The encoder, in float32 on the processor.

    Raises:
        SlantError: see `checkpoint_folder`; or its files are broken, or do not belong together.
    """
    require_encoders(f"encoder:{name}", ("torch", "transformers", "accelerate"))
    folder = checkpoint_folder(name)
    asked = f"Loading the checkpoint '{name}'"
    try:
        with quiet_transformers(), within_memory(asked):
            tokenizer, model, lacking = _loaded(folder, seed, attention, heads, own)
    except SlantError:
        raise
    # Configuration, tokenizer and weights each fail in their own library's way.
    except Exception as why:
        own_code = "it needs code of its own, which is not run"
        found = own_code if needs_code(folder) else _first_line(why)
        raise DataError(asked, found, "Give a checkpoint that transformers knows") from why
    if lacking:
        found = f"its weights lack {len(lacking)} tensors of the model, the first '{lacking[0]}'"
        do = "Give the weights that belong to its config.json"
        raise DataError(asked, found, do if own is None else f"{do}, with a classifier's head")
    _pad(tokenizer, model, asked)
    entries = model.get_input_embeddings().num_embeddings
    largest = max(tokenizer.get_vocab().values(), default=-1)
    if largest >= entries or largest < 1:
        found = f"its tokenizer gives ids up to {largest}, its model has {entries} embeddings"
        raise DataError(asked, found, "Give the tokenizer that the model was trained with")
    limit = longest_window(model.config)
    return Encoder(name, folder, checkpoint_fingerprint(name), tokenizer, model, limit)


def _loaded(
    folder: Path, seed: int, attention: str | None, heads: int, own: Rows | None
) -> tuple[Any, Any, list[str]]:
    import torch
    from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer

    there: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    untyped: Any = AutoTokenizer
    # "</s>" in a text is text: it must not end the sequence.
    tokenizer: Any = untyped.from_pretrained(str(folder), split_special_tokens=True, **there)
    config = AutoConfig.from_pretrained(str(folder), **there)
    if own is None:
        fresh_heads(config, heads)
    there |= {"attn_implementation": attention} if attention else {}
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model, info = AutoModelForSequenceClassification.from_pretrained(
            str(folder),
            config=config,
            use_safetensors=True,
            dtype=torch.float32,
            ignore_mismatched_sizes=True,
            output_loading_info=True,
            **there,
        )
    odd = {*info["missing_keys"], *(_key(one) for one in info["mismatched_keys"])}
    if own is not None:
        if not odd:
            two_classes(model, own)
        return tokenizer, model, sorted(odd)
    inner = f"{model.base_model_prefix}."
    lacking = sorted(key for key in odd if not key.removeprefix(inner).startswith(FRESH))
    return tokenizer, model, lacking


def _key(mismatch: Any) -> str:
    return str(mismatch if isinstance(mismatch, str) else mismatch[0])


def _pad(tokenizer: Any, model: Any, asked: str) -> None:
    if tokenizer.pad_token_id is None:
        if tokenizer.eos_token_id is None:
            found = "its tokenizer has neither a padding nor an end-of-text token"
            raise DataError(asked, found, "Set pad_token in its tokenizer_config.json")
        tokenizer.pad_token = tokenizer.eos_token
    model.config.pad_token_id = tokenizer.pad_token_id


def _first_line(why: BaseException) -> str:
    lines = str(why).strip().splitlines()
    return f"{type(why).__name__}: {lines[0][:160]}" if lines else type(why).__name__


def code_fingerprint(*facts: object) -> str:
    """A hash of facts and of the libraries' versions and processor that bits depend on."""
    from importlib.metadata import version

    import torch

    known = [f"{name} {version(name)}" for name in ("torch", "transformers", "tokenizers")]
    known += [torch.backends.cpu.get_cpu_capability(), str(torch.cuda.is_available())]
    return sha256(json.dumps([*known, *map(str, facts)]).encode()).hexdigest()
