import inspect
import subprocess
import sys

import pytest

from slant.errors import MissingExtra, OptionError, UnknownName
from slant.systems import SYSTEMS, make_system


@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_each_system_takes_exactly_the_parameters_it_names(name):
    known = SYSTEMS[name]
    real = list(inspect.signature(known.make).parameters.values())[known.family :]
    assert [(p.name, p.default) for p in real] == [(p.name, p.default) for p in known.accepts]


def test_a_name_carries_its_version():
    assert make_system("tfidf-lr", {"C": "0.5", "balanced": "true"})[0] == "tfidf-lr@1"


def test_a_misspelt_system_is_answered_with_the_nearest():
    with pytest.raises(UnknownName, match="Did you mean tfidf-lr"):
        make_system("tfidf-rl", {})


def test_a_misspelt_parameter_is_answered_with_the_nearest():
    with pytest.raises(UnknownName, match="Did you mean min_df"):
        make_system("tfidf-lr", {"mindf": 2})


def test_a_parameter_for_a_system_without_any_is_refused():
    with pytest.raises(OptionError, match="it has no parameters"):
        make_system("majority", {"C": 1})


@pytest.mark.parametrize(
    ("system", "name", "value"),
    [
        ("tfidf-lr", "C", 0), ("tfidf-lr", "C", "-1"), ("tfidf-lr", "C", "nan"), ("tfidf-lr", "C", "inf"),
        ("tfidf-lr", "C", "big"), ("tfidf-lr", "C", True), ("tfidf-lr", "ngram", 0), ("tfidf-lr", "ngram", 1.5),
        ("tfidf-lr", "balanced", "maybe"), ("tfidf-lr", "min_df", "inf"), ("minilm-lr", "max_length", 513),
    ],
)  # fmt: skip
def test_a_value_that_a_parameter_cannot_take_is_refused(system, name, value):
    with pytest.raises(OptionError, match=f"Setting {name} of {system}: '{value}' was given"):
        make_system(system, {name: value})


def test_a_family_wants_a_file_and_others_want_none():
    with pytest.raises(OptionError, match="Give predictions:FILE"):
        make_system("predictions", {})
    with pytest.raises(OptionError, match="majority has no kinds"):
        make_system("majority:x", {})


def test_an_absent_extra_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr("slant.systems.encoder.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r'pip install "slant\[encoders\]"'):
        make_system("minilm-lr", {})


def test_the_register_loads_nothing_heavy():
    code = "import slant.systems, sys; print(*{'torch','sklearn','scipy','polars','transformers'} & set(sys.modules))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == ""
