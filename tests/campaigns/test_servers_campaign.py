"""The campaign of servers that misbehave runs, and tells of what is lost or asked twice."""

from __future__ import annotations

import pytest
from conducting import conducted, ran

LIE = """
import faultyservers, servers
drop = faultyservers.FAULTS["dropped in the body"].send
faultyservers.FAULTS["a lie"] = faultyservers.Fault(True, drop)
row, _ = servers.trial(4, 1, ["bait run", "a lie"])
print(row.tried - row.held, row.figures["asked twice"], *row.failures, sep="\\n")
"""


@pytest.fixture(scope="module", autouse=True)
def inspect_here():
    pytest.importorskip("inspect_ai", reason="inspect-ai is not installed: pip install slant[llm]")
    pytest.importorskip("PIL", reason="Pillow is not installed: pip install slant[vision]")


def test_a_few_faults_of_two_kinds_lose_nothing_and_ask_nothing_twice(tmp_path):
    names = ["bait run", "answered twice", "503"]
    only = [word for name in names for word in ("--only", name)]
    done, rows = conducted(tmp_path, "campaigns/servers.py", "--times", "4", *only)
    assert done.returncode == 0, done.stdout + done.stderr
    kinds = ["503", "answered twice", "all kinds side by side"]
    assert [row["what"] for row in rows.values()] == [f"bait run: {kind}" for kind in kinds]
    for row in rows.values():
        assert row["tried"] == row["held"] > 0
        assert row["figures"]["faults"] >= 4
        assert (row["figures"]["lost"], row["figures"]["asked twice"]) == (0, 0)


def test_answers_that_a_server_believes_to_have_given_are_told_as_asked_twice():
    done = ran("-c", LIE)
    assert done.returncode == 0, done.stderr
    wrong, twice, *failures = done.stdout.splitlines()
    assert int(wrong) >= 1
    assert int(twice) >= 4
    assert f"{twice} asked twice" in failures
