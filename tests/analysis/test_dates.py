"""Dates: read where there is one way, kept as text where there are two or none."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.analysis.dates import date_doubt, date_readings, is_date, iso_date, told_date
from slant.errors import UnknownName


@pytest.mark.parametrize(
    ("said", "order", "read"),
    [
        ("03/04/2019", None, ""), ("03/04/2019", "dmy", "2019-04-03"),
        ("03/04/2019", "mdy", "2019-03-04"), ("03/04/2019", "ymd", ""),
        ("25/04/2019", None, "2019-04-25"), ("04/25/2019", None, "2019-04-25"),
        ("04.04.2019", None, "2019-04-04"), ("31-12-2019", None, "2019-12-31"),
        ("25/04/2019", "mdy", ""), ("30/02/2019", None, ""), ("03/04.2019", None, ""),
        # a year of four digits in front is one whatever the order
        ("2019/4/3", None, "2019-04-03"), ("2019.04.03", "dmy", "2019-04-03"),
        # two digits: dmy, mdy and ymd are all dates
        ("03/04/19", None, ""), ("03/04/19", "ymd", "2003-04-19"), ("03/04/68", "dmy", "2068-04-03"),
        ("03/04/69", "dmy", "1969-04-03"),
        ("3/4/2019 9:05 pm", "dmy", "2019-04-03T21:05:00"), ("25/04/2019 12:00 AM", None, "2019-04-25T00:00:00"),
        ("25/04/2019 25:00", None, ""), ("25/04/2019 0:30 am", None, ""),
        ("April 2, 2019", None, "2019-04-02"), ("2019-04-02", "dmy", "2019-04-02"),
        (None, None, ""), ("last week", None, ""), (20190402, None, "2019-04-02"),
    ],
)  # fmt: skip
def test_a_date_is_read_where_there_is_one_way_to_read_it(said, order, read):
    assert iso_date(said, order) == read
    assert told_date(said, order) == (read or (said or ""))


def test_the_doubt_names_what_stands_there_and_how_it_could_be_read():
    assert "2019-04-03 or as 2019-03-04" in date_doubt("03/04/2019")
    assert "no date in the order" in date_doubt(told_date("25/04/2019", "mdy"))
    assert "no form" in date_doubt("30/02/2019")
    assert date_doubt("2019-04-02T10:00:00+00:00") == date_doubt("") == ""


def test_an_order_that_is_none_is_refused():
    with pytest.raises(UnknownName, match="dmy"):
        iso_date("03/04/2019", "dym")


@given(st.dates(date(1970, 1, 1), date(2068, 12, 31)), st.sampled_from(["dmy", "mdy", "ymd"]))
def test_what_is_written_in_an_order_is_read_in_it(day, order):
    form = "/".join({"d": "%d", "m": "%m", "y": "%Y"}[one] for one in order)
    assert iso_date(day.strftime(form), order) == day.isoformat()
    assert day.isoformat() in date_readings(day.strftime(form), None)


@given(st.text(max_size=40) | st.datetimes())
def test_no_date_is_lost_or_raises(said):
    told = told_date(said)
    if isinstance(said, datetime):
        assert is_date(told)
    assert bool(told) == bool(str(said).split())
    assert is_date(told) or not told or date_doubt(told)
