"""Templates made into answers: everything from a site is escaped, numbers and times are written for people."""

from __future__ import annotations

from importlib.resources import files
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response

from headwater.discovery.stage_names import STAGE_NAMES
from headwater.urls.reasons import sentence_of
from headwater.version import VERSION
from headwater.web.serving.problems import TITLES, Problem

ENDED = {
    "done": "Done",
    "running": "Running",
    "queued": "Waiting",
    "stalled": "No sign of life",
    "limited": "Stopped by a limit",
    "incomplete": "Incomplete",
    "interrupted": "Stopped",
    "paused": "Paused",
    "cancelled": "Cancelled",
}
_LONGEST = 120


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,}"


def _seconds(value: float) -> str:
    if value < 1:
        return f"{value * 1000:.0f} ms"
    if value < 60:
        return f"{value:.1f} s"
    minutes, seconds = divmod(round(value), 60)
    return f"{minutes} min {seconds} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _short(url: str | None) -> str:
    """A URL without its scheme, and cut in the middle where it is very long."""
    text = (url or "").partition("://")[2] or (url or "")
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 30]}…{text[-29:]}"


def _path(url: str | None) -> str:
    """A URL without its host."""
    text = (url or "").partition("://")[2].partition("/")[2]
    return _short(f"/{text}")


def _is_web(url: str | None) -> bool:
    return (url or "").startswith(("http://", "https://"))


def _query(values: dict[str, Any], **changed: Any) -> str:  # noqa: ANN401
    """The address' query with some values changed; None takes one away."""
    merged = {name: value for name, value in {**values, **changed}.items() if value not in (None, "")}
    return "?" + urlencode(merged)


_ENVIRONMENT = Environment(
    loader=FileSystemLoader(str(files("headwater.web") / "templates")),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.filters |= {
    "number": _number, "seconds": _seconds, "short": _short, "path": _path, "sentence": sentence_of,
}  # fmt: skip
_ENVIRONMENT.tests["web"] = _is_web
_ENVIRONMENT.globals |= {"query": _query, "state_names": ENDED, "stage_names": STAGE_NAMES, "version": VERSION}


def render(name: str, status: int = 200, headers: dict[str, str] | None = None, **values: Any) -> Response:  # noqa: ANN401
    """An answer made from a template."""
    defaults = {"scan": None, "title": "Headwater", "section": "", "has_fleet": False}
    return HTMLResponse(_ENVIRONMENT.get_template(name).render(**{**defaults, **values}), status, headers)


def render_problem(problem: Problem) -> Response:
    """A page that says what went wrong; one that says it will be ready soon looks again by itself."""
    headers = {"Refresh": "2"} if problem.status == 503 else {}
    title = TITLES.get(problem.status, "Error")
    return render("problem.html", problem.status, headers, title=title, problem=problem)
