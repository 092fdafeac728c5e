"""5,000 damaged documents: articles that are sound, or one error of ours."""

from __future__ import annotations

import random

import pytest
from madefiles import all_kinds

from slant.analysis.article import Article
from slant.analysis.intake import read_document
from slant.errors import SlantError

for package in ("trafilatura", "pypdf"):
    pytest.importorskip(package)

BATCHES, EACH = 50, 100
PIECES = (
    b"<", b'"', b"\0", b"\xff", b"{", b"[", b"&", b"<!--", b"<p>", b"\r\n", b"9999999999", b"]]>",
    b"<script>", b"\xe2\x80\xae\xf0\x9f\x99\x82", b"<!ENTITY a 'b'>", b"Content-Length: 7\r\n",
)  # fmt: skip


def damaged(data: bytes, by: random.Random) -> bytes:
    made = bytearray(data)
    for _ in range(by.choice([1, 1, 2, 5, 20])):
        place = by.randrange(len(made) or 1)
        match by.randrange(6):
            case 0:
                made[place : place + 1] = bytes([by.randrange(256)])
            case 1:
                del made[place : place + by.randrange(1, 50)]
            case 2:
                made[place:place] = by.randbytes(by.randrange(1, 20))
            case 3:
                del made[place:]
            case 4:
                start = by.randrange(len(made) or 1)
                made[place:place] = made[start : start + 200]
            case _:
                made[place:place] = by.choice(PIECES)
    return bytes(made)


def read(data: bytes, name: str) -> tuple[list[Article], str]:
    try:
        return list(read_document(data, name, language="en")), ""
    except SlantError as error:
        return [], str(error)


KINDS = all_kinds()


@pytest.mark.parametrize("batch", range(BATCHES))
def test_a_damaged_document_is_articles_or_one_clear_error(batch):
    by = random.Random(batch)
    for _ in range(EACH):
        name = by.choice(sorted(KINDS))
        data = damaged(KINDS[name], by)
        # A name without ending in one of four: then the content has to tell the kind.
        found, said = read(data, by.choice([name] * 3 + ["x"]))
        assert "\n" not in said
        assert len(said) < 600
        assert len({article.id for article in found}) == len(found)
        for article in found:
            assert article.text or article.why
            "".join([article.text, article.title, article.outlet, article.url]).encode()
