"""Readers of published data sets: MBIB, BABE, ViLBias, VLDBench and the images of news."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from fuzzed.mbibfiles import CLEAN_ALONE, MBIB
from fuzzed.readers import Files, Reader, encoded, from_tests

HEAD_VILBIAS = "unique_id,outlet,title,canonical_link,content,image,text_label,multimodal_label"
VOTED = (
    "unique_id,outlet,title,content,image,gemma,gpt4omini,llama3.1,llama3,mistral,"
    "phi_label,cpm_label"
)
BABE = "text;news_link;outlet;topic;type;label_bias;label_opinion;biased_words\n"


def workbook(*rows: Sequence[object]) -> bytes:
    """An xlsx file of one sheet."""
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(list(row))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def source(folder: Path, number: str, form: str) -> Any:
    """All files of a folder as a source."""
    from slant.data.sources import Source

    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "form")
    return Source(number, form, folder, tuple(paths), "complete", (), "00")


def of_mbib(number: str, folder: Path) -> object:
    """A data set of MBIB by both presets; the unified table, which takes long, at times."""
    from slant.data.mbib import READERS
    from slant.data.tables import dataset_table, export_csv

    form = (folder / "form").read_text()
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    found = source(folder, number, form)
    if size % 2 or form in CLEAN_ALONE:
        records = READERS[number](found, "clean")
        return records if size % 16 > 1 else dataset_table(records, number, "clean", "minimal")
    records = READERS[number](found, "official")
    if size % 16 > 1:
        return records
    return export_csv(dataset_table(records, number, "official", "official"), number, "official")


def of_babe(folder: Path) -> object:
    from slant.data.babe import babe_table, read_annotations, read_babe_words
    from slant.data.sources import Source

    (path,) = folder.glob("*.csv")
    final = Source("babe", "final labels", folder, (path,), "complete", (), "00")
    books = tuple(folder.glob("*.xlsx"))
    raw = Source("babe", "raw labels", folder, books, "complete", (), "00")
    records = read_babe_words(final, "clean")
    return babe_table(final, raw, "clean", "minimal"), read_annotations(books[0], records)


def of_pairs(dataset: str, folder: Path) -> object:
    from slant.data.sources import Source
    from slant.data.vilbias import images_of, notes_of, pair_table, vote_counts

    (path,) = folder.glob("*.csv")
    found = Source(dataset, "articles", folder, (path,), "complete", (), "00")
    if b"gemma" in path.read_bytes()[:300]:
        return vote_counts(found, "seeded"), pair_table(found, "clean", "minimal", "seeded")
    return notes_of(found, images_of(found), "published"), pair_table(found, "clean", "minimal")


def of_news(folder: Path) -> object:
    from slant.data.mediaeval import POSTS, TRUTH, mediaeval_table
    from slant.data.sources import Source

    paths = (folder / POSTS, folder / TRUTH)
    return mediaeval_table(
        Source("mediaeval", "x", folder, paths, "partial", (), "00"), "clean", "minimal"
    )


def readers() -> list[Reader]:
    """The readers of this module, with their files made."""
    picture = from_tests("data", "drawn").picture
    made: dict[str, Sequence[tuple[str, Mapping[str, Any]]]] = dict(MBIB)
    babe = [
        "text",
        "news_link",
        "outlet",
        "topic",
        "type",
        "label_bias",
        "label_opinion",
        "biased_words",
    ]
    words = ["Mad words.", "http://a", "Fox", "blm", "right", "Biased", "x", "['Mad']"]
    made["010"] = [("raw", {"raw/final_labels_SG2.xlsx": workbook(babe, words, words)})]
    made["106"] = [("raw", {"raw/I.xlsx": workbook(["Sentences", "Label"], ["A.", 1], ["B.", 0])})]
    found = [_of_mbib(number, forms) for number, forms in sorted(made.items())]
    raw = ["annotator_id", "text", "label_bias", "biased_words", "df_id"]
    final = BABE + "\n".join([";".join(words), "Calm.;;Reuters;x;center;Non-biased;x;[]"]) + "\n"
    posts = (
        "post_id\tpost_text\tuser_id\tusername\timage_id\ttimestamp\tlabel\n"
        "1\tA\t7\tu\tevent_a_1\tt\tfake\n"
    )
    truth = b"image_filename\tpost_id\tlabel\nevent_a_1\t1\ttampered\n"
    rest = [
        Reader(
            "data: BABE with its annotators",
            of_babe,
            [
                {
                    "final_labels_SG2.csv": final.encode(),
                    "raw_labels_SG2.xlsx": workbook(
                        raw,
                        ["1", "Mad words.", "Biased", "Mad", "1"],
                        ["2", "Calm.", "Non-biased", "", "2"],
                    ),
                }
            ],
            ("data.babe",),
        ),
        *(
            Reader(
                f"data: {name}",
                partial(of_pairs, name.lower()),
                [{"a.csv": one.encode(), "images/a1.png": picture()} for one in tables],
                ("data.vilbias", "data.imagesums", "data.votes"),
            )
            for name, tables in (("ViLBias", _vilbias()), ("VLDBench", _vldbench()))
        ),
        Reader(
            "data: posts with images of news",
            of_news,
            [
                {
                    "posts_groundtruth.txt": posts.encode(),
                    "data_groundtruth.txt": truth,
                    "images/event_a_1.jpg": picture(kind="JPEG"),
                }
            ],
            ("data.mediaeval",),
        ),
    ]
    return [*found, *rest]


def _of_mbib(number: str, forms: Sequence[tuple[str, Mapping[str, Any]]]) -> Reader:
    read: Callable[[Path], object] = partial(of_mbib, number)
    seeds: list[Files] = [
        {name: encoded(one) for name, one in contents.items()} | {"form": form.encode()}
        for form, contents in forms
    ]
    modules = ("data.mbib", f"data.{_module_of(number)}")
    return Reader(f"data: mbib/{number}", read, seeds, modules, ("form",))


def _module_of(number: str) -> str:
    from slant.data.mbib import READERS

    return READERS[number].__module__.rpartition(".")[2]


def _vilbias() -> list[str]:
    published = (
        f'{HEAD_VILBIAS}\na1,Herald,One,https://h/1,"First\nline.",images/a1.png,Unlikely,Likely\n'
    )
    voted = f"{VOTED}\na1,Herald,One,Text.,images/a1.png" + ",Likely" * 5 + ",Unlikely" * 2 + "\n"
    return [published, voted]


def _vldbench() -> list[str]:
    from slant.data.vilbias import _ARRAYS  # the two columns that the files of VLDBench add

    head = f"{HEAD_VILBIAS},{_ARRAYS[0]},{_ARRAYS[1]}"
    return [
        f'{head}\na1,Herald,One,https://h/1,Text.,images/a1.png,Unlikely,Likely,"[\'x\']","[0.5]"\n'
    ]
