"""Statements from Wikipedia: 003 WikiNPOV and 026 the Wiki Neutrality Corpus."""

from __future__ import annotations

import polars as pl

from slant.data.fields import read_fields
from slant.data.rows import (
    file_named,
    files_ending,
    read_lines,
    refuse_official,
)
from slant.data.sources import Source
from slant.data.tables import record_table
from slant.errors import DataError
from slant.types import Preset

_LOST = r"(\p{L})\?\?(\p{Ll})"
_NPOV = (
    "statements_biased",
    "statements_neutral_type_balanced",
    "statements_neutral_featured",
    "statements_neutral_cw-hard",
)


def read_npov(source: Source, preset: Preset) -> pl.DataFrame:
    """003 WikiNPOV: one statement a line.

    Rule: label 1 in the file of biased statements, 0 in the three neutral ones; both presets. The
    official text keeps the line end, which its cleaning turns into a space.

    Source: MBIB, process of 003; Hube and Fetahu 2019.
    """
    frames = []
    for name in _NPOV:
        lines = read_lines(file_named(source, name))
        text = pl.Series("text", lines, pl.String)
        if preset == "clean":
            # Letters that its makers lost stand there as two question marks.
            text = text.str.strip_chars("\n").str.replace_all(_LOST, "$1\ufffd$2")
        label = int(name == "statements_biased")
        frames.append(
            text.to_frame()
            .with_columns(
                label=pl.lit(label),
                source_label=pl.lit(name.split("_")[1]),
                part=pl.lit(name),
            )
            .with_row_index("row", 1)
        )
    table = pl.concat(frames).with_row_index("number")
    return record_table(
        table.select(
            "text",
            "label",
            "source_label",
            "part",
            id=pl.format("{}-{}", pl.col("part").str.strip_prefix("statements_"), "row"),
            official_id=pl.col("number").cast(pl.String),
        )
    )


def read_wnc(source: Source, preset: Preset) -> pl.DataFrame:
    """026 Wiki Neutrality Corpus: sentences before and after an edit for neutrality.

    Rule: the sentence before the edit is 1 (`N-A`), the one after it 0 (`N-B`). Clean: both sides
    are a pair, and a pair whose sides are the same text is left out as "no edit". The form
    `pre_post` (two aligned files of tokens) is read in clean only.

    Source: MBIB, process of 026; Pryzant et al. 2020.
    """
    if source.form == "pre_post":
        refuse_official(source, preset)
        before = read_lines(file_named(source, "pre.train"))
        after = read_lines(file_named(source, "post.train"))
        if len(before) != len(after):
            found = f"pre.train has {len(before)} lines, post.train {len(after)}"
            raise DataError(f"Reading '{source.folder}'", found, "Give both files of one release")
        pairs = pl.DataFrame({"A": before, "B": after}).with_columns(
            pl.all().str.strip_chars("\n"), part=pl.lit("pre_post")
        )
    else:
        frames = []
        for path in files_ending(source, ""):
            # The corpus holds undecodable bytes, which the official script replaces.
            frame = read_fields(path, {"A": 3, "B": 4}, lossy=True)
            frames.append(frame.with_columns(part=pl.lit(path.name)))
        pairs = pl.concat(frames)
    pairs = pairs.with_row_index("n").with_columns(same=pl.col("A") == pl.col("B"))
    rows = pairs.unpivot(["A", "B"], index=["n", "part", "same"], variable_name="side")
    rows = rows.sort("n", "side").rename({"value": "text"})
    biased = (pl.col("side") == "A").cast(pl.Int8)
    out = pl.col("same") & (preset == "clean")
    name = pl.format("{}-{}", "n", "side")
    return record_table(
        rows.select(
            "text",
            "part",
            id=name,
            label=pl.when(~out).then(biased),
            left_out=pl.when(out).then(pl.lit("no edit")),
            source_label=pl.when(pl.col("side") == "A")
            .then(pl.lit("before"))
            .otherwise(pl.lit("after")),
            pair=pl.col("n").cast(pl.String),
            official_id=name,
        )
    )
