"""Files as an enemy makes them: a few bytes that name other places or unpack to a gigabyte."""

from __future__ import annotations

import bz2
import io
import lzma
import os
import struct
import sys
import tarfile
import zipfile
import zlib
from functools import cache
from pathlib import Path

from slant.errors import SlantError

# What makes the files and records of other tests makes those of these tests too.
for _made in ("analysis", "report", "runs", "systems"):
    sys.path.append(str(Path(__file__).parents[1] / _made))

MIB = 1 << 20
GIB = 1 << 30
UP = ("../up.txt", "a/../../up.txt", "..\\up.txt", "a\\..\\..\\up.txt")
ABSOLUTE = ("/tmp/absolute.txt", "\\\\host\\share\\a.txt", "C:\\a.txt", "c:a.txt", "C:/a.txt")
"""Names that lead out of the folder, on this system or on another one."""
NO_NAME = ("", ".", "./", "a\0b")

ENTITIES = (
    '<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    '<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>'
)
FILE_ENTITY = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
PARAMETER = '<!DOCTYPE x [<!ENTITY % a SYSTEM "http://127.0.0.1:9/a.dtd"> %a;]>'
FILE_DTD = '<!DOCTYPE x SYSTEM "file:///etc/passwd">'
NET_DTD = '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/a.dtd">'
DOCTYPES = (ENTITIES, FILE_ENTITY, PARAMETER, FILE_DTD, NET_DTD)


def refusal(read):
    """The error that a reader ends in, None where it reads; any other error is a failure."""
    try:
        read()
    except SlantError as error:
        return error
    return None


class Runs:
    """An object whose unpickling makes a file: what a pickle can do, it does."""

    def __init__(self, witness):
        self.witness = str(witness)

    def __reduce__(self):
        return os.system, (f"touch '{self.witness}'",)


@cache
def _part(sign):
    packing = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packing.compress(sign * (16 * MIB)) + packing.flush(zlib.Z_FULL_FLUSH)


def deflated_zeros(mib=1024, sign=b"\0"):
    """The raw deflate stream of so many MiB of one byte, made of one part again and again."""
    return _part(sign) * (mib // 16) + b"\x03\x00"


def gzipped_zeros(mib=1024, before=b"", after=b"", sign=b"\0"):
    """The same as gzip; its checksum is wrong, and nobody should come so far as to see it."""
    start = zlib.compressobj(9, zlib.DEFLATED, -15)
    head = start.compress(before) + start.flush(zlib.Z_FULL_FLUSH)
    body = head + deflated_zeros(mib, sign)
    return b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + body + struct.pack("<II", 0, 0)


def bzipped(before, sign=b"\0", mib=1024):
    """bz2 of many streams: `before`, and then so many MiB of one byte."""
    return bz2.compress(before) + bz2.compress(sign * (32 * MIB)) * (mib // 32)


def xzipped(before, mib=1024):
    """xz of many streams: `before`, and then so many MiB of zeros."""
    part = lzma.compress(bytes(32 * MIB), preset=0)
    return lzma.compress(before) + part * (mib // 32)


def zipped(*members):
    """A zip of members (name, method, packed bytes, size that it states, and its checksum where it
    is to be right), whatever they hold."""
    out, entries = b"", b""
    for name, method, packed, size, *rest in members:
        raw = name.encode("utf-8")
        check = rest[0] if rest else zlib.crc32(packed)
        facts = struct.pack(
            "<HHHHHIIIHH", 20, 0x800, method, 0, 33, check, len(packed), size, len(raw), 0
        )
        place = len(out)
        out += b"PK\x03\x04" + facts + raw + packed
        entries += b"PK\x01\x02" + struct.pack("<H", 20) + facts
        entries += struct.pack("<HHHII", 0, 0, 0, 0, place) + raw
    end = struct.pack("<HHHHIIH", 0, 0, len(members), len(members), len(entries), len(out), 0)
    return out + entries + b"PK\x05\x06" + end


def zip_named(*names, content=b"bad"):
    """A zip with members of these names."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name in names:
            info = zipfile.ZipInfo("x")
            info.filename = name  # as it stands: the constructor would mend it
            packed.writestr(info, content)
    return out.getvalue()


def zip_link(name="link", target="/etc/passwd"):
    """A zip with a symbolic link, as Info-ZIP writes it."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        info = zipfile.ZipInfo(name)
        info.create_system, info.external_attr = 3, 0o120777 << 16
        packed.writestr(info, target)
    return out.getvalue()


def tar_named(*names, content=b"bad", mode="w"):
    """A tar with members of these names; mode "w:gz" and so on packs it."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as rolled:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            rolled.addfile(member, io.BytesIO(content))
    return out.getvalue()


def tar_special(kind, name="special", target="/etc/passwd", behind=()):
    """A tar with a link, a device or a pipe, and files that would go through it."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as rolled:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, target
        rolled.addfile(member)
        for one in behind:
            file = tarfile.TarInfo(one)
            file.size = 3
            rolled.addfile(file, io.BytesIO(b"bad"))
    return out.getvalue()


def tar_header(kind, size):
    """The header of a tar's member of a kind that says how long it is."""
    member = tarfile.TarInfo("././@LongLink")
    member.type, member.size = kind, size
    return member.tobuf(tarfile.GNU_FORMAT)


def png(width, height):
    """A PNG whose header promises width x height pixels in a few bytes."""

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    data = zlib.compress(b"\0" * 1000)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    )
