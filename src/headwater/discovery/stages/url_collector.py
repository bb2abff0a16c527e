"""Collect URLs that a stage lists without visiting them: apply the skip rules and limits, store them in batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.frontier.traps import has_repeating_path
from headwater.model import NO_DEPTH, OVER_SOURCE_LIMIT, DiscoveredUrl
from headwater.store.page_lists import NOT_CRAWLED_REASONS
from headwater.store.rows import SITEMAP_SOURCES
from headwater.urls.identity import compute_identity
from headwater.urls.normalization import spell_href
from headwater.urls.parsing import HTTP_PREFIXES, get_origin, serialize_url
from headwater.urls.skip_rules import build_target, judge_target
from headwater.version import ROBOTS_NAME

if TYPE_CHECKING:
    from headwater.discovery.context import ScanContext
    from headwater.model import Region, SourceMetadata
    from headwater.settings import Settings
    from headwater.urls.skip_rules import LinkTarget

BATCH_SIZE = 1000
DEFERRED_REASON = "robots-unreachable"


class SourceLimits:
    """Limits on the number of pages that each source may list; a page counts once per source."""

    def __init__(self, settings: Settings) -> None:
        self._per_source, self._sitemaps = settings.max_urls_per_source, settings.max_sitemap_urls
        self._seen: dict[str, set[int]] = {}

    def check_limit(self, source: str, identity: int) -> str:
        """Count a page; return the setting that excludes it instead, if a limit is reached."""
        if self._per_source is None and (self._sitemaps is None or source not in SITEMAP_SOURCES):
            return ""
        seen = self._seen.setdefault(source, set())
        if identity in seen:
            return ""
        if self._per_source is not None and len(seen) >= self._per_source:
            return "max_urls_per_source"
        if source in SITEMAP_SOURCES and self._sitemaps is not None:
            if any(identity in self._seen.get(name, ()) for name in SITEMAP_SOURCES):
                return ""
            if sum(len(self._seen.get(name, ())) for name in SITEMAP_SOURCES) >= self._sitemaps:
                return "max_sitemap_urls"
        seen.add(identity)
        return ""


class UrlCollector:
    """Collects the pages that one file or page lists; `limit` is the setting that excluded a page, if any did."""

    def __init__(
        self, context: ScanContext, source: str, extra: SourceMetadata, limits: SourceLimits, parent: str = ""
    ) -> None:
        self.count = 0
        self.limit = ""
        self.skipped: dict[str, int] = {}
        self._reported_skips: dict[str, int] = {}
        self._context, self._source, self._extra, self._limits = context, source, extra, limits
        self._parent = spell_href(parent, context.site.scope.policy) if parent else None
        self._depth = 1 if parent else NO_DEPTH
        self._found: list[DiscoveredUrl] = []
        scope = context.site.scope
        self._scope = scope if parent else scope.for_sitemap_urls()

    def add(self, url: str, *, text: str = "", region: Region = "content", extra: SourceMetadata | None = None) -> None:
        """List an absolute URL, unless a rule skips it or a limit is reached."""
        scope = self._scope
        href = serialize_url(url) if url.startswith(HTTP_PREFIXES) or "://" in url else None
        if href is None:
            self._count_skip("relative-loc" if "://" not in url else "invalid-url")
            return
        target = build_target(url, href, scope)
        verdict = judge_target(target, scope, scope.max_external_hops)  # external hops are for links only
        reason = verdict.reason or (
            "trap-repetition" if has_repeating_path(target.url) else self._check_deferred(target.fetch_url)
        )
        if not (reason or self._parent):
            reason = self._find_skip_reason(target)
        is_listed = reason in {"", DEFERRED_REASON} or (not self._parent and reason in NOT_CRAWLED_REASONS)
        if not is_listed:
            self._count_skip(reason)
            if verdict.kind is None and not self._context.site.keeps_skipped:
                return
        identity = compute_identity(target.key)
        if is_listed:
            self.limit = self._limits.check_limit(self._source, identity)
            if self.limit and not self._parent:
                return  # the file is read again when the limit is raised
            reason = OVER_SOURCE_LIMIT if self.limit else reason
            self.count += not self.limit
        parent = compute_identity(self._parent.key) if self._parent else 0
        self._found.append(
            DiscoveredUrl(
                identity, target.key, target.listed, target.fetch_url, verdict.kind or "page", self._depth, parent,
                self._parent.url if self._parent else "", self._source, region, "a" if self._parent else "",
                "href" if self._parent else "", text, 0, reason, is_visited=False, metadata=extra or self._extra,
            )
        )  # fmt: skip
        if len(self._found) >= BATCH_SIZE:
            self.flush()

    def flush(self) -> None:
        """Store the collected URLs."""
        if self._found or self.skipped:
            self._context.add_found(self._found, self._take_new_skips())
            self._found = []

    def _check_deferred(self, url: str) -> str:
        """Return the reason to defer pages of an origin whose robots.txt could not be loaded."""
        unreachable = self._context.state.robots_unreachable
        return DEFERRED_REASON if unreachable and get_origin(url) in unreachable else ""

    def _find_skip_reason(self, target: LinkTarget) -> str:
        """Return the skip rule, or robots.txt, that would keep a listed page from being visited."""
        scope = self._context.site.scope
        without_anchor = target._replace(href=target.fetch_url)  # the page is listed without it
        if not scope.has_no_filters and (reason := judge_target(without_anchor, scope).reason):
            return reason
        robots = self._context.state.robots.get(get_origin(target.fetch_url))
        rule = robots.find_deciding_rule(ROBOTS_NAME, target.fetch_url) if robots else None
        return "robots-disallowed" if rule is not None and not rule.allow else ""

    def _count_skip(self, reason: str) -> None:
        self.skipped[reason] = self.skipped.get(reason, 0) + 1

    def _take_new_skips(self) -> dict[str, int]:
        """Return the counts of skipped URLs that have not been stored yet."""
        new_counts = {reason: count - self._reported_skips.get(reason, 0) for reason, count in self.skipped.items()}
        self._reported_skips = dict(self.skipped)
        return {reason: count for reason, count in new_counts.items() if count}
