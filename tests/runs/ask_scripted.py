"""A process that asks the scripted server, for tests that kill it: FOLDER URL."""

from __future__ import annotations

import sys
from pathlib import Path

from scriptedmodel import MODEL, made_articles

from slant.data.schemas import load_schema
from slant.runs.bait import run_bait
from slant.runs.baitbudget import AskingLimits
from slant.runs.baitdata import BaitData
from slant.runs.baitplan import BaitSettings

ARTICLES = made_articles(25)
SETTINGS = BaitSettings(shots=(0, 3), draws=(17,), zero_shot_runs=1)


def ask(folder: Path, url: str) -> dict:
    """All questions that have no answer, four at a time, each attempted once."""
    return run_bait(
        BaitData("made", load_schema("bait"), ARTICLES),
        folder,
        models=[MODEL],
        settings=SETTINGS,
        limits=AskingLimits(max_connections=4, max_retries=0, timeout=60),
        model_args={"max_retries": 0},
        base_url=url,
    )


if __name__ == "__main__":
    ask(Path(sys.argv[1]), sys.argv[2])
