"""Attention supervision: the last layer's CLS row is taught where experts marked a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slant.data.spans import marked
from slant.errors import DataError, OptionError
from slant.systems.batches import Text, frame_of, padded
from slant.systems.checkpoints import Encoder
from slant.types import Example, Floats, Span

Marked = tuple[NDArray[np.bool_], ...]
"""Per window of a text, per token: whether it is marked; special tokens are not."""
FIRST = ("bert", "roberta", "electra", "convbert", "distilbert", "deberta", "deberta-v2", "mpnet",
         "modernbert", "xlm-roberta", "camembert")  # fmt: skip
"""Types of models that are read out at their first token, whose attention is then the text's."""


def check_attention(encoder: Encoder) -> None:
    """Refuse a checkpoint that returns no attention weights, whose readout is not its first token,
    or whose tokens have no offsets.

    Raises:
        OptionError: naming what it is.
    """
    kind = encoder.model.config.model_type
    asked = f"Teaching encoder:{encoder.name} where to attend"
    if not _attends(encoder):
        found = f"its model, {kind}, returns no attention weights"
        raise OptionError(asked, found, "Set attention_lambda=0, or give a checkpoint of BERT")
    if kind not in FIRST:
        do = "Set attention_lambda=0, or give BERT, RoBERTa, ELECTRA, ConvBERT, DeBERTa or the like"
        raise OptionError(asked, f"{kind} does not read a text out at its first token", do)
    if not encoder.tokenizer.is_fast:
        do = "Save a fast tokenizer (tokenizer.json) into its folder"
        raise OptionError(asked, "its tokenizer does not say where its tokens stand", do)


def _attends(encoder: Encoder) -> bool:
    """Whether the model returns weights of its last layer for one short text."""
    import torch

    tokens = encoder.tokenizer("a")["input_ids"] or [1]
    batch = padded([np.array(tokens, dtype=np.int32)], 0, encoder.limit)
    encoder.model.eval()
    try:
        with torch.no_grad():
            made = encoder.model(**batch, output_attentions=True)
    except TypeError:  # a model without attention has no such argument
        return False
    layers: Any = getattr(made, "attentions", None) or getattr(made, "encoder_attentions", None)
    return bool(layers) and layers[-1] is not None


def token_marks(source: str, text: Text, spans: Sequence[Span], encoder: Encoder) -> Marked:
    """Which tokens of a text's windows overlap the marked ranges.

    Args:
        source: the text in characters.
        text: its windows in tokens.
        spans: marked ranges.
        encoder: whose tokenizer made the windows.

    Returns:
        One array per window, (tokens,) bool.
    """
    frame = frame_of(encoder.tokenizer)
    made = encoder.tokenizer(
        source.encode("utf-8", "replace").decode(),
        add_special_tokens=False,
        return_offsets_mapping=True,
        verbose=False,
    )["offset_mapping"]
    offsets = np.array(made, dtype=np.int64).reshape(-1, 2)
    own = marked(offsets[:, 0], offsets[:, 1], spans).astype(np.bool_)
    marks, start = [], 0
    for window in text.windows:
        mask = np.zeros(len(window), dtype=np.bool_)
        inside = max(len(window) - len(frame.before) - len(frame.behind), 0)
        part = own[start : start + inside]
        mask[len(frame.before) : len(frame.before) + len(part)] = part
        marks.append(mask)
        start += inside
    return tuple(marks)


def marks_of(
    examples: Sequence[Example], texts: Sequence[Text], encoder: Encoder, unmarked: str
) -> list[Marked | None]:
    """The marks that each text is taught, None where it is taught none.

    Args:
        examples: (n,) whose gold may have spans.
        texts: (n,) the same in tokens.
        encoder: whose tokenizer made them.
        unmarked: "skip" texts without a marked token, or teach them "zero" attention.

    Returns:
        (n,) marks.

    Raises:
        DataError: no text has a mark.
    """
    found: list[Marked | None] = []
    for example, text in zip(examples, texts, strict=True):
        spans = [span for mark in example.gold.marks for span in mark.spans]
        marks = token_marks(example.item.text, text, spans, encoder)
        taught = unmarked == "zero" or any(mask.any() for mask in marks)
        found.append(marks if taught else None)
    if not any(mask.any() for marks in found if marks for mask in marks):
        raise DataError(
            f"Teaching encoder:{encoder.name} where to attend",
            f"none of {len(examples)} training texts has a marked word",
            "Give a task with rationales, such as babe, or set attention_lambda=0",
        )
    return found


def attention_loss(weights: Any, real: Any, marks: Any, taught: Any) -> Any:
    """How far attention is from the marks: mean squared error over real tokens.

    Each row of attention is scaled to [0, 1] by its least and largest weight over real tokens (0
    where all are equal); the squared differences are averaged over real tokens, then over the rows
    that are taught. 0 where attention is 1 on all marked tokens and 0 elsewhere.

    Args:
        weights: (rows, tokens) attention of the first token, a tensor.
        real: (rows, tokens) 1 for tokens, 0 for padding.
        marks: (rows, tokens) 1 for marked tokens.
        taught: (rows,) bool, whether the row counts.

    Returns:
        A tensor without dimensions; 0 where no row is taught.

    Source: the explainability paper, section 3.3. What "N" counts is not said there: all tokens
    but padding, special ones with mark 0.
    """
    import torch

    inside = real.bool()
    low = weights.masked_fill(~inside, float("inf")).amin(1, keepdim=True)
    high = weights.masked_fill(~inside, float("-inf")).amax(1, keepdim=True)
    reach = high - low
    scaled = torch.where(reach > 0, (weights - low) / reach.clamp(min=1e-12), 0.0)
    errors = ((scaled - marks) ** 2 * real).sum(1) / real.sum(1)
    return errors[taught].mean() if bool(taught.any()) else weights.sum() * 0.0


def shares_of(examples: Sequence[Example]) -> Floats:
    """The share of annotators who call each example biased, a soft target.

    Returns:
        (n,) in [0, 1].

    Raises:
        DataError: an example has no annotators.
    """
    shares = np.empty(len(examples))
    for row, example in enumerate(examples):
        answers = list(example.annotators.values())
        if not answers:
            raise DataError(
                "Taking annotators' shares as targets",
                f"the text '{example.item.id}' has no annotators' labels",
                "For babe import raw_labels_SG2.xlsx beside it (`slant data fetch babe`, or "
                "`slant data import babe FOLDER`), or set targets=majority",
            )
        shares[row] = sum(one.biased for one in answers) / len(answers)
    return shares
