"""What can be chosen about head circuits, checked before any work; and the paper's own choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from slant.errors import OptionError, unknown_name
from slant.explain.circuits import Ranking, Scale

Corruption = Literal["resample", "mask", "unknown"]
ReadBy = Literal["probe", "head"]
Patching = Literal["exact", "attribution"]

KS = (1, 3, 5, 10, 20, 30)
"""The paper's sizes (section 3.5, "Circuit Verification Modes")."""
SHARES = (0.1, 0.25, 0.5)
PAPER: Mapping[str, Any] = {
    "corruption": "mask",
    "readout": "probe",
    "scale": "probability",
    "ranking": "absolute",
}
"""What the paper chose, section 3.5: "an architectural token mask", "a lightweight linear probe",
"the expected probability output", "the absolute marginal difference"."""


@dataclass(frozen=True, slots=True)
class CircuitSettings:
    """How heads are ranked and circuits verified.

    Fields:
        k: sizes of circuits, in heads.
        shares: sizes as shares of the model's heads, in (0, 1].
        corruption: what marked words become: other words ("resample"), or the "mask" or "unknown"
            token.
        readout: "probe", a logistic regression on clean training states; or "head", the model's.
        scale: of all effects and gaps: "logit" or "probability".
        ranking: "signed", heads that restore first; or "absolute", the paper's.
        draws: rankings of random heads that a circuit is held against.
        patching: heads are ranked by "exact" effects, or by "attribution", the gradient's estimate.
        with_attribution: with exact effects, estimate them too and say how alike the ranks are.
        sample: development texts, and test texts, with marked words that are looked at in each
            model, drawn by its seed; 0 for all.
        resamples: of the bootstrap.
        seed: of corruptions, random heads, halvings and resamples.
    """

    k: tuple[int, ...] = KS
    shares: tuple[float, ...] = SHARES
    corruption: Corruption = "resample"
    readout: ReadBy = "probe"
    scale: Scale = "logit"
    ranking: Ranking = "signed"
    draws: int = 10
    patching: Patching = "exact"
    with_attribution: bool = True
    sample: int = 0
    resamples: int = 1000
    seed: int = 42


@dataclass(frozen=True, slots=True)
class Size:
    """A size of circuits: how many heads, and whether it was asked for as "k" or as "share"."""

    k: int
    asked: str


def checked_settings(settings: CircuitSettings) -> CircuitSettings:
    """The settings, if each can be what it is.

    Raises:
        UnknownName: a name that is none of those known. OptionError: a number out of its range.
    """
    names: tuple[tuple[str, str, Any], ...] = (
        ("corruption", settings.corruption, Corruption),
        ("readout", settings.readout, ReadBy),
        ("scale", settings.scale, Scale),
        ("ranking", settings.ranking, Ranking),
        ("patching", settings.patching, Patching),
    )
    for kind, given, known in names:
        if given not in get_args(known):
            raise unknown_name(kind, given, get_args(known))
    if not (settings.k or settings.shares):
        raise OptionError("Reading --k", "there is no size of circuits", "Give for example 1,3,5")
    for k in settings.k:
        if k < 0:
            raise OptionError(f"Reading --k {k}", "it is below 0", "Give whole numbers from 0")
    for share in settings.shares:
        if not 0 < share <= 1:
            found = "it is no share of the heads"
            raise OptionError(f"Reading --shares {share}", found, "Give shares above 0, up to 1")
    least = {"draws": 0, "sample": 0, "resamples": 1, "seed": 0}
    for name, lowest in least.items():
        if (given := getattr(settings, name)) < lowest:
            do = f"Give {lowest} or more"
            raise OptionError(f"Reading --{name} {given}", f"it is below {lowest}", do)
    return settings


def sizes_of(settings: CircuitSettings, heads: int) -> list[Size]:
    """The sizes of circuits in a model: those given, and the shares rounded to whole heads.

    Args:
        settings: with `k` and `shares`.
        heads: of the model.

    Returns:
        Ascending, each once; one that is both is of "k". A share is at least one head.

    >>> [(s.k, s.asked) for s in sizes_of(CircuitSettings(k=(5, 1), shares=(0.1, 0.5)), 12)]
    [(1, 'k'), (5, 'k'), (6, 'share')]
    """
    asked = {max(1, round(share * heads)): "share" for share in settings.shares}
    asked |= dict.fromkeys(settings.k, "k")
    return [Size(k, asked[k]) for k in sorted(asked)]


def check_sizes(ks: Sequence[int], heads: int, name: str) -> None:
    """Refuse circuits larger than a model.

    Args:
        ks: sizes in heads.
        heads: of the model.
        name: of its run.

    Raises:
        OptionError: one is.
    """
    if above := [k for k in ks if k > heads]:
        found = f"the models of '{name}' have {heads} heads"
        raise OptionError(f"Reading --k {above[0]}", found, f"Give k from 0 to {heads}")
