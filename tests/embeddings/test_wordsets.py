"""Word sets and tests, read from published files and own ones."""

from __future__ import annotations

import json

import pytest

from slant.embeddings.setfiles import read_sets
from slant.embeddings.testnames import BATTERIES, asked_tests
from slant.errors import DataError, UnknownName

LISTS = {"x": ["x1", "x2"], "y": ["y1"], "a": ["a1"], "b": ["b1", "b2"]}
HEADER = "study\tcondition\trole\tword\n"
ROWS = "T\tX\ttarget\tx1\nT\tY\ttarget\ty1\nT\tA\tattribute\ta1\nT\tB\tattribute\tb1\n"


def written(folder, name, content):
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


def test_the_published_items_are_read_as_they_stand(real_data):
    sets = read_sets(real_data / "weat" / "cbn_items.tsv")
    assert sorted(sets.tests) == sorted(f"WEAT{i}" for i in range(1, 11))
    assert list(sets.facts) == ["WEFAT1", "WEFAT2"]
    test = sets.tests["WEAT6"]
    assert [one.name for one in (test.x, test.y, test.a, test.b)] == [
        "MaleNames", "FemaleNames", "Career", "Family",
    ]  # fmt: skip
    # As the file has them, so that its sign flips.
    assert sets.tests["WEAT8"].x.words[0] == "poetry"
    assert len(sets.facts["WEFAT1"].w.words) == 50
    assert sets.facts["WEFAT1"].a.name == "FemaleAttributes"


def test_a_condition_of_other_words_in_other_studies_has_other_names(real_data):
    sets = read_sets(real_data / "weat" / "cbn_items.tsv")
    assert sets.tests["WEAT1"].a == sets.tests["WEAT2"].a
    assert sets.tests["WEAT1"].a.name != sets.tests["WEAT5"].a.name
    assert len(sets.tests["WEAT5"].a.words) == 8


def test_the_wiki_papers_battery_is_sixteen_tests_that_share_no_word_between_their_sides(real_data):
    sets = read_sets(real_data / "weat" / "knoche2019_sets.json")
    tests, facts = asked_tests(sets, ["knoche2019"])
    assert (len(tests), len(facts)) == (16, 4)
    assert tests[0].name == "pleasant/unpleasant:male/female"
    assert len(BATTERIES["knoche2019"]) == 20
    with pytest.raises(DataError, match="--tests knoche2019"):
        asked_tests(sets, None)
    wefe = read_sets(real_data / "weat" / "wefe_WEAT.json")
    assert len(wefe.sets) == 31
    tests, _ = asked_tests(wefe, ["flowers/insects:pleasant_5/unpleasant_5a"])
    assert len(tests[0].x.words) == 25


@pytest.mark.parametrize("suffix", ["json", "toml"])
def test_own_files_name_sets_and_tests(tmp_path, suffix):
    content = {
        "sets": LISTS,
        "tests": [{"name": "mine", "x": "x", "y": "y", "a": "a", "b": ["c1"]}],
        "facts": [{"name": "each", "w": "x", "a": "a", "b": "b"}],
    }
    toml = (
        '[sets]\nx = ["x1", "x2"]\ny = ["y1"]\na = ["a1"]\nb = ["b1", "b2"]\n'
        '[[tests]]\nname = "mine"\nx = "x"\ny = "y"\na = "a"\nb = ["c1"]\n'
        '[[facts]]\nname = "each"\nw = "x"\na = "a"\nb = "b"\n'
    )
    sets = read_sets(written(tmp_path, f"s.{suffix}", content if suffix == "json" else toml))
    tests, facts = asked_tests(sets, None)
    assert (tests[0].x.words, tests[0].b.words) == (("x1", "x2"), ("c1",))
    assert facts[0].w.words == ("x1", "x2")
    spelled, single = asked_tests(sets, ["mine", "y:a/b", "x/y:a/b", "mine"])
    assert [one.name for one in spelled] == ["mine", "x/y:a/b"]
    assert single[0].b.words == ("b1", "b2")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("s.json", {**LISTS, "x": []}, "set 'x' is empty"),
        ("s.json", {**LISTS, "x": ["x1", "x1"]}, "'x1' twice"),
        ("s.json", {**LISTS, "x": ["x1", 7]}, "entry 2 of the set 'x' is 7"),
        ("s.json", {**LISTS, "x": "x1"}, "'x' is no list"),
        ("s.json", '{"x": ["a"], "x": ["b"]}', "'x' stands twice"),
        ("s.json", '{"x": ["a"],', "not JSON (line 1"),
        ("s.json", "[]", "no object"),
        ("s.toml", "x = [", "not TOML"),
        ("s.txt", "x", "Give a .tsv, .json or .toml"),
        ("s.json", {"sets": LISTS, "test": []}, "the key 'test'"),
        ("s.json", {"sets": LISTS, "tests": [{"name": "t", "x": "x"}]}, "entry 1 of 'tests'"),
        ("s.json", {"sets": LISTS, "tests": [
            {"name": "t", "x": "x", "y": ["x2"], "a": "a", "b": "b"}]}, "share 'x2'"),
        ("s.json", {"sets": LISTS, "facts": [
            {"name": "t", "w": "x", "a": "b", "b": ["b2"]}]}, "share 'b2'"),
        ("s.json", {"sets": LISTS, "tests": [
            {"name": "t", **dict(zip("xyab", "xyab", strict=True))}] * 2}, "name 't' again"),
        ("s.json", '{"x": ["\\ud83d"]}', "half of a surrogate pair"),
        ("s.tsv", "", "line 1 has the columns none"),
        ("s.tsv", HEADER, "no rows"),
        ("s.tsv", HEADER + ROWS + "T\tX\ttarget\n", "line 6 has 3 filled fields"),
        ("s.tsv", HEADER + ROWS + "T\tX\ttarget\tx1\n", "line 6 has 'x1'"),
        ("s.tsv", HEADER + ROWS + "T\tX\tthing\tx2\n", "line 6 has the role 'thing'"),
        ("s.tsv", HEADER + ROWS + "T\tX\tattribute\tx2\n", "line 6 has 'X' of T as target and"),
        ("s.tsv", HEADER + ROWS + "T\tZ\ttarget\tz\n", "gives T 3 targets"),
        ("s.tsv", HEADER + ROWS.replace("y1", "x1"), "share 'x1'"),
    ],
)  # fmt: skip
def test_a_malformed_file_has_one_line_that_says_where(tmp_path, name, content, words):
    path = written(tmp_path, name, content)
    with pytest.raises(DataError) as failed:
        asked_tests(read_sets(path), None)
    assert words in str(failed.value)
    assert str(path) in str(failed.value) or name in str(failed.value)


def test_a_file_that_cannot_be_read_says_so(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        read_sets(tmp_path / "none.json")
    (tmp_path / "latin.json").write_bytes('{"x": ["café"]}'.encode("latin-1"))
    with pytest.raises(DataError, match="not UTF-8"):
        read_sets(tmp_path / "latin.json")


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        ("xx", UnknownName, "no test has this name"),
        ("x/y:a/c", UnknownName, "Looking for the word set 'c'"),
        ("x/y/z:a/b", DataError, "not X/Y:A/B"),
        ("x/:a/b", DataError, "not X/Y:A/B"),
        ("x/y:a", DataError, "not X/Y:A/B"),
        ("x/x:a/b", DataError, "share 'x1'"),
    ],
)
def test_a_test_that_is_not_there_or_not_one_is_refused(tmp_path, asked, error, words):
    sets = read_sets(written(tmp_path, "s.json", LISTS))
    with pytest.raises(error, match=words):
        asked_tests(sets, [asked])


def test_a_name_that_is_nearly_right_is_answered_with_the_right_one(tmp_path):
    sets = read_sets(written(tmp_path, "s.tsv", HEADER + ROWS.replace("T\t", "WEAT6\t")))
    with pytest.raises(UnknownName, match="Did you mean WEAT6"):
        asked_tests(sets, ["WEATT6"])
