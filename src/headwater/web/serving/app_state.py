"""What the handlers of requests work with: it hangs on the application."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from starlette.requests import Request

    from headwater.settings import Layer
    from headwater.web.dives.dive_service import Librarian
    from headwater.web.dives.live import DiveLive
    from headwater.web.jobs.jobs import Jobs
    from headwater.web.scans.changes import Differences
    from headwater.web.scans.live import Live
    from headwater.web.serving.store_readers import Desk


class Office(NamedTuple):
    """Everything that outlives a request."""

    desk: Desk
    jobs: Jobs
    live: Live
    differences: Differences
    layers: tuple[Layer, ...]
    allow_private: tuple[str, ...]
    document: dict[str, Any]
    librarian: Librarian
    dive_live: DiveLive

    @property
    def fixed(self) -> dict[str, object]:
        """Settings that no request changes."""
        return fixed(self.desk.db, self.allow_private)


def fixed(db: str, allow_private: tuple[str, ...]) -> dict[str, object]:
    """Settings that no request changes."""
    return {"db": db, "allow_private": allow_private, "quiet": True}


def office(request: Request) -> Office:
    """What the application works with."""
    found = request.app.state.office
    assert isinstance(found, Office)
    return found
