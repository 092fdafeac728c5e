"""Parsed MediaWiki HTML -> running text: the words of paragraphs, and nothing beside them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

CONTAINERS = frozenset(
    {
        "div",
        "section",
        "blockquote",
        "center",
        "main",
        "article",
        "body",
        "font",
        "span",
        "noscript",
    }
)
"""Elements that paragraphs are looked for in; what stands in any other is no running text."""
BOXES = frozenset(
    {"hatnote", "dablink", "rellink", "disambig", "navbox", "vertical-navbox", "navbar",
     "sidebar", "infobox", "toc", "toccolours", "thumb", "thumbinner", "thumbcaption",
     "gallery", "gallerybox", "floatleft", "floatright", "tleft", "tright", "reflist",
     "references", "refbegin", "mw-references-wrap", "mbox", "ambox", "tmbox", "cmbox", "ombox",
     "fmbox", "mbox-small", "messagebox", "notice", "metadata", "noprint", "catlinks",
     "printfooter", "mw-editsection", "sistersitebox", "side-box", "shortdescription",
     "quotebox", "mw-indicators", "mw-jump-link", "siteSub", "contentSub", "mw-headline",
     "mw-heading", "mw-highlight", "mw-math-element", "mwe-math-element",
     "mw-kartographer-container", "mw-inputbox-centered", "topicon", "geo-default",
     "geo-nondefault", "geo", "vcard", "succession-box", "portal", "portalbox", "portal-bar",
     "stub", "asbox", "authority-control", "navigation-not-searchable"}
)  # fmt: skip
"""Classes of boxes, notes, navigation, captions and maths."""
MARKS = frozenset(
    {"reference", "mw-ref", "mw-cite-backlink", "mw-editsection", "Inline-Template",
     "inline-template", "noprint", "mwe-math-element", "mwe-math-fallback-image-inline",
     "mw-ext-cite-error", "error", "geo", "geo-nondefault", "geo-default", "coordinates",
     "plainlinks-coordinates", "autonumber", "free", "mw-tmh-player", "mediaContainer",
     "mwe-math-fallback-source-inline", "mwe-math-fallback-source-display",
     "mwe-math-fallback-png-inline", "texhtml", "mw-highlight", "nourlexpansion", "sortkey",
     "metadata", "audiolink", "listen-inline"}
)  # fmt: skip
"""Classes of what stands inside a paragraph and is not read with it."""
BESIDE = frozenset(
    {"style", "script", "math", "annotation", "table", "ul", "ol", "dl", "img", "audio",
     "video", "object", "svg", "figure", "figure-inline", "button", "input", "select",
     "textarea", "template", "rt", "rp", "link", "meta", "noscript", "pre"}
)  # fmt: skip
"""Elements inside a paragraph that are not read with it."""
AIDS = frozenset({"navigation", "note", "complementary", "presentation", "search"})
_HIDDEN = re.compile(r"display\s*:\s*none|float\s*:|position\s*:\s*(?:absolute|fixed)", re.I)
DEEPEST = 512
"""Blocks within one another; Chromium and WebKit nest no deeper either."""
_MANY = 5000
_BLOCK = re.compile(
    r"<(/?)(?:div|section|blockquote|center|article|main|aside|details|fieldset|figure|ul|ol|dl|li"
    r"|dd|dt|address|dir|menu|nav|header|footer|form|h[1-6])\b[^<>]*>",
    re.IGNORECASE,
)
_SOURCE = re.compile(
    r"<(math|chem|ce|hiero|score|timeline|graph|source|syntaxhighlight)\b(?:(?!<\1\b).)*?</\1>",
    re.DOTALL,
)
_UNSEEN = re.compile("[\u00ad\u200b\u200e\u200f\u2060\ufeff]")


def page_text(html: str) -> str:
    """The running text of a parsed page.

    Rule: the text of every `<p>` that stands in no table, list, caption, box, note or navigation;
    without reference marks, edit links, maths, coordinates, bare addresses, hidden and unprinted
    parts. White space counts as one blank; soft hyphens and marks of no width are dropped.

    Args:
        html: what `action=parse` returns, or a whole page as a browser gets it.

    Returns:
        Paragraphs with a blank line between them; "" where the page has none.

    Source: Knoche et al. 2019, section 3.1: "HTML tags and non-continuous text structures (e.g.,
    tables, image captions, enumerations and references)" are removed.

    >>> page_text('<h2>Life</h2><p>Ada <b>wrote</b>.<sup class="reference">[1]</sup></p><ul>...')
    'Ada wrote.'
    """
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(_flattened(html))
    start = tree.css_first("#mw-content-text") or tree.body
    if start is None:
        return ""
    return "\n\n".join(text for one in _paragraphs(start) if (text := _read(one)))


def _flattened(html: str) -> str:
    """The page without the blocks that are nested deeper than browsers nest them.

    A parser looks up through all open blocks at each new one: time would be quadratic in depth.
    """
    if html.count("<") < _MANY:
        return html
    depth = 0

    def kept(tag: re.Match[str]) -> str:
        nonlocal depth
        depth += 0 if tag[1] else 1
        is_deep = depth > DEEPEST
        depth -= 1 if tag[1] and depth else 0
        return "" if is_deep else tag[0]

    return _BLOCK.sub(kept, html)


def _paragraphs(start: Any) -> Iterator[Any]:
    # Walks by hand and never into a table or list: most of a page's elements are never looked at.
    node = start.first_child
    while node is not None:
        tag = node.tag
        if tag == "p":
            if not _dropped(node, BOXES):
                yield node
        elif tag in CONTAINERS and node.first_child is not None and not _dropped(node, BOXES):
            node = node.first_child
            continue
        node = _following(node, start)


def _following(node: Any, top: Any) -> Any:
    """The node after this one and all in it, None where `top` ends."""
    while node.next is None:
        node = node.parent
        if node is None or node.mem_id == top.mem_id:
            return None
    return node.next


def _read(paragraph: Any) -> str:
    parts: list[str] = []
    node = paragraph.first_child
    while node is not None:
        if node.is_text_node:
            parts.append(node.text_content or "")
        elif node.is_element_node:
            tag = node.tag
            if tag == "br":
                parts.append(" ")
            elif tag == "a" and _is_missing_template(node):
                parts.append(_behind(node))
            elif tag not in BESIDE and not _dropped(node, MARKS):
                child = node.first_child
                if child is not None:
                    node = child
                    continue
        node = _following(node, paragraph)
    text = "".join(parts)
    if "</" in text:
        # Where the extension is missing, a wiki shows its elements as they were written.
        text = _SOURCE.sub("", text)
    return " ".join((text if text.isascii() else _UNSEEN.sub("", text)).split())


def _dropped(node: Any, classes: frozenset[str]) -> bool:
    attributes = node.attributes
    if not attributes:
        return False
    names = attributes.get("class")
    if names and not classes.isdisjoint(names.split()):
        return True
    style = attributes.get("style")
    if style and _HIDDEN.search(style):
        return True
    if attributes.get("role") in AIDS:
        return True
    name = attributes.get("id")
    return name in {"toc", "coordinates", "siteSub", "catlinks", "jump-to-nav", "mw-navigation"}


def _is_missing_template(link: Any) -> bool:
    attributes = link.attributes
    return attributes.get("class") == "new" and (attributes.get("title") or "").startswith(
        "Template:"
    )


def _behind(link: Any) -> str:
    """The letters behind a missing template's name, which MediaWiki takes into the link."""
    text: str = link.text()
    title = link.attributes["title"]
    letters = enumerate(zip(text, title, strict=False))
    same = next((at for at, (one, other) in letters if one != other), min(len(text), len(title)))
    return text[same:]
