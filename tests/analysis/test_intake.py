"""The door: what is told, what is refused, what is said of what was not looked at."""

from __future__ import annotations

import gzip
import io
import sys
from dataclasses import replace

import pytest
from madefiles import GERMAN, PARAGRAPHS, all_kinds, article_json, jsonl, packed_members, page, warc

from slant.analysis.article import Article
from slant.analysis.fetching import Fetched
from slant.analysis.intake import read_any, read_document
from slant.analysis.kinds import kind_of
from slant.analysis.tables import Columns
from slant.errors import DataError, MissingExtra, UnknownName, WorkFailed

for package in ("trafilatura", "pypdf", "py3langid"):
    pytest.importorskip(package)


@pytest.fixture
def files(tmp_path):
    for name, data in all_kinds().items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


def read(*targets, **options):
    return list(read_any([str(target) for target in targets], **options))


def test_a_folder_of_every_kind_becomes_articles_each_with_its_place(files):
    found = read(files)
    assert [article.why for article in found if article.why] == [
        "The feed holds no text of this entry."
    ]
    assert len({article.id for article in found}) == len(found)
    # 3 + 3 feed entries, 3 tables of 3 rows, 2 archives of 4 records, 6 files of one article.
    assert len(found) == 6 + 9 + 8 + 6
    assert [article.origin for article in found if "rows.csv" in article.origin] == [
        f"{files}/rows.csv, row {n}" for n in (1, 2, 3)
    ]
    assert {article.language for article in found} == {"en", ""}
    assert read(files) == found


def test_plain_text_keeps_every_character(tmp_path):
    text = "\ufeffOne \u201ctwo\u201d\r\n\r\n\ttabs  and \U0001f642 e\u0301\x0b\n"
    (tmp_path / "a.txt").write_bytes(text.encode())
    assert read(tmp_path / "a.txt")[0].text == text
    (tmp_path / "wide.txt").write_bytes("\ufeffWide text".encode("utf-16-le"))
    assert read(tmp_path / "wide.txt")[0].text == "\ufeffWide text"


def test_texts_in_tables_and_json_keep_every_character():
    rows = b'{"text": " a\\r\\n\\u00e9\\t ", "id": "x"}\n{"text": "b", "id": "y"}\n'
    assert [a.text for a in read_document(rows, "a.jsonl")] == [" a\r\n\u00e9\t ", "b"]
    assert next(read_document(b'{"text": "a\\ud83d"}', "a.json")).text == "a\ufffd"


def test_a_json_document_of_one_article_says_what_is_known_of_it(tmp_path):
    (tmp_path / "a.json").write_bytes(article_json())
    assert read(tmp_path / "a.json") == [
        Article(
            "XPx", "\n\n".join(PARAGRAPHS), title="A plan", outlet="Example", date="2019-04-02",
            topic="politics", url="https://example.org/1", origin=str(tmp_path / "a.json"),
            language="en",
        )
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "kind"),
    [("paper.pdf", "pdf"), ("letter.docx", "docx"), ("rows.parquet", "table"),
     ("page.html", "page"), ("feed.rss", "feed"), ("feed.atom", "feed"), ("crawl.warc", "warc"),
     ("article.json", "json"), ("plain.txt", "text"), ("plain.txt.gz", "gzip")],
)  # fmt: skip
def test_content_tells_the_kind_where_the_name_says_nothing(name, kind):
    assert kind_of(all_kinds()[name][:2000], "download") == kind


def test_marks_of_the_content_outweigh_a_wrong_ending(tmp_path):
    (tmp_path / "a.txt").write_bytes(all_kinds()["letter.docx"])
    assert read(tmp_path / "a.txt")[0].text == "\n".join(PARAGRAPHS)


def test_text_that_begins_like_json_or_markup_stays_text():
    for text in ("[Applause] Thank you all.", "{sic} he said", "<3 is what they wrote", "1 < 2"):
        assert next(read_document(text.encode(), "speech")).text == text


def test_standard_input_is_told_by_its_content(monkeypatch):
    for data, count in ((b"Some words.", 1), (page(), 1), (jsonl(), 3)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        found = read("-")
        assert len(found) == count
        assert found[0].origin.startswith("standard input")
        assert found[0].text


def test_another_language_is_said_and_not_scored():
    (article,) = read_document(GERMAN.encode(), "a.txt")
    assert (article.language, article.scored) == ("de", False)
    assert "not in English but in German (de)" in article.why
    assert article.text == GERMAN
    assert next(read_document(GERMAN.encode(), "a.txt", language="en")).scored


@pytest.mark.parametrize("data", [b"", b" \r\n\t", b"\xef\xbb\xbf"])
def test_an_empty_text_is_an_article_that_was_not_looked_at(data):
    assert next(read_document(data, "a.txt")).why == "It is empty."


def test_an_empty_row_is_not_looked_at_and_the_others_are():
    found = list(read_document(b"text,outlet\nOne.,A\n,B\n  ,C\nTwo.,D\n", "a.csv"))
    assert [article.scored for article in found] == [True, False, False, True]
    assert found[1].why == "The column 'text' holds no text."
    assert found[1].origin == "a.csv, row 2"


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.txt", b"good\nbad \xff", r"byte 9 \(0xFF, line 2\) is not UTF-8"),
        ("a.txt", b"a\0b", "character 1 is the zero of binary files"),
        ("a.txt", b"\xff\xfea", "byte 2 is not UTF-16"),
        ("a.csv", b'text,b\n"x",y,z\n', r"row 1 \(line 2\) has 3 fields"),
        ("a.csv", b"text,text\na,b\n", "the column 'text' is there 2 times"),
        ("a.csv", b"text\n", "it has no rows"),
        ("a.csv", b"a,b\n1,2\n", "it has a, b, of which none is called text"),
        ("a.csv", b"", "it is empty"),
        ("a.jsonl", b'{"text": "a"}\n{"text"', "line 2 is no JSON"),
        ("a.jsonl", b'{"text": "a"}\n[1]\n', "line 2 holds no JSON object"),
        ("a.jsonl", b'{"text": "a"}\n{"text": 7}\n', "the 'text' of row 2 is no text but 7"),
        ("a.jsonl", b'{"text": ' + b"[" * 100_000, "line 1 is no JSON"),
        ("a.json", b'{"text": "a"', "line 1, column 13 is no JSON"),
        ("a.json", b'["a"]', 'item 1 is no object but "a"'),
        ("a.json", b"[]", "it is an empty array"),
        ("a.json", b"7", "it is no object but 7"),
        ("a.json", b"[" * 100_000, "is no JSON"),
        ("a.parquet", b"PAR1 cut", "no parquet file, or cut"),
        ("a.pdf", b"%PDF-1.7 cut", "it is no PDF, or cut"),
        ("a.docx", b"PK\x03\x04 cut", "no Word document, or cut"),
        ("a.rss", b"<rss><channel>", "line 1, column 14 is no XML"),
        ("a.xml", b"<note>x</note>", "no RSS or Atom feed"),
        ("a.warc", b"WARC/1.0\r\nContent-Length: 9\r\n\r\nxx", "record 1: it has 2 of 9 bytes"),
        ("a.warc", b"WARC/1.0\r\nContent-Length: x\r\n\r\n", "Content-Length is 'x', no number"),
        ("a.warc", b"nothing", "where 'WARC/1.0' should stand"),
        ("a.gz", gzip.compress(b"some text", mtime=0)[:-9], "broken or cut"),
        (
            "a.gz",
            gzip.compress(gzip.compress(b"text", mtime=0), mtime=0),
            "packed within a packed file",
        ),
        ("a.doc", b"\xd0\xcf\x11\xe0 old", "old Word, Excel or PowerPoint"),
        ("a.png", b"\x89PNG", "it is an image"),
        ("a.rtf", b"{\\rtf1 text}", "it is a file of rich text"),
    ],
)
def test_what_cannot_be_read_is_one_error_naming_file_and_place(tmp_path, name, data, said):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(DataError, match=said) as failed:
        read(path)
    assert str(path) in str(failed.value)
    assert "\n" not in str(failed.value)
    with pytest.raises(DataError, match=said):
        list(read_document(data, name))
    # Among others it stops nobody, and is there with its reason.
    (tmp_path / "good.txt").write_text("Some words.")
    *_, bad, good = read(path, tmp_path / "good.txt")
    assert good.text == "Some words."
    assert not bad.scored
    with pytest.raises(DataError, match=said):
        read(path, tmp_path / "good.txt", strict=True)


def test_targets_are_looked_at_before_the_first_is_read(tmp_path):
    (tmp_path / "a.txt").write_text("Some words.")
    for bad in (tmp_path / "none.txt", "", "ftp://a.org/x", "a\0b", "x" * 5000):
        with pytest.raises(DataError):
            read_any([str(tmp_path / "a.txt"), str(bad)])
    with pytest.raises(DataError, match="nothing was named"):
        read_any([])
    with pytest.raises(DataError, match="named twice"):
        read_any(["-", "-"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="holds no file"):
        read(tmp_path / "empty")


def test_a_folder_says_what_it_left_out_and_passes_over_hidden_files(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.txt").write_text("Words.")
    (tmp_path / "a.mp3").write_bytes(b"ID3")
    (tmp_path / ".hidden.txt").write_text("Words.")
    left, read_one = read(tmp_path)
    assert (left.id, left.why) == ("a.mp3", "The ending '.mp3' is not known.")
    assert read_one.id == "sub/b.txt"


def test_ids_that_come_again_are_told_apart(tmp_path):
    rows = b'{"id": "a", "text": "One."}\n{"id": "a", "text": "Two."}\n{"id": "a-2", "text": "3"}\n'
    assert [article.id for article in read_document(rows, "a.jsonl")] == ["a", "a-2", "a-2-2"]


def test_the_text_column_can_be_named_and_a_wrong_name_is_answered_with_the_nearest():
    rows = b"text,story\nshort,A longer story.\n"
    assert next(read_document(rows, "a.csv", text_column="story")).text == "A longer story."
    with pytest.raises(UnknownName, match="Did you mean story"):
        list(read_document(rows, "a.csv", text_column="storey"))


def test_further_columns_can_be_named_and_a_date_of_two_readings_is_kept():
    rows = b"body,head,paper,tags,day,title\nA text.,A head,Elm,tax,03/04/2019,no\n"
    named = Columns("body", title="head", outlet="paper", topic="tags", date="day")
    with pytest.raises(UnknownName, match="'Elm'"):
        list(read_document(rows, "a.csv", columns=replace(named, outlet="Elm")))
    (article,) = read_document(rows, "a.csv", columns=named)
    said = (article.text, article.title, article.outlet, article.topic, article.date)
    assert said == ("A text.", "A head", "Elm", "tax", "03/04/2019")
    (article,) = read_document(rows, "a.csv", columns=replace(named, order="mdy"))
    assert article.date == "2019-03-04"
    keys = b'{"body": "A text.", "day": "03/04/2019"}'
    (article,) = read_document(keys, "a.json", columns=Columns("body", date="day", order="dmy"))
    assert article.date == "2019-04-03"


def test_columns_of_what_has_none_are_refused(tmp_path):
    for name, data in (("a.txt", b"text"), ("a.html", page())):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(DataError, match=r"no table, a column of which --text could name"):
            read(tmp_path / name, text_column="body")
    both = [tmp_path / "a.txt", tmp_path / "a.csv"]
    (tmp_path / "a.csv").write_bytes(b"body,x\nA text.,1\n")
    found = read(*both, text_column="body")
    assert [(one.text, one.why) for one in found] == [("text", ""), ("A text.", "")]


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n", b"\x7fELF", b"a\x00b", b"\xff\x00\x01", b"\x00asm"]
)
def test_what_is_no_text_is_answered_with_the_kinds_that_are_read(data):
    with pytest.raises(DataError) as error:
        list(read_document(data, "a"))
    for kind in ("HTML", "PDF", "DOCX", "csv", "jsonl", "parquet", "WARC"):
        assert kind in error.value.do


def test_only_an_address_of_the_web_is_a_url():
    rows = b"text,url\nOne.,javascript:alert(1)\nTwo.,HTTPS://example.org/\n"
    assert [a.url for a in read_document(rows, "a.csv")] == ["", "HTTPS://example.org/"]


def test_an_address_is_fetched_by_what_was_given_and_told_by_what_came():
    def fetch(url):
        return Fetched("https://example.org/last", "text/html", "utf-8", page())

    (article,) = read_any(["https://example.org/first"], fetch=fetch)
    assert (article.id, article.url) == ("https://example.org/first", "https://example.org/last")
    assert article.outlet == "The Daily Example"
    with pytest.raises(DataError, match="addresses are not fetched here"):
        read_any(["https://example.org/"], fetch=None)


def test_an_address_that_fails_among_others_is_said_and_alone_is_an_error():
    def fetch(url):
        raise WorkFailed(f"Fetching '{url}'", "the server answers 500", "Look")

    found = list(read_any(["https://a.org/1", "https://a.org/2"], fetch=fetch))
    assert [article.why for article in found] == ["The server answers 500."] * 2
    with pytest.raises(WorkFailed):
        list(read_any(["https://a.org/1"], fetch=fetch))


def test_a_key_in_an_address_is_used_and_a_password_refused_and_neither_is_told():
    asked = []

    def fetch(url):
        asked.append(url)
        return Fetched(url, "text/html", "utf-8", page())

    (article,) = read_any(["https://a.org/1?page=2&token=hunter2"], fetch=fetch)
    assert asked == ["https://a.org/1?page=2&token=hunter2"]
    assert article.id == article.url == article.origin == "https://a.org/1?page=2&token=[key]"
    for url in ("https://me:hunter2@a.org/1", "https://hunter2@a.org/?a@b"):
        with pytest.raises(DataError, match="it holds a name or password") as refused:
            read_any([url, "https://a.org/2"], fetch=fetch)
        assert "hunter2" not in str(refused.value)
    with pytest.raises(DataError, match=r"token=\[key\]"):
        read_any(["https://a.org/?token=hunter2"], fetch=None)


def test_a_packed_stream_that_grows_as_no_text_does_is_refused(tmp_path):
    bomb = gzip.compress(bytes(30_000_000))
    with pytest.raises(DataError, match="more than 200 times"):
        list(read_document(bomb, "a.txt.gz"))
    (tmp_path / "a.warc.gz").write_bytes(bomb)
    with pytest.raises(DataError, match=r"more than 200 times|should stand"):
        read(tmp_path / "a.warc.gz")


def test_large_tables_and_archives_pass_one_article_at_a_time(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(jsonl() * 50 + b"broken")
    stream = read_any([str(tmp_path / "a.jsonl")], language="en")
    assert next(stream).id == "a.jsonl:1"
    with pytest.raises(DataError, match="line 151 is no JSON"):
        list(stream)
    (tmp_path / "a.warc.gz").write_bytes(packed_members(warc() * 20))
    assert len(read(tmp_path / "a.warc.gz")) == 80


@pytest.mark.parametrize(
    ("package", "name"), [("trafilatura", "page.html"), ("pypdf", "paper.pdf")]
)
def test_without_the_extra_it_is_named(package, name, monkeypatch):
    monkeypatch.setattr(
        "slant.analysis.limits.find_spec", lambda one: None if one == package else 1
    )
    with pytest.raises(MissingExtra, match=rf'{package} is not installed.*"slant\[analyze\]"'):
        list(read_document(all_kinds()[name], name))


def test_the_thirty_real_articles_say_their_outlet_title_and_topic(real_data):
    found = read(real_data / "news" / "articles")
    assert len(found) == 30
    assert all(a.scored and a.language == "en" and a.outlet and a.title and a.topic for a in found)
    # Six of these files leave their date empty.
    assert sum(bool(article.date) for article in found) == 24


def test_the_characters_of_real_plain_texts_are_those_of_the_files(real_data):
    folder = real_data / "propaganda" / "ptc" / "train-articles"
    chosen = sorted(folder.iterdir())[:20]
    for article, path in zip(read(*chosen), chosen, strict=True):
        assert article.text == path.read_bytes().decode()
        assert article.scored
