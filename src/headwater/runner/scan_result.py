"""The result of a scan, and the types that displays need to show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from headwater.discovery.stage import StageReport
from headwater.discovery.stage_names import DEFERRED_MESSAGE, STAGE_NAMES
from headwater.fetch.failure_reasons import HOST_UNRESPONSIVE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headwater.store import Counts

__all__ = [
    "DEFERRED_MESSAGE",
    "STAGE_NAMES",
    "CrawlProgress",
    "ScanResult",
    "StageReport",
    "summarize_scan",
]

SITEMAP_LIMITS = frozenset(
    {"sitemaps_deadline", "sitemaps_idle_timeout", "max_sitemap_files", "max_sitemap_failures", HOST_UNRESPONSIVE}
)
TRUNCATING_LIMITS = SITEMAP_LIMITS | {"max_time", "max_urls_per_source", "per_shape"}
"""Limits that may leave pages undiscovered: a scan that reached one is limited even if no candidates are left."""


class CrawlProgress(Protocol):
    """The counts of a running crawl, as displays read them."""

    @property
    def visited(self) -> int:
        """The number of pages whose visit has started."""

    @property
    def known(self) -> int:
        """The number of pages found so far."""

    @property
    def failed(self) -> int:
        """The number of pages that could not be loaded."""


@dataclass(frozen=True, slots=True)
class ScanResult:
    """Result of a scan: `state` is done, limited, incomplete or interrupted; `limit` names what cut it short."""

    state: str
    limit: str
    counts: Counts
    reports: tuple[StageReport, ...] = ()

    @property
    def is_reached(self) -> bool:
        """True if the site returned any page or sitemap."""
        listing = (report.urls for report in self.reports if report.name in {"nav", "sitemaps"})
        return self.counts.fetched > 0 or any(listing)

    @property
    def is_cut_short(self) -> bool:
        """True if a limit or the user ended the scan before everything was visited."""
        return self.state in {"limited", "interrupted"}

    @property
    def problems(self) -> list[str]:
        """The notes of the stages that failed or did not read everything they should have."""
        return [
            report.note
            for report in self.reports
            if report.state in {"failed", "timed-out"} or report.limit in SITEMAP_LIMITS
        ]

    @property
    def missing(self) -> int:
        """The number of pages and stages that could not be loaded."""
        return self.counts.failed + self.counts.deferred + len(self.problems)


def summarize_scan(reports: Sequence[StageReport], counts: Counts, limit: str = "") -> ScanResult:
    """Return the result of a scan, from the reports of its stages or the limit of a crawl alone."""
    limit = limit or _find_limit(reports, counts)
    return ScanResult(_compute_state(counts, limit), limit, counts, tuple(reports))


def _find_limit(reports: Sequence[StageReport], counts: Counts) -> str:
    """Return the limit of the latest stage that had one, or the limit that holds pages back."""
    held_by = "max_urls_per_source" if counts.held else ""
    return next((report.limit for report in reversed(reports) if report.limit), held_by)


def _compute_state(counts: Counts, limit: str) -> str:
    """Return the end state; `headwater resume` continues limited and incomplete scans."""
    if limit == "interrupted":
        return limit
    if counts.held or (limit and (counts.candidates or limit in TRUNCATING_LIMITS)):
        return "limited"
    return "incomplete" if counts.deferred else "done"
