"""`slant.analyze`: articles read sentence by sentence, as results that show themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slant.analysis.analyses import Analysis
from slant.analysis.analysisjson import analysis_json
from slant.analysis.intake import read_any, read_document
from slant.analysis.rows import profile_rows, sentence_rows
from slant.errors import OptionError
from slant.runs.analysing import analyse, analysed_articles
from slant.runs.analysistables import PROFILES, sentence_table, table_frame
from slant.runs.results import Framed

if TYPE_CHECKING:
    import polars as pl

GIVEN = "text"
"""How a text is called that was given as it is."""


class Analyses(Framed, list[dict[str, Any]]):
    """A few analysed articles, each as a line of analyses.jsonl. Tables: sentences, profiles."""

    tables = {"sentences": "a sentence and detector", "profiles": "an article and measure"}  # noqa: RUF012

    def __init__(self, analyses: Iterable[Analysis]) -> None:
        self.made = tuple(analyses)
        super().__init__(analysis_json(one) for one in self.made)

    def __reduce__(self) -> tuple[type[Analyses], tuple[tuple[Analysis, ...]]]:
        return Analyses, (self.made,)

    def _frame(self, table: str) -> pl.DataFrame:
        if table == "profiles":
            return table_frame([row for one in self.made for row in profile_rows(one)], PROFILES)
        facts = {facts.name: facts for one in self.made for facts in one.detectors}
        rows = [row for one in self.made for row in sentence_rows(one)]
        return table_frame(rows, sentence_table(facts.values()))

    def __repr__(self) -> str:
        sentences = sum(len(one["sentences"]) for one in self)
        return f"<Analyses of {len(self)} articles, {sentences} sentences>"


class AnalysedFolder(Framed, dict[str, Any]):
    """The summary of articles analysed into a folder. Tables: sentences, profiles, groups,
    events."""

    tables = {  # noqa: RUF012
        "sentences": "a sentence and detector",
        "profiles": "an article and measure",
        "groups": "a group of articles and measure",
        "events": "an article of an event",
    }

    def _frame(self, table: str) -> pl.DataFrame:
        import polars as pl

        return pl.read_parquet(Path(self["out"]) / f"{table}.parquet", glob=False)

    def __repr__(self) -> str:
        return f"<AnalysedFolder {self['out']!r}: {self['signature']}>"


def analyze(
    targets: str | Sequence[str] = (),
    out: Path | str | None = None,
    *,
    text: str | None = None,
    **same: Any,
) -> Analyses | AnalysedFolder:
    """Read articles sentence by sentence, with the words and cues behind every verdict.

    Args:
        targets: files, folders, addresses; see `analysis.intake.read_any`.
        out: a folder for all results; None: at most 20 articles are analysed and nothing is kept.
        text: an article itself, instead of targets and without a folder.
        same: detectors, schema, language and columns, and with a folder what else
            `runs.analysing.analyse` takes.

    Returns:
        The analyses, or with a folder its summary; `slant.write_analysis` makes pages of a folder.

    Raises:
        OptionError: both a text and targets or a folder. SlantError: see the message.
    """
    named = [targets] if isinstance(targets, str) else list(targets)
    if text is not None and (named or out is not None):
        found = "targets or a folder were given, too"
        raise OptionError("Analysing a text", found, "Give the text alone")
    if out is not None:
        return AnalysedFolder(analyse(named, out, **same))
    how = {name: same.pop(name) for name in ("language", "columns") if name in same}
    if text is None:
        return Analyses(analysed_articles(partial(read_any, named, **how), **same))
    # A lone surrogate is told as what it is: bytes that are no text.
    data = text.encode("utf-8", "surrogatepass")
    return Analyses(analysed_articles(partial(read_document, data, GIVEN, **how), **same))
