"""Sheets on which people mark what judges ruled, and how far both agree."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from slant.data.formulas import disarmed
from slant.data.writing import replacing
from slant.errors import DataError, OptionError, RunError
from slant.runs.baitanswers import slug
from slant.runs.judgeplan import open_answers
from slant.runs.modelmessages import data_url
from slant.runs.store import write_json
from slant.runs.taskscores import shown_estimate
from slant.runs.verdictjournals import VerdictJournal, judged_sum, verdicts_path
from slant.runs.vilbiasfiles import RUN_AGAIN
from slant.runs.vilbiasfolder import gold_rows, read_record
from slant.runs.vilbiasrecords import HUMAN
from slant.stats.resampling import generator
from slant.systems.pairanswers import pair_answer
from slant.systems.plantedrationales import FAITHFUL
from slant.systems.verdicts import SUPPORTS, verdict
from slant.types import Undefined

QUESTIONS: Final = (SUPPORTS, FAITHFUL)
COLUMNS: Final = ("key", "text", "image", "right_label", "rationale", *QUESTIONS, "note")
ASKED: Final = {
    SUPPORTS: "Does the rationale give reasons for the right label?",
    FAITHFUL: "Is every claim of the rationale supported by the text or the image?",
}
_YES, _NO = {"yes", "y", "1", "true"}, {"no", "n", "0", "false"}


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A rationale on a sheet.

    Fields:
        key: stands for model, run and pair, which the person is not told.
        item: id of the pair.
        cluster: what is resampled as one.
        text, label, rationale: what is to be marked, 1 biased, 0 not.
        image: path in the run folder, None where there is none.
        ruled: by judge, its ruling by question: the majority of its verdicts, a tie being a no;
            empty where it has no verdict on this rationale that can be read.
    """

    key: str
    item: str
    cluster: str
    text: str
    label: int
    rationale: str
    image: str | None
    ruled: Mapping[str, Mapping[str, bool]]


def rationale_rows(folder: Path) -> list[SheetRow]:
    """Every rationale of a run, whatever judges made of it.

    Raises:
        RunError: no run, no open answers, or none with a rationale.
    """
    asked = f"Making a sheet of the run '{folder}'"
    record = read_record(folder)
    if record is None:
        raise RunError(asked, "it has no run.json", RUN_AGAIN)
    gold = gold_rows(folder)
    rows = []
    for system, run, answers in open_answers(folder, record):
        journals = {
            one.name: VerdictJournal(verdicts_path(folder, one.name, system, run))
            for one in record.judges
        }
        for item, stored in answers.items():
            rationale = pair_answer(stored.raw, open_ended=True, stop=stored.stop).rationale
            if rationale is None or item not in gold:
                continue
            one = gold[item]
            sum_ = judged_sum(one["label"], rationale)
            ruled = {name: _ruled(journal, item, sum_) for name, journal in journals.items()}
            key = hashlib.sha256(f"{slug(system)}|{run}|{item}".encode()).hexdigest()[:12]
            cluster = one.get("pair") or item
            rows.append(
                SheetRow(
                    key, item, cluster, one["text"], one["label"], rationale, one.get("image"),
                    ruled,
                )
            )  # fmt: skip
    if not rows:
        raise RunError(asked, "no answer has a rationale", "Ask again with --open")
    return rows


def sheet_rows(folder: Path, number: int, seed: int) -> list[SheetRow]:
    """A random sample of the rationales, in a random order.

    Rule: simple and without regard to verdicts, also to whether there are any, so that agreement on
    the sample estimates that on all; a larger number keeps the rows of a smaller one.

    Args:
        folder: of the run.
        number: of rows; all where there are fewer.
        seed: of the draw.

    Raises:
        RunError, OptionError.
    """
    if number < 1:
        raise OptionError(f"Reading --n {number}", "a sheet has rows", "Give 1 or more")
    rows = sorted(rationale_rows(folder), key=lambda one: one.key)
    order = generator(seed, ("vilbias", "sheet")).permutation(len(rows))
    return [rows[place] for place in order[:number]]


def write_sheet(rows: Iterable[SheetRow], path: Path) -> None:
    """Write a sheet as CSV, with blank columns for the marks (yes or no).

    Rule: a cell that a spreadsheet would compute gets a ' before it.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for one in rows:
        label = "biased" if one.label else "not biased"
        cells = [one.key, one.text, one.image or "", label, one.rationale, "", "", ""]
        writer.writerow(map(disarmed, cells))
    with replacing(path) as temporary:
        temporary.write_text(out.getvalue(), "utf-8", newline="")


def shown_rows(folder: Path, rows: Iterable[SheetRow]) -> list[dict[str, Any]]:
    """What a page with the sheet shows: the rows without rulings, images as data URLs.

    Raises:
        RunError: an image of the run folder is not there.
    """
    shown = []
    for one in rows:
        image = None
        if one.image is not None:
            try:
                image = data_url((folder / one.image).read_bytes())
            except OSError as error:
                found = f"it cannot be read ({error.strerror or error})"
                raise RunError(f"Reading '{folder / one.image}'", found, RUN_AGAIN) from None
        label = "biased" if one.label else "not biased"
        shown.append(
            {"key": one.key, "text": one.text, "image": image, "label": label}
            | {"rationale": one.rationale}
        )
    return shown


def read_marks(path: Path, keys: Iterable[str]) -> dict[str, dict[str, bool]]:
    """The marks of a sheet that was filled in: by key, the questions that were answered.

    Args:
        path: CSV, TSV, JSONL or Parquet with the columns key, supports_gold, faithful.
        keys: of the run's rationales.

    Raises:
        DataError: no such file or column, a key that the run does not have or that stands twice, a
            mark that is neither yes nor no, no mark at all.
    """
    from slant.data.given import read_given

    given = read_given(path)
    asked, known = f"Reading the marks '{path}'", set(keys)
    marks: dict[str, dict[str, bool]] = {}
    columns = {name: given.column(name) for name in QUESTIONS}
    for row, key in enumerate(given.unique("key")):
        where = f"{given.unit} {row + given.first}"
        if key not in known:
            found = f"{where} has the key '{key}', which no rationale of the run has"
            raise DataError(asked, found, "Give the sheet that was made of this run")
        for name, cells in columns.items():
            mark = cells[row].strip().casefold()
            if mark and mark not in _YES | _NO:
                found = f"{where} has '{cells[row][:40]}' in the column '{name}'"
                raise DataError(asked, found, "Write yes or no, or leave the cell empty")
            if mark:
                marks.setdefault(key, {})[name] = mark in _YES
    if not marks:
        raise DataError(asked, "no row is marked", "Fill the columns with yes or no")
    return marks


def sheet_agreement(
    folder: Path, marks: Path, *, level: float = 0.95, resamples: int = 1000, seed: int = 42
) -> dict[str, Any]:
    """How far each judge agrees with a person's marks; written to human.json of the run.

    Rule: a judge is compared on the marked rationales on which it has a verdict that can be read.

    Args:
        folder: of the run.
        marks: the sheet, filled in.
        level, resamples, seed: of the bootstrap over pairs and their twins.

    Returns:
        "marks" (the file), "rows" (marked), and "judges": for each judge and question "judge",
        "question", "n", "both_yes", "only_judge", "only_person", "both_no", "agreed" and "kappa",
        each with value, low, high (Cohen's; None with "why" where it is undefined).

    Raises:
        RunError: no run, no rationale, or no judge was asked. DataError: the marks do not fit.
    """
    rows = {one.key: one for one in rationale_rows(folder)}
    judges = list(next(iter(rows.values())).ruled)
    if not judges:
        asked = f"Comparing judges of '{folder}' with marks"
        raise RunError(asked, "no judge was asked", "Run `slant vilbias judge` first")
    given = read_marks(marks, rows)
    told = []
    for judge in judges:
        for question in QUESTIONS:
            pairs = [
                (rows[key], said[question], rows[key].ruled[judge][question])
                for key, said in given.items()
                if question in said and rows[key].ruled[judge]
            ]
            one = {"judge": judge, "question": question, "n": len(pairs)}
            told.append(one | _agreement(pairs, level, resamples, seed))
    content = {"marks": marks.name, "rows": len(given), "level": level, "judges": told}
    write_json(folder / HUMAN, content)
    return content


def _agreement(
    pairs: Sequence[tuple[SheetRow, bool, bool]], level: float, resamples: int, seed: int
) -> dict[str, Any]:
    from slant.metrics.kappas import agreed_share, kappa_kernel
    from slant.metrics.tallies import binary_tally, cluster_counts, pooled
    from slant.stats.intervals import bootstrap_many, wilson

    if not pairs:
        none = shown_estimate(Undefined("no marked rationale has a verdict of this judge"))
        counts = dict.fromkeys(("both_yes", "only_judge", "only_person", "both_no"), 0)
        return {**counts, "agreed": none, "kappa": none}
    tally = binary_tally(
        [int(person) for _, person, _ in pairs],
        [int(judge) for _, _, judge in pairs],
        [row.key for row, _, _ in pairs],
        groups=["all"] * len(pairs),
        clusters=[row.cluster for row, _, _ in pairs],
        group_names=("all",),
    )
    both, judge, person, neither = pooled(tally).tolist()
    distinct, multiplicity, _ = cluster_counts(tally)
    found = bootstrap_many(
        [(distinct, multiplicity)],
        {
            "agreed": lambda counts: agreed_share(counts)[..., 0],
            "kappa": lambda counts: kappa_kernel(counts)[..., 0],
        },
        combine="pool", level=level, resamples=resamples, seed=seed,
        names=("vilbias", "marks"), method="percentile",
    )  # fmt: skip
    shown = {name: shown_estimate(one) for name, one in found.items()}
    if shown["agreed"]["low"] == shown["agreed"]["high"] and neither + both in (0, len(pairs)):
        # every resample is the same, and would call the share certain
        units = len({row.cluster for row, _, _ in pairs})
        shown["agreed"] = shown_estimate(wilson(units * bool(neither + both), units, level))
    if not all((both + judge, person + neither, both + person, judge + neither)):
        # where one of the two always says the same, kappa is 0 whatever pairs are drawn
        shown["kappa"] |= {"low": None, "high": None}
    return {
        "both_yes": both, "only_judge": judge, "only_person": person, "both_no": neither, **shown
    }  # fmt: skip


def _ruled(journal: VerdictJournal, item: str, sum_: str) -> dict[str, bool]:
    from slant.metrics.pairs import majority

    read = [
        found
        for place, one in journal.verdicts.items()
        if place.item == item and one.judged == sum_
        if not (found := verdict(one.reply.raw, one.reply.stop)).fault
    ]
    if not read:
        return {}
    return {
        SUPPORTS: bool(majority(one.supports_gold for one in read).value),
        FAITHFUL: bool(majority(one.faithful for one in read).value),
    }
