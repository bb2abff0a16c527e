"""HTML responses from templates: text from sites is escaped, numbers and times are formatted."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response

from headwater.discovery.stage_names import STAGE_NAMES
from headwater.urls.skip_reasons import describe_reason
from headwater.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from headwater.web.serving.problems import Problem

STATE_TITLES = {
    "done": "Done",
    "running": "Running",
    "queued": "Queued",
    "stalled": "Not responding",
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
    """Return a URL without its scheme, shortened in the middle if it is very long."""
    text = (url or "").partition("://")[2] or (url or "")
    return text if len(text) <= _MAX_URL_LENGTH else f"{text[: _MAX_URL_LENGTH - 30]}…{text[-29:]}"


def _format_path(url: str | None) -> str:
    """Return a URL without scheme and host."""
    text = (url or "").partition("://")[2].partition("/")[2]
    return _shorten_url(f"/{text}")


def _is_web_url(url: str | None) -> bool:
    return (url or "").startswith(("http://", "https://"))


def _build_query(values: Mapping[str, object], **changed: object) -> str:
    """Return a query string with some values changed; None removes a value."""
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
    "number": _format_number,
    "seconds": _format_seconds,
    "short": _shorten_url,
    "path": _format_path,
    "sentence": describe_reason,
}
_ENVIRONMENT.tests["web"] = _is_web_url
_ENVIRONMENT.globals |= {
    "query": _build_query,
    "state_names": STATE_TITLES,
    "stage_names": STAGE_NAMES,
    "version": VERSION,
}


def render(name: str, /, **values: object) -> Response:
    """Return a response made from a template."""
    return render_with_status(name, 200, {}, **values)


def render_with_status(name: str, http_status: int, headers: dict[str, str], /, **values: object) -> Response:
    """Return a response made from a template, with a status and headers."""
    defaults: dict[str, object] = {"scan": None, "title": "Headwater", "section": "", "has_fleet": False}
    text = _ENVIRONMENT.get_template(name).render(**{**defaults, **values})
    return HTMLResponse(text, http_status, headers)


def render_problem(problem: Problem) -> Response:
    """Return a page that says what went wrong; the browser reloads one that is not ready yet."""
    headers = {"Refresh": "2"} if problem.status == 503 else {}
    return render_with_status("problem.html", problem.status, headers, title=problem.title, problem=problem)
