"""The application: the API's table, the screens and the files beside them, behind the guard."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from headwater.errors import HeadwaterError, StoreError
from headwater.web.dives.dive_service import DiveService
from headwater.web.dives.live_events import DiveEvents
from headwater.web.dives.screens import DIVE_SCREENS
from headwater.web.jobs.allowed_settings import merge_settings
from headwater.web.jobs.job_queue import JobQueue
from headwater.web.routes import API_ROUTES
from headwater.web.scans.live_events import ScanEvents
from headwater.web.scans.scan_diffs import ScanDiffCache
from headwater.web.scans.screens import SCREENS, render_login
from headwater.web.serving.access_control import AccessMiddleware, AccessPolicy
from headwater.web.serving.app_state import AppState, make_fixed_settings
from headwater.web.serving.openapi import make_openapi_document
from headwater.web.serving.parameters import read_parameters
from headwater.web.serving.problems import Problem, problem_response
from headwater.web.serving.store_readers import StoreReaders
from headwater.web.serving.templating import render_problem

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from starlette.requests import Request
    from starlette.types import ASGIApp, Scope

    from headwater.settings import Layer
    from headwater.store.browse_store import BrowseStore
    from headwater.web.routes import Route as ApiRoute

STATIC_DIRECTORY = Path(str(files("headwater.web") / "static"))


class ServerConfig(NamedTuple):
    """What the server is started with."""

    db: str
    access: AccessPolicy
    allow_private: tuple[str, ...] = ()
    layers: tuple[Layer, ...] = ()
    on_shutdown: Callable[[], object] = lambda: None
    """Called when the server ends, which a signal may make it do before its caller goes on."""


def make_app(service: ServerConfig) -> ASGIApp:
    """The whole application."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        desk = StoreReaders(service.db)
        live, jobs = ScanEvents(desk), JobQueue(desk)
        document = make_openapi_document(API_ROUTES, service.access.cookie_name)
        librarian = DiveService(
            service.db, merge_settings({}, None, service.layers, make_fixed_settings(service.db, service.allow_private))
        )
        app.state.office = AppState(
            desk, jobs, live, ScanDiffCache(), service.layers, service.allow_private, document, librarian,
            DiveEvents(desk, jobs, live),
        )  # fmt: skip
        yield
        live.close()
        await asyncio.to_thread(librarian.close)
        await jobs.close()
        desk.close()
        service.on_shutdown()

    routes = [Route(route.path, _make_endpoint(route), methods=[route.method]) for route in API_ROUTES]
    routes += [Route(screen.path, _make_endpoint(screen), methods=["GET"]) for screen in (*SCREENS, *DIVE_SCREENS)]
    login = Route("/login", _make_login_endpoint(service.access), methods=["GET", "POST"])
    app = Starlette(
        routes=[login, *routes, Mount("/static", StaticFiles(directory=STATIC_DIRECTORY))],
        lifespan=lifespan,
        exception_handlers={
            Problem: _on_problem,
            HTTPException: _on_http_exception,
            HeadwaterError: _on_headwater_error,
            Exception: _on_unexpected_error,
        },
    )
    return AccessMiddleware(app, service.access, _reject_request)


def _make_endpoint(route: ApiRoute | Any) -> Callable[[Request], Awaitable[Response]]:  # noqa: ANN401
    async def handle(request: Request) -> Response:
        answer = await route.handler(request, read_parameters(request, route.parameters))
        assert isinstance(answer, Response)
        return answer

    return handle


def _make_login_endpoint(access: AccessPolicy) -> Callable[[Request], Awaitable[Response]]:
    """Where the token of the printed link becomes a cookie that no script can read and no other site can use."""

    async def login(request: Request) -> Response:
        token = request.query_params.get("token", "")
        if request.method == "POST":
            token = _parse_token(await request.body())
        if not access.is_valid_token(token):
            return render_login(is_wrong=bool(token))
        answer = RedirectResponse("/", 303)
        answer.set_cookie(access.cookie_name, access.token, httponly=True, samesite="strict", path="/")
        return answer

    return login


def _parse_token(form: bytes) -> str:
    try:
        return parse_qs(form.decode("ascii", "replace"), max_num_fields=5).get("token", [""])[0]
    except ValueError:  # too many fields
        return ""


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
    told = _respond_with_problem(
        request, Problem(error.status_code, _STATUS_DETAILS.get(error.status_code, str(error.detail)))
    )
    told.headers.update(error.headers or {})
    return told


async def _on_headwater_error(request: Request, error: Exception) -> Response:
    return _respond_with_problem(request, Problem(503 if isinstance(error, StoreError) else 422, str(error)))


async def _on_unexpected_error(request: Request, _: Exception) -> Response:
    return _respond_with_problem(request, Problem(500, "The server's own log says more"))


_STATUS_DETAILS = {404: "nothing is served under this address", 405: "this address does not know that method"}


def _respond_with_problem(request: Request, problem: Problem) -> Response:
    is_page = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    if request.url.path.startswith("/api/") or not is_page:
        return problem_response(problem)
    return render_problem(problem)


def interrupt_queued_scans(store: BrowseStore) -> None:
    """What waited in the queue of a server that has ended will not run by itself; it can be gone on with."""
    for scan in store.scans(1000):
        if scan.state == "queued":
            store.finish_scan(scan.number, "interrupted")
