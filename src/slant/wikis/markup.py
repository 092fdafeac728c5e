"""Wikitext -> running text, in one pass over the tokens of the markup."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Set
from typing import NamedTuple

from slant.wikis.elements import BREAKS, HIDDEN, INLINE, NESTED, PARTS, RAW, RAW_BLOCKS
from slant.wikis.lines import (
    AFTER_BOX,
    BOX,
    BREAK,
    INDENT,
    JOINT,
    paragraphs,
    plain,
    protected,
)

_BOXES = re.compile(
    r"class\s*=[^>]*\b(?:infobox|navbox|thumb|hatnote|dablink|sidebar|toc|noprint|metadata|"
    r"messagebox|reflist|gallery)|float\s*:\s*(?:left|right)|display\s*:\s*none",
    re.I,
)
_TOKEN = re.compile(
    r"""(
      \{\{+ | \}\}+
    | \[\[[^][{}<>\n]*\]\]
    | \[\[ | \]+
    | \[(?:https?:|ftps?:|mailto:|irc:|news:|//)[^][{}<>\s]*
    | <(?i:nowiki)\s*>(?:(?!<(?i:nowiki)).)*?</(?i:nowiki)\s*>
    | <!--(?:.*?-->|.*)
    | </?[a-zA-Z][^<>]*>
    | \n[\x04 \t:]*(?:\{\|(?!\}) | \|\}(?!\}) | <!--(?:[^-]|-(?!->))*-->[ \t]*(?=\n))
    )""",
    re.X | re.S,
)
_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)")
_CLOSED = re.compile(r"</([a-zA-Z][a-zA-Z0-9]*)\s*>")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z-]+)?:\S")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f]")
_MARKS = (JOINT, BOX, AFTER_BOX, BREAK, INDENT, "\r")
_APOSTROPHES = frozenset({"'", "'s", "`", "`s"})
_CHUNKS_OF_A_TARGET = 8
_NOTHING = f" {JOINT}"
_BARRIERS = frozenset({"{{", "{|", "[["})


class _Open(NamedTuple):
    """What was opened and not closed yet, where its content begins, and whether it is dropped."""

    kind: str
    start: int
    dropped: bool
    braces: int = 0


def markup_text(wikitext: str, hidden: Set[str] = HIDDEN) -> str:
    """The running text of a page in wikitext.

    Rule: the lines that MediaWiki would make paragraphs of. Templates, tables, files, categories,
    references, comments, maths, headings, lists, indented and preformatted lines are dropped with
    what they hold; links, bold and italic leave their text. Templates are not expanded. A bracket
    without a partner is dropped alone: what follows it stays. Time is linear in the length.

    Args:
        wikitext: the source of a page.
        hidden: lower-case names of the namespaces whose links show nothing.

    Returns:
        Paragraphs with a blank line between them; "" where the page has none.

    Source: Knoche et al. 2019, section 3.1; MediaWiki's own parser for what is a paragraph.

    >>> markup_text("{{Box|a={{b}}}}'''Ada''' [[writing|wrote]].<ref>No</ref>\\n* item\\n== A ==")
    'Ada wrote.'
    """
    if any(mark in wikitext for mark in _MARKS):
        wikitext = _CONTROL.sub("", wikitext)
    text = f"\n{wikitext}".replace("\n ", f"\n{INDENT}")
    return paragraphs("".join(_Scan(text, hidden).kept()))


class _Scan:
    """One pass over a page: what is kept, and what is open."""

    def __init__(self, text: str, hidden: Set[str]) -> None:
        self.pieces = _TOKEN.split(text)
        self.hidden = hidden
        self.out: list[str] = []
        self.open: list[_Open] = []
        self.counts: Counter[str] = Counter()
        self.closings: dict[str, list[int]] = {}
        for place in range(len(self.pieces) - 2, 0, -2):
            if self.pieces[place].startswith("</") and (found := _CLOSED.match(self.pieces[place])):
                self.closings.setdefault(found[1].lower(), []).append(place)

    def kept(self) -> list[str]:
        """The pieces of text that no dropped element holds."""
        pieces, out = self.pieces, self.out
        place, end = 0, len(pieces)
        while True:
            if pieces[place]:
                out.append(pieces[place])
            place += 1
            if place == end:
                return out
            token = pieces[place]
            mark = token[0]
            if mark == "[":
                self.bracket(token)
            elif mark == "]":
                self.close_brackets(len(token))
            elif mark == "{":
                self.push("{{", True, len(token))
            elif mark == "}":
                self.close_braces(len(token))
            elif mark == "<":
                place = self.tag(token, place)
            else:
                self.line(token)
            place += 1

    def push(self, kind: str, dropped: bool, braces: int = 0) -> None:
        self.open.append(_Open(kind, len(self.out), dropped, braces))
        self.counts[kind] += 1

    def pop(self) -> _Open:
        last = self.open.pop()
        self.counts[last.kind] -= 1
        return last

    def drop(self, start: int, block: bool = False) -> None:
        """Forget what was kept from `start` on, and leave a mark in its place."""
        del self.out[start:]
        self.out.append(BREAK if block else JOINT)

    def bracket(self, token: str) -> None:
        if token[-1] == "]":
            text = self.shown(token[2:-2])
            if text is None:
                self.drop(len(self.out))
            elif text:
                self.out.append(text)
        else:
            self.push("[[" if token == "[[" else "[", False)

    def shown(self, link: str) -> str | None:
        """What a link shows; None where it shows nothing."""
        target, pipe, text = link.partition("|")
        space, colon, _ = target.partition(":")
        if colon:
            if space.strip().lower() in self.hidden or (not pipe and _LANGUAGE.match(target)):
                return None
            if not space:
                target = target[1:]
        return plain(text or target)

    def close_brackets(self, number: int) -> None:
        while number:
            if self.open and self.open[-1].kind == "[":
                self.pop()
                number -= 1
            elif number > 1 and self.reached("[["):
                self.close_link(self.pop().start)
                number -= 2
            else:
                self.out.append("]" * number)
                return

    def reached(self, kind: str) -> bool:
        """Whether one of this kind is open and now the last; what was opened in it is given up."""
        if not self.counts[kind]:
            return False
        while self.open[-1].kind != kind:
            if self.open[-1].kind in _BARRIERS:
                return False
            self.pop()
        return True

    def close_link(self, start: int) -> None:
        out = self.out
        # The target stands in the first piece, or in the next where a template is part of it.
        for place in range(start, min(len(out), start + _CHUNKS_OF_A_TARGET)):
            target, pipe, text = out[place].partition("|")
            if place == start and target.partition(":")[0].strip().lower() in self.hidden:
                self.drop(start)
                return
            if pipe:
                shown = any(piece.strip(_NOTHING) for piece in out[place + 1 : place + 3])
                out[start : place + 1] = [text if text.strip() or shown else target]
                return

    def close_braces(self, number: int) -> None:
        while number > 1 and self.counts["{{"]:
            while self.open[-1].kind != "{{":
                self.pop()
            last = self.pop()
            used = min(last.braces, number)
            number -= used
            if last.braces - used > 1:
                self.open.append(last._replace(braces=last.braces - used))
                self.counts["{{"] += 1
            elif len(self.out) == last.start + 1 and self.out[last.start] in _APOSTROPHES:
                self.out[last.start :] = ["'", self.out[last.start][1:]]
            else:
                self.drop(last.start)

    def line(self, token: str) -> None:
        if token.endswith("{|"):
            self.push("{|", True)
            # Left where the table is never closed, so that this line can be told from text.
            self.out.append("\n{|")
        elif token.endswith("|}"):
            if self.counts["{|"]:
                while self.open[-1].kind != "{|":
                    self.pop()
                self.drop(self.pop().start, block=True)
                self.out[-1:] = ["\n", BREAK]
            else:
                self.out.append("\n")

    def tag(self, token: str, place: int) -> int:
        """Take a tag or comment; the place of the last token that it took."""
        if token[1] == "!":
            return place
        name = _name(token)
        closing, alone = token[1] == "/", token[-2] == "/"
        if name in RAW or name in RAW_BLOCKS:
            if not closing and not alone:
                place = self.closing(name, place)
            block = name in RAW_BLOCKS and not closing and "inline" not in token
            self.drop(len(self.out), block)
        elif name == "nowiki" and token[-1] == ">" and "</" in token and not closing:
            self.out.append(protected(token[token.index(">") + 1 : token.rindex("</")]))
        elif name in NESTED or name in {"div", "span"}:
            self.nested(name, token, closing, alone)
        elif name in PARTS:
            self.out.append(AFTER_BOX if closing else BOX)
        elif name in BREAKS:
            self.out.append(BREAK)
        elif name == "br":
            self.out.append(" ")
        elif name not in INLINE:
            self.out.append(token)
        return place

    def closing(self, name: str, place: int) -> int:
        """The place of the next closing tag of this name, or the same place where there is none."""
        places = self.closings.get(name, [])
        while places and places[-1] < place:
            places.pop()
        return places[-1] if places else place

    def nested(self, name: str, token: str, closing: bool, alone: bool) -> None:
        if closing:
            last = self.pop() if self.reached(name) else None
            if last is not None and last.dropped:
                self.drop(last.start, block=name != "span")
            elif name == "div":
                self.out.append(AFTER_BOX)
        elif not alone:
            dropped = name in NESTED or bool(_BOXES.search(token))
            self.push(name, dropped)
            if name == "div":
                self.out.append(BOX)


def _name(tag: str) -> str:
    found = _TAG.match(tag)
    return found[1].lower() if found else ""
