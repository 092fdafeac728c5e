"""A quantity from outside the texts, read from a table."""

from __future__ import annotations

import pytest

from slant.errors import DataError, UnknownName
from slant.runs.outsidequantities import read_quantity

HEADER = "TotalEmployed\tWomen\tlabel1\tlabel2\n"


def women(path):
    return read_quantity(f"{path}:Women:TotalEmployed")


def test_occupations_are_means_over_rows_with_the_word_weighted_by_the_employed(tmp_path):
    path = tmp_path / "jobs.tsv"
    path.write_text(
        HEADER + '100\t10\t"nurse"\t"aide"\n300\t50\t"nurse"\t"nurse"\n50\t90\t"aide"\t""\n'
    )
    # nurse: (100 x 10 + 300 x 50) / 400 = 40; aide: (100 x 10 + 50 x 90) / 150 = 36.67
    found = women(path)
    assert found.values == {"nurse": 40.0, "aide": pytest.approx(5500 / 150)}
    assert found.weights == {"nurse": 400.0, "aide": 150.0}
    assert found.rows == {"nurse": 2, "aide": 2}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (HEADER + "12\t\tnurse\t\n", "line 2 has '' in the column Women"),
        (HEADER + "12\t5\tnurse\t\nx\t5\taide\t\n", "line 3 has 'x' in the column TotalEmployed"),
        (HEADER + "-3\t5\tnurse\t\n", "line 2 has the weight -3"),
        (HEADER + "0\t5\tnurse\t\n", "no row"),
        (HEADER + "12\n", "line 2 has 'None' in the column Women"),
        (HEADER, "no row"),
        ("", "holds words"),
    ],
)
def test_a_table_of_occupations_that_is_none_is_refused_in_one_line(text, found, tmp_path):
    path = tmp_path / "jobs.tsv"
    path.write_text(text)
    with pytest.raises(DataError, match=found):
        women(path)


def test_a_column_or_a_file_that_is_not_there_is_named(tmp_path):
    path = tmp_path / "jobs.tsv"
    path.write_text("Women\tlabel1\n5\tnurse\n")
    with pytest.raises(UnknownName, match="TotalEmployed"):
        women(path)
    with pytest.raises(DataError, match="no such file"):
        women(tmp_path / "absent.tsv")
