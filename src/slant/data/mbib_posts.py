"""Short posts, tweets and replies: 092, 105, 106, 107 and 110."""

from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl

from slant.data.documents import as_published, read_json, sound, text_of
from slant.data.rows import (
    PANDAS_MISSING,
    check_labels,
    file_named,
    files_ending,
    published_text,
    read_csv,
    read_xlsx,
)
from slant.data.sources import Source
from slant.data.tables import record_table
from slant.types import Preset

_CATEGORY = {"normal": 0, "hatespeech": 1, "offensive": 2, "no majority": 3}
_SENTIMENT = {"Neutral": 0, "Positive": 1, "Negative": 1, "Mixed": 1}
# groundTruth.csv was mis-decoded before it was published; these pairs stand for one sign each.
_LOST_SIGNS = {
    "äó_": "…",
    "\x8d_": "…",
    "\x8dÀ": "’",
    "äó»": "’",
    "\x8dÂ": "‘",
    "äóÖ": "‘",
    "\x8dç": "“",
    "äóì": "“",
    "\x8d±": "”",
    "äó\x9d": "”",
    "äóî": "—",
}


def read_hatexplain(source: Source, preset: Preset) -> pl.DataFrame:
    """092 HateXplain: posts from Twitter and Gab, three annotators each.

    Rule: majority of the annotators; hatespeech 1, normal and offensive 0. No majority is 0 in
    official, left out as "no majority" in clean. Text = tokens joined by spaces. The official csv
    (form `processed`), whose nameless first column is the post id, is read too.

    Source: MBIB, process of 092; Mathew et al. 2021.
    """
    read = _hatexplain_csv if source.form == "processed" else _hatexplain_json
    open_ = (pl.col("source_label") == "no majority") & (preset == "clean")
    return record_table(
        read(source)
        .with_row_index("n")
        .select(
            "id",
            "text",
            "source_label",
            "part",
            label=pl.when(~open_).then((pl.col("source_label") == "hatespeech").cast(pl.Int8)),
            left_out=pl.when(open_).then(pl.lit("no majority")),
            official_id=pl.col("n").cast(pl.String),
            category=pl.col("source_label").replace_strict(_CATEGORY, return_dtype=pl.Int64),
        )
    )


def _hatexplain_json(source: Source) -> pl.DataFrame:
    path = files_ending(source, ".json")[0]
    rows: list[dict[str, Any]] = []
    posts = read_json(path)
    with as_published(path):
        told = {
            sound(own): (
                Counter(text_of(annotator, "label") for annotator in post["annotators"]),
                sound(" ".join(post["post_tokens"])),
            )
            for own, post in posts.items()
        }
    for own, (votes, text) in told.items():
        check_labels(pl.Series(list(votes)), ("normal", "offensive", "hatespeech"), path)
        label, most = next(iter(votes.most_common(1)), ("", 0))
        rows.append(
            {
                "id": own,
                "text": text,
                "source_label": label if most >= 2 else "no majority",
                "part": own.rpartition("_")[2],
            }
        )
    return pl.DataFrame(rows, dict.fromkeys(("id", "text", "source_label", "part"), pl.String))


def _hatexplain_csv(source: Source) -> pl.DataFrame:
    path = files_ending(source, ".csv")[0]
    table = read_csv(path, ("", "text", "label", "category"))
    check_labels(table["category"], [str(n) for n in _CATEGORY.values()], path, first=2)
    names = {str(number): name for name, number in _CATEGORY.items()}
    own = pl.col("")
    return table.select(
        own.alias("id"),
        "text",
        source_label=pl.col("category").replace_strict(names, return_dtype=pl.String),
        part=own.str.extract(r"_(\w+?)$"),
    )


def read_rtgender(source: Source, preset: Preset) -> pl.DataFrame:
    """105 RtGender: a post and a response, with the sentiment a reader sees in the response.

    Rule: Neutral 0; Positive, Negative, Mixed 1. Official: post and response are joined without a
    space, and where pandas reads one of them as missing the text is "<NA>". Clean: joined by one
    space; responses to one post share `article`.

    Source: MBIB, process of 105; Voigt et al. 2018.
    """
    path = file_named(source, "annotations.csv")
    needed = ("source", "op_gender", "post_text", "response_text", "sentiment", "relevance")
    table = read_csv(path, needed)
    check_labels(table["sentiment"], _SENTIMENT, path, first=2)
    post, response = pl.col("post_text"), pl.col("response_text")
    missing = post.is_in(sorted(PANDAS_MISSING)) | response.is_in(sorted(PANDAS_MISSING))
    text = (
        pl.when(missing).then(pl.lit("<NA>")).otherwise(post + response)
        if preset == "official"
        else pl.concat_str(post, response, separator=" ").str.strip_chars()
    )
    number = (pl.col("n") + 1).cast(pl.String)
    return record_table(
        table.with_row_index("n").select(
            text.alias("text"),
            "source",
            "op_gender",
            "relevance",
            id=number,
            label=pl.col("sentiment").replace_strict(_SENTIMENT, return_dtype=pl.Int8),
            source_label="sentiment",
            part=pl.col("source"),
            article=pl.when(post != "").then(pl.format("post-{}", pl.col("n").first().over(post))),
            official_id=number,
            category="sentiment",
        )
    )


def read_workplace(source: Source, preset: Preset) -> pl.DataFrame:
    """106 workplace sexism: statements, 1 sexist, 0 not; both presets. Ids start at 1.

    Source: MBIB, process of 106; Grosz and Conde-Cespedes 2020.
    """
    path = files_ending(source, ".xlsx")[0]
    table = read_xlsx(path, ("Sentences", "Label"))
    check_labels(table["Label"], ("0", "1"), path, first=2)
    number = (pl.col("n") + 1).cast(pl.String)
    return record_table(
        table.with_row_index("n").select(
            published_text("Sentences", preset),
            id=number,
            label=pl.col("Label").cast(pl.Int8),
            source_label="Label",
            part=pl.lit(path.name),
            official_id=number,
        )
    )


def read_cmsb(source: Source, preset: Preset) -> pl.DataFrame:
    """107 "Call me sexist, but": tweets, scale items and their minimally edited counterparts.

    Rule: sexist True 1, False 0; both presets. Official ids start at 1. `pair` is `of_id`, the row
    that a counterpart was made from, and that row's own id where there is one.

    Source: MBIB, process of 107; Samory et al. 2021.
    """
    path = files_ending(source, ".csv")[0]
    needed = ("id", "dataset", "text", "toxicity", "sexist", "of_id")
    table = read_csv(path, needed, record=r"[0-9]+,(?:callme|other|benevolent|hostile|scales),")
    known = {"True": 1, "False": 0}
    check_labels(table["sexist"], known, path, first=2)
    origins = table["of_id"].unique().to_list()
    of, own = pl.col("of_id"), pl.col("id")
    number = (pl.col("n") + 1).cast(pl.String)
    return record_table(
        table.with_row_index("n").select(
            published_text("text", preset),
            id=number,
            label=pl.col("sexist").replace_strict(known, return_dtype=pl.Int8),
            source_label="sexist",
            part="dataset",
            pair=pl.when(~of.is_in(["-1", ""])).then(of).when(own.is_in(origins)).then(own),
            official_id=number,
            toxicity=pl.col("toxicity").cast(pl.Float64, strict=False),
        )
    )


def read_racialbias(source: Source, preset: Preset) -> pl.DataFrame:
    """110 RacialBias: tweets with a type of racism (1-4) and a polarity (0-2).

    Rule: every row is 1 in both presets: the source has no unbiased class. The file is ISO-8859-1;
    clean repairs the ten punctuation signs that were mis-decoded before it was published and marks
    what else was lost.

    Source: MBIB, process of 110.
    """
    path = files_ending(source, ".csv")[0]
    kind, polarity = "Type of Racism", "Polarity"
    table = read_csv(path, ("Tweet", kind, polarity), encoding="iso-8859-1")
    check_labels(table[kind], ("1", "2", "3", "4"), path, first=2)
    check_labels(table[polarity], ("0", "1", "2"), path, first=2)
    text = pl.col("Tweet")
    if preset == "clean":
        text = text.str.replace_many(_LOST_SIGNS)
        text = text.str.replace_all(r"[\x{80}-\x{FF}]", "\ufffd")
    number = pl.col("n").cast(pl.String)
    return record_table(
        table.with_row_index("n").select(
            text.alias("text"),
            id=number,
            label=pl.lit(1, pl.Int8),
            source_label=pl.format("type {}, polarity {}", kind, polarity),
            part=pl.lit(path.name),
            official_id=number,
            category=pl.col(kind).cast(pl.Int64) - 1,
            polarity=pl.col(polarity).cast(pl.Int64),
        )
    )
