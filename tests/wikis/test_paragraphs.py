"""Parsed HTML -> running text, by hand-worked cases and on what a MediaWiki really sends."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slant.wikis.paragraphs import page_text


def in_wiki(html):
    return f'<div class="mw-parser-output">{html}</div>'


def test_only_paragraphs_are_running_text():
    html = in_wiki(
        "<h2>Head</h2><p>One.</p><ul><li><p>Item</p></li></ul><ol><li>Second</li></ol>"
        "<dl><dt>Term</dt><dd><p>Indented</p></dd></dl><table><tr><td><p>Cell</p></td></tr></table>"
        "<pre>code</pre><p>Two.</p><figure><figcaption><p>Caption</p></figcaption></figure>"
    )
    assert page_text(html) == "One.\n\nTwo."


@pytest.mark.parametrize(
    "box",
    [
        '<div class="thumb tright"><div class="thumbcaption"><p>Caption</p></div></div>',
        '<table class="infobox"><tbody><tr><td><p>Born</p></td></tr></tbody></table>',
        '<div class="navbox" role="navigation"><p>See also</p></div>',
        '<div role="note" class="hatnote"><p>For others, see X</p></div>',
        '<div id="toc" class="toc"><p>Contents</p></div>',
        '<ul class="gallery"><li><div class="gallerytext"><p>Caption</p></div></li></ul>',
        '<div class="mw-references-wrap"><ol class="references"><li>A book</li></ol></div>',
        '<div class="reflist"><p>A book</p></div>',
        '<div class="metadata ambox"><p>This article needs work</p></div>',
        '<div style="float: right"><p>A box</p></div>',
        '<div style="display:none"><p>Unseen</p></div>',
        '<p class="mw-empty-elt">\n</p>',
        "<style>.a{color:red}</style><script>var paragraph = '<p>x</p>';</script>",
        '<p><style data-mw-deduplicate="x">.b{}</style><span id="coordinates">48 N 2 E</span></p>',
    ],
)
def test_boxes_captions_notes_and_navigation_are_no_text(box):
    assert page_text(in_wiki(f"<p>Before.</p>{box}<p>After.</p>")) == "Before.\n\nAfter."


@pytest.mark.parametrize(
    ("inside", "left"),
    [
        ('word<sup id="cite_ref-1" class="reference"><a href="#n">[1]</a></sup>.', "word."),
        ('claim<sup class="noprint Inline-Template">[<i>citation needed</i>]</sup>.', "claim."),
        ('Head<span class="mw-editsection">[edit]</span>', "Head"),
        ('is <span class="mwe-math-element"><math><mi>x</mi></math><img alt="x"></span> here',
         "is here"),
        ('is <span class="mwe-math-fallback-source-inline tex">$ \\bar{x} $</span> here',
         "is here"),
        ("is &lt;math&gt;\\frac{1}{2}&lt;/math&gt; here", "is here"),
        ("<b>Bold</b>, <i>it</i> and <a href='/x'>a <b>link</b></a>", "Bold, it and a link"),
        ("one<br>two<br />three", "one two three"),
        ("a&nbsp;b \n\t c", "a b c"),
        ("co\u00adop\u200berate", "cooperate"),
        ('see <a class="external autonumber" href="http://a.b">[1]</a> x', "see x"),
        ('see <a class="external free" href="http://a.b">http://a.b</a> x', "see x"),
        ('a<span style="display:none">0001</span> b', "a b"),
        ("x &lt;ref&gt; y", "x <ref> y"),
        ("H<sub>2</sub>O", "H2O"),
    ],
)  # fmt: skip
def test_marks_inside_a_paragraph_are_left_out(inside, left):
    assert page_text(in_wiki(f"<p>{inside}</p>")) == left


def test_the_name_of_a_missing_template_goes_and_the_letters_behind_it_stay():
    # MediaWiki takes letters that follow a red link into it: 3{{nbsp}}million.
    html = (
        '<p>3<a href="/x" class="new" title="Template:Nbsp (page does not exist)">'
        'Template:Nbspmillion</a> by <a class="new" title="Ada (page does not exist)">Ada</a>.</p>'
    )
    assert page_text(in_wiki(html)) == "3million by Ada."


def test_quotations_and_plain_blocks_hold_paragraphs():
    html = "<blockquote><p>Quoted.</p></blockquote><div><p>In a block.</p></div><section><p>S</p>"
    assert page_text(in_wiki(html)) == "Quoted.\n\nIn a block.\n\nS"


def test_of_a_whole_page_only_the_content_is_read():
    html = (
        "<html><body><div id='siteNotice'><p>Donate</p></div><div id='mw-content-text'>"
        "<div class='mw-parser-output'><p>Text.</p></div></div><div id='footer'><p>CC</p></div>"
        "</body></html>"
    )
    assert page_text(html) == "Text."


@pytest.mark.parametrize(
    "html", ["", " ", "no element", "<div></div>", "<p></p>", "<!-- <p>x</p> -->"]
)
def test_a_page_without_paragraphs_has_no_text(html):
    assert page_text(html) == ""


@pytest.mark.parametrize(
    "piece", ["<div>", "<p>", "<table>", "<b>", "<ul><li>", "<div><p>", "&lt;math&gt;&lt;/"]
)
def test_very_many_nested_elements_take_linear_time(piece):
    # A tenth of a second each; without a limit of depth 50,000 open blocks take ten.
    start = time.process_time()
    page_text("<p>" + piece * 50_000 + "x")
    assert time.process_time() - start < 3


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["<p>", "</p>", "<div class='thumb'>", "<div>", "</div>", "<table>", "</table>", "<b>",
             "</b>", "<!--", "-->", "<br>", "<sup class=reference>", "</sup>", "&amp;", "&#0;",
             "a ", "\ud83d\ude00", "\x00", "<script>", "</script>", "<math>", "<", ">", "<p"]
        ),
        max_size=40,
    )
)  # fmt: skip
def test_no_html_raises_and_paragraphs_are_never_blank(pieces):
    text = page_text("".join(pieces))
    assert text == "" or all(part.strip() == part != "" for part in text.split("\n\n"))
