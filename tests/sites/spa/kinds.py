"""Describe a site for browser tests: its pages, how each one is found, and requests that must never be sent."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.sites.table_site import Answer, ReceivedRequest

HERE = Path(__file__).parent

Means = Literal[
    "start",  # the first page
    "static",  # a link in the HTML as served
    "link",  # a link added by a script
    "hash",  # a link to a hash route
    "click",  # a click on an element without href
    "push",  # a script calls pushState or replaceState on its own
    "navigation",  # a script uses the Navigation API
    "assign",  # a click assigns location
    "open",  # a click opens a window
    "form",  # a form with method GET
    "route-table",  # listed in the router's table, linked from nowhere
    "nowhere",  # mentioned only in strings of a script; it need not be found
    "manifest",  # listed in the application's build manifest
    "prefetch",  # named by link rel=prefetch
    "scroll",  # a link that appears after scrolling
    "shadow",  # a link in an open shadow root
    "closed-shadow",  # a link in a closed one
    "frame",  # a link in a frame of the same origin or in srcdoc
    "template",  # a link in a template that was not used
    "details",  # a link that appears when details are opened
    "hover",  # a link that appears under the mouse
    "focus",  # a link that appears when the focus arrives
    "key",  # a link that appears on a key
    "reveal",  # a link that appears after clicks, each of which makes the next button
]


class Route(NamedTuple):
    """A page: how it is found, on which page, at which elements (in order), and its heading."""

    path: str
    means: Means
    title: str
    on: str = "/"
    at: tuple[str, ...] = ()


@dataclass(frozen=True)
class SpaSite:
    """A site and the table of its pages; None from `answer` stands for a 404."""

    name: str
    answer: Callable[[ReceivedRequest, Origins], Answer | None]
    routes: tuple[Route, ...]
    start: str = "/"
    not_pages: frozenset[str] = frozenset()
    endpoints: frozenset[tuple[str, str]] = frozenset()
    forbidden: frozenset[tuple[str, str]] = frozenset()

    @property
    def paths(self) -> frozenset[str]:
        """The paths of all pages."""
        return frozenset(route.path for route in self.routes)

    def found_by(self, *means: Means) -> frozenset[str]:
        """Return the paths of pages that are found by one of these means."""
        return frozenset(route.path for route in self.routes if route.means in means)


class Origins(NamedTuple):
    """The origin of a site, and the origin of the private site that must never be requested."""

    own: str
    private: str


@dataclass
class Served:
    """A running site and the requests so far."""

    site: SpaSite
    origins: Origins
    requests: list[ReceivedRequest]
    private_requests: list[ReceivedRequest]

    @property
    def origin(self) -> str:
        return self.origins.own

    @property
    def start(self) -> str:
        return self.origin + self.site.start

    @property
    def urls(self) -> frozenset[str]:
        """The URLs of all pages."""
        return frozenset(self.origin + path for path in self.site.paths)

    @property
    def writes(self) -> list[tuple[str, str]]:
        """Requests with other methods than GET, HEAD and OPTIONS."""
        return [(one.method, one.path) for one in list(self.requests) if one.method not in {"GET", "HEAD", "OPTIONS"}]

    @property
    def logouts(self) -> list[str]:
        """Paths of requests that sign a visitor out."""
        return [one.path for one in list(self.requests) if "logout" in one.path or "signout" in one.path]

    @property
    def harm(self) -> list[tuple[str, str]]:
        """Requests that must never be sent."""
        sent = [(one.method, one.path) for one in list(self.requests)]
        return [one for one in sent if one in self.site.forbidden]
