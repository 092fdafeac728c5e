"""The embedded sentences: offsets, duplicates, balance by topic and length, spelling, artefacts."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from collections import Counter, defaultdict
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from slant.data.samples import load_sentences, read_sample_rows, sample_card

SAMPLES = Path(__file__).parents[2] / "samples"
sys.path.append(str(SAMPLES))
import build_sentences  # noqa: E402
import sentencelint as lint  # noqa: E402

Row = dict[str, Any]
KINDS = {kind: rule for rule, kind in build_sentences.KINDS.items()}


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return read_sample_rows("sentences.jsonl")


@pytest.fixture(scope="module")
def pairs(rows: list[Row]) -> dict[str, dict[int, Row]]:
    return lint.twins(rows)  # type: ignore[return-value]


def test_the_sources_give_the_committed_file() -> None:
    script = SAMPLES / "build_sentences.py"
    done = subprocess.run(
        [sys.executable, str(script), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_there_are_1200_sentences_and_more_on_40_events_and_more(rows: list[Row]) -> None:
    assert len(rows) >= 1200
    assert len({row["event"] for row in rows}) >= 40
    assert len({row["id"] for row in rows}) == len(rows) == len({row["text"] for row in rows})


def test_every_pair_has_one_biased_and_one_neutral_telling_of_one_event(
    rows: list[Row], pairs: dict[str, dict[int, Row]]
) -> None:
    assert 2 * len(pairs) == len(rows)
    for pair, tellings in pairs.items():
        assert set(tellings) == {0, 1}, pair
        for column in ("event", "topic", "section", "outlet", "english"):
            assert tellings[0][column] == tellings[1][column], (pair, column)


def test_no_sentence_has_a_fault_of_typography_or_of_its_spans(rows: list[Row]) -> None:
    found = [(row["id"], fault) for row in rows for fault in lint.row_faults(row)]
    assert not found


def test_every_pair_is_a_minimal_one_whose_neutral_telling_lacks_the_marked_words(
    pairs: dict[str, dict[int, Row]],
) -> None:
    found = [
        (pair, fault)
        for pair, tellings in pairs.items()
        for fault in lint.pair_faults(tellings[1], tellings[0])
    ]
    assert not found


def test_a_biased_sentence_names_the_rule_of_its_kind_and_a_neutral_one_its_own(
    rows: list[Row],
) -> None:
    for row in rows:
        assert row["difficulty"] in {1, 2, 3}
        assert len(row["kinds"]) == len(row["spans"])
        assert set(row["kinds"]) <= set(KINDS)
        if row["label"]:
            assert row["rule"] == KINDS[row["kind"]]
            assert row["kind"] in row["kinds"]
            assert not row["hard_negative"]
        else:
            assert row["kind"] is None
            assert not row["spans"]
            assert row["rule"] in build_sentences.NEUTRAL
            assert row["hard_negative"] == (row["rule"] != "N1")


def test_every_kind_of_bias_and_of_hard_negative_occurs_in_many_events(rows: list[Row]) -> None:
    events: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        events[row["rule"]].add(row["event"])
        for kind in row["kinds"]:
            events[kind].add(row["event"])
    assert min(len(events[kind]) for kind in KINDS) >= 20
    assert min(len(events[rule]) for rule in build_sentences.NEUTRAL) >= 20
    several = sum(len(set(row["kinds"])) > 1 for row in rows)
    assert several / len(rows) >= 0.1
    opinion = {row["event"] for row in rows if row["section"] == "opinion"}
    assert len(opinion) >= 8


def test_the_rule_beside_the_sample_defines_every_kind() -> None:
    rule = files("slant.data").joinpath("samples", "README.md").read_text(encoding="utf-8")
    for kind, number in KINDS.items():
        assert f"### {number} {kind}" in rule
    for number in build_sentences.NEUTRAL:
        assert f"### {number} " in rule


def test_the_marked_words_are_those_that_were_meant() -> None:
    table = load_sentences()

    def marked(beginning: str) -> list[str]:
        (row,) = (
            row
            for row in table.iter_rows(named=True)
            if row["label"] and row["text"].startswith(beginning)
        )
        return [row["text"][start:end] for start, end in row["rationale"]]

    assert marked("The Port Ansel council") == ["rammed through", "scheme", "banish"]
    assert marked("The election commission insisted") == ["insisted", "claimed"]
    # The accent stands before the second span: offsets count code points, not bytes.
    assert marked("Rector Blanka Tóthan") == ["that icy windbag"]
    assert marked("Leggy director Salomé") == ["Leggy", "wife of a producer", "in a daring gown"]


def test_no_sentence_repeats_another_beyond_its_own_twin(rows: list[Row]) -> None:
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    texts = [row["text"].lower() for row in rows]
    alike = cdist(texts, texts, scorer=Levenshtein.normalized_similarity, score_cutoff=0.62)
    found = [
        (rows[one]["id"], rows[other]["id"])
        for one, other in zip(*alike.nonzero(), strict=True)
        if one < other and rows[one]["pair"] != rows[other]["pair"]
    ]
    assert not found


def test_no_phrase_that_carries_bias_makes_up_more_than_a_few_of_them(rows: list[Row]) -> None:
    phrases = Counter(row["text"][a:b].lower() for row in rows for a, b in row["spans"])
    assert phrases.most_common(1)[0][1] <= len(rows) / 100
    assert len(phrases) > 0.8 * phrases.total()


def test_lengths_and_punctuation_are_alike_in_both_classes(rows: list[Row]) -> None:
    for name, apart in lint.mean_differences(rows).items():
        assert abs(apart) <= lint.TOLERANCE[name], name


def test_labels_are_balanced_in_every_event_topic_section_and_outlet(rows: list[Row]) -> None:
    for column in ("event", "topic", "section", "outlet", "english"):
        labels: dict[str, list[int]] = defaultdict(list)
        for row in rows:
            labels[row[column]].append(row["label"])
        assert {sum(some) / len(some) for some in labels.values()} == {0.5}, column


def test_which_telling_comes_first_says_nothing(rows: list[Row]) -> None:
    first = [row["label"] for row in rows[::2]]
    # As for a fair coin: within three standard errors, 1.5 sqrt(n), of a half; no alternation.
    tolerance = 1.5 * len(first) ** 0.5
    assert abs(sum(first) - len(first) / 2) <= tolerance
    changes = sum(a != b for a, b in itertools.pairwise(first))
    assert abs(changes - len(first) / 2) <= tolerance


@pytest.fixture(scope="module")
def probe(rows: list[Row]) -> dict[str, float]:
    return lint.probe_f1(rows)


def test_length_punctuation_position_names_and_topic_words_do_not_give_the_label_away(
    probe: dict[str, float],
) -> None:
    for name, f1 in probe.items():
        assert f1 <= 0.55, name


def test_the_card_has_the_probe_that_is_measured(probe: dict[str, float]) -> None:
    told = sample_card("open/sentences")["probe"]
    assert told == {name: round(f1, 2) for name, f1 in probe.items()}


def test_the_probe_finds_an_artefact_that_was_planted(rows: list[Row]) -> None:
    some = [dict(row) for row in rows[:400]]
    for row in some:
        row["text"] += " Indeed, so it is, they say." if row["label"] else ""
    assert lint.probe_f1(some, seeds=1)["surface"] > 0.8


def test_words_tell_more_than_chance_about_events_not_seen(rows: list[Row]) -> None:
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    model = make_pipeline(TfidfVectorizer(sublinear_tf=True), LogisticRegression(C=10))
    texts = np.array([row["text"] for row in rows], dtype=object)
    assert lint.class_f1_of(model, texts, rows, seeds=1) >= 0.62


def test_words_are_spelt_as_in_a_list_of_english_words_or_stand_in_the_list_of_exceptions(
    rows: list[Row],
) -> None:
    allowed = set((SAMPLES / "sentences" / "spelling.list").read_text("utf-8").split())
    found = lint.misspelt(rows)
    assert not set(found) - allowed, sorted(set(found) - allowed)
    # What is no longer needed is to be taken out of the list.
    assert not allowed - set(found), sorted(allowed - set(found))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("R01 2 | The council {rammed through its plan.", "braces that do not close"),
        ("N1 1 | The council {passed} its plan.", "words are marked in a neutral sentence"),
        ("R01 2 | The council passed its plan.", "no words are marked for the rule R01"),
        ("R99 2 | The council {passed} its plan.", "no such rule: R99"),
        ('N3 2 | The "council passed its plan.', "quotation marks that do not close"),
        ("The council passed its plan.", "not RULE DIFFICULTY"),
    ],
)
def test_a_fault_of_a_source_is_told_with_its_line(tmp_path: Path, line: str, words: str) -> None:
    header = "@ e1 | topic: t | section: s | outlet: o | english: gb | facts: f"
    source = tmp_path / "one.txt"
    source.write_text(f"{header}\n\n{line}\nN1 1 | The council sat.\n", encoding="utf-8")
    with pytest.raises(build_sentences.SourceError, match=re.escape(f"one.txt:3: {words}")):
        build_sentences.read_source(source)
