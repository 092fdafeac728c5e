"""associations.json is believed only as far as it has its shape."""

import json

import pytest
from made_associations import made_associations

from slant.errors import RunError
from slant.runs.associationrecords import is_associations, read_associations


def refused(folder, content):
    text = content if isinstance(content, str) else json.dumps(content)
    (folder / "associations.json").write_text(text)
    with pytest.raises(RunError) as caught:
        read_associations(folder)
    line = str(caught.value)
    assert str(folder / "associations.json") in line
    assert "\n" not in line
    return line


def test_a_run_of_associations_is_read_as_it_is(tmp_path):
    assert not is_associations(tmp_path)
    read = made_associations()
    (tmp_path / "associations.json").write_text(json.dumps(read))
    assert is_associations(tmp_path)
    assert read_associations(tmp_path) == json.loads(json.dumps(read))


def test_an_optional_key_may_be_absent_and_a_new_one_present(tmp_path):
    read = made_associations(colour="blue")
    for key in ("facts", "measures", "compared", "neighbours"):
        del read[key]
    for test in read["tests"]:
        for key in ("fisher", "leave_one_out", "split_half", "spread", "replicas", "p_min"):
            del test[key]
        test.pop("values", None)
    (tmp_path / "associations.json").write_text(json.dumps(read))
    assert read_associations(tmp_path)["colour"] == "blue"


@pytest.mark.parametrize("content", ["", "{", "[]", "\x00"])
def test_a_file_that_is_no_json_object_is_refused_by_name(tmp_path, content):
    assert "slant assoc run" in refused(tmp_path, content)


@pytest.mark.parametrize(
    ("path", "value", "key"),
    [
        (["correction"], None, "'correction'"),
        (["level"], 95, "'level'"),
        (["vectors"], {}, "'vectors'"),
        (["tests", 3, "d"], None, "'tests.3.d'"),
        (["tests", 3, "d"], "1.8", "'tests.3.d'"),
        (["tests", 3, "p"], 1.2, "'tests.3.p'"),
        (["tests", 0, "n_x"], True, "'tests.0.n_x'"),
        (["tests", 0, "n_x"], -1, "'tests.0.n_x'"),
        (["tests", 0, "values", "y", 0], ["poetry"], "'tests.0.values.y.0.1'"),
        (["tests", 1, "low"], float("nan"), "'tests.1.low'"),
        (["tests", 2, "vectors"], "uncyclopedia", "tests.2.vectors is 'uncyclopedia'"),
        (["tests", 2, "adjusted", "bonferroni"], None, "tests.2.adjusted has no 'bonferroni'"),
        (["compared", 1, "second"], "uncyclopedia", "compared.1.second is 'uncyclopedia'"),
        (["neighbours", "art", "wikipedia"], [["artist"]], "'neighbours.art.wikipedia.0.1'"),
    ],
)
def test_the_first_wrong_key_is_named(tmp_path, path, value, key):
    read = json.loads(json.dumps(made_associations()))
    *way, last = path
    place = read
    for step in way:
        place = place[step]
    if value is None:
        del place[last]
    else:
        place[last] = value
    assert key in refused(tmp_path, read)


def test_a_file_without_any_test_is_refused(tmp_path):
    assert "both empty" in refused(tmp_path, made_associations(tests=[], facts=[]))
