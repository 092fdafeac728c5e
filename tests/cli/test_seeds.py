"""What options say that more than one command has."""

from __future__ import annotations

import json

import pytest
from called import slant

from slant.cli.options import seed_list
from slant.errors import OptionError


def test_a_number_of_seeds_is_not_a_seed():
    assert seed_list("5") == [42, 43, 44, 45, 46]
    assert seed_list("5,") == [5]
    # 42 is the default seed elsewhere: 42 models are hardly meant.
    for wrong in ("five", "0", "", "1.5", "42"):
        with pytest.raises(OptionError, match="--seeds"):
            seed_list(wrong)


def test_a_run_has_one_seed_or_several(capsys, tmp_path):
    given = ["run", "open/pairs", "--system", "majority", "--jobs", 1, "--json"]

    def seeds(*more):
        code, out, err = slant(capsys, *given, "--out", tmp_path / "".join(map(str, more)), *more)
        return json.loads(out)["seeds"] if code == 0 else err

    assert seeds("--seed", 7) == [7]
    assert seeds("--seeds", 3) == [42, 43, 44]
    assert seeds("--seeds", "7,9") == [7, 9]
    assert "Leave one of them out" in seeds("--seed", 7, "--seeds", 3)
