"""Lines of wikitext without elements -> paragraphs."""

from __future__ import annotations

import re
from html import unescape

JOINT = "\x00"
"""Where something inside a line was dropped."""
BOX = "\x01"
"""Text from here to the line's end or to AFTER_BOX is in a box and no paragraph."""
AFTER_BOX = "\x02"
BREAK = "\x03"
INDENT = "\x04"
"""The blank that a line began with."""
_SKIPPED = frozenset(f"*#:;|{INDENT}")
_BLANK = f" \t{JOINT}"
_BOXED = re.compile(f"{BOX}[^{BOX}{AFTER_BOX}{BREAK}]*")
_QUOTES = re.compile("'{2,}")
_SWITCH = re.compile(r"__[A-Z]{3,}__")
_ADDRESS = re.compile(r"\b(?:https?|ftps?)://[^\s\[\]<>\"|]*[^\s\[\]<>\"|.,:;!?)]")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]\w{1,31});")
_PARTED = re.compile(rf"(?<=\w){JOINT}+(?=\w)")
_EMPTY = re.compile(r"[ \xa0]?\((?:[\s,;:]|\bor\b)*\)")
_OPENED = re.compile(r"\([\s,;]*[,;]\s*")
_UNSEEN = re.compile("[\u00ad\u200b\u200e\u200f\u2060\ufeff]")
_WORD = re.compile(r"\w")
_PROTECTED = str.maketrans(
    {mark: f"&#{ord(mark)};" for mark in "'*#:;=-_|{}[]<>/~()"} | {" ": "&#32;", "\n": "&#32;"}
)


def protected(text: str) -> str:
    """Text of which no mark is taken for markup, as inside `<nowiki>`.

    >>> protected("''x''")
    '&#39;&#39;x&#39;&#39;'
    """
    return text.translate(_PROTECTED)


def paragraphs(text: str) -> str:
    """The lines that are no heading, list, preformatted text or rest of a table, as paragraphs.

    Args:
        text: wikitext without templates, tables, links and tags, with the marks of this module in
            their place.

    Returns:
        Paragraphs with a blank line between them, entities decoded, white space as one blank.

    >>> paragraphs("One\\nline.\\n* item\\nTwo &amp; three.\\n== Head ==")
    'One line.\\n\\nTwo & three.'
    """
    if "__" in text:
        text = _SWITCH.sub("", text)
    marked = BOX in text or AFTER_BOX in text or BREAK in text
    done: list[str] = []
    lines: list[str] = []
    for given in text.split("\n"):
        line = given
        if (
            not line.strip(_BLANK)
            or (line[0] in _SKIPPED and not _is_block(line))
            or _is_else(line)
        ):
            _end(lines, done)
            continue
        if line.startswith("----"):
            _end(lines, done)
            line = line.lstrip("-")
        if not marked:
            lines.append(plain(line))
            continue
        first, *more = _BOXED.sub(BREAK, line).replace(AFTER_BOX, BREAK).split(BREAK)
        lines.append(plain(first))
        for part in more:
            _end(lines, done)
            lines.append(plain(part))
    _end(lines, done)
    return "\n\n".join(done)


def _is_block(line: str) -> bool:
    """Whether a blank before it is no indentation, since a block element stands in the line."""
    return line[0] == INDENT and (BREAK in line or BOX in line or AFTER_BOX in line)


def _is_else(line: str) -> bool:
    heading = line[0] == "=" and len(line) > 2 and line.rstrip(_BLANK)[-1] == "="
    return heading or line.startswith("{|")


def _end(lines: list[str], done: list[str]) -> None:
    if not lines:
        return
    text = " ".join(lines)
    lines.clear()
    if JOINT in text:
        text = _PARTED.sub(" ", text).replace(JOINT, "")
    if "://" in text:
        text = _ADDRESS.sub("", text)
    if "(" in text:
        # What templates with sounds and dates leave: "(; born 1905)" and "( )".
        text = _OPENED.sub("(", _EMPTY.sub("", text))
    if "&" in text:
        text = _ENTITY.sub(lambda found: unescape(found[0]), text)
    text = text.replace(INDENT, " ")
    text = " ".join((text if text.isascii() else _UNSEEN.sub("", text)).split())
    if _WORD.search(text):
        done.append(text)


def plain(line: str) -> str:
    """A line without bold and italic.

    Rule: of a run of four or more than five apostrophes those stay that are no mark. Where both
    bold and italic are left open, one bold was an apostrophe and an italic, as in l'''amour'':
    MediaWiki takes the first after a single letter, else the first after a word.

    >>> plain("'''Ada''' and l'''amour''")
    "Ada and l'amour"
    """
    if "''" not in line:
        return line
    runs = list(_QUOTES.finditer(line))
    lengths = [len(run[0]) for run in runs]
    bold = sum(length != 2 for length in lengths)
    italic = sum(length == 2 or length > 4 for length in lengths)
    kept = -1
    if bold % 2 and italic % 2:
        threes = [run.start() for run in runs if len(run[0]) in {3, 4}]
        letters = [at for at in threes if at and line[at - 1] != " "]
        single = [at for at in letters if at == 1 or line[at - 2] == " "]
        kept = min(single or letters or threes, default=-1)

    def left(run: re.Match[str]) -> str:
        length = len(run[0])
        return "'" * ((length == 4) + max(0, length - 5) + (run.start() == kept))

    return _QUOTES.sub(left, line)
