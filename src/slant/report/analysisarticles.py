"""The page of one analysed article: its text with marked sentences, and the evidence of each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from slant.report.analysisboards import (
    detector_board,
    kind_board,
    passage_board,
    profile_board,
    trigger_board,
)
from slant.report.analysiscards import card_html
from slant.report.analysisgrades import GRADES, SHOWN
from slant.report.analysismarks import text_html
from slant.report.analysisnotes import notes_html
from slant.report.analysisplaces import source_name, without_folders
from slant.report.escaping import one_line
from slant.report.page import inline_script, rendered
from slant.report.tables import counted, estimate_text, numbered

Read = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Download:
    """A link to a file.

    Fields:
        name: what is shown.
        address: relative, or the data themselves.
        file: the name that it is kept under.
    """

    name: str
    address: str
    file: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where an article's page stands among others.

    Fields:
        index, before, after: relative addresses, empty where there is none.
        home: address of the page of a server that leads to all analyses.
    """

    index: str = ""
    before: str = ""
    after: str = ""
    home: str = ""


def article_page(
    read: Read,
    *,
    downloads: Sequence[Download] = (),
    place: Place = Place(),
    command: str = "",
    signature: str = "",
    version: str = "",
) -> str:
    """One self-contained page; it needs no script to be read.

    Args:
        read: an analysis as `analyses.jsonl` holds it.
        downloads: files that the page offers.
        place: where it stands among other pages.
        command, signature, version: that made the analysis; empty where unknown.
    """
    article, detectors = read["article"], read["detectors"]
    names = [one["name"] for one in detectors]
    script, digest = inline_script("analysisarticle.js")
    return rendered(
        "analysisarticle.html.j2",
        title=heading(article),
        facts=facts(article),
        address=web_address(article["url"]),
        why=one_line(article["why"]),
        answer=[] if article["why"] else article_answer(read),
        f1_said="" if article["why"] else f1_line(detectors),
        detectors=detectors,
        cards=[web_address(one["card"]) for one in detectors],
        card_texts=[card_html(one["card_text"]) for one in detectors],
        grades=GRADES,
        shown=SHOWN,
        text=text_html(article["text"], read["sentences"], names),
        notes=notes_html(article["text"], read["sentences"], detectors, read["biases"]),
        some=bool(read["sentences"]),
        tables={
            "profile": profile_board(read) if read["profile"] else None,
            "passages": passage_board(read) if read["most"] or read["least"] else None,
            "triggers": trigger_board(read) if read["biases"] else None,
            "detectors": detector_board(detectors) if detectors else None,
            "kinds": kind_board(detectors),
        },
        biases=read["biases"],
        left_out=[one_line(line) for line in read["left_out"]],
        downloads=downloads,
        place=place,
        command=without_folders(command),
        signature=signature,
        version=version,
        script=script,
        digest=digest,
    )


def heading(article: Read) -> str:
    """What an article is called: its title, else where it came from, else its id.

    >>> heading({"title": "", "origin": "/home/anna/a.txt", "id": "1"})
    'a.txt'
    """
    named = (
        one_line(said) for said in (article["title"], source_name(article["origin"]), article["id"])
    )
    return next((name for name in named if name), "article")


def facts(article: Read) -> list[tuple[str, str]]:
    """What is known of an article beside its text: name and value of each field that has one."""
    shown = [(key, one_line(article[key])) for key in ("outlet", "date", "topic")]
    shown.append(("origin", one_line(source_name(article["origin"]))))
    shown += [("characters", counted(len(article["text"]))), ("language", article["language"])]
    return [(key, value) for key, value in shown if value]


def web_address(address: str) -> str:
    """An address that a page may link to, else nothing: no other scheme than http is followed.

    >>> web_address("https://example.org/a"), web_address("javascript:alert(1)")
    ('https://example.org/a', '')
    """
    return address if re.fullmatch(r"https?://[^\s\x00-\x1f]+", address, re.I) else ""


def article_answer(read: Read) -> list[str]:
    """What each detector says of an article, in a sentence each."""
    sentences = read["sentences"]
    if not sentences:
        return ["The text has no sentence."]
    said = []
    for one in read["detectors"]:
        name = one["name"]
        own = [s for s in sentences if s["voice"] != "quoted"]
        quoted = [s for s in sentences if s["voice"] == "quoted"]
        if own:
            said.append(
                f"Of {numbered(len(own), 'sentence')} not quoted, {name} "
                f"{_verdicts(own, name, one['threshold'])}."
            )
        if quoted:
            found = _verdicts(quoted, name, one["threshold"])
            said.append(f"Of {numbered(len(quoted), 'quoted one')} it {found}.")
    return said


def f1_line(detectors: Sequence[Read]) -> str:
    """The F1 that was measured of each detector, and what it does not hold for; "" without any.

    >>> f1_line([{"name": "d", "f1": {"value": None}, "caveat": "not measured on real news"}])
    'F1 of d: not measured; not measured on real news.'
    """
    said = []
    for one in detectors:
        known = one["f1"]["value"] is not None
        measured = estimate_text(one["f1"]) if known else "not measured"
        more = "; ".join(part for part in (measured, one_line(one.get("caveat", ""))) if part)
        said.append(f"F1 of {one['name']}: {more}.")
    return " ".join(said)


def _verdicts(sentences: list[Read], name: str, threshold: float) -> str:
    scored = [s for s in sentences if name in s["probabilities"] and name not in s["abstained"]]
    biased = sum(s["probabilities"][name]["value"] >= threshold for s in scored)
    return (
        f"calls {counted(biased)} biased and {counted(len(scored) - biased)} not, and gives no "
        f"verdict on {counted(len(sentences) - len(scored))}"
    )
