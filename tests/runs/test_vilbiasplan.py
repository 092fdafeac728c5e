"""Pairs, their split, and the examples that are drawn for them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.errors import DataError, OptionError
from slant.runs.vilbiasdata import Pair, vilbias_data
from slant.runs.vilbiasplan import (
    VilbiasSettings,
    check_settings,
    example_order,
    planned_runs,
    questions,
)

HEAD = "id,text,label,rationale,image\n"


def pairs(number, role="train"):
    return [
        Pair(f"p{n}", f"text {n}", n % 2, rationale="why", pair=str(n // 2), role=role)
        for n in range(number)
    ]


@given(st.permutations(range(20)), st.integers(0, 99))
def test_examples_depend_on_ids_and_seed_and_not_on_the_order_of_the_data(order, seed):
    given_ = pairs(20)
    shuffled = [given_[place] for place in order]
    drawn = [one.id for one in example_order(shuffled, seed)]
    assert drawn == [one.id for one in example_order(given_, seed)]
    assert sorted(drawn) == sorted(one.id for one in given_)


def test_both_labels_take_turns_among_examples_and_seeds_differ():
    firsts = set()
    for seed in range(20):
        labels = [one.label for one in example_order(pairs(20), seed)]
        assert all(a != b for a, b in pairwise(labels))
        firsts.add(tuple(one.id for one in example_order(pairs(20), seed)[:5]))
    assert len(firsts) > 15
    assert {example_order(pairs(20), seed)[0].label for seed in range(20)} == {0, 1}


def test_a_pair_never_has_itself_or_its_twin_among_its_examples():
    """With --items all every pair is of the test, and examples come from all others."""
    given_ = pairs(12, role="test")
    settings = VilbiasSettings(shots=(5,))
    for one in questions(given_, settings):
        assert len(one.examples) == 5
        assert one.pair.pair not in {example.pair for example in one.examples}


def test_examples_of_test_pairs_come_from_train_and_never_from_dev():
    given_ = [*pairs(6), *(replace(one, id=f"d{one.id}", role="dev") for one in pairs(6))]
    given_ += [replace(one, id=f"t{one.id}", pair=f"t{one.pair}", role="test") for one in pairs(4)]
    for one in questions(given_, VilbiasSettings(shots=(5,))):
        assert {example.role for example in one.examples} == {"train"}


def test_too_few_examples_are_one_clear_line():
    given_ = [*pairs(4), Pair("t", "text", 1, pair="t", role="test")]
    with pytest.raises(DataError, match="Drawing 5 examples for the pair 't': there are 4"):
        list(questions(given_, VilbiasSettings(shots=(5,))))


def test_runs_are_named_by_mode_number_and_seed():
    settings = VilbiasSettings(modes=("open",), shots=(5, 0), draws=(23, 17))
    assert [one.name for one in planned_runs(settings)] == [
        "open-k0", "open-k5-seed17", "open-k5-seed23",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (VilbiasSettings(shots=()), "--shots"),
        (VilbiasSettings(shots=(5,), draws=()), "--draws"),
        (VilbiasSettings(shots=(0, 0)), "each once"),
        (VilbiasSettings(shots=(-1,)), "--shots"),
        (VilbiasSettings(modes=()), "--closed"),
        (VilbiasSettings(limit=0), "--limit"),
        (VilbiasSettings(image_side=3), "--image-side"),
        (VilbiasSettings(structured="maybe"), "--structured"),
    ],
)
def test_settings_that_no_run_can_follow_are_refused_by_their_option(settings, said):
    with pytest.raises(OptionError, match=said):
        check_settings(settings)


def test_the_drawn_pairs_are_all_tested_and_twins_share_a_cluster():
    data = vilbias_data("open/pairs", items="all")
    assert {one.role for one in data.pairs} == {"test"}
    assert all(one.image.is_file() and one.rationale for one in data.pairs)
    clusters = {}
    for one in data.pairs:
        clusters.setdefault(one.pair, []).append(one.label)
    assert sum(map(len, clusters.values())) == len(data.pairs)
    assert max(map(len, clusters.values())) > 1


def test_the_split_is_the_one_that_slant_run_has(real_data):
    import polars as pl

    from slant.tasks.options import chosen_options
    from slant.tasks.prepare import prepared
    from slant.tasks.splits import split_changes

    data = vilbias_data("vilbias")
    options = chosen_options("clean", split_changes("80/10/10", None), ["vilbias"])
    rows = pl.read_parquet(prepared("vilbias", options, 42, None, {}).rows)
    names = ("train", "dev", "test")
    assert {one.id: one.role for one in data.pairs} == {
        number: names[role] for number, role in rows.select("id", "role_0").rows()
    }


def test_posts_with_real_images_have_their_files(real_data):
    data = vilbias_data("vilbias/mediaeval")
    assert all(one.image.is_file() for one in data.pairs)
    # 30 images have posts; all posts of one of them repeat a text that another image has first.
    assert len({one.image for one in data.pairs}) == 29


def rows(number=40):
    return "".join(
        f"r{n},The text number {n} says {n * n}.,{n % 2},why {n},\n" for n in range(number)
    )


def test_a_file_of_pairs_is_split_and_keeps_its_gold(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(HEAD + rows())
    data = vilbias_data(str(path))
    roles = [one.role for one in data.pairs]
    assert [roles.count(one) for one in ("train", "dev", "test")] == [32, 4, 4]
    assert sum(one.label for one in data.tested) == 2
    assert data.pairs[3].rationale == "why 3"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("a,one text,2,why,\n", r"row 1 has the label '2'"),
        ("a,one text,Perhaps,why,\n", r"has the label 'Perhaps'"),
        ("a,one text,,why,\n", r"row 1 has no label in the column 'label'"),
        ("a,,1,why,\n", r"row 1 has no text"),
        ("a,one text,1,w,\na,two texts,0,w,\n", r"the id 'a' stands in row 1 and in row 2"),
        ("a,one text,1,why,../up.png\n", r"leads out of the folder"),
        ("a,one text,1,why,/etc/passwd\n", r"leads out of the folder"),
        ("a,one text,1,w,\nb,two texts,1,w,\n", r"its pairs \(2\) all have the same label"),
    ],
)
def test_bad_gold_in_a_file_is_one_clear_line_with_its_row(tmp_path, lines, said):
    path = tmp_path / "pairs.csv"
    path.write_text(HEAD + lines)
    with pytest.raises(DataError, match=said):
        vilbias_data(str(path))


def test_a_file_with_too_few_pairs_for_a_split_can_be_asked_about_as_a_whole(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(HEAD + rows(2))
    with pytest.raises(DataError, match="--items all"):
        vilbias_data(str(path))
    assert len(vilbias_data(str(path), items="all").tested) == 2


def test_the_words_of_the_corpus_are_labels_and_others_are_named(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("id,text,label,text_label\na,one,Likely,Unlikely\nb,two,Unlikely,Unlikely\n")
    pairs_ = vilbias_data(str(path), items="all").pairs
    assert [(one.label, one.text_label) for one in pairs_] == [(1, 0), (0, 0)]
    path.write_text("id,text,label,text_label\na,one,slanted,fair\nb,two,fair,fair\n")
    with pytest.raises(DataError, match=r"row 1 has the label 'slanted' .* --positive"):
        vilbias_data(str(path), items="all")
    for negative in ([], ["fair"]):
        named = vilbias_data(str(path), items="all", positive=["slanted"], negative=negative)
        assert [(one.label, one.text_label) for one in named.pairs] == [(1, 0), (0, 0)]
    with pytest.raises(OptionError, match="is a task, whose labels are known"):
        vilbias_data("open/pairs", positive=["slanted"])


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("https://a.org/b.png", "row 2: the image 'https://a.org/b.png' is an address"),
        ("../b.png", r"row 2: the image path '\.\./b\.png' leads out"),
    ],
)
def test_an_image_that_is_no_file_of_the_folder_is_named_with_its_row(tmp_path, cell, said):
    path = tmp_path / "pairs.csv"
    path.write_text(HEAD + f"a,one,1,,\nb,two,0,,{cell}\n")
    with pytest.raises(DataError, match=said):
        vilbias_data(str(path), items="all")


def test_a_task_of_texts_alone_is_refused_with_those_that_are_of_pairs():
    with pytest.raises(OptionError, match=r"texts alone, .* Name one of vilbias, .*open/pairs"):
        vilbias_data("open/sentences")
