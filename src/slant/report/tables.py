"""One table model, and the only functions in the package that round a number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["text", "count", "mean", "score", "percent", "difference", "points", "p", "tail"]
Weight = Literal["", "grey", "bold"]
DASH = "–"
MINUS = "−"


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: an unrounded value and how it is to be read.

    Fields:
        value: None means undefined; `note` then says why.
        kind: what the value is, which decides how it is written; a tail is a p-value whose size
            matters below 0.001 too, a mean that of a count; a percent is a share written times
            100, points are a difference of two.
        low, high: ends of its interval, where it has one.
        note: shown as a footnote of the table.
        mark: a word written behind the value, e.g. "recall".
        spread: standard deviation over seeds, or the error of a simulated p, written "± 0.012".
        within: standard deviation over sentences, written "(0.218)".
        weight: how the value is set; `mark` must say the same in a word or sign.
        link: a relative address that the value leads to on the page.
    """

    value: str | int | float | None
    kind: Kind = "text"
    low: float | None = None
    high: float | None = None
    note: str = ""
    mark: str = ""
    spread: float | None = None
    within: float | None = None
    weight: Weight = ""
    link: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """Cells under a section heading; a control is a row no system should be proud to beat."""

    cells: tuple[Cell, ...]
    section: str = ""
    control: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table that every format is written from.

    Fields:
        name: file name without ending, and anchor on the page.
        caption: one or two sentences that stand without the page.
        head: the column headings, one per cell of a row.
        section: what the rows' sections are ("task"), empty where rows have none.
        notes: sentences under the table.
        signature: what its numbers were measured by.
    """

    name: str
    caption: str
    head: tuple[str, ...]
    rows: tuple[Row, ...]
    section: str = ""
    notes: tuple[str, ...] = ()
    signature: str = ""


def score_cell(
    estimate: Mapping[str, Any] | None, *, kind: Kind = "score", missing: str = "not scored"
) -> Cell:
    """The cell of one estimate of scores.json.

    Args:
        estimate: a mapping with `value` and where known `low`, `high` and `why`; None where the
            file has no such score.
        kind: how to write the value.
        missing: the reason given where there is no estimate or no reason in it.

    Returns:
        A cell; its value is None where the score is undefined, and its note says why.

    >>> score_cell({"value": None, "why": "one class only"}).note
    'one class only'
    """
    if estimate is None:
        return Cell(None, kind, note=missing)
    value = estimate.get("value")
    if value is None:
        return Cell(None, kind, note=str(estimate.get("why") or missing))
    return Cell(
        float(value),
        kind,
        estimate.get("low"),
        estimate.get("high"),
        spread=estimate.get("spread"),
        within=estimate.get("within"),
    )


def rounded(value: float | None) -> str:
    """A number with three decimals, as this package prints it.

    Rule: ties as in Python's formatting; a true minus sign; no negative zero; an undefined
    number is an en dash.

    >>> rounded(0.72349), rounded(-0.0004), rounded(-0.25), rounded(None)
    ('0.723', '0.000', '−0.250', '–')
    """
    if value is None:
        return DASH
    text = f"{value:.3f}"
    return "0.000" if text == "-0.000" else text.replace("-", MINUS)


def interval(low: float | None, high: float | None) -> str:
    """An interval in brackets, empty where there is none.

    >>> interval(0.7, 0.745), interval(None, None)
    ('[0.700, 0.745]', '')
    """
    return "" if low is None or high is None else f"[{rounded(low)}, {rounded(high)}]"


def counted(value: int) -> str:
    """A count with commas at the thousands.

    >>> counted(12834)
    '12,834'
    """
    return f"{value:,}"


def numbered(value: int, noun: str) -> str:
    """A count with what is counted, whose plural has an s.

    >>> numbered(1, "article"), numbered(1200, "article")
    ('1 article', '1,200 articles')
    """
    return f"{counted(value)} {noun}{'' if value == 1 else 's'}"


def tenths(value: float) -> str:
    """A mean of counts with one decimal.

    >>> tenths(10.52), tenths(12834)
    ('10.5', '12,834.0')
    """
    return f"{value:,.1f}"


def percent(value: float) -> str:
    """A share times 100, with one decimal and a true minus sign.

    >>> percent(0.7249), percent(-0.0004), percent(-0.05)
    ('72.5', '0.0', '−5.0')
    """
    text = f"{100 * value:.1f}"
    return "0.0" if text == "-0.0" else text.replace("-", MINUS)


def points(value: float) -> str:
    """A difference of shares times 100, with its sign.

    >>> points(0.05), points(-0.05), points(0.0)
    ('+5.0', '−5.0', '0.0')
    """
    text = percent(value)
    return f"+{text}" if value > 0 and text != "0.0" else text


def p_value(value: float | None) -> str:
    """A p-value with three decimals, or that it is below what three decimals can show.

    >>> p_value(0.0002), p_value(0.0312), p_value(None)
    ('< 0.001', '0.031', '–')
    """
    return "< 0.001" if value is not None and value < 0.001 else rounded(value)


def tail(value: float | None) -> str:
    """A p-value with three decimals, below 0.001 with two significant digits; one just below 0.05
    does not read as 0.050.

    >>> tail(0.0312), tail(7.77e-05), tail(0.0497), tail(0.0), tail(None)
    ('0.031', '7.8e−5', '< 0.05', '0', '–')
    """
    if value is not None and value < 0.05 and f"{value:.3f}" == "0.050":
        return "< 0.05"
    if value is None or value >= 0.001:
        return rounded(value)
    if value == 0:
        return "0"
    digits, power = f"{value:.1e}".split("e")
    return f"{digits}e{MINUS}{-int(power)}"


_WRITTEN: Mapping[str, Callable[[float], str]] = {
    "p": p_value,
    "tail": tail,
    "count": lambda value: counted(int(value)),
    "mean": tenths,
    "percent": percent,
    "points": points,
}

_SHARES = ("percent", "points")


def cell_text(cell: Cell) -> str:
    """What stands in a cell, without its interval, mark and footnote.

    >>> cell_text(Cell(0.05, "difference")), cell_text(Cell(None, "score", note="why"))
    ('+0.050', '–')
    """
    if cell.value is None:
        return DASH
    if isinstance(cell.value, str):
        return cell.value
    if cell.kind in _WRITTEN:
        return _WRITTEN[cell.kind](cell.value)
    text = rounded(cell.value)
    signed = cell.kind == "difference" and cell.value > 0 and text != "0.000"
    return f"+{text}" if signed else text


def aside(cell: Cell) -> str:
    """What stands small behind a cell's value: its deviations, then its mark.

    >>> aside(Cell(0.5, "score", spread=0.0119, within=0.218)), aside(Cell(1, mark="recall"))
    ('± 0.012 (0.218)', 'recall')
    """
    written = tail if cell.kind == "tail" else percent if cell.kind in _SHARES else rounded
    parts = ["" if cell.spread is None else f"± {written(cell.spread)}"]
    parts.append("" if cell.within is None else f"({rounded(cell.within)})")
    return " ".join(part for part in (*parts, cell.mark) if part)


def cell_interval(cell: Cell) -> str:
    """The interval of a cell in brackets, empty where it has none; bounds of a p that read alike
    are not written.

    >>> cell_interval(Cell(0.5, "score", 0.4, 0.6)), cell_interval(Cell(4e-5, "tail", 3e-5, 4e-5))
    ('[0.400, 0.600]', '[3.0e−5, 4.0e−5]')
    """
    if cell.kind == "tail" and cell.low is not None and cell.high is not None:
        low, high = tail(cell.low), tail(cell.high)
        return "" if low == high else f"[{low}, {high}]"
    if cell.kind in _SHARES and cell.low is not None and cell.high is not None:
        return f"[{percent(cell.low)}, {percent(cell.high)}]"
    return interval(cell.low, cell.high)


def with_interval(cell: Cell) -> str:
    """A cell's value with its interval, for a sentence.

    >>> with_interval(Cell(0.05, "points", -0.01, 0.11))
    '+5.0 [−1.0, 11.0]'
    """
    return f"{cell_text(cell)} {cell_interval(cell)}".strip()


def estimate_text(estimate: Mapping[str, Any] | None) -> str:
    """A value with its interval, for a sentence.

    >>> estimate_text({"value": 0.7234, "low": 0.7011, "high": 0.7449})
    '0.723 [0.701, 0.745]'
    """
    return with_interval(score_cell(estimate))


def footnotes(table: Table) -> dict[str, int]:
    """The distinct notes of a table's cells, numbered from 1 in reading order."""
    notes: dict[str, int] = {}
    for row in table.rows:
        for cell in row.cells:
            if cell.note:
                notes.setdefault(cell.note, len(notes) + 1)
    return notes


def numeric_columns(table: Table) -> tuple[bool, ...]:
    """Which columns hold numbers, and so are set flush right."""
    return tuple(
        any(row.cells[i].kind != "text" for row in table.rows) for i in range(len(table.head))
    )
