"""The card of a detector on a page: its Markdown is shown, nothing in it runs, loads or leaves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.report.analysiscards import card_html

html = pytest.importorskip("lxml.html")


def tags(text):
    root = html.fragment_fromstring(card_html(text), create_parent="div")
    return [one.tag for one in root.iter("*")][1:]


def test_headings_stand_below_those_of_the_page_and_lists_code_and_tables_are_kept():
    card = "# A card\n\n###### Low\n\nSome *words*.\n\n- one\n- `two`\n\n| a | b |\n| - | -: |\n| 1 | 2 |\n"
    found = tags(card)
    assert found[:6] == ["h4", "h6", "p", "em", "ul", "li"]
    assert {"code", "table", "th", "td"} <= set(found)
    root = html.fragment_fromstring(card_html(card), create_parent="div")
    assert root.text_content().split() == "A card Low Some words. one two a b 1 2".split()  # noqa: SIM905


def test_metadata_in_front_are_code_and_no_heading():
    found = str(card_html("---\nlicense: <mit>\ntags: [a]\n---\n# Card\n"))
    assert found.startswith("<pre><code>license: &lt;mit&gt;\ntags: [a]</code></pre>")
    assert "<h4>Card</h4>" in found
    assert "<h" not in found.split("<h4>", maxsplit=1)[0]


@pytest.mark.parametrize(
    "bad",
    [
        "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "![x](https://evil.example/p.png)",
        "[x](javascript:alert(1))", "[x](data:text/html,x)", "[x](//evil.example)", "[x](vbscript:x)",
        "<javascript:alert(1)>", "[x][y]\n\n[y]: javascript:alert(1)", "[x](JaVaScRiPt:alert(1))",
        "[x](java&#115;cript:alert(1))", "<div onclick=alert(1)>\n\ntext\n\n</div>",
        "```\n</code></pre><script>\n```", "`<script>`", "a\n<!-- b -->\nc",
    ],
)  # fmt: skip
def test_what_would_run_or_load_is_text(bad):
    root = html.fragment_fromstring(card_html(bad), create_parent="div")
    for one in root.iter("*"):
        assert one.tag in {"div", "p", "code", "pre", "a"}
        for name, value in one.attrib.items():
            assert (name, value.split(":")[0]) in {("href", "https"), ("href", "http")}


def test_an_address_of_the_web_is_a_link():
    (link,) = html.fragment_fromstring(card_html("[a](HTTPS://example.org/?a=1&b)")).iter("a")
    assert (link.get("href"), link.text) == ("HTTPS://example.org/?a=1&b", "a")


@given(st.text(alphabet="<>a[]()!`*#-|\n &;:/\"'\x00\u202e~=\\", max_size=60))
def test_no_card_makes_an_element_that_markdown_has_not(text):
    allowed = {"h4", "h5", "h6", "p", "em", "strong", "ul", "ol", "li", "code", "pre", "blockquote",
               "hr", "br", "a", "table", "thead", "tbody", "tr", "th", "td"}  # fmt: skip
    assert set(tags(text)) <= allowed
