"""Write docs/reference/data.md from the cards of the data sets:

python docs/reference/make_data.py
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from slant.data.cards import Card, card_names, load_card
from slant.data.samples import NAMES, sample_card

PAGE = Path(__file__).parent / "data.md"
HEAD = """# Cards of the data sets

Made by `docs/reference/make_data.py` from the cards in the package; `slant data show NAME` prints
one with its files and checksums, `slant data check` says what is here. Only what is named `open/`
is shipped; the owners' licences hold for the rest. Labels are what annotators of one time and
place said, see [limits](../limits.md).
"""


def page() -> str:
    """The whole page."""
    cards = [load_card(name) for name in card_names()]
    return "\n".join(
        [HEAD, overview(cards), *(own(name) for name in NAMES), *map(published, cards)]
    )


def overview(cards: list[Card]) -> str:
    """One row for each published data set."""
    rows = [
        f"| [{card.public_name}](#{anchor(card.public_name)}) | {cell(card.short)} "
        f"| {card.language} | {cell(card.licence)} | {card.access} | {', '.join(card.tasks)} |"
        for card in cards
    ]
    head = ["| name | data set | language | licence | access | tasks |", "| --- " * 6 + "|"]
    return "\n".join([*head, *rows, ""])


def published(card: Card) -> str:
    """A published data set: origin, labels, quirks, why rows differ, citation."""
    facts = {
        "what": f"{card.feature_level}; {card.feature_source}",
        "labels": f"{card.label_categories}; by {card.label_source}",
        "biased, in `clean`": card.rule_clean,
        "biased, in `official`": card.rule_official,
        "rows in the paper": ", ".join(f"{k}: {v:,}" for k, v in card.rows_paper.items()),
        "licence": card.licence,
        "how to get it": card.how_to_get,
        "home": f"<{card.home}>" if card.home else "",
    }
    lines = [f"## {card.public_name}", "", card.name, "", *table(facts)]
    lines += listed("Quirks", card.quirks) + listed("Why rows differ", card.why_rows_differ)
    if card.citation:
        one = card.citation
        lines += [f"Cite: {one.authors} ({one.year}). *{one.title}*. {one.venue}. <{one.url}>", ""]
    return "\n".join(lines)


def own(name: str) -> str:
    """An embedded part."""
    card = sample_card(name)
    shown = ("how", "rule", "labels", "rows", "biased", "limits", "licence", "origin", "warning")
    facts = {key: card[key] for key in shown if key in card and not isinstance(card[key], Mapping)}
    return "\n".join([f"## {name}", "", str(card["title"]), "", *table(facts)])


def table(facts: Mapping[str, Any]) -> list[str]:
    """Facts in two columns, those that are empty left out."""
    rows = [
        f"| {key} | {cell(str(value))} |" for key, value in facts.items() if value not in ("", None)
    ]
    return ["| | |", "| --- | --- |", *rows, ""]


def listed(title: str, items: tuple[str, ...]) -> list[str]:
    """A list under its title; nothing where it is empty."""
    return [f"{title}:", "", *(f"- {item}" for item in items), ""] if items else []


def anchor(name: str) -> str:
    """What a heading of that name is linked by."""
    return name.lower().replace("/", "")


def cell(text: str) -> str:
    """The text as it may stand in a table."""
    return " ".join(text.split()).replace("|", r"\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
