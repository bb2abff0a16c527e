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
from headwater.web.dives.dive_service import Librarian
from headwater.web.dives.live import DiveLive
from headwater.web.dives.screens import DIVE_SCREENS
from headwater.web.jobs.allowed_settings import choose
from headwater.web.jobs.jobs import Jobs
from headwater.web.routes import API
from headwater.web.scans.changes import Differences
from headwater.web.scans.live import Live
from headwater.web.scans.screens import SCREENS, login_page
from headwater.web.serving.app_state import Office, fixed
from headwater.web.serving.guard import Access, Guard
from headwater.web.serving.openapi import make_document
from headwater.web.serving.parameters import read_parameters
from headwater.web.serving.problems import Problem, problem_response
from headwater.web.serving.store_readers import Desk
from headwater.web.serving.templating import render_problem

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from starlette.requests import Request
    from starlette.types import ASGIApp, Scope

    from headwater.settings import Layer
    from headwater.store.browse import Browse
    from headwater.web.routes import Route as ApiRoute

STATIC = Path(str(files("headwater.web") / "static"))


class Service(NamedTuple):
    """What the server is started with."""

    db: str
    access: Access
    allow_private: tuple[str, ...] = ()
    layers: tuple[Layer, ...] = ()
    at_end: Callable[[], object] = lambda: None
    """Called when the server ends, which a signal may make it do before its caller goes on."""


def make_app(service: Service) -> ASGIApp:
    """The whole application."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        desk = Desk(service.db)
        live, jobs = Live(desk), Jobs(desk)
        document = make_document(API, service.access.cookie)
        librarian = Librarian(service.db, choose({}, None, service.layers, fixed(service.db, service.allow_private)))
        app.state.office = Office(
            desk, jobs, live, Differences(), service.layers, service.allow_private, document, librarian,
            DiveLive(desk, jobs, live),
        )  # fmt: skip
        yield
        live.close()
        await asyncio.to_thread(librarian.close)
        await jobs.close()
        desk.close()
        service.at_end()

    routes = [Route(route.path, _handler(route), methods=[route.method]) for route in API]
    routes += [Route(screen.path, _handler(screen), methods=["GET"]) for screen in (*SCREENS, *DIVE_SCREENS)]
    login = Route("/login", _login(service.access), methods=["GET", "POST"])
    app = Starlette(
        routes=[login, *routes, Mount("/static", StaticFiles(directory=STATIC))],
        lifespan=lifespan,
        exception_handlers={
            Problem: _on_problem,
            HTTPException: _on_http,
            HeadwaterError: _on_mistake,
            Exception: _on_error,
        },
    )
    return Guard(app, service.access, _refuse)


def _handler(route: ApiRoute | Any) -> Callable[[Request], Awaitable[Response]]:  # noqa: ANN401
    async def handle(request: Request) -> Response:
        answer = await route.handler(request, read_parameters(request, route.parameters))
        assert isinstance(answer, Response)
        return answer

    return handle


def _login(access: Access) -> Callable[[Request], Awaitable[Response]]:
    """Where the token of the printed link becomes a cookie that no script can read and no other site can use."""

    async def login(request: Request) -> Response:
        token = request.query_params.get("token", "")
        if request.method == "POST":
            token = _token_in(await request.body())
        if not access.is_token(token):
            return login_page(is_wrong=bool(token))
        answer = RedirectResponse("/", 303)
        answer.set_cookie(access.cookie, access.token, httponly=True, samesite="strict", path="/")
        return answer

    return login


def _token_in(form: bytes) -> str:
    try:
        return parse_qs(form.decode("ascii", "replace"), max_num_fields=5).get("token", [""])[0]
    except ValueError:  # too many fields
        return ""


def _refuse(scope: Scope, problem: Problem) -> Response:
    accepts = next((value for name, value in scope["headers"] if name == b"accept"), b"")
    if scope["path"].startswith(("/api/", "/static/")) or b"text/html" not in accepts:
        return problem_response(problem)
    return login_page() if problem.status == 401 else render_problem(problem)


async def _on_problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    return _told(request, error)


async def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    told = _told(request, Problem(error.status_code, _WORDS.get(error.status_code, str(error.detail))))
    told.headers.update(error.headers or {})
    return told


async def _on_mistake(request: Request, error: Exception) -> Response:
    return _told(request, Problem(503 if isinstance(error, StoreError) else 422, str(error)))


async def _on_error(request: Request, _: Exception) -> Response:
    return _told(request, Problem(500, "The server's own log says more"))


_WORDS = {404: "nothing is served under this address", 405: "this address does not know that method"}


def _told(request: Request, problem: Problem) -> Response:
    is_page = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    if request.url.path.startswith("/api/") or not is_page:
        return problem_response(problem)
    return render_problem(problem)


def forget_queue(store: Browse) -> None:
    """What waited in the queue of a server that has ended will not run by itself; it can be gone on with."""
    for scan in store.scans(1000):
        if scan.state == "queued":
            store.end(scan.number, "interrupted")
