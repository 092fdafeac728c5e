"""Schemas: the shipped ones, those of a user, and what is wrong with a file."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.data.schemas import (
    Bias,
    load_schema,
    plain_schema,
    read_schema,
    read_schema_json,
    schema_gaps,
    schema_json,
)
from slant.errors import DataError, UnknownName

ROOT = Path(__file__).parents[2]
BIASES = {
    "B01": ("Illusory Truth", "credibility"),
    "B02": ("Negativity Bias", "affect"),
    "B03": ("Bandwagon Effect", "credibility"),
    "B04": ("Authority Bias", "credibility"),
    "B05": ("Stereotyping", "social categorization"),
    "B06": ("Declinism", "temporal and causal reasoning"),
    "B07": ("Identifiable Victim Effect", "affect"),
    "B08": ("Illusory Correlation", "temporal and causal reasoning"),
    "B09": ("Hindsight Bias", "temporal and causal reasoning"),
}
"""Names and groups as section 3 and appendix C of the paper have them."""


def written(tmp_path, content, name="own.toml"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_bait_has_the_nine_categories_of_the_paper_in_its_four_groups():
    schema = load_schema("bait")
    assert {b.code: (b.name, b.group) for b in schema.biases} == BIASES
    assert schema.codes == tuple(BIASES)
    assert schema.dominant == ("B01",)
    assert [b.code for b in schema.biases if b.discontinuous] == ["B01"]


def test_bait_leaves_nothing_empty_and_states_its_rules():
    schema = load_schema("bait")
    assert schema_gaps(schema) == {}
    rules = " ".join(schema.rules).lower()
    for fact in ("shortest", "twice", "confidence", "3 sure", "omission", "same number"):
        assert fact in rules
    for bias in schema.biases:
        assert len(bias.signals) >= 3
        assert bias.positive != bias.negative


def test_the_confusions_of_the_paper_are_told_apart_from_both_sides():
    schema = load_schema("bait")
    for one, other in (("B01", "B02"), ("B03", "B04"), ("B06", "B09"), ("B08", "B09")):
        assert other in schema.bias(one).confused_with
        assert one in schema.bias(other).confused_with


def test_no_example_is_an_article_of_the_sample():
    texts = [
        path.read_text("utf-8").lower()
        for path in (ROOT / "src/slant/data/samples/bait").glob("*.jsonl")
    ]
    for bias in load_schema("bait").biases:
        for example in (bias.positive, bias.negative):
            for sentence in re.split(r"[.?!]", example.lower()):
                if len(sentence.split()) >= 5:
                    assert not any(sentence.strip(" '\"") in text for text in texts)


def test_ptc_has_the_labels_of_the_corpus(real_data):
    names = real_data / "propaganda" / "propaganda-techniques-names-semeval2020task11.txt"
    assert list(load_schema("ptc").codes) == names.read_text().split()


def test_the_schema_in_the_documentation_is_one(tmp_path):
    example = (ROOT / "docs" / "bait-schema.md").read_text("utf-8").split("```toml\n")[1]
    schema = read_schema(written(tmp_path, example.split("```")[0]))
    assert schema.codes == ("GUILT", "FEAR")
    assert schema.dominant == ("GUILT",)


def test_codes_and_names_alone_make_a_schema(tmp_path):
    path = written(tmp_path, '[[biases]]\ncode = "X1"\nname = "Fear"\n', "Mine.toml")
    schema = load_schema(str(path))
    assert (schema.name, schema.title, schema.version, schema.unit) == (
        *("Mine", "Mine", "1", "trigger"),
    )
    assert schema.biases == (Bias("X1", "Fear"),)
    assert schema.dominant == schema.rules == ()


def test_a_definition_stands_in_for_the_line_that_a_model_sees(tmp_path):
    path = written(
        tmp_path, '[[biases]]\ncode = "X"\nname = "x"\ndefinition = """Two\r\n  lines."""\r\n'
    )
    assert read_schema(path).bias("X").line == "Two lines."


def test_toml_and_json_of_one_schema_are_the_same(tmp_path):
    schema = load_schema("bait")
    path = written(tmp_path, "\ufeff" + json.dumps(schema_json(schema)), "bait.json")
    assert read_schema(path) == schema


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@given(
    st.lists(
        st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=8),
        min_size=1, max_size=5, unique_by=str.casefold,
    ),
    TEXT,
    st.lists(TEXT, max_size=3),
)  # fmt: skip
def test_a_schema_survives_its_json_and_a_process_boundary(codes, prose, signals):
    content = {
        "biases": [{"code": c, "name": c, "boundary": prose, "signals": signals} for c in codes]
    }
    schema = read_schema_json(content)
    assert schema.codes == tuple(codes)
    assert read_schema_json(json.loads(json.dumps(schema_json(schema)))) == schema
    assert pickle.loads(pickle.dumps(schema)) == schema


def test_the_labels_of_a_data_set_make_a_plain_schema():
    schema = plain_schema(["Name_Calling,Labeling", "Doubt"], "corpus")
    assert schema.name == "corpus"
    assert schema.codes == ("Name_Calling,Labeling", "Doubt")
    with pytest.raises(DataError, match="code 'doubt' of bias 2 is already the code of bias 1"):
        plain_schema(["Doubt", "doubt"])


BIAS = '[[biases]]\ncode = "A"\nname = "a"\n'
WRONG = {
    "bias 1 (A), key 'name' is missing": '[[biases]]\ncode = "A"\n',
    "bias 1 (A), key 'signal' is not known": BIAS + 'signal = ["x"]\n',
    "the key 'rule' is not known": 'rule = "x"\n' + BIAS,
    "the key 'biases' is missing": 'name = "x"\n',
    "the key 'biases' is empty": "biases = []\n",
    "bias 2, key 'code' is wrong: input should be a valid string": BIAS
    + '[[biases]]\ncode = 3\nname = "b"\n',
    "bias 1 (A), key 'signals.2' is wrong: input should be a valid string": BIAS
    + 'signals = ["x", 2]\n',
    "bias 1 ( ), key 'code' is wrong: a code or name must be one line": '[[biases]]\ncode = " "\nname = "a"\n',
    "the code 'A' of bias 2 is already the code of bias 1": BIAS
    + '[[biases]]\ncode = "A"\nname = "b"\n',
    "the name 'A' of bias 2 is already the code of bias 1": BIAS
    + '[[biases]]\ncode = "B"\nname = "A"\n',
    "'confused_with of A' names 'B', which no bias has as its code": BIAS
    + 'confused_with = { B = "how" }\n',
    "'confused_with of A' names A itself": BIAS + 'confused_with = { A = "how" }\n',
    "the key 'dominant' names 'Z'": 'dominant = ["Z"]\n' + BIAS,
    "it is no TOML": "biases = [",
    "it is empty": " \n",
    "byte 0 is not UTF-8": b"\xff\xfe\x00",
}


@pytest.mark.parametrize("found", WRONG)
def test_what_is_wrong_is_named_with_its_file_and_key(tmp_path, found):
    path = written(tmp_path, WRONG[found])
    with pytest.raises(DataError) as error:
        read_schema(path)
    assert str(error.value).startswith(f"Reading the schema '{path}': ")
    assert found in str(error.value)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ('{"biases": [', "line 1, column 13 is no JSON"),
        ("[1]", "it holds no table of keys with 'biases'"),
        ('{"biases": [1]}', "bias 1 is wrong: it is no table of keys"),
        ('{"biases": [{"code": "A", "name": "\\ud800"}]}', "half a character"),
        ("[" * 100_000, "it is nested too deep"),
    ],
)
def test_json_is_read_as_strictly(tmp_path, content, found):
    with pytest.raises(DataError) as error:
        read_schema(written(tmp_path, content, "own.json"))
    assert found in str(error.value)


def test_a_path_that_is_no_schema_and_an_unknown_name_are_told_apart(tmp_path):
    with pytest.raises(UnknownName, match="Did you mean bait"):
        load_schema("bate")
    with pytest.raises(DataError, match="there is no such file"):
        load_schema(str(tmp_path / "none.toml"))
    with pytest.raises(DataError, match=r"the ending '\.txt' is not known"):
        load_schema("schema.txt")
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(DataError, match="it cannot be read"):
        load_schema(str(tmp_path / "folder.toml"))
    with pytest.raises(UnknownName, match="Did you mean B01"):
        load_schema("bait").bias("B1")
