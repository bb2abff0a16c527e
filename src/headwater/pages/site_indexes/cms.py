"""Parse the public APIs of content management systems, page by page."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from headwater.pages.site_indexes.js_values import read_json
from headwater.pages.site_indexes.links import resolve_pages
from headwater.pages.site_indexes.records import IndexFile, ParsedIndex
from headwater.urls.parsing import resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

_quote = partial(quote, errors="replace")
"""JSON may contain text that is not valid Unicode."""

WORDPRESS_PAGE_SIZE = 100
SHOPIFY_PAGE_SIZE = 250
_WORDPRESS_INTERNAL = ("attachment", "nav_menu", "wp_", "user_request", "oembed", "custom_css", "customize_changeset")


def parse_wordpress_types(body: bytes, url: str) -> ParsedIndex:
    """Read the post types or taxonomies of WordPress' REST API: each has a list of its own."""
    data = _read_object(body)
    types = [(name, one) for name, one in data.items() if isinstance(one, dict)]
    bases = [
        str(one.get("rest_base") or name)
        for name, one in types
        if not name.startswith(_WORDPRESS_INTERNAL) and one.get("viewable") is not False
    ]
    root = url.partition("/wp/v2/")[0]
    query = f"per_page={WORDPRESS_PAGE_SIZE}&page=1&_fields=link,title,name"
    lists = (f"{root}/wp/v2/{_quote(base, safe='')}" for base in bases)
    return ParsedIndex((), tuple(IndexFile("wordpress-list", f"{one}{_joint(one)}{query}") for one in lists))


def parse_wordpress_list(body: bytes, url: str) -> ParsedIndex:
    """Read one page of a list: posts, pages, custom types, categories, tags, authors."""
    data = read_json(body.decode("utf-8", "replace"))
    items = [one for one in data if isinstance(one, dict)] if isinstance(data, list) else []
    entries = [(link, _rendered_title(one)) for one in items if isinstance(link := one.get("link"), str)]
    more = (_next_page("wordpress-list", url),) if len(items) >= WORDPRESS_PAGE_SIZE else ()
    return ParsedIndex(resolve_pages(entries, url), more)


def _rendered_title(item: dict[str, Any]) -> str:
    title = item.get("title")
    title = title.get("rendered") if isinstance(title, dict) else title or item.get("name")
    return title if isinstance(title, str) else ""


def parse_shopify_list(body: bytes, url: str) -> ParsedIndex:
    """Read a page of `products.json` or `collections.json`: handles are the last segments of URLs."""
    data = _read_object(body)
    kind = next((name for name in ("products", "collections") if isinstance(data.get(name), list)), "")
    items = [one for one in data.get(kind, []) if isinstance(one, dict) and isinstance(one.get("handle"), str)]
    entries = ((f"{kind}/{_quote(one['handle'])}", str(one.get("title") or "")) for one in items)
    more = (_next_page("shopify-list", url),) if len(items) >= SHOPIFY_PAGE_SIZE else ()
    return ParsedIndex(resolve_pages(entries, url), more)


def parse_ghost_list(body: bytes, url: str) -> ParsedIndex:
    """Read a page of Ghost's content API: posts, pages, tags or authors."""
    data = _read_object(body)
    items = next((value for name, value in data.items() if name != "meta" and isinstance(value, list)), [])
    entries = ((one["url"], str(one.get("title") or one.get("name") or "")) for one in _with_text(items, "url"))
    meta = data.get("meta")
    pagination = meta.get("pagination") if isinstance(meta, dict) else None
    has_more = isinstance(pagination, dict) and isinstance(pagination.get("next"), int)
    return ParsedIndex(resolve_pages(entries, url), (_next_page("ghost-list", url),) if has_more else ())


def parse_drupal_entry(body: bytes, url: str) -> ParsedIndex:
    """Read the entry point of Drupal's JSON:API: one link for each type of content."""
    links = _read_object(body).get("links")
    named = links.items() if isinstance(links, dict) else ()
    hrefs = [_read_href(link) for name, link in named if name.startswith(("node--", "taxonomy_term--"))]
    return ParsedIndex((), tuple(IndexFile("drupal-list", href) for one in hrefs if (href := resolve(one, url) or "")))


def parse_drupal_list(body: bytes, url: str) -> ParsedIndex:
    """Read a page of one type of content: aliases of paths, or paths by number."""
    data = _read_object(body)
    entries = _read_drupal_paths(data.get("data"))
    links = data.get("links")
    following = resolve(_read_href(links.get("next")), url) if isinstance(links, dict) and "next" in links else None
    root = url.partition("/jsonapi")[0]
    pages = resolve_pages(((f"{root}{path}", title) for path, title in entries), url)
    return ParsedIndex(pages, (IndexFile("drupal-list", following),) if following else ())


def _read_drupal_paths(items: object) -> Iterator[tuple[str, str]]:
    for item in items if isinstance(items, list) else []:
        attributes = item.get("attributes") if isinstance(item, dict) else None
        path = attributes.get("path") if isinstance(attributes, dict) else None
        if isinstance(attributes, dict) and isinstance(path, dict):
            alias, title = path.get("alias"), attributes.get("title") or attributes.get("name") or ""
            number = attributes.get("drupal_internal__nid")
            if isinstance(alias, str) and alias.startswith("/"):
                yield alias, str(title)
            elif isinstance(number, int):
                yield f"/node/{number}", str(title)


def parse_discourse_topics(body: bytes, url: str) -> ParsedIndex:
    """Read a page of Discourse's `latest.json`: topics, and the address of the next page."""
    listing = _read_object(body).get("topic_list")
    topics = listing.get("topics") if isinstance(listing, dict) else None
    named = [one for one in _with_text(topics, "slug") if isinstance(one.get("id"), int)]
    entries = ((f"t/{_quote(one['slug'])}/{one['id']}", str(one.get("title") or "")) for one in named)
    has_more = isinstance(listing, dict) and bool(listing.get("more_topics_url")) and bool(named)
    return ParsedIndex(resolve_pages(entries, url), (_next_page("discourse-topics", url),) if has_more else ())


def parse_discourse_site(body: bytes, url: str) -> ParsedIndex:
    """Read Discourse's `site.json`: the categories."""
    categories = _with_text(_read_object(body).get("categories"), "slug")
    entries = (
        (f"c/{_quote(one['slug'])}/{one['id']}", str(one.get("name") or "")) for one in categories if "id" in one
    )
    return ParsedIndex(resolve_pages(entries, url))


def parse_mediawiki_pages(body: bytes, url: str) -> ParsedIndex:
    """Read a page of MediaWiki's `allpages`, with the path of articles from `siteinfo`."""
    data = _read_object(body)
    query = data.get("query")
    query = query if isinstance(query, dict) else {}
    general = query.get("general")
    pattern = general.get("articlepath") if isinstance(general, dict) else None
    pattern = pattern if isinstance(pattern, str) and "$1" in pattern else ""
    titles = [one["title"] for one in _with_text(query.get("allpages"), "title")]
    entries = ((pattern.replace("$1", _quote(title.replace(" ", "_"), safe="/:@!$*(),;~")), title) for title in titles)
    following = data.get("continue")
    start = following.get("apcontinue") if isinstance(following, dict) else None
    more = (IndexFile("mediawiki-pages", _with_query(url, apcontinue=start)),) if isinstance(start, str) else ()
    return ParsedIndex(resolve_pages(entries, url) if pattern else (), more)


def _next_page(kind: str, url: str) -> IndexFile:
    number = next(
        (int(value) for name, value in parse_qsl(urlsplit(url).query) if name == "page" and value.isdecimal()), 0
    )
    return IndexFile(kind, _with_query(url, page=str(number + 1)))


def _with_query(url: str, **changes: str) -> str:
    """Replace parameters of a URL's query."""
    parts = urlsplit(url)
    query = {**dict(parse_qsl(parts.query, keep_blank_values=True)), **changes}
    return urlunsplit(parts._replace(query=urlencode(query, safe=",|:")))


def _joint(url: str) -> str:
    """Return what joins a query to a URL; REST routes may be a parameter themselves (`?rest_route=/wp/v2/posts`)."""
    return "&" if "?" in url else "?"


def _read_object(body: bytes) -> dict[str, Any]:
    data = read_json(body.decode("utf-8", "replace"))
    return data if isinstance(data, dict) else {}


def _read_href(link: object) -> str:
    href = link.get("href") if isinstance(link, dict) else link
    return href if isinstance(href, str) else ""


def _with_text(items: object, name: str) -> list[dict[str, Any]]:
    listed = items if isinstance(items, list) else []
    return [one for one in listed if isinstance(one, dict) and isinstance(one.get(name), str)]
