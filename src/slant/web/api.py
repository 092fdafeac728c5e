"""The JSON API: everything that the pages can do, for programs."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from slant.runs.analysistables import EVENTS, GROUPS, PROFILES, SENTENCES, TableFile
from slant.web.answers import file_answer, json_answer
from slant.web.desk import Desk
from slant.web.entries import (
    RETRY,
    Detectors,
    Fault,
    Listing,
    Result,
    Summary,
    check_done,
    entry_json,
    result_of,
)
from slant.web.forms import form_submission, read_form
from slant.web.outputs import MEDIA
from slant.web.refusals import Refusal
from slant.web.submissions import Asked, json_submission

MOST_LISTED: Final = 500
TABLES: Final = (SENTENCES, PROFILES, GROUPS, EVENTS)
OF_SEVERAL: Final = (GROUPS, EVENTS)
"""Tables that the page offers where there are several articles."""
_FORM: Final = {
    "type": "object",
    "required": ["file"],
    "properties": {
        "file": {"type": "string", "format": "binary", "description": "Any kind that is read."},
        "language": {"type": "string", "description": "Of all texts, e.g. en; else it is told."},
        "text_column": {"type": "string", "description": "Of the text, in tables."},
    },
}
_BODY: Final = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": Asked.model_json_schema()},
            "multipart/form-data": {"schema": _FORM},
        },
    }
}


def faults(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The errors of an operation, for OpenAPI."""
    said = {
        400: "The request cannot be read.",
        401: "The token is missing or another.",
        403: "The request comes from a foreign page, or was made to a foreign name.",
        404: "There is no such analysis, or it has no such file.",
        409: "Its state does not allow it.",
        413: "It is too large.",
        415: "It is of a kind that is not read.",
        422: "It holds something else than it should.",
        429: "Too many wait: see Retry-After.",
        503: "The server cannot do it now.",
    }
    return {status: {"model": Fault, "description": said[status]} for status in statuses}


def api_router(desk: Desk) -> APIRouter:
    """The operations under /api/v1.

    Args:
        desk: that takes and keeps analyses.
    """
    router = APIRouter(prefix="/api/v1", default_response_class=Response)
    history, limits = desk.history, desk.settings.limits

    @router.post(
        "/analyses", status_code=202, response_model=Summary, openapi_extra=_BODY,
        summary="Analyse a text, an address or a file",
        responses=faults(400, 401, 403, 413, 415, 422, 429, 503),
    )  # fmt: skip
    async def post_analysis(request: Request) -> Response:
        media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media == "application/json":
            given = json_submission(await request.body())
        elif media == "multipart/form-data":
            given = form_submission(await read_form(request, limits), limits, "file")
        else:
            raise Refusal(415, "Reading the request", f"its type is '{media[:80]}'",
                          "Send application/json or multipart/form-data")  # fmt: skip
        own = await desk.take(given)
        where = {"location": f"/api/v1/analyses/{own}", "retry-after": str(RETRY)}
        entry = await asyncio.to_thread(history.entry, own)
        return json_answer(entry_json(entry, desk), 202, where)

    @router.get("/analyses", response_model=Listing, summary="List the history, the latest first",
                responses=faults(401, 403, 422))  # fmt: skip
    async def get_analyses(
        limit: Annotated[int, Query(ge=1, le=MOST_LISTED, description="How many.")] = 100,
        offset: Annotated[int, Query(ge=0, lt=2**63, description="Left out before.")] = 0,
    ) -> Response:
        found = await asyncio.to_thread(history.entries, limit, offset)
        total = await asyncio.to_thread(history.count)
        return json_answer({"total": total, "analyses": [entry_json(one, desk) for one in found]})

    @router.delete("/analyses", status_code=204, summary="Delete all analyses",
                   responses=faults(401, 403))  # fmt: skip
    async def delete_analyses() -> Response:
        await desk.drop(None)
        return Response(status_code=204)

    @router.get("/analyses/{id}", response_model=Result, summary="State, progress and result",
                responses=faults(401, 403, 404))  # fmt: skip
    async def get_analysis(
        id: str,
        result: Annotated[bool, Query(description="Whether with the result.")] = True,
    ) -> Response:
        entry = await asyncio.to_thread(history.entry, id)
        told = json.dumps(entry_json(entry, desk), ensure_ascii=False).encode("utf-8", "replace")
        if entry.state == "done" and result:
            made = await asyncio.to_thread(result_of, desk, entry)
            told = told[:-1] + b', "result": ' + made + b"}"
        return Response(told, media_type="application/json")

    @router.delete("/analyses/{id}", status_code=204, summary="Delete an analysis, or stop it",
                   responses=faults(401, 403, 404))  # fmt: skip
    async def delete_analysis(id: str) -> Response:
        await desk.drop(id)
        return Response(status_code=204)

    @router.post("/analyses/{id}/start", status_code=202, response_model=Summary,
                 summary="Start again what was interrupted or failed",
                 responses=faults(401, 403, 404, 409, 429, 503))  # fmt: skip
    async def start_analysis(id: str) -> Response:
        await desk.again(id)
        entry = await asyncio.to_thread(history.entry, id)
        return json_answer(entry_json(entry, desk), 202, {"retry-after": str(RETRY)})

    for table in TABLES:
        for ending in (".csv", ".parquet"):
            _add_table(router, desk, table, ending)

    @router.get("/detectors", response_model=Detectors,
                summary="The detectors that are asked, with their measured F1 and their cards",
                responses=faults(401, 403))  # fmt: skip
    async def get_detectors() -> Response:
        return json_answer({"detectors": desk.worker.detectors})

    return router


def _add_table(router: APIRouter, desk: Desk, table: TableFile, ending: str) -> None:
    name = f"{table.name}{ending}"

    async def get_table(id: str) -> Response:
        entry = await asyncio.to_thread(desk.history.entry, id)
        check_done(entry)
        if table in OF_SEVERAL and (entry.summary or {}).get("articles") == 1:
            found = "it holds one article, and these are of several"
            raise Refusal(404, f"Reading the {table.name} of '{entry.title}'", found,
                          f"Ask for {SENTENCES.name} or {PROFILES.name}")  # fmt: skip
        return file_answer(name, await asyncio.to_thread(desk.history.file, id, name))

    several = " of several articles" if table in OF_SEVERAL else ""
    media = MEDIA[ending].partition(";")[0]
    router.add_api_route(
        f"/analyses/{{id}}/{name}", get_table, name=f"get_{table.name}{ending}",
        summary=f"Its {table.name}{several} as {ending[1:]}: {table.says}",
        responses={200: {"content": {media: {}}}, **faults(401, 403, 404, 409)},
    )  # fmt: skip
