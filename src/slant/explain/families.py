"""Where each family of Hugging Face sequence classifiers keeps its attention heads.

A head's output is its slice of what goes into the output projection of its attention. What follows
a layer's attention - projection, norm, feed-forward - works on each position alone, so that the
heads are all that carries anything from one token to another.

Which heads count: of an encoder or decoder all self-attention heads; of BART the encoder's, the
decoder's, and those of the decoder's attention to the encoder, without which the states that the
decoder reads could not be restored; of ConvBERT the attention heads of a layer and, behind them,
as many convolution heads, whose outputs it joins to theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from slant.errors import OptionError

Call = Callable[[Any, Any], Any]


@dataclass(frozen=True, slots=True)
class Attention:
    """One attention of a layer; names are module paths inside the layer.

    Fields:
        name: of its heads, before the layer's number.
        module: that computes the heads' outputs.
        projection: that takes them; inside `module`, or behind it.
        rows: the modules of query, key and value where they are plain linear maps whose product
            has no further term, so that one row of the attention can be computed alone.
    """

    name: str
    module: str
    projection: str
    rows: tuple[str, str, str] | None = None

    @property
    def inside(self) -> bool:
        """Whether the module's own output is already projected."""
        return self.projection.startswith(f"{self.module}.")


@dataclass(frozen=True, slots=True)
class Stack:
    """Layers that follow one another: the path of their list in the base model."""

    layers: str
    attentions: tuple[Attention, ...]


@dataclass(frozen=True, slots=True)
class Family:
    """What one architecture is like.

    Fields:
        stacks: of layers, in the order of computation.
        head: (model, (n, d) states of the readout) -> (n, labels) logits, as the model's own.
        norm: the path of the norm behind the last layer, empty where there is none.
        readout: "first" token (CLS), or "last" real token.
        caches: whether it keeps keys and values for generation unless told not to.
    """

    stacks: tuple[Stack, ...]
    head: Call
    norm: str = ""
    readout: str = "first"
    caches: bool = False


def _behind_pooler(model: Any, states: Any) -> Any:
    return model.classifier(model.base_model.pooler(states[:, None]))


def _behind_first(model: Any, states: Any) -> Any:
    return model.classifier(states[:, None])


def _distilbert_head(model: Any, states: Any) -> Any:
    return model.classifier(model.pre_classifier(states).relu())


def _deberta_head(model: Any, states: Any) -> Any:
    return model.classifier(model.pooler(states[:, None]))


def _modernbert_head(model: Any, states: Any) -> Any:
    if model.config.classifier_pooling != "cls":
        found = "its own head reads the mean over all tokens, which no attention head carries alone"
        raise OptionError("Reading out ModernBERT", found, "Choose the probe on its CLS states")
    return model.classifier(model.head(states))


def _bart_head(model: Any, states: Any) -> Any:
    return model.classification_head(states)


def _gpt2_head(model: Any, states: Any) -> Any:
    return model.score(states)


_BERT = Stack(
    "encoder.layer",
    (
        Attention(
            "layer",
            "attention.self",
            "attention.output.dense",
            ("attention.self.query", "attention.self.key", "attention.self.value"),
        ),
    ),
)
_WITHOUT_ROWS = Stack(
    "encoder.layer", (Attention("layer", "attention.self", "attention.output.dense"),)
)

FAMILIES: dict[str, Family] = {
    "bert": Family((_BERT,), _behind_pooler),
    "roberta": Family((_BERT,), _behind_first),
    "electra": Family((_BERT,), _behind_first),
    "convbert": Family((_WITHOUT_ROWS,), _behind_first),
    "deberta-v2": Family((_WITHOUT_ROWS,), _deberta_head),
    "distilbert": Family(
        (
            Stack(
                "transformer.layer",
                (
                    Attention(
                        "layer",
                        "attention",
                        "attention.out_lin",
                        ("attention.q_lin", "attention.k_lin", "attention.v_lin"),
                    ),
                ),
            ),
        ),
        _distilbert_head,
    ),
    "mpnet": Family(
        (Stack("encoder.layer", (Attention("layer", "attention.attn", "attention.attn.o"),)),),
        _behind_first,
    ),
    "modernbert": Family(
        (Stack("layers", (Attention("layer", "attn", "attn.Wo"),)),),
        _modernbert_head,
        norm="final_norm",
    ),
    "bart": Family(
        (
            Stack("encoder.layers", (Attention("encoder", "self_attn", "self_attn.out_proj"),)),
            Stack(
                "decoder.layers",
                (
                    Attention("decoder", "self_attn", "self_attn.out_proj"),
                    Attention("cross", "encoder_attn", "encoder_attn.out_proj"),
                ),
            ),
        ),
        _bart_head,
        readout="last",
        caches=True,
    ),
    "gpt2": Family(
        (Stack("h", (Attention("layer", "attn", "attn.c_proj"),)),),
        _gpt2_head,
        norm="ln_f",
        readout="last",
        caches=True,
    ),
}
"""The architectures whose heads are known, by the `model_type` of their configuration.

DeBERTa-v3 is of the type deberta-v2."""


def family_of(model: Any) -> Family:
    """The family of a sequence classifier.

    Raises:
        OptionError: its architecture is none of `FAMILIES`, or a variant that carries tokens'
            states past the heads (the convolution of DeBERTa-v2 xlarge).
    """
    kind = str(model.config.model_type)
    asked = f"Finding the attention heads of a model of the type '{kind}'"
    known = ", ".join(FAMILIES)
    if kind not in FAMILIES:
        raise OptionError(asked, "its architecture is not supported", f"Give one of {known}")
    if kind == "deberta-v2" and getattr(model.config, "conv_kernel_size", None):
        found = "a convolution beside the heads mixes tokens behind its first layer"
        raise OptionError(asked, found, "Give a DeBERTa without conv_kernel_size, as v3 has none")
    return FAMILIES[kind]
