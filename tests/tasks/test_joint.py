"""Tasks learnt together: no train holds what another task's test asks."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from made_tables import WORDS, table

from slant.data.near import similar_pairs
from slant.data.texts import key
from slant.tasks.assembly import assembled
from slant.tasks.joint import disjoint, without_shared
from slant.tasks.options import CLEAN, OFFICIAL
from slant.tasks.protocols import DEV, TEST, TRAIN, UNUSED


def test_a_row_leaves_train_where_another_task_tests_its_cluster():
    # Cluster 0 is tested by task 0 in fold 0 and learnt by task 1; cluster 1 is task 1's alone.
    roles = np.array([[TEST, TRAIN], [TRAIN, TRAIN], [DEV, TEST], [TRAIN, TEST]], np.int8)
    task, cluster = np.array([0, 1, 1, 1]), np.array([0, 0, 0, 1])
    kept = without_shared(roles, task, cluster)
    assert kept[:, 0].tolist() == [TEST, UNUSED, UNUSED, TRAIN]
    # In fold 1 task 1 tests cluster 0: task 0 may not learn it; task 1's own roles are its own.
    assert kept[:, 1].tolist() == [UNUSED, TRAIN, TEST, TEST]


def labelled(dataset, texts):
    """Every second text is biased."""
    return table(dataset, [(text, i % 2) for i, text in enumerate(texts)])


@pytest.fixture(scope="module")
def shared_texts():
    """Two tasks of 120 rows: 60 texts stand in both, the second time in capitals and with a word
    more, and 60 in one."""
    rng = np.random.default_rng(3)
    texts = [" ".join(rng.choice(WORDS, 12)) for _ in range(180)]
    again = [texts[i].upper() + "!" if i % 2 else f"{texts[i]} today" for i in range(60)]
    # In another order, or the same seed would deal both tasks alike.
    return texts[:120], [*texts[120:], *again]


@pytest.mark.parametrize("options", [CLEAN, OFFICIAL])
def test_no_task_learns_a_text_that_another_is_tested_on(options, shared_texts):
    before = [
        assembled(name, [labelled(name, list(texts))], options, 42).rows
        for name, texts in zip("ab", shared_texts, strict=True)
    ]
    after = disjoint(before, options)
    for fold in range(options.folds):
        role = f"role_{fold}"
        for one, other in ((0, 1), (1, 0)):
            learnt = after[one].filter(pl.col(role).is_in([TRAIN, DEV]))["text"]
            asked = after[other].filter(pl.col(role) == TEST)["text"]
            keys = [key_of(texts) for texts in (learnt, asked)]
            assert not set(keys[0]) & set(keys[1])
            if "near" in options.groups:
                both = pl.concat(keys)
                first, second = similar_pairs(both, 0.6, 7)
                assert ((first < len(learnt)) == (second < len(learnt))).all()
    for one, other in zip(before, after, strict=True):
        assert one.drop("^role_.*$").equals(other.drop("^role_.*$"))
        for fold in range(options.folds):
            tested = one[f"role_{fold}"] == TEST
            assert (other[f"role_{fold}"].filter(tested) == TEST).all()
            gone = (one[f"role_{fold}"] != other[f"role_{fold}"]).sum()
            # 60 shared texts (30 where only equal ones count), a fifth of them tested elsewhere.
            assert 0 < gone < 40


def key_of(texts):
    return pl.DataFrame({"text": texts}).select(key(pl.col("text"))).to_series()


def test_tasks_without_a_text_in_common_stay_as_they_are(shared_texts):
    texts = shared_texts[0]
    tables = [
        assembled(name, [labelled(name, list(part))], OFFICIAL, 42).rows
        for name, part in (("a", texts[:60]), ("b", texts[60:]))
    ]
    assert all(a.equals(b) for a, b in zip(tables, disjoint(tables, OFFICIAL), strict=True))
