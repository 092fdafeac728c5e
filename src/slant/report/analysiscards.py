"""The card of a detector, written in Markdown, as HTML in which nothing runs or loads."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from slant.report.escaping import visible

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_DEEPER: Final = 3
"""Levels that headings are moved down by: they stand below the third level of a page."""
_LOWEST: Final = 6
_FRONT: Final = re.compile(r"---[ \t]*\n(.*?)\n---[ \t]*(?:\n|$)", re.S)


def card_html(text: str) -> Markup:
    """A card as HTML: headings, paragraphs, lists, tables, code.

    Rule: CommonMark and tables by markdown-it-py. HTML in the card is text like any other, an image
    is a link, and only addresses of http and https are links. Metadata in front, between lines of
    three hyphens, stand first as code. What is invisible is shown.

    Args:
        text: Markdown.

    Returns:
        HTML that can stand within a page, below a heading of the third level.

    >>> card_html("# A <b>card</b>").strip()
    Markup('<h4>A &lt;b&gt;card&lt;/b&gt;</h4>')
    """
    text = visible(text)
    front = _FRONT.match(text)
    head = Markup("")
    if front:
        text = text[front.end() :]
        head = Markup("<pre><code>{}</code></pre>\n").format(front[1])
    parser = _parser()
    tokens = parser.parse(text)
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(_LOWEST, int(token.tag[1:]) + _DEEPER)}"
    return head + Markup(parser.renderer.render(tokens, parser.options, {}))


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    class Parser(MarkdownIt):
        def validateLink(self, url: str) -> bool:  # noqa: N802
            return re.match(r"https?://", url, re.I) is not None

    parser = Parser("commonmark", {"html": False})
    parser.enable("table").disable(["image", "autolink"])
    return parser
