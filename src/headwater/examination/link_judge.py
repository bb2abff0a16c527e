"""Resolving and judging the links of one response; each spelling is judged once a directory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.frontier.memory import IGNORED, Known, Memory
from headwater.frontier.traps import repeats_itself
from headwater.model import NOT_FOLLOWED, Spelling
from headwater.pages.links.link_list import ANCHOR_RULE
from headwater.urls.judge import cut, judge_target, reason_of, too_long
from headwater.urls.parse import HTTP, USUAL_LIMIT, depends_on_page, join, parse_base, resolve, shorten_base

if TYPE_CHECKING:
    import can_ada

    from headwater.examination.site import Site
    from headwater.model import Candidate, Response
    from headwater.pages.links.link_rules import LinkRule

MAX_SKIPPED = USUAL_LIMIT
TOO_LONG = reason_of(too_long)


class LinkJudge:
    """Tells what a link of one response leads to, and counts what is skipped.

    `base` is what relative links are resolved against. `spellings` are other ways in which known pages are written.
    """

    def __init__(self, response: Response, page: Candidate, site: Site, memory: Memory) -> None:
        self.response, self.page, self.site, self.memory = response, page, site, memory
        self.set_base(response.url)
        self.skipped: dict[str, int] = {}
        self.spellings: list[tuple[int, str]] = []
        self._joins_to: can_ada.URL | None = None

    def set_base(self, base: str) -> None:
        """Set what relative links are resolved against; thousands of links may be joined to it."""
        self.base = shorten_base(base, self.site.scope.max_url_length)

    @property
    def own_name(self) -> str:
        """How the page itself is written in its directory; empty where links are resolved against another URL."""
        return self.base[self.base.rfind("/") + 1 :] if self.base == self.response.url else ""

    @property
    def root(self) -> str:
        """What links that begin at the root are resolved against."""
        return self.base[: self.base.index("/", 8) + 1]

    @property
    def rooted_links(self) -> dict[str, Known]:
        """What links that begin at the root, or are whole URLs, mean on every page of the host."""
        return self.links_of(self.root, "rooted")

    def links_of(self, base: str, kind: str = "page") -> dict[str, Known]:
        """Return what links mean here; how far off the site a page is decides which of its links are followed."""
        return self.memory.links_of(base, f"{kind}+{self.page.hops}" if self.page.hops else kind)

    def look_up(self, href: str, text: str, links: dict[str, Known]) -> Known:
        """A spelling that is new in this directory mostly leads to a URL known from another."""
        if self._joins_to is None:
            self._joins_to = parse_base(self.base)
        resolved = join(self._joins_to, text)
        if resolved == self.response.url:
            return IGNORED
        links = {} if depends_on_page(text) else links
        self.memory.count(text)
        known = None if self.page.hops else self.memory.pages.get(resolved)
        if known is not None:
            links[text] = known
            return known
        known = self.judge(href, text, links, ANCHOR_RULE, resolved)
        if known is not IGNORED and known.reason != TOO_LONG and not self.page.hops:
            self.memory.pages[resolved] = known
        return known

    def hash_route(self, url: str) -> Known:
        """Return the page that a fragment tells apart from others at the same URL."""
        page, _, fragment = url.partition("#")
        target = cut(page, resolve(page, self.base), self.site.scope)
        verdict = judge_target(target, self.site.scope, self.page.hops)
        if not verdict.allowed or f"{target.key}#{fragment}" == self.page.key:
            return IGNORED
        spelling = Spelling(*(f"{one}#{fragment}" for one in (target.fetch_url, target.listed, target.key)))
        return self.memory.remember(Known(spelling, "page", hops=verdict.hops), "page")

    def judge(
        self,
        href: str,
        text: str,
        links: dict[str, Known],
        rule: LinkRule,
        resolved: str = "",
        *,
        is_followed: bool = True,
    ) -> Known:
        """A link that was never seen in this form; `resolved` if that is done, and it is http(s)."""
        links = {} if depends_on_page(text) else links
        scope, written = self.site.scope, href.strip()
        is_done = resolved.startswith(HTTP) and not scope.skip_anchors
        target = cut(written, resolved if is_done else resolve(written, self.base), scope, self.page.key)
        verdict = judge_target(target, scope, self.page.hops)
        reason = verdict.reason or ("trap-repetition" if repeats_itself(target.url) else "")
        reason = reason or ("" if is_followed else NOT_FOLLOWED)
        kind = ("page" if verdict.allowed else verdict.kind) if rule.kind == "page" else rule.kind
        if reason == TOO_LONG:  # a page may have megabytes of them: nothing as long is kept
            kind, links = None, {}
        if reason == "same-page":
            return IGNORED
        if reason:
            self.skipped[reason] = self.skipped.get(reason, 0) + 1
        if kind is None and not self.site.keeps_skipped:
            links[text] = IGNORED
            return IGNORED
        kind = kind or "page"
        written = written[:MAX_SKIPPED]
        spelling = (
            Spelling(target.fetch_url, target.listed, target.key)
            if target.href and reason != TOO_LONG
            else Spelling(written, written, written)
        )
        fresh = Known(spelling, kind, reason, verdict.hops)
        links[text] = known = self.memory.remember(fresh, NOT_FOLLOWED if reason == NOT_FOLLOWED else kind)
        if known.fetch_url != fresh.fetch_url and kind == "page" and not reason:
            self.spellings.append((known.identity, fresh.fetch_url))
        return known
