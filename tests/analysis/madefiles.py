"""Small files of every kind that `slant.analysis` reads, made as programs make them."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
import zlib

PARAGRAPHS = (
    "The minister said on Tuesday that the plan would go ahead, whatever the opposition thinks.",
    "Critics called it \u201ca reckless gamble\u201d and asked for a vote before the summer.",
    "Nobody in the cabinet would say how much the project is going to cost \u2013 or who pays.",
)
GERMAN = (
    "Der Minister sagte am Dienstag, dass der Plan umgesetzt werde, was auch immer die Opposition "
    "davon halte. Kritiker nannten ihn ein rücksichtsloses Wagnis und forderten eine Abstimmung."
)


def page(paragraphs=PARAGRAPHS, title="A plan for the bridge", extra=""):
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return (
        "<!doctype html><html lang=en><head><meta charset=utf-8>"
        f"<title>{title}</title><meta property='og:site_name' content='The Daily Example'>"
        "<meta property='article:published_time' content='2019-04-02T10:00:00Z'>"
        "<script>document.write('never run')</script></head><body><nav><a href=/>Home</a> "
        "<a href=/sport>Sport</a></nav><article>"
        f"<h1>{title}</h1>{body}</article>{extra}<footer>Imprint and cookies</footer></body></html>"
    ).encode()


def pdf(lines, title="A plan"):
    """One page of text lines, objects and cross references written by hand."""
    shown = "".join(f"({line}) Tj T*\n" for line in lines)
    stream = zlib.compress(f"BT /F1 12 Tf 14 TL 72 720 Td\n{shown}ET".encode("latin-1"))
    bodies = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
        b"/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (len(stream), stream),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        b"<</Title(%s)/CreationDate(D:20190402100000Z)>>" % title.encode("latin-1"),
    ]
    data = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(bodies, start=1):
        places.append(len(data))
        data += b"%d 0 obj%s endobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return data + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R/Info 6 0 R>>\n"
        b"startxref\n%d\n%%%%EOF" % (len(bodies) + 1, table, len(bodies) + 1, len(data))
    )


def docx(paragraphs=PARAGRAPHS, body=None, title="A plan"):
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    markup = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    inner = body or "".join(f"<w:p><w:r><w:t>{one}</w:t></w:r></w:p>" for one in paragraphs)
    document = (
        f'<w:document xmlns:w="{word}" xmlns:mc="{markup}"><w:body>{inner}</w:body></w:document>'
    )
    facts = (
        '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/'
        'core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:dcterms="http://purl.org/dc/terms/">'
        f"<dc:title>{title}</dc:title><dcterms:created>2019-04-02T10:00:00Z</dcterms:created>"
        "</cp:coreProperties>"
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("word/document.xml", document)
        packed.writestr("docProps/core.xml", facts)
    return out.getvalue()


def rss(items=PARAGRAPHS):
    made = "".join(
        f"<item><title>News {n}</title><link>https://example.org/{n}</link><guid>tag:{n}</guid>"
        f"<category>politics</category><pubDate>Tue, 02 Apr 2019 10:00:0{n} GMT</pubDate>"
        f"<description>Short {n}</description><content:encoded><![CDATA[<p>{text}</p><p>More.</p>"
        "<script>x()</script>]]></content:encoded></item>"
        for n, text in enumerate(items, start=1)
    )
    return (
        '<?xml version="1.0"?><rss version="2.0" '
        'xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>'
        f"<title>The Daily Example</title>{made}</channel></rss>"
    ).encode()


def atom():
    return (
        '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>The Example</title>'
        '<entry><id>urn:1</id><title type="html">One &amp;amp; two</title>'
        '<link rel="self" href="https://example.org/self"/><link href="https://example.org/1"/>'
        '<category term="economy"/><updated>2019-04-02T10:00:00Z</updated>'
        f'<content type="html">&lt;p&gt;{PARAGRAPHS[0]}&lt;/p&gt;&lt;p&gt;End.&lt;/p&gt;</content>'
        '</entry><entry><id>urn:2</id><title>Two</title><content type="xhtml">'
        f'<div xmlns="http://www.w3.org/1999/xhtml"><p>{PARAGRAPHS[1]}</p><p>Fin.</p></div>'
        "</content></entry><entry><id>urn:3</id><title>Three</title></entry></feed>"
    ).encode()


def record(kind, media, block, url="https://example.org/a", **more):
    headers = {"WARC-Type": kind, "WARC-Target-URI": url, "Content-Type": media}
    headers |= {"Content-Length": str(len(block))} | more
    lines = "".join(f"{key}: {value}\r\n" for key, value in headers.items())
    return f"WARC/1.0\r\n{lines}\r\n".encode() + block + b"\r\n\r\n"


def response(body, media="text/html; charset=utf-8", status="200 OK", headers=""):
    head = f"HTTP/1.1 {status}\r\nContent-Type: {media}\r\n{headers}\r\n"
    return record("response", "application/http; msgtype=response", head.encode() + body)


def warc():
    return (
        record("warcinfo", "application/warc-fields", b"software: made\r\n")
        + record("request", "application/http", b"GET /a HTTP/1.1\r\n\r\n")
        + response(page())
        + response(b"\x89PNG", "image/png")
        + response(b"gone", status="404 Not Found")
        + response(gzip.compress(page(title="Packed")), headers="Content-Encoding: gzip\r\n")
        + response(
            b"5\r\nIn th\r\n7\r\ne rain.\r\n0\r\n\r\n",
            "text/plain",
            headers="Transfer-Encoding: chunked\r\n",
        )
        + record("conversion", "text/plain", " ".join(PARAGRAPHS).encode())
    )


def packed_members(data, every=700):
    """As web archives are packed: many gzip members, one behind the other."""
    return b"".join(gzip.compress(data[n : n + every]) for n in range(0, len(data), every))


def csv():
    rows = "".join(f'{n},"{text}",Example,2019-04-0{n}\n' for n, text in enumerate(PARAGRAPHS, 1))
    return f"id,text,outlet,date\n{rows}".encode()


def jsonl():
    rows = [{"headline": f"H{n}", "content": text} for n, text in enumerate(PARAGRAPHS)]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def parquet():
    import polars as pl

    out = io.BytesIO()
    pl.DataFrame({"text": PARAGRAPHS, "source": ["A", "B", None]}).write_parquet(out)
    return out.getvalue()


def article_json():
    return json.dumps(
        {
            "ID": "XPx", "title": "A plan", "source": "Example", "date": "2019-04-02",
            "topic": "politics", "content": "Tok en ised .", "authors": ["A", "B"],
            "content_original": "\n\n".join(PARAGRAPHS), "url": "https://example.org/1",
        }
    ).encode()  # fmt: skip


def all_kinds():
    return {
        "plain.txt": "\n\n".join(PARAGRAPHS).encode(),
        "page.html": page(),
        "paper.pdf": pdf(["A first line of text", "and a second one."]),
        "letter.docx": docx(),
        "article.json": article_json(),
        "rows.jsonl": jsonl(),
        "rows.csv": csv(),
        "rows.parquet": parquet(),
        "feed.rss": rss(),
        "feed.atom": atom(),
        "crawl.warc": warc(),
        "crawl.warc.gz": packed_members(warc()),
        "plain.txt.gz": gzip.compress(b"Plain text, packed."),
    }
