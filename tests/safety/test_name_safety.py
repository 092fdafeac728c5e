"""Names that would be paths or commands: of runs, tasks, data sets, models, systems, annotators,
articles and files."""

from __future__ import annotations

from pathlib import Path

import hostile
import pytest

from slant.annotate.folders import file_stem
from slant.annotate.packages import write_packages
from slant.data.added import add_dataset
from slant.data.images import place_inside
from slant.data.names import parse_name
from slant.data.schemas import load_schema
from slant.errors import SlantError
from slant.report.baitarticles import file_names
from slant.runs.baitanswers import slug
from slant.systems import make_system
from slant.types import Item

CLIMBING = (
    "../x", "../../etc/passwd", "/etc/passwd", "..", ".", "a/../../b", "..\\x", "C:\\x", "~/x", "\0",
    "a\0b", "a\nb", "x" * 300, "", " ", "$(touch x)", "`touch x`", "; touch x", "| touch x", "-rf",
    "--out=x", "con", "nul.txt", "\u202ex", "a/b", "${HOME}", "%2e%2e%2fx", "file:///etc/passwd",
)  # fmt: skip
OUTSIDE = [name for name in CLIMBING if ".." in name or name.startswith(("/", "C:", "~", "file:"))]


@pytest.fixture(autouse=True)
def nothing_outside(tmp_path, monkeypatch):
    """What a test writes lies below a folder of its own, three levels deep."""
    inside = tmp_path / "one" / "two" / "three"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    yield inside
    above = [path for path in tmp_path.rglob("*") if inside not in (path, *path.parents)]
    assert {path.name for path in above} <= {"one", "two"}
    assert not Path("x").exists()


@pytest.mark.parametrize("name", CLIMBING)
def test_a_model_of_any_name_has_a_folder_of_one_plain_name(name):
    made = slug(f"provider/{name}")
    assert made not in {"", ".", ".."}
    assert Path(made).name == made
    assert "\\" not in made
    assert "\0" not in made
    assert made.isprintable()
    assert len(made.encode()) <= 255


def test_two_models_never_share_a_folder():
    names = [f"p/{one}" for one in CLIMBING]
    assert len({slug(one) for one in names}) == len(names)


@pytest.mark.parametrize("name", CLIMBING)
def test_a_data_set_that_is_added_has_a_plain_name_or_none(nothing_outside, name):
    file = nothing_outside / "a.csv"
    file.write_text("text,label\nOne.,1\nTwo.,0\n")
    if name in {"con", "x"}:
        return
    with pytest.raises(SlantError):
        add_dataset(name, file, text="text", label="label", store=nothing_outside / "store")


@pytest.mark.parametrize("before", ["", "mbib/", "added/"])
def test_a_task_or_data_set_is_looked_up_by_its_name_and_never_as_a_path(before):
    from slant.tasks.names import task_names

    for name in (before + one for one in CLIMBING):
        for known in (lambda name=name: parse_name(name), lambda name=name: task_names([name], None)):  # fmt: skip
            error = hostile.refusal(known)
            assert error is None or error.exit_code == 2
        if ".." in name or "\0" in name:
            assert hostile.refusal(lambda name=name: task_names([name], None))


def test_a_system_of_such_a_name_is_unknown():
    for name in CLIMBING:
        with pytest.raises(SlantError):
            make_system(name, {})


@pytest.mark.parametrize("name", [*CLIMBING, "keep"])
def test_an_annotator_of_such_a_name_gets_no_folder(nothing_outside, name):
    if name in {"con"}:
        return
    with pytest.raises(SlantError):
        write_packages([Item("1", "A text.")], nothing_outside / "out", [name], load_schema("ptc"),
                       tool="jsonl", seed=1, codebook={})  # fmt: skip
    assert not (nothing_outside / "out").exists()


@pytest.mark.parametrize("name", CLIMBING)
@pytest.mark.parametrize("tool", ["brat", "webanno"])
def test_an_article_of_such_an_id_is_written_below_the_folder_or_not_at_all(nothing_outside, name, tool):  # fmt: skip
    try:
        (folder,) = write_packages([Item(name, "A text.")], nothing_outside / "out", ["ann"],
                                   load_schema("ptc"), tool=tool, seed=1, codebook={})  # fmt: skip
    except SlantError:
        assert not (nothing_outside / "out").exists()
    else:
        assert folder.parent == nothing_outside / "out"


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_file_of_an_article_is_never_elsewhere(name):
    try:
        stem = file_stem(name)
    except SlantError:
        return
    assert Path(stem).name == stem


@pytest.mark.parametrize("name", CLIMBING)
def test_a_page_of_an_article_has_a_plain_name(name):
    (made,) = file_names([name])
    assert Path(made).name == made
    assert made.endswith(".html")
    assert made.isascii()
    assert not made.startswith((".", "-"))


@pytest.mark.parametrize("name", [one for one in OUTSIDE if one not in {"~/x"}])
def test_an_image_that_a_row_names_is_below_its_folder(name):
    with pytest.raises(SlantError, match="leads out of the folder"):
        place_inside(name, "Reading")


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "a/../../b", "..", "a\0b"])
def test_a_run_is_compared_by_folders_that_hold_one(name):
    from slant.runs.store import read_json

    with pytest.raises((SlantError, ValueError)):
        read_json(Path(name) / "run.json", "the run")


def test_file_names_that_are_options_are_files(nothing_outside):
    from slant.analysis.intake import read_any

    file = nothing_outside / "--out=x.txt"
    file.write_text("The council met on Tuesday and decided nothing about the bridge.")
    (article,) = read_any([str(file)], language="en")
    assert article.id == "--out=x.txt"
