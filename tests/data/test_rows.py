"""Published files that are not what they should be give one clear line each."""

from __future__ import annotations

import io
import zipfile

import pandas as pd
import polars as pl
import pytest

from slant.data.fields import read_fields
from slant.data.rows import (
    check_labels,
    file_named,
    files_ending,
    read_csv,
    read_lines,
    read_text,
    read_xlsx,
    refuse_official,
)
from slant.data.sources import Source
from slant.errors import DataError


def put(tmp_path, data, name="a.csv"):
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def message(call, *args, **options):
    with pytest.raises(DataError) as caught:
        call(*args, **options)
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_a_missing_column_names_those_that_are_there(tmp_path):
    path = put(tmp_path, "id,txt\n1,a\n")
    text = message(read_csv, path, ("id", "text"))
    assert "no column 'text' (found: id, txt)" in text
    assert str(path) in text


def test_a_wrong_encoding_names_the_byte_and_the_line(tmp_path):
    # "id,text\n" is 8 bytes, "1,caf" 5 more: the lone 0xE9 is byte 13, in line 2.
    path = put(tmp_path, b"id,text\n1,caf\xe9\n")
    for call, args in ((read_csv, (path, ("id",))), (read_text, (path,)), (read_lines, (path,))):
        text = message(call, *args)
        assert "byte 13 (0xE9, line 2) is not utf-8" in text


def test_a_file_far_longer_than_a_piece_is_checked_across_the_seams(tmp_path):
    # Pieces are 2**20 bytes: a two-byte letter lies across the first seam.
    body = "t\n" + "a" * ((1 << 20) - 3) + "é\n"
    assert read_csv(put(tmp_path, body), ("t",))["t"][0].endswith("é")
    text = message(read_csv, put(tmp_path, body.encode() + b"\xff\n"), ("t",))
    assert f"byte {len(body.encode())} (0xFF, line 3)" in text


def test_an_encoding_that_is_known_is_used_and_damage_is_replaced_on_request(tmp_path):
    path = put(tmp_path, b"text\ncaf\xe9\n")
    assert read_csv(path, ("text",), encoding="iso-8859-1")["text"].to_list() == ["café"]
    assert read_csv(path, ("text",), lossy=True)["text"].to_list() == ["caf\ufffd"]


@pytest.mark.parametrize("data", [b"", b" \n\n"])
def test_an_empty_file_is_called_empty(tmp_path, data):
    path = put(tmp_path, data)
    for call, args in (
        (read_csv, (path, ("a",))),
        (read_xlsx, (path, ("a",))),
        (read_lines, (path,)),
    ):
        assert "the file is empty" in message(call, *args)


def test_a_file_that_is_not_there_is_named(tmp_path):
    assert "there is no such file" in message(read_text, tmp_path / "none.csv")


def test_a_header_without_rows_is_no_data(tmp_path):
    assert "a header and no rows" in message(read_csv, put(tmp_path, "id,text\n"), ("id",))


def test_a_quote_that_is_never_closed_is_found(tmp_path):
    path = put(tmp_path, 'id,text\n1,"open\n2,b\n3,c\n')
    text = message(read_csv, path, ("id", "text"))
    assert "quotes swallow lines" in text
    assert "record 1" in text


def test_two_stray_quotes_that_swallow_lines_are_found_by_how_a_record_starts(tmp_path):
    path = put(tmp_path, 'id,text\n1,a\n2,"open\n3,b\n4,close"\n5,c\n')
    assert read_csv(path, ("id", "text")).height == 3
    text = message(read_csv, path, ("id", "text"), record="[0-9]+,")
    assert "at record 2 a field holds the start of further records" in text


def test_line_ends_inside_quoted_fields_are_no_records(tmp_path):
    path = put(tmp_path, 'id,text\r\n1,"a\nb, c"\r\n2,"say ""x"""\r\n3,\r\n')
    table = read_csv(path, ("id", "text"), record="[0-9]+,")
    assert table["text"].to_list() == ["a\nb, c", 'say "x"', ""]
    assert table.schema == {"id": pl.String, "text": pl.String}


@pytest.mark.parametrize(
    "text",
    [
        'id,text\n1,say "hi" there\n2,b\n',
        'id,text\n1,5" pipe\n2,6" pipe\n3,c\n',
        'id,text\n1,5" pipe\n2,b\n',
        "id,text\n1,\n\n3,c\n",
        "id,text\n1,a\n2\n3,c",
        'id,text\r\n1,"a\rb"\r\n2,"\r\n"\r\n',
        '\ufeffid,text\n1,"""q"" x"\n',
    ],
)
def test_odd_but_sound_csv_reads_as_pandas_reads_it(tmp_path, text):
    path = put(tmp_path, text)
    theirs = pd.read_csv(path, dtype=str, keep_default_na=False).to_numpy().tolist()
    assert [list(row) for row in read_csv(path, ("id", "text")).rows()] == theirs


def test_only_the_wanted_columns_of_a_wide_file_are_kept(tmp_path):
    names = [f"c{n}" for n in range(20)]
    path = put(tmp_path, ",".join(names) + "\n" + ",".join("x" + n for n in names) + "\n")
    table = read_csv(path, ("c7",), optional=("c3", "none"))
    assert table.to_dicts() == [{"c3": "xc3", "c7": "xc7"}]


def test_a_record_with_too_many_fields_is_found(tmp_path):
    text = message(read_csv, put(tmp_path, "id,text\n1,a\n2,b,c\n"), ("id",))
    assert "record 2" in text
    assert "3 fields, the header has 2" in text


def workbook(rows):
    sheet = "".join(
        f'<row r="{r}">'
        + "".join(
            f'<c r="{"AB"[c]}{r}" t="inlineStr"><is><t>{cell}</t></is></c>'
            for c, cell in enumerate(row)
        )
        + "</row>"
        for r, row in enumerate(rows, 1)
    )
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="s" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{sheet}</sheetData></worksheet>',
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, '<?xml version="1.0" encoding="UTF-8"?>' + text)
    return file.getvalue()


def test_a_workbook_is_read_as_strings(tmp_path):
    path = put(tmp_path, workbook([("text", "label"), ("a b", "1"), ("c", "0")]), "a.xlsx")
    assert read_xlsx(path, ("text", "label")).rows() == [("a b", "1"), ("c", "0")]
    assert "no column 'x'" in message(read_xlsx, path, ("x",))


def test_a_cut_workbook_is_called_cut(tmp_path):
    whole = workbook([("text", "label"), ("a b", "1")])
    for size in (100, len(whole) // 2, len(whole) - 30):
        path = put(tmp_path, whole[:size], "a.xlsx")
        assert "the workbook is cut or no xlsx file" in message(read_xlsx, path, ("text",))


def test_fields_are_split_at_tabs_and_quotes_are_ordinary(tmp_path):
    path = put(tmp_path, 'x\t"a\tb\r\ny\tc"\td', "a.tsv")
    table = read_fields(path, {"first": 1, "last": -1})
    assert table.rows() == [('"a', "b\n"), ('c"', "d")]
    assert read_fields(path, {"last": -1}, header=True).height == 1
    assert "line 1 has 3 tab-separated fields, 5 are needed" in message(read_fields, path, {"t": 4})


def test_lines_end_at_any_line_end_and_nowhere_else(tmp_path):
    path = put(tmp_path, "a\r\nb\rc\nd\u2028e\x0bf", "a.txt")
    assert read_lines(path) == ["a\n", "b\n", "c\n", "d\u2028e\x0bf"]


def test_an_unknown_label_is_named_with_its_row_and_the_known_ones(tmp_path):
    labels = pl.Series(["yes", "no", "Yes"])
    check_labels(labels[:2], ("yes", "no"), tmp_path)
    text = message(check_labels, labels, ("yes", "no"), tmp_path, first=2)
    assert "row 4 has the label 'Yes'" in text
    assert "'no', 'yes'" in text
    assert "row 1 has the label 'None'" in message(
        check_labels, pl.Series([None], dtype=pl.String), ("yes",), tmp_path
    )


def test_files_of_a_source_are_found_by_name_or_what_is_there_is_listed(tmp_path):
    files = (tmp_path / "a.tsv", tmp_path / "._a.tsv", tmp_path / "b.csv")
    source = Source("072", "other", tmp_path, files, "complete", (), "")
    assert file_named(source, "b.csv") == files[2]
    assert files_ending(source, ".tsv") == [files[0]]
    assert "no file 'c.csv' (found: a.tsv, ._a.tsv, b.csv)" in message(file_named, source, "c.csv")
    assert "the form 'other'" in message(refuse_official, source, "official")
    refuse_official(source, "clean")


def test_the_fast_and_the_slow_way_to_fields_give_the_same(tmp_path, monkeypatch):
    import random

    from slant.data import fields

    draw = random.Random(4)
    signs = ["a", '"', ",", " ", "é", "\u2028", "\x0b", "'", "\ufeff", "0", "nan"]
    real, fast = fields._fast_fields, 0

    def answer(wanted):
        try:
            return fields.read_fields(tmp_path / "a.tsv", wanted).rows()
        except DataError as error:
            return str(error)

    for _ in range(400):
        width = draw.randint(1, 5)
        text = ""
        for _ in range(draw.randint(1, 5)):
            many = width + (draw.randint(-2, 2) if draw.random() < 0.2 else 0)
            cells = (
                "".join(draw.choices(signs, k=draw.randint(0, 3))) for _ in range(max(1, many))
            )
            text += "\t".join(cells) + "\n"
        put(tmp_path, text, "a.tsv")
        wanted = {f"c{number}": number for number in range(draw.randint(1, width))}
        fast += real(text, len(wanted)) is not None
        monkeypatch.setattr(fields, "_fast_fields", real)
        first = answer(wanted)
        monkeypatch.setattr(fields, "_fast_fields", lambda *_: None)
        assert first == answer(wanted)
    assert fast > 100


def test_fields_may_stand_apart_by_another_sign(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('text;n\n"one;\n""two""";1\nthree, four;2\n', encoding="utf-8-sig")
    table = read_csv(path, ["text", "n"], separator=";")
    assert table.rows() == [('one;\n"two"', "1"), ("three, four", "2")]
    path.write_text('text;n\nan "odd quote;1\n')
    assert read_csv(path, ["text"], separator=";").rows() == [('an "odd quote',)]
