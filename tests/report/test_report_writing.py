import errno
import os
from pathlib import Path

import pytest
from made_scores import made_comparison, made_run, small_runs

from slant.errors import RunError, WorkFailed
from slant.report.page import report, write_comparison, write_report


def test_the_files_are_the_page_the_tables_in_three_forms_and_the_figures_in_two(written):
    out, files = written
    assert files[0] == out / "report.html"
    assert sorted(files) == sorted(path for path in out.rglob("*") if path.is_file())
    assert {p.suffix for p in files if p.stem == "leaderboard"} == {".csv", ".md", ".tex"}
    assert {p.suffix for p in files if p.parent.name == "figures"} == {".svg", ".pdf"}
    assert all(path.stat().st_size > 0 for path in files)


def test_no_run_is_an_error_in_one_line(tmp_path):
    with pytest.raises(RunError, match="no run was given") as caught:
        write_report([], [], tmp_path / "out")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_a_run_without_scores_names_what_it_lacks(tmp_path):
    run, scores = made_run()
    del scores["overall"], scores["primary"]
    with pytest.raises(RunError, match=r"run 2.*'primary', 'overall'.*slant score"):
        write_report([made_run(), (run, scores)], [], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_task_or_a_comparison_that_lacks_something_is_named():
    run, scores = made_run()
    del scores["tasks"]["mbib/fake-news"]["groups"]
    with pytest.raises(RunError, match="run 1, task 'mbib/fake-news': it has no 'groups'"):
        report([(run, scores)], [])
    with pytest.raises(RunError, match=r"compare.json 1: it has no 'signatures'"):
        report([made_run()], [{k: v for k, v in made_comparison().items() if k != "signatures"}])


@pytest.mark.parametrize("taken", [0, 3])
def test_a_disk_that_is_full_is_an_error_that_leaves_no_file_and_no_folder(
    tmp_path, monkeypatch, taken
):
    write, sizes = Path.write_bytes, []

    def full(path, content):
        sizes.append(len(content))
        if len(sizes) > taken:
            write(path, content[:10])
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(WorkFailed, match="no space is left on the disk"):
        write_report(small_runs(), [], tmp_path / "out")
    with pytest.raises(WorkFailed, match=r"compare-1\.json.*no space is left on the disk"):
        write_comparison([made_comparison()], tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_take_its_name_is_an_error_that_leaves_none(tmp_path, monkeypatch):
    replace, names = os.replace, []

    def some(source, target):
        names.append(target.name)
        if len(names) > 3:
            raise OSError(errno.EACCES, "Permission denied")
        replace(source, target)

    monkeypatch.setattr("os.replace", some)
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(WorkFailed, match="Permission denied"):
        write_report(small_runs(), [], tmp_path)
    assert [path.name for path in tmp_path.rglob("*")] == ["mine.txt"]


def test_a_folder_in_the_place_of_a_file_is_found_before_any_file_changes(tmp_path):
    (tmp_path / "report.html").write_text("the last one")
    (tmp_path / "tables" / "tasks.md").mkdir(parents=True)
    with pytest.raises(WorkFailed, match=r"tasks\.md"):
        write_report(small_runs(), [], tmp_path)
    assert (tmp_path / "report.html").read_text() == "the last one"
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == ["report.html"]


def test_a_file_in_the_place_of_the_directory_is_an_error(tmp_path):
    (tmp_path / "out").write_text("mine")
    with pytest.raises(WorkFailed, match="out"):
        write_report(small_runs(), [], tmp_path / "out")
    assert (tmp_path / "out").read_text() == "mine"
