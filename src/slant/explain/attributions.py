"""Scores of tokens: what they belong to, and which of the model's outputs they explain."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from slant.errors import OptionError, unknown_name
from slant.explain.families import family_of
from slant.explain.hooks import Bools, head_logits, readout_states
from slant.systems.batches import Frame, Tokens, frame_of
from slant.systems.checkpoints import Encoder
from slant.types import Floats

Choice = str | int | float


@dataclass(frozen=True, slots=True)
class Attribution:
    """How much each token of a text counts for what a model says.

    Fields:
        tokens: (t,) ids, special ones included.
        scores: (t,) one for each token, in the method's own units.
        special: (t,) which tokens the tokenizer put around the text.
        method: its name in `methods.METHODS`.
        choices: what else the scores depend on, by name.
    """

    tokens: Tokens
    scores: Floats
    special: Bools
    method: str
    choices: Mapping[str, Choice]


def special_places(frame: Frame, length: int) -> Bools:
    """Which of `length` tokens are the tokenizer's own before and behind the text.

    >>> special_places(Frame((1,), (2,)), 4).tolist()
    [True, False, False, True]
    """
    places = np.zeros(length, dtype=bool)
    places[: len(frame.before)] = True
    places[length - len(frame.behind) :] = True
    return places


def attribution(
    encoder: Encoder, tokens: Tokens, scores: Any, method: str, choices: Mapping[str, Choice]
) -> Attribution:
    """An Attribution of one text, from scores of any float type."""
    special = special_places(frame_of(encoder.tokenizer), len(tokens))
    own = np.asarray(scores, dtype=np.float64)
    return Attribution(np.asarray(tokens, dtype=np.int32), own, special, method, choices)


def class_logits(model: Any, ids: Any, mask: Any) -> Any:
    """The logits (n, 2) of a sequence classifier's first head.

    GPT-2 and BART are read out at the last position that `mask` has, as of the text as it is; see
    `hooks.readout_rows`.
    """
    if family_of(model).readout == "last":
        return head_logits(model, readout_states(model, ids, mask))[:, :2]
    return model(input_ids=ids, attention_mask=mask).logits[:, :2]


TARGETS = ("predicted", "biased", "difference")
"""Which logit is explained: that of the class that the model predicts for the text as it is, that
of "biased", or that of "biased" less that of "non-biased"."""


def target_of(logits: Any, target: str) -> Callable[[Any], Any]:
    """The function of logits that is explained, fixed by those of one text as it is.

    Args:
        logits: (1, 2), of the text.
        target: one of `TARGETS`.

    Returns:
        (n, 2) logits of versions of the text -> (n,).

    Raises:
        UnknownName: there is no such target.
    """
    if target not in TARGETS:
        raise unknown_name("target", target, TARGETS)
    if target == "difference":
        return lambda found: found[:, 1] - found[:, 0]
    label = 1 if target == "biased" else int(logits[0].argmax())
    return lambda found: found[:, label]


FILLERS = ("mask", "unknown", "pad")


def filler_of(tokenizer: Any, filler: str) -> tuple[str, int]:
    """The name and the id of the token that stands for a word taken out.

    Args:
        tokenizer: of transformers.
        filler: one of `FILLERS`, or "auto" for the first of them that the tokenizer has.

    Raises:
        UnknownName: there is no such filler. OptionError: the tokenizer has no such token.
    """
    ids = {
        "mask": tokenizer.mask_token_id,
        "unknown": tokenizer.unk_token_id,
        "pad": tokenizer.pad_token_id,
    }
    if filler == "auto":
        filler = next(name for name, number in ids.items() if number is not None)
    if filler not in ids:
        raise unknown_name("filler", filler, (*FILLERS, "auto"))
    number = ids[filler]
    if number is None:
        there = ", ".join(name for name, one in ids.items() if one is not None)
        found = f"its tokenizer has no {filler} token"
        raise OptionError(f"Taking words out by filler={filler}", found, f"Choose {there}")
    return filler, int(number)


def embedding_modules(model: Any) -> list[Any]:
    """The modules that look tokens up: one, or BART's for the encoder and for the decoder."""
    if model.config.model_type == "bart":
        return [model.base_model.encoder.embed_tokens, model.base_model.decoder.embed_tokens]
    return [model.get_input_embeddings()]


@contextmanager
def vectors_given(model: Any, vectors: Any) -> Iterator[None]:
    """Forward passes inside read these vectors for the tokens, positions still added.

    BART's decoder, which is given the text moved on by one, reads the same vectors.

    Args:
        model: a sequence classifier.
        vectors: (n, t, d) in place of what the embedding looks up.
    """
    import torch

    def first(module: Any, given: Any, out: Any) -> Any:
        return vectors

    def moved(module: Any, given: Any, out: Any) -> Any:
        return torch.cat([out[:, :1], vectors[:, :-1]], 1)

    with ExitStack() as hooks:
        for module, hook in zip(embedding_modules(model), (first, moved), strict=False):
            hooks.enter_context(module.register_forward_hook(hook))
        yield


def looked_up(model: Any, ids: Any) -> Any:
    """The vectors (n, t, d) that the embedding has for tokens, positions not yet added."""
    return embedding_modules(model)[0](ids)


def single(tokens: Sequence[int] | Tokens) -> tuple[Any, Any]:
    """The ids and attention mask, each (1, t), of one text."""
    import torch

    ids = torch.from_numpy(np.asarray(tokens, dtype=np.int64)[None])
    return ids, torch.ones_like(ids)
