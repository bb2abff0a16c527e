"""What the stages of a discovery share: what they are given, what they tell, how each is kept from the others."""

from __future__ import annotations

import asyncio
import math
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from headwater.discovery.process_limits import ProcessLimits
from headwater.discovery.visits.batching import save_in_batches
from headwater.errors import HeadwaterError
from headwater.plurals import format_count as format_count  # noqa: PLC0414  (exported)
from headwater.urls import spell_url
from headwater.urls.parsing import parse_seed_url

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence

    from headwater.discovery.stages.render import Renderer
    from headwater.discovery.visits.crawl_loop import CrawlLoop
    from headwater.examination import SiteState
    from headwater.fetch import FetchStack
    from headwater.model import DiscoveredUrl, Evidence, FetchFailure, Response
    from headwater.pages.files.robots_txt import Robots
    from headwater.settings import Settings
    from headwater.store import Store
    from headwater.urls import Scope


Result = TypeVar("Result")
STOP_GRACE_SECONDS = 2.0
"""Seconds that requests under way have once a scan is over."""


class ScanProgress(NamedTuple):
    """How far the discovery has come, as far as the stages care."""

    sitemap_urls: int = 0
    navigation_urls: int = 0
    visited: int = 0


class StageReport(NamedTuple):
    """How a stage went: `state` is done, skipped, failed, timed-out or interrupted."""

    name: str
    state: str
    urls: int = 0
    seconds: float = 0.0
    note: str = ""
    limit: str = ""


@dataclass(slots=True)
class Listener:
    """What those who watch want to hear; every call is optional."""

    on_stage: Callable[[StageReport], None] | None = None
    on_found: Callable[[Sequence[DiscoveredUrl]], None] | None = None
    on_failed: Callable[[FetchFailure], None] | None = None
    on_saved: Callable[[Sequence[int]], None] | None = None
    on_crawl_started: Callable[[CrawlLoop], None] | None = None


@dataclass(slots=True)
class ScanContext:
    """One discovery under way: the site, the way to reach it, and where findings are kept."""

    seeds: tuple[str, ...]
    settings: Settings
    store: Store
    scan: int
    site: SiteState
    stack: FetchStack
    listener: Listener = field(default_factory=Listener)
    limits: ProcessLimits = field(default_factory=ProcessLimits)
    progress: ScanProgress = field(default_factory=ScanProgress)
    sitemap_hints: list[str] = field(default_factory=list)
    preloaded: dict[str, Response] = field(default_factory=dict)
    final_urls: list[str] = field(default_factory=list)
    robots_unreachable: set[str] = field(default_factory=set)
    robots: dict[str, Robots] = field(default_factory=dict)
    previous: int | None = None
    renderer: Renderer | None = None
    listed_count: int = 0
    deadline: float = math.inf
    stop_reason: str = "max_time"
    _active_timeout: asyncio.Timeout | None = None
    _loop: CrawlLoop | None = None

    @property
    def seed_urls(self) -> list[str]:
        """The seeds as they are requested."""
        return to_fetch_urls(self.seeds, self.site.scope)

    @property
    def entry_urls(self) -> list[str]:
        """The seeds, and where they led to."""
        return list(dict.fromkeys((*self.seed_urls, *self.final_urls)))

    @property
    def is_over(self) -> bool:
        """Whether no request may begin any more."""
        return asyncio.get_running_loop().time() >= self.deadline

    def stop(self, why: str) -> None:
        """Begin no request any more: the stage under way ends soon, and what was found is classified."""
        clock = asyncio.get_running_loop()
        self.deadline, self.stop_reason = min(self.deadline, clock.time()), why
        if self._active_timeout is not None:
            self._active_timeout.reschedule(self.deadline)
        if self._loop is not None:
            self._loop.stop(why, STOP_GRACE_SECONDS)

    @contextmanager
    def stop_at_deadline(self, loop: CrawlLoop) -> Iterator[None]:
        """Stop a crawl when the time is up."""
        clock = asyncio.get_running_loop()
        self._loop = loop
        if self.is_over:  # a timer would come after the first requests
            self.stop(self.stop_reason)
        timer = None if self.deadline == math.inf else clock.call_at(self.deadline, self.stop, self.stop_reason)
        try:
            yield
        finally:
            self._loop = None
            if timer is not None:
                timer.cancel()

    async def run_until_deadline(self, work: Awaitable[Result]) -> Result | None:
        """Return the result of some work, or nothing if the time was up or the scan stopped before it ended."""
        deadline = None if self.deadline == math.inf else self.deadline
        try:
            async with asyncio.timeout_at(deadline) as self._active_timeout:
                return await work
        except TimeoutError:
            return None
        finally:
            self._active_timeout = None

    def add_evidence(self, evidence: Evidence) -> int:
        """Keep a piece of evidence."""
        return self.store.add_evidence(self.scan, evidence)

    def add_found(self, found: Sequence[DiscoveredUrl], skipped: Mapping[str, int]) -> None:
        """Keep what a stage found, and tell of it."""
        save_in_batches(self.store, self.scan, (), found, skipped, limit=self.settings.batch_size)
        self.listed_count += len(found)
        if self.listener.on_found and found:
            self.listener.on_found(found)


def to_fetch_urls(seeds: Sequence[str], scope: Scope) -> list[str]:
    """Seeds as they are requested, which a policy may want over https."""
    spellings = (spell_url(parse_seed_url(seed), scope.policy) for seed in seeds)
    return list(dict.fromkeys(spelling.fetch_url for spelling in spellings if spelling))


class Stage(Protocol):
    """One way of finding pages. To add one, write a file here and a line in STAGES."""

    name: str

    def is_needed(self, settings: Settings, progress: ScanProgress) -> bool:
        """Whether it runs, given how far the stages before it have come. Pure."""

    async def run(self, context: ScanContext) -> StageReport:
        """Find pages."""


async def run_isolated(stage: Stage, context: ScanContext) -> StageReport:
    """A stage that fails is a report, not the end of the discovery."""
    try:
        return await stage.run(context)
    except TimeoutError:
        return StageReport(stage.name, "timed-out", note="its time was up")
    except (HeadwaterError, asyncio.CancelledError):
        raise
    except Exception as error:  # noqa: BLE001  (whatever a stage stumbles over, the others go on)
        return StageReport(stage.name, "failed", note=f"{type(error).__name__}: {error}"[:300])
