"""The embedded sample `open`: news sentences, articles and image-text pairs, all invented, CC0.

The rule by which they are labelled, and how they were written, stand beside them in
`samples/README.md`; counts and licence in `samples/card.toml`.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final, TypeAlias

import polars as pl

from slant.errors import DataError

DATASET: Final = "open"
"""What the column `dataset` says in all three tables."""

_Columns: TypeAlias = dict[str, pl.DataType | type[pl.DataType]]
_SPANS: Final = pl.List(pl.List(pl.Int64))
_SENTENCES: Final[_Columns] = {
    "id": pl.Utf8,
    "dataset": pl.Utf8,
    "text": pl.Utf8,
    "label": pl.Int8,
    "source_label": pl.Utf8,
    "part": pl.Utf8,
    "article": pl.Utf8,
    "pair": pl.Utf8,
    "rationale": _SPANS,
    "kinds": pl.List(pl.Utf8),
    "difficulty": pl.Int8,
    "outlet": pl.Utf8,
    "topic": pl.Utf8,
    "section": pl.Utf8,
    "english": pl.Utf8,
    "quoted": _SPANS,
    "hard_negative": pl.Boolean,
    "rule": pl.Utf8,
}
_TRIGGER: Final = pl.Struct(
    {"id": pl.Utf8, "category": pl.Utf8, "confidence": pl.Int8, "spans": _SPANS}
)
_ARTICLES: Final[_Columns] = {
    "id": pl.Utf8,
    "dataset": pl.Utf8,
    "text": pl.Utf8,
    "label": pl.Int8,
    "title": pl.Utf8,
    "triggers": pl.List(_TRIGGER),
}
_PAIRS: Final[_Columns] = {
    "id": pl.Utf8,
    "dataset": pl.Utf8,
    "text": pl.Utf8,
    "label": pl.Int8,
    "text_label": pl.Int8,
    "image_label": pl.Int8,
    "headline": pl.Utf8,
    "image": pl.Utf8,
    "image_png": pl.Binary,
    "pair": pl.Utf8,
    "kind": pl.Utf8,
    "technique": pl.Utf8,
    "topic": pl.Utf8,
    "hard_negative": pl.Boolean,
    "reason": pl.Utf8,
}


def load_sentences() -> pl.DataFrame:
    """The sentences of `open/sentences`, one row each, as a unified table.

    Returns: `id` "open-s0001"; `label` 1 = biased; `source_label` the kind of bias, or "neutral";
        `article` the invented event (the group that must not cross folds); `pair` the two tellings
        of one fact; `rationale` the [start, end) spans in code points of the words that carry the
        bias, empty where the label is 0, `kinds` the kind of each; `difficulty` from 1 (any reader
        sees the label) to 3; `quoted` the spans of quoted speech; `hard_negative` grave facts in
        neutral words, loaded words inside a quotation only, irony that takes no side, an opinion
        reported; `rule` the rule's number.

    >>> load_sentences()["label"].value_counts().sort("label").rows()
    [(0, 1148), (1, 1148)]
    """
    rows = [
        {
            "id": f"{DATASET}-{row['id']}",
            "dataset": DATASET,
            "source_label": row["kind"] or "neutral",
            "part": "sentences.jsonl",
            "article": row["event"],
            "rationale": row["spans"],
            **{
                name: row[name]
                for name in (
                    *("text", "label", "pair", "kinds", "difficulty", "outlet", "topic"),
                    *("section", "english", "quoted", "hard_negative", "rule"),
                )
            },
        }
        for row in read_sample_rows("sentences.jsonl")
    ]
    return pl.DataFrame(rows, schema=_SENTENCES)


def load_articles() -> pl.DataFrame:
    """The articles of `open/articles` with their gold triggers, one row each.

    `slant.data.baitsamples.load_bait_samples` gives the same articles with both annotators' passes.

    Returns: `id` "n01"; `text` title, blank line, paragraphs; `label` 1 = has a trigger;
        `triggers` the standoff annotation: category B01 to B09, confidence 1 to 3, and one or more
        [start, end) spans in code points of `text`. Two triggers may share a passage.

    >>> load_articles().filter(pl.col("label") == 0)["id"].to_list()[:2]
    ['n10', 'n11']
    """
    rows = [
        {
            "id": row["id"],
            "dataset": DATASET,
            "text": row["text"],
            "label": int(bool(row["triggers"])),
            "title": row["text"].split("\n", 1)[0],
            "triggers": [
                {
                    "id": one["id"],
                    "category": one["bias"],
                    "confidence": one["confidence"],
                    "spans": [[span["start"], span["end"]] for span in one["spans"]],
                }
                for one in row["triggers"]
            ],
        }
        for row in read_sample_rows("bait/articles.jsonl")
    ]
    return pl.DataFrame(rows, schema=_ARTICLES)


def load_pairs() -> pl.DataFrame:
    """The image-text pairs of `open/pairs`, one row each.

    Returns: `id` "open-p01"; `text` headline, line break, three to five sentences; `image` the
        file's name inside the sample and `image_png` its bytes; `text_label`, `image_label`, and
        `label`, which is 1 where either is (OR); `pair` shared by a biased pair and its fair
        twin, the group that must not cross folds; `kind` of picture; `technique` what the biased
        twin's picture does, "none" where both pictures are fair; `hard_negative` a dramatic
        picture that is fair, with a neutral text; `reason` a reference rationale.

    >>> load_pairs().select(pl.len(), pl.col("label").sum()).row(0)
    (84, 42)
    """
    rows = [
        {
            "id": f"{DATASET}-{row['id']}",
            "dataset": DATASET,
            "text": f"{row['headline']}\n{row['text']}",
            "image_png": _read_bytes(row["image"]),
            "reason": row["rationale"],
            **{
                name: row[name]
                for name in (
                    *("label", "text_label", "image_label"),
                    *("headline", "image", "pair", "kind", "technique", "topic", "hard_negative"),
                )
            },
        }
        for row in read_sample_rows("pairs.jsonl")
    ]
    return pl.DataFrame(rows, schema=_PAIRS)


def sample_pairs() -> pl.DataFrame:
    """The pairs of `open/pairs` as a unified table, with the columns of `vilbias.pair_table`.

    Returns: of `load_pairs`, `source_label` being the technique and `rationale_text` the reason;
        `image_file` the absolute path in the installed package.

    >>> table = sample_pairs()
    >>> table["image"][0], table["label"].n_unique()
    ('images/p01.png', 2)
    """
    folder = _folder()
    pairs = load_pairs()
    files_ = [str(folder.joinpath(name)) for name in pairs["image"]]
    sums = [hashlib.sha256(content).hexdigest() for content in pairs["image_png"]]
    return pairs.select(
        *("id", "dataset", "text", "label", "text_label", "image_label", "image", "pair"),
        left_out=pl.lit(None, pl.Utf8),
        source_label="technique",
        part=pl.lit("pairs.jsonl"),
        rationale_text="reason",
        image_file=pl.Series(files_, dtype=pl.Utf8),
        image_sha256=pl.Series(sums, dtype=pl.Utf8),
    )


SAMPLES: Final[Mapping[str, Callable[[], pl.DataFrame]]] = {
    "open/sentences": load_sentences,
    "open/articles": load_articles,
    "open/pairs": load_pairs,
}
"""The public names of the sample's parts that are tables."""
NAMES: Final = (*SAMPLES, "open/wiki")
"""The public names of all parts; the wikis are made by `slant.embeddings.planted`."""


def sample_card(name: str) -> dict[str, Any]:
    """The data card of a part: licence and origin, how written, rule, counts, limits.

    Args:
        name: one of `NAMES`.

    >>> sample_card("open/pairs")["licence"]
    'CC0-1.0'
    """
    card = tomllib.loads(read_sample_text("card.toml"))
    own: dict[str, Any] = card[name.removeprefix("open/")]
    return {key: value for key, value in card.items() if not isinstance(value, dict)} | own


def _folder() -> Traversable:
    return files("slant.data").joinpath("samples")


def _read_bytes(name: str) -> bytes:
    try:
        return _folder().joinpath(name).read_bytes()
    except OSError as error:
        raise DataError(
            f"Reading '{name}' of the embedded sample",
            f"the installed package does not hold it ({error.strerror})",
            "Install slant again",
        ) from error


def read_sample_text(name: str) -> str:
    """The text of a file of the embedded sample; `name` is its path inside the sample."""
    # Offsets count code points with "\n" at the line ends, whatever a checkout made of them.
    return _read_bytes(name).decode("utf-8").replace("\r\n", "\n")


def read_sample_rows(name: str) -> list[dict[str, Any]]:
    """The rows of a .jsonl file of the embedded sample; `name` is its path inside the sample."""
    rows = []
    for number, line in enumerate(read_sample_text(name).splitlines(), 1):
        try:
            rows.append(json.loads(line))
        except json.JSONDecodeError as error:
            raise DataError(
                f"Reading '{name}' of the embedded sample",
                f"row {number} is not JSON ({error.msg})",
                "Install slant again",
            ) from error
    return rows
