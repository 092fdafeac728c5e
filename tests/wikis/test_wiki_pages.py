"""The file of a wiki's pages."""

import random
from collections import Counter
from contextlib import suppress

import polars as pl
import pytest

from slant.errors import DataError, OptionError
from slant.wikis import pages as module
from slant.wikis.pages import Page, read_pages, read_source, sample, write_pages

SOURCE = {"kind": "api", "name": "Wiki ä"}


def made(count):
    return [Page(str(n), f"Title {n}", 7 * n, f"Text {n}.\n\nMore.") for n in range(1, count + 1)]


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(module, "PAGES_AT_ONCE", 10)


def test_pages_come_back_as_they_were_in_the_order_of_their_numbers(tmp_path):
    path, given = tmp_path / "deep" / "w.parquet", made(25)
    shuffled = random.Random(1).sample(given, len(given))
    assert write_pages(path, shuffled, SOURCE) == 25
    assert list(read_pages(path)) == given
    assert read_source(path) == SOURCE
    assert [one.name for one in path.parent.iterdir()] == ["w.parquet"]


def test_the_bytes_do_not_depend_on_the_order_in_which_pages_come(tmp_path):
    given = made(47)
    files = []
    for seed in range(4):
        path = tmp_path / f"{seed}.parquet"
        write_pages(path, random.Random(seed).sample(given, 47) if seed else given, SOURCE)
        files.append(path.read_bytes())
    assert len(set(files)) == 1


def test_a_text_of_many_characters_ends_a_part(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "CHARACTERS_AT_ONCE", 20)
    write_pages(tmp_path / "w.parquet", made(12), SOURCE)
    assert list(read_pages(tmp_path / "w.parquet")) == made(12)


def test_no_page_makes_a_file_without_rows(tmp_path):
    assert write_pages(tmp_path / "w.parquet", [], SOURCE) == 0
    assert list(read_pages(tmp_path / "w.parquet")) == []


def test_a_file_that_breaks_off_leaves_the_one_that_was_there(tmp_path):
    def breaking():
        yield from made(15)
        raise KeyboardInterrupt

    path = tmp_path / "w.parquet"
    write_pages(path, made(3), SOURCE)
    with pytest.raises(KeyboardInterrupt):
        write_pages(path, breaking(), SOURCE)
    assert list(read_pages(path)) == made(3)
    assert [one.name for one in tmp_path.iterdir()] == ["w.parquet"]


@pytest.mark.parametrize("id_", ["x1", "", "007", "²", "-3"])
def test_an_id_that_is_no_number_is_named(tmp_path, id_):
    with pytest.raises(DataError, match=f"the page 'T' has the id '{id_}'"):
        write_pages(tmp_path / "w.parquet", [Page(id_, "T", 1, "")], SOURCE)
    assert not list(tmp_path.iterdir())


def test_a_page_that_comes_twice_is_named(tmp_path):
    # Once within a part, once in two parts of which the second begins below the end of the first.
    for doubled in (made(3) + made(3)[1:2], made(30) + made(12)[11:]):
        with pytest.raises(DataError, match=r"two pages have the id (2|12)"):
            write_pages(tmp_path / "w.parquet", doubled, SOURCE)
    assert not list(tmp_path.iterdir())


def test_what_is_no_file_of_pages_is_refused(tmp_path):
    with pytest.raises(DataError, match="no such file is there"):
        read_source(tmp_path / "none.parquet")
    other = tmp_path / "other.parquet"
    pl.DataFrame({"text": ["a"]}).write_parquet(other)
    broken = tmp_path / "broken.parquet"
    write_pages(broken, made(3), SOURCE)
    broken.write_bytes(broken.read_bytes()[:-20])
    for path in (other, broken):
        with pytest.raises(DataError, match="no whole file of pages"):
            list(read_pages(path))


def test_a_sample_is_the_same_whatever_the_order_and_nested_in_a_larger_one():
    ids = [str(n) for n in range(500)]
    drawn = sample(ids, 50, seed=3)
    assert drawn == sample(reversed(ids), 50, seed=3)
    assert len(drawn) == 50
    assert drawn < sample(ids, 60, seed=3)
    assert drawn != sample(ids, 50, seed=4)
    assert sample(ids[:7], 50, seed=3) == set(ids[:7])


def test_every_page_has_the_same_chance_of_being_drawn():
    # 400 seeds draw 5 of 20: each page about 100 times, standard deviation sqrt(400*.25*.75) = 8.7.
    drawn = Counter(id_ for seed in range(400) for id_ in sample(map(str, range(20)), 5, seed))
    assert len(drawn) == 20
    assert all(abs(count - 100) < 4 * 8.7 for count in drawn.values())


def test_a_sample_of_nothing_is_refused():
    with pytest.raises(OptionError, match="would be empty"):
        sample(["1"], 0, seed=0)


def test_pages_of_other_types_or_with_damaged_rows_are_one_clear_error(tmp_path):
    path = tmp_path / "pages.parquet"
    write_pages(path, [Page("1", "Dog", 10, "A dog. " * 400)], {"name": "S"})
    whole = path.read_bytes()
    for place in range(4, len(whole) - 8, 97):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        with suppress(DataError):
            list(read_pages(path))
    pl.DataFrame({"id": [1], "title": ["a"], "revision": [1], "text": ["x"]}).write_parquet(
        path, metadata={"slant": "{}"}
    )
    with pytest.raises(DataError, match="no whole file of pages"):
        read_source(path)
