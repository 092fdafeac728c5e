"""The propaganda articles as two made passes: 14 categories, crossing and overlapping spans."""

from __future__ import annotations

from dataclasses import replace

import pytest

from slant.annotate.cases import merge_files, merge_record
from slant.annotate.concordance import agreement
from slant.annotate.formats import read_annotated
from slant.annotate.goldstatistics import gold_statistics
from slant.annotate.inclusion import Rule
from slant.annotate.merging import merged_gold
from slant.types import Span


@pytest.fixture
def articles(real_data):
    ptc = real_data / "propaganda" / "ptc"
    return read_annotated(
        ptc / "train-labels-task-flc-tc", articles=ptc / "train-articles", format="ptc"
    )


def made(examples):
    """A second pass: of every three triggers the first stays, the next moves, the third goes."""
    second = []
    for one in examples:
        marks = []
        for n, mark in enumerate(one.gold.marks):
            if n % 3 == 0:
                marks.append(replace(mark, confidence=3.0))
            elif n % 3 == 1:
                start = mark.spans[0].start + 7
                span = Span(start, min(mark.spans[0].end + 12, len(one.item.text)))
                marks += [replace(mark, spans=(span,), confidence=1.0)] * (span.start < span.end)
        second.append(replace(one, gold=replace(one.gold, marks=tuple(marks))))
    return second


def test_the_statistics_are_those_of_the_label_files(articles, real_data):
    found = gold_statistics(articles)
    folder = real_data / "propaganda" / "ptc" / "train-labels-task-flc-tc"
    lines = [
        line.split("\t")
        for path in folder.iterdir()
        for line in path.read_text("utf-8").splitlines()
        if line.strip()
    ]
    assert found["total"]["spans"] == found["total"]["triggers"] == len(lines) == 4856
    for code in found["biases"]:
        own = [line for line in lines if line[1] == code]
        assert found["biases"][code]["triggers"] == len(own)
        assert found["biases"][code]["articles"] == len({line[0] for line in own})
    assert len(found["biases"]) == 14
    assert found["articles"] - found["empty"] == len({line[0] for line in lines})


def test_two_made_passes_are_compared_and_merged(articles, tmp_path):
    second = made(articles)
    found = agreement(articles, second, resamples=200)
    assert len(found["biases"]) == 14
    for one in found["biases"].values():
        assert 0 < one["token_f1"]["value"] < 1
        assert 0 < one["alpha_u"]["value"] < 1
    # Word F1 of one category counted anew, with sets of words.
    code = "Loaded_Language"
    both = sizes = 0
    for one, other in zip(articles, second, strict=True):
        sets, words = [set(), set()], words_of(one.item.text)
        for side, example in enumerate((one, other)):
            for mark in example.gold.marks:
                if mark.category == code:
                    for span in mark.spans:
                        sets[side] |= set(words[span.start : span.end]) - {0}
        both += len(sets[0] & sets[1])
        sizes += len(sets[0]) + len(sets[1])
    assert found["biases"][code]["token_f1"]["value"] == pytest.approx(2 * both / sizes)
    merged = merged_gold(articles, second, rule=Rule(tie="union"))
    record = merge_record(merged)
    total = sum(len(e.gold.marks) for e in (*articles, *second))
    kept = sum(len(one.who) for one in merged.kept)
    assert kept + sum(len(one.who) for one in merged.open) == total
    assert len({case.id for case in record.open}) == len(record.open)
    assert len(merge_files(merged, tmp_path)) == 3


def words_of(text):
    """Number of the word that each character belongs to, 0 between words; without the package."""
    joints = set("'’-‐‑.")
    numbers, word, inside = [], 0, False
    for at, sign in enumerate(text):
        joined = inside and sign in joints and text[at + 1 : at + 2].isalnum()
        now = sign.isalnum() or joined
        word += now and not inside
        numbers.append(word if now else 0)
        inside = now
    return numbers
