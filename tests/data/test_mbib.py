"""The readers on the published files: official equals the official csv, clean its own rules."""

from __future__ import annotations

import io
import json
import os
import re
from collections import Counter
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

from slant.data.mbib import READERS
from slant.data.sources import Source
from slant.data.tables import dataset_table, export_csv
from slant.errors import DataError

HOME = os.environ.get("SLANT_DATA")
pytestmark = pytest.mark.skipif(not HOME, reason="SLANT_DATA is not set: no published files here")

RAW = {
    "003": "raw/statements*",
    "009": "raw/a*/*/*.json",
    "010": "raw/*.xlsx",
    "019": "raw/*.json",
    "025": "raw/Data/*/*/*.json",
    "029": "raw/*.xml",
    "038": "raw/*.csv",
    "040": "raw_sample/*.csv",
    "072": "raw/*.tsv",
    "075": "raw/*.csv",
    "092": "raw_sample/*.json",
    "106": "raw/*.xlsx",
    "107": "raw/*.csv",
    "110": "raw/*.csv",
}


def source(number, pattern=None, form="raw"):
    folder = next((Path(HOME or "") / "mbib").glob(f"{number}_*"))
    files = tuple(sorted(folder.glob(pattern or RAW[number])))
    return Source(number, form, folder, files, "complete", (), "")


def table(number, preset, pattern=None, form="raw"):
    records = READERS[number](source(number, pattern, form), preset)
    return dataset_table(records, number, preset, "official" if preset == "official" else "minimal")


def labels(frame):
    return dict(sorted(Counter(frame["label"].drop_nulls().to_list()).items()))


def left_out(frame):
    return dict(Counter(frame["left_out"].drop_nulls().to_list()))


def exported(frame, number):
    return pl.read_csv(io.StringIO(export_csv(frame, number, "official")), infer_schema=False)


def official_csv(number):
    path = next((Path(HOME or "") / "mbib").glob(f"{number}_*/processed/*.csv"))
    return pl.read_csv(path, infer_schema=False)


def seven_steps(text):
    text = re.sub(r"https?://[A-Za-z0-9./]+", " ", re.sub(r"@[A-Za-z0-9_]+", " ", text))
    text = re.sub(r"[^A-Za-z0-9]+", " ", re.sub(r"[^a-zA-z.!?'0-9]", " ", text))
    return text.replace("linebreak", "")


@pytest.mark.parametrize("number", ["003", "038", "106", "110"])
def test_official_rows_equal_the_official_csv_in_every_column(number):
    theirs = official_csv(number)
    assert exported(table(number, "official"), number).equals(theirs.drop(theirs.columns[0]))


@pytest.mark.parametrize("number", ["012", "092"])
def test_the_official_csv_itself_reads_back_unchanged(number):
    theirs = official_csv(number)
    ours = table(number, "official", "processed/*.csv", "processed")
    assert exported(ours, number).equals(theirs.drop(theirs.columns[0]))


def test_019_equals_the_official_csv_as_a_set_of_rows():
    theirs, ours = official_csv("019"), exported(table("019", "official"), "019")
    columns = [name for name in ours.columns if name != "id"]
    assert len(columns) == 10
    assert ours.select(columns).sort(columns).equals(theirs.select(columns).sort(columns))


def test_092_equals_the_official_csv_on_the_raw_entries_at_hand():
    theirs = official_csv("092").rename({"": "own"})
    ours = table("092", "official").with_columns(
        own=pl.col("id").str.strip_prefix("092-"), label=pl.col("label").cast(pl.String)
    )
    ours = ours.with_columns(pl.col("category").cast(pl.String))
    both = ours.select("own", "text", "label", "category").join(theirs, on="own", how="inner")
    assert both.height == 3
    for name in ("text", "label", "category"):
        assert both[name].to_list() == both[f"{name}_right"].to_list()


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        ("009", {1: 1726}),
        ("010", {0: 1863, 1: 1810, 2: 1}),
        ("019", {0: 2007, 1: 50}),
        ("025", {0: 2623, 1: 1782}),
        ("029", {0: 3904, 1: 2905}),
        ("072", {0: 9275, 1: 3561}),
        ("075", {0: 4900, 1: 6592}),
        ("107", {0: 11822, 1: 1809}),
    ],
)
def test_official_labels_count_as_in_the_official_files(number, expected):
    assert labels(table(number, "official")) == expected


@pytest.mark.parametrize(("number", "blank"), [("025", 9), ("029", 137), ("107", 26)])
def test_texts_that_clean_to_nothing_stay_in_official(number, blank):
    texts = table(number, "official")["text"]
    assert (texts.str.strip_chars() == "").sum() == blank


def test_009_official_is_one_row_per_span_with_the_span_beside_it():
    frame = table("009", "official")
    assert Counter(frame["bias_type"].to_list()) == {"inf": 1246, "lex": 480}
    assert (frame["quote"] == "yes").sum() == 722
    assert Counter(frame["aim"].to_list()) == {
        "dir": 1517,
        "ind_pro": 100,
        "ind_anti": 74,
        "ind_general": 35,
    }
    assert (
        frame["text"].is_duplicated().sum()
        - frame["text"].filter(frame["text"].is_duplicated()).n_unique()
        == 111
    )


def test_009_official_follows_years_and_file_names_and_span_order():
    folder = source("009").folder / "raw"
    expected = []
    for year in range(2010, 2020):
        for name in sorted(os.listdir(folder / "articles" / str(year))):
            article = json.loads((folder / "articles" / str(year) / name).read_text())
            marks = folder / "annotations" / str(year) / name.replace(".json", "_ann.json")
            body = [s for paragraph in article["body-paragraphs"] for s in paragraph]
            for span in json.loads(marks.read_text())["phrase-level-annotations"]:
                text = article["title"] if span["id"] == "title" else body[int(span["id"][1:])]
                expected.append((str(len(expected)), seven_steps(text), "1", span["txt"]))
    rows = exported(table("009", "official"), "009")
    assert rows.select("id", "text", "label", "pos").rows() == expected


def test_010_official_equals_a_pandas_transcription():
    raw = pd.read_excel(source("010").files[0])
    code = {"Biased": "1", "Non-biased": "0", "No agreement": "2"}
    expected = [
        (seven_steps(text), code[label], str(n))
        for n, (text, label) in enumerate(zip(raw.text, raw.label_bias, strict=True))
    ]
    assert exported(table("010", "official"), "010").rows() == expected


def test_072_official_equals_a_transcription_in_the_order_valid_train_test():
    code = {"true": 0, "mostly-true": 1, "half-true": 2, "barely-true": 3, "false": 4}
    expected = []
    for name in ("valid", "train", "test"):
        with (source("072").folder / "raw" / f"{name}.tsv").open(encoding="utf-8") as file:
            for line in file:
                fields = line.split("\t")
                kind = code.get(fields[1], 5)
                row = (str(len(expected)), seven_steps(fields[2]), str(int(kind > 3)), str(kind))
                expected.append(row)
    assert len(expected) == 12836
    assert exported(table("072", "official"), "072").rows() == expected


def test_075_official_equals_a_pandas_transcription_file_by_file():
    expected, kept = [], []
    for part in (
        "gender_female",
        "orientation_lgbtq",
        "race_black",
        "religion1_jews",
        "religion2_muslims",
    ):
        name = f"reddit_comments_{part}_processed_phrase_annotated.csv"
        with (source("075").folder / "raw" / name).open(encoding="utf-8", errors="replace") as file:
            raw = pd.read_csv(file, dtype=str)
        raw = raw[raw.bias_sent.isin(["0", "1"])]
        kept.append(len(raw))
        rows = zip(raw.index, raw.comment, raw.bias_sent, strict=True)
        expected += [(str(n), seven_steps(text), label, name) for n, text, label in rows]
    assert kept == [2976, 1983, 2620, 2111, 1802]
    assert exported(table("075", "official"), "075").rows() == expected


def test_107_official_equals_a_pandas_transcription():
    raw = pd.read_csv(source("107").files[0])
    rows = zip(raw.text.apply(str), raw.sexist, raw.toxicity, strict=True)
    expected = [
        (str(n), seven_steps(text), str(int(sexist)), repr(float(toxicity)))
        for n, (text, sexist, toxicity) in enumerate(rows, 1)
    ]
    assert exported(table("107", "official"), "107").rows() == expected


def test_texts_that_remain_of_liar_once_doubles_are_gone():
    # 12,836 joined, 12,808 after duplicates, in the cognitive task of the published files.
    assert table("072", "official")["text"].n_unique() == 12808


@pytest.mark.parametrize(
    ("number", "expected", "reasons"),
    [
        # Sentences and titles: 1,626 with a span and 6,650 without (8 bodies hold an empty one).
        ("009", {0: 6650, 1: 1626}, {"blank": 8}),
        ("010", {0: 1863, 1: 1810}, {"undecided": 1}),
        ("019", {0: 1475, 1: 582}, {}),
        ("092", {0: 3}, {}),
        ("106", {0: 513, 1: 624}, {}),
        ("040", {0: 8, 1: 1}, {}),
        (
            "075",
            {0: 4900, 1: 6592},
            # Empty: 6,010 + 380 + 1,420 + 8,782 = 16,592.
            {
                "no label": 16592,
                "marked '2'": 24,
                "marked 'biased?'": 8,
                "marked 're-state'": 7,
                "marked 'question'": 5,
                "marked '1 - context needed'": 1,
                "marked 'toxic-unrelated'": 1,
                "marked 'fact?'": 1,
            },
        ),
    ],
)
def test_clean_labels_and_what_is_left_out(number, expected, reasons):
    frame = table(number, "clean")
    assert labels(frame) == expected
    assert left_out(frame) == reasons


def test_072_clean_counts_barely_true_as_false_as_politifact_does():
    frame = table("072", "clean")
    # Two statements end in a control character, the rest of a lost sign.
    assert left_out(frame) == {"damaged": 2}
    by_label = dict(frame.group_by("source_label").agg(pl.col("label").max()).rows())
    assert by_label == {
        "true": 0,
        "mostly-true": 0,
        "half-true": 0,
        "barely-true": 1,
        "false": 1,
        "pants-fire": 1,
    }


def test_019_averages_above_one_give_the_authors_three_binary_files():
    frame = READERS["019"](source("019"), "clean").with_columns(
        order=pl.col("id").str.extract(r"(\d+)").cast(pl.Int64)
    )
    frame = frame.sort("order")
    rules = {
        "subj": (pl.col("average_subjectivity") > 1, 211),
        "hidden-assumpt": (pl.col("average_hidden_assumptions") > 1, 62),
        "bias": (pl.max_horizontal("average_bias_west", "average_bias_russia") > 1, 340),
    }
    for name, (rule, positive) in rules.items():
        path = source("019").folder / "authors_binary" / f"sentences-with-binary-labels-{name}.csv"
        theirs = pd.read_csv(path, header=None)[1].tolist()
        assert frame.select(rule.cast(pl.Int64)).to_series().to_list() == theirs
        assert sum(theirs) == positive


def test_038_clean_takes_the_middle_of_the_scale():
    frame = table("038", "clean")
    # 842 sentences; the official threshold of 1.5 makes 799 of them biased.
    assert labels(frame) == {0: 617, 1: 225}
    assert not frame["text"].str.contains(r"^\[?\d+\]").any()
    assert frame["article"].n_unique() == 46


def test_sentences_keep_their_mark_and_their_article_in_clean():
    frame = table("025", "clean").filter(pl.col("label").is_not_null())
    assert frame["article"].n_unique() == 248  # one of the 249 articles has no text
    inner = frame.filter(pl.col("article") == pl.col("article").shift(-1))["text"]
    assert inner.str.contains(r"[.!?]\S*$").mean() > 0.95


def test_minimal_pairs_of_cmsb_hold_the_original_and_its_counterparts():
    frame = READERS["107"](source("107"), "clean").filter(pl.col("pair").is_not_null())
    sizes = frame.group_by("pair").len()
    # Every row with of_id has a pair, and so has each row it points at.
    assert frame.height == 2292 + sizes.height
    assert sizes["len"].min() == 2


def test_religion1_jews_is_mac_roman_in_clean():
    frame = table("075", "clean").filter(pl.col("part") == "religion1_jews")
    assert frame["text"].str.contains("’").sum() == 1
    assert not table("075", "clean")["text"].str.contains("\ufffd").any()


def test_110_clean_repairs_lost_signs_and_leaves_out_what_it_cannot():
    frame = table("110", "clean")
    assert left_out(frame) == {"damaged": 11}
    kept = frame.filter(pl.col("label").is_not_null())["text"]
    assert kept.str.contains("You’re missing").any()
    assert not kept.str.contains("äó|\x8d").any()


def test_pheme_processed_leaves_unverified_rumours_out_in_clean():
    frame = table("012", "clean", "processed/*.csv", "processed")
    assert labels(frame) == {0: 4066, 1: 765}
    assert left_out(frame) == {"unverified": 301}
    assert dict(frame["part"].value_counts().rows()) == {"non-rumour": 3117, "rumour": 2015}


def test_pheme_source_tweets_take_their_veracity_and_are_no_official_form():
    frame = table("012", "clean", "source_tweets/*.json", "source_tweets")
    # 14 + 9 false, 59 true, 2 + 117 unverified.
    assert labels(frame) == {0: 59, 1: 23}
    assert left_out(frame) == {"unverified": 119}
    with pytest.raises(DataError, match="the form 'source_tweets', which they do not cover"):
        table("012", "official", "source_tweets/*.json", "source_tweets")


def test_hatexplain_without_a_majority_is_left_out_in_clean():
    frame = table("092", "clean", "processed/*.csv", "processed")
    assert labels(frame) == {0: 14213 - 919, 1: 5935}
    assert left_out(frame) == {"no majority": 919}


def test_wnc_lines_without_an_edit_are_left_out_in_clean():
    frame = table("026", "clean", "real_world_samples/*", "real_world_samples")
    assert left_out(frame) == {"no edit": 1200}
    assert labels(table("026", "official", "real_world_samples/*")) == {0: 600, 1: 600}
    pairs = table("026", "clean", "sample_tokenised/*", "pre_post")
    assert labels(pairs) == {0: 996, 1: 996}
    assert pairs["pair"].n_unique() == 1000


def test_cad_test_part_reads_its_two_labels_and_its_line_breaks():
    frame = table("076", "clean", "other/*.json", "cad_test")
    assert labels(frame)[1] == 513
    assert labels(frame)[0] + left_out(frame)["blank"] == 4794
    assert not frame["text"].str.contains("[linebreak]", literal=True).any()


def test_every_reader_of_files_at_hand_fills_ids_parts_and_published_labels():
    for number in RAW:
        frame = READERS[number](source(number), "clean")
        assert frame["id"].n_unique() == frame.height, number
        for name in ("part", "source_label"):
            assert frame[name].null_count() == 0, (number, name)
