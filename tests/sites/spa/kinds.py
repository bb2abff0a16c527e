"""What a site for the browser is: its pages, how each is to be found, and what must never be asked of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.sites.paper_site import Answer

HERE = Path(__file__).parent

Means = Literal[
    "start",  # where one begins
    "static",  # a link in the HTML as served
    "link",  # a link that a script made
    "hash",  # a link to a hash route
    "click",  # a click on something without href leads there
    "push",  # a script goes there by itself: pushState, replaceState
    "navigation",  # a script goes there by the Navigation API
    "assign",  # a click assigns location
    "open",  # a click opens a window
    "form",  # a form with method GET
    "route-table",  # the router knows it, nothing leads there
    "nowhere",  # only strings in a script speak of it; it need not be found
    "manifest",  # named in data of the application: the build manifest
    "prefetch",  # named by link rel=prefetch
    "scroll",  # a link that appears when scrolled to
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


class Asked(NamedTuple):
    """A request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class Route(NamedTuple):
    """A page: by which means it is found, on which page, at which elements (in order), and its heading."""

    path: str
    means: Means
    title: str
    on: str = "/"
    at: tuple[str, ...] = ()


@dataclass(frozen=True)
class SpaSite:
    """A site by its table. `answer` is given the request and the origins; None is a 404."""

    name: str
    answer: Callable[[Asked, Origins], Answer | None]
    routes: tuple[Route, ...]
    start: str = "/"
    not_pages: frozenset[str] = frozenset()
    endpoints: frozenset[tuple[str, str]] = frozenset()
    forbidden: frozenset[tuple[str, str]] = frozenset()

    @property
    def paths(self) -> frozenset[str]:
        """Every page that exists."""
        return frozenset(route.path for route in self.routes)

    def found_by(self, *means: Means) -> frozenset[str]:
        """The pages to be found by these means."""
        return frozenset(route.path for route in self.routes if route.means in means)


class Origins(NamedTuple):
    """Where a site is served, and where the one is that nobody may be led to."""

    own: str
    private: str


@dataclass
class Served:
    """A site that runs: where it is and what was asked of it."""

    site: SpaSite
    origins: Origins
    requests: list[Asked] = field(default_factory=list)
    private_requests: list[Asked] = field(default_factory=list)

    @property
    def origin(self) -> str:
        return self.origins.own

    @property
    def start(self) -> str:
        return self.origin + self.site.start

    @property
    def urls(self) -> frozenset[str]:
        """Every page as a URL."""
        return frozenset(self.origin + path for path in self.site.paths)

    @property
    def writes(self) -> list[tuple[str, str]]:
        """What was asked by other methods than GET, HEAD and OPTIONS."""
        return [(one.method, one.path) for one in list(self.requests) if one.method not in {"GET", "HEAD", "OPTIONS"}]

    @property
    def logouts(self) -> list[str]:
        """Where a visitor would have been signed out."""
        return [one.path for one in list(self.requests) if "logout" in one.path or "signout" in one.path]

    @property
    def harm(self) -> list[tuple[str, str]]:
        """What was asked although it must not be."""
        asked = [(one.method, one.path) for one in list(self.requests)]
        return [one for one in asked if one in self.site.forbidden]
