"""Inputs and state of one scan, as its stages receive them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from headwater.discovery.process_limits import ProcessLimits
from headwater.discovery.visits.batching import BatchWriter
from headwater.urls import spell_url
from headwater.urls.parsing import parse_seed_url
from headwater.version import ROBOTS_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from headwater.discovery.deadline import ScanDeadline
    from headwater.discovery.stage import StageReport
    from headwater.discovery.stages.render import Renderer
    from headwater.discovery.visits.crawl_loop import CrawlLoop
    from headwater.examination import SiteState
    from headwater.fetch import FetchStack
    from headwater.model import DiscoveredUrl, Evidence, FetchFailure, Response
    from headwater.pages.files.robots_txt import Robots
    from headwater.settings import Settings
    from headwater.store import Scan, Store
    from headwater.urls import Scope


@dataclass(frozen=True, slots=True)
class Listener:
    """Optional callbacks that a scan calls as it proceeds."""

    on_stage: Callable[[StageReport], None] | None = None
    on_found: Callable[[Sequence[DiscoveredUrl]], None] | None = None
    on_failed: Callable[[FetchFailure], None] | None = None
    on_saved: Callable[[Sequence[int]], None] | None = None
    on_crawl_started: Callable[[CrawlLoop], None] | None = None


@dataclass(frozen=True, slots=True)
class ScanTask:
    """A scan to run.

    `limits` are shared by the scans of one process. `may_request` is called before every request; once it returns
    False, the scan ends with LeaseLostError.
    """

    store: Store
    scan: Scan
    settings: Settings
    listener: Listener = field(default_factory=Listener)
    limits: ProcessLimits = field(default_factory=ProcessLimits)
    may_request: Callable[[], bool] | None = None


class ScanProgress(NamedTuple):
    """URLs that the stages have found so far; decides which later stages are needed."""

    sitemap_urls: int = 0
    navigation_urls: int = 0
    visited: int = 0


@dataclass(slots=True)
class ScanState:
    """Results of earlier stages that later stages need.

    `preloaded` holds responses by URL that the crawl need not request again, `final_urls` the pages that the seeds
    redirected to. `wall_targets` are the login and consent pages, on other hosts, that seeds redirected to, by URL.
    """

    progress: ScanProgress = field(default_factory=ScanProgress)
    sitemap_hints: list[str] = field(default_factory=list)
    preloaded: dict[str, Response] = field(default_factory=dict)
    final_urls: list[str] = field(default_factory=list)
    robots: dict[str, Robots] = field(default_factory=dict)
    robots_unreachable: set[str] = field(default_factory=set)
    listed_count: int = 0
    wall_targets: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScanContext:
    """The inputs of one running scan, and its state."""

    seeds: tuple[str, ...]
    settings: Settings
    store: Store
    scan: int
    site: SiteState
    stack: FetchStack
    listener: Listener
    limits: ProcessLimits
    deadline: ScanDeadline
    previous: int | None = None
    renderer: Renderer | None = None
    state: ScanState = field(default_factory=ScanState)

    @property
    def seed_urls(self) -> list[str]:
        """The URLs to request for the seeds."""
        return to_fetch_urls(self.seeds, self.site.scope)

    @property
    def entry_urls(self) -> list[str]:
        """The URLs of the seeds and of the pages they redirected to."""
        return list(dict.fromkeys((*self.seed_urls, *self.state.final_urls)))

    async def is_disallowed(self, url: str) -> bool:
        """Return True if robots.txt disallows a URL, and the scan obeys it."""
        if self.settings.robots == "ignore":
            return False
        answer = await self.stack.get_robots(url)
        rule = answer.robots.find_deciding_rule(ROBOTS_NAME, url) if answer.robots else None
        return rule is not None and not rule.allow

    def add_evidence(self, evidence: Evidence) -> int:
        """Store a piece of evidence; return its number."""
        return self.store.add_evidence(self.scan, evidence)

    def add_found(self, found: Sequence[DiscoveredUrl], skipped: Mapping[str, int]) -> None:
        """Store the URLs that a stage found, and report them."""
        BatchWriter(self.store, self.scan, self.settings.batch_size).save((), found, skipped)
        self.state.listed_count += len(found)
        if self.listener.on_found and found:
            self.listener.on_found(found)


def to_fetch_urls(seeds: Sequence[str], scope: Scope) -> list[str]:
    """Return the URLs to request for the seeds; the policy of the scope may force https."""
    spellings = (spell_url(parse_seed_url(seed), scope.policy) for seed in seeds)
    return list(dict.fromkeys(spelling.fetch_url for spelling in spellings if spelling))
