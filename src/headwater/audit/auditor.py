"""Apply every rule to every page of a scan."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, get_args

from headwater.audit.records import SEVERITIES, AuditReport, Issue, LinkSource, RuleResult
from headwater.audit.rules import RULES
from headwater.audit.site_facts import gather_site_facts
from headwater.model import UrlKind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from headwater.audit.records import Rule
    from headwater.audit.site_facts import SiteFacts
    from headwater.model import Page

MAX_ISSUES_PER_RULE = 100_000
MAX_SOURCES_PER_ISSUE = 1_000
_RULES_BY_KIND = {kind: [rule for rule in RULES if rule.kind == kind] for kind in get_args(UrlKind)}


class AuditInput(NamedTuple):
    """A scan as the audit reads it: its pages, several times over, and the pages that link to one.

    `external` are status and reason of URLs of other sites that were checked, by identity. `find_robots_rule` returns
    the line of robots.txt that keeps search engines from a URL, if there is one.
    """

    site: str
    scan: int
    read_pages: Callable[[], Iterable[Page]]
    find_sources: Callable[[Page], Iterable[LinkSource]]
    external: Mapping[int, tuple[int | None, str]] = MappingProxyType({})
    find_robots_rule: Callable[[str], str] = lambda _: ""


def audit(scan: AuditInput, *, is_complete: bool = True, known: Collection[tuple[str, str]] = ()) -> AuditReport:
    """Return the issues of a scan, except those that are known: pairs of rule and URL."""
    site = gather_site_facts(scan.read_pages)
    site.external, site.find_robots_rule = scan.external, scan.find_robots_rule
    found: dict[str, list[Issue]] = {rule.name: [] for rule in RULES}
    counts = dict.fromkeys(found, 0)
    pages = hidden = 0
    for page in scan.read_pages():
        pages += page.kind == "page" and page.list_name == "pages"
        for rule, detail in _check(page, site):
            if (rule.name, page.url) in known:
                hidden += 1
                continue
            counts[rule.name] += 1
            if len(found[rule.name]) < MAX_ISSUES_PER_RULE:
                sources = _list_sources(scan, page) if rule.names_sources else ()
                found[rule.name].append(Issue(rule.name, page.url, detail, sources))
    results = [RuleResult(rule, counts[rule.name], found[rule.name]) for rule in _sort(RULES) if counts[rule.name]]
    return AuditReport(scan.site, scan.scan, pages, results, is_complete=is_complete, hidden=hidden)


def _check(page: Page, site: SiteFacts) -> Iterable[tuple[Rule, str]]:
    for rule in _RULES_BY_KIND.get(page.kind, ()):
        detail = rule.check(page, site)
        if detail is not None:
            yield rule, detail


def _list_sources(scan: AuditInput, page: Page) -> tuple[LinkSource, ...]:
    sources = sorted(set(scan.find_sources(page)))
    return tuple(sources[:MAX_SOURCES_PER_ISSUE])


def _sort(rules: Sequence[Rule]) -> list[Rule]:
    return sorted(rules, key=lambda rule: SEVERITIES.index(rule.severity))
