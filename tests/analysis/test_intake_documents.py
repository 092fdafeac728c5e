"""Pages, PDFs, Word documents, feeds and archives: what of them is the text."""

from __future__ import annotations

import gzip
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from madefiles import PARAGRAPHS, all_kinds, atom, docx, page, pdf, record, response, rss, warc

from slant.analysis import elements, pages
from slant.analysis import pdf as pdfs
from slant.analysis.dates import iso_date
from slant.analysis.docx import docx_article
from slant.analysis.elements import read_elements
from slant.analysis.feeds import feed_articles
from slant.analysis.language import text_language
from slant.analysis.pages import fragment_text, page_article, page_characters
from slant.analysis.pdf import pdf_article, running_text
from slant.analysis.unpacking import Unpacking, decoded_body
from slant.analysis.warc import warc_articles
from slant.errors import DataError

for package in ("trafilatura", "pypdf", "py3langid"):
    pytest.importorskip(package)


def test_a_page_is_its_main_text_and_what_it_says_of_itself():
    article = page_article(page(), "Reading", url="https://example.org/a")
    assert article.text == "\n".join(["A plan for the bridge", *PARAGRAPHS])
    assert (article.title, article.outlet) == ("A plan for the bridge", "The Daily Example")
    assert (article.date, article.url) == ("2019-04-02", "https://example.org/a")


def test_nothing_of_a_page_is_run_or_shown_as_text():
    article = page_article(page(extra="<script>alert(1)</script><style>p{}</style>"), "Reading")
    for unseen in ("never run", "alert", "p{}", "cookies", "Sport"):
        assert unseen not in article.text


def test_markup_that_a_text_speaks_of_stays_text():
    article = page_article(page([f"{PARAGRAPHS[0]} &lt;script&gt;x&lt;/script&gt;"]), "Reading")
    assert "<script>x</script>" in article.text


def test_a_page_without_main_text_is_not_looked_at():
    article = page_article(b"<html><title>Empty &amp; so</title><body></body></html>", "Reading")
    assert (article.text, article.title) == ("", "Empty & so")
    assert article.why == pages.NO_MAIN_TEXT


def test_old_pages_that_never_close_a_paragraph_are_read():
    article = page_article(b"<html><body>" + b"<p>Some words of a story." * 1000, "Reading")
    assert article.text.startswith("Some words of a story.")


@pytest.mark.parametrize(
    ("body", "said"),
    [("<div>" * 300, "200 elements within"), ("<p>x" * 30_001, "30,000 elements")],
)
def test_pages_that_would_take_hours_are_refused(body, said):
    with pytest.raises(DataError, match=said):
        page_article(f"<html><body>{body}".encode(), "Reading")


@pytest.mark.parametrize(
    ("data", "charset"),
    [
        ("café – x".encode(), ""),
        ("\ufeffcafé – x".encode("utf-16-le"), "latin-1"),
        ("<meta charset=windows-1252>café – x".encode("cp1252"), ""),
        ("café – x".encode("cp1252"), ""),
        ("café – x".encode("cp1252"), "windows-1252"),
        ("café – x".encode(), "no-such-charset"),
        ("café – x".encode(), "hex"),
    ],
)
def test_the_encoding_of_a_page_is_told_as_browsers_tell_it(data, charset):
    assert page_characters(data, charset).endswith("café – x")


@given(st.text(max_size=200), st.sampled_from(["<p>", "<!--", "<script>", "<a href='>'>", "<", ""]))
def test_a_piece_of_markup_is_text_whatever_it_holds(text, mark):
    found = fragment_text(mark + text + mark)
    assert "\0" not in found
    assert found == found.strip()


def test_the_pages_of_a_pdf_are_running_text():
    lines = [
        "The plan would go ahead on Tuesday, the minis-",
        "ter said, and nobody in the cabinet would say",
        "how much it is going to cost.",
        "Critics called it a gamble and asked for a vote",
        "before the summer. It ended there.",
    ]
    article = pdf_article(pdf(lines, title="Bridge"), "Reading")
    # The third line ends a sentence and is shorter than 0.8 times the median of 46: a paragraph.
    assert article.text == (
        "The plan would go ahead on Tuesday, the minister said, and nobody in the cabinet would say "
        "how much it is going to cost.\n"
        "Critics called it a gamble and asked for a vote before the summer. It ended there."
    )
    assert (article.title, article.date) == ("Bridge", "2019-04-02T10:00:00+00:00")


@given(st.lists(st.text(alphabet="ab -.\n", max_size=12), max_size=12))
def test_running_text_loses_no_letter(lines):
    pieces = [piece for line in lines for piece in line.split("\n")]
    kept = running_text(pieces)
    assert [c for c in kept if c in "ab."] == [c for c in "".join(pieces) if c in "ab."]


def test_a_pdf_of_images_and_one_with_a_password_are_said(tmp_path):
    import pypdf

    article = pdf_article(pdf([]), "Reading")
    assert article.why.startswith("Its pages hold no text")
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf(["words"])))
    writer.encrypt("secret", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    with pytest.raises(DataError, match="it wants a password"):
        pdf_article(out.getvalue(), "Reading")


def test_a_pdf_that_takes_too_long_or_has_too_many_pages_is_refused(monkeypatch):
    monkeypatch.setattr(pdfs, "MOST_SECONDS", -1.0)
    with pytest.raises(DataError, match="first 1 of 1 pages take more than"):
        pdf_article(pdf(["words"]), "Reading")
    monkeypatch.setattr(pdfs, "MOST_PAGES", 0)
    with pytest.raises(DataError, match="it has 1 pages, more than 0"):
        pdf_article(pdf(["words"]), "Reading")


def test_a_word_document_is_its_paragraphs_without_what_was_deleted():
    body = (
        "<w:p><w:r><w:t>One</w:t><w:tab/><w:t xml:space='preserve'> two</w:t><w:br/></w:r>"
        "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r>"
        "</w:ins></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc></w:tr>"
        "</w:tbl><w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>box"
        "</w:t></w:r></w:p></w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent><w:p><w:r>"
        "<w:t>box</w:t></w:r></w:p></w:txbxContent></mc:Fallback></mc:AlternateContent>"
        "<w:t>after</w:t></w:r></w:p>"
    )
    article = docx_article(docx(body=body), "Reading")
    assert article.text == "One\t two\nnew\ncell\nafter\nbox"
    assert (article.title, article.date) == ("A plan", "2019-04-02T10:00:00+00:00")
    assert docx_article(docx(body="<w:p/>"), "Reading").why == "The document holds no text."


def test_a_word_document_that_expands_beyond_the_limit_is_refused():
    with pytest.raises(DataError, match="more than 200 times"):
        docx_article(docx(body="<w:p/>" * 5_000_000), "Reading")


def test_entries_of_feeds_are_articles():
    found = list(feed_articles(rss(), "Reading"))
    assert found[0].text == f"{PARAGRAPHS[0]}\n\nMore."
    assert (found[0].outlet, found[0].topic) == ("The Daily Example", "politics")
    assert (found[0].url, found[0].date) == ("https://example.org/1", "2019-04-02T10:00:01+00:00")
    one, two, three = feed_articles(atom(), "Reading")
    assert (one.title, one.url, one.topic) == ("One & two", "https://example.org/1", "economy")
    assert one.text == f"{PARAGRAPHS[0]}\n\nEnd."
    assert two.text == f"{PARAGRAPHS[1]}\n\nFin."
    assert three.why == "The feed holds no text of this entry."


def test_links_of_feeds_are_addresses_of_the_web_or_none():
    feed = b"<rss><channel><item><link>javascript:alert(1)</link></item></channel></rss>"
    assert next(feed_articles(feed, "Reading")).url == ""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("entity", ['"aaaa"', 'SYSTEM "file:///etc/passwd"'])
def test_xml_that_declares_an_entity_is_refused(encoding, entity):
    text = (
        f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE r [<!ENTITY a {entity}>]><r>&a;</r>'
    )
    with pytest.raises(DataError, match="declares the entity 'a'"):
        read_elements(text.encode(encoding), "Reading")


def test_xml_of_any_depth_or_number_is_refused(monkeypatch):
    with pytest.raises(DataError, match="200 elements within one another"):
        read_elements(b"<a>" * 100_000, "Reading")
    monkeypatch.setattr(elements, "MOST_ELEMENTS", 10)
    with pytest.raises(DataError, match="more than 10 elements"):
        read_elements(b"<a>" + b"<b/>" * 10 + b"</a>", "Reading")


def test_pages_and_texts_of_an_archive_are_articles_and_nothing_else_is():
    found = list(warc_articles(io.BytesIO(warc()), "Reading"))
    assert [article.origin for article in found] == [f"record {n}" for n in (3, 6, 7, 8)]
    assert [article.title for article in found[:2]] == ["A plan for the bridge", "Packed"]
    assert found[2].text == "In the rain."
    assert found[3].text == " ".join(PARAGRAPHS)


def test_a_record_that_cannot_be_read_leaves_the_others():
    data = response(gzip.compress(page())[:-20], headers="Content-Encoding: gzip\r\n")
    broken, whole = warc_articles(io.BytesIO(data + response(page())), "Reading")
    assert "is cut after" in broken.why
    assert whole.text


def test_a_record_larger_than_one_document_may_be_is_passed_over(monkeypatch):
    monkeypatch.setattr("slant.analysis.warc.MOST_BYTES", 3000)
    data = record("resource", "text/plain", b"x" * 4000) + record(
        "resource", "text/plain", b"Words."
    )
    large, small = warc_articles(io.BytesIO(data), "Reading")
    assert large.why == "It has 4,000 bytes, more than 3,000."
    assert small.text == "Words."


def test_bodies_are_unpacked_within_bounds():
    assert decoded_body(gzip.compress(b"text"), "gzip", "Reading") == b"text"
    assert decoded_body(b"not packed", "gzip", "Reading") == b"not packed"
    with pytest.raises(DataError, match="packed with 'br'"):
        decoded_body(b"x", "br", "Reading")
    with pytest.raises(DataError, match="unpack"):
        decoded_body(gzip.compress(bytes(60_000_000)), "gzip", "Reading")


@given(st.binary(max_size=300), st.integers(1, 50), st.booleans())
def test_lines_and_bytes_of_a_stream_are_those_of_the_file(data, size, packed):
    stream = Unpacking(io.BytesIO(gzip.compress(data) if packed else b"  " + data), "Reading")
    data = data if packed else b"  " + data
    got = b""
    while piece := (stream.line(size) if len(got) % 2 else stream.read(size)):
        got += piece
    assert got == data
    assert stream.place == len(data)


@pytest.mark.parametrize(
    ("said", "date"),
    [
        ("2019-04-02", "2019-04-02"), ("20190402", "2019-04-02"), ("2019-04-02 10:30", "2019-04-02T10:30:00"),
        ("2019-04-02T10:30:00Z", "2019-04-02T10:30:00+00:00"), ("2 April 2019", "2019-04-02"),
        ("Apr 2, 2019", "2019-04-02"), ("2019/04/02", "2019-04-02"), ("03/04/2019", ""),
        ("", ""), (None, ""), ("soon", ""), (1554163200, ""), ("9" * 500, ""), ("\ud800", ""),
    ],
)  # fmt: skip
def test_dates_are_iso_or_left_out(said, date):
    assert iso_date(said) == date


@settings(max_examples=40)
@given(st.text(max_size=60))
def test_any_text_is_a_date_or_none(text):
    assert isinstance(iso_date(text), str)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Der Hund lief über die Straße und bellte laut.", "de"),
        ("Le président a déclaré mardi que la loi serait votée.", "fr"),
        ("El presidente dijo el martes que la ley sería votada.", "es"),
        ("Президент заявил во вторник, что закон будет принят.", "ru"),
        ("قال الرئيس يوم الثلاثاء إنه سيتم التصويت على القانون", "ar"),
        ("总统周二表示，该法律将付诸表决，反对派对此表示强烈不满，并呼吁举行全国性抗议活动", "zh"),
        (PARAGRAPHS[1], "en"),
        (PARAGRAPHS[0].upper(), "en"),
        ("Trump", ""),
        ("12 345 !!! \U0001f642", ""),
        ("", ""),
    ],
)
def test_the_language_of_a_sentence_is_told_or_left_open(text, code):
    assert text_language(text) == code


def test_no_english_sentence_of_babe_is_taken_for_another_language(real_data):
    import polars as pl

    file = next((real_data / "babe").rglob("final_labels_SG2.csv"))
    texts = pl.read_csv(file, separator=";")["text"].drop_nulls().to_list()[::10]
    assert len(texts) > 300
    assert {text_language(text) for text in texts} <= {"en", ""}


def test_every_kind_of_made_file_is_there():
    assert {name.rpartition(".")[2] for name in all_kinds()} >= {"pdf", "docx", "warc", "parquet"}
