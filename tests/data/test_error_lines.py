"""What an error says fits one line, whatever it quotes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from slant.errors import LONGEST, SlantError, unknown_name

ANY = st.text(st.characters(exclude_categories=[]), max_size=1500)


@given(ANY, ANY, ANY)
def test_an_error_is_one_line_that_a_terminal_shows(asked, found, do):
    said = str(SlantError(f"Reading '{asked}'", f"it has {found}", f"Mend {do}"))
    assert "\n" not in said
    assert len(said) < 3 * (LONGEST + 10)
    said.encode()
    assert not any(sign < " " or "\x7f" <= sign < "\xa0" for sign in said)


def test_the_middle_of_a_long_sentence_is_left_out():
    error = SlantError("Reading it", "x" * 1000, "Mend it")
    assert error.found == f"{'x' * 200} ... {'x' * 200}"


def test_long_names_are_cut_in_the_list_of_those_known():
    said = str(unknown_name("column", "y" * 500, ["x" * 5000, "text"]))
    assert len(said) < 400
    assert "text" in said
