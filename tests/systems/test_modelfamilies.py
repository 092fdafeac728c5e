"""A judge of one's own family is found by names, and a name that tells nothing is no stranger."""

from __future__ import annotations

import pytest

from slant.systems.modelfamilies import model_family, same_family


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("openai/gpt-4o", "gpt"),
        ("openai/o3-mini", "gpt"),
        ("anthropic/claude-sonnet-4-0", "claude"),
        ("google/gemini-2.5-pro", "gemini"),
        ("together/meta-llama/Llama-3.2-90B-Vision", "llama"),
        ("hf/Qwen/Qwen2.5-VL-7B", "qwen"),
        ("mistral/pixtral-12b", "mistral"),
        ("hf/microsoft/Phi-3.5-vision", "phi"),
        ("openai-api/llamacpp/smollm2", "smol"),
        ("openai-api/scripted/vision", None),
        ("vllm/our-own", None),
    ],
)
def test_a_family_is_found_by_the_name_of_the_model_and_not_by_who_serves_it(name, family):
    assert model_family(name) == family


def test_kin_are_told_from_strangers_and_from_the_unknown():
    assert same_family("openai/gpt-4o", "azureai/gpt-4.1-mini") is True
    assert same_family("openai/gpt-4o", "anthropic/claude-sonnet-4-0") is False
    assert same_family("openai/gpt-4o", "vllm/our-own") is None
    assert same_family("vllm/our-own", "vllm/our-own") is True
