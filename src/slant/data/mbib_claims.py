"""Claims and rumours with a verdict: 072 LIAR and 012 PHEME."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from slant.data.documents import as_published, read_json, sound, text_of
from slant.data.fields import read_fields
from slant.data.rows import (
    check_labels,
    files_ending,
    read_csv,
    refuse_official,
)
from slant.data.sources import Source
from slant.data.tables import record_table
from slant.errors import DataError
from slant.types import Preset

_VERDICTS = ("true", "mostly-true", "half-true", "barely-true", "false", "pants-fire")
# barely-true is PolitiFact's "mostly false"; the official script counts it as true.
_FALSE = {"official": ("false", "pants-fire"), "clean": ("barely-true", "false", "pants-fire")}
_LIAR_FILES = ("valid.tsv", "train.tsv", "test.tsv")


def read_liar(source: Source, preset: Preset) -> pl.DataFrame:
    """072 LIAR: short statements with PolitiFact's verdict.

    Rule: lines are split at tabs, quotes being ordinary. Official: false and pants-fire are 1, in
    the order valid, train, test. Clean: barely-true ("mostly false" on PolitiFact's scale) is 1
    too.

    Source: MBIB, process of 072; Wang 2017.
    """
    here = {path.name: path for path in files_ending(source, ".tsv")}
    frames = []
    for name in (n for n in _LIAR_FILES if n in here):
        frame = read_fields(here[name], {"own": 0, "source_label": 1, "text": 2, "topic": 3})
        check_labels(frame["source_label"], _VERDICTS, here[name])
        frames.append(frame.with_columns(part=pl.lit(name)))
    if not frames:
        files_ending(source, *_LIAR_FILES)
    table = pl.concat(frames).with_row_index("n")
    verdict = pl.col("source_label")
    return record_table(
        table.select(
            "text",
            "source_label",
            "part",
            "topic",
            id=pl.col("own").str.strip_suffix(".json"),
            label=verdict.is_in(_FALSE[preset]).cast(pl.Int8),
            official_id=pl.col("n").cast(pl.String),
            label_multiclass=verdict.replace_strict(
                _VERDICTS, range(len(_VERDICTS)), return_dtype=pl.Int64
            ),
        )
    )


def read_pheme(source: Source, preset: Preset) -> pl.DataFrame:
    """012 PHEME: tweets that start a rumour or a non-rumour thread.

    Rule: non-rumours are 0. Official: a rumour is 1 where `true` is 0, 0 where it is 1, and 2
    where it is absent; `misinformation` is ignored. Clean: the authors' convention, misinformation
    1 is false (1), true 1 is true (0); neither is left out as "unverified", both as
    "contradictory annotation". The official csv (form `processed`) and the tweets with VERACITY
    (form `source_tweets`, clean only) are read too.

    Source: MBIB, process of 012; Kochkina et al. 2018, conversion of the annotations.
    """
    if source.form == "processed":
        return _processed(source, preset)
    if source.form == "source_tweets":
        refuse_official(source, preset)
        return _source_tweets(source)
    rows: list[dict[str, Any]] = []
    threads = sorted(
        (path.parent for path in files_ending(source, "annotation.json")),
        key=lambda thread: (thread.parent.parent.name, thread.parent.name, thread.name),
    )
    counter: dict[tuple[str, str], int] = {}
    for thread in threads:
        rumour = thread.parent.name == "rumours"
        annotation = read_json(thread / "annotation.json")
        with as_published(thread / "annotation.json"):
            label, left_out = _verdict(annotation, thread, preset) if rumour else (0, None)
            said = sound(_published(annotation)) if rumour else "non-rumour"
        text = _tweet_text(thread)
        if text is None and preset == "official":
            continue
        place = (thread.parent.parent.name, thread.parent.name)
        index = counter[place] = counter.get(place, -1) + 1
        rows.append(
            {
                "id": thread.name,
                "text": text or "",
                "label": label if text is not None else None,
                "left_out": left_out if text is not None else "no text",
                "source_label": said,
                "part": "rumour" if rumour else "non-rumour",
                "official_id": str(len(rows)),
                "index": index,
                "tweetID": thread.name,
                "rumour": int(rumour),
                "topic": place[0],
            }
        )
    return record_table(pl.DataFrame(rows, infer_schema_length=None))


def _published(annotation: dict[str, Any]) -> str:
    facts = (f"{k}={annotation[k]}" for k in ("misinformation", "true") if k in annotation)
    return ", ".join(facts) or "unverified"


def _verdict(
    annotation: dict[str, Any], thread: Path, preset: Preset
) -> tuple[int | None, str | None]:
    true, wrong = (str(annotation.get(k, "")) for k in ("true", "misinformation"))
    for name, value in (("true", true), ("misinformation", wrong)):
        if value not in ("", "0", "1"):
            raise DataError(
                f"Reading '{thread / 'annotation.json'}'",
                f"'{name}' is '{value}', neither 0 nor 1",
                "Correct the annotation",
            )
    if preset == "official":
        return ({"0": 1, "1": 0, "": 2}[true], None)
    if true == "1" and wrong == "1":
        return (None, "contradictory annotation")
    if true != "1" and wrong != "1":
        return (None, "unverified")
    return (int(wrong == "1"), None)


def _tweet_text(thread: Path) -> str | None:
    # PHEME says source-tweets, its sister corpus of RumourEval source-tweet.
    for folder in ("source-tweets", "source-tweet"):
        path = thread / folder / f"{thread.name}.json"
        if path.exists():
            tweet = read_json(path)
            with as_published(path):
                return text_of(tweet, "text")
    return None


def _processed(source: Source, preset: Preset) -> pl.DataFrame:
    path = files_ending(source, ".csv")[0]
    columns = ("index", "tweetID", "text", "label", "rumour", "id")
    table = read_csv(path, columns)
    check_labels(table["label"], ("0", "1", "2"), path)
    label = pl.col("label").cast(pl.Int8)
    open_ = (label == 2) & (preset == "clean")
    return record_table(
        table.select(
            "text",
            "id",
            "tweetID",
            label=pl.when(~open_).then(label),
            left_out=pl.when(open_).then(pl.lit("unverified")),
            source_label="label",
            part=pl.when(pl.col("rumour") == "1")
            .then(pl.lit("rumour"))
            .otherwise(pl.lit("non-rumour")),
            official_id="id",
            index=_whole_numbers(table["index"], path),
            rumour=_whole_numbers(table["rumour"], path),
        )
    )


def _source_tweets(source: Source) -> pl.DataFrame:
    known = {"false": 1, "true": 0, "unverified": None}
    rows = []
    for path in files_ending(source, ".json"):
        tweets = read_json(path)
        with as_published(path):
            told = [
                (text_of(tweet, "VERACITY"), sound(str(tweet["id_str"])), text_of(tweet, "text"))
                for tweet in tweets
            ]
        check_labels(pl.Series([one for one, _, _ in told], dtype=pl.String), known, path)
        rows += [
            {
                "id": own,
                "text": text,
                "label": known[verdict],
                "left_out": "unverified" if known[verdict] is None else None,
                "source_label": verdict,
                "part": "rumour",
                "topic": path.stem,
            }
            for verdict, own, text in told
        ]
    return record_table(pl.DataFrame(rows, infer_schema_length=None))


def _whole_numbers(values: pl.Series, path: Path) -> pl.Series:
    numbers = values.cast(pl.Int64, strict=False)
    rows = (numbers.is_null() & values.is_not_null()).arg_true()
    if len(rows):
        row = int(rows[0])
        found = f"row {row + 1} has the {values.name} '{values[row]}', which is no whole number"
        raise DataError(f"Reading '{path}'", found, "Correct the row")
    return numbers
