"""Comments below news and on forums: 040, 049, 075, 076 and 087."""

from __future__ import annotations

import polars as pl

from slant.data.documents import as_published, read_json, sound
from slant.data.rows import (
    AGAIN,
    check_columns,
    check_labels,
    file_named,
    files_ending,
    published_text,
    read_csv,
    read_lines,
    refuse_official,
)
from slant.data.sources import Source
from slant.data.tables import record_table
from slant.data.texts import official_text
from slant.errors import DataError
from slant.types import Preset

_REDDIT = (
    "gender_female",
    "orientation_lgbtq",
    "race_black",
    "religion1_jews",
    "religion2_muslims",
)
_NO_LABEL = (
    "1 - context needed",
    "re-state",
    "biased?",
    "toxic-unrelated",
    "fact?",
    "question",
)
_ABUSE = (
    "Neutral",
    "AffiliationDirectedAbuse",
    "Slur",
    "PersonDirectedAbuse",
    "IdentityDirectedAbuse",
    "CounterSpeech",
)


def read_jigsaw(source: Source, preset: Preset) -> pl.DataFrame:
    """040 Jigsaw (Civil Comments): comments with the share of annotators who saw toxicity.

    Rule: 1 where toxicity is 0.5 or more. The column is `toxicity`, in train.csv `target`.
    Official: a text that pandas reads as missing becomes "nan"; the table is not balanced, whatever
    the official file is called.

    Source: MBIB, process of 040; Borkan et al. 2019.
    """
    frames = []
    paths = files_ending(source, ".csv")
    for path in [p for p in paths if p.name == "all_data.csv"] or paths:
        table = read_csv(
            path,
            ("comment_text",),
            optional=("id", "toxicity", "target"),
            record=r"[0-9]+,(?:train|test|[01]\.[0-9]+),",
        )
        column = "target" if "target" in table.columns else "toxicity"
        check_columns(table.columns, (column,), path)
        own = "id" if "id" in table.columns else None
        frame = table.select(
            pl.col(own).alias("own") if own else pl.lit(None, pl.String).alias("own"),
            text="comment_text",
            source_label=column,
            part=pl.lit(path.name),
        )
        share = frame["source_label"].cast(pl.Float64, strict=False)
        bad = share.is_null() | ~share.fill_null(0).is_between(0, 1)
        if bad.any():
            row = int(bad.arg_true()[0])
            raise DataError(
                f"Reading '{path}'",
                f"row {row + 2} has the {column} '{frame['source_label'][row]}'",
                "Give a share from 0 to 1",
            )
        frames.append(frame.with_columns(label_float=share))
    table = pl.concat(frames).with_row_index("n")
    return record_table(
        table.select(
            published_text("text", preset),
            "source_label",
            "part",
            "label_float",
            id=pl.coalesce("own", pl.col("n").cast(pl.String)),
            label=(pl.col("label_float") >= 0.5).cast(pl.Int8),
            official_id=pl.col("n").cast(pl.String),
        )
    )


def read_usvsthem(source: Source, preset: Preset) -> pl.DataFrame:
    """049 UsVsThem: Reddit comments on populist attitudes towards groups.

    Rule: official - the column `is_Disc_Crit_encoded`, which only the file on request has; clean -
    that or the public `is_Disc_Crit`: 1 where the comment is discriminating or critical.

    Source: MBIB, process of 049; Huguet Cabot et al. 2021.
    """
    path = files_ending(source, ".csv")[0]
    extra = {"topic": "group", "outlet": "allsides_name", "leaning": "bias"}
    scale = "usVSthem_scale"
    labels = ("is_Disc_Crit", "is_Disc_Crit_encoded")
    table = read_csv(path, ("body",), optional=(*labels, scale, *extra.values()))
    public = preset == "clean" and "is_Disc_Crit_encoded" not in table.columns
    column = "is_Disc_Crit" if public else "is_Disc_Crit_encoded"
    check_columns(table.columns, (column,), path)
    known = {"1": 1, "0": 0, "1.0": 1, "0.0": 0, "True": 1, "False": 0}
    check_labels(table[column], known, path, first=2)
    return record_table(
        table.with_row_index("n").select(
            *(pl.col(old).alias(new) for new, old in extra.items() if old in table.columns),
            text="body",
            id=pl.col("n").cast(pl.String),
            label=pl.col(column).replace_strict(known, return_dtype=pl.Int8),
            source_label=column,
            part=pl.lit(path.name),
            official_id=pl.col("n").cast(pl.String),
            usVSthem_scale=(
                pl.col(scale).cast(pl.Float64, strict=False)
                if scale in table.columns
                else pl.lit(None, pl.Float64)
            ),
        )
    )


def read_redditbias(source: Source, preset: Preset) -> pl.DataFrame:
    """075 RedditBias: comments about five groups, biased or not.

    Rule: `bias_sent` 1 or 0. Official: rows with an empty cell, one of six words or a 2 are no
    records; the five files in fixed order; ids are row numbers within a file. Clean: those rows are
    left out as marked with their word ("no label" where empty); comments with one Reddit id share
    `article`; the file of religion1_jews, which is not UTF-8, is read as Mac Roman.

    Source: MBIB, process of 075; Barikeri et al. 2021.
    """
    here = {path.name: path for path in files_ending(source, "_phrase_annotated.csv")}
    frames = []
    for part in _REDDIT:
        path = here.get(f"reddit_comments_{part}_processed_phrase_annotated.csv")
        if path is None:
            continue
        damaged = part == "religion1_jews"
        table = read_csv(
            path,
            ("comment", "bias_sent"),
            optional=("id", "phrase"),
            encoding="mac_roman" if damaged and preset == "clean" else "utf-8",
            lossy=damaged and preset == "official",
            record=r"[a-z0-9]*,?(?:TRUE|FALSE),",
        )
        check_labels(table["bias_sent"], ("", "0", "1", "2", *_NO_LABEL), path, first=2)
        own = pl.col("id") if "id" in table.columns else pl.lit("")
        frames.append(
            table.with_row_index("n").select(
                text="comment",
                id=pl.format("{}-{}", pl.lit(part), "n"),
                source_label="bias_sent",
                part=pl.lit(part),
                article=pl.when(own != "").then(own),
                official_id=pl.col("n").cast(pl.String),
                category=pl.lit(path.name),
            )
        )
    if not frames:
        file_named(source, f"reddit_comments_{_REDDIT[0]}_processed_phrase_annotated.csv")
    table = pl.concat(frames)
    published = pl.col("source_label")
    decided = published.is_in(["0", "1"])
    table = table.with_columns(
        label=pl.when(decided).then(published).cast(pl.Int8),
        left_out=pl.when(~decided).then(
            pl.when(published == "")
            .then(pl.lit("no label"))
            .otherwise(pl.format("marked '{}'", published))
        ),
    )
    return record_table(table.filter(decided) if preset == "official" else table)


def read_cad(source: Source, preset: Preset) -> pl.DataFrame:
    """076 Contextual Abuse Dataset: Reddit posts and comments.

    Rule: lines split at tabs by hand, field 9 is the primary category, the last one the text.
    Neutral is 0, the four kinds of abuse are 1; CounterSpeech is 1 in official, 0 in clean, since
    it answers abuse. Official drops texts that clean to one space. The form `cad_test` (list of
    [text, label]; hatespeech 1, normal 0) is read in clean only.

    Source: MBIB, process of 076; Vidgen et al. 2021.
    """
    if source.form == "cad_test":
        refuse_official(source, preset)
        path = files_ending(source, ".json")[0]
        given = read_json(path)
        with as_published(path):
            pairs = [(sound(text), sound(label)) for text, label in given]
        schema = {"text": pl.String, "source_label": pl.String}
        table = pl.DataFrame(pairs, schema, orient="row").with_row_index("n")
        known = {"hatespeech": 1, "normal": 0}
        check_labels(table["source_label"], known, path, first=0)
        return record_table(
            table.select(
                "text",
                "source_label",
                id=pl.col("n").cast(pl.String),
                label=pl.col("source_label").replace_strict(known, return_dtype=pl.Int8),
                part=pl.lit(path.name),
            )
        )
    path = files_ending(source, ".tsv")[0]
    lines = [line.split("\t") for line in read_lines(path, lossy=True)]
    header, body = lines[0], lines[1:]
    if not body:
        raise DataError(f"Reading '{path}'", "it has a header and no rows", AGAIN)
    thread = header.index("info_thread.id") if "info_thread.id" in header else None
    for row, line in enumerate(body, start=2):
        if len(line) < 10:
            found = f"line {row} has {len(line)} tab-separated fields, 10 are needed"
            raise DataError(f"Reading '{path}'", found, "Give the file as published")
    table = pl.DataFrame(
        {
            "text": [line[-1] for line in body],
            "source_label": [line[9] for line in body],
            "article": [None if thread is None else line[thread] or None for line in body],
        },
        schema_overrides={"article": pl.String},
    ).with_row_index("n")
    check_labels(table["source_label"], _ABUSE, path, first=2)
    neutral = ("Neutral",) if preset == "official" else ("Neutral", "CounterSpeech")
    number = pl.col("n").cast(pl.String)
    table = table.with_columns(
        id=number,
        label=(~pl.col("source_label").is_in(neutral)).cast(pl.Int8),
        part=pl.lit(path.name),
        official_id=number,
        category=pl.col("source_label").replace_strict(
            _ABUSE, range(len(_ABUSE)), return_dtype=pl.Int64
        ),
    ).drop("n")
    if preset == "official":
        # The script takes only a lone space for empty.
        table = table.filter(official_text(pl.col("text")) != " ")
    return record_table(table)


def read_harassment(source: Source, preset: Preset) -> pl.DataFrame:
    """087 Online Harassment: tweets, H (harassing) 1 or N 0.

    Rule: lines split at tabs by hand, the header skipped; the code stands in field 1 with the text
    in field 2, else in field 2 with the text in field 5; lines with neither are no records. The
    official id counts those lines too. Both presets.

    Source: MBIB, process of 087; Golbeck et al. 2017.
    """
    path = files_ending(source, ".tdf")[0]
    rows = []
    for number, line in enumerate(read_lines(path, lossy=True)[1:]):
        fields = line.split("\t")
        code, place = next(
            ((n, m) for n, m in ((1, 2), (2, 5)) if fields[n : n + 1] in (["H"], ["N"])), (0, 0)
        )
        if code and len(fields) > place:
            text = fields[place] if preset == "official" else fields[place].rstrip("\n")
            rows.append((str(number), text, int(fields[code] == "H"), fields[code]))
    table = pl.DataFrame(rows, ["id", "text", "label", "source_label"], orient="row")
    if not table.height:
        raise DataError(f"Reading '{path}'", "no line has the label H or N", "Give the real file")
    return record_table(table.with_columns(official_id=pl.col("id"), part=pl.lit(path.name)))
