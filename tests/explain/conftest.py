"""Tiny checkpoints with larger weights than those of training's start: heads that matter."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[1] / "systems"))


@pytest.fixture(scope="session")
def loaded(tmp_path_factory):
    """Loads, once a session, a family's tiny checkpoint with eager attention, in float64."""
    from tiny import save_tiny

    made = {}

    def encoder(kind="bert", **changed):
        import torch

        from slant.systems.checkpoints import load_encoder

        key = (kind, *sorted(changed.items()))
        if key not in made:
            folder = save_tiny(tmp_path_factory.mktemp(kind), kind, **changed)
            one = load_encoder(str(folder), 3, attention="eager")
            stream = torch.Generator().manual_seed(5)
            with torch.no_grad():
                for weight in one.model.parameters():
                    weight.add_(torch.randn(weight.shape, generator=stream) * 0.15)
            one.model.double()
            made[key] = one
        return made[key]

    return encoder


def drawn_windows(encoder, lengths, seed=0):
    """Texts of drawn words in the special tokens of the encoder's tokenizer."""
    from tiny import WORDS

    from slant.systems.batches import frame_of

    stream = np.random.default_rng(seed)
    ids = [encoder.tokenizer.convert_tokens_to_ids(word) for word in WORDS]
    frame = frame_of(encoder.tokenizer)
    return [
        np.array([*frame.before, *stream.choice(ids, n), *frame.behind], dtype=np.int32)
        for n in lengths
    ]


@pytest.fixture
def texts():
    return drawn_windows
