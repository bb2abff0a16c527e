"""The ASGI application: API routes, screens and static files behind access control."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Mount
from starlette.routing import Route as StarletteRoute
from starlette.staticfiles import StaticFiles

from headwater.errors import HeadwaterError, StoreError
from headwater.web.dives.dive_service import DiveService
from headwater.web.dives.live_events import DiveEvents
from headwater.web.jobs.allowed_settings import merge_settings
from headwater.web.jobs.job_queue import JobQueue
from headwater.web.routes import API_ROUTES, SCREENS
from headwater.web.scans.live_events import ScanEvents
from headwater.web.scans.page_ranking import RankingCache
from headwater.web.scans.scan_diffs import ScanDiffCache
from headwater.web.serving.access_control import AccessMiddleware, AccessPolicy
from headwater.web.serving.app_state import AppState, make_fixed_settings
from headwater.web.serving.login import make_login_endpoint, render_login
from headwater.web.serving.openapi import make_openapi_document
from headwater.web.serving.problems import Problem, problem_response
from headwater.web.serving.route import make_endpoint
from headwater.web.serving.store_readers import StoreReaders
from headwater.web.serving.templating import render_problem

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Scope

    from headwater.settings import Layer
    from headwater.store.browse_store import BrowseStore

STATIC_DIRECTORY = Path(str(files("headwater.web") / "static"))
_STATUS_DETAILS = {404: "Nothing is served at this address", 405: "This address does not support that method"}


class ServerConfig(NamedTuple):
    """Configuration that the server is started with."""

    db: str
    access: AccessPolicy
    allow_private: tuple[str, ...] = ()
    layers: tuple[Layer, ...] = ()
    on_shutdown: Callable[[], object] = lambda: None
    """Called when the server ends; a signal may end the process before its caller continues."""


def make_app(config: ServerConfig) -> ASGIApp:
    """Return the application."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        state = _make_state(config)
        app.state.app_state = state
        yield
        state.scan_events.close()
        await asyncio.to_thread(state.dive_service.close)
        await state.jobs.close()
        state.readers.close()
        config.on_shutdown()

    app = Starlette(
        routes=[
            StarletteRoute("/login", make_login_endpoint(config.access), methods=["GET", "POST"]),
            *(StarletteRoute(route.path, make_endpoint(route), methods=[route.method]) for route in API_ROUTES),
            *(StarletteRoute(screen.path, make_endpoint(screen), methods=["GET"]) for screen in SCREENS),
            Mount("/static", StaticFiles(directory=STATIC_DIRECTORY)),
        ],
        lifespan=lifespan,
        exception_handlers={
            Problem: _on_problem,
            HTTPException: _on_http_exception,
            HeadwaterError: _on_headwater_error,
            Exception: _on_unexpected_error,
        },
    )
    return AccessMiddleware(app, config.access, _reject_request)


def _make_state(config: ServerConfig) -> AppState:
    readers = StoreReaders(config.db)
    scan_events, jobs = ScanEvents(readers), JobQueue(readers)
    fixed = make_fixed_settings(config.db, config.allow_private)
    return AppState(
        readers=readers,
        jobs=jobs,
        scan_events=scan_events,
        diff_cache=ScanDiffCache(),
        ranking_cache=RankingCache(),
        layers=config.layers,
        allow_private=config.allow_private,
        get_openapi_document=cache(lambda: make_openapi_document(API_ROUTES, config.access.cookie_name)),
        dive_service=DiveService(config.db, merge_settings({}, None, config.layers, fixed)),
        dive_events=DiveEvents(readers, jobs, scan_events),
    )


def _reject_request(scope: Scope, problem: Problem) -> Response:
    accepts = next((value for name, value in scope["headers"] if name == b"accept"), b"")
    if scope["path"].startswith(("/api/", "/static/")) or b"text/html" not in accepts:
        return problem_response(problem)
    return render_login() if problem.status == 401 else render_problem(problem)


async def _on_problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    return _respond_with_problem(request, error)


async def _on_http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    detail = _STATUS_DETAILS.get(error.status_code, str(error.detail))
    response = _respond_with_problem(request, Problem(error.status_code, detail))
    response.headers.update(error.headers or {})
    return response


async def _on_headwater_error(request: Request, error: Exception) -> Response:
    return _respond_with_problem(request, Problem(503 if isinstance(error, StoreError) else 422, str(error)))


async def _on_unexpected_error(request: Request, _: Exception) -> Response:
    return _respond_with_problem(request, Problem(500, "The log of the server has the details"))


def _respond_with_problem(request: Request, problem: Problem) -> Response:
    is_page = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    if request.url.path.startswith("/api/") or not is_page:
        return problem_response(problem)
    return render_problem(problem)


def interrupt_queued_scans(store: BrowseStore) -> None:
    """Mark the scans that a server left in its queue when it ended as interrupted, so that they can be resumed."""
    for scan in store.scans(1000):
        if scan.state == "queued":
            store.finish_scan(scan.number, "interrupted")
