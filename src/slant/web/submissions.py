"""What a person gives to a server: a text, a file or an address, from JSON or a form."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from slant.analysis.fetching import is_address
from slant.analysis.kinds import HEAD, kind_of
from slant.analysis.language import language_code
from slant.data.addresses import without_credentials
from slant.errors import DataError, OptionError
from slant.report.escaping import one_line
from slant.web.refusals import Refusal

Kind = Literal["text", "file", "address"]
PASTED: Final = "pasted text"
"""How a text without a file is called; `slant analyze -` says "standard input"."""
LONGEST_NAME: Final = 120
LONGEST_ADDRESS: Final = 4_000
LONGEST_TITLE: Final = 80
ASKED: Final = "Reading the request"
_LANGUAGE: Final = r"^[a-z]{2,3}$"


@dataclass(frozen=True, slots=True)
class Submission:
    """What is to be analysed.

    Fields:
        kind: text, file or address.
        name: of the file, or the address; never a path of this machine.
        content: bytes of the text or file; none of an address.
        title: for the list.
        text_column: of tables, None: told.
        language: of all texts, None: told.
    """

    kind: Kind
    name: str
    content: bytes
    title: str
    text_column: str | None = None
    language: str | None = None


class Asked(BaseModel):
    """The JSON of a request: a text or an address."""

    model_config = ConfigDict(extra="forbid", strict=True)

    text: str | None = Field(None, min_length=1, description="The text to read.")
    address: str | None = Field(
        None, min_length=1, max_length=LONGEST_ADDRESS, description="Of http or https."
    )
    language: Annotated[str, StringConstraints(pattern=_LANGUAGE)] | None = Field(
        None, description="Of the text, in ISO 639-1, e.g. en; else it is told."
    )
    text_column: str | None = Field(
        None, min_length=1, max_length=LONGEST_NAME, description="Of the text, in tables."
    )


def json_submission(body: bytes) -> Submission:
    """What a JSON document asks for.

    Raises:
        Refusal: 400 for what is no JSON, 422 for what holds something else than it should.

    >>> json_submission(b'{"text": "Hello there."}').title
    'Hello there.'
    """
    do = 'Send {"text": "..."} or {"address": "https://..."}'
    try:
        asked = Asked.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(map(str, first["loc"]))
        found = f"{f'{place}: ' if place else ''}{first['msg']}"
        status = 400 if first["type"] == "json_invalid" else 422
        raise Refusal(status, ASKED, found[:300], do) from None
    if (asked.text is None) == (asked.address is None):
        found = "it holds both a text and an address" if asked.text else "it names nothing to read"
        raise Refusal(422, ASKED, found, do)
    language = checked_language(asked.language or "")
    if asked.text is not None:
        return text_submission(asked.text, asked.text_column, language)
    return address_submission(asked.address or "", asked.text_column, language)


def text_submission(text: str, text_column: str | None, language: str | None) -> Submission:
    """A text that was pasted.

    Raises:
        Refusal: 415 for what is no text, 422 for an empty one.
    """
    if not text.strip():
        raise Refusal(422, "Reading the text", "it is empty", "Paste a text")
    content = text.encode("utf-8", "replace")
    _check_kind(content, PASTED)
    first = next((line for line in text.split("\n") if one_line(line)), "")
    title = _cut(one_line(first[: 4 * LONGEST_TITLE]), LONGEST_TITLE) or "A text"
    return Submission("text", PASTED, content, title, text_column, language)


def address_submission(address: str, text_column: str | None, language: str | None) -> Submission:
    """An address whose page is to be read.

    Raises:
        Refusal: 422 for what is no address of the web, or holds a password or a key.
    """
    address = address.strip()
    if not is_address(address) or len(address) > LONGEST_ADDRESS or not address.isprintable():
        found = "it is no address of http or https"
        do = "Give one such as https://example.org/article"
        raise Refusal(422, f"Reading '{_cut(one_line(address), LONGEST_TITLE)}'", found, do)
    if without_credentials(address) != address:
        # It would stay in the history, and what was sent is not said again.
        found, do = "it holds a name or password, or a key", "Save the page, and give the file"
        raise Refusal(422, "Reading the address", found, do)
    return Submission(
        "address", address, b"", _cut(one_line(address), LONGEST_NAME), text_column, language
    )


def file_submission(
    given_name: str, content: bytes, text_column: str | None, language: str | None
) -> Submission:
    """A file that was sent.

    Raises:
        Refusal: 415 for a kind that is not read, 422 for an empty file.
    """
    name = file_name(given_name)
    if not content:
        raise Refusal(422, f"Reading '{name}'", "it is empty", "Give a file with a text in it")
    _check_kind(content, name)
    return Submission("file", name, content, name, text_column, language)


def file_name(given: str) -> str:
    """The name of a file that was sent, without folders; its ending stays.

    Rule: a browser writes a quotation mark in a name as %22, and line ends as %0D and %0A; no other
    sign is escaped (HTML, multipart form data).

    >>> file_name("..\\\\..\\\\etc/passwd"), file_name("/"), file_name("a" * 200 + ".html")[-8:]
    ('passwd', 'upload', 'aaa.html')
    >>> file_name("%22a%22 50%25.txt")
    '"a" 50%25.txt'
    """
    given = re.sub("%(22|0[AD])", lambda found: chr(int(found[1], 16)), given, flags=re.I)
    name = one_line(given.replace("\\", "/").rpartition("/")[2]).lstrip(".")
    if len(name) > LONGEST_NAME:
        stem, dot, ending = name.rpartition(".")
        kept = f"{dot}{ending}" if stem and len(ending) < 16 else ""
        name = name[: LONGEST_NAME - len(kept)] + kept
    return name or "upload"


def checked_language(given: str) -> str | None:
    """The language that a form names, None for none.

    Raises:
        Refusal: 422 for what is no code of a language.
    """
    try:
        return language_code(given)
    except OptionError as error:
        raise Refusal(422, one_line(error.asked), error.found, error.do) from None


def _check_kind(content: bytes, name: str) -> None:
    try:
        kind_of(content[:HEAD], name)
    except DataError as error:
        raise Refusal(415, error.asked, error.found, error.do) from None


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
