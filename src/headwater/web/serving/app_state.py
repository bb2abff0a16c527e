"""What the handlers of requests work with: it hangs on the application."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from starlette.requests import Request

    from headwater.settings import Layer
    from headwater.web.dives.dive_service import DiveService
    from headwater.web.dives.live_events import DiveEvents
    from headwater.web.jobs.job_queue import JobQueue
    from headwater.web.scans.live_events import ScanEvents
    from headwater.web.scans.scan_diffs import ScanDiffCache
    from headwater.web.serving.store_readers import StoreReaders


class AppState(NamedTuple):
    """Everything that outlives a request."""

    readers: StoreReaders
    jobs: JobQueue
    scan_events: ScanEvents
    diff_cache: ScanDiffCache
    layers: tuple[Layer, ...]
    allow_private: tuple[str, ...]
    openapi_document: dict[str, Any]
    dive_service: DiveService
    dive_events: DiveEvents

    @property
    def fixed_settings(self) -> dict[str, object]:
        """Settings that no request changes."""
        return make_fixed_settings(self.readers.db, self.allow_private)


def make_fixed_settings(db: str, allow_private: tuple[str, ...]) -> dict[str, object]:
    """Settings that no request changes."""
    return {"db": db, "allow_private": allow_private, "quiet": True}


def get_app_state(request: Request) -> AppState:
    """What the application works with."""
    found = request.app.state.office
    assert isinstance(found, AppState)
    return found
