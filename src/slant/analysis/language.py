"""The language of a text, so that detectors of English are not asked about another."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from slant.analysis.limits import check_packages
from slant.errors import OptionError

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


_CODES: Final = frozenset(
    """aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy
    da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy
    hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li
    ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa
    pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th
    ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu""".split()  # noqa: SIM905
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
    otherwise = ", or say which it is: --language en"
    check_packages(["py3langid"], "Telling the language of a text", otherwise)
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def language_code(given: str | None) -> str | None:
    """The code of a language that somebody gave, in small letters; None for none.

    Raises:
        OptionError: it is no code of ISO 639-1.

    >>> language_code(" EN "), language_code("")
    ('en', None)
    """
    code = (given or "").strip().lower()
    if code and code not in _CODES:
        found = "it is no code of a language in ISO 639-1"
        raise OptionError(f"Reading the language '{(given or '')[:20]}'", found,
                          "Give one such as en, or leave it out")  # fmt: skip
    return code or None
