"""What the cards say, against the paper's tables and the published bytes."""

import hashlib
import os
from pathlib import Path

import pytest

from slant.data.cards import card_numbers, load_card, load_tasks, validated_card
from slant.data.names import parse_name
from slant.errors import DataError, UnknownName

DATA = os.environ.get("SLANT_DATA")

# Table 2 of the paper: task, its printed total, its rows in order.
TABLE2 = {
    "linguistic-bias": (433_677, {"003": 11_945, "010": 3_673, "026": 362_991, "049": 6_863, "075": 10_583, "035": 37_622, "009": 1_726, "038": 842}),
    "cognitive-bias": (2_344_387, {"066": 2_331_552, "072": 12_835}),
    "text-level-bias": (28_329, {"076": 26_235, "019": 2_094}),
    "hate-speech": (2_050_674, {"040": 1_999_516, "092": 20_148, "075": 10_583, "087": 20_427}),
    "gender-bias": (33_121, {"075": 3_000, "105": 15_351, "106": 1_136, "107": 13_634}),
    "racial-bias": (2_371, {"075": 2_620, "110": 751}),
    "fake-news": (24_394, {"072": 12_835, "012": 5_222, "025": 6_337}),
    "political-bias": (2_348_198, {"049": 6_863, "066": 2_331_552, "029": 9_783}),
}  # fmt: skip


def test_there_are_22_data_sets_and_nine_tasks():
    assert len(card_numbers()) == 22
    assert len(load_tasks()) == 9


@pytest.mark.parametrize("task", TABLE2)
def test_rows_and_totals_of_a_task_are_those_of_table_2(task):
    total, rows = TABLE2[task]
    card = load_tasks()[task]
    assert card.paper_total == total
    assert {m.dataset: load_card(m.dataset).rows_paper[task] for m in card.table2} == rows
    assert [m.dataset for m in card.table2] == list(rows)
    assert card.paper_sum == sum(rows.values())


def test_only_two_printed_totals_are_not_the_sum_of_their_rows():
    # linguistic: 436,245 - 433,677 = 2,568 = 1,726 + 842 (BASIL, Biased Sentences left out)
    # racial: 2,620 + 751 = 3,371, printed 2,371
    wrong = {
        n: t.paper_sum - t.paper_total
        for n, t in load_tasks().items()
        if t.paper_sum != t.paper_total
    }
    assert wrong == {"linguistic-bias": 1_726 + 842, "racial-bias": 1_000}


def test_a_card_names_exactly_the_tasks_that_have_it_as_a_member():
    for number in card_numbers():
        tasks = {
            name
            for name, task in load_tasks().items()
            if any(m.dataset == number for m in task.table2)
        }
        assert set(load_card(number).tasks) == tasks


def test_reporting_level_bias_has_no_data_and_asks_for_the_users_own():
    task = load_tasks()["reporting-level-bias"]
    assert task.table2 == task.script == task.published == ()
    assert "slant data add" in task.note


def test_gender_and_racial_bias_take_their_part_of_redditbias_by_table_2_and_all_of_it_as_published():
    for name, part in (("gender-bias", "gender_female"), ("racial-bias", "race_black")):
        task = load_tasks()[name]
        assert [m.part for m in task.members("table2") if m.dataset == "075"] == [part]
        assert [m.part for m in task.members("published") if m.dataset == "075"] == [None]


def test_the_racial_script_names_two_sets_that_do_not_exist():
    script = load_tasks()["racial-bias"].script
    assert [number for number in script if number not in card_numbers()] == ["034", "113"]


def test_official_rows_are_the_sum_of_their_labels():
    for number in card_numbers():
        if rows := load_card(number).rows_official:
            assert rows["total"] == sum(count for label, count in rows.items() if label != "total")


def test_every_card_says_its_rules_quirks_licence_and_how_its_files_are_had():
    for number in card_numbers():
        card = load_card(number)
        for fact in (
            card.rule_official,
            card.rule_clean,
            card.licence,
            card.how_to_get,
            card.feature_level,
            card.feature_source,
            card.label_categories,
            card.label_source,
        ):
            assert fact.strip()
        assert card.quirks
        assert card.why_rows_differ
        assert all(line.endswith(".") for line in (*card.quirks, *card.why_rows_differ))
        assert card.citation is not None
        assert any(form.presets for form in card.forms)


def test_a_data_set_on_request_has_no_download():
    asked = [n for n in card_numbers() if load_card(n).access == "on request"]
    assert asked == ["035", "049", "066", "087"]
    assert not any(load_card(n).downloads for n in asked)


def test_downloads_are_public_addresses_with_size_and_checksum():
    downloads = [d for n in card_numbers() for d in load_card(n).downloads]
    assert len(downloads) > 15
    for download in downloads:
        assert download.url.startswith("https://raw.githubusercontent.com/")
        assert download.url.rsplit("/", 1)[1]
        assert len(download.sha256) == 64
        assert download.size > 0


@pytest.mark.skipif(DATA is None, reason="SLANT_DATA names no data folder")
def test_checksums_of_the_cards_are_those_of_the_published_files():
    looked = 0
    for number in card_numbers():
        card = load_card(number)
        for file in (f for form in card.forms for f in form.files):
            path = Path(DATA) / "mbib" / card.folder / file.pattern
            if file.sha256 and path.is_file():
                assert hashlib.sha256(path.read_bytes()).hexdigest() == file.sha256, path
                looked += 1
    assert looked > 30


def test_a_number_that_nobody_knows_is_answered_with_near_ones():
    with pytest.raises(UnknownName, match=r"no data set has this name\. Did you mean .*107"):
        load_card("1077")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("072", "mbib/072"),
        ("racial-bias", "mbib/racial-bias"),
        ("mbib/racial-bais", "mbib/racial-bias"),
        ("mbib/LIAR", "mbib/072"),
        ("biased sentences", "mbib/038"),
        ("mbib/RedditBias", "mbib/075"),
        ("BABE", "babe"),
        ("mbib/babe", "babe"),
        ("addd/mine", "added/mine"),
        ("open/sentence", "open/sentences"),
        ("sentences", "open/sentences"),
    ],
)
def test_a_wrong_name_is_answered_with_the_right_one(typed, meant):
    with pytest.raises(UnknownName, match=f"Did you mean .*{meant}"):
        parse_name(typed, ["mine"])


def test_a_part_of_the_embedded_data_that_is_no_table_is_told_from_a_wrong_name():
    with pytest.raises(UnknownName, match="slant data show open/wiki"):
        parse_name("open/wiki")


def test_a_name_like_no_other_is_sent_to_the_list():
    with pytest.raises(UnknownName, match="slant data list"):
        parse_name("qqqqqqqqqqqq")


def test_names_of_all_tasks_one_task_one_set_and_an_added_one():
    assert (parse_name("mbib").task, parse_name("mbib").dataset) == (None, None)
    assert parse_name("mbib/fake-news").task == "fake-news"
    assert parse_name("mbib/107/").dataset == "107"
    assert parse_name("added/mine", ["mine"]).dataset == "mine"
    assert parse_name("babe").benchmark == parse_name("babe").dataset == "babe"


def test_a_broken_card_is_one_clear_line():
    with pytest.raises(DataError, match=r"Reading the card 'x\.toml': number: Field required"):
        validated_card({}, "x.toml")
