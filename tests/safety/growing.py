"""Each file that would fill a memory, given to its reader in a process of its own.

python growing.py FOLDER prints a line of JSON for each: its name, what its reader said, and how far
the memory of the process grew while it was read, in MiB. The process has a limit of its own beyond
which the system ends it.
"""

from __future__ import annotations

import gc
import gzip
import importlib
import json
import resource
import sys
import tarfile
import threading
import zlib
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import hostile
from hostile import GIB, MIB, deflated_zeros, gzipped_zeros

from slant.analysis.document import Asked, Document
from slant.analysis.intake import read_any, read_document
from slant.analysis.tables import TOLD
from slant.analysis.unpacking import decoded_body
from slant.data.archives import unpack
from slant.data.given import read_given
from slant.data.images import checked_image, model_image, upright_image
from slant.data.rows import read_xlsx
from slant.data.streams import open_corpus
from slant.embeddings.vectors import read_vectors
from slant.errors import SlantError
from slant.systems.foreign import _parquet_rows
from slant.wikis.dumps import read_dump

Attack = Callable[[Path], object]
ATTACKS: dict[str, Attack] = {}
LIMIT = 1_500 * MIB
"""Of memory above what the process has when all is imported."""
HEAD = b'<mediawiki version="0.11"><page><title>A</title><revision><text>'


def attack(function: Attack) -> Attack:
    ATTACKS[function.__name__] = function
    return function


def put(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def unpacked(folder: Path, content: bytes) -> None:
    into = folder / "into"
    into.mkdir()
    unpack(put(folder, "archive", content), into)


def read(content: bytes, name: str, media: str = "") -> None:
    list(read_document(content, name, media=media))


@attack
def archive_zip(folder):
    unpacked(folder, hostile.zipped(("a.csv", 8, deflated_zeros(), GIB)))


@attack
def archive_zip_that_lies(folder):
    unpacked(folder, hostile.zipped(("a.csv", 8, deflated_zeros(), 10)))


@attack
def archive_zip_of_many(folder):
    part = deflated_zeros(16)
    check = zlib.crc32(bytes(16 * MIB))
    unpacked(folder, hostile.zipped(*((f"{n}.csv", 8, part, 16 * MIB, check) for n in range(64))))


def rolled(size=GIB):
    member = tarfile.TarInfo("a.csv")
    member.size = size
    return member.tobuf()


@attack
def archive_tar_gz(folder):
    unpacked(folder, gzipped_zeros(before=rolled()))


@attack
def archive_tar_bz2(folder):
    unpacked(folder, hostile.bzipped(rolled(), mib=256))


@attack
def archive_tar_xz(folder):
    unpacked(folder, hostile.xzipped(rolled(), mib=256))


@attack
def archive_tar_long_name(folder):
    unpacked(folder, gzipped_zeros(before=hostile.tar_header(tarfile.GNUTYPE_LONGNAME, GIB)))


@attack
def archive_tar_pax_header(folder):
    unpacked(folder, gzipped_zeros(before=hostile.tar_header(tarfile.XHDTYPE, GIB)))


@attack
def archive_tar_sparse(folder):
    # 40 bytes of headers, and a gigabyte of holes between no data at all.
    member = tarfile.TarInfo("a.csv")
    member.type, member.size = tarfile.GNUTYPE_SPARSE, 0
    head = bytearray(member.tobuf(tarfile.GNU_FORMAT))
    head[386:398], head[398:410] = b"%011o\0" % GIB, b"%011o\0" % 0
    head[483:495] = b"%011o\0" % GIB
    head[148:156] = b"        "
    head[148:156] = b"%06o\0 " % sum(head[:512])
    unpacked(folder, bytes(head) + bytes(1024))


def word(body: bytes, method: int = 8, size: int = GIB) -> bytes:
    return hostile.zipped(("word/document.xml", method, body, size))


@attack
def docx_deflated(folder):
    read(word(deflated_zeros()), "a.docx")


@attack
def docx_bzip2(folder):
    read(word(hostile.bzipped(b""), 12), "a.docx")


@attack
def docx_metadata(folder):
    body = b"<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'/>"
    read(hostile.zipped(("word/document.xml", 0, body, len(body)),
                        ("docProps/core.xml", 8, deflated_zeros(), GIB)), "a.docx")  # fmt: skip


def workbook(sheet: bytes, method: int = 8, size: int = GIB) -> bytes:
    office = "http://schemas.openxmlformats.org"
    parts = {
        "[Content_Types].xml": f"<Types xmlns='{office}/package/2006/content-types'/>",
        "_rels/.rels": f"<Relationships xmlns='{office}/package/2006/relationships'/>",
        "xl/workbook.xml": f"<workbook xmlns='{office}/spreadsheetml/2006/main' xmlns:r='{office}/"
        "officeDocument/2006/relationships'><sheets><sheet name='a' sheetId='1' r:id='r1'/>"
        "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f"<Relationships xmlns='{office}/package/2006/relationships'>"
        f"<Relationship Id='r1' Type='{office}/officeDocument/2006/relationships/worksheet' "
        "Target='worksheets/sheet1.xml'/></Relationships>",
    }
    plain = [(name, 0, text.encode(), len(text)) for name, text in parts.items()]
    return hostile.zipped(*plain, ("xl/worksheets/sheet1.xml", method, sheet, size))


@attack
def xlsx_sheet(folder):
    read_xlsx(put(folder, "a.xlsx", workbook(deflated_zeros(sign=b" "))), ["a"])


@attack
def xlsx_that_lies(folder):
    read_xlsx(put(folder, "a.xlsx", workbook(deflated_zeros(sign=b" "), size=100)), ["a"])


@attack
def xlsx_bzip2(folder):
    read_xlsx(put(folder, "a.xlsx", workbook(hostile.bzipped(b"", b" "), 12)), ["a"])


PARQUET: dict[str, bytes] = {}


def parquet(folder):
    return put(folder, "a.parquet", PARQUET["page"])


@attack
def parquet_analysed(folder):
    list(read_any([str(parquet(folder))]))


@attack
def parquet_in_memory(folder):
    read(PARQUET["page"], "a.parquet")


@attack
def parquet_corpus(folder):
    list(open_corpus(parquet(folder), None, None).rows())


@attack
def parquet_added(folder):
    read_given(parquet(folder))


@attack
def parquet_predictions(folder):
    list(_parquet_rows(parquet(folder), PARQUET["page"]))


@attack
def parquet_of_one_value(folder):
    # A hundred million times the same cell take a few bytes each million.
    read_given(put(folder, "a.parquet", PARQUET["rows"]))


@attack
def gz_text(folder):
    read(gzipped_zeros(), "a.txt.gz")


@attack
def gz_of_many_members(folder):
    part = gzip.compress(bytes(4 * MIB))
    read(part * 256, "a.txt.gz")


@attack
def gz_in_gz(folder):
    read(gzip.compress(gzipped_zeros(64)), "a.txt.gz")


def warc(block: bytes, size: int) -> bytes:
    head = f"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\nWARC-Target-URI: http://a.org/\r\nContent-Length: {size}\r\n\r\n"
    return head.encode() + block


@attack
def warc_gz(folder):
    list(read_any([str(put(folder, "a.warc.gz", gzipped_zeros(before=warc(b"", GIB))))]))


@attack
def warc_line_without_end(folder):
    list(read_any([str(put(folder, "a.warc.gz", gzipped_zeros(before=b"WARC/1.0\r\nA: ")))]))


@attack
def warc_content_encoding(folder):
    body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n"
    body += gzipped_zeros()
    list(read_any([str(put(folder, "a.warc", warc(body, len(body)) + b"\r\n\r\n"))], strict=True))


@attack
def fetched_gzip(folder):
    decoded_body(gzipped_zeros(), "gzip", "Fetching")


@attack
def fetched_deflate(folder):
    decoded_body(deflated_zeros(), "deflate", "Fetching")


@attack
def fetched_brotli(folder):
    decoded_body(b"\xcb\xff\xff\x3f" * 100, "br", "Fetching")


@attack
def fetched_gzip_twice(folder):
    decoded_body(gzipped_zeros(), "gzip, gzip", "Fetching")


class Server(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        try:
            self.wfile.write(gzipped_zeros())
        except OSError:
            return

    def log_message(self, *_):
        return


def served(ask: Callable[[str], object]) -> None:
    with HTTPServer(("127.0.0.1", 0), Server) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            ask(f"http://127.0.0.1:{server.server_port}/a")
        finally:
            server.shutdown()
            thread.join()


@attack
def fetched_page(folder):
    from slant.analysis.fetching import Bounds, fetch_page

    served(lambda url: fetch_page(url, Bounds(loopback=True)))


@attack
def fetched_wiki(folder):
    from slant.wikis.connection import Connection, Later

    def ask(url):
        try:
            Connection("slant", 5, 64 * MIB).ask(url)
        except Later as error:
            raise SlantError("Asking", str(error), "Stop") from None

    served(ask)


def pdf(stream: bytes, filters: str) -> bytes:
    bodies = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R>>",
        f"<</Length {len(stream)}/Filter{filters}>>stream\n".encode() + stream + b"\nendstream",
    ]
    data, places = b"%PDF-1.4\n", []
    for number, body in enumerate(bodies, start=1):
        places.append(len(data))
        data += b"%d 0 obj%s endobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return data + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF"
        % (len(bodies) + 1, table, len(bodies) + 1, len(data))
    )


@attack
def pdf_flate(folder):
    read(pdf(b"\x78\xda" + deflated_zeros(), "/FlateDecode"), "a.pdf")


@attack
def pdf_flate_twice(folder):
    inner = zlib.compress(b"\x78\xda" + deflated_zeros(256))
    read(pdf(inner, "[/FlateDecode/FlateDecode]"), "a.pdf")


@attack
def pdf_run_length(folder):
    read(pdf(b"\x81A" * (6 * MIB), "/RunLengthDecode"), "a.pdf")


@attack
def vectors_in_one_line(folder):
    read_vectors(put(folder, "a.txt.gz", gzipped_zeros(before=b"the 1 2\na 1 ", sign=b"1")))


@attack
def vectors_of_one_word(folder):
    before = b"2 3\n" + bytes(200)
    read_vectors(put(folder, "a.bin.gz", gzipped_zeros(before=before)))


@attack
def vectors_of_many_dimensions(folder):
    read_vectors(put(folder, "a.bin", b"1 500000000\na " + bytes(4_000)))


def dumped(folder: Path, name: str, content: bytes) -> None:
    for _ in read_dump(put(folder, name, content)):
        pass


@attack
def dump_gz(folder):
    dumped(folder, "a.xml.gz", gzipped_zeros(before=HEAD, sign=b"A"))


@attack
def dump_bz2(folder):
    dumped(folder, "a.xml.bz2", hostile.bzipped(HEAD, b"A"))


@attack
def dump_zst(folder):
    import zstandard

    part = zstandard.compress(b"A" * (64 * MIB))
    dumped(folder, "a.xml.zst", zstandard.compress(HEAD) + part * 16)


@attack
def dump_7z(folder):
    import py7zr

    with (folder / "a.xml").open("wb") as file:
        file.write(HEAD)
        file.truncate(64 * MIB)
    with py7zr.SevenZipFile(folder / "a.7z", "w",
                            filters=[{"id": py7zr.FILTER_LZMA2, "preset": 0}]) as packed:  # fmt: skip
        packed.write(folder / "a.xml", "a.xml")
    dumped(folder, "b.7z", (folder / "a.7z").read_bytes())


@attack
def dump_7z_bzip2(folder):
    import py7zr

    with (folder / "a.xml").open("wb") as file:
        file.write(HEAD)
        file.truncate(64 * MIB)
    with py7zr.SevenZipFile(folder / "a.7z", "w",
                            filters=[{"id": py7zr.FILTER_BZIP2}]) as packed:  # fmt: skip
        packed.write(folder / "a.xml", "a.xml")
    dumped(folder, "b.7z", (folder / "a.7z").read_bytes())


@attack
def dump_one_tag(folder):
    dumped(folder, "a.xml.gz", gzipped_zeros(before=b"<mediawiki version='", sign=b"A"))


@attack
def dump_one_comment(folder):
    dumped(folder, "a.xml.gz", gzipped_zeros(before=HEAD[:25] + b"><!--", sign=b"A"))


@attack
def dump_of_elements_within_one_another(folder):
    dumped(folder, "a.xml.gz", gzip.compress(HEAD + b"<a>" * 1_000_000))


@attack
def dump_of_many_names(folder):
    names = b"".join(b'<namespace key="%d">%d</namespace>' % (n, n) for n in range(200_000))
    head = b'<mediawiki version="0.11"><siteinfo><namespaces>'
    dumped(folder, "a.xml.gz", gzip.compress(head + names, 1))


@attack
def image_of_a_huge_header(folder):
    checked_image(hostile.png(60_000, 60_000), "row 1")


@attack
def image_shown_to_a_model(folder):
    model_image(hostile.png(60_000, 60_000))


@attack
def image_as_vectors(folder):
    upright_image(put(folder, "a.png", hostile.png(60_000, 60_000)))


@attack
def page_of_elements(folder):
    read(b"<html><body>" + b"<div>" * 1_000_000, "a.html")


@attack
def json_within_itself(folder):
    read(b"[" * 5_000_000, "a.json")


@attack
def page_named_by_its_media_type(folder):
    Document(gzipped_zeros(), "a", "a", Asked(TOLD), media="application/gzip").articles().__next__()


def made_tables(folder: Path) -> None:
    """Write the tables, in another process than the one whose memory counts."""
    import polars as pl

    # One long cell: its page states 200 MB, and has some thousand bytes.
    pl.DataFrame({"text": ["A" * 200_000_000, "b"]}).write_parquet(folder / "page.parquet")
    many = pl.select(pl.repeat("same", 30_000_000).alias("text"))
    many.write_parquet(folder / "rows.parquet", row_group_size=30_000_000)


def memory(what: str) -> int:
    """MiB of this process: VmRSS now, VmHWM at most since it was last forgotten, VmSize in all."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition(f"{what}:")[2].split()[0]) // 1024


def grown(function: Attack, folder: Path) -> tuple[str, int]:
    """What the reader said, and MiB that it needed beyond what was there before."""
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")
    before = memory("VmRSS")
    try:
        function(folder)
        said = "nothing was refused"
    except SlantError as error:
        said = f"{error.exit_code} {error.found}"
    except MemoryError:
        said = "all memory was used"
    return said, memory("VmHWM") - before


def main(folder: Path) -> None:
    """Give each file to its reader."""
    for name in ("page", "rows"):
        PARQUET[name] = (folder / f"{name}.parquet").read_bytes()
    for name in ("pypdf", "trafilatura", "py7zr", "zstandard", "gensim.models", "fastexcel", "PIL.Image"):  # fmt: skip
        importlib.import_module(name)
    list(read_document(b"text\nA text.\n", "a.csv"))
    most = memory("VmSize") * MIB + LIMIT
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    for name, function in ATTACKS.items():
        own = folder / name
        own.mkdir()
        said, much = grown(function, own)
        print(json.dumps({"name": name, "said": said, "grown": much}), flush=True)


if __name__ == "__main__":
    (made_tables if sys.argv[2:] == ["make"] else main)(Path(sys.argv[1]))
