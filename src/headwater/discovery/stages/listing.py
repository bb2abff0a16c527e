"""URLs that are listed without being visited: judged like links, counted up to the caps, kept in batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.fetch.credentials import origin_of
from headwater.frontier.memory import identity_of
from headwater.frontier.traps import repeats_itself
from headwater.model import NO_DEPTH, OVER_SOURCE_LIMIT, Found
from headwater.store.page_lists import NOT_CRAWLED
from headwater.urls.judge import cut, judge_target
from headwater.urls.normalize import spell_serialised
from headwater.urls.parse import HTTP, serialise
from headwater.version import ROBOTS_NAME

if TYPE_CHECKING:
    from headwater.discovery.stage import Context
    from headwater.model import Extra, Region
    from headwater.settings import Settings
    from headwater.urls.judge import Target

BATCH = 1000
DEFERRED = "robots-unreachable"
SITEMAPS = ("sitemap", "sitemap-index")


class Caps:
    """How many pages the sources of a discovery may name; the same page twice counts once."""

    def __init__(self, settings: Settings) -> None:
        self._per_source, self._sitemaps = settings.max_urls_per_source, settings.max_sitemap_urls
        self._seen: dict[str, set[int]] = {}

    def limit(self, source: str, identity: int) -> str:
        """The setting that refuses this page, or nothing: then it is counted."""
        if self._per_source is None and (self._sitemaps is None or source not in SITEMAPS):
            return ""
        seen = self._seen.setdefault(source, set())
        if identity in seen:
            return ""
        if self._per_source is not None and len(seen) >= self._per_source:
            return "max_urls_per_source"
        if source in SITEMAPS and self._sitemaps is not None:
            if any(identity in self._seen.get(name, ()) for name in SITEMAPS):
                return ""
            if sum(len(self._seen.get(name, ())) for name in SITEMAPS) >= self._sitemaps:
                return "max_sitemap_urls"
        seen.add(identity)
        return ""


class Listing:
    """The pages one file or page names. `limit` is the setting that refused one, if any did."""

    def __init__(self, context: Context, source: str, extra: Extra, caps: Caps, parent: str = "") -> None:
        self.count = 0
        self.limit = ""
        self.refused: dict[str, int] = {}
        self._told: dict[str, int] = {}
        self._context, self._source, self._extra, self._caps = context, source, extra, caps
        self._parent = spell_serialised(parent, context.site.scope.policy) if parent else None
        self._depth = 1 if parent else NO_DEPTH
        self._found: list[Found] = []
        scope = context.site.scope
        self._scope = scope if parent else scope.without_skip_rules()

    def add(self, url: str, *, text: str = "", region: Region = "content", extra: Extra | None = None) -> None:
        """List an absolute URL, unless a rule refuses it or a cap is reached."""
        scope = self._scope
        href = serialise(url) if url.startswith(HTTP) or "://" in url else None
        if href is None:
            self._refuse("relative-loc" if "://" not in url else "invalid-url")
            return
        target = cut(url, href, scope)
        verdict = judge_target(target, scope, scope.max_external_hops)  # only links lead off the site
        reason = verdict.reason or (
            "trap-repetition" if repeats_itself(target.url) else self._deferral(target.fetch_url)
        )
        if not (reason or self._parent):
            reason = self._why_not_crawled(target)
        is_listed = reason in {"", DEFERRED} or (not self._parent and reason in NOT_CRAWLED)
        if not is_listed:
            self._refuse(reason)
            if verdict.kind is None and not self._context.site.keeps_skipped:
                return
        identity = identity_of(target.key)
        if is_listed:
            self.limit = self._caps.limit(self._source, identity)
            if self.limit and not self._parent:
                return  # the file is read again once the limit is raised
            reason = OVER_SOURCE_LIMIT if self.limit else reason
            self.count += not self.limit
        parent = identity_of(self._parent.key) if self._parent else 0
        self._found.append(
            Found(
                identity, target.key, target.listed, target.fetch_url, verdict.kind or "page", self._depth, parent,
                self._parent.url if self._parent else "", self._source, region, "a" if self._parent else "",
                "href" if self._parent else "", text, 0, reason, is_visited=False, extra=extra or self._extra,
            )
        )  # fmt: skip
        if len(self._found) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Keep what has come together."""
        if self._found or self.refused:
            self._context.add_found(self._found, self._unsaid())
            self._found = []

    def _deferral(self, url: str) -> str:
        """Pages of an origin whose robots.txt could not be had wait until it can."""
        return DEFERRED if self._context.unreachable and origin_of(url) in self._context.unreachable else ""

    def _why_not_crawled(self, target: Target) -> str:
        """Return why a page that a file lists would not be visited: a skip rule or robots.txt."""
        scope = self._context.site.scope
        without_anchor = target._replace(href=target.fetch_url)  # which is how the page is listed
        if not scope.is_plain and (reason := judge_target(without_anchor, scope).reason):
            return reason
        robots = self._context.robots.get(origin_of(target.fetch_url))
        rule = robots.deciding_rule(ROBOTS_NAME, target.fetch_url) if robots else None
        return "robots-disallowed" if rule is not None and not rule.allow else ""

    def _refuse(self, reason: str) -> None:
        self.refused[reason] = self.refused.get(reason, 0) + 1

    def _unsaid(self) -> dict[str, int]:
        """Refusals that the store has not been told of yet."""
        news = {reason: count - self._told.get(reason, 0) for reason, count in self.refused.items()}
        self._told = dict(self.refused)
        return {reason: count for reason, count in news.items() if count}
