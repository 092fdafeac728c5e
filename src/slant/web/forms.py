"""Forms that a browser or a program sends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from slant.web.guard import too_large
from slant.web.refusals import Refusal
from slant.web.settings import Limits
from slant.web.submissions import (
    ASKED,
    LONGEST_NAME,
    Submission,
    address_submission,
    checked_language,
    file_submission,
    text_submission,
)

_FIELDS: Final = 20
_SOME: Final = {"text": "a text", "file": "a file", "address": "an address"}


async def read_form(request: Request, limits: Limits) -> dict[str, Any]:
    """The fields of a form; a file is (name, bytes).

    Raises:
        Refusal: 400 for what is no form, 413 for too much.
    """
    from python_multipart.exceptions import FormParserError

    found: dict[str, Any] = {}
    try:
        form = await request.form(max_files=1, max_fields=_FIELDS, max_part_size=limits.size + 1)
    except (HTTPException, FormParserError, ValueError, LookupError) as error:
        why = getattr(error, "detail", None) or f"it is damaged ({type(error).__name__})"
        large = "exceeded maximum size" in str(why)
        if large:
            raise too_large(limits) from None
        do = "Send a form with a text, a file or an address"
        raise Refusal(400, ASKED, str(why)[:200], do) from None
    for name, value in form.multi_items():
        if isinstance(value, UploadFile):
            found[name] = (value.filename or "", await value.read())
        else:
            found[name] = value
    await form.close()
    return found


def form_submission(form: Mapping[str, Any], limits: Limits, *kinds: str) -> Submission:
    """What a form asks for.

    Args:
        form: of `read_form`.
        limits: of a request.
        kinds: of the fields that are looked for, one of which is filled: text, file, address.

    Raises:
        Refusal: 413, 415 or 422.
    """
    language = checked_language(_word(form, "language"))
    column = _word(form, "text_column").strip() or None
    if column is not None and len(column) > LONGEST_NAME:
        found = f"it has more than {LONGEST_NAME} characters"
        raise Refusal(422, "Reading the name of the column", found, "Give the name in the table")
    filled = [kind for kind in kinds if _filled(form.get(kind), kind)]
    if len(filled) != 1:
        found = (
            f"it holds {' and '.join(_SOME[one] for one in filled)}" if filled else "it is empty"
        )
        raise Refusal(422, ASKED, found, "Give one thing to read")
    value = form[filled[0]]
    if filled == ["address"]:
        return address_submission(value, column, language)
    if filled == ["file"]:
        name, content = value
        if len(content) > limits.size:
            raise too_large(limits)
        return file_submission(name, content, column, language)
    # A browser sends each line end as two characters, whatever was typed.
    text = value.replace("\r\n", "\n")
    if len(text.encode("utf-8", "replace")) > limits.size:
        raise too_large(limits)
    return text_submission(text, column, language)


def _filled(value: Any, kind: str) -> bool:
    if kind == "file":
        return isinstance(value, tuple) and any(value)
    return isinstance(value, str) and bool(value.strip())


def _word(form: Mapping[str, Any], name: str) -> str:
    value = form.get(name, "")
    return value if isinstance(value, str) else ""
