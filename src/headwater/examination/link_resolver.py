"""Resolve and judge the links of one response; each spelling is judged once per directory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.frontier.traps import has_repeating_path
from headwater.frontier.url_cache import IGNORED_URL, CachedUrl, UrlCache
from headwater.model import NOT_FOLLOWED, Spelling
from headwater.pages.links.link_finder import ANCHOR_RULE
from headwater.pages.links.link_rules import read_javascript_url
from headwater.urls.parsing import (
    DEFAULT_MAX_URL_LENGTH,
    HTTP_PREFIXES,
    is_page_relative,
    join_url,
    parse_base,
    resolve,
    shorten_base,
)
from headwater.urls.skip_rules import build_target, get_rule_reason, judge_target, too_long

if TYPE_CHECKING:
    import can_ada

    from headwater.examination.site_state import SiteState
    from headwater.model import Candidate, Response
    from headwater.pages.links.link_rules import LinkRule

MAX_SKIPPED_LENGTH = DEFAULT_MAX_URL_LENGTH
TOO_LONG = get_rule_reason(too_long)


class LinkResolver:
    """Finds the URL that a link of one response leads to, and counts skipped links by reason.

    Relative links are resolved against `base`. `spellings` are other ways in which known pages are written.
    """

    def __init__(self, response: Response, page: Candidate, site: SiteState, cache: UrlCache) -> None:
        self.response, self.page, self.site, self.cache = response, page, site, cache
        self.set_base(response.url)
        self.skipped: dict[str, int] = {}
        self.spellings: list[tuple[int, str]] = []
        self._parsed_base: can_ada.URL | None = None

    def set_base(self, base: str) -> None:
        """Set the URL that relative links are resolved against, shortened because thousands may be joined to it."""
        self.base = shorten_base(base, self.site.scope.max_url_length)

    @property
    def own_filename(self) -> str:
        """The name of the page in its directory; empty where links are resolved against another URL."""
        return self.base[self.base.rfind("/") + 1 :] if self.base == self.response.url else ""

    @property
    def root(self) -> str:
        """The root of the host, which links that begin with a slash are resolved against."""
        return self.base[: self.base.index("/", 8) + 1]

    @property
    def root_relative_links(self) -> dict[str, CachedUrl]:
        """The known targets of absolute links, which mean the same on every page of the host."""
        return self.links_of(self.root, "rooted")

    def links_of(self, base: str, kind: str = "page") -> dict[str, CachedUrl]:
        """Return the known targets of links in a directory, by the text of the link.

        They are separate by hops, because the distance from the site decides which links are followed.
        """
        return self.cache.links_of(base, f"{kind}+{self.page.hops}" if self.page.hops else kind)

    def resolve_anchor(self, href: str, text: str, links: dict[str, CachedUrl]) -> CachedUrl:
        """Return the target of an anchor that is new in this directory; most lead to a URL known from another."""
        if self._parsed_base is None:
            self._parsed_base = parse_base(self.base)
        resolved = join_url(self._parsed_base, text)
        if resolved == self.response.url:
            return IGNORED_URL
        if resolved.startswith("javascript:"):
            return self._resolve_javascript_url(href.strip(), text, links)
        links = {} if is_page_relative(text) else links
        self.cache.count(text)
        known = None if self.page.hops else self.cache.pages.get(resolved)
        if known is not None:
            links[text] = known
            return known
        known = self.judge_link(href, text, links, ANCHOR_RULE, resolved)
        if known is not IGNORED_URL and known.reason != TOO_LONG and not self.page.hops:
            self.cache.pages[resolved] = known
        return known

    def _resolve_javascript_url(self, href: str, text: str, links: dict[str, CachedUrl]) -> CachedUrl:
        """Return the page that a `javascript:` link opens, which may be relative to the directory of this page."""
        opened = read_javascript_url(href) if "onclick" in self.site.link_filter.kinds else ""
        return self.judge_link(opened or href, text, links, ANCHOR_RULE)

    def resolve_hash_route(self, url: str) -> CachedUrl:
        """Return the page that is identified by a URL with its fragment."""
        page, _, fragment = url.partition("#")
        target = build_target(page, resolve(page, self.base), self.site.scope)
        verdict = judge_target(target, self.site.scope, self.page.hops)
        if not verdict.allowed or f"{target.key}#{fragment}" == self.page.key:
            return IGNORED_URL
        spelling = Spelling(*(f"{one}#{fragment}" for one in (target.fetch_url, target.listed, target.key)))
        return self.cache.intern(CachedUrl(spelling, "page", hops=verdict.hops), "page")

    def judge_link(
        self,
        href: str,
        text: str,
        links: dict[str, CachedUrl],
        rule: LinkRule,
        resolved: str = "",
        *,
        is_followed: bool = True,
    ) -> CachedUrl:
        """Return the target of a link that was not seen in this form; `resolved` is its absolute URL, if known."""
        links = {} if is_page_relative(text) else links
        scope, written = self.site.scope, href.strip()
        is_resolved = resolved.startswith(HTTP_PREFIXES) and not scope.skip_anchors
        target = build_target(written, resolved if is_resolved else resolve(written, self.base), scope, self.page.key)
        verdict = judge_target(target, scope, self.page.hops)
        reason = verdict.reason or ("trap-repetition" if has_repeating_path(target.url) else "")
        reason = reason or ("" if is_followed else NOT_FOLLOWED)
        kind = ("page" if verdict.allowed else verdict.kind) if rule.kind == "page" else rule.kind
        if reason == TOO_LONG:  # not stored: a page may have megabytes of them
            kind, links = None, {}
        if reason == "same-page":
            return IGNORED_URL
        if reason:
            self.skipped[reason] = self.skipped.get(reason, 0) + 1
        if kind is None and not self.site.keeps_skipped:
            links[text] = IGNORED_URL
            return IGNORED_URL
        kind = kind or "page"
        written = written[:MAX_SKIPPED_LENGTH]
        spelling = (
            Spelling(target.fetch_url, target.listed, target.key)
            if target.href and reason != TOO_LONG
            else Spelling(written, written, written)
        )
        fresh = CachedUrl(spelling, kind, reason, verdict.hops)
        links[text] = known = self.cache.intern(fresh, NOT_FOLLOWED if reason == NOT_FOLLOWED else kind)
        if known.fetch_url != fresh.fetch_url and kind == "page" and not reason:
            self.spellings.append((known.identity, fresh.fetch_url))
        return known
