"""Articles cut into sentences or paragraphs that carry the article's label: 025, 029, 035, 066."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from slant.data.documents import as_published, read_json, read_json_items, read_xml, sound, text_of
from slant.data.rows import (
    PANDAS_MISSING,
    check_labels,
    file_named,
    files_ending,
)
from slant.data.sources import Source
from slant.data.tables import record_table
from slant.data.texts import official_text
from slant.errors import DataError
from slant.types import Preset

_SIDES = (("center", 0, 0), ("left", 1, 1), ("right", 1, 2))
_PER_LABEL = 250_000
_DRAWN = {"row": pl.Int64, "id": pl.String, "text": pl.String, "article": pl.String}
_TONES = {17: ("pro", 1), 18: ("neutral", 0), 19: ("anti", 1)}


def read_fakenewsnet(source: Source, preset: Preset) -> pl.DataFrame:
    """025 FakeNewsNet: articles of BuzzFeed and PolitiFact, fake or real, cut into sentences.

    Rule: label 1 if the article's type is fake, 0 if real. The text is cut after `.`, `!` or `?`
    and one space; the official rule drops the mark, clean keeps it. Official numbers follow the
    sorted file names (the script follows an unsorted folder).

    Source: MBIB, process of 025; Shu et al. 2017.
    """
    cut = re.compile(r"[.!?] " if preset == "official" else r"(?<=[.!?]) ")
    rows: list[dict[str, Any]] = []
    paths = sorted(files_ending(source, ".json"), key=lambda p: (p.parts[-3:-1], p.name))
    for n, path in enumerate(paths):
        article = read_json(path)
        with as_published(path):
            kind, whole = sound(str(article.get("type"))), text_of(article, "text")
        check_labels(pl.Series([kind]), ("fake", "real"), path)
        about = {
            "label": int(kind == "fake"),
            "source_label": kind,
            "part": path.parent.parent.name,
            "article": path.stem,
        }
        rows += [
            about | {"id": f"{path.stem}-{m}", "text": text, "official_id": f"{n}-{m}"}
            for m, text in enumerate(cut.split(whole))
        ]
    return record_table(pl.DataFrame(rows, infer_schema_length=None))


def read_hyperpartisan(source: Source, preset: Preset) -> pl.DataFrame:
    """029 SemEval-2019 task 4, labelled by article: one row per `<p>`.

    Rule: 1 if the article is hyperpartisan, 0 if not; the text of nested elements belongs to the
    paragraph, text outside `<p>` is lost. Training and test file are joined. An article without
    label is no record in official and left out as "no label" in clean.

    Source: MBIB, process of 029; Kiesel et al. 2019.
    """
    rows: list[dict[str, Any]] = []
    texts = [p for p in files_ending(source, ".xml") if p.name.startswith("articles-")]
    # Training comes first; the names sort the other way round.
    for path in sorted(texts, key=lambda p: ("training" not in p.name, p.name)):
        truth = file_named(source, path.name.replace("articles-", "ground-truth-").strip())
        labels = {a.get("id"): a.get("hyperpartisan") for a in read_xml(truth).iter("article")}
        check_labels(pl.Series(list(labels.values()), dtype=pl.String), ("true", "false"), truth)
        prefix = "" if "training" in path.name else "test-"
        for article in read_xml(path).iter("article"):
            own = article.get("id")
            label = labels.get(own)
            if label is None and preset == "official":
                continue
            about = {
                "label": None if label is None else int(label == "true"),
                "left_out": "no label" if label is None else None,
                "source_label": f"hyperpartisan={label}",
                "part": path.name,
                "article": f"{prefix}{own}",
            }
            rows += [
                about
                | {
                    "id": f"{prefix}{own}-{k}",
                    "text": "".join(paragraph.itertext()),
                    "official_id": f"{own}-{k}",
                }
                for k, paragraph in enumerate(article.iter("p"))
            ]
    return record_table(pl.DataFrame(rows, infer_schema_length=None))


def read_media_frames(source: Source, preset: Preset) -> pl.DataFrame:
    """035 Media Frames Corpus: articles with a tone towards their topic.

    Rule: primary tone pro (17) or anti (19) is 1, neutral (18) is 0; the header, the first 18
    characters, is cut. Official: any other value, 17.4 included, is no record. Clean: 17.x to
    19.x count by their whole number, the rest is left out as "no tone".

    Source: MBIB, process of 035; Card et al. 2015.
    """
    rows: list[dict[str, Any]] = []
    number = 0
    for path in files_ending(source, "_labeled.json"):
        topic = path.name.removesuffix("_labeled.json")
        entries = read_json(path)
        with as_published(path):
            told = [
                (sound(own), text_of(entry, "text"), entry.get("primary_tone"))
                for own, entry in entries.items()
            ]
            tones = [_tone(published, preset) for _, _, published in told]
        for (own, text, published), tone in zip(told, tones, strict=True):
            if tone is None and preset == "official":
                continue
            rows.append(
                {
                    "id": own if own.startswith(topic) else f"{topic}-{own}",
                    "text": text[18:],
                    "label": None if tone is None else _TONES[tone][1],
                    "left_out": "no tone" if tone is None else None,
                    "source_label": sound(str(published)),
                    "part": topic,
                    "article": own,
                    "official_id": None if tone is None else str(number),
                    "topic": topic,
                }
            )
            number += tone is not None
    return record_table(pl.DataFrame(rows, infer_schema_length=None))


def _tone(published: object, preset: Preset) -> int | None:
    if not isinstance(published, int | float):
        return None
    whole = int(published)
    exact = preset == "clean" or whole == published
    return whole if exact and whole in _TONES else None


def read_bignews(source: Source, preset: Preset) -> pl.DataFrame:
    """066 BIGNEWS: sentences of articles by the leaning of their outlet.

    Rule: center is 0, left and right are 1; each article's text is a list of sentences. 250,000
    rows per label are drawn without replacement by `RandomState(42)`, label 0 first, in drawn
    order; where a label has fewer, all its rows stay (the official script stops there). Official:
    a text that pandas reads as missing is empty. Clean draws the same rows and sorts them.

    Source: MBIB, process of 066; Liu et al. 2022.
    """
    counts = {side: _count_sentences(_side_file(source, side)) for side, _, _ in _SIDES}
    chosen = {
        label: _drawn(sum(counts[side] for side, own, _ in _SIDES if own == label))
        for label in (0, 1)
    }
    frames, first_article, first_row = [], 0, {0: 0, 1: 0}
    for side, label, category in _SIDES:
        path = _side_file(source, side)
        low = first_row[label]
        here = chosen[label][(chosen[label] >= low) & (chosen[label] < low + counts[side])]
        wanted = iter(np.sort(here).tolist())
        target = next(wanted, -1)
        rows: list[tuple[int, str, str, str]] = []
        row = low
        article = first_article
        for article, sentences in enumerate(_sentences(path), start=first_article):
            for k, sentence in enumerate(sentences):
                if row == target:
                    rows.append((row, f"{article}-{k}", sound(sentence), str(article)))
                    target = next(wanted, -1)
                row += 1
        first_article = article + 1
        first_row[label] = row
        frame = pl.DataFrame(rows, _DRAWN, orient="row")
        frames.append(
            frame.with_columns(
                label=pl.lit(label),
                category=pl.lit(category, pl.Int64),
                source_label=pl.lit(side),
                leaning=pl.lit(side),
                part=pl.lit(path.name),
            )
        )
    table = pl.concat(frames)
    if preset == "official":
        table = _as_pandas_reads(_in_drawn_order(table, chosen))
    return record_table(table.with_columns(official_id=pl.col("id")).drop("row"))


def _side_file(source: Source, side: str) -> Path:
    return file_named(source, f"BIGNEWSBLN_train_{side}.json")


def _sentences(path: Path) -> Iterator[list[str]]:
    for n, article in enumerate(read_json_items(path)):
        text = article.get("text") if isinstance(article, dict) else None
        if not isinstance(text, list) or not all(isinstance(one, str) for one in text):
            found = f"article {n} has no list of sentences under 'text'"
            raise DataError(f"Reading '{path}'", found, "Give the file as published")
        yield text


def _count_sentences(path: Path) -> int:
    return sum(len(sentences) for sentences in _sentences(path))


def _drawn(rows: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    if rows <= _PER_LABEL:
        return np.arange(rows)
    return np.random.RandomState(42).choice(rows, size=_PER_LABEL, replace=False)


def _in_drawn_order(
    table: pl.DataFrame, chosen: dict[int, np.ndarray[Any, np.dtype[np.int64]]]
) -> pl.DataFrame:
    order = pl.concat(
        pl.DataFrame({"row": rows.astype(np.int64)}).with_columns(label=pl.lit(label))
        for label, rows in chosen.items()
    )
    return order.join(table, on=["label", "row"], how="left", maintain_order="left")


def _as_pandas_reads(table: pl.DataFrame) -> pl.DataFrame:
    # The script writes the cleaned texts and reads them again before it draws.
    missing = official_text(pl.col("text")).is_in(sorted(PANDAS_MISSING))
    return table.with_columns(text=pl.when(missing).then(pl.lit("")).otherwise(pl.col("text")))
