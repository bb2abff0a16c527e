"""Store evidence about robots.txt and sitemaps: files that were read, absent, blocked, failed or not read."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from headwater.model import Evidence, FetchFailure

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from headwater.discovery.context import ScanContext
    from headwater.fetch.policies.robots_gate import RobotsEntry
    from headwater.model import Response
    from headwater.pages.files.sitemap_parser import Sitemap

MAX_EVIDENCE_URLS = 100
"""URLs that one piece of evidence lists; further ones are counted only."""

ABSENT_STATUSES = frozenset({404, 410})
BLOCKED_STATUSES = frozenset({401, 403, 407, 429, 451})
CHALLENGE_MARKS = (b"captcha", b"cf-challenge", b"challenge-platform", b"are you a robot")
_MAX_ROBOTS_CHARS = 20_000
_MAX_CHALLENGE_BYTES = 20_000


class SitemapFile(NamedTuple):
    """A sitemap to read: its depth in indexes, the evidence that names it, and whether anything names it."""

    url: str
    depth: int = 0
    parent: int | None = None
    is_named: bool = True


class SitemapEvidence:
    """Stores the evidence of one scan; `blocked` describes files that the site refused to send."""

    def __init__(self, context: ScanContext) -> None:
        self.blocked: list[str] = []
        self._context = context
        self._absent: list[str] = []

    def add_robots(self, origin: str, answer: RobotsEntry, sitemaps: Collection[str], started: str) -> int:
        """Store the robots.txt of an origin; return the number of the evidence."""
        result = answer.result
        body, error = "", ""
        if isinstance(result, FetchFailure):
            error = _format_error(result)
        else:
            body = result.body.decode("utf-8", "replace")[:_MAX_ROBOTS_CHARS]
        content = {"sitemaps_found": list(sitemaps), "text": body}
        url, success = f"{origin}/robots.txt", not isinstance(result, FetchFailure)
        return self._context.add_evidence(Evidence("robots_txt", url, success, result.status, error, content, started))

    def add_read(self, file: SitemapFile, response: Response, sitemap: Sitemap, started: str) -> int:
        """Store a file that is being read; return the number of the evidence, whose content follows."""
        evidence = _make_evidence(file, started, response.status, sitemap.problem, {"kind": sitemap.kind})
        return self._context.add_evidence(evidence._replace(success=True))

    def add_failure(self, file: SitemapFile, failure: FetchFailure, started: str) -> None:
        """Store a failed request as absent, blocked or failed."""
        is_absent = failure.status in ABSENT_STATUSES
        if is_absent and not file.is_named:
            self._absent.append(file.url)
            return
        is_blocked = failure.status in BLOCKED_STATUSES
        if is_blocked:
            self.blocked.append(f"{file.url} returned {failure.status}")
        content = {"meaning": "absent" if is_absent else "blocked" if is_blocked else "failed"}
        self._context.add_evidence(_make_evidence(file, started, failure.status, _format_error(failure), content))

    def add_other_content(self, file: SitemapFile, response: Response, sitemap: Sitemap, started: str) -> None:
        """Store a response that is not a sitemap, such as a challenge page."""
        if not file.is_named and sitemap.kind != "html":
            self._absent.append(file.url)
            return
        is_blocked = sitemap.kind == "html" and _is_challenge(response.body)
        if is_blocked:
            self.blocked.append(f"{file.url} returned a challenge page")
        content = {"meaning": "blocked" if is_blocked else "not-a-sitemap", "kind": sitemap.kind}
        self._context.add_evidence(_make_evidence(file, started, response.status, sitemap.problem, content))

    def add_error(self, file: SitemapFile, error: Exception) -> None:
        """Store an unexpected error while reading a file."""
        problem = f"{type(error).__name__}: {error}"[:300]
        self._context.add_evidence(Evidence("sitemap_fetch", file.url, success=False, error=problem))

    def add_absent(self) -> None:
        """Store the usual paths at which there is no file."""
        if self._absent:
            content = {"absent": self._absent[:MAX_EVIDENCE_URLS], "count": len(self._absent)}
            self._context.add_evidence(Evidence("sitemap_fetch", success=False, status=404, content=content))

    def add_unread(self, urls: Collection[str], count: int, limit: str) -> None:
        """Store the files that were not read because of a limit."""
        if count:
            content = {
                "meaning": "not-read",
                "not_read": list(urls)[:MAX_EVIDENCE_URLS],
                "count": count,
                "limit": limit,
            }
            self._context.add_evidence(Evidence("sitemap_fetch", success=False, content=content))


def format_now() -> str:
    """Return the current time as it is stored."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _make_evidence(
    file: SitemapFile, started: str, status: int | None, error: str, content: Mapping[str, object]
) -> Evidence:
    return Evidence("sitemap_fetch", file.url, False, status, error, content, started, parent=file.parent)


def _format_error(failure: FetchFailure) -> str:
    return f"{failure.reason} {failure.detail}".strip()


def _is_challenge(body: bytes) -> bool:
    """Return True if a page looks like a challenge to prove that the client is human."""
    start = body[:_MAX_CHALLENGE_BYTES].lower()
    return any(mark in start for mark in CHALLENGE_MARKS)
