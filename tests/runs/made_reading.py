"""A detector that needs no training, and articles for it; as a program, one analysis of them."""

import json
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from slant.analysis.analyses import DetectorFacts
from slant.types import Undefined

FACTS = DetectorFacts(
    name="made#1", task="made", says="the sentence has an e", f1=Undefined("made up"),
    measured="nothing", threshold=0.5, calibration="none",
)  # fmt: skip


@dataclass
class MadeDetector:
    """Says of a sentence which share of its letters is an e, more slowly if asked to."""

    seconds: float = 0.0
    facts: DetectorFacts = field(default=FACTS)
    weighs_from: float = 2.0

    def probabilities(self, texts):
        time.sleep(self.seconds)
        share = [min(1.0, 8 * text.count("e") / (len(text) or 1)) for text in texts]
        return np.array([[p, max(0, p - 0.1), min(1, p + 0.1)] for p in share])

    def contributions(self, texts):
        return None


def write_articles(path: Path, number: int) -> Path:
    """`number` articles of two outlets, as rows of JSON."""
    rows = [
        {"id": f"r{i}", "title": f"Council {i}", "outlet": "AB"[i % 2], "date": f"2020-0{i % 3 + 1}-02",
         "topic": "city", "text": f"The council of town {i} met. They were the meekest, he said. "
         f"Nobody in town {i} was at all glad about it."}
        for i in range(number)
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


if __name__ == "__main__":
    from slant.runs import analysing

    target, out, seconds, jobs = sys.argv[1:]
    analysing.analysis_detectors = lambda folders: [MadeDetector(float(seconds))]
    analysing.analyse([target], out, language="en", jobs=int(jobs), command="slant analyze made")
