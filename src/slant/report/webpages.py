"""The pages of the server's own: giving a text, the list of analyses, waiting, errors, the API."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from slant.report.analysisarticles import web_address
from slant.report.analysisboards import detector_board, kind_board
from slant.report.analysiscards import card_html
from slant.report.escaping import one_line
from slant.report.page import inline_script, rendered
from slant.report.tables import counted

Read = Mapping[str, Any]
_SCRIPT: Final = "web.js"
_WORKS: Final = {
    "waiting": "Waiting for its turn",
    "reading": "Reading",
    "articles": "Analysing",
    "resumed": "Analysing",
    "joining": "Writing the tables",
    "pages": "Writing the pages",
}
_STATES: Final = {
    "waiting": "waiting",
    "working": "being analysed",
    "done": "done",
    "failed": "failed",
    "interrupted": "interrupted",
}


def home_page(
    entries: Sequence[Read],
    total: int,
    page: int,
    most: int,
    detectors: Sequence[Read],
    *,
    limits: Mapping[str, int],
    mark: str,
    kept: str,
    secured: bool,
) -> str:
    """Where a text is given, and the list of analyses.

    Args:
        entries: of the history, the latest first, as the API gives them.
        total: analyses in all.
        page: of the list, from 1.
        most: analyses on a page.
        detectors: that are asked.
        limits: size in bytes, characters, sentences, articles.
        mark: that each form carries.
        kept: where the history lies, empty where it is kept no longer than the server runs.
        secured: whether one logs in.
    """
    return _page(
        "webhome.html.j2",
        title="Read an article",
        entries=[_listed(one) for one in entries],
        total=counted(total),
        before=page - 1,
        after=page + 1 if page * most < total else 0,
        detectors=detectors,
        cards=[web_address(one["card"]) for one in detectors],
        card_texts=[card_html(one["card_text"]) for one in detectors],
        tables={
            "detectors": detector_board(detectors) if detectors else None,
            "kinds": kind_board(detectors),
        },
        size=f"{limits['size'] / 1_000_000:g} MB",
        bytes=limits["size"],
        characters=counted(limits["characters"]),
        sentences=counted(limits["sentences"]),
        articles=counted(limits["articles"]),
        mark=mark,
        kept=kept,
        secured=secured,
    )


def waiting_page(entry: Read, mark: str) -> str:
    """An analysis that is not done: how far it is, or why it has ended.

    Args:
        entry: as the API gives it.
        mark: that each form carries.
    """
    state = entry["state"]
    waits = state in {"waiting", "working"}
    return _page(
        "webwaiting.html.j2",
        title=one_line(entry["title"]),
        id=entry["id"],
        waits=waits,
        state=_STATES[state],
        error=entry["error"],
        said=entry["progress"]["says"] if entry["progress"] else "Beginning",
        share=_share(entry["progress"]),
        mark=mark,
    )


def standing_text(progress: Read) -> str:
    """How far an analysis is, in one line.

    >>> standing_text({"what": "articles", "done": 3, "total": 120, "seconds": 9.2,
    ...                "seconds_left": 140.0})
    'Analysing: 3 of 120 articles, 9 s so far, about 2 min left'
    >>> standing_text({"what": "waiting", "before": 1, "done": 0, "total": 0, "seconds": 0.0,
    ...                "seconds_left": None})
    'Waiting for its turn: 1 analysis before it'
    """
    said = _WORKS.get(progress["what"], f"Asking {progress['what']}")
    if progress["what"] == "waiting":
        before = progress.get("before", 0)
        return f"{said}: {counted(before)} {'analysis' if before == 1 else 'analyses'} before it"
    done, total = progress["done"], progress["total"]
    parts = []
    if total > 1:
        unit = "pages" if progress["what"] == "pages" else "articles"
        parts.append(f"{counted(done)} of {counted(total)} {unit}")
    elif done > 1:
        parts.append(f"{counted(done)} articles")
    parts.append(f"{_time(progress['seconds'])} so far")
    if progress["seconds_left"] is not None and done < total:
        parts.append(f"about {_time(progress['seconds_left'])} left")
    return f"{said}: {', '.join(parts)}"


def error_page(error: Mapping[str, str]) -> str:
    """What was asked, what was found, what to do."""
    return _page("webfault.html.j2", title="This was not done", error=error)


def login_page(mark: str, wrong: bool = False) -> str:
    """Where the token is given.

    Args:
        mark: that each form carries.
        wrong: whether another was given just now.
    """
    return _page("weblogin.html.j2", title="Log in", mark=mark, wrong=wrong)


def api_page(schema: Read, address: str) -> str:
    """The operations of the API, from its OpenAPI document.

    Args:
        schema: the document.
        address: of the server, without a slash at its end.
    """
    operations = [
        {
            "method": method.upper(),
            "path": path,
            "summary": said.get("summary", ""),
            "parameters": [
                {"name": one["name"], "says": one.get("description", "Of the analysis.")}
                for one in said.get("parameters", [])
            ],
            "bodies": _bodies(said),
            "answers": [
                {"status": status, "says": one.get("description", "")}
                for status, one in sorted(said["responses"].items())
            ],
        }
        for path, methods in schema["paths"].items()
        for method, said in methods.items()
    ]
    return _page(
        "webapi.html.j2",
        title="The API",
        operations=operations,
        address=address,
        secured=bool(schema.get("security")),
        example=json.dumps({"text": "The regime’s thugs came."}, ensure_ascii=False),
    )


def script_digest() -> str:
    """sha256 of the one script of these pages, in base64, for their policy."""
    return inline_script(_SCRIPT)[1]


def _page(template: str, **context: Any) -> str:
    return rendered(template, script=inline_script(_SCRIPT)[0], **context)


def _listed(entry: Read) -> dict[str, Any]:
    when = datetime.fromisoformat(entry["created"]).astimezone()
    verdicts = [
        {"detector": name, **{key.replace(" ", "_"): counted(n) for key, n in found.items()}}
        for name, found in (entry["verdicts"] or {}).items()
    ]
    return {
        "id": entry["id"],
        "title": one_line(entry["title"]) or entry["id"],
        "when": when.strftime("%Y-%m-%d %H:%M"),
        "iso": entry["created"],
        "state": _STATES[entry["state"]],
        "verdicts": verdicts,
        "left_out": sum((entry["left_out"] or {}).values()),
        "sentences": counted(entry["sentences"] or 0),
    }


def _share(progress: Read | None) -> float | None:
    if progress is None or progress["total"] < 2:
        return None
    return float(progress["done"] / progress["total"])


def _bodies(said: Read) -> list[dict[str, Any]]:
    content = said.get("requestBody", {}).get("content", {})
    return [
        {
            "media": media,
            "fields": [
                {"name": name, "says": field.get("description", "")}
                for name, field in one["schema"].get("properties", {}).items()
            ],
        }
        for media, one in content.items()
    ]


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
