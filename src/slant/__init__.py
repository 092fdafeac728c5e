"""slant measures media bias: examples become folds, folds become predictions, predictions become
counts, counts become estimates, estimates become pages.

Every verb of the command line is a function here: `slant.run`, `slant.run_lineup` for several
systems, `slant.score`, `slant.compare`, `slant.train_study` for several models, `slant.explain`,
`slant.circuit`, `slant.associate` for tests of word sets, `slant.write_report`. They load what they
need when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from slant.report.page import write_report
    from slant.runs.associations import associate
    from slant.runs.circuits import circuit
    from slant.runs.comparing import compare
    from slant.runs.explaining import explain
    from slant.runs.lineups import run_lineup
    from slant.runs.run import run
    from slant.runs.scoring import load_scores, score
    from slant.runs.studies import train_study

__version__ = "0.1.0"
__all__ = [
    "associate",
    "circuit",
    "compare",
    "explain",
    "load_scores",
    "run",
    "run_lineup",
    "score",
    "train_study",
    "write_report",
]

_HOMES = {
    "run": "slant.runs.run",
    "run_lineup": "slant.runs.lineups",
    "score": "slant.runs.scoring",
    "load_scores": "slant.runs.scoring",
    "explain": "slant.runs.explaining",
    "associate": "slant.runs.associations",
    "circuit": "slant.runs.circuits",
    "train_study": "slant.runs.studies",
    "compare": "slant.runs.comparing",
    "write_report": "slant.report.page",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'slant' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)
