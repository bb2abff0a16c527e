"""Every constant of every seed, held against the preset that carries it, and the promises of the default preset."""

from __future__ import annotations

import pytest

from headwater import SettingError, Settings, preset
from headwater.model import LINK_KINDS, REGIONS
from headwater.settings import PRESETS, SETTINGS, Layer, merge_layers

DOCS_LINKS = ("a", "area", "data", "onclick", "button", "router", "json-ld", "loc", "template", "script")

# seed, what the seed calls it, preset, setting, value
CONSTANTS = [
    ("000", "SITEMAP_FETCH_TIMEOUT 10000 ms", "docs", "sitemap_timeout", 10.0),
    ("000", "NESTED_SITEMAP_TIMEOUT 5000 ms", "docs", "nested_sitemap_timeout", 5.0),
    ("000", "TOTAL_DISCOVERY_TIMEOUT 30000 ms", "docs", "sitemaps_deadline", 30.0),
    ("000", "MAX_SITEMAP_DEPTH", "docs", "max_sitemap_depth", 2),
    ("000", "convention-based detection", "docs", "sitemap_places", ("/sitemap.xml",)),
    ("000", "no robots.txt parsing", "docs", "robots_sitemaps", False),
    ("000", "filter to base paths", "docs", "scope", "path"),
    ("000", "strictPathMatching", "docs", "strict_paths", True),
    ("000", "followExternalLinks = false", "docs", "max_external_hops", 0),
    ("000", "extract links from every crawled page", "docs", "always_crawl", True),
    ("000", "base URL and all sitemap URLs", "docs", "crawl_from", "sitemaps"),
    ("000", "tab load timeout 30 s", "docs", "render_timeout", 30.0),
    ("000", "click up to 50 elements", "docs", "max_clicks", 50),
    ("000", "only elements with cursor:pointer", "docs", "pointer_only", True),
    ("000", "no depth limit", "docs", "max_depth", None),
    ("000", "no page limit", "docs", "max_pages", None),
    ("000", "queries kept", "docs", "skip_queries", False),
    ("001", "maxSitemapUrls", "scan", "max_sitemap_urls", 1000),
    ("001", "maxSitemapDepth", "scan", "max_sitemap_depth", 5),
    ("001", "maxCrawlDepth", "scan", "max_depth", 2),
    ("001", "maxCrawlPages", "scan", "max_pages", 200),
    ("001", "crawlTimeout 10000 ms", "scan", "timeout", 10.0),
    ("001", "30 s per sitemap fetch", "scan", "sitemap_timeout", 30.0),
    ("001", "30 s per nested sitemap fetch", "scan", "nested_sitemap_timeout", 30.0),
    ("001", "insufficient below 10 URLs", "scan", "crawl_threshold", 10),
    ("001", "start: homepage", "scan", "crawl_from", "homepage"),
    ("001", "common locations", "scan", "sitemap_places", ("/sitemap.xml", "/sitemap_index.xml", "/sitemaps.xml")),
    ("001", "Sitemap lines of robots.txt", "scan", "robots_sitemaps", True),
    ("001", "batch size 100", "scan", "batch_size", 100),
    ("001", "transaction timeout 30 s", "scan", "transaction_timeout", 30.0),
    ("001", "forces HTTPS", "scan", "force_https", True),
    ("001", "normalizes www", "scan", "fold_www", True),
    ("001", "skip query strings", "scan", "skip_queries", True),
    ("001", "skip anchors", "scan", "skip_anchors", True),
    ("001", "removes trailing slashes", "scan", "trailing_slash", "strip"),
    ("001", "two methods", "scan", "stages", ("sitemaps", "crawl")),
    ("002", "host of the start URL", "crawl", "scope", "host"),
    ("002", "--max-parallel 10", "crawl", "max_parallel", 10),
    ("002", "crawl only", "crawl", "stages", ("crawl",)),
    ("002", "no depth limit", "crawl", "max_depth", None),
    ("002", "no page limit", "crawl", "max_pages", None),
    ("002", "no external pages", "crawl", "max_external_hops", 0),
    ("002", "no sitemaps", "crawl", "sitemap_places", ()),
    ("002", "print in console", "crawl", "format", "text"),
    ("002", "strip trailing slashes", "crawl", "trailing_slash", "strip"),
    ("003", "link text of 50 characters", "waterfall", "text_length", 50),
    ("003", "www is significant", "waterfall", "fold_www", False),
    ("003", "trailing slash removed", "waterfall", "trailing_slash", "strip"),
    ("004", "MAX_CRAWL_DEPTH", "waterfall", "max_depth", 3),
    ("004", "MAX_SITEMAP_DEPTH", "waterfall", "max_sitemap_depth", 5),
    ("004", "REQUEST_TIMEOUT 15,000 ms", "waterfall", "timeout", 15.0),
    ("004", "REQUEST_TIMEOUT for sitemaps", "waterfall", "sitemap_timeout", 15.0),
    ("004", "REQUEST_TIMEOUT for nested sitemaps", "waterfall", "nested_sitemap_timeout", 15.0),
    ("004", "MAX_RETRIES", "waterfall", "retries", 3),
    ("004", "CHUNK_SIZE", "waterfall", "batch_size", 50),
    ("004", "MAX_URLS_PER_SOURCE", "waterfall", "max_urls_per_source", 10_000),
    ("004", "SITEMAP_SUFFICIENT_THRESHOLD", "waterfall", "crawl_threshold", 500),
    ("004", "nav-scrape, sitemaps, crawl", "waterfall", "stages", ("nav", "sitemaps", "crawl", "render")),
    ("004", "English pages", "waterfall", "language", "en"),
    ("design", "15 s", "crawl", "timeout", 15.0),
    ("design", "1,000 a batch", "crawl", "batch_size", 1000),
    ("design", "1,000 a batch", "docs", "batch_size", 1000),
    ("001", "crawls only if sitemaps do not suffice", "scan", "always_crawl", False),
    ("002", "starts at the start URL", "crawl", "crawl_from", "seed"),
    ("002", "crawl only", "crawl", "always_crawl", True),
    ("004", "crawls only if sitemaps do not suffice", "waterfall", "always_crawl", False),
    ("004", "starts at the seed", "waterfall", "crawl_from", "seed"),
    ("000", "extraction sources", "docs", "follow_links", DOCS_LINKS),
    ("000", "anywhere on the page", "docs", "follow_regions", REGIONS),
    ("001", "all <a href> links", "scan", "follow_links", ("a", "area")),
    ("002", "all <a> tags with an href", "crawl", "follow_links", ("a", "area")),
    ("004", "header, footer, nav, main", "waterfall", "follow_regions", ("header", "nav", "aside", "main", "footer")),
    *(
        ("all", called, name, setting, value)
        for name in ("waterfall", "scan", "crawl", "docs")
        for called, setting, value in (
            ("URLs are listed in their normal form", "spelling", "normal"),
            ("tracking parameters are kept", "drop_tracking", False),
        )
    ),
]


@pytest.mark.parametrize(("seed", "called", "name", "setting", "value"), CONSTANTS)
def test_constants_of_the_seeds(seed: str, called: str, name: str, setting: str, value: object) -> None:
    assert getattr(preset(name), setting) == value, f"seed {seed}: {called}"


def test_skip_patterns_of_seed_001() -> None:
    seed = "/admin /api /cart /checkout /account /login /logout /register /signin /signup /_next /static"
    assert preset("scan").skip_paths == tuple(seed.split())


# What the default preset promises, setting, value
FULL = [
    ("every stage runs", "stages", ("nav", "sitemaps", "crawl", "render")),
    ("the site is crawled however many URLs its sitemaps have", "always_crawl", True),
    ("pages that only a sitemap has are visited too", "crawl_from", "everything"),
    ("no page is too deep", "max_depth", None),
    ("no page is too many", "max_pages", None),
    ("no URL is too many", "max_urls", None),
    ("no source is cut short", "max_urls_per_source", None),
    ("tracking parameters are dropped", "drop_tracking", True),
    ("URLs are listed as the site answered them", "spelling", "answered"),
    ("links of every kind are followed", "follow_links", LINK_KINDS),
    ("links are followed wherever they stand", "follow_regions", REGIONS),
    ("only pages are written", "list", "pages"),
    ("only pages are written", "kinds", ("page",)),
    ("skipped URLs are not kept", "keep_skipped", False),
]


@pytest.mark.parametrize(("promise", "setting", "value"), FULL)
def test_promises_of_the_default_preset(promise: str, setting: str, value: object) -> None:
    assert getattr(preset("full"), setting) == value, promise


def test_full_is_the_default() -> None:
    assert preset("full") == Settings()
    assert merge_layers([Layer()]).preset == "full"


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "full"])
def test_every_preset_writes_only_the_list_of_pages(name: str) -> None:
    assert preset(name).list == "pages"


@pytest.mark.parametrize("name", PRESETS)
def test_presets_speak_of_settings_only(name: str) -> None:
    assert set(PRESETS[name]) <= set(SETTINGS)


def test_unknown_preset_names_the_known_ones() -> None:
    with pytest.raises(SettingError, match="'fast' is not allowed; expected one of full, waterfall, scan, crawl, docs"):
        preset("fast")
