"""XML whose entities grow, name files or hosts, or that never ends, at every reader of XML."""

from __future__ import annotations

import bz2
import gzip
import socket
import sys
import zipfile

import hostile
import pytest
from hypothesis import given
from hypothesis import strategies as st
from madefiles import atom, docx, page, record, rss

from slant.analysis.elements import read_elements
from slant.analysis.intake import read_document
from slant.data.documents import read_xml
from slant.errors import SlantError
from slant.wikis.dumps import read_dump

SECRET = "root:"
"""What /etc/passwd begins with."""
PAGE = "<page><title>T</title><id>1</id><revision><id>2</id><text>&a;</text></revision></page>"
DUMP = f'<mediawiki version="0.11">{PAGE}</mediawiki>'
WORD = (
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
    "<w:p><w:r><w:t>&a;</w:t></w:r></w:p></w:body></w:document>"
)
RSS = "<rss version='2.0'><channel><title>&a;</title><item><description>&a;</description></item></channel></rss>"  # fmt: skip
ATOM = '<feed xmlns="http://www.w3.org/2005/Atom"><title>&a;</title><entry><content>&a;</content></entry></feed>'  # fmt: skip
DECLARED = '<?xml version="1.0"?>'


def word(document, facts=None):
    def made(folder, text):
        out = folder / "a.docx"
        with zipfile.ZipFile(out, "w") as packed:
            packed.writestr("word/document.xml", text if document else WORD.replace("&a;", "x"))
            if facts:
                packed.writestr("docProps/core.xml", text)
        return list(read_document(out.read_bytes(), "a.docx"))

    return made


def dump(pack=None, ending=".xml"):
    def made(folder, text):
        path = folder / f"a{ending}"
        path.write_bytes(text.encode() if pack is None else pack(text.encode()))
        return list(read_dump(path))

    return made


def packed_7z(data):
    import io

    py7zr = pytest.importorskip("py7zr")
    out = io.BytesIO()
    with py7zr.SevenZipFile(out, "w") as packed:
        packed.writestr(data, "a.xml")
    return out.getvalue()


def packed_zst(data):
    return pytest.importorskip("zstandard").compress(data)


def published(folder, text):
    (folder / "a.xml").write_text(text)
    return [element.text for element in read_xml(folder / "a.xml").iter()]


def document(name, media=""):
    return lambda folder, text: list(read_document(text.encode(), name, media=media))


def in_warc(folder, text):
    block = b"HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\n\r\n" + text.encode()
    data = record("response", "application/http; msgtype=response", block)
    return list(read_document(data, "a.warc"))


DOORS = {
    "dump": (dump(), DUMP),
    "dump.bz2": (dump(bz2.compress, ".bz2"), DUMP),
    "dump.gz": (dump(gzip.compress, ".gz"), DUMP),
    "dump.zst": (dump(packed_zst, ".zst"), DUMP),
    "dump.7z": (dump(packed_7z, ".7z"), DUMP),
    "docx": (word(True), WORD),
    "docx properties": (word(False, True), "<a>&a;</a>"),
    "rss": (document("a.rss"), RSS),
    "atom": (document("a.atom"), ATOM),
    "xml": (document("a.xml"), RSS),
    "feed by its media type": (document("a", "application/rss+xml"), RSS),
    "published data": (published, "<articles><article id='1'>&a;</article></articles>"),
}


@pytest.fixture(autouse=True)
def nobody_is_asked(monkeypatch):
    """A parser that asked a host would end in this error."""

    def asked(*given, **_):
        raise AssertionError(f"the network was asked: {given}")

    monkeypatch.setattr(socket, "getaddrinfo", asked)
    monkeypatch.setattr(socket.socket, "connect", asked)


@pytest.mark.parametrize("doctype", hostile.DOCTYPES, ids=["entities", "file", "parameter", "dtd", "net dtd"])  # fmt: skip
@pytest.mark.parametrize("door", DOORS)
def test_a_document_type_grows_nothing_and_reads_nothing(tmp_path, door, doctype):
    read, text = DOORS[door]
    # Old feeds name a document type of their kind: it is not loaded, and what it would declare is
    # no text. One that declares something itself is refused everywhere.
    may_pass = doctype in {hostile.FILE_DTD, hostile.NET_DTD} and "dump" not in door
    found = []
    error = hostile.refusal(lambda: found.append(read(tmp_path, DECLARED + doctype + text)))
    assert may_pass if error is None else error.exit_code == 2
    assert SECRET not in f"{found} {error}"


@pytest.mark.parametrize("door", DOORS)
def test_elements_within_one_another_without_end_are_one_clear_error_or_text(tmp_path, door):
    read, text = DOORS[door]
    before = sys.getrecursionlimit()
    deep = "<d>" * 20_000 + "x" + "</d>" * 20_000
    error = hostile.refusal(lambda: read(tmp_path, DECLARED + text.replace("&a;", deep)))
    assert error is None or "within one another" in str(error)
    assert sys.getrecursionlimit() == before


@pytest.mark.parametrize("doctype", hostile.DOCTYPES)
def test_a_feed_in_an_archive_of_the_web_is_left_out_and_nothing_is_read(tmp_path, doctype):
    found = in_warc(tmp_path, DECLARED + doctype + RSS)
    assert SECRET not in str(found)
    assert all(article.why or "&" not in article.text for article in found)


@pytest.mark.parametrize("doctype", hostile.DOCTYPES)
@pytest.mark.parametrize("name", ["a.html", "a.xhtml"])
def test_a_page_with_a_document_type_of_its_own_reads_no_file(doctype, name):
    data = doctype.encode() + page(["An article about entities, long enough to be one: &a; &b; &c;.", "More of it stands here, and then it ends."])  # fmt: skip
    try:
        found = str(list(read_document(data, name)))
    except SlantError as error:
        found = str(error)
    assert SECRET not in found
    # ENTITIES would make 200 "ha" of "&c;".
    assert found.count("ha") < 50


def test_an_entity_that_is_not_declared_is_an_error_and_not_a_gap(tmp_path):
    for door in ("dump", "docx", "rss", "published data"):
        read, text = DOORS[door]
        with pytest.raises(SlantError, match="undefined entity"):
            read(tmp_path, DECLARED + text)


def test_the_usual_documents_pass(tmp_path):
    assert list(read_document(rss(), "a.rss"))
    assert list(read_document(atom(), "a.atom"))
    assert list(read_document(docx(), "a.docx"))
    for read, text in DOORS.values():
        assert read(tmp_path, DECLARED + text.replace("&a;", "A text &amp; more."))


def test_an_include_or_a_style_sheet_is_an_element_like_any_other(tmp_path):
    said = (
        '<?xml-stylesheet href="file:///etc/passwd"?><articles xmlns:xi="http://www.w3.org/2001/XInclude">'
        '<article id="1"><xi:include href="file:///etc/passwd" parse="text"/></article></articles>'
    )  # fmt: skip
    assert SECRET not in str(published(tmp_path, said))


@given(st.text(alphabet="<!>[]ENTIYSM \"'%&;a\u00e9", max_size=120))
def test_no_prologue_makes_a_reader_fail_otherwise_than_by_its_own_error(prologue):
    document = f"{prologue}<a>&a;</a>".encode()
    assert SECRET not in str(hostile.refusal(lambda: read_elements(document, "Reading")))


def test_texts_written_into_xml_are_text():
    from xml.parsers import expat

    from slant.annotate.toolconfigs import tool_files
    from slant.data.schemas import load_schema

    heard = []
    schema = load_schema("bait")
    for name, content in tool_files(schema, "label-studio").items():
        if name.endswith(".xml"):
            parser = expat.ParserCreate()
            parser.StartElementHandler = lambda tag, given: heard.append(tag)
            parser.Parse(content, True)
    assert heard


def test_rules_for_crawlers_are_lines_and_no_xml():
    from slant.wikis.robots import robots_rules

    for text in (*hostile.DOCTYPES, "Sitemap: file:///etc/passwd\nSitemap: http://127.0.0.1/a.xml", "Disallow: " + "*" * 50_000):  # fmt: skip
        assert robots_rules(f"{text}\nUser-agent: *\nDisallow: /a", "slant").allows("/b")
