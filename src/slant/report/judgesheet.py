"""A page on which a person marks rationales, with their images; it sends nothing anywhere."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from slant.report.page import rendered
from slant.report.writing import write_files


def write_sheet_page(
    rows: Sequence[Mapping[str, Any]], questions: Mapping[str, str], out: Path
) -> Path:
    """Write the page of a sheet.

    Args:
        rows: of `slant.runs.judgesheets.shown_rows`.
        questions: column -> what is asked.
        out: the file, e.g. sheet.html.

    Raises:
        WorkFailed: the disk did not take the file.
    """
    write_files({out: sheet_page(rows, questions).encode()})
    return out


def sheet_page(rows: Sequence[Mapping[str, Any]], questions: Mapping[str, str]) -> str:
    """The page: a card for each rationale, and a button that saves the marks as CSV.

    >>> row = {"key": "a1", "text": "Rents rise.", "image": None, "label": "biased"}
    >>> page = sheet_page([{**row, "rationale": "<b>It is.</b>"}], {"faithful": "Is it?"})
    >>> "&lt;b&gt;It is.&lt;/b&gt;" in page
    True
    """
    from slant import __version__

    script = rendered("judgesheet.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return rendered(
        "judgesheet.html.j2", rows=rows, questions=questions, version=__version__,
        script=Markup(script), digest=digest,
    )  # fmt: skip
