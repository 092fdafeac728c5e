"""A run of associations -> what the page says in words: what was asked, and the answers."""

from __future__ import annotations

from slant.report.associations import (
    HIGHLY,
    SIGNIFICANT,
    Associations,
    Read,
    corrected,
    corrected_text,
    correction_name,
    correction_of,
    level_text,
    method_name,
    replicas_text,
)
from slant.report.sentences import joined
from slant.report.tables import Cell, counted, estimate_text, numbered, tail, with_interval


def associations_asked(found: Associations) -> str:
    """What was measured in what, in two sentences at most."""
    read = found.read
    said = []
    if found.questions:
        n = len(found.questions)
        methods = joined([method_name(method) for method in found.methods])
        said.append(
            f"{numbered(n, 'test')} by {methods} in {replicas_text(read)}; "
            f"permutation tests ({read['alternative']}), {corrected_text(read)}; brackets hold "
            f"{level_text(read)}."
        )
    if facts := read.get("facts"):
        names = joined(list(dict.fromkeys(str(fact["name"]) for fact in facts)))
        where = "" if said else f" in {replicas_text(read)}"
        said.append(f"Associations of single words: {names}{where}.")
    return " ".join(said)


def associations_answers(found: Associations) -> tuple[str, ...]:
    """The results in a sentence each: how many tests pass the correction, the largest d among
    them, which corpora differ; without tests, how words go with an outside quantity."""
    said = [_passing(found), _largest(found), _compared(found)]
    if not found.questions:
        said.append(outside_answer(found))
    return tuple(sentence for sentence in said if sentence)


def associations_cautions(found: Associations) -> tuple[str, ...]:
    """What weakens the answers, in a sentence each: tests that could not have passed or that were
    left out, and sets of which a corpus knows fewest words, or has most from n-grams alone."""
    return tuple(sentence for sentence in (_small(found), *_uncovered(found)) if sentence)


def _uncovered(found: Associations) -> list[str]:
    parts = [
        (corpus, name, part)
        for corpus, vectors in found.read["vectors"].items()
        for name, part in vectors["coverage"].items()
        if part["of"]
    ]
    said = []
    every = counted(len(found.read["sets"]))
    for number, what in (
        (_lacked, "that a corpus does not know"),
        (_by_grams, "that a corpus has from their n-grams alone"),
    ):
        having = [row for row in parts if number(row[2])]
        if having:
            corpus, name, part = max(having, key=lambda row: number(row[2]) / int(row[2]["of"]))
            sets = len({row[1] for row in having})
            said.append(
                f"{counted(sets)} of {every} sets {_have(sets)} words {what}; the most: {name} in "
                f"{corpus}, {counted(number(part))} of {counted(int(part['of']))}."
            )
    return said


def _lacked(part: Read) -> int:
    return int(part["of"]) - int(part["known"])


def _by_grams(part: Read) -> int:
    return len(part.get("by_grams", ()))


def _passing(found: Associations) -> str:
    tests = found.read["tests"]
    if not tests:
        return ""
    ps = [p for test in tests if (p := corrected(found.read, test)) is not None]
    n, high = sum(p < SIGNIFICANT for p in ps), sum(p < HIGHLY for p in ps)
    of = f"{numbered(len(tests), 'result')} (a test in one corpus by one method)"
    after = "" if found.read["correction"] == "none" else f" after {corrected_text(found.read)}"
    undefined = len(tests) - len(ps)
    rest = f"; {counted(undefined)} {_have(undefined)} no p" if undefined else ""
    if not n:
        return f"Of {of}, none has a p below {SIGNIFICANT:g}{after}{rest}: that shows no absence."
    return (
        f"Of {of}, {counted(n)} {_have(n)} a p below {SIGNIFICANT:g}{after}, {counted(high)} of "
        f"them below {HIGHLY:g}{rest}."
    )


def _largest(found: Associations) -> str:
    passing = [
        test
        for test in found.read["tests"]
        if test["d"] is not None
        and (p := corrected(found.read, test)) is not None
        and p < SIGNIFICANT
    ]
    if not passing:
        return ""
    test = max(passing, key=lambda one: abs(float(one["d"])))
    question = next(one for one in found.questions if test in one.tests)
    x, y = (question.x, question.y) if test["d"] > 0 else (question.y, question.x)
    estimate = {"value": test["d"], "low": test.get("low"), "high": test.get("high")}
    said = (
        f"The largest effect among them: in {test['vectors']}, {x} goes with {question.a} and {y} "
        f"with {question.b}, d {estimate_text(estimate)} ({method_name(test['method'])})"
    )
    low, high = test.get("low"), test.get("high")
    if low is not None and high is not None and low <= 0 <= high:
        return f"{said}, though its interval holds 0."
    return f"{said}."


def _small(found: Associations) -> str:
    """Tests whose sets are so small that no vectors could pass the correction."""
    read = found.read
    if read["correction"] not in ("bonferroni", "none"):
        return ""
    times = int(read["family"]) if read["correction"] == "bonferroni" else 1
    lost = [
        test
        for test in read["tests"]
        if test.get("p_min") is not None and test["p_min"] * times >= SIGNIFICANT
    ]
    if not lost:
        return ""
    least = min(float(test["p_min"]) for test in lost)
    return (
        f"{counted(len(lost))} of {numbered(len(read['tests']), 'result')} could not have passed "
        f"whatever the vectors: the smallest p that their sets can reach is {tail(least)}."
    )


def _compared(found: Associations) -> str:
    rows = found.read.get("compared") or []
    if not rows:
        if len(found.corpora) < 2 or not found.questions:
            return ""
        return "Differences between the corpora were not tested."
    ps = [(row, p) for row in rows if (p := corrected(found.read, row)) is not None]
    clear = [row for row, p in ps if p < SIGNIFICANT and row["difference"] is not None]
    key = correction_of(found.read, rows[0])
    after = f" after {correction_name(key)}" if key != "none" else ""
    n = counted(len(clear)) if clear else "none"
    said = (
        f"Of {counted(len(rows))} tested differences between corpora, {n} "
        f"{_have(len(clear) or 1)} a p below {SIGNIFICANT:g}{after}"
    )
    if not clear:
        return f"{said}."
    row = max(clear, key=lambda one: abs(float(one["difference"])))
    label = next((one.label for one in found.questions if one.name == row["name"]), row["name"])
    cell = Cell(float(row["difference"]), "difference", row.get("low"), row.get("high"))
    return (
        f"{said}; the largest: {label}, {row['first']} less {row['second']}, {with_interval(cell)}."
    )


def outside_answer(found: Associations) -> str:
    """How the first single words that have one go with an outside quantity; empty without."""
    rows = [
        fact
        for fact in found.read.get("facts") or ()
        if fact.get("outside") and fact["outside"]["r"] is not None
    ]
    if not rows:
        return ""
    fact = rows[0]
    outside = fact["outside"]
    estimate = {"value": outside["r"], "low": outside.get("low"), "high": outside.get("high")}
    quantity = outside.get("quantity") or "an outside quantity"
    said = (
        f"Over {counted(int(outside['n']))} words of {fact['w']}, the association with {fact['a']} "
        f"rather than {fact['b']} in {fact['vectors']} correlates with {quantity}: r "
        f"{estimate_text(estimate)}."
    )
    return said if len(rows) == 1 else f"{said} The table has the rest."


def _have(n: int) -> str:
    return "has" if n == 1 else "have"
