"""Which models come from one house, as far as their names tell."""

from __future__ import annotations

import re
from typing import Final

_FAMILIES: Final = {
    "gpt": ("openai", "gpt", "chatgpt", "davinci", "o1", "o3", "o4"),
    "claude": ("anthropic", "claude"),
    "gemini": ("gemini", "gemma", "palm", "paligemma"),
    "llama": ("llama", "meta"),
    "mistral": ("mistral", "mixtral", "pixtral", "ministral", "magistral"),
    "qwen": ("qwen", "qwq", "qvq"),
    "phi": ("phi",),
    "deepseek": ("deepseek", "janus"),
    "grok": ("grok", "xai"),
    "command": ("command", "aya", "cohere"),
    "smol": ("smollm", "smolvlm", "idefics"),
    "internvl": ("internvl", "internlm"),
    "molmo": ("molmo", "olmo"),
    "glm": ("glm", "chatglm", "cogvlm"),
    "nova": ("nova", "titan"),
}
"""Family -> how its models' names, or those of its house, begin."""


def model_family(name: str) -> str | None:
    """The family of a model by its name; None where the name does not tell.

    Rule: the words of what follows the last slash count first, then those of the whole name: a
    provider may serve models of other houses. "openai-api" is any server that speaks as OpenAI's.

    Args:
        name: as inspect-ai has it.

    >>> model_family("openai/gpt-4o"), model_family("openai/ft-17"), model_family("vllm/own")
    ('gpt', 'gpt', None)
    >>> model_family("azureai/Llama-3.2-11B-Vision"), model_family("openrouter/google/gemma-3")
    ('llama', 'gemini')
    """
    for part in (name.rpartition("/")[2], name.removeprefix("openai-api/")):
        words = re.split(r"[^a-z0-9]+", part.casefold())
        for word in words:
            for family, beginnings in _FAMILIES.items():
                if any(re.fullmatch(rf"{one}[0-9]*[a-z]?", word) for one in beginnings):
                    return family
    return None


def same_family(judge: str, model: str) -> bool | None:
    """Whether a judge would rate its own kin, of whom judges think too well.

    Args:
        judge, model: names.

    Returns:
        None where a name does not tell; a model that judges itself is always its own kin.

    Source: 001, "Common pitfalls" (a judge favours what is written as it would write).

    >>> same_family("openai/gpt-4o", "openai/gpt-4o-mini"), same_family("a/b", "openai/gpt-4o")
    (True, None)
    """
    if judge == model:
        return True
    first, second = model_family(judge), model_family(model)
    return None if first is None or second is None else first == second
