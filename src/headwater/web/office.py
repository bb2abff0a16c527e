"""What the handlers of requests work with: it hangs on the application."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from starlette.requests import Request

    from headwater.settings import Layer
    from headwater.web.changes import Differences
    from headwater.web.desk import Desk
    from headwater.web.jobs import Jobs
    from headwater.web.live import Live


class Office(NamedTuple):
    """Everything that outlives a request."""

    desk: Desk
    jobs: Jobs
    live: Live
    differences: Differences
    layers: tuple[Layer, ...]
    allow_private: tuple[str, ...]
    document: dict[str, Any]

    @property
    def fixed(self) -> dict[str, object]:
        """Settings that no request changes."""
        return {"db": self.desk.db, "allow_private": self.allow_private, "quiet": True}


def office(request: Request) -> Office:
    """What the application works with."""
    found = request.app.state.office
    assert isinstance(found, Office)
    return found
