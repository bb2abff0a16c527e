"""Read the indexes that site generators publish for their own search and navigation, and the APIs of CMSs.

`find_index_files` recognises a generator by the scripts, links and meta tags of a page and returns the files to
request; `parse_index` returns the pages that such a file lists and further files to request. Nothing is fetched here,
and no URL is guessed: the crawl requests each page before it is listed.
"""

from headwater.pages.site_indexes.detection import find_index_files
from headwater.pages.site_indexes.documentation import list_possible_pages
from headwater.pages.site_indexes.feed_links import find_feed_links, find_feed_response
from headwater.pages.site_indexes.parsers import (
    API_KINDS,
    ARCHIVE_KINDS,
    COMPLETE_KINDS,
    COUNTED_KINDS,
    LAST_KINDS,
    PARSERS,
    parse_index,
)
from headwater.pages.site_indexes.records import IndexedPage, IndexFile, ParsedIndex

__all__ = [
    "API_KINDS",
    "ARCHIVE_KINDS",
    "COMPLETE_KINDS",
    "COUNTED_KINDS",
    "LAST_KINDS",
    "PARSERS",
    "IndexFile",
    "IndexedPage",
    "ParsedIndex",
    "find_feed_links",
    "find_feed_response",
    "find_index_files",
    "list_possible_pages",
    "parse_index",
]
