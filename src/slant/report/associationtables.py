"""A run of associations -> tables of what its tests stand on: corpora, coverage, settings."""

from __future__ import annotations

from slant.report.associations import Associations, corrected_text, deviation_text
from slant.report.tables import Cell, Row, Table, rounded

_TOP = 20


def corpus_board(found: Associations, name: str) -> Table:
    """The vectors of each corpus."""
    rows = [
        Row(
            (
                Cell(corpus),
                Cell(int(v["replicas"]), "count"),
                Cell("not counted") if v["words"] is None else Cell(int(v["words"]), "count"),
                Cell(int(v["dimensions"]), "count"),
                Cell(", ".join(v["files"])),
                Cell(str(v.get("fingerprint") or "")[:12]),
            )
        )
        for corpus, v in found.read["vectors"].items()
    ]
    return Table(
        name,
        "Vectors of each corpus: replicas, words of the vocabulary, dimensions, files, and the "
        "first 12 digits of their fingerprint.",
        ("corpus", "replicas", "words", "dimensions", "files", "fingerprint"),
        tuple(rows),
        signature=found.signature,
    )


def coverage_board(found: Associations, name: str) -> Table:
    """How many words of each set each corpus knows, and which it lacks."""
    rows = []
    for one in found.read["sets"]:
        for corpus, v in found.read["vectors"].items():
            if (part := v["coverage"].get(one)) is None:
                continue
            cells = (
                Cell(corpus),
                Cell(int(part["known"]), "count"),
                Cell(int(part["of"]), "count"),
                Cell(", ".join(part["missing"]) or "none"),
                Cell(", ".join(part.get("by_grams", ())) or "none"),
            )
            rows.append(Row(cells, one))
    return Table(
        name,
        "Coverage of each set: words that the vectors know, of how many, those that they lack, and "
        f"those that have a vector by their n-grams alone. Case: {found.read['case']}; words "
        f"outside the vocabulary: {found.read['outside']}.",
        ("corpus", "known", "of", "missing", "by n-grams"),
        tuple(rows),
        section="set",
        signature=found.signature,
    )


def overlap_board(found: Associations, name: str) -> Table | None:
    """The pairs of words that share most n-grams, in each corpus where that was reckoned."""
    rows = [
        Row((Cell(first), Cell(second), Cell(float(share), "score")), corpus)
        for corpus, v in found.read["vectors"].items()
        for first, second, share in (v.get("overlap") or ())[:_TOP]
    ]
    if not rows:
        return None
    return Table(
        name,
        "Words of the sets that share n-grams: the share of them that two words have in common. "
        "Vectors made from n-grams put such words close together whatever the texts say.",
        ("word", "word", "shared"),
        tuple(rows),
        section="corpus",
        signature=found.signature,
    )


def left_out_board(found: Associations, name: str) -> Table | None:
    """The tests that the run left out, and why; None where it made all."""
    rows = [
        Row((Cell(str(one["name"])), Cell(str(one["vectors"])), Cell(str(one["why"]))))
        for one in found.read.get("left_out") or ()
    ]
    if not rows:
        return None
    caption = "Tests of the sets that were left out, and why."
    return Table(name, caption, ("test", "corpus", "why"), tuple(rows), signature=found.signature)


def settings_board(found: Associations, name: str) -> Table:
    """What the run was told: everything that its numbers depend on."""
    read = found.read
    rows = {
        "alternative": read["alternative"],
        "standard deviation in d": f"{read['deviation']}: {deviation_text(read)}",
        "ties in a permutation": "not counted" if read.get("strict") else "counted",
        "sets of unequal size": read["unequal"],
        "case of words": read["case"],
        "words outside the vocabulary": read["outside"],
        "correction": corrected_text(read),
        "level of intervals": rounded(float(read["level"])),
        "resamples": f"{int(read['resamples']):,}",
        "permutations of a simulated p": f"{int(read['permutations']):,}",
        "seed": str(read["seed"]),
    }
    made = tuple(Row((Cell(key), Cell(str(value)))) for key, value in rows.items())
    return Table(
        name, "Settings of the run.", ("setting", "value"), made, signature=found.signature
    )
