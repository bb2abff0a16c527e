"""State of the application that outlives a request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from headwater.settings import Layer
    from headwater.web.dives.dive_service import DiveService
    from headwater.web.dives.live_events import DiveEvents
    from headwater.web.jobs.job_queue import JobQueue
    from headwater.web.scans.live_events import ScanEvents
    from headwater.web.scans.page_ranking import RankingCache
    from headwater.web.scans.scan_diffs import ScanDiffCache
    from headwater.web.serving.store_readers import StoreReaders


class AppState(NamedTuple):
    """Everything that handlers of requests share."""

    readers: StoreReaders
    jobs: JobQueue
    scan_events: ScanEvents
    diff_cache: ScanDiffCache
    ranking_cache: RankingCache
    layers: tuple[Layer, ...]
    allow_private: tuple[str, ...]
    get_openapi_document: Callable[[], dict[str, Any]]
    dive_service: DiveService
    dive_events: DiveEvents

    @property
    def fixed_settings(self) -> dict[str, object]:
        """Settings that no request can change."""
        return make_fixed_settings(self.readers.db, self.allow_private)


def make_fixed_settings(db: str, allow_private: tuple[str, ...]) -> dict[str, object]:
    """Return the settings that no request can change."""
    return {"db": db, "allow_private": allow_private, "quiet": True}


def get_app_state(request: Request) -> AppState:
    """Return the state of the application that serves a request."""
    state = request.app.state.app_state
    assert isinstance(state, AppState)
    return state
