"""Read what an audit needs from the store of a scan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.audit import AuditInput, LinkSource
from headwater.pages.files.robots_txt import parse_robots
from headwater.urls.identity import compute_identity
from headwater.urls.parsing import get_origin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from headwater.model import Page
    from headwater.store import Scan, Store

MAX_SOURCES = 1_000
SEARCH_ENGINE = "Googlebot"
"""The agent whose rules in robots.txt decide; where it is not named, those for all agents do."""


def build_audit_input(store: Store, scan: Scan) -> AuditInput:
    """Return the input of an audit of a stored scan."""
    return AuditInput(
        ", ".join(scan.seeds),
        scan.number,
        lambda: store.pages(scan.number),
        SourceFinder(store, scan),
        {one.identity: (one.status, one.reason) for one in store.external_checks(scan.number)},
        RobotsRules(store, scan).find,
    )


class SourceFinder:
    """Finds the pages that link to a page; their URLs are read once."""

    def __init__(self, store: Store, scan: Scan) -> None:
        self._store, self._scan = store, scan.number
        self._urls: dict[int, str] = {}

    def __call__(self, page: Page) -> Iterator[LinkSource]:
        for link in self._store.links.links_to(self._scan, compute_identity(page.key), MAX_SOURCES):
            url = self._urls.get(link.page)
            if url is None:
                source = self._store.page(self._scan, link.page)
                url = self._urls[link.page] = source.url if source else ""
            if url:
                yield LinkSource(url, " ".join(link.text.split()))


class RobotsRules:
    """The robots.txt files that a scan read, by origin."""

    def __init__(self, store: Store, scan: Scan) -> None:
        files = store.evidence(scan.number, "robots_txt")
        self._files = {
            get_origin(one.url): parse_robots(str(one.content.get("text", ""))) for one in files if one.success
        }

    def find(self, url: str) -> str:
        """Return the line that disallows a URL for search engines; empty if none does."""
        robots = self._files.get(get_origin(url))
        rule = robots.find_deciding_rule(SEARCH_ENGINE, url) if robots else None
        return f"robots.txt line {rule.line}: {rule.text}" if rule is not None and not rule.allow else ""
