"""What the verbs return: plain dicts, lists and records that show themselves in a notebook and
give long tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import slant
from slant.errors import unknown_name
from slant.runs import tidymodels, tidyscores, tidystudies
from slant.runs.tidytables import Row, Tidy, pandas_frame, tidy_frame
from slant.types import Run

if TYPE_CHECKING:
    import polars as pl

Known = Mapping[str, tuple[Tidy, Callable[[Any], Iterable[Row]]]]
"""Long tables by name: what they hold, and the function of the result that gives their rows."""


class Framed(ABC):
    """A result with long tables, the main one first."""

    __slots__ = ()

    @property
    @abstractmethod
    def tables(self) -> Mapping[str, Any]:
        """The names of its long tables, and what each holds."""

    @abstractmethod
    def _frame(self, table: str) -> pl.DataFrame:
        """The table of one of these names."""

    def to_polars(self, table: str = "") -> pl.DataFrame:
        """One of its long tables, unrounded.

        Args:
            table: a name of `tables`; empty: the main one.

        Raises:
            UnknownName: no such table.
        """
        name = table or next(iter(self.tables))
        if name not in self.tables:
            raise unknown_name("table", name, self.tables)
        return self._frame(name)

    def to_pandas(self, table: str = "") -> Any:
        """The same as `to_polars`, for pandas.

        Raises:
            MissingExtra: pandas is not installed. UnknownName: no such table.
        """
        return pandas_frame(self.to_polars(table))

    def _repr_html_(self) -> str:
        # The report draws tables and stands above the runs; the package's front knows both.
        return slant.notebook_html(self)


class Tabled(Framed):
    """A result whose long tables are made of rows."""

    __slots__ = ()
    known: ClassVar[Known]

    @property
    def tables(self) -> dict[str, Tidy]:
        """The names of its long tables, and what each holds."""
        return {name: table for name, (table, _) in self.known.items()}

    def _frame(self, table: str) -> pl.DataFrame:
        tidy, rows = self.known[table]
        return tidy_frame(rows(self), tidy)


class _Document(Tabled, dict[str, Any]):
    """The content of a JSON file."""

    def __repr__(self) -> str:
        told = str(self.get("signature") or self.get("task") or "")
        return f"<{type(self).__name__} {told[:57]}{'...' * (len(told) > 57)}>"


class Scores(_Document):
    """The content of a run's scores.json. Tables: scores."""

    known = MappingProxyType({"scores": (tidyscores.SCORES, tidyscores.score_rows)})

    def __repr__(self) -> str:
        return f"<Scores of {self['system']} on {_listed(self['tasks'])}>"


class LoadedScores(NamedTuple):
    """A run's run.json and scores.json."""

    record: dict[str, Any]
    scores: Scores

    def to_polars(self, table: str = "") -> pl.DataFrame:
        """As `Scores.to_polars`."""
        return self.scores.to_polars(table)

    def to_pandas(self, table: str = "") -> Any:
        """As `Scores.to_pandas`."""
        return self.scores.to_pandas(table)

    def __repr__(self) -> str:
        return f"<LoadedScores {self.scores!r}>"

    def _repr_html_(self) -> str:
        return slant.notebook_html(self.scores)


def _listed(names: Iterable[str], most: int = 3) -> str:
    every = list(names)
    return ", ".join(every[:most]) + (", ..." if len(every) > most else "")


def run_score_rows(run: RunResult) -> Iterator[Row]:
    """Rows of `tidyscores.SCORES`."""
    return tidyscores.score_rows(run.scores, str(run.folder))


def prediction_rows(run: RunResult) -> Iterator[Row]:
    """Rows of `tidyscores.PREDICTIONS`: what the system said, beside the gold of the data.

    Raises:
        RunError: the data here are not those of the run, or a cell is missing.
    """
    from slant.runs.outcomes import outcomes
    from slant.runs.records import read_record
    from slant.runs.scoring import prepared_again
    from slant.tasks.options import Options

    asked = read_record(run.folder)
    options = Options(**asked["options"])
    ready = prepared_again(run.folder, asked, options, run.data)
    for task in asked["tasks"]:
        of_task = [one for one in ready if one.task == task]
        same = {"run": str(run.folder), "system": asked["system"], "task": task}
        for row in outcomes(run.folder, of_task, options.splits).iter_rows(named=True):
            yield {**same, **row}


@dataclass(frozen=True, slots=True, repr=False)
class RunResult(Tabled, Run):
    """A run on disk. Tables: scores, predictions.

    Fields:
        data: the folder whose data it was made with; None: as for `run`.
    """

    known: ClassVar[Known] = MappingProxyType(
        {
            "scores": (tidyscores.SCORES, run_score_rows),
            "predictions": (tidyscores.PREDICTIONS, prediction_rows),
        }
    )
    data: Path | None = field(default=None, compare=False)

    @property
    def scores(self) -> Scores:
        """Its scores.json.

        Raises:
            RunError: it is not scored, as a part of a run and a dry one are not.
        """
        from slant.runs.records import read_scores

        return Scores(read_scores(self.folder))

    def __repr__(self) -> str:
        return f"<RunResult {str(self.folder)!r}: {self.system} on {_listed(self.tasks)}>"


class RunResults(Tabled, list[RunResult]):
    """Runs beside each other. Tables: scores, predictions."""

    known = MappingProxyType(
        {
            "scores": (tidyscores.SCORES, lambda runs: chain(*map(run_score_rows, runs))),
            "predictions": (
                tidyscores.PREDICTIONS,
                lambda runs: chain(*map(prediction_rows, runs)),
            ),
        }
    )

    def __repr__(self) -> str:
        return f"<RunResults of {len(self)}: {', '.join(one.system for one in self)}>"


class Comparisons(Tabled, list[dict[str, Any]]):
    """Pairs of runs, each as compare.json has it. Tables: comparisons."""

    known = MappingProxyType({"comparisons": (tidyscores.COMPARISONS, tidyscores.comparison_rows)})

    def __repr__(self) -> str:
        pairs = [f"{one['systems'][1]} against {one['systems'][0]}" for one in self]
        return f"<Comparisons of {len(self)}: {'; '.join(pairs)}>"


class Explanations(_Document):
    """The content of explain.json. Tables: estimates, differences, words."""

    known = MappingProxyType(
        {
            "estimates": (tidystudies.EXPLANATIONS, tidystudies.explanation_rows),
            "differences": (tidystudies.DIFFERENCES, tidystudies.difference_rows),
            "words": (tidystudies.EXPLAINED_WORDS, tidystudies.explained_word_rows),
        }
    )


class Circuits(_Document):
    """The content of circuit.json. Tables: circuits, heads."""

    known = MappingProxyType(
        {
            "circuits": (tidystudies.CIRCUITS, tidystudies.circuit_rows),
            "heads": (tidystudies.HEADS, tidystudies.head_rows),
        }
    )


class Associations(_Document):
    """The content of associations.json. Tables: tests, words, compared."""

    known = MappingProxyType(
        {
            "tests": (tidystudies.ASSOCIATIONS, tidystudies.association_rows),
            "words": (tidystudies.WORDS, tidystudies.word_rows),
            "compared": (tidystudies.CORPORA, tidystudies.corpus_rows),
        }
    )


class BaitScores(_Document):
    """The content of scores.json of a run of BAIT. Tables: scores, comparisons."""

    known = MappingProxyType(
        {
            "scores": (tidymodels.BAIT, tidymodels.bait_rows),
            "comparisons": (tidymodels.BAIT_TESTS, tidymodels.bait_test_rows),
        }
    )


class VilbiasScores(_Document):
    """The content of scores.json of a run of ViLBias. Tables: scores, gaps."""

    known = MappingProxyType(
        {
            "scores": (tidymodels.VILBIAS, tidymodels.vilbias_rows),
            "gaps": (tidymodels.GAPS, tidymodels.gap_rows),
        }
    )


class AskedQuestions(_Document):
    """What became of the questions of a run of language models. Tables: counts, errors."""

    known = MappingProxyType(
        {
            "counts": (tidymodels.ASKED, tidymodels.asked_rows),
            "errors": (tidymodels.ERRORS, tidymodels.error_rows),
        }
    )

    def __repr__(self) -> str:
        told = ", ".join(f"{name} {self[name]}" for name in tidymodels.COUNTS if name in self)
        return f"<AskedQuestions {told}>"
