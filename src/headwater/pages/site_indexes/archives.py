"""Parse the lists of web archives: the URLs of a host that the Wayback Machine and Common Crawl have stored."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from headwater.pages.site_indexes.js_values import read_json
from headwater.pages.site_indexes.links import resolve_pages
from headwater.pages.site_indexes.records import IndexFile, ParsedIndex

if TYPE_CHECKING:
    from collections.abc import Iterator

ARCHIVE_PAGE_SIZE = 10_000
MAX_COLLECTIONS = 3
"""The newest crawls of Common Crawl that are asked."""

MAX_COLLECTION_PAGES = 50
_WAYBACK_QUERY = (
    ("output", "json"),
    ("fl", "original"),
    ("filter", "statuscode:200"),
    ("filter", "mimetype:text/html"),
    ("collapse", "urlkey"),
    ("limit", str(ARCHIVE_PAGE_SIZE)),
    ("showResumeKey", "true"),
)
_COMMON_CRAWL_QUERY = (("output", "json"), ("fl", "url"), ("filter", "=status:200"), ("filter", "=mime:text/html"))


def build_wayback_file(api: str, host: str) -> IndexFile:
    """Return the first file of the Wayback Machine's list of a host."""
    return IndexFile("wayback", f"{api}?{urlencode((('url', host), ('matchType', 'host'), *_WAYBACK_QUERY))}")


def build_common_crawl_file(collections: str, host: str) -> IndexFile:
    """Return the file that lists the crawls of Common Crawl; the host is added to the requests that follow."""
    return IndexFile("commoncrawl", f"{collections}#{host}")


def parse_wayback(body: bytes, url: str) -> ParsedIndex:
    """Read rows of URLs; after an empty row comes the key of the next file."""
    rows = read_json(body.decode("utf-8", "replace"))
    rows = rows[1:] if isinstance(rows, list) else []
    texts = [row[0] if isinstance(row, list) and row and isinstance(row[0], str) else "" for row in rows]
    key = texts[-1] if len(texts) > 1 and not texts[-2] else ""
    pages = texts[:-2] if key else texts
    more = (IndexFile("wayback", _replace_parameter(url, "resumeKey", key)),) if key else ()
    return ParsedIndex(resolve_pages(((page, "") for page in pages if page), url), more)


def parse_common_crawl_collections(body: bytes, url: str) -> ParsedIndex:
    """Read the list of crawls, the newest first, and return the requests for the number of files of each."""
    collections = read_json(body.decode("utf-8", "replace"))
    named = [one for one in collections if isinstance(one, dict)] if isinstance(collections, list) else []
    apis = [api for one in named if isinstance(api := one.get("cdx-api"), str)][:MAX_COLLECTIONS]
    query = urlencode((("url", f"{url.partition('#')[2]}/*"), *_COMMON_CRAWL_QUERY, ("showNumPages", "true")))
    return ParsedIndex((), tuple(IndexFile("commoncrawl-size", f"{api}?{query}") for api in apis))


def parse_common_crawl_size(body: bytes, url: str) -> ParsedIndex:
    """Read the number of files of a crawl's list, and return them."""
    size = read_json(body.decode("utf-8", "replace"))
    count = size.get("pages") if isinstance(size, dict) else None
    count = min(count, MAX_COLLECTION_PAGES) if isinstance(count, int) else 0
    first = _replace_parameter(url, "showNumPages", "")
    files = (_replace_parameter(first, "page", str(number)) for number in range(count))
    return ParsedIndex((), tuple(IndexFile("commoncrawl-list", file) for file in files))


def parse_common_crawl_list(body: bytes, url: str) -> ParsedIndex:
    """Read one JSON object a line."""
    return ParsedIndex(resolve_pages(((page, "") for page in _read_urls(body)), url))


def _read_urls(body: bytes) -> Iterator[str]:
    for line in body.decode("utf-8", "replace").splitlines():
        entry = read_json(line)
        if isinstance(entry, dict) and isinstance(page := entry.get("url"), str):
            yield page


def _replace_parameter(url: str, name: str, value: str) -> str:
    """Return a URL with a query parameter set, or without it if the value is empty."""
    parts = urlsplit(url)
    query = [(key, text) for key, text in parse_qsl(parts.query) if key != name]
    return urlunsplit(parts._replace(query=urlencode([*query, (name, value)] if value else query)))
