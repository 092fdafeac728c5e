"""The fixed set of planted rationales: cases of each kind from pairs with a gold rationale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from slant.errors import DataError
from slant.runs.vilbiasdata import Pair
from slant.runs.vilbiasfolder import prepared_images
from slant.stats.resampling import generator
from slant.systems.plantedrationales import KINDS, Planted, planted_rationale

SEED = 42


@dataclass(frozen=True, slots=True)
class PlantedCase:
    """A planted rationale about a pair.

    Fields:
        case: its name, "KIND/ID".
        kind: of `KINDS`.
        pair: that it is about.
        image: as the judge is shown it; None: it is not.
        planted: the rationale, and the right verdict.
    """

    case: str
    kind: str
    pair: Pair
    image: bytes | None
    planted: Planted


def drawn_pairs() -> list[Pair]:
    """The embedded drawn pairs, which every judge is measured on unless other pairs are given."""
    from slant.data.samples import sample_pairs

    return [
        Pair(
            id=row["id"],
            text=row["text"],
            label=row["label"],
            image=Path(row["image_file"]),
            text_label=row["text_label"],
            image_label=row["image_label"],
            rationale=row["rationale_text"],
            pair=row["pair"] or row["id"],
        )
        for row in sample_pairs().iter_rows(named=True)
    ]


def planted_cases(
    number: int, *, images: bool, side: int, pairs: Sequence[Pair] | None = None
) -> list[PlantedCase]:
    """Cases of every kind about the same pairs, as many biased ones as fair ones.

    Rule: the pairs are drawn once, by their ids and a fixed seed, so that judges, runs and days
    can be compared; a larger number keeps the cases of a smaller one.

    Args:
        number: pairs of each kind; all there are where they are fewer.
        images: whether the judge is shown them.
        side: pixels of their longer side at most.
        pairs: with gold rationales; None: the embedded ones.

    Raises:
        DataError: no pair has a gold rationale.
    """
    known = [one for one in (drawn_pairs() if pairs is None else pairs) if one.rationale]
    if number and not known:
        found = "gold is missing: no pair has a rationale"
        raise DataError("Planting rationales", found, "Give pairs with rationales")
    sides = []
    for label in (1, 0):
        own = sorted((one for one in known if one.label == label), key=lambda one: one.id)
        stream = generator(SEED, ("vilbias", "planted", str(label)))
        sides.append([own[place] for place in stream.permutation(len(own))])
    longest = max(map(len, sides), default=0)
    turns = [side[place] for place in range(longest) for side in sides if place < len(side)]
    chosen = turns[:number]
    shown: Mapping[str, bytes] = prepared_images(chosen, side) if images else {}
    return [
        PlantedCase(
            f"{kind}/{one.id}",
            kind,
            one,
            shown.get(one.id),
            planted_rationale(kind, one.text, one.label, one.rationale or "", place),
        )
        for kind in KINDS
        for place, one in enumerate(chosen)
    ]
