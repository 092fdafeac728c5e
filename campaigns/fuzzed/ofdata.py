"""Readers of tables, documents, images, archives, cards and schemas."""

from __future__ import annotations

import io
import tarfile
import zipfile
from importlib.resources import files as resources
from pathlib import Path

from fuzzed.readers import Files, Reader, content, files, from_tests, lines, only, parquet

HEAD = ["id", "text", "label", "marks"]
ROWS = [
    ["a", "The reckless plan, again.", "1", "[[4, 12]]"],
    ["b", 'He said "no" to it.\nTwice.', "0", "[]"],
    ["c", "Nobody knows \U0001f642 why.", "1", '["Nobody"]'],
]


def _table(mark: str) -> bytes:
    quoted = [['"' + cell.replace('"', '""') + '"' for cell in row] for row in (HEAD, *ROWS)]
    return "\n".join(mark.join(row) for row in quoted).encode()


RECORDS = [dict(zip(HEAD, row, strict=True)) for row in ROWS]
TABLES: list[Files] = [
    {"given.csv": _table(",")},
    {"given.tsv": _table("\t")},
    {"given.jsonl": lines(RECORDS)},
    {"given.parquet": parquet({name: [row[name] for row in RECORDS] for name in HEAD})},
]
CORPORA: list[Files] = [
    *TABLES,
    files(corpus__txt="One document.\nAnother one, longer.\n"),
    files(corpus__cor="One document.\nAnother one, longer.\n"),
]


def given(folder: Path) -> object:
    from slant.data.given import given_labels, read_given
    from slant.data.givenmarks import given_marks

    found = read_given(only(folder))
    texts = found.filled("text", "text")
    return found.unique("id"), given_labels(found, "label"), given_marks(found, "marks", texts)


def corpus(folder: Path) -> object:
    from slant.data.streams import open_corpus, read_rows

    path = only(folder)
    plain = path.suffix in (".txt", ".cor")
    opened = open_corpus(path, None if plain else "text", None if plain else "id")
    batches = [(list(batch.ids), list(batch.texts)) for batch in opened.batches(2)]
    return batches, None if plain else list(read_rows(path))


def published(folder: Path) -> object:
    from slant.data.fields import read_fields
    from slant.data.rows import read_csv, read_lines, read_xlsx

    path = only(folder)
    if path.suffix == ".xlsx":
        return read_xlsx(path, ["id", "text"])
    if path.suffix == ".tsv":
        return read_lines(path), read_fields(path, {"id": 0, "text": 1}, header=True)
    return read_csv(path, ("id", "text"), optional=("label",), record=r"[a-z],")


def documents(folder: Path) -> object:
    from slant.data.documents import read_json, read_json_items, read_xml

    path = only(folder)
    if path.suffix == ".xml":
        return read_xml(path)
    if path.name == "items.json":
        return list(read_json_items(path))
    return read_json(path)


def schema(folder: Path) -> object:
    from slant.data.schemas import load_schema

    return load_schema(str(only(folder)))


def schema_record(folder: Path) -> object:
    from slant.data.schemas import read_schema_json
    from slant.runs.store import read_json

    return read_schema_json(read_json(only(folder), "the schema"))


def image(folder: Path) -> object:
    from slant.data.images import checked_image, media_type, model_image, upright_image

    path = only(folder)
    return (
        checked_image(path, "image"),
        upright_image(path),
        model_image(path),
        media_type(path.read_bytes()),
    )


def archive(folder: Path) -> object:
    import tempfile

    from slant.data.archives import unpack

    with tempfile.TemporaryDirectory() as into:
        unpack(only(folder), Path(into))
        return list(Path(into).rglob("*"))


def added(folder: Path) -> object:
    from slant.data.added import added_table, load_added
    from slant.data.files import check

    found = load_added([folder])
    check([folder], [])
    return [added_table(one.source, "clean", "minimal") for one in found]


def cells(folder: Path) -> object:
    from slant.data.babe import list_cells, typed_words
    from slant.data.vilbias import array_cells

    path = only(folder)
    rows = content(folder).decode("utf-8", "replace").split("\n")
    match path.stem:
        case "lists":
            return list_cells(rows, path)
        case "typed":
            return [typed_words(row) for row in rows]
        case kind:
            return array_cells(rows, path, "words" if kind == "words" else "numbers")


CELLS = {
    "lists": "['Mad', '\"here\"']\n[]",
    "typed": "mad; sad, bad\nx",
    "words": "['a', 'b']\n[]",
    "numbers": "[0.5, 1]\n[]",
}


def header(folder: Path) -> object:
    from slant.data.cards import load_card
    from slant.data.found import header_of, missing_columns

    path = only(folder)
    return header_of(path), [missing_columns(path, form) for form in load_card("010").forms]


def remembered(folder: Path) -> object:
    """The store's memory of sums and of downloads, which a user can damage as any file."""
    import os

    from slant.data.hashes import read_sha256
    from slant.data.imagesums import found_images

    before = os.environ.get("SLANT_CACHE")
    os.environ["SLANT_CACHE"] = str(folder)
    try:
        return read_sha256(folder / "a.png"), found_images(folder, ["a.png"])
    finally:
        os.environ["SLANT_CACHE"] = before or ""


def _archives() -> list[Files]:
    zipped, rolled = io.BytesIO(), {}
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("072/train.tsv", b"a\tb\n" * 30)
        packed.writestr("images/a.png", b"x" * 300)
    for mode in ("w", "w:gz", "w:bz2", "w:xz"):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode=mode) as archive_:
            info = tarfile.TarInfo("072/train.tsv")
            info.size = 120
            archive_.addfile(info, io.BytesIO(b"a\tb\n" * 30))
        rolled[mode] = out.getvalue()
    return [{"given.zip": zipped.getvalue()}, *({"given.tar": one} for one in rolled.values())]


def _workbook() -> bytes:
    import polars as pl
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in pl.DataFrame({"id": ["id", "a", "b"], "text": ["text", "One.", "Two."]}).rows():
        sheet.append(list(row))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _added() -> Files:
    import tempfile

    from fuzzed.readers import taken
    from slant.data.added import add_dataset

    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "given.csv"
        path.write_bytes(TABLES[0]["given.csv"].replace(b'["Nobody"]', b"[]"))
        add_dataset(
            "own",
            path,
            text="text",
            label="label",
            store=Path(place) / "store",
            id_column="id",
            tasks=["racial-bias"],
        )
        return taken(Path(place) / "store")


def readers() -> list[Reader]:
    """The readers of this module, with their files made."""
    drawn = from_tests("data", "drawn")
    pictures = [
        {f"image.{kind.lower()}": drawn.picture((40, 30), kind=kind)}
        for kind in ("PNG", "JPEG", "GIF", "WEBP")
    ]
    kept = resources("slant.data").joinpath("schemas", "bait.toml").read_bytes()
    from slant.data.schemas import load_schema, schema_json

    as_json = schema_json(load_schema("bait"))
    texts = [dict(row) for row in RECORDS]
    own = _added()
    return [
        Reader("data: a given table", given, TABLES, ("data.given", "data.givenmarks")),
        Reader("data: a corpus, in batches", corpus, CORPORA, ("data.streams",)),
        Reader(
            "data: a published table",
            published,
            [TABLES[0], files(a__tsv="id\ttext\n1\tOne.\n2\tTwo.\n"), {"a.xlsx": _workbook()}],
            ("data.rows", "data.fields"),
        ),
        Reader(
            "data: published JSON and XML",
            documents,
            [
                files(a__json=texts),
                files(items__json=texts),
                files(a__xml="<a b='c'><p>x</p>y</a>"),
            ],
            ("data.documents",),
        ),
        Reader(
            "data: a schema",
            schema,
            [{"a.toml": kept}, files(a__json=as_json)],
            ("data.schemas", "data.schemachecks"),
        ),
        Reader("data: the schema of a record", schema_record, [files(a__json=as_json)], ()),
        Reader("data: an image", image, [*pictures, {"a.jpg": drawn.turned(6)}], ("data.images",)),
        Reader("data: an archive", archive, _archives(), ("data.archives",)),
        Reader("data: an added set", added, [own], ("data.added", "data.files")),
        Reader(
            "data: cells that hold lists",
            cells,
            [{f"{kind}.txt": one.encode()} for kind, one in CELLS.items()],
            ("data.babe",),
        ),
        Reader(
            "data: the header of a found file",
            header,
            [TABLES[0], files(a__tsv="id\ttext\n")],
            ("data.found", "data.sources"),
        ),
        Reader(
            "data: the memory of sums",
            remembered,
            [{"a.png": drawn.picture(), "sha256.json": b"{}", "images.json": b"{}"}],
            ("data.hashes", "data.imagesums"),
        ),
    ]
