"""Audit rules on small tables of pages: which rule finds which URL, with which detail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from headwater.audit import RULES, SEVERITIES, AuditInput, LinkSource, audit
from headwater.model import Page
from headwater.urls.identity import compute_identity

if TYPE_CHECKING:
    from headwater.audit import AuditReport

HOME = "https://e.com/"
OTHER = "https://other.example/"
EXTERNAL: dict[str, tuple[int | None, str]] = {
    "ok": (200, ""), "gone": (404, "http-404"), "down": (None, "dns"), "wall": (403, "http-403"),
    "busy": (503, "http-503"), "inside": (None, "private-address"), "asks": (None, "robots-disallowed"),
    "broken": (500, "http-500"), "odd": (999, "http-999"),
}  # fmt: skip


def page(path: str = "a", **values: Any) -> Page:
    """Return a page without any issue."""
    url = f"{HOME}{path}"
    good: dict[str, Any] = {
        "url": url, "key": url, "state": "fetched", "status": 200, "verified": True, "html_title": f"Title of {path}",
        "description": f"About {path}", "heading": f"Heading of {path}", "inlinks": 1, "sources": ("content-link",),
        "word_count": 100,
    }  # fmt: skip
    return Page(**{**good, **values})


def run(*pages: Page, known: frozenset[tuple[str, str]] = frozenset()) -> AuditReport:
    def find_sources(target: Page) -> list[LinkSource]:
        return [LinkSource(f"{HOME}b", "B"), LinkSource(f"{HOME}", target.key)]

    def find_robots_rule(url: str) -> str:
        return "robots.txt line 2: Disallow: /private/" if "/private/" in url else ""

    external = {compute_identity(f"{OTHER}{path}"): result for path, result in EXTERNAL.items()}
    return audit(AuditInput(HOME, 1, lambda: pages, find_sources, external, find_robots_rule), known=known)


def found(*pages: Page) -> dict[str, dict[str, str]]:
    """Return the detail of every issue by rule and path."""
    return {
        one.rule.name: {issue.url.removeprefix(HOME).removeprefix(OTHER): issue.detail for issue in one.issues}
        for one in run(*pages).results
    }


def other(path: str) -> Page:
    """Return a page of another site."""
    return Page(f"{OTHER}{path}", "external", f"{OTHER}{path}", inlinks=1)


REDIRECT: dict[str, Any] = {"list_name": "redirects", "status": 301}
BROKEN: dict[str, Any] = {"list_name": "broken", "status": 404, "reason": "http-404", "verified": False}

CASES: list[tuple[str, list[Page], dict[str, dict[str, str]]]] = [
    ("a good page", [page()], {}),
    ("a page not visited", [page(verified=False, html_title=None, heading=None, description=None)], {}),
    ("a URL of another kind", [page(kind="asset", **BROKEN)], {}),
    ("a broken link", [page(**BROKEN)], {"broken-link": {"a": "HTTP 404"}}),
    ("a failure", [page(**{**BROKEN, "status": None, "reason": "timeout"})], {"broken-link": {"a": "timeout"}}),
    ("a broken URL that nothing links to", [page(**BROKEN)._replace(inlinks=0)], {}),
    ("a URL that robots.txt disallows", [page(**{**BROKEN, "status": None, "reason": "robots-disallowed"})], {}),
    (
        "a redirect that is linked",
        [page(leads_to=f"{HOME}b", **REDIRECT), page("b")],
        {"linked-redirect": {"a": f"→ {HOME}b"}},
    ),
    (
        "a redirect to a page that is gone",
        [page(leads_to=f"{HOME}b", **REDIRECT), page("b", **BROKEN)._replace(inlinks=0)],
        {"broken-link": {"a": f"redirects to {HOME}b: HTTP 404"}},
    ),
    (
        "a redirect into a loop that the crawl noticed",
        [page(leads_to=f"{HOME}b", **REDIRECT), page("b", **{**BROKEN, "status": 302, "reason": "redirect-loop"})],
        {"redirect-loop": {"a": f"{HOME}b", "b": "redirect loop"}},
    ),
    ("a redirect that nothing links to", [page(leads_to=f"{HOME}b", **REDIRECT)._replace(inlinks=0), page("b")], {}),
    (
        "a chain",
        [
            page(leads_to=f"{HOME}b", **REDIRECT),
            page("b", leads_to=f"{HOME}c", **REDIRECT)._replace(inlinks=0),
            page("c"),
        ],
        {"redirect-chain": {"a": f"{HOME}b → {HOME}c"}},
    ),
    (
        "a loop",
        [page(leads_to=f"{HOME}b", **REDIRECT), page("b", leads_to=f"{HOME}a", **REDIRECT)],
        {"redirect-loop": {"a": f"{HOME}b → {HOME}a", "b": f"{HOME}a → {HOME}b"}},
    ),
    (
        "a loop that the crawl noticed",
        [page(**{**BROKEN, "status": 302, "reason": "redirect-loop", "inlinks": 0})],
        {"redirect-loop": {"a": "redirect loop"}},
    ),
    ("an orphan", [page(inlinks=0, sources=("sitemap",))], {"orphan": {"a": "known from: sitemap"}}),
    ("the seed", [page(inlinks=0, sources=("seed",))], {}),
    (
        "a page missing in the sitemap",
        [page(sources=("content-link", "sitemap")), page("b")],
        {"missing-in-sitemap": {"b": ""}},
    ),
    ("a noindex page missing in the sitemap", [page(sources=("sitemap", "navigation")), page("b", noindex=True)], {}),
    (
        "wrong entries of a sitemap",
        [
            page("1", sources=("sitemap",), **BROKEN)._replace(inlinks=0),
            page("2", sources=("sitemap",), leads_to=f"{HOME}5", **REDIRECT)._replace(inlinks=0),
            page("3", sources=("sitemap",), noindex=True),
            page("4", sources=("sitemap",), canonical=f"{HOME}5"),
            page("5", sources=("sitemap",)),
            page("6", sources=("sitemap",), list_name="duplicates", leads_to=f"{HOME}5"),
        ],
        {
            "wrong-in-sitemap": {
                "1": "HTTP 404",
                "2": f"redirects to {HOME}5",
                "3": "noindex",
                "4": f"canonical: {HOME}5",
                "6": f"is a duplicate of {HOME}5",
            }
        },
    ),
    (
        "canonical URLs with problems",
        [
            page("1", canonical=f"{HOME}gone"),
            page("gone", **BROKEN)._replace(inlinks=0),
            page("2", canonical=f"{HOME}moved"),
            page("moved", leads_to=f"{HOME}4", **REDIRECT)._replace(inlinks=0),
            page("3", canonical=f"{HOME}4"),
            page("4", canonical=f"{HOME}5"),
            page("5"),
            page("6", canonical=f"{HOME}hidden"),
            page("hidden", noindex=True),
            page("7", canonical="https://elsewhere.example/"),
        ],
        {
            "canonical-conflict": {
                "1": f"{HOME}gone does not answer with a page",
                "2": f"{HOME}moved redirects to {HOME}4",
                "3": f"{HOME}4 names {HOME}5 as canonical in turn",
                "6": f"{HOME}hidden asks not to be indexed",
            }
        },
    ),
    (
        "missing texts",
        [page(html_title=None, description=None, heading=None)],
        {"missing-title": {"a": ""}, "missing-description": {"a": ""}, "missing-h1": {"a": ""}},
    ),
    (
        "shared texts",
        [
            page(html_title="One  title"),
            page("b", html_title="one Title"),
            page("c", description="x"),
            page("d", description="x"),
        ],
        {
            "duplicate-title": {"a": "“One  title” on 2 pages", "b": "“one Title” on 2 pages"},
            "duplicate-description": {"c": "“x” on 2 pages", "d": "“x” on 2 pages"},
        },
    ),
    ("a heading that a hidden page shares", [page(heading="x"), page("b", heading="x", noindex=True)], {}),
    (
        "a shared heading",
        [page(heading="x"), page("b", heading="X")],
        {"duplicate-h1": {"a": "“x” on 2 pages", "b": "“X” on 2 pages"}},
    ),
    (
        "texts of a page with a canonical page",
        [page(html_title="x"), page("b", html_title="x", canonical=f"{HOME}a")],
        {},
    ),
    ("noindex that content links to", [page(noindex=True, content_inlinks=1)], {"linked-noindex": {"a": ""}}),
    ("insecure resources", [page(insecure_resources=2)], {"mixed-content": {"a": "2 over http"}}),
    (
        "a slow page",
        [page(response_ms=3001), page("b", response_ms=3000), *(page(path, response_ms=200) for path in "cdef")],
        {"slow-page": {"a": "3.0 s; the median of the site is 200 ms"}},
    ),
    (
        "pages that were all slow at the time of the scan",
        [page(response_ms=7000), page("b", response_ms=3000), page("c", response_ms=3500)],
        {},
    ),
    ("a heavy page", [page(size=2_500_000)], {"heavy-page": {"a": "2.5 MB of HTML"}}),
    (
        "translations",
        [
            page("en", alternates={"en": f"{HOME}en", "fr": f"{HOME}fr", "de": f"{HOME}de"}),
            page("fr", alternates={"en": f"{HOME}en"}),
            page("de"),
        ],
        {"hreflang-return": {"en": f"not named by de {HOME}de"}},
    ),
    (
        "near duplicates",
        [
            page(near_duplicate_of=f"{HOME}b", similarity=0.97),
            page("b"),
            page("c", near_duplicate_of=f"{HOME}b", similarity=1.0, canonical=f"{HOME}b"),
            page("d", near_duplicate_of=f"{HOME}b", similarity=1.0, noindex=True),
            page("e", near_duplicate_of=f"{HOME}b", similarity=0.9, alternates={"fr": "https://fr.example/"}),
            page(
                "f", near_duplicate_of="https://fr.example/", similarity=0.9, alternates={"fr": "https://fr.example/"}
            ),
        ],
        {
            "near-duplicate": {
                "a": f"about 97 % of the text is also on {HOME}b",
                "e": f"about 90 % of the text is also on {HOME}b",
            }
        },
    ),
    (
        "thin pages",
        [
            page(word_count=99),
            page("b", word_count=1),
            page("c", word_count=None),
            page("d", word_count=9, noindex=True),
        ],
        {"thin-page": {"a": "99 words", "b": "1 word"}},
    ),
    (
        "links to other sites",
        [other(path) for path in (*EXTERNAL, "unchecked")],
        {"broken-external-link": {"gone": "HTTP 404", "down": "dns", "broken": "HTTP 500"}},
    ),
    (
        "scripts and styles that robots.txt disallows",
        [
            page("private/a.js", kind="resource", element="script"),
            page("private/a.css?v=1", kind="resource", element="link"),
            page("private/icon.png", kind="resource", element="link"),
            page("private/a.png", kind="resource", element="img"),
            page("a.js", kind="resource", element="script"),
        ],
        {
            "blocked-resource": {
                "private/a.js": "robots.txt line 2: Disallow: /private/",
                "private/a.css?v=1": "robots.txt line 2: Disallow: /private/",
            }
        },
    ),
    ("a translation elsewhere", [page(alternates={"fr": "https://fr.example/"})], {}),
]


@pytest.mark.parametrize(("pages", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_rules(pages: list[Page], expected: dict[str, dict[str, str]]) -> None:
    assert found(*pages) == expected


def test_every_rule_has_a_case() -> None:
    assert {name for _, _, expected in CASES for name in expected} == {rule.name for rule in RULES}


def test_broken_links_name_the_pages_that_have_them() -> None:
    ((_, issue),) = run(page(**BROKEN)).issues()
    assert issue.related == (LinkSource(HOME, f"{HOME}a"), LinkSource(f"{HOME}b", "B"))


def test_rules_are_sorted_by_severity_and_counted() -> None:
    report = run(page(html_title=None, heading=None), page("b", **BROKEN), page("c", kind="asset"))
    assert report.pages == 1
    assert [one.rule.severity for one in report.results] == ["error", "warning", "notice"]
    assert report.count_by_severity() == {"error": 1, "warning": 1, "notice": 1}
    assert [report.fails_at(severity) for severity in SEVERITIES] == [True, True, True]
    assert [run(page(heading=None)).fails_at(severity) for severity in SEVERITIES] == [False, False, True]


def test_known_issues_are_left_out() -> None:
    known = frozenset({("broken-link", f"{HOME}a"), ("missing-h1", f"{HOME}b")})
    report = run(page(**BROKEN), page("b", heading=None, html_title=None), known=known)
    assert [(issue.rule, issue.url) for _, issue in report.issues()] == [("missing-title", f"{HOME}b")]
