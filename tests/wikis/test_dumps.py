"""XML dumps, packed in every way, whole, cut and hostile."""

from __future__ import annotations

import bz2
import gzip
import json
import tracemalloc
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from slant.cli.dumps import dump as dump_command
from slant.errors import DataError, SlantError
from slant.wikis.dumps import DumpFacts, read_dump
from slant.wikis.extraction import extract
from slant.wikis.pages import read_pages, read_source

HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-{version}/" version="{version}">
<siteinfo><sitename>Small Wiki</sitename><base>http://w.example/Main_Page</base><namespaces>
<namespace key="0" case="first-letter" /><namespace key="1" case="first-letter">Talk</namespace>
<namespace key="6" case="first-letter">Skr\u00e1</namespace></namespaces></siteinfo>
"""


def revision(number, text, stamp="2020-01-01T00:00:00Z", model="wikitext", more="", given=""):
    return (
        f"<revision><id>{number}</id><timestamp>{stamp}</timestamp><contributor><id>7</id>"
        f"</contributor><model>{model}</model><text{given}>{text}</text>{more}</revision>"
    )


def page(number, title, *revisions, ns=0, redirect=""):
    space = "" if ns is None else f"<ns>{ns}</ns>"
    return f"<page><title>{title}</title>{space}<id>{number}</id>{redirect}{''.join(revisions)}</page>\n"


def made(*pages, version="0.11"):
    return (HEAD.format(version=version) + "".join(pages) + "</mediawiki>\n").encode()


SOME = made(
    page(
        3,
        "Cat",
        revision(
            30, "A '''cat'''.&lt;ref&gt;x&lt;/ref&gt; [[Skr\u00e1:a.jpg]]Purrs &amp;amp; naps."
        ),
    ),
    page(4, "Felis", revision(40, "#REDIRECT [[Cat]]"), redirect='<redirect title="Cat" />'),
    page(5, "Talk:Cat", revision(50, "Chat."), ns=1),
    page(1, "Dog", revision(10, "A dog.")),
)


@pytest.fixture
def written(tmp_path):
    def write(content, name="wiki.xml"):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write


def zst(content):
    import zstandard

    return zstandard.ZstdCompressor().compress(content)


def seven_zip(path, content):
    import py7zr

    with py7zr.SevenZipFile(path, "w") as archive:
        archive.writestr(content, "wiki.xml")
    return path.read_bytes()


def test_articles_are_read_in_order_without_redirects_and_other_namespaces(written):
    facts = DumpFacts()
    pages = list(read_dump(written(SOME), facts=facts))
    assert [(one.id, one.title, one.revision) for one in pages] == [
        ("3", "Cat", 30),
        ("1", "Dog", 10),
    ]
    assert (facts.wiki, facts.address, facts.version) == (
        "Small Wiki", "http://w.example/Main_Page", "0.11",
    )  # fmt: skip
    assert (facts.pages, facts.redirects, facts.elsewhere, facts.other) == (4, 1, 1, 0)


def test_other_namespaces_can_be_asked_for(written):
    assert [one.title for one in read_dump(written(SOME), namespaces={1})] == ["Talk:Cat"]


@pytest.mark.parametrize("kind", ["bz2", "gz", "zst", "7z", "two streams of bz2"])
def test_a_packed_dump_gives_the_pages_of_the_plain_one(kind, written, tmp_path):
    plain = list(read_dump(written(SOME)))
    packed = {
        "bz2": bz2.compress,
        "gz": gzip.compress,
        "zst": zst,
        "7z": lambda content: seven_zip(tmp_path / "archive", content),
        "two streams of bz2": lambda content: (
            bz2.compress(content[:700]) + bz2.compress(content[700:])
        ),
    }[kind](SOME)
    path = written(packed, f"wiki.xml.{kind.split()[-1]}")
    places = []
    assert (
        list(read_dump(path, progress=lambda done, total, title: places.append((done, total))))
        == plain
    )
    assert places[-1] == (len(packed), len(packed))


def test_of_a_page_the_newest_revision_is_taken_in_whatever_order_they_come(written):
    old, new = "2019-01-01T00:00:00Z", "2021-01-01T00:00:00Z"
    path = written(
        made(
            page(1, "A", revision(1, "Old.", old), revision(2, "New.", new)),
            page(2, "B", revision(4, "New.", new), revision(3, "Old.", old)),
        )
    )
    assert [(one.revision, one.wikitext) for one in read_dump(path)] == [(2, "New."), (4, "New.")]


def test_further_slots_scripts_and_deleted_texts_are_no_wikitext(written):
    slot = "<content><role>x</role><model>wikitext</model><text>Slot.</text></content>"
    path = written(
        made(
            page(1, "A", revision(1, "Main.", more=slot)),
            page(2, "B", revision(2, "x = 1", model="Scribunto")),
            page(3, "C", revision(3, "", given=' deleted="deleted"')),
        )
    )
    facts = DumpFacts()
    assert [one.wikitext for one in read_dump(path, facts=facts)] == ["Main."]
    assert facts.other == 2


def test_old_exports_without_ns_and_redirect_are_understood(written):
    path = written(
        made(
            page(1, "Cat: a life", revision(1, "Text."), ns=None),
            page(2, "Talk:Cat", revision(2, "Chat."), ns=None),
            page(3, "Felis", revision(3, "#redirect [[Cat]]"), ns=None),
            version="0.3",
        )
    )
    assert [one.title for one in read_dump(path)] == ["Cat: a life"]


CUT = {
    "wiki.xml": lambda content: content[:-40],
    "wiki.xml.bz2": lambda content: bz2.compress(content)[:-20],
    "wiki.xml.gz": lambda content: gzip.compress(content)[:-20],
    "wiki.xml.zst": lambda content: zst(content)[:-20],
}


@pytest.mark.parametrize("name", CUT)
def test_a_cut_dump_is_one_error_that_names_the_file_and_leaves_nothing(name, written, tmp_path):
    path = written(CUT[name](SOME), name)
    with pytest.raises(DataError) as caught:
        extract(path, tmp_path / "out.parquet")
    assert str(path) in str(caught.value)
    assert "cut or damaged at byte" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert [one.name for one in tmp_path.iterdir()] == [name]


def test_a_cut_plain_dump_says_behind_which_page(written):
    with pytest.raises(DataError, match="line 8, behind the page 'Dog'"):
        list(read_dump(written(SOME[:-14])))


def test_a_cut_7z_is_one_error_that_names_the_file(written, tmp_path):
    path = written(seven_zip(tmp_path / "archive", SOME)[:-30], "wiki.7z")
    with pytest.raises(DataError, match=r"wiki\.7z"):
        list(read_dump(path))


def test_a_damaged_7z_is_one_error_that_names_the_file(written, tmp_path):
    content = bytearray(seven_zip(tmp_path / "archive", SOME))
    content[60] ^= 0xFF
    path = written(bytes(content), "wiki.7z")
    with pytest.raises(DataError, match=r"wiki\.7z"):
        list(read_dump(path))


BOMB = (
    b'<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">'
    b'<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>'
)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (BOMB + SOME, "declares the document type 'lolz'"),
        (b'<!DOCTYPE x SYSTEM "file:///etc/passwd">' + SOME, "declares the document type 'x'"),
        (SOME.replace(b"A dog", b"&unknown;"), "undefined entity"),
        (b"<html><p>x</p></html>", "its first element is 'html'"),
        (b"not xml", "no XML dump of a MediaWiki"),
        (SOME.replace(b'version="0.11"', b'version="9.9"'), "export version '9.9'"),
        (SOME.replace(b"<id>3</id>", b"<id>x</id>"), "has the id 'x'"),
        (b"", "it is empty"),
    ],
)
def test_what_is_no_dump_is_refused_with_its_reason(content, says, written, tmp_path):
    with pytest.raises(SlantError, match=says) as caught:
        extract(written(content), tmp_path / "out.parquet")
    assert caught.value.exit_code == 2
    assert not (tmp_path / "out.parquet").exists()


def test_a_dump_without_a_page_that_is_asked_for_is_refused(written, tmp_path):
    with pytest.raises(DataError, match=r"namespaces 6 \(Skr\u00e1\)"):
        extract(written(SOME), tmp_path / "out.parquet", namespaces={6})


def test_the_pages_are_written_as_running_text_sorted_with_their_source(written, tmp_path):
    done = extract(written(SOME), tmp_path / "out.parquet")
    pages = list(read_pages(done.out))
    assert [(one.id, one.text) for one in pages] == [("1", "A dog."), ("3", "A cat. Purrs & naps.")]
    source = read_source(done.out)
    assert (source["kind"], source["name"], source["file"]) == ("dump", "Small Wiki", "wiki.xml")
    assert (done.pages, done.empty) == (2, 0)


def test_a_sample_depends_on_the_seed_alone_and_smaller_ones_are_part_of_larger(written, tmp_path):
    path = written(made(*[page(n, f"P{n}", revision(n, f"Text {n}.")) for n in range(1, 41)]))

    def drawn(size, seed):
        done = extract(path, tmp_path / f"{size}-{seed}.parquet", sample_size=size, seed=seed)
        return {one.id for one in read_pages(done.out)}

    assert len(drawn(10, 1)) == 10
    assert drawn(10, 1) == drawn(10, 1)
    assert drawn(10, 1) != drawn(10, 2)
    assert drawn(5, 1) < drawn(10, 1)
    assert len(drawn(100, 1)) == 40


def test_memory_does_not_grow_with_the_number_of_pages(written):
    # 12 MB of text, held whole it would show.
    text = "A sentence of words. " * 150
    content = made(*[page(n, f"P{n}", revision(n, text)) for n in range(1, 4001)])
    path = written(gzip.compress(content), "wiki.xml.gz")
    tracemalloc.start()
    assert sum(1 for _ in read_dump(path)) == 4000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3_000_000


def test_the_command_prints_what_it_did_as_json_and_as_a_line(written, tmp_path):
    app = typer.Typer()
    app.command()(dump_command)
    out = tmp_path / "out.parquet"
    told = CliRunner().invoke(app, [str(written(SOME)), "--out", str(out), "--json"])
    assert json.loads(told.stdout) == {
        "out": str(out), "wiki": "Small Wiki", "export": "0.11", "pages": 2, "empty": 0, "read": 4,
        "left_out": {"redirects": 1, "namespaces": 1, "other": 0},
    }  # fmt: skip
    line = CliRunner().invoke(app, [str(written(SOME)), "-o", str(out), "--quiet"]).stdout
    assert "2 pages of Small Wiki" in line


def test_the_real_excerpt_has_its_articles(real_data, tmp_path):
    done = extract(
        real_data / "weat/corpora/enwiki-shortened.xml.bz2", tmp_path / "w.parquet",
        sample_size=3, seed=0,
    )  # fmt: skip
    # The data's README counts 206 pages, 100 of them redirects; one of these is no article.
    assert (done.facts.pages, done.facts.redirects, done.facts.elsewhere) == (206, 99, 1)
    assert done.pages == 3
    assert isinstance(done.out, Path)


@pytest.mark.parametrize("odd", ["", ":", "=1+1", "x", "9" * 5000, "\u0661"])
def test_a_namespace_that_is_no_number_is_one_clear_error(odd, written):
    for content in (
        made(page(1, "A", revision(1, "A.")).replace("<ns>0<", f"<ns>{odd}<")),
        SOME.replace(b'key="1"', f'key="{odd}"'.encode()),
    ):
        with pytest.raises(DataError, match="a namespace has the number") as caught:
            list(read_dump(written(content)))
        assert "\n" not in str(caught.value)
