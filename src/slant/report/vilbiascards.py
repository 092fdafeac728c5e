"""The pairs of ViLBias as cards: image, text, gold, what systems answered and judges said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from slant.report.escaping import one_line, visible
from slant.report.page import inline_script, rendered
from slant.report.tables import counted
from slant.report.vilbias import FAULTS, Vilbias, setting_name
from slant.report.vilbiasimages import shown_image
from slant.runs.vilbiasfiles import GoldPair
from slant.runs.vilbiasrecords import Outcome

PER_PAGE = 200
"""Cards on a page: filters work on one page at a time."""
LONG = 600
"""Characters from which a text is folded."""
_LEAD = 240
_PLACES = {"text": "the text", "image": "the image", "both": "text and image", "none": "nothing"}
_SUPPORTS = {
    None: "no verdict could be read",
    True: "supports the gold label",
    False: "does not support the gold label",
}
_FAITHFUL = {True: "faithful", False: "not faithful"}
_UNKNOWN = "no outlet"


@dataclass(frozen=True, slots=True)
class Card:
    """A pair, and what was said of it, ready for the page."""

    gold: GoldPair
    image: str = ""
    missing: str = ""
    answers: list[dict[str, Any]] = field(default_factory=list)

    @property
    def outlet(self) -> str:
        """Its outlet, or that none is known."""
        return one_line(self.gold.outlet or "") or _UNKNOWN


def cards_of(
    found: Vilbias, gold: Sequence[GoldPair], told: Iterable[Outcome], folder: Path
) -> tuple[list[Card], dict[str, bytes], set[str]]:
    """The cards of the tested pairs, and the image files they show.

    Args:
        found: what was read.
        gold: of the test, in order.
        told: lines of outcomes.jsonl.
        folder: of the run, which images lie in.

    Returns:
        The cards; content of each image by its path beside the page; ids that outcomes tell of and
        gold lacks.
    """
    cards, images = {}, {}
    for one in gold:
        content, missing = shown_image(folder, one.image)
        if content is not None and one.image:
            images[one.image] = content
        shown = quote(one.image) if content is not None and one.image else ""
        cards[one.id] = Card(one, shown, missing)
    order = {system.name: n for n, system in enumerate(found.systems)}
    unknown = set()
    for line in told:
        if line.item not in cards:
            unknown.add(line.item)
        elif line.system in order:
            cards[line.item].answers.append(_answer(found, line, order[line.system]))
    for card in cards.values():
        card.answers.sort(key=lambda one: one["order"])
    return list(cards.values()), images, unknown


def page_names(cards: int) -> list[str]:
    """The files of the cards' pages.

    >>> page_names(20), page_names(401)
    (['pairs.html'], ['pairs.html', 'pairs-2.html', 'pairs-3.html'])
    """
    pages = max(1, -(-cards // PER_PAGE))
    return ["pairs.html", *(f"pairs-{n}.html" for n in range(2, pages + 1))]


def cards_page(found: Vilbias, cards: Sequence[Card], page: int) -> str:
    """One page of cards, all of them shown without a script, filtered with one.

    Args:
        found: what was read.
        cards: all of them.
        page: which, from 0.
    """
    names = page_names(len(cards))
    first = page * PER_PAGE
    own = cards[first : first + PER_PAGE]
    outlets = sorted({card.outlet for card in cards})
    script, digest = inline_script("vilbiaspairs.js")
    return rendered(
        "vilbiaspairs.html.j2",
        title=f"pairs {counted(first + 1)} to {counted(first + len(own))} of {counted(len(cards))}",
        asked=found.pairs,
        before=names[page - 1] if page else None,
        after=names[page + 1] if page + 1 < len(names) else None,
        pages=len(names),
        page=page + 1,
        systems=[one.label for one in found.systems],
        outlets=outlets if outlets != [_UNKNOWN] else [],
        cards=[_shown(card, first + n, outlets) for n, card in enumerate(own, 1)],
        script=script,
        digest=digest,
    )


def _shown(card: Card, number: int, outlets: Sequence[str]) -> dict[str, Any]:
    gold = card.gold
    text = visible(gold.text)
    labels = [
        f"{what}: {_label(value)}"
        for what, value in (("text", gold.text_label), ("image", gold.image_label))
        if value is not None
    ]
    return {
        "id": f"pair-{number}",
        "title": one_line(gold.id) or "without a name",
        "image": card.image,
        "missing": card.missing,
        "text": text,
        "lead": f"{text[:_LEAD].rstrip()} …" if len(text) > LONG else "",
        "gold": _label(gold.label),
        "biased": int(gold.label),
        "labels": ", ".join(labels),
        "outlet": card.outlet if card.outlet != _UNKNOWN else "",
        "place": outlets.index(card.outlet),
        "rationale": visible(gold.rationale or "").strip(),
        "answers": card.answers,
    }


def _label(value: int | bool) -> str:
    return "biased" if value else "not biased"


def _answer(found: Vilbias, line: Outcome, place: int) -> dict[str, Any]:
    said = f"unreadable ({FAULTS.get(line.fault or '', one_line(line.fault or ''))})"
    return {
        "order": (place, line.mode, line.shots, line.run),
        "system": place,
        "label": found.label(line.system),
        "asked": setting_name(line.mode, line.shots),
        "run": one_line(line.run),
        "mode": line.mode,
        "right": int(line.right),
        "said": said if line.biased is None else _label(line.biased),
        "rationale": visible(line.rationale or ""),
        "verdicts": [_verdict(judge, one) for judge, one in line.verdicts.items()],
    }


def _verdict(judge: str, read: Mapping[str, Any]) -> dict[str, Any]:
    supports, faithful = read.get("supports"), read.get("faithful")
    said = read.get("said") or []
    return {
        "judge": one_line(judge),
        "supports": _SUPPORTS[supports] + _many(said, "supports"),
        "faithful": "" if faithful is None else _FAITHFUL[faithful] + _many(said, "faithful"),
        "faults": [FAULTS.get(str(one), one_line(str(one))) for one in read.get("faults") or []],
        "reason": visible(str(read.get("reason") or "")),
        "claims": [
            {"claim": visible(str(claim)), "by": _PLACES.get(str(by), one_line(str(by))),
             "none": by == "none"}
            for claim, by in read.get("claims") or []
        ],
    }  # fmt: skip


def _many(said: Sequence[Mapping[str, Any]], key: str) -> str:
    """How many of several verdicts say yes; a tie is said to be one."""
    read = [one[key] for one in said if one.get(key) is not None]
    if len(read) < 2:
        return ""
    yes = sum(read)
    return f" ({counted(yes)} of {counted(len(read))}{', a tie' if 2 * yes == len(read) else ''})"
