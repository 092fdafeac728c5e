"""Pages of hostile articles, read back by lxml: the text is whole, and nothing of it is markup.

By hand, for more articles: python tests/report/test_analysis_fuzz.py 5000
"""

from __future__ import annotations

import sys
from functools import cache

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from slant.analysis.analyses import DetectorFacts, KindFacts
from slant.analysis.analysisjson import analysis_json
from slant.analysis.article import Article
from slant.analysis.linear import KindWeights, LinearDetector, Weights
from slant.analysis.reading import analysed
from slant.data.schemas import load_schema
from slant.report.analysisarticles import article_page
from slant.types import Undefined

html = pytest.importorskip("lxml.html")

PIECES = (
    "<script>alert(1)</script>", "</script>", "</style><style>*{display:none}", "<!--", "-->", "]]>",
    "<![CDATA[", "</div></div>", "</main></body></html>", "<img src=x onerror=alert(1)>", "&amp;",
    "&#60;b&#62;", "<b>", "\"'><svg onload=alert(1)>", "{{ 7*7 }}", "{% raw %}", "javascript:alert(1)",
    "<base href=//evil.example>", "<meta http-equiv=refresh content=0>", "</textarea>", "<plaintext>",
    "مرحبا بالعالم. ", "שלום. ", "\u202e", "\u202d", "\u2066", "\u2069", "\u200f", "\u200b", "\ufeff",
    "😀", "👩‍👩‍👧‍👦", "e\u0301\u0301", "\x00", "\x1b[31m", "\x7f", "\x85", "\x0c", "\ufffe", "\U0001fffe",
    "\u2028", "\r", "\r\n", "\n\n", "\t", " ", ". ", "! ", "“", "”", "‘‘", "''", '"', "«", "»",
    "vile ", "nice ", "plan ", "regime ", "experts say ", "always ", "so-called ", "They were. ",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=12), max_size=30).map("".join)
ARTICLES = st.builds(
    Article, st.just("a"), TEXTS, title=TEXTS, outlet=TEXTS, date=TEXTS, topic=TEXTS, url=TEXTS,
    origin=TEXTS, why=st.just("") | TEXTS,
)  # fmt: skip
KEPT = {"\n", "\t"}


def made_detector(name: str, card: str = "") -> LinearDetector:
    """vile 3, nice -3, plan 0; one kind."""
    unknown = Undefined("<u>")
    kind = KindFacts("<k>", "", ("<b>",), 1, 2, unknown, unknown, 0.1, 0.6, "<c>", good=True)
    facts = DetectorFacts(
        name, "<t>", "<says>", Undefined("<why>"), "<m>", 0.5, "<c>", card=card, card_text=card,
        signature=card, kinds=(kind,),
    )  # fmt: skip
    weights = Weights(
        ("nice", "plan", "vile"), np.ones(3), np.array([[-3.0, 0, 3]]), np.zeros(1), 1
    )
    kinds = KindWeights(np.array([[0.0, 0.0, 2.0]]), np.ones(1), np.ones(1))
    return LinearDetector(facts, weights, kinds=kinds)


def shown(text: str) -> str:
    """A text as a page shows it: line ends as one; what is invisible and no text as pictures."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    made = []
    for one in text:
        code = ord(one)
        if code < 0x20 and one not in KEPT:
            made.append(chr(0x2400 + code))
        elif code == 0x7F:
            made.append("␡")
        elif 0x80 <= code <= 0x9F or 0xD800 <= code <= 0xDFFF or code in (0xFFFE, 0xFFFF):
            made.append("\ufffd")
        else:
            made.append(one)
    return "".join(made)


@cache
def own_script() -> str:
    """The script of the page of an empty article: what a page may run."""
    (analysis,) = analysed([Article("x", "")], [], load_schema("bait"))
    (script,) = html.document_fromstring(article_page(analysis_json(analysis))).iter("script")
    return script.text


def check_page(article: Article, card: str = "") -> None:
    detectors = [made_detector("d"), made_detector("<e>", card)][: 2 if card else 1]
    (analysis,) = analysed([article], detectors, load_schema("bait"))
    page = article_page(analysis_json(analysis), command=card, signature=card)
    parser = html.HTMLParser(encoding="utf-8", huge_tree=True)
    root = html.document_fromstring(page.encode(), parser=parser)
    (text,) = root.find_class("article")
    assert text.text_content() == shown(article.text)
    (script,) = root.iter("script")
    assert script.text == own_script()
    assert len(list(root.iter("style"))) == 1
    for one in root.iter("*"):
        assert one.tag not in {"img", "svg", "iframe", "object", "embed", "base", "form", "link"}
        assert not [name for name in one.attrib if name.startswith("on")]
        for name in ("href", "src", "action"):
            address = one.get(name, "#").lower()
            assert address.startswith(("#", "http://", "https://")), address
    ids = [one.get("id") for one in root.iter("*") if one.get("id")]
    assert len(ids) == len(set(ids))
    equivalents = [one.get("http-equiv") for one in root.iter("meta") if one.get("http-equiv")]
    assert equivalents == ["Content-Security-Policy"]


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ARTICLES, st.just("") | TEXTS)
def test_whatever_an_article_and_a_card_hold_the_page_holds_the_text_and_no_markup_of_it(
    article, card
):
    check_page(article, card)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "\ufeff", "***", "<script>alert(1)</script>" * 400, "\u202e" * 1000 + "x",
        "word " * 200_000, "x" * 300_000, "<" * 50_000, "They came. " * 10_000, "😀" * 50_000,
        "\n" * 10_000, "<div>" * 5_000,
    ],
    ids=["empty", "blank", "mark", "stars", "scripts", "turned", "megabyte of words", "one word",
         "brackets", "10,000 sentences", "emoji", "lines", "open elements"],
)  # fmt: skip
def test_extremes_are_pages(text):
    check_page(Article("a", text))


if __name__ == "__main__":
    many = settings(max_examples=int(sys.argv[1]), deadline=None, database=None,
                    suppress_health_check=list(HealthCheck))  # fmt: skip
    seen = [0]

    def counted(article: Article, card: str) -> None:
        check_page(article, card)
        seen[0] += 1

    many(given(ARTICLES, st.just("") | TEXTS)(counted))()
    print(f"{seen[0]:,} pages held")
