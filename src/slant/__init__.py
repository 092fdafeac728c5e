"""slant measures media bias: examples become folds, folds become predictions, predictions become
counts, counts become estimates, estimates become pages.

Every verb of the command line that measures is a function here, and what it returns shows itself
in a notebook and has `to_polars()` and `to_pandas()`: `slant.run`, `slant.run_lineup` for several
systems, `slant.score`, `slant.load_scores`, `slant.compare`, `slant.explain`, `slant.circuit`,
`slant.associate` for tests of word sets, `slant.analyze` for articles, `slant.run_bait`,
`slant.score_bait`, `slant.run_vilbias`, `slant.judge_run`, `slant.score_vilbias`. Those that fill a
folder or a file say what lies there: `slant.train_study` for several models,
`slant.train_detector`, `slant.predict`; for pages `slant.write_report` and `slant.write_analysis`;
for what comes before `slant.add_dataset`, `slant.crawl`, `slant.extract` for dumps,
`slant.train_embeddings`, `slant.convert_annotations`.
They load what they need when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from slant.annotate.conversion import convert_annotations
    from slant.data.added import add_dataset
    from slant.report.analysispage import write_analysis
    from slant.report.notebook import notebook_html
    from slant.report.page import write_report
    from slant.runs.articleresults import analyze
    from slant.runs.associations import associate
    from slant.runs.bait import run_bait
    from slant.runs.baitscoring import score_bait
    from slant.runs.circuits import circuit
    from slant.runs.comparing import compare
    from slant.runs.detectors import train_detector
    from slant.runs.embeddingruns import train_embeddings
    from slant.runs.explaining import explain
    from slant.runs.judging import judge_run
    from slant.runs.lineups import run_lineup
    from slant.runs.predicting import predict
    from slant.runs.run import run
    from slant.runs.scoring import load_scores, score
    from slant.runs.studies import train_study
    from slant.runs.vilbias import run_vilbias
    from slant.runs.vilbiasscoring import score_vilbias
    from slant.wikis.crawl import crawl
    from slant.wikis.extraction import extract

__version__ = "0.1.0"
__all__ = [
    "add_dataset",
    "analyze",
    "associate",
    "circuit",
    "compare",
    "convert_annotations",
    "crawl",
    "explain",
    "extract",
    "judge_run",
    "load_scores",
    "notebook_html",
    "predict",
    "run",
    "run_bait",
    "run_lineup",
    "run_vilbias",
    "score",
    "score_bait",
    "score_vilbias",
    "train_detector",
    "train_embeddings",
    "train_study",
    "write_analysis",
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
    "train_detector": "slant.runs.detectors",
    "predict": "slant.runs.predicting",
    "compare": "slant.runs.comparing",
    "analyze": "slant.runs.articleresults",
    "run_bait": "slant.runs.bait",
    "score_bait": "slant.runs.baitscoring",
    "run_vilbias": "slant.runs.vilbias",
    "judge_run": "slant.runs.judging",
    "score_vilbias": "slant.runs.vilbiasscoring",
    "write_report": "slant.report.page",
    "write_analysis": "slant.report.analysispage",
    "notebook_html": "slant.report.notebook",
    "add_dataset": "slant.data.added",
    "crawl": "slant.wikis.crawl",
    "extract": "slant.wikis.extraction",
    "train_embeddings": "slant.runs.embeddingruns",
    "convert_annotations": "slant.annotate.conversion",
}


class CalledFolder(ModuleType):
    """A folder of the package that has the name of a verb: called, it is the verb."""

    def __call__(self, *given: Any, **named: Any) -> Any:
        """What the verb returns."""
        return _verb(self.__name__.rpartition(".")[2])(*given, **named)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'slant' has no attribute '{name}'")
    return _verb(name)


def _verb(name: str) -> Any:
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
