"""A process that asks models and then judges, for tests that kill it: FOLDER IMAGES URL."""

from __future__ import annotations

import sys
from pathlib import Path

from scriptedvision import JUDGE, VISION, made_pairs

from slant.runs.baitbudget import AskingLimits
from slant.runs.judgeplan import JudgeSettings
from slant.runs.judging import judge_run
from slant.runs.vilbias import run_vilbias
from slant.runs.vilbiasplan import VilbiasSettings

TESTED = 12
LIMITS = AskingLimits(max_connections=4, max_retries=0, timeout=60)


def ask(folder: Path, images: Path, url: str) -> dict:
    """All open questions and verdicts that are not there, four at a time, each attempted once."""
    asked = run_vilbias(
        made_pairs(images, TESTED), folder, models=[VISION],
        settings=VilbiasSettings(modes=("closed", "open")), limits=LIMITS,
        model_args={"max_retries": 0}, base_url=url,
    )  # fmt: skip
    judged = judge_run(
        folder, [JUDGE], settings=JudgeSettings(planted=1), limits=LIMITS,
        model_args={"max_retries": 0}, base_url=url,
    )  # fmt: skip
    return {"asked": asked, "judged": judged}


if __name__ == "__main__":
    ask(*map(Path, sys.argv[1:3]), sys.argv[3])
