"""How fastText vectors are trained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from slant.embeddings.grams import grams_of
from slant.errors import OptionError

BUCKETS = 2_000_000
"""fastText's number of n-gram vectors, and the most that are made."""
PER_GRAM = 2


@dataclass(frozen=True, slots=True)
class Settings:
    """How vectors are trained; the defaults are the paper's where it states one, else fastText's.

    Fields:
        algorithm: "skipgram" or "cbow".
        dimensions: of a vector.
        alpha: learning rate of the first epoch.
        decay: what it is multiplied by from epoch to epoch.
        patience: epochs without a better accuracy on the analogies after which training ends.
        epochs: a fixed number of them instead; None: the analogies decide.
        window: words to each side, at most.
        negative: words drawn against each that occurs.
        sample: threshold of the subsampling of frequent words.
        minn, maxn: length of the n-grams, in characters with the marks of begin and end.
        bucket: n-gram vectors; None: twice the distinct n-grams of the vocabulary, at most
            2,000,000; 0: none, the word's own vector alone.

    Source: Identifying Biases in Politically Biased Wikis, 3.2 (168 dimensions, decay 0.95, 5
    epochs without improvement).
    """

    algorithm: Literal["skipgram", "cbow"] = "skipgram"
    dimensions: int = 168
    alpha: float = 0.05
    decay: float = 0.95
    patience: int = 5
    epochs: int | None = None
    window: int = 5
    negative: int = 5
    sample: float = 1e-4
    minn: int = 3
    maxn: int = 6
    bucket: int | None = None


def check_settings(settings: Settings) -> None:
    """Hold settings against what they can be.

    Raises:
        OptionError: naming the one that cannot be.
    """
    if settings.algorithm not in ("skipgram", "cbow"):
        found = "it is neither skipgram nor cbow"
        raise OptionError(f"Setting --algorithm {settings.algorithm}", found, "Give one of them")
    least: dict[str, int] = {
        "dimensions": 1,
        "patience": 1,
        "window": 1,
        "negative": 1,
        "minn": 1,
        "maxn": 0,
    }
    least |= {"epochs": 1, "bucket": 0}
    for name, low in least.items():
        value = getattr(settings, name)
        if value is not None and value < low:
            raise OptionError(f"Setting --{name} {value}", f"it is below {low}", "Give more")
    for name, high in (("alpha", 10.0), ("decay", 1.0), ("sample", 1.0)):
        value = getattr(settings, name)
        if not 0 < value <= high and not (name == "sample" and value == 0):
            found = f"it is not above 0 and at most {high:g}"
            raise OptionError(f"Setting --{name} {value}", found, "Give another")
    if settings.bucket and settings.maxn < settings.minn:
        found = f"--minn is {settings.minn}, so that there is no n-gram"
        raise OptionError(f"Setting --maxn {settings.maxn}", found, "Give --bucket 0 for none")


def bucket_of(settings: Settings, counts: Mapping[str, int]) -> int:
    """How many n-gram vectors are made: twice the distinct n-grams of the vocabulary, in thousands,
    at most fastText's 2,000,000; or what was asked for.

    >>> bucket_of(Settings(), {"cat": 5})
    1000
    """
    if settings.bucket is not None:
        return settings.bucket
    distinct: set[str] = set()
    for word in counts:
        distinct |= grams_of(word, settings.minn, settings.maxn)
        if PER_GRAM * len(distinct) >= BUCKETS:
            return BUCKETS
    return -(-PER_GRAM * len(distinct) // 1000) * 1000
