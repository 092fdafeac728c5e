"""A run of associations -> tables of words: their h, their WEFAT values, their neighbours."""

from __future__ import annotations

from itertools import zip_longest

from slant.report.associations import (
    UNSAID,
    Associations,
    Question,
    Read,
    level_text,
    method_name,
    number_cell,
)
from slant.report.tables import Cell, Row, Table

_EMPTY = Cell("")


def words_board(found: Associations, question: Question, method: str, name: str) -> Table | None:
    """h of each word of X and Y in each corpus; None where the run did not keep them."""
    tests = {corpus: question.test(corpus, method) for corpus in found.corpora}
    kept = {corpus: t["values"] for corpus, t in tests.items() if t and t.get("values")}
    if not kept:
        return None
    rows = []
    for side in ("x", "y"):
        by_corpus = {corpus: dict(values[side]) for corpus, values in kept.items()}
        for word in dict.fromkeys(w for values in by_corpus.values() for w in values):
            cells = [
                number_cell(v.get(word), "the vectors do not have it") for v in by_corpus.values()
            ]
            rows.append(Row((Cell(word), *cells), str(getattr(question, side))))
    return Table(
        name,
        f"h of each word of {question.x} and {question.y} by {method_name(method)}: above 0 nearer "
        f"to {question.a}, below 0 nearer to {question.b}.",
        ("word", *kept),
        tuple(rows),
        section="set",
        signature=found.signature,
    )


def fact_board(found: Associations, name: str) -> Table | None:
    """The correlation of each word's WEFAT value with a quantity from outside the texts."""
    rows = []
    for fact in found.read.get("facts") or []:
        if outside := fact.get("outside"):
            low, high = outside.get("low"), outside.get("high")
            r = outside["r"]
            cells = (
                Cell(str(fact["vectors"])),
                Cell(str(outside.get("quantity") or "")),
                Cell(None, "score", note=UNSAID) if r is None else Cell(r, "score", low, high),
                Cell(int(outside["n"]), "count"),
                Cell(str(outside.get("weight") or "none")),
            )
            method = method_name(fact["method"])
            rows.append(
                Row(cells, f"{fact['name']}: {fact['w']}, {fact['a']}/{fact['b']}, {method}")
            )
    if not rows:
        return None
    return Table(
        name,
        "WEFAT against a quantity from outside the texts: correlation r over words, with "
        f"{level_text(found.read)}.",
        ("corpus", "quantity", "r", "words", "weights"),
        tuple(rows),
        section="fact",
        signature=found.signature,
    )


def fact_words_boards(found: Associations, stem: str) -> list[tuple[str, Table]]:
    """(what it is of, table) of the words of each fact test, by value."""
    made = []
    for i, fact in enumerate(found.read.get("facts") or (), 1):
        ranked = sorted(fact["words"], key=lambda w: (w["value"] is None, -(w["value"] or 0.0)))
        rows = [
            Row(
                (
                    Cell(str(w["word"])),
                    number_cell(w["value"]),
                    number_cell(w.get("h")),
                    number_cell(w.get("p"), "not tested", tail=True),
                )
            )
            for w in ranked
        ]
        said = f"{fact['name']} in {fact['vectors']}, {method_name(fact['method'])}"
        caption = (
            f"{said}: the words of {fact['w']} between {fact['a']} (above 0) and {fact['b']} "
            "(below 0). Value: h divided by its standard deviation over both attribute sets; p is "
            "not corrected over words."
        )
        head = ("word", "value", "h", "p")
        made.append(
            (said, Table(f"{stem}-{i}", caption, head, tuple(rows), "", (), found.signature))
        )
    return made


def neighbour_board(found: Associations, name: str) -> Table | None:
    """The nearest neighbours of each word asked for, by corpus."""
    read: Read = found.read.get("neighbours") or {}
    corpora = [c for c in found.corpora if any(c in lists for lists in read.values())]
    if not corpora:
        return None
    rows = []
    for word, lists in read.items():
        columns = [lists.get(corpus, []) for corpus in corpora]
        for rank, line in enumerate(zip_longest(*columns), 1):
            cells: list[Cell] = []
            for near in line:
                cells += [_EMPTY] * 2 if near is None else [Cell(near[0]), number_cell(near[1])]
            rows.append(Row((Cell(rank, "count"), *cells), word))
    head = [text for corpus in corpora for text in (corpus, f"{corpus}, cosine")]
    caption = "Nearest neighbours of a word in each corpus, by cosine."
    return Table(
        name, caption, ("rank", *head), tuple(rows), section="word", signature=found.signature
    )
