"""URLs that are listed without being visited: judged like links, counted up to the caps, kept in batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.fetch.credentials import origin_of
from headwater.frontier.traps import has_repeating_path
from headwater.model import NO_DEPTH, OVER_SOURCE_LIMIT, DiscoveredUrl
from headwater.store.page_lists import NOT_CRAWLED_REASONS
from headwater.urls.identity import compute_identity
from headwater.urls.normalization import spell_href
from headwater.urls.parsing import HTTP_PREFIXES, serialize_url
from headwater.urls.skip_rules import build_target, judge_target
from headwater.version import ROBOTS_NAME

if TYPE_CHECKING:
    from headwater.discovery.stage import ScanContext
    from headwater.model import Region, SourceMetadata
    from headwater.settings import Settings
    from headwater.urls.skip_rules import LinkTarget

BATCH_SIZE = 1000
DEFERRED_REASON = "robots-unreachable"
SITEMAP_SOURCES = ("sitemap", "sitemap-index")


class SourceLimits:
    """How many pages the sources of a discovery may name; the same page twice counts once."""

    def __init__(self, settings: Settings) -> None:
        self._per_source, self._sitemaps = settings.max_urls_per_source, settings.max_sitemap_urls
        self._seen: dict[str, set[int]] = {}

    def limit(self, source: str, identity: int) -> str:
        """The setting that refuses this page, or nothing: then it is counted."""
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
    """The pages one file or page names. `limit` is the setting that refused one, if any did."""

    def __init__(
        self, context: ScanContext, source: str, extra: SourceMetadata, caps: SourceLimits, parent: str = ""
    ) -> None:
        self.count = 0
        self.limit = ""
        self.refused: dict[str, int] = {}
        self._told: dict[str, int] = {}
        self._context, self._source, self._extra, self._caps = context, source, extra, caps
        self._parent = spell_href(parent, context.site.scope.policy) if parent else None
        self._depth = 1 if parent else NO_DEPTH
        self._found: list[DiscoveredUrl] = []
        scope = context.site.scope
        self._scope = scope if parent else scope.for_sitemap_urls()

    def add(self, url: str, *, text: str = "", region: Region = "content", extra: SourceMetadata | None = None) -> None:
        """List an absolute URL, unless a rule refuses it or a cap is reached."""
        scope = self._scope
        href = serialize_url(url) if url.startswith(HTTP_PREFIXES) or "://" in url else None
        if href is None:
            self._refuse("relative-loc" if "://" not in url else "invalid-url")
            return
        target = build_target(url, href, scope)
        verdict = judge_target(target, scope, scope.max_external_hops)  # only links lead off the site
        reason = verdict.reason or (
            "trap-repetition" if has_repeating_path(target.url) else self._check_deferred(target.fetch_url)
        )
        if not (reason or self._parent):
            reason = self._find_skip_reason(target)
        is_listed = reason in {"", DEFERRED_REASON} or (not self._parent and reason in NOT_CRAWLED_REASONS)
        if not is_listed:
            self._refuse(reason)
            if verdict.kind is None and not self._context.site.keeps_skipped:
                return
        identity = compute_identity(target.key)
        if is_listed:
            self.limit = self._caps.limit(self._source, identity)
            if self.limit and not self._parent:
                return  # the file is read again once the limit is raised
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
        """Keep what has come together."""
        if self._found or self.refused:
            self._context.add_found(self._found, self._take_new_skips())
            self._found = []

    def _check_deferred(self, url: str) -> str:
        """Pages of an origin whose robots.txt could not be had wait until it can."""
        return (
            DEFERRED_REASON
            if self._context.robots_unreachable and origin_of(url) in self._context.robots_unreachable
            else ""
        )

    def _find_skip_reason(self, target: LinkTarget) -> str:
        """Return why a page that a file lists would not be visited: a skip rule or robots.txt."""
        scope = self._context.site.scope
        without_anchor = target._replace(href=target.fetch_url)  # which is how the page is listed
        if not scope.has_no_filters and (reason := judge_target(without_anchor, scope).reason):
            return reason
        robots = self._context.robots.get(origin_of(target.fetch_url))
        rule = robots.find_deciding_rule(ROBOTS_NAME, target.fetch_url) if robots else None
        return "robots-disallowed" if rule is not None and not rule.allow else ""

    def _refuse(self, reason: str) -> None:
        self.refused[reason] = self.refused.get(reason, 0) + 1

    def _take_new_skips(self) -> dict[str, int]:
        """Refusals that the store has not been told of yet."""
        news = {reason: count - self._told.get(reason, 0) for reason, count in self.refused.items()}
        self._told = dict(self.refused)
        return {reason: count for reason, count in news.items() if count}
