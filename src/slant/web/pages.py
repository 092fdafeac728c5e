"""The pages of the server: what is given, what is waited for, what was found."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from slant.report.analysispage import PAGE
from slant.report.webpages import api_page, home_page, login_page, waiting_page
from slant.web.access import Access, same
from slant.web.answers import file_answer, page_answer, see
from slant.web.desk import Desk
from slant.web.entries import check_done, entry_json
from slant.web.forms import form_submission, read_form
from slant.web.refusals import Refusal

MOST_SHOWN: Final = 100
"""Analyses on one page of the history."""


def page_router(desk: Desk, access: Access) -> APIRouter:
    """The pages and what their forms send.

    Args:
        desk: that takes and keeps analyses.
        access: who may ask.
    """
    router = APIRouter(include_in_schema=False, default_response_class=Response)
    history, limits = desk.history, desk.settings.limits

    async def form_of(request: Request) -> dict[str, Any]:
        form = await read_form(request, limits)
        mark = form.get("mark")
        if not isinstance(mark, str) or not same(mark, access.mark):
            raise Refusal(403, "Reading the form", "it is not of this server, or of an earlier run",
                          "Go back, load the page anew and send it again")  # fmt: skip
        return form

    @router.get("/")
    async def home(page: int = 1) -> Response:
        page = min(max(page, 1), 10**6)
        found = await asyncio.to_thread(history.entries, MOST_SHOWN, (page - 1) * MOST_SHOWN)
        shown = home_page(
            [entry_json(one, desk) for one in found],
            await asyncio.to_thread(history.count),
            page,
            MOST_SHOWN,
            desk.worker.detectors,
            limits={"size": limits.size, "characters": limits.characters,
                    "sentences": limits.sentences, "articles": limits.articles},
            mark=access.mark,
            kept=desk.kept,
            secured=bool(access.token),
        )  # fmt: skip
        return page_answer(shown)

    @router.post("/analyses")
    async def give(request: Request) -> Response:
        given = form_submission(await form_of(request), limits, "text", "file", "address")
        return see(f"/analyses/{await desk.take(given)}")

    @router.get("/analyses/{id}")
    async def wait(id: str) -> Response:
        entry = await asyncio.to_thread(history.entry, id)
        if entry.state == "done":
            return see(f"/analyses/{entry.id}/{PAGE}")
        return page_answer(waiting_page(entry_json(entry, desk), access.mark))

    @router.get("/analyses/{id}/{name:path}")
    async def show(id: str, name: str) -> Response:
        check_done(await asyncio.to_thread(history.entry, id))
        return file_answer(name, await asyncio.to_thread(history.file, id, name))

    @router.post("/analyses/{id}/delete")
    async def delete(id: str, request: Request) -> Response:
        await form_of(request)
        await desk.drop(id)
        return see("/#history")

    @router.post("/analyses/{id}/start")
    async def start(id: str, request: Request) -> Response:
        await form_of(request)
        await desk.again(id)
        return see(f"/analyses/{id}")

    @router.post("/delete-all")
    async def delete_all(request: Request) -> Response:
        await form_of(request)
        await desk.drop(None)
        return see("/#history")

    @router.get("/login")
    async def ask_token() -> Response:
        return page_answer(login_page(access.mark)) if access.token else see("/")

    @router.post("/login")
    async def take_token(request: Request) -> Response:
        form = await form_of(request)
        if not access.is_token(str(form.get("token", "")).strip()):
            return page_answer(login_page(access.mark, wrong=True), 401)
        answer = see("/")
        answer.set_cookie(access.cookie, access.session, httponly=True, samesite="strict")
        return answer

    @router.post("/logout")
    async def leave(request: Request) -> Response:
        await form_of(request)
        answer = see("/login")
        answer.delete_cookie(access.cookie, httponly=True, samesite="strict")
        return answer

    @router.get("/api")
    async def describe(request: Request) -> Response:
        return page_answer(api_page(request.app.openapi(), str(request.base_url).rstrip("/")))

    return router
