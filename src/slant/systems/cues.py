"""Surface cues: words that often stand where a bias is triggered, whether or not one is."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from slant.data.schemas import Schema
from slant.errors import unknown_name
from slant.systems.lexicon import negative_valence
from slant.types import Span

SURFACE = ("B02", "B04", "B06")
"""The biases whose surface cues the BAIT paper looks for: negative words, authority, the past."""

_TOKEN = re.compile(r"(?<!\w)[^\W\d_]+(?:['-][^\W\d_]+)*(?!\w)")


@dataclass(frozen=True, slots=True)
class Cues:
    """The surface cues of one bias.

    Fields:
        says: what they are, in a few words.
        names: what a schema may call the bias.
        wanted: their words and patterns, None where there are none.
        negative: whether the negative words of VADER belong to them.
    """

    says: str
    names: tuple[str, ...]
    wanted: re.Pattern[str] | None
    negative: bool


@lru_cache(maxsize=1)
def packaged_cues() -> Mapping[str, Cues]:
    """The cues that the package holds, by the code that their bias has in the schema `bait`.

    >>> sorted(packaged_cues()), packaged_cues()["B06"].says
    (['B01', 'B02', 'B03', 'B04', 'B05', 'B06', 'B07', 'B08', 'B09'], 'references to the past')
    """
    content = files("slant.systems").joinpath("surfacecues.toml").read_text(encoding="utf-8")
    cues = {}
    for code, entry in tomllib.loads(content).items():
        parts = [_word_pattern(entry["words"])] if "words" in entry else []
        parts += entry.get("patterns", ())
        wanted = re.compile("|".join(f"(?:{part})" for part in parts)) if parts else None
        negative = entry.get("negative", False)
        cues[code] = Cues(entry["says"], tuple(entry["names"]), wanted, negative)
    return cues


def cue_spans(bias: str, text: str) -> list[Span]:
    """Where the surface cues of a bias stand.

    Args:
        bias: code in `packaged_cues`.
        text: an article or a passage; a curly apostrophe counts as a straight one.

    Returns:
        Spans from left to right that do not overlap; of cues that do, the one that starts first.

    Raises:
        UnknownName: there are no cues under this code.

    Source: BAIT paper, section 7.4, for the kinds of B02, B04 and B06; Hutto and Gilbert, VADER
        (2014), for the negative words.

    >>> cue_spans("B06", "In 1954 it was no longer so.")
    [Span(start=3, end=7), Span(start=15, end=24)]
    >>> cue_spans("B02", "A dreadful day"), cue_spans("B04", "Prof. Elm disagrees")
    ([Span(start=2, end=10)], [Span(start=0, end=5)])
    """
    cues = _known(bias)
    plain = text.replace("’", "'").replace("‘", "'")
    spans = [Span(*m.span()) for m in cues.wanted.finditer(plain)] if cues.wanted else []
    if cues.negative:
        spans += [Span(*m.span()) for m in _TOKEN.finditer(plain) if _negative(m.group())]
    free: list[Span] = []
    for span in sorted(spans, key=lambda one: (one.start, -one.end)):
        if not free or span.start >= free[-1].end:
            free.append(span)
    return free


def has_cue(bias: str, text: str) -> bool:
    """Whether a passage holds a surface cue of a bias; arguments as in `cue_spans`.

    >>> has_cue("B04", "according to a study"), has_cue("B04", "The man who said so")
    (True, False)
    """
    cues = _known(bias)
    plain = text.replace("’", "'").replace("‘", "'")
    if cues.wanted and cues.wanted.search(plain):
        return True
    return cues.negative and any(_negative(m.group()) for m in _TOKEN.finditer(plain))


def cue_keys(schema: Schema) -> dict[str, str]:
    """Which biases of a schema have surface cues, and under which code the package holds them.

    A bias is recognised by its name, letters and digits alone, or by its code where the schema
    gives it no other name: the code B04 of another schema may mean another thing.

    Args:
        schema: of any articles.

    Returns:
        Code in the schema -> code in `packaged_cues`, in the schema's order; empty where none is
        recognised.

    >>> from slant.data.schemas import load_schema
    >>> cue_keys(load_schema("bait"))["B04"], cue_keys(load_schema("ptc"))["Appeal_to_Authority"]
    ('B04', 'B04')
    """
    keys = {_plain(name): code for code, cues in packaged_cues().items() for name in cues.names}
    found = {}
    for bias in schema.biases:
        names = [_plain(bias.name), _plain(bias.code)]
        key = next((keys[name] for name in names if name in keys), None)
        if key is None and bias.code == bias.name and bias.code in packaged_cues():
            key = bias.code
        if key is not None:
            found[bias.code] = key
    return found


def _known(bias: str) -> Cues:
    if bias not in packaged_cues():
        raise unknown_name("bias with surface cues", bias, packaged_cues())
    return packaged_cues()[bias]


@lru_cache(maxsize=100_000)
def _negative(word: str) -> bool:
    return negative_valence(word) > 0


def _plain(name: str) -> str:
    return "".join(one for one in name.casefold() if one.isalnum())


def _word_pattern(listed: str) -> str:
    """One pattern for a list of words, the longest first, so that a phrase wins over its start."""
    words = sorted(
        {" ".join(word.split()) for word in listed.split("|")}, key=lambda w: (-len(w), w)
    )
    # Under their first letters, so that few alternatives are tried where a word begins.
    rests: dict[str, list[str]] = {}
    for word in filter(None, words):
        rest = re.escape(word[1:]).replace(r"\(s\)", "s?")
        rest = rest.replace(r"\ ", r"[\s-]+").replace(r"\-", "-")
        rests.setdefault(re.escape(word[0]), []).append(rest)
    parts = "|".join(f"{first}(?:{'|'.join(some)})" for first, some in rests.items())
    return rf"(?i:(?<!\w)(?:{parts})(?!\w))"
