"""The embedded sample `open`: its public parts, its card, and a damaged installation."""

from __future__ import annotations

import tomllib
from collections import Counter
from importlib.resources import files
from pathlib import Path

import polars as pl
import pytest

from slant.data import samples
from slant.data.samples import (
    NAMES,
    SAMPLES,
    load_articles,
    load_pairs,
    load_sentences,
    sample_card,
)
from slant.errors import DataError


def test_every_public_name_of_the_sample_gives_a_table_with_unique_ids() -> None:
    for name, load in SAMPLES.items():
        table = load()
        assert table.height > 0, name
        assert table["id"].is_unique().all(), name
        assert set(table["dataset"]) == {"open"}, name
        assert set(table["label"]) <= {0, 1}, name


def test_every_part_has_a_card_with_how_it_was_written_its_rule_and_its_limits() -> None:
    for name in NAMES:
        card = sample_card(name)
        assert card["licence"] == "CC0-1.0"
        for key in ("title", "how", "rule", "limits", "rows"):
            assert card[key], (name, key)


def test_articles_are_a_table_of_texts_with_their_triggers() -> None:
    table = load_articles()
    assert table["title"][0] == table["text"][0].split("\n")[0]
    for row in table.iter_rows(named=True):
        assert row["label"] == bool(row["triggers"])
    (first, *_) = table["triggers"][0]
    start, end = first["spans"][0]
    assert table["text"][0][start:end] == "Closing the ward puts mothers in danger"


def test_the_card_states_the_counts_that_the_files_have() -> None:
    sentences, articles = load_sentences(), load_articles()
    card = tomllib.loads(files("slant.data").joinpath("samples", "card.toml").read_text("utf-8"))
    biased = sentences.filter(pl.col("label") == 1)
    counts = {
        "rows": sentences.height,
        "biased": biased.height,
        "events": sentences["article"].n_unique(),
        "hard_negatives": int(sentences["hard_negative"].sum()),
        "kinds": dict(Counter(biased["source_label"])),
        "rules_of_neutral": dict(Counter(sentences.filter(pl.col("label") == 0)["rule"])),
        "difficulty": {f"d{n}": c for n, c in Counter(sentences["difficulty"]).items()},
    }
    assert {key: card["sentences"][key] for key in counts} == counts
    triggers = [one for row in articles["triggers"] for one in row]
    per_bias = Counter(
        code for row in articles["triggers"] for code in {one["category"] for one in row}
    )
    counts = {
        "rows": articles.height,
        "with_triggers": int(articles["label"].sum()),
        "triggers": len(triggers),
        "spans": sum(len(one["spans"]) for one in triggers),
        "articles_with": dict(per_bias),
    }
    assert {key: card["articles"][key] for key in counts} == counts


def test_a_damaged_installation_is_named_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(samples, "_folder", lambda: tmp_path)
    with pytest.raises(DataError, match=r"'pairs.jsonl' of the embedded sample: .* does not hold"):
        load_pairs()
    (tmp_path / "sentences.jsonl").write_text('{"id": "s001",\n', encoding="utf-8")
    with pytest.raises(DataError, match="row 1 is not JSON"):
        load_sentences()
