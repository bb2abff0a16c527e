"""Sections of the settings, and the words that settings with a fixed set of values allow."""

from __future__ import annotations

from typing import Literal, get_args

SECTIONS: dict[str, str] = {
    "scope": "Scope of a scan",
    "urls": "URL normalization",
    "stages": "Stages of a scan",
    "sitemaps": "Sitemaps",
    "limits": "Limits of a scan",
    "fetch": "Requests",
    "render": "Browser",
    "analysis": "Analysis of pages",
    "dive": "Dives, search and answers",
    "store": "Store",
    "output": "Output",
    "many": "Lists of sites",
    "worker": "Workers",
}
"""The sections by name, with their titles."""

DEFAULT_SOURCES = ("indexes", "apis", "llms", "feeds", "parents", "scripts", "forms", "robots")
SOURCE_NAMES = (*DEFAULT_SOURCES, "wayback", "commoncrawl")
"""Sources of URLs beside links and sitemaps; web archives are asked only if the user wants it."""

SEED_HOSTS = "seeds"
"""The value of `allow_private` that stands for the hosts of the seeds."""

STAGES = ("nav", "sitemaps", "crawl", "render")
KIND_CHOICES = ("page", "external", "resource", "endpoint", "all")
Format = Literal["text", "json", "jsonl", "csv", "html", "xml", "md", "xlsx", "parquet", "graphml", "dot", "atom"]
FORMATS: tuple[Format, ...] = get_args(Format)
FIELD_FORMATS: tuple[Format, ...] = ("text", "csv", "json", "jsonl", "xlsx", "parquet")
"""Formats that write the fields that a user chooses."""

TABLE_FORMATS: tuple[Format, ...] = ("csv", "xlsx", "parquet")
"""Formats with one header row, whose column names a user can choose."""

BINARY_FORMATS: tuple[Format, ...] = ("xlsx", "parquet")
"""Formats that are not text; each needs the extra of its name."""

ColumnNames = Literal["headwater", "screaming-frog"]
COLUMN_NAMES: tuple[ColumnNames, ...] = get_args(ColumnNames)

SortOrder = Literal["url", "priority", "depth"]
SORT_ORDERS: tuple[SortOrder, ...] = get_args(SortOrder)
DEFAULT_SITEMAP_PATHS = (
    "/sitemap.xml",
    "/sitemap_index.xml",
    "/sitemaps.xml",
    "/sitemap-index.xml",
    "/sitemap.xml.gz",
    "/wp-sitemap.xml",
    "/sitemap.txt",
    "/feed",
)
