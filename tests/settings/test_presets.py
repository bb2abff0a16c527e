"""The values of every preset."""

from __future__ import annotations

import pytest

from headwater import SettingError, Settings, preset
from headwater.model import LINK_KINDS, REGIONS
from headwater.settings import PRESET_SUMMARIES, PRESETS, SETTINGS, Layer, merge_layers

DOCS_LINKS = ("a", "area", "data", "onclick", "button", "router", "json-ld", "loc", "template", "script")

# what the value is for, preset, setting, value
CONSTANTS = [
    ("SITEMAP_FETCH_TIMEOUT 10000 ms", "docs", "sitemap_timeout", 10.0),
    ("NESTED_SITEMAP_TIMEOUT 5000 ms", "docs", "nested_sitemap_timeout", 5.0),
    ("TOTAL_DISCOVERY_TIMEOUT 30000 ms", "docs", "sitemaps_deadline", 30.0),
    ("MAX_SITEMAP_DEPTH", "docs", "max_sitemap_depth", 2),
    ("convention-based detection", "docs", "sitemap_places", ("/sitemap.xml",)),
    ("no robots.txt parsing", "docs", "robots_sitemaps", False),
    ("filter to base paths", "docs", "scope", "path"),
    ("strictPathMatching", "docs", "strict_paths", True),
    ("followExternalLinks = false", "docs", "max_external_hops", 0),
    ("extract links from every crawled page", "docs", "always_crawl", True),
    ("base URL and all sitemap URLs", "docs", "crawl_from", "sitemaps"),
    ("tab load timeout 30 s", "docs", "render_timeout", 30.0),
    ("click up to 50 elements", "docs", "max_clicks", 50),
    ("only elements with cursor:pointer", "docs", "pointer_only", True),
    ("no depth limit", "docs", "max_depth", None),
    ("no page limit", "docs", "max_pages", None),
    ("queries kept", "docs", "skip_queries", False),
    ("maxSitemapUrls", "scan", "max_sitemap_urls", 1000),
    ("maxSitemapDepth", "scan", "max_sitemap_depth", 5),
    ("maxCrawlDepth", "scan", "max_depth", 2),
    ("maxCrawlPages", "scan", "max_pages", 200),
    ("crawlTimeout 10000 ms", "scan", "timeout", 10.0),
    ("30 s per sitemap fetch", "scan", "sitemap_timeout", 30.0),
    ("30 s per nested sitemap fetch", "scan", "nested_sitemap_timeout", 30.0),
    ("crawl below 10 URLs", "scan", "crawl_threshold", 10),
    ("start: homepage", "scan", "crawl_from", "homepage"),
    ("common locations", "scan", "sitemap_places", ("/sitemap.xml", "/sitemap_index.xml", "/sitemaps.xml")),
    ("Sitemap lines of robots.txt", "scan", "robots_sitemaps", True),
    ("batch size 100", "scan", "batch_size", 100),
    ("transaction timeout 30 s", "scan", "transaction_timeout", 30.0),
    ("forces HTTPS", "scan", "force_https", True),
    ("normalizes www", "scan", "fold_www", True),
    ("skip query strings", "scan", "skip_queries", True),
    ("skip anchors", "scan", "skip_anchors", True),
    ("removes trailing slashes", "scan", "trailing_slash", "strip"),
    ("two methods", "scan", "stages", ("sitemaps", "crawl")),
    ("host of the start URL", "crawl", "scope", "host"),
    ("--max-parallel 10", "crawl", "max_parallel", 10),
    ("crawl only", "crawl", "stages", ("crawl",)),
    ("no depth limit", "crawl", "max_depth", None),
    ("no page limit", "crawl", "max_pages", None),
    ("no external pages", "crawl", "max_external_hops", 0),
    ("no sitemaps", "crawl", "sitemap_places", ()),
    ("print in console", "crawl", "format", "text"),
    ("strip trailing slashes", "crawl", "trailing_slash", "strip"),
    ("link text of 50 characters", "waterfall", "text_length", 50),
    ("www is significant", "waterfall", "fold_www", False),
    ("trailing slash removed", "waterfall", "trailing_slash", "strip"),
    ("MAX_CRAWL_DEPTH", "waterfall", "max_depth", 3),
    ("MAX_SITEMAP_DEPTH", "waterfall", "max_sitemap_depth", 5),
    ("REQUEST_TIMEOUT 15,000 ms", "waterfall", "timeout", 15.0),
    ("REQUEST_TIMEOUT for sitemaps", "waterfall", "sitemap_timeout", 15.0),
    ("REQUEST_TIMEOUT for nested sitemaps", "waterfall", "nested_sitemap_timeout", 15.0),
    ("MAX_RETRIES", "waterfall", "retries", 3),
    ("CHUNK_SIZE", "waterfall", "batch_size", 50),
    ("MAX_URLS_PER_SOURCE", "waterfall", "max_urls_per_source", 10_000),
    ("SITEMAP_SUFFICIENT_THRESHOLD", "waterfall", "crawl_threshold", 500),
    ("nav-scrape, sitemaps, crawl", "waterfall", "stages", ("nav", "sitemaps", "crawl", "render")),
    ("English pages", "waterfall", "language", "en"),
    ("15 s", "crawl", "timeout", 15.0),
    ("1,000 a batch", "crawl", "batch_size", 1000),
    ("1,000 a batch", "docs", "batch_size", 1000),
    ("crawl only if sitemaps list too few URLs", "scan", "always_crawl", False),
    ("crawl from the seed", "crawl", "crawl_from", "seed"),
    ("crawl only", "crawl", "always_crawl", True),
    ("crawl only if sitemaps list too few URLs", "waterfall", "always_crawl", False),
    ("crawl from the seed", "waterfall", "crawl_from", "seed"),
    ("extraction sources", "docs", "follow_links", DOCS_LINKS),
    ("anywhere on the page", "docs", "follow_regions", REGIONS),
    ("all <a href> links", "scan", "follow_links", ("a", "area")),
    ("all <a> tags with an href", "crawl", "follow_links", ("a", "area")),
    ("header, footer, nav, main", "waterfall", "follow_regions", ("header", "nav", "aside", "main", "footer")),
    *(
        (purpose, name, setting, value)
        for name in ("waterfall", "scan", "crawl", "docs")
        for purpose, setting, value in (
            ("pages are listed by their normalized URL", "spelling", "normal"),
            ("tracking parameters are kept", "drop_tracking", False),
        )
    ),
]


@pytest.mark.parametrize(("purpose", "name", "setting", "value"), CONSTANTS)
def test_values_of_presets(purpose: str, name: str, setting: str, value: object) -> None:
    assert getattr(preset(name), setting) == value, f"{name}: {purpose}"


def test_paths_that_the_scan_preset_skips() -> None:
    paths = "/admin /api /cart /checkout /account /login /logout /register /signin /signup /_next /static"
    assert preset("scan").skip_paths == tuple(paths.split())


# what the default preset guarantees, setting, value
FULL = [
    ("every stage runs", "stages", ("nav", "sitemaps", "crawl", "render")),
    ("the site is crawled regardless of its sitemaps", "always_crawl", True),
    ("pages that only a sitemap lists are visited too", "crawl_from", "everything"),
    ("the depth is unlimited", "max_depth", None),
    ("the number of pages is unlimited", "max_pages", None),
    ("the number of URLs is unlimited", "max_urls", None),
    ("the URLs of a source are unlimited", "max_urls_per_source", None),
    ("tracking parameters are dropped", "drop_tracking", True),
    ("pages are listed by the URL that answered", "spelling", "answered"),
    ("links of every kind are followed", "follow_links", LINK_KINDS),
    ("links in every region are followed", "follow_regions", REGIONS),
    ("only pages are written", "list", "pages"),
    ("only pages are written", "kinds", ("page",)),
    ("skipped URLs are not kept", "keep_skipped", False),
]


@pytest.mark.parametrize(("guarantee", "setting", "value"), FULL)
def test_guarantees_of_the_default_preset(guarantee: str, setting: str, value: object) -> None:
    assert getattr(preset("full"), setting) == value, guarantee


def test_full_is_the_default() -> None:
    assert preset("full") == Settings()
    assert merge_layers([Layer()]).preset == "full"


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "full"])
def test_every_preset_writes_only_the_list_of_pages(name: str) -> None:
    assert preset(name).list == "pages"


@pytest.mark.parametrize("name", PRESETS)
def test_presets_contain_only_settings(name: str) -> None:
    assert set(PRESETS[name]) <= set(SETTINGS)


def test_every_preset_has_a_summary() -> None:
    assert list(PRESET_SUMMARIES) == list(PRESETS)


def test_the_error_about_an_unknown_preset_lists_the_known_ones() -> None:
    with pytest.raises(SettingError, match="'fast' is not allowed; expected one of full, waterfall, scan, crawl, docs"):
        preset("fast")
