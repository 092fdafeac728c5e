"""explain.json and circuit.json are believed only as far as they have their shape."""

import json

import pytest
from made_study import LARGE, STANDARD, SUPERVISED, made_circuit, made_explain

from slant.errors import RunError
from slant.runs.studyrecords import is_study, read_study


def written(folder, explain=None, circuit=None):
    for name, content in (("explain.json", explain), ("circuit.json", circuit)):
        if content is not None:
            (folder / name).write_text(content if isinstance(content, str) else json.dumps(content))
    return folder


def refused(folder):
    with pytest.raises(RunError) as caught:
        read_study(folder)
    return str(caught.value)


def test_either_file_makes_a_study(tmp_path):
    assert not is_study(tmp_path)
    assert "neither explain.json nor circuit.json" in refused(tmp_path)
    explain = made_explain()
    assert read_study(written(tmp_path, explain)).explain == explain
    assert read_study(tmp_path).circuit is None
    circuit = made_circuit()
    assert read_study(written(tmp_path, circuit=circuit)).circuit == circuit


@pytest.mark.parametrize("content", ["", "{", "[]", "\x00"])
def test_a_file_that_is_no_json_object_is_refused_by_name(tmp_path, content):
    line = refused(written(tmp_path, circuit=content))
    assert str(tmp_path / "circuit.json") in line
    assert f"`slant circuit {tmp_path}`" in line


def broken(read, path, value):
    *way, last = path
    for key in way:
        read = read[key]
    if value is None:
        del read[last]
    else:
        read[last] = value


@pytest.mark.parametrize(
    ("path", "value", "key"),
    [
        (["level"], None, "level"),
        (["level"], 95, "level"),
        (["models"], {}, "models"),
        (["models", LARGE, "classification", "biased", "f1"], None,
         f"models.{LARGE}.classification.biased.f1"),
        (["models", STANDARD, "plausibility", "rollout", "auroc", "value"], "high",
         f"models.{STANDARD}.plausibility.rollout.auroc.value"),
        (["models", STANDARD, "plausibility", "rollout", "auroc", "low"], float("nan"),
         f"models.{STANDARD}.plausibility.rollout.auroc.low"),
        (["models", SUPERVISED, "params", "attention_lambda"], "much",
         f"models.{SUPERVISED}.params.attention_lambda"),
        (["models", STANDARD, "examples", 0, "scores", "rollout"], [0.5],
         f"models.{STANDARD}.examples.0"),
        (["models", STANDARD, "examples", 1, "words", 0], [5, 900],
         f"models.{STANDARD}.examples.1"),
        (["differences", 0, "against_model"], "another", "models"),
    ],
)  # fmt: skip
def test_the_first_wrong_key_of_explain_json_is_named(tmp_path, path, value, key):
    explain = made_explain()
    broken(explain, path, value)
    line = refused(written(tmp_path, explain))
    assert f"its key '{key}' is wrong" in line
    assert str(tmp_path / "explain.json") in line
    assert "\n" not in line


@pytest.mark.parametrize(
    ("path", "value", "key"),
    [
        (["scale"], "odds", "scale"),
        (["models", LARGE, "reliability"], None, f"models.{LARGE}.reliability"),
        (["models", LARGE, "heads", 3], 11, f"models.{LARGE}"),
        (["models", STANDARD, "effects", "words", 0], [0.1], f"models.{STANDARD}"),
        (["models", STANDARD, "curves", "classes", "words", "points", 2, "random", "rescue"], None,
         f"models.{STANDARD}.curves.classes.words.points.2.random.rescue"),
    ],
)  # fmt: skip
def test_the_first_wrong_key_of_circuit_json_is_named(tmp_path, path, value, key):
    circuit = made_circuit()
    broken(circuit, path, value)
    line = refused(written(tmp_path, circuit=circuit))
    assert f"its key '{key}' is wrong" in line
    assert str(tmp_path / "circuit.json") in line
