"""A scored run of BAIT -> tables of its gold, its annotators and its answers: 2, 3, 5 and 7."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from slant.report.bait import Bait, Read, System, level_text, number_cell
from slant.report.baitboards import placed
from slant.report.baitnames import FAULT_NAMES, STEP_NAMES, articles_text, shots_text
from slant.report.sentences import joined
from slant.report.tables import Cell, Row, Table, counted, rounded, score_cell, tenths

_NO_SPAN = "There is no span."
_AGREEMENT = ("kappa", "p_o", "p_e", "ac1", "token_f1", "alpha_u")


def gold_board(found: Bait, name: str) -> Table | None:
    """How often each bias is in the gold, and how long its spans are: tables 3 and 5."""
    gold: Read | None = found.read.get("gold")
    if not gold:
        return None
    rows = [
        Row((Cell(found.category(code).label), *_gold_cells(one)))
        for code, one in gold["biases"].items()
    ]
    rows.append(Row((Cell("all"), *_gold_cells(gold["total"])), control=True))
    words = gold["words"]
    empty = counted(int(gold["empty"]))
    return Table(
        name,
        f"The gold: {articles_text(int(gold['articles']))} of {tenths(float(words['mean']))} words "
        f"in the mean and {tenths(float(words['median']))} in the median, {empty} of them without "
        "any bias. Articles: those that have the bias; share: of all spans; length: mean number of "
        "words of a span; of several spans: triggers of two or more.",
        ("bias", "articles", "triggers", "of several spans", "spans", "share", "length"),
        tuple(rows),
        signature=found.signature,
    )


def _gold_cells(one: Read) -> tuple[Cell, ...]:
    counts = (
        Cell(int(one[key]), "count") for key in ("articles", "triggers", "multi_span", "spans")
    )
    share = number_cell(one.get("share"), "score", _NO_SPAN)
    return (*counts, share, number_cell(one.get("mean_words"), "mean", _NO_SPAN))


def agreement_boards(found: Bait, name: str) -> list[Table]:
    """How far every two annotators agree on each bias before adjudication: table 2."""
    first = found.read.get("agreement")
    every = found.read.get("agreements") or ([first] if first else [])
    return [
        agreement_table(
            read,
            name if n == 1 else f"{name}-{n}",
            lambda code: found.category(code).label,
            level_text(found),
            found.signature,
        )
        for n, read in enumerate(every, 1)
    ]


def agreement_table(
    read: Read, name: str, label: Callable[[str], str], level: str, signature: str = ""
) -> Table:
    """How far two annotators agree on each bias.

    Args:
        read: of `annotate.concordance.agreement`.
        name: of the table.
        label: code -> the bias as it is shown.
        level: of the intervals, in words.
        signature: what its numbers were measured by.
    """
    people = [str(one) for one in read["annotators"]]
    rows = [
        Row(
            (
                Cell(label(code)),
                *(Cell(int(one[side]), "count") for side in ("a", "b", "both")),
                *(_agreed(one, key) for key in _AGREEMENT),
            )
        )
        for code, one in read["biases"].items()
    ]
    mean = read["mean"]
    rows.append(
        Row((Cell("mean"), *(Cell(""),) * 3, *(_agreed(mean, key) for key in _AGREEMENT)),
            control=True)
    )  # fmt: skip
    return Table(
        name,
        f"Agreement of the annotators {joined(people)} before adjudication, over "
        f"{articles_text(int(read['articles']))}. On presence in an article: Cohen's kappa, raw "
        "agreement, agreement by chance, Gwet's AC1; on passages: F1 of words, and "
        f"Krippendorff's unitising alpha. Brackets hold {level}.",
        ("bias", *(f"articles of {one}" for one in people), "both", "kappa", "raw", "by chance",
         "AC1", "word F1", "alpha_u"),
        tuple(rows),
        notes=(
            "Where a bias is rare, agreement by chance is high and kappa low whatever the "
            "annotators do; AC1 is less so. Means are over the biases that have a value.",
        ),
        signature=signature,
    )  # fmt: skip


def _agreed(one: Read, key: str) -> Cell:
    value = one.get(key)
    if isinstance(value, Mapping):
        return score_cell(value, missing="It is undefined here.")
    return number_cell(value, "score", "It was not computed.")


def step_board(found: Bait, name: str) -> Table | None:
    """By which step the returned strings were located: table 7."""
    having = [(one, total) for one in found.systems if sum((total := _steps(one)).values())]
    if not having:
        return None
    rows = []
    for system, total in having:
        every = sum(total.values())
        cells = [Cell(total[key], "count", mark=rounded(total[key] / every)) for key in STEP_NAMES]
        rows.append(
            Row(
                (
                    Cell(system.label),
                    Cell(every, "count"),
                    *cells,
                    Cell(_total(system, "low_similarity"), "count"),
                    Cell(_total(system, "unlocated_characters"), "count"),
                )
            )
        )
    low = found.settings.get("low_similarity")
    below = "of low similarity" if low is None else f"similarity below {float(low):g}"
    return Table(
        name,
        f"By which step each returned string was located in its article, over all runs and "
        f"{articles_text(found.articles)}; the share of the system's strings behind each count.",
        ("system", "strings", *STEP_NAMES.values(), below, "characters not located"),
        tuple(rows),
        notes=(
            "Steps are tried in the order of the columns. A string that is not located counts "
            "against the system at every level.",
        ),
        signature=found.signature,
    )


def _steps(system: System) -> dict[str, int]:
    return {
        key: sum(int((one.read.get("steps") or {}).get(key, 0)) for one in system.settings)
        for key in STEP_NAMES
    }


def _total(system: System, key: str) -> int:
    return sum(int(one.read.get(key) or 0) for one in system.settings)


def fault_board(found: Bait, name: str) -> Table | None:
    """How many answers each system gave, and how many of them could not be used, by kind."""
    rows = [(s, one, heading) for s, one, heading in placed(found) if one.read.get("answers")]
    if not rows:
        return None
    kinds = _kinds(one.read.get("faults") or {} for _, one, _ in rows)
    usage = _tokens(one.read.get("usage") or {} for _, one, _ in rows)
    made = []
    for system, setting, _ in rows:
        faults = setting.read.get("faults") or {}
        none = int(setting.read.get("no_answer") or faults.get("no-answer", 0))
        tokens = setting.read.get("usage") or {}
        made.append(
            Row(
                (
                    Cell(system.label),
                    Cell(shots_text(setting.shots) if system.kind == "model" else ""),
                    Cell(len(setting.runs), "count"),
                    _asked_cell(system, setting.read),
                    Cell(int(setting.read["answers"]), "count"),
                    Cell(none, "count"),
                    *(Cell(int(faults.get(kind, 0)), "count") for kind in kinds),
                    *(Cell(int(tokens.get(key, 0)), "count") for key in usage),
                ),
                control=system.kind == "human",
            )
        )
    return Table(
        name,
        f"Answers of each system over {articles_text(found.articles)} and all runs, and those that "
        "could not be used, by kind. None is left out of a score: they count as empty.",
        ("system", "examples", "runs", "asked", "answers", "no answer came",
         *(FAULT_NAMES.get(kind, kind) for kind in kinds),
         *(key.replace("_", " ") for key in usage)),
        tuple(made),
        signature=found.signature,
    )  # fmt: skip


def _asked_cell(system: System, read: Read) -> Cell:
    """Nothing is asked of baselines and people."""
    if system.kind != "model":
        return Cell("")
    return Cell(int(read.get("expected") or read["answers"]), "count")


def remark_board(found: Bait, name: str) -> Table | None:
    """What was odd about answers that count all the same, by kind."""
    rows = [(s, one) for s, one, _ in placed(found) if one.read.get("answers")]
    kinds = sorted(
        {key for _, one in rows for key, n in (one.read.get("remarks") or {}).items() if n}
    )
    if not kinds:
        return None
    return Table(
        name,
        f"What was odd about usable answers over {articles_text(found.articles)} and all runs: how "
        "often each occurred. The answers count.",
        ("system", "examples", *(kind.replace("-", " ") for kind in kinds)),
        tuple(
            Row(
                (
                    Cell(system.label),
                    Cell(shots_text(one.shots) if system.kind == "model" else ""),
                    *(Cell(int((one.read.get("remarks") or {}).get(key, 0)), "count")
                      for key in kinds),
                )
            )
            for system, one in rows
        ),
        signature=found.signature,
    )  # fmt: skip


def _kinds(every: Iterable[Read]) -> list[str]:
    having = dict.fromkeys(kind for faults in every for kind, n in faults.items() if n)
    having.pop("no-answer", None)
    known = [kind for kind in FAULT_NAMES if kind in having]
    return known + sorted(kind for kind in having if kind not in FAULT_NAMES)


def _tokens(every: Iterable[Mapping[str, Any]]) -> list[str]:
    return list(
        dict.fromkeys(
            key for usage in every for key, n in usage.items() if isinstance(n, (int, float)) and n
        )
    )
