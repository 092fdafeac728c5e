"""Text cleaning: the seven steps of the official MBIB scripts, the minimal normalisation of the
clean preset, and the key by which two texts count as the same."""

from __future__ import annotations

import re
from html.entities import html5
from typing import Literal

import polars as pl

Cleaning = Literal["official", "minimal"]

# Steps 1 to 6 of the official cleaning in one pass: a user name, a link and every character that
# is no ASCII letter or digit all end up as one space, and a user name cannot start inside a link.
# A lone space is no match: it would become itself, and most matches would be such.
_GONE = r"@[A-Za-z0-9_]+|https?://[A-Za-z0-9./]+|[^A-Za-z0-9"
_OFFICIAL = rf"(?:{_GONE} ])(?:{_GONE}])*| (?:{_GONE}])+"

_LINK = (
    r"(?i)(?:\bhttps?://|\bwww\.)[^\s<>\"]*[^\s<>\".,;:!?'’”)\]]"
    r"|\bpic\.twitter\.com/\w+|\bhttps?(?::/?/?)?…|\bhtt?…|\bhttps?:(?://?)?(?:\s|$)"
)
_USER = r"(^|[^\w@])(?:@[A-Za-z0-9_]+)+"
_PLACEHOLDER = (
    r"\bMENTION[0-9]+\b|<(?:user|url|link|email|hashtag|happy|sad|wink|tong|laugh|angel|annoyed"
    r"|devil|heart|kiss|surprise|seallips|highfive)>|\[(?:USER|URL|user|url)\]"
)
_HASH = r"[#＃]+([\p{L}\p{N}_])"
_HASH_INSIDE = r"([\p{L}\p{N}_])[#＃]+([\p{L}\p{N}_])"
# The signs that are pictographs by Unicode's letter but punctuation or symbols in prose stay.
_EMOJI = (
    r"[\p{Extended_Pictographic}--[©®™‼⁉ℹ↔↕↖↗↘↙↩↪Ⓜ〰〽㊗㊙▪▫▶◀◻◼◽◾]]"
    r"[\x{FE0E}\x{FE0F}\x{200D}\x{1F3FB}-\x{1F3FF}\x{E0020}-\x{E007F}]*"
    r"|[\x{1F1E6}-\x{1F1FF}\x{1F3FB}-\x{1F3FF}\x{20E3}\x{FE0E}\x{FE0F}\x{E0020}-\x{E007F}]"
)
_EMOTICON = (
    r"(^|[\s.,!?])(?:(?:[:;][-o^'’]?[)(\]\[DPpOo3/\\|*$}{]+|=[-']?[)(\]\[DPp]+|:'[-]?[()]+"
    r"|[Xx]D+|</?3+|\^[_.-]?\^|-_+-|[oO][_.][oO0]|[tT][_.][tT]|>[_.]<|¯\\_\(ツ\)_/¯)"
    r"[.,!?]*)(?:$|[\s])"
)
_INVISIBLE = r"[\x{AD}\x{200B}\x{200E}\x{200F}\x{2060}\x{FEFF}\x{202A}-\x{202E}\x{2066}-\x{2069}]"

# The controls U+0080 to U+009F stay: they are what is left of mis-decoded letters.
_BLANK = r"[[\s\p{Z}\p{Cc}]--[ \x{80}-\x{84}\x{86}-\x{9F}]]"
_ENTITY = r"&(#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
# What a UTF-8 sequence looks like once its bytes were read as cp1252 or Latin-1. A closing quote
# after a capital (CAFÉ”) looks the same, so there a letter must follow.
_TAIL = "[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ•–—˜™š›œžŸ]"
_QUOTE = "[‘’“”]"
_ANY = f"(?:{_TAIL}|{_QUOTE})"
_MOJIBAKE = f"â{_ANY}{{2}}|ð[Ÿ\u009f]{_ANY}{{2}}|ï»¿|[ÂÃÄÅÎÏÐÑ]{_TAIL}"
_MOJIBAKE_QUOTE = f"[ÂÃÄÅÎÏÐÑ]{_QUOTE}(?=[^\\W\\d_])"
_REPAIRABLE = re.compile(f"(?:{_MOJIBAKE}|{_MOJIBAKE_QUOTE})+")
_LOST_NBSP = re.compile(r"(?<=[A-Za-z0-9.,;:!?)])Â(?= )")
# A question mark before an accented letter or a Latin-1 sign is a letter that was lost.
_DAMAGED = r"[\x{FFFD}\x{80}-\x{9F}]|â€|ï¿½|‰Û|ƒ\?|\?[¢-ª¬-º¼-¾À-ſƒ›]|[À-ſ]\?[?À-ſ]|ŽŸ"


def official_text(column: pl.Expr) -> pl.Expr:
    """The text as the official MBIB scripts leave it: ASCII letters, digits and single spaces.

    Rule: `@name` and links (up to their first sign other than a letter, digit, dot or slash)
    become a space, so does each run of characters outside A-Z, a-z, 0-9; then the letters
    "linebreak" are deleted wherever they stand. Nothing is stripped.

    Args:
        column: strings; null stays null.

    Returns:
        Strings; " " or "" where nothing is left.

    Source: Spinde et al. 2023 (MBIB), cleaning function of the official repository.

    >>> pl.select(official_text(pl.lit("@ann: don't miss http://a.b/c-d!"))).item()
    ' don t miss d '
    """
    return column.str.replace_all(_OFFICIAL, " ").str.replace_all("linebreak", "", literal=True)


def clean_text(column: pl.Expr) -> pl.Expr:
    """The text with everything gone that is not language: the minimal normalisation.

    Rule: HTML entities are decoded and mojibake is repaired where its bytes read as UTF-8; links,
    user names, placeholders of either, emoticons and emoji go; hash marks go and their word stays;
    white space is squeezed and stripped. Words, case, punctuation and letters of every alphabet
    stay as they are.

    Args:
        column: strings; null stays null.

    Returns:
        Strings; "" where nothing is left.

    Source: the clean preset, docs/presets; Spinde et al. 2023 (MBIB), section 3.3 for the kinds.

    >>> pl.select(clean_text(pl.lit("@ann Itâ€™s  #late &amp; cold :) http://t.co/x"))).item()
    'It’s late & cold'
    """
    text = column.map_batches(_repaired, return_dtype=pl.String)
    text = text.str.replace_all("?\u00ad", "\ufffd", literal=True)
    text = text.str.replace_all("[linebreak]", " ", literal=True)
    text = text.str.replace_all(_LINK, " ").str.replace_all(_USER, "${1} ")
    # Twice, here and below, because neighbours share a sign.
    text = text.str.replace_all(_PLACEHOLDER, " ").str.replace_all(_HASH_INSIDE, "$1 $2")
    text = text.str.replace_all(_HASH_INSIDE, "$1 $2").str.replace_all(_HASH, "$1")
    text = text.str.replace_all(_EMOJI, " ").str.replace_all(_INVISIBLE, "")
    text = text.str.replace_all(_BLANK, " ").str.replace_all(r" {2,}", " ")
    text = text.str.replace_all(_EMOTICON, "$1 ").str.replace_all(_EMOTICON, "$1 ")
    return text.str.replace_all(r" {2,}", " ").str.strip_chars(" ")


def damaged(column: pl.Expr) -> pl.Expr:
    """Whether characters of the text are lost: replacement signs, or mojibake beyond repair.

    Args:
        column: strings after `clean_text`; null gives null.

    Returns:
        Booleans, true where something is lost.

    Source: the clean preset, docs/presets.

    >>> pl.select(damaged(pl.lit("caf\\ufffd"))).item()
    True
    """
    return column.str.contains(_DAMAGED)


def key(column: pl.Expr) -> pl.Expr:
    """What two texts must share to count as the same: their letters and digits, case folded.

    Rule: NFKC, lower case (ß as ss, final sigma as sigma), then everything but letters, their
    marks and digits is dropped.

    Args:
        column: strings; null stays null.

    Returns:
        Strings; "" where the text has neither letter nor digit.

    Source: the clean preset, docs/presets.

    >>> pl.select(key(pl.lit("The  U.S. — “Straße” 2!"))).item()
    'theusstrasse2'
    """
    folded = column.map_batches(_folded, return_dtype=pl.String)
    return folded.str.replace_all(r"[^\p{L}\p{M}\p{N}]+", "")


def _repaired(texts: pl.Series) -> pl.Series:
    # Few rows need Python here: those with an entity or with a byte sequence in disguise.
    hint = texts.str.contains(r"&#?\w{1,31};|[ÂÃÄÅÎÏÐÑâðï][^\x00-\x7F]|[^\s]Â ")
    rows = hint.fill_null(False).arg_true()
    if not len(rows):
        return texts
    return texts.scatter(rows, pl.Series([_one_repaired(t) for t in texts.gather(rows)]))


def _one_repaired(text: str) -> str:
    # Some sources were escaped or mis-decoded twice.
    for _ in range(3):
        before = text
        text = re.sub(_ENTITY, _character, text)
        text = _LOST_NBSP.sub("", _REPAIRABLE.sub(_round_trip, text))
        if text == before:
            break
    return text


def _character(entity: re.Match[str]) -> str:
    name = entity[1]
    if not name.startswith("#"):
        return html5.get(name + ";", entity[0])
    code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    # Numbers 128 to 159 mean cp1252 in every browser; surrogates and zero mean nothing.
    if 0x80 <= code <= 0x9F:
        return bytes([code]).decode("cp1252", "replace")
    return chr(code) if 0 < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else "\ufffd"


def _round_trip(found: re.Match[str]) -> str:
    run = found[0]
    data = b"".join(c.encode("latin-1") if c <= "\u00ff" else c.encode("cp1252") for c in run)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return run


def _folded(texts: pl.Series) -> pl.Series:
    # Normalising is slow and changes nothing in ASCII.
    rows = texts.str.contains(r"[^\x00-\x7F]").fill_null(False).arg_true()
    lower = texts.str.to_lowercase()
    if not len(rows):
        return lower
    some = texts.gather(rows).str.normalize("NFKC").str.to_lowercase()
    some = some.str.replace_all("ß", "ss", literal=True).str.replace_all("ς", "σ", literal=True)
    return lower.scatter(rows, some)
