"""Where data sets are found, what state they are in, and how they get into the store."""

import errno
import io
import os
import shutil
import tarfile
import time
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from slant.data import hashes, imports
from slant.data.archives import unpack
from slant.data.cards import card_numbers, load_card
from slant.data.files import check, data_homes, locate, set_folder, store
from slant.data.imports import import_set
from slant.errors import DataError, WorkFailed

DATA = os.environ.get("SLANT_DATA")
needs_data = pytest.mark.skipif(DATA is None, reason="SLANT_DATA names no data folder")


@pytest.fixture(autouse=True)
def _own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("SLANT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("SLANT_DATA", raising=False)


def put(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def liar() -> Path:
    return Path(DATA) / "mbib" / "072_Liar"


def raw(number: str, name: str) -> bytes:
    return next((Path(DATA) / "mbib").glob(f"{number}_*/raw/{name}")).read_bytes()


def state_of(number: str, *homes: Path):
    return check(homes, [number])[0]


def test_data_is_sought_in_the_option_then_the_variable_and_always_in_the_user_store(
    tmp_path, monkeypatch
):
    given, named = tmp_path / "given", tmp_path / "named"
    given.mkdir()
    named.mkdir()
    cache = tmp_path / "cache"
    assert data_homes(None) == [cache]
    monkeypatch.setenv("SLANT_DATA", str(named))
    assert data_homes(None) == [named, cache]
    assert data_homes(given) == [given]


def test_the_folder_of_the_variable_is_never_written(tmp_path, monkeypatch):
    monkeypatch.setenv("SLANT_DATA", str(tmp_path))
    assert store(None) == tmp_path / "cache"
    assert store(tmp_path / "mine") == tmp_path / "mine"


def test_a_home_that_is_not_there_is_named_with_the_way_it_was_given(tmp_path, monkeypatch):
    with pytest.raises(DataError, match=r"there is no such folder\. Mend --data"):
        data_homes(tmp_path / "none")
    monkeypatch.setenv("SLANT_DATA", str(tmp_path / "none"))
    with pytest.raises(DataError, match="Mend SLANT_DATA"):
        data_homes(None)


@needs_data
def test_states_of_the_shared_data_are_those_its_readme_describes():
    states = {one.dataset: one for one in check([Path(DATA)])}
    complete = [
        "003",
        "009",
        "010",
        "019",
        "038",
        "072",
        "075",
        "092",
        "106",
        "107",
        "110",
        "babe",
        "mediaeval",
    ]
    partial = ["012", "025", "026", "029", "040", "076", "vldbench"]
    absent = ["035", "049", "066", "087", "105", "vilbias"]
    for names, state in ((complete, "complete"), (partial, "partial"), (absent, "absent")):
        assert {n: states[n].state for n in names} == dict.fromkeys(names, state)
    assert len(states) == 26
    # the README's counts: 430 of 645 and 249 of 373 articles; 300 articles of BASIL, 90 of 019
    counts = {
        n: (states[n].found, states[n].expected, states[n].unit)
        for n in ("029", "025", "009", "019")
    }
    assert counts == {
        "029": (430, 645, "articles"),
        "025": (249, 373, "articles"),
        "009": (300, 300, "articles"),
        "019": (90, 90, "articles"),
    }
    assert all(one.do for one in states.values())


@needs_data
def test_a_preset_gets_the_best_form_that_it_can_read():
    homes = [Path(DATA)]
    forms = {
        (n, p): s.form if (s := locate(n, homes, p)) else None
        for n in ("012", "026", "076", "092", "072")
        for p in ("official", "clean")
    }
    assert forms == {
        ("012", "official"): "processed",
        ("012", "clean"): "source_tweets",
        ("026", "official"): None,
        ("026", "clean"): "pre_post",
        ("076", "official"): None,
        ("076", "clean"): "cad_test",
        ("092", "official"): "processed",
        ("092", "clean"): "processed",
        ("072", "official"): "raw",
        ("072", "clean"): "raw",
    }  # fmt: skip


@needs_data
def test_the_same_bytes_have_the_same_fingerprint_in_any_nesting(tmp_path):
    for name in ("train.tsv", "test.tsv", "valid.tsv"):
        put(tmp_path / "flat" / name, (liar() / "raw" / name).read_bytes())
        put(tmp_path / "deep" / "a" / "b" / name, (liar() / "raw" / name).read_bytes())
    sources = [
        locate("072", [home], "clean")
        for home in (Path(DATA), Path(DATA) / "mbib", liar(), tmp_path / "flat", tmp_path / "deep")
    ]
    assert {source.state for source in sources} == {"complete"}
    assert len({source.fingerprint for source in sources}) == 1


@needs_data
def test_one_changed_byte_is_altered_and_both_checksums_are_named(tmp_path):
    shutil.copytree(liar(), tmp_path / "mbib" / "072_Liar")
    path = tmp_path / "mbib" / "072_Liar" / "raw" / "test.tsv"
    path.write_bytes(path.read_bytes().replace(b"true", b"eurt", 1))
    state = state_of("072", tmp_path)
    assert state.state == "altered"
    assert "test.tsv has 301,118 bytes and sha256" in state.notes[0]
    assert "301,118 bytes and ee41e2c741e0" in state.notes[0]
    assert "slant data fetch mbib/072" in state.do


@needs_data
def test_an_altered_set_in_the_first_home_is_not_passed_over_for_a_complete_one_behind(tmp_path):
    for name in ("train.tsv", "test.tsv", "valid.tsv"):
        put(tmp_path / "072_Liar" / "raw" / name, "1.json\ttrue\ttext\n")
    source = locate("072", [tmp_path, Path(DATA)], "clean")
    assert source.state == "altered"
    assert source.folder == tmp_path / "072_Liar"


@needs_data
def test_a_changed_file_among_hundreds_is_altered(tmp_path):
    shutil.copytree(Path(DATA) / "mbib" / "009_BASIL", tmp_path / "009_BASIL")
    path = next((tmp_path / "009_BASIL" / "raw" / "articles" / "2010").iterdir())
    path.write_bytes(path.read_bytes() + b" ")
    assert state_of("009", tmp_path).state == "altered"
    path.unlink()
    assert state_of("009", tmp_path).notes == ("299 of 300 files match raw/articles/*/*.json.",)


@needs_data
def test_a_part_that_stands_alone_is_partial_and_the_missing_files_are_named(tmp_path):
    part = "reddit_comments_race_black_processed_phrase_annotated.csv"
    put(tmp_path / "075_RedditBias" / "raw" / part, raw("075", part))
    state = state_of("075", tmp_path)
    # the README's 3,000 of 3,000 + 7,993 + 3,000 + 3,554 + 10,584 = 28,131 rows
    assert (state.state, state.found, state.expected) == ("partial", 3_000, 28_131)
    assert len([note for note in state.notes if note.endswith("is missing.")]) == 4


def test_files_that_cannot_be_read_without_one_another_are_absent_until_all_are_there(tmp_path):
    put(tmp_path / "066_BigNews" / "raw" / "BIGNEWSBLN_train_left.json", "[]")
    assert state_of("066", tmp_path).state == "absent"


def test_articles_without_their_labels_are_absent(tmp_path):
    put(
        tmp_path / "029_SemEval19" / "raw" / "articles-training-byarticle-20181122.xml",
        "<article />",
    )
    assert state_of("029", tmp_path).state == "absent"


def test_an_empty_file_is_altered(tmp_path):
    put(tmp_path / "105_RtGender" / "raw" / "annotations.csv", "")
    state = state_of("105", tmp_path)
    assert (state.state, state.notes[0]) == ("altered", "annotations.csv is empty.")


def test_a_missing_column_is_altered_and_named(tmp_path):
    put(tmp_path / "105_RtGender" / "raw" / "annotations.csv", "post_text,sentiment\na,b\n")
    assert state_of("105", tmp_path).notes[0] == "annotations.csv has no column response_text."


def test_a_file_without_a_known_checksum_is_used_and_said_to_be_unchecked(tmp_path):
    put(
        tmp_path / "105_RtGender" / "raw" / "annotations.csv",
        "post_text,response_text,sentiment\na,b,Neutral\n",
    )
    state = state_of("105", tmp_path)
    assert state.state == "complete"
    assert "unchecked" in state.notes[0]


def test_a_file_far_too_small_is_partial(tmp_path):
    put(tmp_path / "040_Jigsaw" / "raw" / "all_data.csv", "id,comment_text,toxicity\n1,a,0\n")
    assert state_of("040", tmp_path).notes == (
        "all_data.csv has only 31 bytes, the published file far more.",
    )


def test_a_common_name_is_not_taken_for_a_data_set_by_its_name_alone(tmp_path):
    put(tmp_path / "train.csv", "a,b\n1,2\n")
    put(tmp_path / "train.tsv", "a\tb\n")
    put(tmp_path / "annotations.csv", "x,y\n")
    put(tmp_path / "dataset.json", "{}")
    assert {one.state for one in check([tmp_path])} == {"absent"}


def test_files_in_the_folder_of_another_data_set_are_not_taken(tmp_path):
    put(tmp_path / "026_WikiNeutralityCorpus" / "cad_v1_1.tsv", "a\tb\n")
    assert state_of("076", tmp_path).state == "absent"


def test_a_large_files_checksum_is_computed_once(tmp_path, monkeypatch):
    path = put(tmp_path / "big", b"x" * hashes.REMEMBERED_FROM)
    first = hashes.read_sha256(path)

    def _again(*_args):
        raise AssertionError("hashed a second time")

    # The name in this module alone: a server's thread of another test hashes, too.
    monkeypatch.setattr(hashes, "hashlib", SimpleNamespace(sha256=_again))
    assert hashes.read_sha256(path) == first


def test_other_bytes_under_the_old_size_and_time_are_hashed_again(tmp_path):
    path = put(tmp_path / "big", b"x" * hashes.REMEMBERED_FROM)
    before, first = path.stat(), hashes.read_sha256(path)
    # The clock by which the system notes a change goes in steps of some milliseconds.
    time.sleep(0.02)
    path.write_bytes(b"y" * hashes.REMEMBERED_FROM)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert hashes.read_sha256(path) != first


def test_a_large_file_that_changed_is_hashed_again(tmp_path):
    path = put(tmp_path / "big", b"x" * hashes.REMEMBERED_FROM)
    first = hashes.read_sha256(path)
    path.write_bytes(b"y" * (hashes.REMEMBERED_FROM + 1))
    assert hashes.read_sha256(path) != first


@needs_data
def test_what_is_imported_is_what_was_there(tmp_path):
    seen = []
    states = import_set(Path(DATA) / "mbib", tmp_path / "store", lambda *told: seen.append(told))
    there = {one.dataset: one for one in check([Path(DATA)], card_numbers())}
    assert {one.dataset for one in states} == {
        n for n, one in there.items() if one.state != "absent"
    } | {"035"}
    assert {n: one.state for one in states if (n := one.dataset) != "035"} == {
        n: one.state for n, one in there.items() if one.state != "absent"
    }
    assert (
        locate("009", [tmp_path / "store"], "clean").fingerprint
        == locate("009", [Path(DATA)], "clean").fingerprint
    )
    assert all(done <= total for _, done, total in seen)
    assert not list((tmp_path / "store").rglob(".*"))


@needs_data
def test_a_second_import_writes_nothing(tmp_path, monkeypatch):
    import_set(liar(), tmp_path / "store")
    monkeypatch.setattr(imports, "_copy", lambda *_: pytest.fail("copied again"))
    assert import_set(liar(), tmp_path / "store")[0].state == "complete"


@needs_data
def test_an_import_that_was_broken_off_leaves_nothing_half_written_and_goes_on(
    tmp_path, monkeypatch
):
    copy, copied = imports._copy, []

    def _broken(path, target):
        if len(copied) == 2:
            raise KeyboardInterrupt
        copied.append(path.name)
        copy(path, target)

    monkeypatch.setattr(imports, "_copy", _broken)
    with pytest.raises(KeyboardInterrupt):
        import_set(liar(), tmp_path)
    assert state_of("072", tmp_path).state == "absent"
    copied.clear()
    assert import_set(liar(), tmp_path)[0].state == "complete"
    assert len(copied) == 1  # three files, two of which had arrived


@needs_data
def test_flat_files_are_imported_into_the_published_layout(tmp_path):
    for path in (liar() / "raw").iterdir():
        put(tmp_path / "flat" / path.name, path.read_bytes())
    assert import_set(tmp_path / "flat", tmp_path / "store")[0].state == "complete"
    assert (tmp_path / "store" / "mbib" / "072_Liar" / "raw" / "train.tsv").is_file()


@needs_data
def test_a_clone_with_its_own_folders_is_imported(tmp_path):
    shutil.copytree(Path(DATA) / "mbib" / "009_BASIL" / "raw", tmp_path / "BASIL-master")
    articles = Path(DATA) / "mbib" / "025_FakeNewsNet" / "raw" / "Data"
    shutil.copytree(articles, tmp_path / "clone" / "Data")
    shutil.copytree(
        Path(DATA) / "mbib" / "019_Ukraine-News-Corpus" / "raw",
        tmp_path / "ukraine" / "all-data-as-json",
    )
    states = {one.dataset: one for one in import_set(tmp_path, tmp_path / "store")}
    assert {n: (one.state, one.found) for n, one in states.items()} == {
        "009": ("complete", 300),
        "025": ("partial", 249),
        "019": ("complete", 90),
    }


def test_an_archive_of_pheme_is_imported_by_event(tmp_path):
    base = tmp_path / "all-rnr-annotated-threads" / "gurlitt-all-rnr-threads"
    for kind in ("rumours", "non-rumours"):
        put(base / kind / "1" / "annotation.json", "{}")
        put(base / kind / "1" / "source-tweets" / "1.json", "{}")
        put(base / kind / "1" / "source-tweets" / "._1.json", "junk")
        put(base / kind / "1" / "reactions" / "2.json", "{}")
    import_set(tmp_path, tmp_path / "store")
    source = locate("012", [tmp_path / "store"], "clean")
    names = sorted(str(p.relative_to(source.folder)) for p in source.files)
    assert names == sorted(
        f"raw/gurlitt-all-rnr-threads/{kind}/1/{name}"
        for kind in ("rumours", "non-rumours")
        for name in ("annotation.json", "source-tweets/1.json")
    )


@needs_data
def test_a_published_file_in_the_store_is_not_replaced_by_an_altered_one(tmp_path):
    import_set(liar(), tmp_path / "store")
    shutil.copytree(liar(), tmp_path / "072_Liar")
    put(tmp_path / "072_Liar" / "raw" / "test.tsv", "1.json\ttrue\ttext\n")
    state = import_set(tmp_path / "072_Liar", tmp_path / "store")[0]
    assert state.state == "complete"
    assert state.notes == ("raw/test.tsv in the store is as published and was kept.",)


def test_a_folder_without_data_is_a_clear_error(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="it is empty"):
        import_set(tmp_path / "empty", tmp_path / "store")
    put(tmp_path / "other" / "notes.txt", "x")
    with pytest.raises(DataError, match="no file of a known data set lies in it"):
        import_set(tmp_path / "other", tmp_path / "store")
    with pytest.raises(DataError, match="there is no such folder"):
        import_set(tmp_path / "none", tmp_path / "store")
    assert not (tmp_path / "store").exists()


def test_a_full_disk_names_the_file_and_the_bytes_and_leaves_nothing(tmp_path, monkeypatch):
    path = put(
        tmp_path / "in" / "105_RtGender" / "raw" / "annotations.csv",
        "post_text,response_text,sentiment\n",
    )

    def _full(*_args):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(imports.shutil, "copyfile", _full)
    with pytest.raises(WorkFailed, match=r"annotations.csv.*no space is left; 34 bytes are needed"):
        import_set(tmp_path / "in", tmp_path / "store")
    assert path.stat().st_size == 34
    assert not [p for p in (tmp_path / "store").rglob("*") if p.is_file()]


def test_a_zip_is_imported_like_a_folder(tmp_path):
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as packed:
        packed.writestr(
            "rtgender/annotations.csv", "post_text,response_text,sentiment\na,b,Mixed\n"
        )
    states = import_set(tmp_path / "x.zip", tmp_path / "store")
    assert [(one.dataset, one.form) for one in states] == [("105", "raw")]
    assert not list((tmp_path / "store").glob(".*"))


@pytest.mark.parametrize("name", ["../../out.txt", "/out.txt", "a/../../out.txt", "..\\out.txt"])
def test_an_archive_member_that_climbs_out_is_refused(tmp_path, name):
    (tmp_path / "into").mkdir()
    member = tarfile.TarInfo(name)
    member.size = 3
    with tarfile.open(tmp_path / "x.tar", "w") as rolled:
        rolled.addfile(member, io.BytesIO(b"bad"))
    with pytest.raises(DataError, match="outside the folder"):
        unpack(tmp_path / "x.tar", tmp_path / "into")
    assert not (tmp_path / "out.txt").exists()


def test_a_link_in_an_archive_is_refused(tmp_path):
    (tmp_path / "into").mkdir()
    (tmp_path / "link").symlink_to("/etc")
    with tarfile.open(tmp_path / "x.tar", "w") as rolled:
        rolled.add(tmp_path / "link", arcname="link")
    with pytest.raises(DataError, match="is a link"):
        unpack(tmp_path / "x.tar", tmp_path / "into")


def test_a_cut_archive_is_a_clear_error(tmp_path):
    (tmp_path / "into").mkdir()
    put(tmp_path / "big", os.urandom(50_000))
    with tarfile.open(tmp_path / "x.tar.gz", "w:gz") as rolled:
        rolled.add(tmp_path / "big", arcname="big")
    whole = (tmp_path / "x.tar.gz").read_bytes()
    put(tmp_path / "cut.tar.gz", whole[:20_000])
    with pytest.raises(DataError, match=r"cut or damaged|neither"):
        unpack(tmp_path / "cut.tar.gz", tmp_path / "into")
    put(tmp_path / "no.zip", "hello")
    with pytest.raises(DataError, match="neither a zip nor a tar"):
        unpack(tmp_path / "no.zip", tmp_path / "into")


def test_a_store_keeps_the_folder_that_a_data_set_already_has(tmp_path):
    card = load_card("072")
    assert set_folder(tmp_path, card) == tmp_path / "mbib" / "072_Liar"
    (tmp_path / "072_mine").mkdir()
    assert set_folder(tmp_path, card) == tmp_path / "072_mine"
