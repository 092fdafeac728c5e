"""What a user gives as a system: objects in Python, and objects in a file by its name."""

from __future__ import annotations

import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from tiny import toy_fold

from slant.errors import OptionError, SlantError, UnknownName
from slant.runs.run import run
from slant.systems import make_system, named_system
from slant.systems.estimators import estimator_system
from slant.systems.given import absolute_place, object_system

FILE = """
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from slant.types import NO, YES, Prediction
from words import LOUD

classifier = make_pipeline(CountVectorizer(), MultinomialNB())
number = 3

def loud(folds, seed):
    for fold in folds:
        yield [Prediction(one.id, YES if LOUD in one.text else NO) for one in fold.test]
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(FILE)
    (tmp_path / "words.py").write_text('LOUD = "mob"\n')
    monkeypatch.delitem(__import__("sys").modules, "words", raising=False)
    return tmp_path / "mine.py"


def test_an_object_of_a_file_is_the_system_that_the_object_is(file):
    fold = toy_fold()
    name, system = make_system(f"python:{file}:classifier", {})
    own = estimator_system(make_pipeline(CountVectorizer(), MultinomialNB()))
    assert list(system([fold], 3)) == list(own([fold], 3))
    # named after the file, with the digest that the same object has in Python
    digest = own.name.partition("#")[2]
    assert name == f"python:mine.py:classifier#{digest}"


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(("name", "line"), [("at_once", 2), ("later", 6)])
def test_what_a_function_of_a_file_raises_is_one_line_with_its_line(tmp_path, name, line, jobs):
    content = "def at_once(folds, seed):\n    raise ValueError('boo\\nhoo')\n\n"
    content += "def later(folds, seed):\n    for fold in folds:\n        yield [1 / 0]\n"
    (tmp_path / "mine.py").write_text(content)
    with pytest.raises(OptionError, match=f"it failed .*line {line}") as caught:
        run(
            "open/sentences", f"python:{tmp_path / 'mine.py'}:{name}",
            out=tmp_path / "out", jobs=jobs,
        )  # fmt: skip
    assert "\n" not in str(caught.value)


def test_a_function_of_a_file_finds_the_files_beside_it(file):
    (found,) = make_system(f"python:{file}:loud", {})[1]([toy_fold()], 1)
    said = ["mob" in one.text for one in toy_fold().test]
    assert [one.answer.biased for one in found] == said
    assert any(said)


def test_a_changed_file_is_another_system_and_a_changed_comment_is_none(file):
    before = make_system(f"python:{file}:classifier", {})[0]
    file.write_text(FILE + "# nothing\n")
    assert make_system(f"python:{file}:classifier", {})[0] == before
    file.write_text(FILE.replace("MultinomialNB()", "MultinomialNB(alpha=2)"))
    assert make_system(f"python:{file}:classifier", {})[0] != before


@pytest.mark.parametrize(
    ("place", "found"),
    [
        ("mine.py", "it does not say which name of which file"),
        ("absent.py:x", r"'absent.py' cannot be read \(No such file"),
        ("mine.py:number", "it is no function, classifier or pipeline"),
        ("no_such_module_here:x", "running it failed.*ModuleNotFoundError"),
        ("broken.py:x", r"running it failed \(SyntaxError"),
        ("leaves.py:x", r"running it failed \(SystemExit"),
    ],
)
def test_what_is_no_system_is_refused_in_a_sentence(place, found, file, monkeypatch):
    monkeypatch.chdir(file.parent)
    (file.parent / "broken.py").write_text("def x(:\n")
    (file.parent / "leaves.py").write_text("raise SystemExit(3)\n")
    with pytest.raises(OptionError, match=f"python:{place}'?: {found}"):
        make_system(f"python:{place}", {})


def test_a_misspelt_name_is_answered_with_the_nearest(file):
    with pytest.raises(UnknownName, match="Did you mean classifier"):
        make_system(f"python:{file}:clasifier", {})


def test_a_name_for_workers_has_the_whole_path(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert absolute_place("python:mine.py:x") == f"python:{tmp_path / 'mine.py'}:x"
    assert absolute_place("predictions:mine.csv") == "predictions:mine.csv"


def test_parameters_belong_on_the_object():
    with pytest.raises(OptionError, match="Set its parameters on the object"):
        object_system(MultinomialNB(), {"alpha": 2})
    for nothing in (3, None, object()):
        with pytest.raises(SlantError, match="it is no function, classifier or pipeline"):
            named_system(nothing, {})


def test_a_system_made_before_is_taken_as_it_is():
    made = estimator_system(MultinomialNB())
    assert named_system(made, {}) == (made.name, made)
