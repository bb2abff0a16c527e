"""Costs of hostile pages: long bases, long URLs, long scripts and many comments."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

import pytest

from headwater.examination import SiteState, examine
from headwater.examination.link_extraction import extract_links
from headwater.frontier.memory_budget import MemoryBudget
from headwater.frontier.url_cache import UrlCache
from headwater.model import Candidate, Response
from headwater.urls import Scope
from headwater.urls.identity import compute_identity
from headwater.urls.parsing import shorten_base

if TYPE_CHECKING:
    from headwater.model import Findings

ROOT = "https://e.com"
LONG = "x" * 500_000


def read(
    body: str, cache: UrlCache | None = None, *, keeps_links: bool = True, keeps_skipped: bool = False
) -> Findings:
    """Examine a page with this markup."""
    state = SiteState(Scope(f"{ROOT}/"), keeps_links=keeps_links, keeps_skipped=keeps_skipped)
    page = Candidate(compute_identity(ROOT), ROOT, ROOT, ROOT, 1)
    return examine(Response(f"{ROOT}/p", 200, {}, body.encode(), "text/html"), page, state, cache or UrlCache())


def kept_after(bodies: list[str], *, keeps_links: bool) -> int:
    """Return the bytes that the cache of a scan holds after these pages."""
    cache = UrlCache()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for body in bodies:
            read(body, cache, keeps_links=keeps_links)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return after - before


@pytest.mark.parametrize("element", ["a href", "img src", "area href", "div data-href"])
@pytest.mark.parametrize("keeps_skipped", [False, True])
def test_links_relative_to_a_long_base_cost_little(element: str, keeps_skipped: bool) -> None:
    """Each of the 1,000 would be a URL of half a megabyte."""
    links = "".join(f"<{element}=l{number}>x</{element.partition(' ')[0]}>" for number in range(1000))
    body = f"<base href='/{LONG}/'><{element}=/ok>x{links}"
    tracemalloc.start()
    try:
        findings = read(body, keeps_skipped=keeps_skipped)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert findings.skipped["too-long"] == 1001, "the base itself is one of them"
    assert [one.url for one in findings.found if one.reason != "too-long"] == [f"{ROOT}/ok"]
    assert peak < 20 * len(body)


@pytest.mark.parametrize(
    ("base", "shortened"),
    [
        (f"{ROOT}/a/b?c#d", f"{ROOT}/a/b?c#d"),
        (f"{ROOT}/a/b?{LONG}", f"{ROOT}/a/b"),
        (f"{ROOT}/a/b#{LONG}", f"{ROOT}/a/b"),
        (f"{ROOT}/a/{LONG}", f"{ROOT}/a/"),
        (f"{ROOT}/{LONG}/b", f"{ROOT}/{LONG}"[:2083] + "/"),
    ],
)
def test_a_base_that_is_too_long_is_shortened(base: str, shortened: str) -> None:
    assert shorten_base(base, 20) == shortened


@pytest.mark.parametrize("keeps_links", [True, False])
@pytest.mark.parametrize("element", ["a href", "img src", "iframe src"])
def test_urls_that_are_too_long_are_not_cached(element: str, keeps_links: bool) -> None:
    bodies = [f"<{element}='/{number}/{LONG}'>x" for number in range(20)]
    assert kept_after(bodies, keeps_links=keeps_links) < len(LONG)


@pytest.mark.parametrize("keeps_links", [True, False])
def test_long_scripts_are_not_cached(keeps_links: bool) -> None:
    bodies = [f"<script src=/a.js>{number}{LONG}</script>" for number in range(20)]
    assert kept_after(bodies, keeps_links=keeps_links) < len(LONG)


def test_long_urls_fill_the_cache_sooner() -> None:
    cache = UrlCache(MemoryBudget(100))
    read("".join(f"<a href='/{number}{'y' * 2000}'>x</a>" for number in range(20)), cache)
    cache.make_room()
    assert cache.has_evicted


def test_distinct_scripts_fill_the_cache() -> None:
    cache = UrlCache(MemoryBudget(100))
    read("".join(f"<script src=/a.js id={number}></script>" for number in range(200)), cache)
    cache.make_room()
    assert cache.has_evicted


def test_links_in_comments_are_in_document_order() -> None:
    one, three, four, six = (f"<!--[if IE]><a href=/{number}>x</a><![endif]-->" for number in (1, 3, 4, 6))
    body = f"{one}<a href=/2>x</a>{three}{four}<p data-url=/5></p>{six}"
    assert [link.url for link in extract_links(body, ROOT)] == [f"{ROOT}/{number}" for number in range(1, 7)]


def test_many_comments_take_linear_time() -> None:
    """Searching the end of the page for each comment would take minutes."""
    body = "<!--[if-->" * 400_000
    assert extract_links(body, ROOT) == []


def test_extracted_links_relative_to_a_long_base_are_omitted() -> None:
    body = f"<base href='/{LONG}/'><a href=/ok>x</a>" + "".join(f"<a href=l{number}>x</a>" for number in range(1000))
    assert [link.url for link in extract_links(body, ROOT)] == [f"{ROOT}/ok"]
    assert [link.url for link in extract_links(body, ROOT, ROOT)] == [f"{ROOT}/ok"]
