"""Templates made into answers: everything from a site is escaped, numbers and times are written for people."""

from __future__ import annotations

from importlib.resources import files
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response

from headwater.discovery.stage_names import STAGE_NAMES
from headwater.urls.skip_reasons import describe_reason
from headwater.version import VERSION
from headwater.web.serving.problems import PROBLEM_TITLES, Problem

STATE_TITLES = {
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
_MAX_URL_LENGTH = 120


def _format_number(value: float | None) -> str:
    return "–" if value is None else f"{value:,}"


def _format_seconds(value: float) -> str:
    if value < 1:
        return f"{value * 1000:.0f} ms"
    if value < 60:
        return f"{value:.1f} s"
    minutes, seconds = divmod(round(value), 60)
    return f"{minutes} min {seconds} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _shorten_url(url: str | None) -> str:
    """A URL without its scheme, and cut in the middle where it is very long."""
    text = (url or "").partition("://")[2] or (url or "")
    return text if len(text) <= _MAX_URL_LENGTH else f"{text[: _MAX_URL_LENGTH - 30]}…{text[-29:]}"


def _format_path(url: str | None) -> str:
    """A URL without its host."""
    text = (url or "").partition("://")[2].partition("/")[2]
    return _shorten_url(f"/{text}")


def _is_web_url(url: str | None) -> bool:
    return (url or "").startswith(("http://", "https://"))


def _build_query(values: dict[str, Any], **changed: Any) -> str:  # noqa: ANN401
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
    "number": _format_number, "seconds": _format_seconds, "short": _shorten_url, "path": _format_path, "sentence": describe_reason,
}  # fmt: skip
_ENVIRONMENT.tests["web"] = _is_web_url
_ENVIRONMENT.globals |= {
    "query": _build_query,
    "state_names": STATE_TITLES,
    "stage_names": STAGE_NAMES,
    "version": VERSION,
}


def render(name: str, status: int = 200, headers: dict[str, str] | None = None, **values: Any) -> Response:  # noqa: ANN401
    """An answer made from a template."""
    defaults = {"scan": None, "title": "Headwater", "section": "", "has_fleet": False}
    return HTMLResponse(_ENVIRONMENT.get_template(name).render(**{**defaults, **values}), status, headers)


def render_problem(problem: Problem) -> Response:
    """A page that says what went wrong; one that says it will be ready soon looks again by itself."""
    headers = {"Refresh": "2"} if problem.status == 503 else {}
    title = PROBLEM_TITLES.get(problem.status, "Error")
    return render("problem.html", problem.status, headers, title=title, problem=problem)
