"""The language of a text, so that detectors of English are not asked about another."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from slant.analysis.limits import check_packages

SURE: Final = 0.6
"""Probability from which on a language other than English is believed. Of the 3,674 English
sentences of BABE none reaches .44 for another; a sentence of one rarely stays below .6."""
LEAST_LETTERS: Final = 20
"""Letters below which nothing is told: a headline of a few names has no language."""
_LONGEST: Final = 3_000
_NONE: Final = "zxx"
_NAMES: Final = dict(
    pair.split(":")
    for pair in """ar:Arabic bg:Bulgarian bn:Bengali ca:Catalan cs:Czech da:Danish de:German
    el:Greek es:Spanish et:Estonian fa:Persian fi:Finnish fr:French he:Hebrew hi:Hindi hr:Croatian
    hu:Hungarian id:Indonesian it:Italian ja:Japanese ko:Korean lt:Lithuanian lv:Latvian
    nb:Norwegian nl:Dutch no:Norwegian
    pl:Polish pt:Portuguese ro:Romanian ru:Russian sk:Slovak sl:Slovenian
    sr:Serbian sv:Swedish sw:Swahili ta:Tamil th:Thai tr:Turkish uk:Ukrainian ur:Urdu vi:Vietnamese
    zh:Chinese""".split()  # noqa: SIM905
)


def text_language(text: str) -> str:
    """The language of a text.

    Rule: py3langid, whose naive Bayes model counts byte n-grams of 140 languages, on the first
    3,000 characters. English where it is the likeliest; another language where its probability
    is at least `SURE`; "" (not told) for fewer than `LEAST_LETTERS` letters and in between.

    Args:
        text: of any length.

    Returns:
        ISO 639-1 code, or "".

    Raises:
        MissingExtra: py3langid is not installed.
    """
    begun = text[:_LONGEST]
    if sum(map(str.isalpha, begun)) < LEAST_LETTERS:
        return ""
    code, probability = _identifier().classify(begun)
    return str(code) if code == "en" or (probability >= SURE and code != _NONE) else ""


def why_not_english(code: str) -> str:
    """Why a text in this language is not looked at; "" for English and where nothing is told.

    >>> why_not_english("de"), why_not_english("en")
    ('It is not in English but in German (de), which no detector here was made for.', '')
    """
    if code in {"", "en"}:
        return ""
    named = f"{_NAMES[code]} ({code})" if code in _NAMES else f"the language '{code}'"
    return f"It is not in English but in {named}, which no detector here was made for."


@cache
def _identifier() -> Any:
    check_packages(["py3langid"], "Telling the language of a text")
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
