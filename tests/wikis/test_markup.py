"""Wikitext -> running text, by hand-worked cases."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slant.wikis.markup import markup_text

LENGTH = 200_000
SECONDS = 5
"""A fifth of a second each on a free core; a quadratic rule takes many minutes."""


@pytest.mark.parametrize(
    ("wikitext", "text"),
    [
        ("'''Ada''' ''wrote'' '''''much'''''.", "Ada wrote much."),
        ("[[Cat]]s and [[Dog|dogs]]; [[:Category:Pets]].", "Cats and dogs; Category:Pets."),
        ("A {{convert|5|km}} walk.", "A walk."),
        ("3{{nbsp}}million and ''Eagle''{{'}}s.", "3 million and Eagle's."),
        ("Ada ({{lang|fr|x}}; {{IPA|y}}) wrote.", "Ada wrote."),
        ("Ada ({{IPA|y}}; born {{birth|1815}}Dec) wrote.", "Ada (born Dec) wrote."),
        ("One<ref name=\"a>b\">Book</ref> two<ref name=a /> three<REF>{{cite|a=}}</REF>.",
         "One two three."),
        ("Rate <math>\\frac{{a}}{b}</math> x <chem>H2O</chem>y.", "Rate x y."),
        ("<nowiki>''x'' [[y]] {{z}} <b></nowiki>", "''x'' [[y]] {{z}} <b>"),
        ("<nowiki><!-- kept --></nowiki> a<nowiki/>b", "<!-- kept --> ab"),
        ("a <!-- no\n\nno --> b", "a b"),
        ("One\n<!-- a line for itself -->\ntwo", "One two"),
        ("AT&amp;T &ndash; 5&nbsp;km &#65;&#x42; &lt;ref&gt; R&D", "AT&T – 5 km AB <ref> R&D"),
        ("See [http://a.b/c the page] and [https://d.e] at http://f.g/h.", "See the page and at ."),
        ("a<br/>b<br>c", "a b c"),
        ("H<sub>2</sub>O <small>x</small> <unk> 1 < 2", "H2O x <unk> 1 < 2"),
        ("l'''amour'' fou", "l'amour fou"),
        ("d''''x'''", "d'x"),
        ("__NOTOC__Text __NOEDITSECTION__here", "Text here"),
        ("#REDIRECT [[Elsewhere]]", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_marks_inside_a_paragraph(wikitext, text):
    assert markup_text(wikitext) == text


@pytest.mark.parametrize(
    "other",
    [
        "== Head ==",
        "=== Head === <!-- x -->",
        "* item\n** {{a|\nb}} item\n# one\n: indented\n; term : is",
        " preformatted",
        "{| class=x\n! Head\n|-\n| cell {{t|\n{|\n|}\n}}\n|}",
        "{|\n|\n{|\n| inner\n|}\n| outer\n|}",
        ":{|\n| indented table\n|}",
        "{{Infobox\n| a = {{b|{{c}}}}\n| table = \n{|\n| x\n|}\n}}",
        "{{Infobox\n|a=b\n|}}",
        "[[File:A.jpg|thumb|A [[cat|Cat]], [http://x y] and {{t|[[z]]}}<ref>[[r]]</ref>.]]",
        "[[image:a.jpg]]\n[[Category:Cats]]\n[[Kategorie:Katzen]]\n[[fr:Chat]]",
        "<gallery>\nA.jpg|Caption\n</gallery>",
        "<pre>\n\ncode\n</pre>",
        "<syntaxhighlight lang=py>\nx = {{1}}\n\ny\n</syntaxhighlight>",
        "<table><tr><td>cell<table><tr><td>x</td></tr></table></td></tr></table>",
        "<ul><li>item<ul><li>x</li></ul></li></ul>",
        '<div class="infobox">\nA box\n\nof two paragraphs<div>x</div>\n</div>',
        '<div style="float:right">\nA box\n</div>',
        "<div>in a block, so that it is no paragraph</div>",
        "----",
        "<references>\n<ref name=a>Book</ref>\n</references>",
        "<script>var a;\n\nb</script>",
        "__TOC__",
        "{{DISPLAYTITLE:x}}",
        "<!-- a\n\nb -->",
    ],
)
def test_what_is_no_paragraph_leaves_none(other):
    assert markup_text(f"Before.\n\n{other}\n\nAfter.") == "Before.\n\nAfter."
    assert markup_text(other) == ""


def test_quotations_are_text_unless_they_stand_in_a_list():
    assert markup_text("Said:<blockquote>So.<ref>x</ref></blockquote>") == "Said:\n\nSo."
    assert markup_text("\n <blockquote>So.</blockquote>") == "So."
    assert markup_text("# One <blockquote>So.</blockquote>\n\nText") == "Text"


@pytest.mark.parametrize(
    ("wikitext", "text"),
    [
        ("One {{two. Three.\n\nFour.", "One two. Three.\n\nFour."),
        ("One }} two ]] three.", "One two ]] three."),
        ("One [[two. Three.", "One two. Three."),
        ("{{a {{b}} One. {{c}} Two.", "a One. Two."),
        ("{|\n| never closed\nOne.\n\nTwo.", "One.\n\nTwo."),
        ("<ref>One. Two.", "One. Two."),
        ("<div class='infobox'>\nOne.", "One."),
        ("{{{{a}} b}}One.", "One."),
        ("{{a|{{{b|c}}}}}One.", "One."),
        ("[[File:A.jpg|thumb|One {{two]] Three.", "File:A.jpg|thumb|One two]] Three."),
        ("{{a|[[b}} One.", "One."),
        ("<nowiki>One {{two}}.", "One ."),
        ("|}\nOne.", "One."),
        ("One <ref>a</ref name=b> c</ref> two.", "One two."),
    ],
)
def test_a_bracket_without_a_partner_loses_no_text(wikitext, text):
    assert markup_text(wikitext) == text


def test_other_names_of_hidden_namespaces_can_be_given():
    assert markup_text("a [[Skrá:x.jpg]]b") == "a Skrá:x.jpgb"
    assert markup_text("a [[Skrá:x.jpg]]b", {"skrá"}) == "a b"


@pytest.mark.parametrize(
    ("piece", "closing"),
    [
        ("{{a", ""), ("{{a|", "}}"), ("{{", "}} x"), ("[[a|b", "]]c"), ("[[", ""), ("{{[[", "]]}}"),
        ("<ref>", ""), ("<nowiki>", ""), ("<!--", ""), ("\n{|", "\n|}"), ("<div>", "</div>"),
        ("<div><ul>", "</div>"), ("\n<!-- -", ""), ("[http:", ""), ("''a'' ", ""), ("\n* ", ""),
        ("(", ""), ("&a", ""), ("<a", ""), ("\n", ""), ("__A", ""), ("</ref>", ""),
    ],
)  # fmt: skip
def test_very_many_of_one_mark_take_linear_time(piece, closing):
    number = LENGTH // (len(piece) + len(closing))
    start = time.process_time()
    markup_text(piece * number + closing * number)
    assert time.process_time() - start < SECONDS


def test_a_megabyte_of_nested_templates_leaves_the_text_around_it():
    depth = 1_000_000 // 6
    nested = "{{a|" * depth + "}}" * depth
    start = time.process_time()
    assert markup_text(f"Before {nested} after.\n\nNext.") == "Before after.\n\nNext."
    assert time.process_time() - start < 4 * SECONDS
    open_ones = "{{a|" * depth
    assert markup_text(f"{open_ones}\n\nText.").endswith("\n\nText.")


MARKS = ["{{", "}}", "{{{", "}}}", "[[", "]]", "[", "]", "{|", "|}", "|", "\n", "\n\n", " ", "=", "*",
         "''", "'''", "<ref>", "</ref>", "<ref/>", "<nowiki>", "</nowiki>", "<!--", "-->", "<div>",
         "</div>", "<table>", "</table>", "<br>", "<math>", "</math>", "File:", "http://a.b", "&lt;",
         "&#0;", "__TOC__", "----", "word", "é", "\x00", "\x03", "<", ">", "{", "}", "(", ")"]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(MARKS) | st.text(max_size=3), max_size=60).map("".join))
def test_no_wikitext_raises_and_paragraphs_are_never_blank(wikitext):
    text = markup_text(wikitext)
    assert text == "" or all(part.strip() == part != "" for part in text.split("\n\n"))
    assert not set(text) & set("\x00\x01\x02\x03\x04")


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(["{{t|a}}", "<ref>b</ref>", "<!-- c -->", "\n{|\n|d\n|}\n", "\n* e\n"]),
        max_size=8,
    )
)
def test_balanced_marks_never_take_a_word_of_the_paragraphs_between_them(marks):
    # Every word stands alone in its own paragraph.
    words = [f"word{number}" for number in range(len(marks) + 1)]
    wikitext = words[0] + "".join(
        f"\n\n{mark}\n\n{word}" for mark, word in zip(marks, words[1:], strict=True)
    )
    assert markup_text(wikitext).split() == words
