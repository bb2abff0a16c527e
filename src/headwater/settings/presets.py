"""Presets: named sets of values for the settings. `full` is the default."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from headwater.errors import SettingError
from headwater.model import LINK_KINDS, REGIONS
from headwater.settings.all_settings import Settings
from headwater.settings.choices import DEFAULT_SITEMAP_PATHS, DEFAULT_SOURCES, STAGES

if TYPE_CHECKING:
    from collections.abc import Mapping

FULL: dict[str, object] = {
    "follow_links": LINK_KINDS,
    "follow_regions": REGIONS,
    "batch_size": None,
    "stages": STAGES,
    "always_crawl": True,
    "sources": DEFAULT_SOURCES,
    "crawl_from": "everything",
    "max_depth": None,
    "max_urls_per_source": None,
    "drop_tracking": True,
    "spelling": "answered",
    "skip_walls": True,
    "merge_views": True,
    "sample_files": True,
}

COMMON_VALUES: dict[str, object] = {
    "sources": (),
    "always_crawl": False,
    "crawl_from": "seed",
    "drop_tracking": False,
    "spelling": "normal",
    "skip_walls": False,
    "merge_views": False,
    "sample_files": False,
}
"""Values of every preset but `full`."""

OMITTED_KINDS = frozenset({"json-ld", "loc", "link", "meta", "header", "option"})
"""Kinds of links that the preset `waterfall` does not follow."""

WATERFALL: dict[str, object] = {
    **COMMON_VALUES,
    "stages": ("nav", "sitemaps", "crawl", "render"),
    "follow_links": tuple(kind for kind in LINK_KINDS if kind not in OMITTED_KINDS),
    "follow_regions": ("header", "nav", "aside", "main", "footer"),
    "crawl_threshold": 500,
    "max_depth": 3,
    "max_sitemap_depth": 5,
    "sitemap_places": DEFAULT_SITEMAP_PATHS,
    "timeout": 15.0,
    "sitemap_timeout": 15.0,
    "nested_sitemap_timeout": 15.0,
    "retries": 3,
    "batch_size": 50,
    "max_urls_per_source": 10_000,
}

SCAN: dict[str, object] = {
    **COMMON_VALUES,
    "stages": ("sitemaps", "crawl"),
    "follow_links": ("a", "area"),
    "fold_www": True,
    "force_https": True,
    "crawl_threshold": 10,
    "crawl_from": "homepage",
    "max_depth": 2,
    "max_pages": 200,
    "max_sitemap_urls": 1000,
    "max_sitemap_depth": 5,
    "sitemap_places": ("/sitemap.xml", "/sitemap_index.xml", "/sitemaps.xml"),
    "timeout": 10.0,
    "sitemap_timeout": 30.0,
    "nested_sitemap_timeout": 30.0,
    "max_urls_per_source": None,
    "batch_size": 100,
    "transaction_timeout": 30.0,
    "skip_queries": True,
    "skip_anchors": True,
    "skip_paths": (
        "/admin",
        "/api",
        "/cart",
        "/checkout",
        "/account",
        "/login",
        "/logout",
        "/register",
        "/signin",
        "/signup",
        "/_next",
        "/static",
    ),
}

CRAWL: dict[str, object] = {
    **COMMON_VALUES,
    "stages": ("crawl",),
    "follow_links": ("a", "area"),
    "always_crawl": True,
    "robots_sitemaps": False,
    "sitemap_places": (),
    "max_depth": None,
    "max_pages": None,
    "max_urls_per_source": None,
    "timeout": 15.0,
    "max_parallel": 10,
    "batch_size": 1000,
}

DOCS: dict[str, object] = {
    **COMMON_VALUES,
    "scope": "path",
    "strict_paths": True,
    "stages": ("sitemaps", "crawl", "render"),
    "follow_links": ("a", "area", "data", "onclick", "button", "router", "json-ld", "loc", "template", "script"),
    "always_crawl": True,
    "crawl_from": "sitemaps",
    "max_external_hops": 0,
    "max_depth": None,
    "max_pages": None,
    "max_urls_per_source": None,
    "robots_sitemaps": False,
    "sitemap_places": ("/sitemap.xml",),
    "max_sitemap_depth": 2,
    "sitemap_timeout": 10.0,
    "nested_sitemap_timeout": 5.0,
    "sitemaps_deadline": 30.0,
    "render_timeout": 30.0,
    "max_clicks": 50,
    "pointer_only": True,
    "batch_size": 1000,
}

PRESETS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {"full": FULL, "waterfall": WATERFALL, "scan": SCAN, "crawl": CRAWL, "docs": DOCS}
)

PRESET_SUMMARIES: Mapping[str, str] = MappingProxyType(
    {
        "full": "Run every stage, follow every kind of link, and set no limits (the default)",
        "waterfall": "Read navigation and sitemaps; crawl three levels deep if the sitemaps list fewer than 500 URLs",
        "scan": "Read sitemaps; crawl up to 200 pages, two levels deep, if they list fewer than 10 URLs; "
        "skip URLs with a query, links with a fragment, and account and API paths",
        "crawl": "Follow the links of `<a>` and `<area>` elements and read no sitemaps",
        "docs": "Stay under the path of the seed; start at the seed and every URL of /sitemap.xml",
    }
)
"""One sentence for each preset."""


def preset(name: str) -> Settings:
    """Return the settings of one preset."""
    return Settings(**get_preset_values(name))  # type: ignore[arg-type]


def get_preset_values(name: str, origin: str = "") -> Mapping[str, object]:
    """Return the values that a preset sets; raise SettingError for an unknown name."""
    if name not in PRESETS:
        raise SettingError("preset", f"{name!r} is not allowed; expected one of {', '.join(PRESETS)}", origin)
    return PRESETS[name]
