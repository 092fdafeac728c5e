"""The page that a third person reads beside the sheet: every open case with its surroundings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from slant.report.escaping import visible
from slant.report.page import rendered

HEADINGS = {
    "trigger": "Is it a trigger?",
    "boundaries": "Where does it begin and end?",
    "first pass": "Is the bias in the article?",
}


def adjudication_page(record: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """The self-contained page of a merge's open cases.

    Args:
        record: merge.json, read.
        names: code of a bias -> its name, where it has one.

    Returns:
        HTML; all text in it is escaped.
    """
    cases = [_shown(case, names) for case in record["open"]]
    articles: dict[str, list[dict[str, Any]]] = {}
    for case in cases:
        articles.setdefault(case["article"], []).append(case)
    return rendered(
        "adjudication.html.j2",
        annotators=record["annotators"],
        articles=articles,
        number=len(cases),
        kept=sum(record["kept"].values()),
        rule=record["rule"],
    )


def _shown(case: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    name = names.get(case["bias"], case["bias"])
    sides = case["sides"] if case["kind"] == "boundaries" else {}
    return {
        "id": case["id"],
        "article": visible(case["article"]),
        "bias": case["bias"] if name == case["bias"] else f"{case['bias']} {name}",
        "heading": HEADINGS[case["kind"]],
        "who": _who(case),
        "why": case["why"],
        "markings": [{"who": "", **_marking(case["proposal"])}]
        if not sides
        else [{"who": who, **_marking(side)} for who, side in sides.items()],
    }


def _who(case: Mapping[str, Any]) -> str:
    rated = []
    for who in case["who"]:
        side = case["sides"].get(who, {})
        sure = side.get("confidence")
        rated.append(who if sure is None else f"{who}, confidence {sure:g}")
    return "; ".join(rated)


def _marking(marking: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "passages": [
            {
                "place": f"{one['start']}..{one['end']}",
                **{part: visible(one[part]) for part in ("before", "text", "after")},
            }
            for one in marking["spans"]
        ],
        "quotes": [visible(quote) for quote in marking["quotes"]],
        "note": visible(marking["note"]),
    }
