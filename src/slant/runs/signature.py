"""One line that says how a number was made, after sacrebleu (Post 2018)."""

from __future__ import annotations

import re
from collections.abc import Sequence

import slant
from slant.tasks.options import Options, signature_fields


def signature(
    tasks: Sequence[str], options: Options, data: str, seeds: Sequence[int], system: str
) -> str:
    """The signature of a run: what must be equal for two numbers to be comparable.

    Args:
        tasks: full names, e.g. "mbib/racial-bias" or "babe".
        options: the protocol; every choice is written out.
        data: fingerprint of the data, hex; its first eight digits are shown.
        seeds: all seeds.
        system: versioned name, e.g. "tfidf-lr@1".

    Returns:
        `benchmark|task:..|preset:..|data:..|...|system:..|slant:..`
    """
    benchmarks = sorted({task.split("/")[0] for task in tasks})
    names = "+".join(task.split("/", 1)[-1] for task in tasks)
    choices = signature_fields(options)
    preset = choices.pop("preset")
    plain = re.sub(r"[|\s]+", "_", system)
    parts = [
        "+".join(benchmarks),
        f"task:{names}",
        f"preset:{preset}",
        f"data:{data[:8]}",
        *(f"{name.replace('_', '-')}:{value}" for name, value in choices.items()),
        f"seeds:{'+'.join(str(seed) for seed in seeds)}",
        f"system:{plain}",
        f"slant:{slant.__version__}",
    ]
    return "|".join(parts)
