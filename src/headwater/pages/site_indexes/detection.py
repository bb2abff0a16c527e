"""Recognise the generator of a page by its meta tag, scripts and links, and name the index files it publishes.

`RULES` is a table of small functions, one a generator; each takes the signs of a page and yields files to request.
A page without any of the signs costs no request.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from headwater.pages.site_indexes.feed_links import FEED_TYPES, make_feed_file
from headwater.pages.site_indexes.links import get_folder
from headwater.pages.site_indexes.records import IndexFile
from headwater.urls.parsing import get_authority, resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from turbohtml import Document

MAX_ELEMENTS = 500
MAX_INLINE_CHARS = 200_000


class PageSigns(NamedTuple):
    """The parts of a page that give its generator away. URLs of scripts and links are absolute."""

    url: str
    generator: str = ""
    scripts: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    feeds: tuple[str, ...] = ()
    inline: str = ""
    root: str = ""
    suffix: str = ""
    ghost_key: str = ""
    has_pagefind: bool = False


def find_index_files(document: Document, url: str) -> tuple[IndexFile, ...]:
    """Return the index files that a page's generator publishes on the page's own host, each once."""
    signs = read_signs(document, url)
    shared = _apply_rules(signs._replace(url=url[: url.rfind("/", 8) + 1] or url, feeds=()))
    own = tuple(file for file in feeds(signs) if get_authority(file.url) == get_authority(url)) if signs.feeds else ()
    return tuple(dict.fromkeys(shared + own))


@lru_cache(maxsize=64)
def _apply_rules(signs: PageSigns) -> tuple[IndexFile, ...]:
    """Return the index files that the signs name; pages of one folder usually have the same signs."""
    files = dict.fromkeys(file for rule in RULES for file in rule(signs))
    return tuple(file for file in files if get_authority(file.url) == get_authority(signs.url))


def read_signs(document: Document, url: str) -> PageSigns:
    """Collect the signs of a page."""
    scripts = document.select("script")[:MAX_ELEMENTS]
    sources = [resolve(source, url) or "" for one in scripts if (source := one.attr("src"))]
    inline = "\n".join(one.text for one in scripts if not one.attr("src"))
    links = [
        ((one.attr("rel") or "").lower(), resolve(href, url) or "")
        for one in document.select("link[href]")[:MAX_ELEMENTS]
        if (href := one.attr("href"))
    ]
    feeds = [
        resolve(href, url) or ""
        for one in document.select("link[href][type], a[href][type]")[:MAX_ELEMENTS]
        if (one.attr("type") or "").strip().lower() in FEED_TYPES and (href := one.attr("href"))
    ]
    generator = document.select_one("meta[name=generator i]")
    rustdoc = document.select_one("#rustdoc-vars, meta[name=rustdoc-vars], [data-root-path]")
    ghost = document.select_one("script[data-ghost][data-key], script[data-sodo-search][data-key]")
    return PageSigns(
        url=url,
        generator=(generator.attr("content") or "").lower() if generator is not None else "",
        scripts=tuple(sources),
        links=tuple(links),
        feeds=tuple(feeds),
        inline=inline[:MAX_INLINE_CHARS],
        root=(rustdoc.attr("data-root-path") or "") if rustdoc is not None else "",
        suffix=(rustdoc.attr("data-resource-suffix") or "") if rustdoc is not None else "",
        ghost_key=(ghost.attr("data-key") or "") if ghost is not None else "",
        has_pagefind=document.select_one("[data-pagefind-body], [data-pagefind-ui], pagefind-searchbox") is not None,
    )


def sphinx(signs: PageSigns) -> Iterator[IndexFile]:
    """Sphinx: `objects.inv` beside the folder `_static/`."""
    pattern = r"(.*/)_static/(?:documentation_options|doctools|searchtools|sphinx_highlight)\.js"
    yield from _beside(signs.scripts, pattern, ("sphinx-inventory", "objects.inv"))


def mkdocs(signs: PageSigns) -> Iterator[IndexFile]:
    """MkDocs and Material for MkDocs: the search index."""
    found = _roots(signs.scripts, r"(.*/)search/(?:main|require|lunr)\.js")
    if signs.generator.startswith("mkdocs"):
        found += _roots(signs.scripts, r"(.*/)assets/javascripts/bundle\.[\w.]+\.js")
    yield from (IndexFile("mkdocs-search", f"{root}search/search_index.json") for root in found)


def mdbook(signs: PageSigns) -> Iterator[IndexFile]:
    """mdBook: the search index, whose name may carry a hash."""
    for root in _roots(signs.scripts, r"(.*/)(?:elasticlunr|searcher)(?:-[0-9a-f]+)?(?:\.min)?\.js"):
        named = re.search(r"path_to_searchindex_js\s*=\s*[\"']([^\"']{1,300})", signs.inline)
        yield IndexFile(
            "mdbook-search", (resolve(named.group(1), signs.url) if named else "") or f"{root}searchindex.js"
        )


def javadoc(signs: PageSigns) -> Iterator[IndexFile]:
    """Javadoc: the search index of packages, and their plain list."""
    if not signs.generator.startswith("javadoc"):
        return
    for root in _roots(signs.scripts, r"(.*/)script(?:-files/script)?\.js"):
        yield IndexFile("javadoc-packages", f"{root}package-search-index.js")
        yield IndexFile("javadoc-elements", f"{root}element-list")


def rustdoc(signs: PageSigns) -> Iterator[IndexFile]:
    """rustdoc: the list of crates."""
    if signs.generator == "rustdoc" and signs.root:
        yield IndexFile("rustdoc-crates", resolve(f"{signs.root}crates{signs.suffix}.js", signs.url) or signs.url)


def doxygen(signs: PageSigns) -> Iterator[IndexFile]:
    """Doxygen: the menu and the tree, which scripts write into the page."""
    yield from _beside(signs.scripts, r"(.*/)menudata\.js", ("doxygen-menu", "menudata.js"))
    yield from _beside(signs.scripts, r"(.*/)navtreedata\.js", ("doxygen-tree", "navtreedata.js"))


def vitepress(signs: PageSigns) -> Iterator[IndexFile]:
    """VitePress: the local search's index through the theme's script, and the list of page scripts."""
    if signs.generator.startswith("vitepress"):
        for theme in (url for _, url in signs.links if re.search(r"/assets/chunks/theme\.[\w-]+\.js$", url)):
            yield IndexFile("vitepress-theme", theme)
        yield from _beside(signs.scripts, r"(.*/)assets/app\.[\w-]+\.js", ("vitepress-hashes", "hashmap.json"))


def docusaurus(signs: PageSigns) -> Iterator[IndexFile]:
    """Docusaurus: the routes in the main bundle."""
    if signs.generator.startswith("docusaurus"):
        mains = (one for one in signs.scripts if re.search(r"/assets/js/main\.[\w-]+\.js$", one))
        yield from (IndexFile("bundle-routes", one) for one in mains)


def nextjs(signs: PageSigns) -> Iterator[IndexFile]:
    """Next.js: the build manifest."""
    found = (one for one in signs.scripts if re.search(r"/_next/static/[^/]+/_buildManifest\.js$", one))
    yield from (IndexFile("next-manifest", one) for one in found)


def nuxt(signs: PageSigns) -> Iterator[IndexFile]:
    """Nuxt: the newest build's list of prerendered pages."""
    urls = [*signs.scripts, *(url for _, url in signs.links)]
    yield from _beside(urls, r"(.*/)_nuxt/[^/]+\.(?:js|css)", ("nuxt-latest", "_nuxt/builds/latest.json"))


def sveltekit(signs: PageSigns) -> Iterator[IndexFile]:
    """SvelteKit: the client's entry script."""
    urls = (url for _, url in signs.links if re.search(r"/_app/immutable/entry/app\.[\w-]+\.js$", url))
    yield from (IndexFile("sveltekit-app", one) for one in dict.fromkeys(urls))


def remix(signs: PageSigns) -> Iterator[IndexFile]:
    """Remix and React Router: the manifest of routes."""
    urls = [*signs.scripts, *(url for _, url in signs.links)]
    found = (one for one in urls if re.search(r"/assets/manifest-[\w-]+\.js$", one))
    yield from (IndexFile("remix-manifest", one) for one in dict.fromkeys(found))


def wordpress(signs: PageSigns) -> Iterator[IndexFile]:
    """WordPress: the types and taxonomies of the REST API that the page names."""
    for root in (url for rel, url in signs.links if rel == "https://api.w.org/"):
        folder = root.rstrip("/")
        yield IndexFile("wordpress-types", f"{folder}/wp/v2/types")
        yield IndexFile("wordpress-types", f"{folder}/wp/v2/taxonomies")
        yield IndexFile("wordpress-list", f"{folder}/wp/v2/users?per_page=100&page=1&_fields=link,name")


def shopify(signs: PageSigns) -> Iterator[IndexFile]:
    """Shopify: the lists of products and collections."""
    if any("//cdn.shopify.com/" in one for one in signs.scripts) or "Shopify.shop" in signs.inline:
        for name in ("products", "collections"):
            yield IndexFile("shopify-list", resolve(f"/{name}.json?limit=250&page=1", signs.url) or signs.url)


def ghost(signs: PageSigns) -> Iterator[IndexFile]:
    """Ghost: the content API, with the public key that the page itself uses."""
    if signs.ghost_key and signs.ghost_key.isalnum():
        for name in ("posts", "pages", "tags", "authors"):
            query = f"key={signs.ghost_key}&fields=url,title,name&limit=100&page=1"
            yield IndexFile("ghost-list", resolve(f"/ghost/api/content/{name}/?{query}", signs.url) or signs.url)


def drupal(signs: PageSigns) -> Iterator[IndexFile]:
    """Drupal: the entry point of JSON:API."""
    if signs.generator.startswith("drupal"):
        yield IndexFile("drupal-entry", resolve("/jsonapi", signs.url) or signs.url)


def discourse(signs: PageSigns) -> Iterator[IndexFile]:
    """Discourse: topics and categories."""
    if signs.generator.startswith("discourse"):
        topics = resolve("/latest.json?no_definitions=true&page=0", signs.url) or signs.url
        yield IndexFile("discourse-topics", topics)
        yield IndexFile("discourse-site", resolve("/site.json", signs.url) or signs.url)


def mediawiki(signs: PageSigns) -> Iterator[IndexFile]:
    """MediaWiki: all pages that are not redirects."""
    query = "action=query&format=json&meta=siteinfo&siprop=general&list=allpages&apfilterredir=nonredirects&aplimit=500"
    if signs.generator.startswith("mediawiki"):
        for api in (url.partition("?")[0] for rel, url in signs.links if rel == "edituri"):
            yield IndexFile("mediawiki-pages", f"{api}?{query}")


def feeds(signs: PageSigns) -> Iterator[IndexFile]:
    """Yield the feeds that a page names, except its own comments (`/post/feed/` on `/post/`)."""
    page = signs.url.partition("?")[0]
    own = page if page.endswith("/") and page.count("/") > 3 else f"{page}/"
    yield from (make_feed_file(one) for one in signs.feeds if one and not one.startswith(own))


def search_records(signs: PageSigns) -> Iterator[IndexFile]:
    """Hugo, Jekyll and others: the JSON file that an inline search script names."""
    if signs.generator.startswith(("hugo", "jekyll", "eleventy", "hexo", "zola", "pelican")):
        for path in dict.fromkeys(_SEARCH_JSON.findall(signs.inline)):
            if file := resolve(path.replace("\\/", "/"), signs.url):
                yield IndexFile("search-records", file)


def pagefind(signs: PageSigns) -> Iterator[IndexFile]:
    """Pagefind, the search of Starlight and of many static sites: the entry of its index."""
    urls = [*signs.scripts, *(url for _, url in signs.links)]
    roots = _roots(urls, r"(.*/)pagefind/pagefind(?:-[a-z-]+)?\.(?:js|css)")
    if not roots and (signs.has_pagefind or "pagefind/pagefind" in signs.inline):
        roots = _roots(urls, r"(.*/)_astro/[^/]+\.(?:js|css)")[:1] or [resolve("/", signs.url) or signs.url]
    yield from (IndexFile("pagefind-entry", f"{root}pagefind/pagefind-entry.json") for root in roots)


_SEARCH_JSON = re.compile(r"[\"'`]([^\"'`\s]{0,300}(?:search|index|lunr)[\w-]{0,40}\.json)[\"'`]")

RULES: tuple[Callable[[PageSigns], Iterator[IndexFile]], ...] = (
    sphinx, mkdocs, mdbook, javadoc, rustdoc, doxygen, vitepress, docusaurus, nextjs, nuxt, sveltekit, remix,
    wordpress, shopify, ghost, drupal, discourse, mediawiki, search_records, pagefind,
)  # fmt: skip


def _roots(urls: list[str] | tuple[str, ...], pattern: str) -> list[str]:
    """Return the first group of a pattern in each URL that it matches, without the query, each once."""
    compiled = re.compile(pattern)
    matches = (compiled.fullmatch(url.partition("?")[0]) for url in urls)
    return list(dict.fromkeys(match.group(1) for match in matches if match))


def _beside(urls: list[str] | tuple[str, ...], pattern: str, *files: tuple[str, str]) -> Iterator[IndexFile]:
    """Yield files below the roots that a pattern finds."""
    for root in _roots(urls, pattern):
        yield from (IndexFile(kind, get_folder(root) + name) for kind, name in files)
