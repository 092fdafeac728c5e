"""The embedded sample `open`: offsets, balance, duplicates, artefacts, pictures."""

from __future__ import annotations

import itertools
import re
import tomllib
from collections import Counter, defaultdict
from importlib.resources import files
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from slant.data import samples
from slant.data.samples import SAMPLES, load_articles, load_pairs, load_sentences
from slant.errors import DataError

KINDS = {
    "loaded": "R01",
    "framing": "R02",
    "presupposition": "R03",
    "epistemological": "R04",
    "agent-omission": "R05",
    "generalisation": "R06",
    "mind-reading": "R07",
    "sensational": "R08",
    "ad-hominem": "R09",
    "racial": "R10",
    "gender": "R11",
    "political": "R12",
    "age": "R13",
}
BIASES = [f"B0{n}" for n in range(1, 10)]
WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")


def words_of(text: str) -> list[str]:
    return [word.lower() for word in WORD.findall(text)]


FUNCTION_WORDS = set(
    words_of(
        """a about after again all also an and any are as at be because been before between both
    but by can could did do does during for from had has have he her here him his how if in
    into is it its may more most no not of off on once one only or other out over own said
    say says she should since so some such than that the their them then there these they
    this those through to too under until up was we were what when where whether which while
    who whom whose why will with would yet"""
    )
)


@pytest.fixture(scope="module")
def sentences() -> pl.DataFrame:
    return load_sentences()


@pytest.fixture(scope="module")
def articles() -> pl.DataFrame:
    return load_articles()


def twins(table: pl.DataFrame) -> dict[str, dict[int, dict[str, object]]]:
    by_pair: dict[str, dict[int, dict[str, object]]] = defaultdict(dict)
    for row in table.iter_rows(named=True):
        by_pair[row["pair"]][row["label"]] = row
    return by_pair


def on_word_boundaries(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] begins and ends with a whole word."""
    piece = text[start:end]
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    return bool(piece) and not any(
        (
            piece != piece.strip(),
            before.isalnum() and piece[0].isalnum(),
            after.isalnum() and piece[-1].isalnum(),
        )
    )


# --- sentences ---------------------------------------------------------------------------------


def test_every_public_name_of_the_sample_gives_a_table_with_unique_ids() -> None:
    for name, load in SAMPLES.items():
        table = load()
        assert table.height > 0, name
        assert table["id"].is_unique().all(), name
        assert set(table["dataset"]) == {"open"}, name
        assert set(table["label"]) <= {0, 1}, name


def test_the_sentences_are_balanced_within_every_pair_event_topic_section_and_outlet(
    sentences: pl.DataFrame,
) -> None:
    # 26 events x 4 pairs x 2 tellings = 208.
    assert sentences.height == 208
    assert sentences["article"].n_unique() == 26
    assert sentences["pair"].n_unique() == 104
    for column in ("pair", "article", "topic", "section", "outlet"):
        shares = sentences.group_by(column).agg(pl.col("label").mean())
        assert set(shares["label"]) == {0.5}, column


def test_the_two_tellings_of_a_pair_share_event_topic_section_and_outlet(
    sentences: pl.DataFrame,
) -> None:
    for column in ("article", "topic", "section", "outlet"):
        assert sentences.group_by("pair").agg(pl.col(column).n_unique())[column].max() == 1


def test_every_kind_of_bias_occurs_at_least_six_times_in_as_many_events(
    sentences: pl.DataFrame,
) -> None:
    biased = sentences.filter(pl.col("label") == 1)
    counts = biased.group_by("source_label").agg(pl.col("article").n_unique().alias("events"))
    assert set(counts["source_label"]) == set(KINDS)
    assert counts["events"].min() >= 6
    assert set(sentences.filter(pl.col("label") == 0)["source_label"]) == {"neutral"}


def test_a_biased_sentence_names_the_rule_of_its_kind_and_a_neutral_one_its_own(
    sentences: pl.DataFrame,
) -> None:
    for row in sentences.iter_rows(named=True):
        if row["label"]:
            assert row["rule"] == KINDS[row["source_label"]]
            assert not row["hard_negative"]
        else:
            assert row["rule"] in {"N1", "N2", "N3"}
            assert row["hard_negative"] == (row["rule"] != "N1")


def test_the_rule_beside_the_sample_defines_every_kind_and_every_bias() -> None:
    rule = files("slant.data").joinpath("samples", "README.md").read_text(encoding="utf-8")
    for kind, number in KINDS.items():
        assert f"### {number} {kind}" in rule
    for number in [*BIASES, "N1", "N2", "N3"]:
        assert f"### {number} " in rule


def test_spans_lie_inside_the_text_on_word_boundaries_in_order_without_overlap(
    sentences: pl.DataFrame,
) -> None:
    for row in sentences.iter_rows(named=True):
        assert bool(row["rationale"]) == bool(row["label"]), row["id"]
        for spans in (row["rationale"], row["quoted"]):
            ends = [0, *itertools.chain.from_iterable(spans), len(row["text"])]
            assert ends == sorted(ends), row["id"]
            assert all(start < end for start, end in spans), row["id"]
        for start, end in row["rationale"]:
            assert on_word_boundaries(row["text"], start, end), (row["id"], row["text"][start:end])
        for start, end in row["quoted"]:
            assert row["text"][start] == row["text"][end - 1] == '"', row["id"]


def test_the_marked_words_are_those_that_were_meant(sentences: pl.DataFrame) -> None:
    def marked(beginning: str) -> list[str]:
        (row,) = sentences.filter(
            (pl.col("label") == 1) & pl.col("text").str.starts_with(beginning)
        ).iter_rows(named=True)
        return [row["text"][start:end] for start, end in row["rationale"]]

    assert marked("The Port Ansel council") == ["rammed through", "scheme", "banish"]
    assert marked("The election commission") == ["insisted", "claimed"]
    # The accent stands before the second span: offsets count code points, not bytes.
    assert marked("Rector Blanka Tóthan") == ["that icy windbag"]
    assert marked("Leggy director Salomé") == ["Leggy", "wife of a producer", "in a daring gown"]


def test_marked_words_are_outside_quoted_speech(sentences: pl.DataFrame) -> None:
    for row in sentences.iter_rows(named=True):
        for (start, end), (opened, closed) in itertools.product(row["rationale"], row["quoted"]):
            assert end <= opened or closed <= start, row["id"]


def test_a_loaded_word_in_a_neutral_sentence_of_rule_n3_stands_inside_its_quotation(
    sentences: pl.DataFrame,
) -> None:
    quoting = sentences.filter(pl.col("rule") == "N3")
    assert quoting.height >= 8
    assert all(quoting["quoted"].list.len() > 0)
    assert sentences.filter(pl.col("rule") == "N2").height >= 10
    # Quotations, too, are as frequent in biased sentences as in neutral ones.
    counts = Counter(sentences.filter(pl.col("quoted").list.len() > 0)["label"])
    assert counts[0] == counts[1]


def test_the_words_that_carry_the_bias_do_not_stand_in_the_neutral_twin(
    sentences: pl.DataFrame,
) -> None:
    for pair, by_label in twins(sentences).items():
        biased, neutral = by_label[1], by_label[0]
        plain = str(neutral["text"])
        for start, end in neutral["quoted"]:  # type: ignore[misc]
            plain = plain.replace(str(neutral["text"])[start:end], "")
        for start, end in biased["rationale"]:  # type: ignore[misc]
            phrase = str(biased["text"])[start:end]
            assert not re.search(rf"\b{re.escape(phrase)}\b", plain), (pair, phrase)


def test_no_sentence_repeats_another_beyond_its_own_twin(sentences: pl.DataFrame) -> None:
    rows = sentences.select("id", "pair", "text").rows()
    for (one, pair, text), (other, another, second) in itertools.combinations(rows, 2):
        likeness = Levenshtein.normalized_similarity(text.lower(), second.lower())
        if pair == another:
            assert likeness < 0.97, (one, other)
        else:
            assert likeness < 0.6, (one, other)


def test_no_phrase_that_carries_bias_makes_up_more_than_a_few_of_them(
    sentences: pl.DataFrame,
) -> None:
    phrases = Counter(
        row["text"][start:end].lower()
        for row in sentences.iter_rows(named=True)
        for start, end in row["rationale"]
    )
    assert phrases.most_common(1)[0][1] <= 5
    assert len(phrases) > 150


def test_typography_is_plain_and_letters_outside_ascii_stand_in_both_tellings(
    sentences: pl.DataFrame,
) -> None:
    for text in sentences["text"]:
        assert all(char.isascii() or char.isalpha() for char in text), text
        assert text == " ".join(text.split())
        assert text[0].isupper()
        assert text.endswith(".") or text.endswith('".')
        assert text.count('"') % 2 == 0
        assert not re.search(r"[!?;:()]|\.\.| ,|\s\.", text), text
    accented = 0
    for by_label in twins(sentences).values():
        letters = [
            sorted(char for char in str(row["text"]) if not char.isascii())
            for row in by_label.values()
        ]
        assert letters[0] == letters[1]
        accented += bool(letters[0])
    assert accented >= 2


def test_lengths_and_punctuation_are_alike_in_both_classes(sentences: pl.DataFrame) -> None:
    text = pl.col("text")
    measures = {
        "characters": (text.str.len_chars(), 2.0),
        "words": (text.str.count_matches(r"\S+"), 0.5),
        "commas": (text.str.count_matches(","), 0.25),
        "capitals": (text.str.count_matches(r"[A-Z]"), 0.25),
        "digits": (text.str.count_matches(r"\d"), 0.5),
        "quotes": (text.str.count_matches('"'), 0.1),
    }
    for name, (measure, tolerance) in measures.items():
        means = sentences.group_by("label").agg(measure.mean().alias("mean")).sort("label")["mean"]
        assert abs(means[1] - means[0]) <= tolerance, name


def test_which_telling_comes_first_says_nothing(sentences: pl.DataFrame) -> None:
    first = sentences.group_by("pair", maintain_order=True).agg(pl.col("label").first())["label"]
    # Half of the 104 pairs begin with the biased telling, in no alternating order.
    assert first.sum() == 52
    changes = sum(a != b for a, b in itertools.pairwise(first))
    assert 35 <= changes <= 68


def surface(text: str) -> list[float]:
    return [
        len(text),
        len(text.split()),
        len(text) / len(text.split()),
        *(text.count(mark) for mark in (",", '"', "'", "-")),
        sum(char.isupper() for char in text),
        sum(char.isdigit() for char in text),
        len(re.findall(r"\d[\d,.]*", text)),
    ]


def artefacts(sentences: pl.DataFrame) -> NDArray[np.float64]:
    """Length, punctuation, position, names, topic words (content words of both tellings)."""
    from sklearn.feature_extraction import DictVectorizer

    topical: set[str] = set()
    for by_label in twins(sentences).values():
        topical |= set(words_of(str(by_label[0]["text"]))) & set(words_of(str(by_label[1]["text"])))
    topical -= FUNCTION_WORDS
    bags = []
    for row in sentences.iter_rows(named=True):
        names = [word for word in WORD.findall(row["text"])[1:] if word[0].isupper()]
        bag = Counter(f"name={word}" for word in names)
        bag.update(f"word={word}" for word in words_of(row["text"]) if word in topical)
        bag.update(f"{key}={row[key]}" for key in ("topic", "section", "outlet"))
        bags.append(dict(bag))
    place = np.arange(sentences.height, dtype=np.float64)
    parts = [
        np.array([surface(text) for text in sentences["text"]], dtype=np.float64),
        np.column_stack([place, place % 2, place % 4]),
        DictVectorizer(sparse=False).fit_transform(bags),
    ]
    return np.hstack(parts)


def class_f1_of(model: object, features: object, sentences: pl.DataFrame) -> float:
    """Class F1 of a scikit-learn model, pooled over five folds of events, mean of three seeds."""
    from sklearn.metrics import f1_score
    from sklearn.model_selection import StratifiedGroupKFold, cross_val_predict

    gold, events = sentences["label"].to_numpy(), sentences["article"].to_numpy()
    scores = []
    for seed in (0, 1, 2):
        folds = StratifiedGroupKFold(5, shuffle=True, random_state=seed)
        predicted = cross_val_predict(model, features, gold, groups=events, cv=folds)
        scores.append(f1_score(gold, predicted, average="macro"))
    return float(np.mean(scores))


def test_length_punctuation_position_names_and_topic_words_do_not_give_the_label_away(
    sentences: pl.DataFrame,
) -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    features = artefacts(sentences)
    assert class_f1_of(model, features, sentences) <= 0.55
    columns = len(surface(""" a """))
    assert class_f1_of(model, features[:, :columns], sentences) <= 0.55


def test_words_tell_more_than_chance_about_events_not_seen(sentences: pl.DataFrame) -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    model = make_pipeline(TfidfVectorizer(sublinear_tf=True), LogisticRegression(C=10))
    # Chance is 0.50 with a standard error of about 0.035 (208 sentences).
    assert class_f1_of(model, sentences["text"].to_numpy(), sentences) >= 0.58


# --- articles ----------------------------------------------------------------------------------


def test_eight_articles_have_a_title_a_blank_line_and_250_to_450_words(
    articles: pl.DataFrame,
) -> None:
    assert articles.height == 8
    for row in articles.iter_rows(named=True):
        title, blank, first, *_ = row["text"].split("\n")
        assert title == row["title"]
        assert not blank
        assert first
        assert 250 <= len(row["text"].split()) <= 450, row["id"]
        assert row["text"].isascii()
        assert row["text"].endswith(".\n")


def test_six_articles_have_triggers_of_all_nine_biases_and_two_have_none(
    articles: pl.DataFrame,
) -> None:
    assert Counter(articles["label"]) == {1: 6, 0: 2}
    per_bias: dict[str, set[str]] = defaultdict(set)
    for row in articles.iter_rows(named=True):
        assert row["label"] == bool(row["triggers"])
        for trigger in row["triggers"]:
            per_bias[trigger["category"]].add(row["id"])
            assert trigger["confidence"] in {1, 2, 3}
    assert sorted(per_bias) == BIASES
    assert min(map(len, per_bias.values())) >= 2


def test_trigger_spans_lie_inside_the_text_on_word_boundaries_and_in_order(
    articles: pl.DataFrame,
) -> None:
    for row in articles.iter_rows(named=True):
        for trigger in row["triggers"]:
            ends = list(itertools.chain.from_iterable(trigger["spans"]))
            assert ends == sorted(ends)
            assert ends[-1] <= len(row["text"])
            for start, end in trigger["spans"]:
                assert on_word_boundaries(row["text"], start, end)
                assert "\n" not in row["text"][start:end]


def test_an_illusory_truth_trigger_has_two_or_more_spans(articles: pl.DataFrame) -> None:
    for row in articles.iter_rows(named=True):
        for trigger in row["triggers"]:
            assert (len(trigger["spans"]) >= 2) == (trigger["category"] == "B01")


def test_one_passage_carries_two_biases(articles: pl.DataFrame) -> None:
    (row,) = articles.filter(pl.col("id") == "open-a01").iter_rows(named=True)
    spans = {t["category"]: t["spans"] for t in row["triggers"]}
    (start, end) = spans["B02"][0]
    assert any(start <= a and b <= end for a, b in spans["B01"])


# --- the card and the loader -------------------------------------------------------------------


def test_the_card_states_the_licence_and_the_counts_that_the_files_have(
    sentences: pl.DataFrame, articles: pl.DataFrame
) -> None:
    text = files("slant.data").joinpath("samples", "card.toml").read_text(encoding="utf-8")
    card = tomllib.loads(text)
    triggers = [t for row in articles["triggers"] for t in row]
    assert card["licence"] == "CC0-1.0"
    assert card["sentences"] == {
        "rows": sentences.height,
        "biased": int(sentences["label"].sum()),
        "events": sentences["article"].n_unique(),
        "hard_negatives": int(sentences["hard_negative"].sum()),
        "kinds": dict(
            sentences.filter(pl.col("label") == 1).group_by("source_label").len().iter_rows()
        ),
    }
    assert card["articles"] == {
        "rows": articles.height,
        "with_triggers": int(articles["label"].sum()),
        "triggers": len(triggers),
        "spans": sum(len(t["spans"]) for t in triggers),
        "biases": dict(Counter(t["category"] for t in triggers)),
    }


def test_a_damaged_installation_is_named_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(samples, "_folder", lambda: tmp_path)
    with pytest.raises(DataError, match=r"'pairs.jsonl' of the embedded sample: .* does not hold"):
        load_pairs()
    (tmp_path / "sentences.jsonl").write_text('{"id": "s001",\n', encoding="utf-8")
    with pytest.raises(DataError, match="row 1 is not JSON"):
        load_sentences()


def test_offsets_hold_when_a_checkout_has_changed_the_line_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, articles: pl.DataFrame
) -> None:
    (tmp_path / "articles").mkdir()
    for row in articles.iter_rows(named=True):
        name = row["id"].removeprefix("open-") + ".txt"
        data = row["text"].replace("\n", "\r\n").encode()
        (tmp_path / "articles" / name).write_bytes(data)
    (tmp_path / "triggers.jsonl").write_bytes(b"")
    monkeypatch.setattr(samples, "_folder", lambda: tmp_path)
    assert load_articles()["text"].to_list() == articles["text"].to_list()
