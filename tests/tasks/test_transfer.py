"""One task trained on, another tested."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from made_tables import WORDS, table

from slant.data.texts import key
from slant.errors import DataError, OptionError, UnknownName
from slant.tasks.assembly import assembled
from slant.tasks.options import CLEAN, OFFICIAL, chosen_options, signature_fields
from slant.tasks.protocols import DEV, TEST, TRAIN, UNUSED
from slant.tasks.transfer import SHARED, transfer_options, transferred


def labelled(dataset, texts):
    """Every second text is biased."""
    return table(dataset, [(text, i % 2) for i, text in enumerate(texts)])


def drawn(number, seed):
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, 12)) for _ in range(number)]


def options_of(preset="clean", **changes):
    return chosen_options(preset, {"train_on": "other", **changes})


def parts(rows):
    return {
        name: rows.filter(pl.col("role_0") == role)
        for name, role in (("train", TRAIN), ("dev", DEV), ("test", TEST), ("unused", UNUSED))
    }


def shingles(text):
    flat = pl.DataFrame({"text": [text]}).select(key(pl.col("text"))).item()
    return {flat[i : i + 5] for i in range(len(flat) - 4)}


@pytest.mark.parametrize("preset", ["clean", "official"])
def test_all_of_one_task_is_tested_and_all_of_the_other_learnt(preset):
    here, there = labelled("here", drawn(40, 1)), labelled("there", drawn(80, 2))
    made = transferred("own", [here], [there], options_of(preset), 42)
    found = parts(made.rows)
    assert set(found["test"]["id"]) == set(here["id"])
    assert set(found["train"]["id"]) | set(found["dev"]["id"]) == set(there["id"])
    # an eighth of 80
    assert found["dev"].height == 10
    assert made.left_out.is_empty()
    assert made.rows["id"].is_unique().all()


def test_the_tested_rows_are_those_of_the_task_by_itself():
    # 40 biased and 60 unbiased texts: 40 of either label stay, the same ones in folds and here.
    here = table("here", [(text, i % 5 in (1, 3)) for i, text in enumerate(drawn(100, 1))])
    made = transferred("own", [here], [labelled("there", drawn(80, 2))], options_of(), 42)
    alone = assembled("own", [here], CLEAN, 42)
    tested = parts(made.rows)["test"]
    assert tested["id"].to_list() == alone.rows["id"].to_list()
    assert tested["cluster"].to_list() == alone.rows["cluster"].to_list()
    assert set(made.left_out["id"]) == set(alone.left_out["id"])


def test_no_text_is_learnt_that_is_alike_a_tested_one():
    texts, other = drawn(60, 1), drawn(60, 2)
    # Of 60 tested texts 20 come again in the other task: 10 in capitals, 10 with a word more.
    again = [text.upper() + "!" for text in texts[:10]] + [f"{text} today" for text in texts[10:20]]
    there = labelled("there", [*other, *again])
    made = transferred("own", [labelled("here", texts)], [there], options_of(), 42)
    found = parts(made.rows)
    learnt = [*found["train"]["text"], *found["dev"]["text"]]
    tested = [shingles(text) for text in found["test"]["text"]]
    for text in learnt:
        own = shingles(text)
        assert max(len(own & one) / len(own | one) for one in tested) < 0.5
    shared = made.left_out.filter(pl.col("reason") == f"other: {SHARED}")
    assert {*shared["text"]} == {*again}


def test_under_the_official_preset_only_equal_texts_are_alike():
    texts = drawn(60, 1)
    there = labelled("there", [*drawn(60, 2), texts[0].upper(), f"{texts[1]} today"])
    made = transferred("own", [labelled("here", texts)], [there], options_of("official"), 42)
    shared = made.left_out.filter(pl.col("reason") == f"other: {SHARED}")
    assert shared["text"].to_list() == [texts[0].upper()]


def test_a_row_of_an_article_goes_with_the_row_that_is_tested():
    # 120 sentences of 60 articles of a data set that both tasks have; of every second article
    # the tested task has one sentence, and the other task both.
    rows = [(text, i // 2 % 4 // 2, f"a{i // 2}") for i, text in enumerate(drawn(120, 1))]
    there = table("news", rows)
    here = there.filter(pl.int_range(120) % 4 == 0)
    made = transferred("own", [here], [there], options_of(), 42)
    found = parts(made.rows)
    tested = set(found["test"]["article"])
    assert tested == {f"a{i}" for i in range(0, 60, 2)}
    learnt = {*found["train"]["article"], *found["dev"]["article"]}
    assert learnt == {f"a{i}" for i in range(1, 60, 2)}


def test_clusters_of_the_two_tasks_are_never_the_same_and_dev_divides_none():
    rows = [(text, i % 2, None, f"p{i // 2}") for i, text in enumerate(drawn(80, 2))]
    made = transferred(
        "own", [labelled("here", drawn(40, 1))], [table("there", rows)], options_of(), 42
    )
    found = parts(made.rows)
    clusters = {name: set(part["cluster"]) for name, part in found.items()}
    assert not clusters["train"] & clusters["dev"]
    assert not clusters["test"] & (clusters["train"] | clusters["dev"])
    assert len(clusters["train"] | clusters["dev"]) == 40


def test_shares_of_training_rows_are_nested_and_leave_dev_and_test_alone():
    tables = [labelled("here", drawn(40, 1))], [labelled("there", drawn(200, 2))]
    found = [
        parts(transferred("own", *tables, options_of(train_share=share), 42).rows)
        for share in ("0.25", "0.5", "1.0")
    ]
    ids = [set(one["train"]["id"]) for one in found]
    assert ids[0] < ids[1] < ids[2]
    assert 20 < len(ids[0]) < 70
    for part in ("dev", "test"):
        assert len({tuple(one[part]["id"]) for one in found}) == 1


def test_one_split_seed_gives_every_seed_the_same_rows():
    tables = [labelled("here", drawn(40, 1))], [labelled("there", drawn(80, 2))]
    fixed = options_of(split_seed="7")
    one, two = (transferred("own", *tables, fixed, seed).rows for seed in (1, 2))
    assert one.equals(two)
    free = transferred("own", *tables, options_of(), 1).rows
    assert not free.equals(one)


@pytest.mark.parametrize(
    ("there", "found"),
    [
        (["the same text"] * 12, "'other' .*no row is left"),
        (drawn(4, 2), "part has"),
        (drawn(40, 1), "every text of it is alike a tested text"),
    ],
)
def test_what_cannot_be_learnt_from_is_refused(there, found):
    with pytest.raises(DataError, match=found):
        transferred(
            "own", [labelled("here", drawn(40, 1))], [labelled("there", there)], options_of(), 42
        )


def test_a_task_is_named_as_anywhere_and_never_the_tested_one():
    asked = chosen_options("clean", {"train_on": "open"})
    assert transfer_options(asked, ["babe"], None).train_on == "open/sentences"
    with pytest.raises(OptionError, match="it is tested too"):
        transfer_options(asked, ["babe", "open/sentences"], None)
    with pytest.raises(OptionError, match="stands for 9 tasks"):
        transfer_options(chosen_options("clean", {"train_on": "mbib"}), ["babe"], None)
    with pytest.raises(UnknownName):
        transfer_options(chosen_options("clean", {"train_on": "bane"}), ["babe"], None)
    assert transfer_options(OFFICIAL, ["babe"], None) is OFFICIAL


@pytest.mark.parametrize("name", ["folds", "split", "dev", "test_share"])
def test_choices_of_a_split_are_refused_where_nothing_is_split(name):
    value = {"folds": "5", "split": "holdout", "dev": "quarter", "test_share": "0.2"}[name]
    with pytest.raises(OptionError, match=f"{name} was given too"):
        chosen_options("clean", {"train_on": "babe", name: value})


def test_a_signature_has_what_is_trained_on_and_nothing_of_a_split():
    fields = signature_fields(options_of())
    assert fields["train_on"] == "other"
    assert not {"folds", "dev", "split", "test_share", "dev_share"} & set(fields)
    assert "train_on" not in signature_fields(CLEAN)
    # The holdout that BABE has by itself means nothing here.
    assert chosen_options("clean", {"train_on": "other"}, ["babe"]) == options_of()
