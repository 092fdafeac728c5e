"""The notes of an article: for each sentence what was found in it, and by which rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup, escape

from slant.report.analysisgrades import TRIGGER_SIGNS, verdict
from slant.report.baitpassages import LEAD, LONG, TAIL
from slant.report.escaping import one_line, visible
from slant.report.tables import MINUS, estimate_text, rounded

Read = Mapping[str, Any]

FEW: Final = 12
"""Of a sentence's words, cues and triggers so many are written out; more are counted."""
_SIDES: Final = {1: "towards biased", -1: "towards neutral"}
"""By the sign of a weight."""
_VOICES: Final = {
    "quoted": "Quoted speech: not the outlet's own words.",
    "mixed": "Part of it is quoted speech.",
}


def notes_html(
    text: str, sentences: Sequence[Read], detectors: Sequence[Read], biases: Sequence[Read]
) -> Markup:
    """An entry for each sentence, with the ids that the text links to.

    Args:
        text: of the article.
        sentences, detectors, biases: of its analysis.

    Returns:
        List items; all text in them is escaped.
    """
    numbers = {one["code"]: number for number, one in enumerate(biases, 1)}
    return Markup("").join(
        _note(text, number, sentence, detectors, numbers)
        for number, sentence in enumerate(sentences, 1)
    )


def quoted(text: str, start: int, end: int) -> str:
    """A passage for a note or table: nothing in it invisible, its middle left out where it is long.

    >>> quoted("one two", 4, 7), len(quoted("x" * 9999, 0, 9999))
    ('two', 223)
    """
    if end - start <= LONG:
        return visible(text[start:end])
    return f"{visible(text[start : start + LEAD])} … {visible(text[end - TAIL : end])}"


def summary(text: str, sentence: Read, detectors: Sequence[Read]) -> str:
    """What is said of a sentence in a line or two, for the terminal and for a screen reader.

    Args: as for `summary_lines`.
    """
    return " ".join(summary_lines(text, sentence, detectors))


def summary_lines(text: str, sentence: Read, detectors: Sequence[Read]) -> list[str]:
    """What is said of a sentence, each detector with the F1 that was measured of it in its line.

    Args:
        text: of the article.
        sentence: of its analysis.
        detectors: that were asked.
    """
    said = [_VOICES[sentence["voice"]]] if sentence["voice"] in _VOICES else []
    for one in detectors:
        estimate = sentence["probabilities"].get(one["name"])
        why = sentence["abstained"].get(one["name"])
        if estimate and estimate["value"] is not None:
            word = verdict(estimate, why is not None, one["threshold"])
            reason = f" ({why.rstrip('.')})" if why else ""
            said.append(f"{one['name']}: {estimate_text(estimate)}, {word}{reason}; {_f1(one)}.")
        elif why:
            said.append(f"{one['name']}: {why.rstrip('.')}.")
    if kinds := [kind["name"] for kind, _ in _kinds(sentence, detectors, reached=True)]:
        said.append(f"Of the kind {', '.join(kinds)}.")
    for sign, towards in _SIDES.items():
        own = [
            quoted(text, word["start"], word["end"])
            for word in sentence["words"]
            if sign * word["weight"] > 0
        ]
        if own:
            said.append(f"{towards.capitalize()}: {', '.join(dict.fromkeys(own[:3]))}.")
    if n := len(sentence["cues"]):
        said.append(f"{n} lexical cue{'s' if n > 1 else ''}.")
    said += dict.fromkeys(
        f"{one['grade'].capitalize()}: {one['name']}." for one in sentence["triggers"][:FEW]
    )
    return said or ["Nothing was found in it."]


def sentence_lines(read: Read) -> list[tuple[str, ...]]:
    """Each sentence and detector as cells of text: number, verdict, probability, kinds of bias
    whose threshold is reached, the heaviest words with their sign, cues, triggers with their grade,
    the sentence itself."""
    text = read["article"]["text"]
    rows: list[tuple[str, ...]] = []
    for number, sentence in enumerate(read["sentences"], 1):
        triggers = [f"{one['grade']}: {one['name']}" for one in sentence["triggers"]]
        cues = [f"{_said(text, one)} ({one['category']})" for one in sentence["cues"]]
        for one in read["detectors"]:
            name = one["name"]
            estimate = sentence["probabilities"].get(name)
            words = [
                f"{_said(text, word)} {_signed(word['weight'])}"
                for sign in _SIDES
                for word in [
                    o for o in sentence["words"] if sign * o["weight"] > 0 and o["detector"] == name
                ][:3]
            ]
            kinds = [
                f"{kind['name']} {rounded(p)}" for kind, p in _kinds(sentence, [one], reached=True)
            ]
            told = verdict(estimate, name in sentence["abstained"], one["threshold"])
            rows.append(
                (str(number), told, estimate_text(estimate), ", ".join(kinds), ", ".join(words),
                 ", ".join(cues), ", ".join(dict.fromkeys(triggers)), _said(text, sentence))
            )  # fmt: skip
    return rows


def _said(text: str, one: Read) -> str:
    return one_line(quoted(text, one["start"], one["end"]))


def _note(
    text: str, number: int, sentence: Read, detectors: Sequence[Read], numbers: Mapping[str, int]
) -> Markup:
    lists = [
        _listed("Kinds of bias", [_kind(*one) for one in _kinds(sentence, detectors)]),
        *(
            _listed(
                f"Words {towards}",
                [_word(text, o, detectors) for o in sentence["words"] if sign * o["weight"] > 0],
                "words",
            )
            for sign, towards in _SIDES.items()
        ),
        _listed("Lexical cues", [_cue(text, one) for one in sentence["cues"]]),
        _listed("Triggers", [_trigger(text, one, numbers) for one in sentence["triggers"]]),
        _listed("Quoted", [_quote(text, first, last) for first, last in sentence["quoted"]]),
    ]
    return Markup(
        '<li id="n{0}"><p class="of"><a href="#s{0}">Sentence {0}</a> <q dir="auto">{1}</q></p>'
        '<p class="sum" id="d{0}">{2}</p>{3}</li>\n'
    ).format(
        number,
        quoted(text, sentence["start"], sentence["end"]),
        _summed(summary_lines(text, sentence, detectors), len(detectors)),
        Markup("").join(lists),
    )


def _summed(lines: Sequence[str], detectors: int) -> Markup:
    """Side by side, so that several detectors can be compared; else one after the other."""
    if detectors < 2:
        return escape(" ".join(lines))
    return Markup(" ").join(Markup('<span class="line">{}</span>').format(line) for line in lines)


def _f1(detector: Read) -> str:
    measured = detector["f1"]["value"] is not None
    return f"F1 {estimate_text(detector['f1']) if measured else 'not measured'}"


def _kinds(
    sentence: Read, detectors: Sequence[Read], *, reached: bool = False
) -> list[tuple[Read, float]]:
    """The kinds that were asked for with their probabilities, the highest first; with `reached`
    those whose threshold is reached."""
    told = sentence.get("kinds") or {}
    found = [
        (kind, told[kind["name"]])
        for one in detectors
        for kind in one.get("kinds") or ()
        if told.get(kind["name"]) is not None
    ]
    some = [(kind, p) for kind, p in found if not reached or p >= kind["threshold"]]
    return sorted(some, key=lambda one: -one[1])


def _kind(kind: Read, p: float) -> Markup:
    side = "at least" if p >= kind["threshold"] else "below"
    return Markup('{} <b>{}</b> <span class="said">{} its threshold {}; {}{}</span>').format(
        kind["name"], rounded(p), side, rounded(kind["threshold"]), _f1(kind), _precision(kind)
    )


def _precision(kind: Read) -> str:
    told = kind.get("precision") or {"value": None}
    return f", precision {estimate_text(told)}" if told["value"] is not None else ""


def _signed(weight: float) -> str:
    said = rounded(weight)
    return said if said.startswith(MINUS) else f"+{said}"


def _listed(name: str, entries: Sequence[Markup], kind: str = "") -> Markup:
    if not entries:
        return Markup("")
    more = len(entries) - FEW
    shown = "".join(f"<li>{escape(one)}</li>" for one in entries[:FEW])
    if more > 0:
        shown += f"<li>and {more} more</li>"
    list_ = f'<ul class="{kind}">' if kind else "<ul>"
    return Markup(f'<p class="what">{escape(name)}</p>{list_}{shown}</ul>')


def _word(text: str, word: Read, detectors: Sequence[Read]) -> Markup:
    signed = _signed(word["weight"])
    several = len(detectors) > 1
    by = f' <span class="said">{escape(word["detector"])}</span>' if several else ""
    said = escape(quoted(text, word["start"], word["end"]))
    return Markup(f"<bdi>{said}</bdi> <b>{signed}</b>{by}{_in_quotes(word)}")


def _cue(text: str, cue: Read) -> Markup:
    said = escape(quoted(text, cue["start"], cue["end"]))
    rule = f"{escape(cue['category'])}: {escape(cue['rule'])}"
    return Markup(f'<bdi>{said}</bdi> <span class="said">{rule}</span>{_in_quotes(cue)}')


def _trigger(text: str, trigger: Read, numbers: Mapping[str, int]) -> Markup:
    # A definition stands once on the page; the script shows it with the evidence.
    number = numbers.get(trigger["bias"])
    lines = [
        Markup(f'<a class="bias" href="#bias-{number}">Definition and condition</a>')
        if number
        else "",
        *(
            Markup('<span class="line"><i>{}:</i> <bdi>{}</bdi></span>').format(name, visible(said))
            for name, said in (("Cue", trigger["rule"]), ("Reason given", trigger["reason"]))
            if said
        ),
    ]
    passages = " … ".join(quoted(text, first, last) for first, last in trigger["spans"])
    return Markup(
        '<strong>{} {}: {}</strong> <q dir="auto">{}</q> <span class="said">by {}</span>{} {}'
    ).format(
        TRIGGER_SIGNS.get(trigger["grade"], ""), trigger["grade"], trigger["name"], passages,
        trigger["source"], _in_quotes(trigger), Markup("").join(lines),
    )  # fmt: skip


def _quote(text: str, first: int, last: int) -> Markup:
    return Markup(f'<q dir="auto">{escape(quoted(text, first, last))}</q>')


def _in_quotes(one: Read) -> Markup:
    return Markup(' <span class="said">(quoted)</span>') if one["quoted"] else Markup("")
