"""slant wiki crawl."""

import json
import sys
from pathlib import Path

import pytest
from called import slant

sys.path.append(str(Path(__file__).parents[1] / "wikis"))
from scriptedwiki import Made, Said, made_pages, serving

from slant.wikis.pages import read_pages, read_source


@pytest.fixture
def wiki():
    with serving(made_pages(5)) as one:
        yield one


def test_a_crawl_says_what_it_did(wiki, capsys, tmp_path):
    out = tmp_path / "w.parquet"
    wiki.pages[1] = Made("Only a list", 1, "")
    code, said, heard = slant(capsys, "wiki", "crawl", wiki.url, "--out", out)
    assert (code, said) == (
        0, f"{out}: 5 pages of Scripted (5 asked for, 0 unchanged, 0 dropped), 1 without running "
        "text\n",
    )  # fmt: skip
    assert "no --contact" in heard
    assert [page.title for page in read_pages(out)] == [
        "Only a list",
        *(f"Title {n}" for n in (4, 7, 10, 13)),
    ]


def test_json_is_one_document_and_quiet_says_nothing(wiki, capsys, tmp_path):
    wiki.script = lambda path, params: (
        Said(200, {"error": {"code": "nosuchpageid", "info": "There is no page with ID 4."}})
        if params.get("pageid") == "4" else None
    )  # fmt: skip
    out = tmp_path / "w.parquet"
    code, said, heard = slant(
        capsys, "wiki", "crawl", wiki.url, "-o", out, "--json", "--quiet"
    )  # fmt: skip
    assert code == 0
    assert not heard
    assert json.loads(said) == {
        "out": str(out), "wiki": "Scripted", "api": f"{wiki.url}/w/api.php", "licence": "CC0",
        "pages": 4, "asked": 5, "kept": 0, "dropped": 0, "empty": 0,
        "left_out": {"4": "the wiki answers 'nosuchpageid' (There is no page with ID 4.)"},
    }  # fmt: skip


def test_the_options_reach_the_crawl(wiki, capsys, tmp_path, monkeypatch):
    out = tmp_path / "w.parquet"
    wiki.robots = "User-agent: *\nDisallow: /"
    options = ["--format", "wikitext", "--sample", 2, "--seed", 7, "--pause", "0.01"]
    options += ["--contact", "jo@uni.example", "--allowed-by", "Jo Doe, operator"]
    code, _, heard = slant(capsys, "wiki", "crawl", wiki.url, "-o", out, *options)
    assert code == 0
    assert "contact" not in heard
    assert wiki.agents == {"slant/0.1.0 (jo@uni.example)"}
    said = read_source(out)
    assert (said["format"], said["sample"], said["seed"]) == ("wikitext", 2, 7)
    assert said["allowed_by"] == "Jo Doe, operator"
    monkeypatch.setenv("SLANT_CONTACT", "page.example/me")
    code, _, heard = slant(
        capsys, "wiki", "crawl", wiki.url, "-o", out, "--fresh", "--allowed-by", "Jo Doe"
    )
    assert code == 0
    assert "slant/0.1.0 (page.example/me)" in wiki.agents


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["-o", "w.csv"], "error: Crawling into 'w.csv': pages are a .parquet file. Name it so."),
        (["-o", "w.parquet", "--format", "pdf"], "error: Looking for the format 'pdf': no format"),
        (["-o", "w.parquet", "--sample", "0"], "error: Invalid value for '--sample'"),
    ],
)
def test_bad_options_are_one_line_before_anything_is_asked(wiki, capsys, options, line):
    code, said, heard = slant(capsys, "wiki", "crawl", wiki.url, "-q", *options)
    assert (code, said) == (2, "")
    assert heard.startswith(line)
    assert heard.count("\n") == 1
    assert not wiki.asked


def test_a_wiki_that_wants_a_login_is_one_line(wiki, capsys, tmp_path):
    denied = {"error": {"code": "readapidenied", "info": "You need read permission."}}
    wiki.script = lambda path, params: Said(200, denied) if path == wiki.place else None
    code, said, heard = slant(capsys, "wiki", "crawl", wiki.url, "-q", "-o", tmp_path / "w.parquet")
    assert (code, said) == (2, "")
    assert heard == (
        f"error: Asking {wiki.url}/w/api.php: this wiki wants a login: it answers 'readapidenied' "
        "(You need read permission.). slant reads what everybody may read; ask the wiki's people "
        "for a dump (slant wiki dump).\n"
    )
