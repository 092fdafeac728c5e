"""The application: the gate, the pages and the API in one."""

from __future__ import annotations

import traceback
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp

import slant
from slant.errors import SlantError
from slant.web.access import Access
from slant.web.answers import refusal_answer
from slant.web.api import api_router
from slant.web.desk import Desk
from slant.web.guard import Guard
from slant.web.pages import page_router
from slant.web.refusals import Refusal, refused

Handler = Callable[[Request, Exception], Awaitable[Response]]


def site(desk: Desk, access: Access) -> ASGIApp:
    """All that the server answers.

    Args:
        desk: that takes and keeps analyses.
        access: who may ask.
    """
    app = FastAPI(
        title="slant",
        version=slant.__version__,
        summary="Reading articles: marked sentences and the evidence for each mark.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    for kind, handler in _handlers().items():
        app.add_exception_handler(kind, handler)
    app.include_router(api_router(desk))
    app.include_router(page_router(desk, access))
    if access.token:
        _say_bearer(app)
    return Guard(app, access, desk.settings.limits)


def _handlers() -> dict[type[Exception], Handler]:
    async def of_slant(request: Request, error: Exception) -> Response:
        assert isinstance(error, SlantError)
        return refusal_answer(refused(error), request.url.path)

    async def of_http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        path = request.url.path
        asked = f"Asking for {request.method} {path[:80]}"
        found = {404: "there is nothing", 405: "it cannot be asked so"}.get(
            error.status_code, str(error.detail)
        )
        refusal = Refusal(error.status_code, asked, found, "See /api for what can be asked")
        return refusal_answer(refusal, path)

    async def of_fields(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        refusal = Refusal(422, "Reading the request", f"{place}: {first['msg']}"[:300],
                          "See /api for what can be asked")  # fmt: skip
        return refusal_answer(refusal, request.url.path)

    async def of_program(request: Request, error: Exception) -> Response:
        traceback.print_exception(error)
        refusal = Refusal(500, "Answering", "the program has a fault, which stands in its terminal",
                          "Report it")  # fmt: skip
        return refusal_answer(refusal, request.url.path)

    return {SlantError: of_slant, HTTPException: of_http, RequestValidationError: of_fields,
            Exception: of_program}  # fmt: skip


def _say_bearer(app: FastAPI) -> None:
    plain = app.openapi

    def secured() -> dict[str, Any]:
        told = plain()
        told["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        told["security"] = [{"token": []}]
        return told

    app.openapi = secured  # type: ignore[method-assign]
