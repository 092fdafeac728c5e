"""The servers of the tests, for campaigns too: models that answer as told, a wiki, a detector."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.extend(str(Path(__file__).parents[1] / "tests" / name) for name in ("runs", "wikis"))

from made_reading import MadeDetector
from scriptedmodel import CODES, made_articles
from scriptedserver import KEY, completion, listening
from scriptedwiki import Said, made_pages, serving

__all__ = [
    "CODES", "KEY", "MadeDetector", "Said", "completion", "listening", "made_articles",
    "made_pages", "serving",
]  # fmt: skip
