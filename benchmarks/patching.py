"""Every attention head patched alone: against one full forward pass for each head.

Texts are made, each with some words replaced by others of the same length in subwords. Both sides
patch the same heads on the same texts and read the same logit; the plain side hooks the output
projection, as a script that follows the paper would, one text at a time or in batches of like
length. They take turns and the best of each counts, in processor seconds on one thread. Ends with
exit code 1 where a ratio misses its mark or the logits differ by more than 1e-5.

Against batches the saving is bounded by what a restart leaves out: of L layers of cost 1, a head in
layer l (from 0) costs 3/4 (its own attention is known) + L - 2 - l, nothing in the last: in the
mean 6 / 2.29 = 2.6 times less at 6 layers and 12 / 5.27 = 2.3 at 12. What is above that comes from
batches of many heads, which pad nothing.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ratios import say_ratio
from slant.explain.circuits import head_runs
from slant.explain.hooks import blocks_of
from slant.explain.readouts import own_readout
from slant.explain.slopes import attribution_patching
from slant.metrics.faithfulness import rank_correlation
from slant.systems.batches import Tokens, frame_of, padded
from slant.systems.checkpoints import Encoder, load_encoder
from slant.systems.encoder import one_thread
from slant.types import Floats

WORDS = """the senate passed a bill on monday that critics call radical and reckless while
supporters say it protects workers families towns from rising costs of housing medicine president
voters angry mob corrupt regime shameless lies officials report wrote according to"""
LEAST = {"minilm": 2.5, "bge-small": 3.0}
"""Times faster than one forward pass for each head and text."""
LEAST_BATCHED = {"minilm": 2.5, "bge-small": 2.3}
"""Times faster than the fastest of `PEER_BATCHES`."""
LEAST_GRADIENT = 15.0
PEER_BATCHES = (1, 8, 16)


def pairs(encoder: Encoder, n: int, seed: int) -> tuple[list[Tokens], list[Tokens]]:
    """Texts of 15 to 50 words, the spread of BABE, and the same with two words replaced."""
    stream = np.random.default_rng(seed)
    ids = encoder.tokenizer.convert_tokens_to_ids(WORDS.split())
    frame = frame_of(encoder.tokenizer)
    clean, corrupt = [], []
    for _ in range(n):
        text = stream.choice(ids, int(np.clip(stream.normal(31, 10), 15, 50)))
        other = text.copy()
        places = stream.choice(len(text), 2, replace=False)
        other[places] = stream.choice(ids, 2)
        for made, words in ((clean, text), (corrupt, other)):
            made.append(np.array([*frame.before, *words, *frame.behind], dtype=np.int32))
    return clean, corrupt


def plain(encoder: Encoder, clean: list[Tokens], corrupt: list[Tokens], batch: int) -> Floats:
    """A full forward pass for each head and batch, (heads, n) logits."""
    import torch

    model, readout = encoder.model, own_readout(encoder.model)
    blocks = blocks_of(model)
    out = np.empty((sum(block.heads for block in blocks), len(clean)))
    order = np.argsort([len(text) for text in clean], kind="stable")

    def states(inputs: dict[str, Any]) -> Any:
        return model.base_model(**inputs).last_hidden_state[:, 0]

    with torch.inference_mode():
        for start in range(0, len(order), batch):
            places = order[start : start + batch]
            before, after = (
                padded([texts[i] for i in places], encoder.tokenizer.pad_token_id, encoder.limit)
                for texts in (clean, corrupt)
            )
            kept: list[Any] = []

            def keep(_: Any, given: Any, kept: list[Any] = kept) -> None:
                kept.append(given[0])

            handles = [block.projection.register_forward_pre_hook(keep) for block in blocks]
            states(before)
            for handle in handles:
                handle.remove()
            for number, block in enumerate(blocks):
                for head in range(block.heads):
                    own = slice(head * block.size, (head + 1) * block.size)
                    source = kept[number][..., own]

                    def patch(_: Any, given: Any, own: slice = own, source: Any = source) -> Any:
                        changed = given[0].clone()
                        changed[..., own] = source
                        return (changed,)

                    handle = block.projection.register_forward_pre_hook(patch)
                    out[block.first + head, places] = readout(states(after)).double().numpy()
                    handle.remove()
    return out


def seconds(work: Callable[[], Floats]) -> tuple[float, Floats]:
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def measure(name: str, n: int, repeats: int) -> bool:
    encoder = load_encoder(name, 7)
    model, readout = encoder.model.eval(), own_readout(encoder.model)
    clean, corrupt = pairs(encoder, n, 1)
    works: dict[str, Callable[[], Floats]] = {
        "ours": lambda: head_runs(model, clean, corrupt, readout).patched,
        "gradient": lambda: attribution_patching(model, clean, corrupt, readout),
    }
    for batch in PEER_BATCHES:
        works[f"plain {batch}"] = lambda batch=batch: plain(encoder, clean, corrupt, batch)  # type: ignore[misc]
    best: dict[str, float] = {}
    found: dict[str, Floats] = {}
    for _ in range(repeats):
        for key, work in works.items():
            spent, found[key] = seconds(work)
            best[key] = min(spent, best.get(key, spent))
    peers = {key: best[key] for key in best if key.startswith("plain")}
    for key, spent in best.items():
        print(f"  {name}, {n} texts, {key}: {spent:.2f} s")
    peer = min(peers, key=lambda key: peers[key])
    gap = float(np.abs(found["ours"] - found[peer]).max())
    ratio, slope = best[peer] / best["ours"], best[peer] / best["gradient"]
    runs = head_runs(model, clean, corrupt, readout)
    agree = rank_correlation(runs.effects().mean(1), found["gradient"].mean(1))
    single = best["plain 1"] / best["ours"]
    print(
        f"  {name}: largest gap {gap:.1e}; rank correlation of the gradient's {agree:.2f}",
        flush=True,
    )
    say_ratio(f"heads patched, {name}", single, "one pass for each head and text", LEAST[name])
    say_ratio(f"heads patched, {name}", ratio, "the fastest passes in batches", LEAST_BATCHED[name])
    say_ratio(
        f"heads from one gradient, {name}", slope, "the fastest passes in batches", LEAST_GRADIENT
    )
    fast = single >= LEAST[name] and ratio >= LEAST_BATCHED[name]
    return fast and slope >= LEAST_GRADIENT and gap <= 1e-5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=64)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--models", default="minilm,bge-small")
    asked = parser.parse_args()
    with one_thread():
        held = [measure(name, asked.texts, asked.repeats) for name in asked.models.split(",")]
    if not all(held):
        raise SystemExit(
            f"The ratios should be at least {LEAST}, in batches {LEAST_BATCHED}, from a gradient "
            f"{LEAST_GRADIENT}"
        )


if __name__ == "__main__":
    main()
