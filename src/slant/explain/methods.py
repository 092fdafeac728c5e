"""The methods that score tokens, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from slant.explain.attention import (
    attention_flow,
    gradient_attention,
    last_attention,
    rollout,
    rollout_as_printed,
)
from slant.explain.attributions import Attribution
from slant.explain.gradients import input_gradient, integrated_gradients
from slant.explain.perturbations import lime, occlusion, shap
from slant.systems.batches import Tokens
from slant.systems.checkpoints import Encoder

Method = Callable[[Encoder, Sequence[Tokens], int], list[Attribution]]
"""(encoder, windows of tokens, seed) -> one attribution for each window."""

METHODS: dict[str, Method] = {
    "cls-attention": last_attention,
    "rollout": rollout,
    "rollout-as-printed": rollout_as_printed,
    "gradient-attention": gradient_attention,
    "flow": attention_flow,
    "integrated-gradients": integrated_gradients,
    "input-gradient": input_gradient,
    "occlusion": occlusion,
    "shap": shap,
    "lime": lime,
}
"""The first three of attention alone, `gradient-attention` and `flow` need an encoder loaded with
attention="eager"."""
SLOW = ("flow", "integrated-gradients", "occlusion", "shap", "lime")
"""Methods that take many passes for a text; a study gives them a sample of the texts."""
