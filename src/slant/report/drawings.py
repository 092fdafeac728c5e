"""Figures drawn: SVG for the page, SVG and PDF for files."""

from __future__ import annotations

import re

from markupsafe import Markup

from slant.report.figures import (
    COLOURS,
    INK,
    Figure,
    Spec,
    figure_spec,
    panel_spec,
)

_VERSION = "5.21"
# Outlines of Vega's symbols in a box of 14 by 14, for the key that the page writes itself.
_KEYS = {
    "circle": '<circle cx="7" cy="7" r="4.5"/>',
    "square": '<rect x="3" y="3" width="8" height="8"/>',
    "triangle-up": '<path d="M7 2 12 11H2Z"/>',
    "triangle-down": '<path d="M7 12 12 3H2Z"/>',
    "triangle-right": '<path d="M12 7 3 12V2Z"/>',
    "diamond": '<path d="M7 1.5 11.5 7 7 12.5 2.5 7Z"/>',
    "cross": '<path d="M5 2h4v3h3v4H9v3H5V9H2V5h3Z"/>',
}


def figure_svg(figure: Figure) -> str:
    """The figure as an SVG file; the same bytes for the same figure."""
    return _svg(figure_spec(figure))


def figure_pdf(figure: Figure) -> bytes:
    """The figure as a PDF file."""
    import vl_convert

    return bytes(vl_convert.vegalite_to_pdf(figure_spec(figure), vl_version=_VERSION))


def _svg(spec: Spec) -> str:
    import vl_convert

    return str(vl_convert.vegalite_to_svg(spec, vl_version=_VERSION))


def figure_html(figure: Figure) -> Markup:
    """The figure for the page: panels that wrap on a narrow one, a key, and its caption."""
    panels = []
    for number, panel in enumerate(figure.panels, 1):
        svg = _inline(_svg(panel_spec(panel)), f"{figure.name}-{number}")
        title = str(panel.get("title", ""))
        label = f"{figure.alt}: {title}" if title else figure.alt
        opening = Markup('<svg role="{}" aria-label="{}. The same numbers are in table {}."')
        # A mark that can be reached inside an image would have no name of its own.
        role = "group" if "<title>" in svg else "img"
        svg = svg.replace("<svg", opening.format(role, label, figure.table), 1)
        heading = Markup('<p class="panel-title">{}</p>').format(title) if title else ""
        panels.append(Markup('<div class="panel">{}{}</div>').format(heading, Markup(svg)))
    return Markup(
        '<figure id="figure-{0}" class="figure panels-{1}">\n{2}<div class="panels">{3}</div>\n'
        '<figcaption>{4} Numbers: <a href="#table-{5}">table</a>.</figcaption>\n</figure>'
    ).format(
        figure.name,
        min(len(figure.panels), figure.columns),
        _key(figure),
        Markup("\n").join(panels),
        figure.caption,
        figure.table,
    )


def _key(figure: Figure) -> Markup:
    item = Markup(
        '<li><svg class="key" viewBox="0 0 14 14" fill="{}" aria-hidden="true">{}</svg>{}</li>'
    )
    items = [
        item.format(_variable(colour), Markup(_KEYS[shape]), label)
        for label, colour, shape in figure.series
    ]
    for dash, text in figure.bars:
        line = Markup('<path d="M7 1V13" stroke="currentColor" stroke-width="2"{}/>').format(
            Markup(' stroke-dasharray="{}"').format(" ".join(map(str, dash))) if dash else ""
        )
        items.append(item.format("currentColor", line, text))
    if not items:
        return Markup("")
    return Markup('<ul class="keys">') + Markup("").join(items) + Markup("</ul>\n")


def _variable(colour: str) -> str:
    return f"var(--series-{COLOURS.index(colour) + 1})"


def _titled(svg: str) -> str:
    """Marks that have a description can be reached, and show it on hover and focus: as a title,
    and as a line of text below the plot."""
    below = re.search(r'class="background" aria-hidden="true" d="M0,0h[\d.]+v([\d.]+)', svg)
    line = float(below[1]) + 50 if below else 0
    return re.sub(
        r'<path aria-label="([^"]*)" role="graphics-symbol" aria-roledescription="[^"]*"([^>]*)/>',
        lambda found: (
            f'<path class="told" tabindex="0" role="img" aria-label="{found[1]}"{found[2]}>'
            f"<title>{found[1]}</title></path>"
            f'<text class="tip" y="{line:g}" aria-hidden="true">{found[1]}</text>'
        ),
        svg,
    )


def _inline(svg: str, prefix: str) -> str:
    svg = svg.replace(INK, "currentColor")
    for colour in COLOURS:
        svg = svg.replace(colour, _variable(colour))
    # Two drawings of one page must not share ids, and the page sets the size.
    svg = re.sub(r'id="([^"]+)"', rf'id="{prefix}-\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{prefix}-\1)", svg)
    svg = _titled(svg)
    size = re.search(r'width="([\d.]+)" height="([\d.]+)" viewBox', svg)
    if size:
        svg = svg.replace(size[0], f'style="max-width:{size[1]}px" viewBox', 1)
    return re.sub(r' xmlns(:xlink)?="[^"]+"', "", svg)
