"""The embedded articles with bias triggers: offsets, counts, and how gold follows from the passes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from slant.data import samples
from slant.data.baitsamples import ANNOTATORS, load_bait_samples
from slant.data.schemas import load_schema
from slant.errors import DataError

ROOT = Path(__file__).parents[2]
FOLDER = Path(str(files("slant.data").joinpath("samples", "bait")))
SCHEMA = load_schema("bait")
WRITTEN = 16
"""Articles whose passes were written together with them; those of the others were made apart."""


@pytest.fixture(scope="module")
def examples():
    return load_bait_samples()


def answers(example):
    return {"gold": example.gold, **example.annotators}


def overlaps(mark, others):
    """The marks of the same bias that share a character with one."""
    return [
        other
        for other in others
        if other.category == mark.category
        and any(a.start < b.end and b.start < a.end for a in mark.spans for b in other.spans)
    ]


def rows(name):
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


def test_an_article_has_a_title_a_blank_line_and_paragraphs(examples):
    assert len({one.item.id for one in examples}) == len(examples)
    for one in examples:
        title, blank, first, *_ = one.item.text.split("\n")
        assert title
        assert not blank
        assert first
        assert one.item.text.endswith("\n")
        assert tuple(one.annotators) == ANNOTATORS


@pytest.mark.parametrize("name", ["articles.jsonl", "annotator-a.jsonl", "annotator-b.jsonl"])
def test_every_offset_gives_the_words_that_stand_beside_it(name):
    texts = {row["id"]: row["text"] for row in rows("articles.jsonl")}
    for row in rows(name):
        assert row["text"] == texts[row["id"]]
        for trigger in row["triggers"]:
            for span in trigger["spans"]:
                assert row["text"][span["start"] : span["end"]] == span["text"]


def test_a_span_is_words_of_one_paragraph_and_the_spans_of_a_trigger_do_not_overlap(examples):
    for one in examples:
        for answer in answers(one).values():
            for mark in answer.marks:
                places = [place for span in mark.spans for place in (span.start, span.end)]
                assert places == sorted(set(places))
                assert not mark.quotes
                for span in mark.spans:
                    words = one.item.text[span.start : span.end]
                    assert words == words.strip()
                    assert "\n" not in words
                    around = one.item.text[span.start - 1 : span.start], one.item.text[span.end]
                    assert not (words[0].isalnum() and around[0].isalnum())
                    assert not (words[-1].isalnum() and around[1].isalnum())


def test_every_bias_is_in_at_least_six_articles_and_repetition_in_most_of_them(examples):
    found = {code: sum(code in one.gold.labels for one in examples) for code in SCHEMA.codes}
    assert len(examples) >= 30
    assert min(found.values()) >= 6
    assert max(found, key=found.get) == "B01"
    for one in examples:
        for answer in answers(one).values():
            assert answer.labels == {mark.category for mark in answer.marks}


def test_some_articles_have_no_trigger(examples):
    without = [one.item.id for one in examples if not one.gold.marks]
    assert without == ["n10", "n11", "n22", "n33", "n34"]


def test_articles_have_300_to_900_words(examples):
    assert all(300 <= len(one.item.text.split()) <= 900 for one in examples)


def test_repeated_claims_have_several_spans_and_other_triggers_seldom(examples):
    several = [m for one in examples for m in one.gold.marks if len(m.spans) > 1]
    others = sum(m.category != "B01" for one in examples for m in one.gold.marks)
    assert sum(m.category != "B01" for m in several) < others / 5
    assert all(len(m.spans) > 1 for e in examples for m in e.gold.marks if m.category == "B01")


def test_the_claim_that_is_repeated_is_also_said_in_other_words(examples):
    for one in examples[:WRITTEN]:
        for mark in (m for m in one.gold.marks if m.category == "B01"):
            said = {
                re.sub(r"\W+", " ", one.item.text[s.start : s.end]).strip().lower()
                for s in mark.spans
            }
            assert len(said) > 1, one.item.id


def test_one_passage_carries_two_biases(examples):
    (article,) = [one for one in examples if one.item.id == "n16"]
    of = {code: [m for m in article.gold.marks if m.category == code] for code in ("B01", "B03")}
    outer = of["B03"][0].spans[0]
    assert any(outer.start <= s.start and s.end <= outer.end for s in of["B01"][0].spans)


def test_gold_follows_from_the_passes_by_the_inclusion_rule(examples):
    """Sure ones stay; others where both marked the bias there; the rest is the adjudicator's."""
    decided = {}
    for row in rows("adjudicated.jsonl"):
        if row["annotator"] == "both":  # a decision on limits alone
            assert row["kept"]
            assert row["why"]
            continue
        key = (row["article"], row["annotator"], row["bias"], row["spans"][0]["start"])
        assert key not in decided
        assert row["why"]
        decided[key] = row["kept"]
    needed = set()
    for one in examples:
        for name, other in (ANNOTATORS, ANNOTATORS[::-1]):
            for mark in one.annotators[name].marks:
                in_gold = bool(overlaps(mark, one.gold.marks))
                if mark.confidence == 3 or overlaps(mark, one.annotators[other].marks):
                    assert in_gold, (one.item.id, mark)
                    continue
                key = (one.item.id, name, mark.category, mark.spans[0].start)
                needed.add(key)
                assert decided[key] == in_gold, key
    assert needed == set(decided)
    assert {True, False} == set(decided.values())


def test_nothing_is_in_gold_that_no_pass_marked(examples):
    for one in examples:
        for mark in one.gold.marks:
            passes = [m for a in one.annotators.values() for m in overlaps(mark, a.marks)]
            marked = {at for m in passes for s in m.spans for at in range(s.start, s.end)}
            own = {at for s in mark.spans for at in range(s.start, s.end)}
            between = {at for at in own - marked if not one.item.text[at].isspace()}
            assert not between, (one.item.id, mark)


def test_the_limits_in_gold_are_those_of_a_pass(examples):
    for one in examples[:WRITTEN]:
        for mark in one.gold.marks:
            passes = [m for a in one.annotators.values() for m in overlaps(mark, a.marks)]
            assert mark.confidence == max(m.confidence for m in passes)
            assert set(mark.spans) <= {span for m in passes for span in m.spans}
            sure = mark.confidence == 3 or len(passes) > 1
            assert bool(mark.note) == (not sure), (one.item.id, mark)


def test_where_the_passes_draw_other_limits_the_surer_one_is_followed(examples):
    followed = set()
    for one in examples[:WRITTEN]:
        for mark in one.gold.marks:
            sides = {n: overlaps(mark, one.annotators[n].marks) for n in ANNOTATORS}
            if not all(len(marks) == 1 for marks in sides.values()):
                continue
            (a,), (b,) = sides.values()
            if a.spans == b.spans:
                continue
            chosen = {n for n in ANNOTATORS if sides[n][0].spans == mark.spans}
            if a.confidence != b.confidence:
                assert chosen == {"a" if a.confidence > b.confidence else "b"}
            assert len(chosen) == 1
            followed |= chosen
    assert followed == set(ANNOTATORS)


def kappa(first, second, code):
    """Cohen's kappa over articles, from the four counts."""
    pairs = [(code in a.labels, code in b.labels) for a, b in zip(first, second, strict=True)]
    n = len(pairs)
    observed = sum(a == b for a, b in pairs) / n
    one, two = (sum(pair[side] for pair in pairs) / n for side in (0, 1))
    expected = one * two + (1 - one) * (1 - two)
    return (observed - expected) / (1 - expected)


def test_passes_written_together_agree_moderately_and_disagree_about_every_bias(examples):
    written = examples[:WRITTEN]
    first, second = ([one.annotators[name] for one in written] for name in ANNOTATORS)
    # B02: a marks 4 articles, b 8, both 4: agreement 12/16, by chance (4x8 + 12x8)/256 = 1/2.
    assert kappa(first, second, "B02") == pytest.approx(0.5)
    for code in SCHEMA.codes:
        assert 0.4 <= kappa(first, second, code) <= 0.8, code


def test_passes_made_apart_agree_by_far_more_than_those_of_people(examples):
    apart = examples[WRITTEN:]
    first, second = ([one.annotators[name] for one in apart] for name in ANNOTATORS)
    # B01: a marks 9 of 18 articles, b 8 of them: agreement 17/18, by chance (9x8 + 9x10)/324 = 1/2.
    assert kappa(first, second, "B01") == pytest.approx((17 / 18 - 0.5) / 0.5)
    mean = np.mean([kappa(first, second, code) for code in SCHEMA.codes])
    assert mean == pytest.approx(0.963, abs=0.0005)  # as `slant annotate agree` printed it


def test_the_card_states_the_counts_that_the_files_have(examples):
    card = (FOLDER / "README.md").read_text("utf-8")
    table = {
        cells[0]: [int(cell) for cell in cells[1:]]
        for line in card.splitlines()
        if re.match(r"\| (B\d\d|any)", line) and (cells := line.strip("| ").split(" | "))
    }

    def counts(code):
        of = {
            name: [
                [m for m in answers(one)[name].marks if code in ("any", m.category)]
                for one in examples
            ]
            for name in ("gold", *ANNOTATORS)
        }
        marks = [mark for some in of["gold"] for mark in some]
        sizes = [len(mark.spans) for mark in marks]
        a, b = ({n for n, some in enumerate(of[name]) if some} for name in ANNOTATORS)
        return [
            sum(map(bool, of["gold"])), len(marks), sum(sizes), sum(size > 1 for size in sizes),
            len(a), len(b), len(a & b),
        ]  # fmt: skip

    names = {f"{bias.code} {bias.name}": bias.code for bias in SCHEMA.biases} | {"any": "any"}
    assert table == {name: counts(code) for name, code in names.items()}
    words = [len(one.item.text.split()) for one in examples]
    asked = f"{len(words)} articles of {min(words)} to {max(words)} words, {sum(words):,} in all"
    assert asked in card
    kept = [row["kept"] for row in rows("adjudicated.jsonl")]
    assert f"{len(kept)} marks went to the adjudicator, who kept {sum(kept)}" in card


def test_letters_outside_ascii_stand_before_a_span_so_that_bytes_are_no_offsets(examples):
    assert any(
        not one.item.text[: mark.spans[0].start].isascii()
        for one in examples
        for mark in one.gold.marks
    )


def test_the_sources_build_the_committed_files_again(tmp_path):
    script = ROOT / "samples" / "build_bait.py"
    subprocess.run([sys.executable, str(script), str(tmp_path)], check=True)
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (FOLDER / path.name).read_bytes().replace(b"\r\n", b"\n")
    assert len(list(tmp_path.iterdir())) == 4


def test_a_damaged_installation_is_named_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(samples, "_folder", lambda: tmp_path)
    with pytest.raises(DataError, match=r"'bait/annotator-a.jsonl' of the embedded sample"):
        load_bait_samples()
