"""What can be chosen in a run of associations, each choice written once."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

import slant
from slant.embeddings.association import Measure
from slant.embeddings.vectors import Case, Outside
from slant.errors import OptionError, unknown_name
from slant.stats.crossed import Deviation
from slant.stats.permutations import Alternative

Method = Literal["weat", "weatvec"]
Unequal = Literal["keep", "cut"]

SIMILARITY: dict[Method, Measure] = {"weat": "cosine", "weatvec": "projection"}
"""What a method takes as the likeness of two words."""
SINGLE_WORDS: dict[Method, str] = {"weat": "wefat", "weatvec": "wefatvec"}
"""What a method is called on single words."""
LEVEL = 0.95
EXCHANGES = 100_000
"""Exchanges of two corpora at most: each costs what some twenty permutations do."""


@dataclass(frozen=True, slots=True)
class AssociationSettings:
    """The choices of a run; what each changes stands in docs/associations.md.

    Fields:
        methods: "weat" (cosine), "weatvec" (projection on mean A less mean B), or both.
        deviation: what d is divided by: over X and Y with n-1 ("sample") or n ("population"), or
            over the whole vocabulary with n ("vocabulary").
        alternative: of the permutation test.
        unequal: "keep" X and Y as they are, or "cut" both to the shorter's length by position.
        case: how a word is looked up; see `embeddings.vectors.found`.
        outside_vocabulary: what becomes of a word without a vector: "drop", or "grams".
        permutations: at most, where no exact way is feasible.
        resamples: of the bootstrap; 0 for no interval.
        seed: of all that is drawn.
        strict: count only splits that are strictly more extreme.
        measures: names of other measures.
    """

    methods: tuple[Method, ...] = ("weat",)
    deviation: Deviation = "sample"
    alternative: Alternative = "two-sided"
    unequal: Unequal = "keep"
    case: Case = "exact"
    outside_vocabulary: Outside = "drop"
    permutations: int = 1_000_000
    resamples: int = 10_000
    seed: int = 42
    strict: bool = False
    measures: tuple[str, ...] = ()

    @property
    def over_words(self) -> Literal["sample", "population"]:
        """The deviation over X and Y; "sample" where the vocabulary's takes its place."""
        return "population" if self.deviation == "population" else "sample"

    def fields(self) -> dict[str, Any]:
        """The choices by name, as JSON has them."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }


_ALLOWED: dict[str, tuple[str, tuple[Any, ...]]] = {
    "deviation": ("deviation", get_args(Deviation)),
    "alternative": ("alternative", get_args(Alternative)),
    "unequal": ("way with unequal sets", get_args(Unequal)),
    "case": ("case rule", get_args(Case)),
    "outside_vocabulary": ("way with unknown words", get_args(Outside)),
}


def checked_settings(settings: AssociationSettings) -> AssociationSettings:
    """The same settings, once each is one that there is.

    Raises:
        UnknownName: no such method, deviation, alternative, rule or measure. OptionError: a number
            out of range, or nothing to do.
    """
    from slant.embeddings.measures import MEASURES

    for method in settings.methods:
        if method not in get_args(Method):
            raise unknown_name("method", method, get_args(Method))
    for measure in settings.measures:
        if measure not in MEASURES:
            raise unknown_name("measure", measure, MEASURES)
    for field, (kind, known) in _ALLOWED.items():
        if getattr(settings, field) not in known:
            raise unknown_name(kind, getattr(settings, field), known)
    if not settings.methods:
        raise OptionError("Reading --method", "it names none", "Give weat, weatvec or both")
    for name, least in (("permutations", 1), ("resamples", 0), ("seed", 0)):
        number = getattr(settings, name)
        if number < least:
            raise OptionError(
                f"Reading --{name} {number}", "it is too small", f"Give {least} or more"
            )
    if 0 < settings.resamples < 100:
        found = "so few give no interval"
        raise OptionError(
            f"Reading --resamples {settings.resamples}", found, "Give 0, or 100 or more"
        )
    return settings


def digest_of(*facts: Any) -> str:
    """Sixteen digits that tell files of a run apart by all that they depend on.

    Args:
        facts: what JSON can hold.
    """
    text = json.dumps([slant.__version__, *facts], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
