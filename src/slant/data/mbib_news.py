"""News sentences with a label of their own: 009 BASIL, 010 BABE, 019 and 038."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polars as pl

from slant.data.babe import COLUMNS, babe_records
from slant.data.documents import as_published, read_json, sound, text_of
from slant.data.rows import (
    AGAIN,
    check_labels,
    file_named,
    files_ending,
    read_csv,
    read_text,
    read_xlsx,
)
from slant.data.sources import Source
from slant.data.tables import record_table
from slant.data.texts import official_text
from slant.errors import DataError
from slant.types import Preset

_SCORES = {
    "subjectivity": ("subjectivity",),
    "hidden_assumptions": ("hidden_assumptions",),
    "bias_west": ("bias", "pro-west"),
    "bias_russia": ("bias", "pro-russia"),
}

_SCORE = pl.Struct({"avg": pl.Float64, "maj": pl.Float64})
_SIDES = pl.Struct({"pro-west": _SCORE, "pro-russia": _SCORE})
_SENTENCE = {"id": pl.String, "content": pl.String} | {
    kind: pl.Struct({"score": score})
    for kind, score in (
        ("subjectivity", _SCORE),
        ("hidden_assumptions", _SCORE),
        ("bias", _SIDES),
    )
}
_SPAN_KEYS = ("id", "txt", "bias", "quote", "aim")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_ARTICLE = pl.Struct({"sentences": pl.List(pl.Struct(_SENTENCE))})


def read_basil(source: Source, preset: Preset) -> pl.DataFrame:
    """009 BASIL: news articles with marked spans of lexical and informational bias.

    Rule: official - one row per span, the text being the sentence or title it points at, always 1.
    Clean - one row per sentence and title, 1 where at least one span points at it, else 0;
    `article` is the event, of which three outlets report, often with the same quotations.

    Source: MBIB, process of 009; Fan et al. 2019.
    """
    by_stem = {path.stem: path for path in files_ending(source, "_ann.json")}
    articles = [p for p in files_ending(source, ".json") if not p.stem.endswith("_ann")]
    rows: list[dict[str, Any]] = []
    for path in sorted(articles, key=lambda p: (p.parent.name, p.name)):
        marks = by_stem.get(f"{path.stem}_ann")
        if marks is None:
            do = "Put it beside the others"
            raise DataError(f"Reading '{path}'", "its annotation file is missing", do)
        article = read_json(path)
        with as_published(path):
            body = [sound(text) for paragraph in article["body-paragraphs"] for text in paragraph]
            units = {"title": text_of(article, "title")}
            units |= {f"p{n}": text for n, text in enumerate(body)}
            outlet = text_of(article, "source").lower()
        found_spans = read_json(marks)
        with as_published(marks):
            spans = [
                {key: text_of(span, key) for key in _SPAN_KEYS}
                for span in found_spans["phrase-level-annotations"]
            ]
        for span in spans:
            if span["id"] not in units:
                found = f"a span points at '{span['id']}', which '{path.name}' does not have"
                raise DataError(f"Reading '{marks}'", found, "Get both files again")
        about = {
            "part": path.parent.name,
            "article": path.stem if preset == "official" else path.stem.rpartition("_")[0],
            "outlet": outlet,
        }
        emit = _basil_spans if preset == "official" else _basil_units
        rows += [about | row for row in emit(path.stem, units, spans)]
    table = pl.DataFrame(rows, infer_schema_length=None)
    if preset == "official":
        table = table.with_row_index("n").with_columns(official_id=pl.col("n").cast(pl.String))
        table = table.drop("n")
    return record_table(table)


def _basil_spans(
    stem: str, units: dict[str, str], spans: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    return [
        {
            "id": f"{stem}-span{n}",
            "text": units[span["id"]],
            "label": 1,
            "source_label": span["bias"],
            "pos": span["txt"],
            "bias_type": span["bias"],
            "quote": span["quote"],
            "aim": span["aim"],
        }
        for n, span in enumerate(spans)
    ]


def _basil_units(
    stem: str, units: dict[str, str], spans: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    rows = []
    for name, text in units.items():
        here = [span for span in spans if span["id"] == name]
        kinds = "+".join(sorted({span["bias"] for span in here}))
        rows.append(
            {
                "id": f"{stem}-{name}",
                "text": text,
                "label": int(bool(here)),
                "source_label": kinds or "none",
                "words": str([span["txt"] for span in here]),
            }
        )
    return rows


def read_babe(source: Source, preset: Preset) -> pl.DataFrame:
    """010 BABE (SG2): news sentences labelled by experts.

    Rule: Biased 1, Non-biased 0; "No agreement" is 2 in official, left out as "undecided" in clean.

    Source: MBIB, process of 010; Spinde et al. 2021.
    """
    path = file_named(source, "final_labels_SG2.xlsx")
    return babe_records(read_xlsx(path, COLUMNS), path, 2, preset)


def read_ukraine(source: Source, preset: Preset) -> pl.DataFrame:
    """019 Ukraine news corpus: sentences with crowd scores of three kinds of bias.

    Rule: official - 1 where a majority score of subjectivity, hidden assumptions, bias pro-west or
    pro-russia is 1.5 or more. Clean - 1 where one of the four *average* scores is above 1: that
    rule gives all three of the authors' own binary files (bias 340, subjectivity 211, hidden
    assumptions 62 of 2,057), and the label is their union.

    Source: MBIB, process of 019; Färber et al. 2020, binary files of the repository.
    """
    paths = sorted(files_ending(source, ".json"), key=lambda p: (_number(p.stem), p.name))
    articles = pl.DataFrame({"part": [p.stem for p in paths], "of": _read_articles(paths)})
    table = (
        articles.with_row_index("n")
        .select("n", "part", sentence=pl.col("of").struct.field("sentences"))
        .filter(pl.col("sentence").list.len().fill_null(1) > 0)
        .explode("sentence")
        .with_columns(m=pl.int_range(pl.len()).over("n"))
    )
    sentence = pl.col("sentence").struct
    table = table.select(
        "part",
        id=sentence.field("id"),
        text=sentence.field("content"),
        article="part",
        official_id=pl.format("{}-{}", "n", "m"),
        **{
            f"{kind}_{name}": _nested(pl.col("sentence"), first, "score", *side, short)
            for name, (first, *side) in _SCORES.items()
            for kind, short in (("average", "avg"), ("majority", "maj"))
        },
    )
    faulty = table.filter(pl.any_horizontal(pl.all().is_null()))
    if faulty.height:
        path = next(p for p in paths if p.stem == faulty["part"][0])
        found = "a sentence has no id, no content or not all scores"
        raise DataError(f"Reading '{path}'", found, AGAIN)
    statistic, limit = ("majority", 1.5) if preset == "official" else ("average", 1.0)
    scores = [pl.col(f"{statistic}_{name}") for name in _SCORES]
    highest = pl.max_horizontal(scores)
    return record_table(
        table.with_columns(
            label=((highest >= limit) if preset == "official" else (highest > limit)).cast(pl.Int8),
            source_label=pl.format(
                "subjectivity {}, hidden assumptions {}, pro-west {}, pro-russia {}", *scores
            ),
        )
    )


def _read_articles(paths: list[Path]) -> pl.Series:
    texts = [read_text(path) for path in paths]
    # Half a pair of surrogates is for the slow reader, which mends it.
    if not any(_SURROGATE.search(text) for text in texts):
        try:
            return pl.Series(texts).str.json_decode(_ARTICLE)
        except pl.exceptions.PolarsError:
            pass  # The slow reader names the fault.
    articles = [read_json(path) for path in paths]
    for path, article in zip(paths, articles, strict=True):
        with as_published(path):
            for sentence in article.get("sentences") or ():
                sentence["content"] = text_of(sentence, "content")
                sentence["id"] = text_of(sentence, "id")
            try:
                pl.Series([article], dtype=_ARTICLE)
            except pl.exceptions.PolarsError as error:
                raise TypeError(str(error).splitlines()[0]) from None
    return pl.Series(articles, dtype=_ARTICLE)


def _nested(column: pl.Expr, *names: str) -> pl.Expr:
    for name in names:
        column = column.struct.field(name)
    return column


def _number(stem: str) -> int:
    digits = re.search(r"\d+", stem)
    return int(digits[0]) if digits else 0


def read_biased_sentences(source: Source, preset: Preset) -> pl.DataFrame:
    """038 Biased Sentences: sentences scored from 1 to 4 by four or five annotators.

    Rule: the mean score over annotators; official 1 from 1.5, clean 1 from 2.5, the middle of the
    scale. Text = the alphabetically smallest copy, its first four characters cut (official) or
    its `[N]:` (clean); a sentence that an article does not have is no record.

    Source: MBIB, process of 038; Lim et al. 2020.
    """
    path = files_ending(source, ".csv")[0]
    numbers = range(20)
    wanted = ["id_article", *map(str, numbers), *(f"s{n}" for n in numbers)]
    table = read_csv(path, wanted).with_columns(
        pl.col("id_article").cast(pl.Float64, strict=False).cast(pl.Int64, strict=False)
    )
    _check_scores(table, path)
    frames = [
        table.group_by("id_article")
        .agg(
            mean=pl.col(str(n)).replace("", None).cast(pl.Float64).mean(),
            text=pl.col(f"s{n}").replace("", None).min(),
        )
        .with_columns(n=pl.lit(n))
        for n in numbers
    ]
    rows = pl.concat(frames).drop_nulls("text").sort("id_article", "n")
    text = pl.col("text")
    rows = rows.with_columns(
        text.str.slice(4) if preset == "official" else text.str.replace(r"^\[\d+\]:?\s*", "")
    )
    rows = rows.filter((official_text(text) if preset == "official" else text) != "")
    limit = 1.5 if preset == "official" else 2.5
    name = pl.format("{}-{}", pl.col("id_article") - 1, "n")
    return record_table(
        rows.select(
            "text",
            id=name,
            label=(pl.col("mean") >= limit).cast(pl.Int8),
            source_label=pl.col("mean").cast(pl.String),
            part=pl.lit(path.name),
            article=pl.col("id_article").cast(pl.String),
            official_id=name,
            category=pl.col("mean") - 1,
        )
    )


def _check_scores(table: pl.DataFrame, path: Path) -> None:
    for n in range(20):
        check_labels(table[str(n)], ("", "1", "2", "3", "4", "1.0", "2.0", "3.0", "4.0"), path)
