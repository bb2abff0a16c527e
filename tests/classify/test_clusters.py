"""Clusters of sites as they are: the names a person would give, every page in one, no cluster of one page."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.classify import SOURCES, Cluster, Clustering, Facts
from headwater.classify.templates import title_of_shape
from headwater.classify.words import title_of_segment
from tests.urls.strategies import url_like

_DOCS = """
index about bugs contents copyright download glossary license search
library/index library/abc library/argparse library/array library/asyncio library/asyncio-dev library/asyncio-queue
library/asyncio-task library/asyncio-stream library/base64 library/codecs library/csv library/curses library/decimal
library/email.charset library/email.header library/email.message library/email.parser library/email library/json
library/logging library/logging.config library/logging.handlers library/os library/os.path library/re library/socket
library/sys library/unicodedata library/urllib.request library/xml.dom library/zipfile
c-api/index c-api/abstract c-api/arg c-api/buffer c-api/bytes c-api/dict c-api/exceptions c-api/float c-api/list
c-api/memory c-api/module c-api/unicode
howto/index howto/argparse howto/curses howto/logging howto/logging-cookbook howto/regex howto/sockets howto/unicode
howto/urllib2
tutorial/index tutorial/appetite tutorial/classes tutorial/controlflow tutorial/errors tutorial/floatingpoint
tutorial/modules tutorial/venv
whatsnew/index whatsnew/2.7 whatsnew/3.8 whatsnew/3.9 whatsnew/3.10 whatsnew/3.11
reference/index reference/datamodel reference/expressions reference/import
faq/index faq/design faq/general faq/library faq/windows
installing/index
extras/wasm
""".split()

_SHOP = """
/ /about /contact /imprint
/products /products/red-shirt /products/blue-shirt /products/cotton-socks /products/wool-socks /products/rain-jacket
/products/summer-jacket /products/hiking-boots /products/winter-boots
/category/shirts /category/socks /category/jackets /category/boots
/category/shirts?page=2 /category/shirts?page=3 /category/shirts?page=4
/category/boots?color=red&size=42 /category/boots?color=blue&size=42 /category/boots?color=red&size=43
/blog /blog/2024/03/05/how-boots-are-made /blog/2024/04/11/caring-for-boots /blog/2023/12/01/winter-jacket-guide
/blog/2023/11/02/five-warm-socks /blog/2023/10/09/which-shirt-for-work
/orders/100231 /orders/100232 /orders/100233
/search?q=boots /search?q=socks /search?q=shirt
/de/about /de/contact /de/products/red-shirt /de/products/blue-shirt
""".split()


def docs_site(prefix: str) -> list[Facts]:
    """A documentation site; titles end as documentation's do."""
    return [
        Facts(f"https://docs.e.org{prefix}/{name}.html", f"{name.rpartition('/')[2]} — Snake 3.11 documentation", "en")
        for name in _DOCS
    ]


def shop_site() -> list[Facts]:
    """A shop with a blog, a navigation, a sitemap and some German pages."""
    pages = []
    for path in _SHOP:
        language = "de" if path.startswith("/de/") else "en"
        sources = ["sitemap"] if "?" not in path else ["content-link"]
        if path.count("/") == 1 and "?" not in path:
            sources.append("navigation")
        pages.append(Facts(f"https://shop.e.com{path}", "", language, tuple(sources)))
    return pages


def cluster(pages: list[Facts]) -> dict[str, tuple[Cluster, ...]]:
    """Both passes; the clusters of each page by its URL."""
    clustering = Clustering()
    for page in pages:
        clustering.note(page)
    clustering.choose()
    return {page.url: clustering.clusters_of(page) for page in pages}


def sizes(clusters: dict[str, tuple[Cluster, ...]]) -> Counter[Cluster]:
    """How many pages each cluster has."""
    return Counter(one for found in clusters.values() for one in found)


def titles(clusters: dict[str, tuple[Cluster, ...]], kind: str) -> dict[str, str]:
    """Titles by name of all clusters of a kind."""
    return {one.name: one.title for one in sizes(clusters) if one.kind == kind}


@pytest.mark.parametrize("prefix", ["", "/3.11", "/3", "/docs/stable"])
def test_sections_of_a_documentation_site(prefix: str) -> None:
    found = titles(cluster(docs_site(prefix)), "section")
    assert found == {
        "section:/": "Top level",
        f"section:{prefix}/library": "Library",
        f"section:{prefix}/c-api": "C API",
        f"section:{prefix}/howto": "How-to guides",
        f"section:{prefix}/tutorial": "Tutorial",
        f"section:{prefix}/whatsnew": "What’s new",
        f"section:{prefix}/reference": "Reference",
        f"section:{prefix}/faq": "FAQ",
    }


def test_topics_and_shapes_of_a_documentation_site() -> None:
    clusters = cluster(docs_site("/3.11"))
    assert set(titles(clusters, "topic").values()) >= {"Asyncio", "Email", "Logging", "Unicode"}
    assert not set(titles(clusters, "topic").values()) & {"Snake", "Documentation", "Index", "Library"}
    assert list(titles(clusters, "shape").values()) == ["What’s new by version"]
    assert not titles(clusters, "language"), "there is but one"
    logging = {url for url, found in clusters.items() if "topic:logging" in {one.name for one in found}}
    assert {url.rpartition("3.11/")[2] for url in logging} == {
        "library/logging.html",
        "library/logging.config.html",
        "library/logging.handlers.html",
        "howto/logging.html",
        "howto/logging-cookbook.html",
    }


def test_a_cluster_is_named_by_what_makes_it() -> None:
    clusters = cluster(shop_site())
    assert titles(clusters, "shape") == {
        "shape:/blog/{date}/{slug}": "Blog posts by date",
        "shape:/orders/{n}": "Orders by number",
        "shape:/category/shirts?page": "Category: Shirts, page by page",
        "shape:/category/boots?color&size": "Category: Boots, by color and size",
        "shape:/search?q": "Search results",
    }
    assert titles(clusters, "language") == {"language:en": "English", "language:de": "German"}
    assert set(titles(clusters, "source")) == {"source:navigation", "source:only-sitemap", "source:no-sitemap"}
    assert titles(clusters, "topic")["topic:boot"] == "Boots"


def test_pages_of_a_documentation_site() -> None:
    clusters = cluster(docs_site("/3.11"))
    base = "https://docs.e.org/3.11/"
    assert [one.title for one in clusters[base + "library/asyncio-task.html"]] == ["Library", "Asyncio"]
    assert [one.title for one in clusters[base + "library/index.html"]] == ["Library"]
    assert [one.title for one in clusters[base + "glossary.html"]] == ["Top level"]
    assert [one.title for one in clusters[base + "whatsnew/3.11.html"]] == ["What’s new", "What’s new by version"]
    assert [one.title for one in clusters[base + "extras/wasm.html"]] == ["Other pages"]


def test_a_shop_with_a_blog() -> None:
    clusters = cluster(shop_site())
    assert titles(clusters, "section") == {
        "section:/": "Top level",
        "section:/products": "Products",
        "section:/category": "Category",
        "section:/blog": "Blog",
        "section:/orders": "Orders",
    }
    assert set(titles(clusters, "shape").values()) == {
        "Blog posts by date",
        "Orders by number",
        "Category: Shirts, page by page",
        "Category: Boots, by color and size",
        "Search results",
    }
    assert {"Boots", "Socks"} <= set(titles(clusters, "topic").values())
    assert set(titles(clusters, "language").values()) == {"English", "German"}
    assert set(titles(clusters, "source").values()) == {
        "In the navigation",
        "Only in the sitemap",
        "Missing from the sitemap",
    }
    german = clusters["https://shop.e.com/de/products/red-shirt"]
    assert {"Products", "German", "Only in the sitemap"} <= {one.title for one in german}


@pytest.mark.parametrize("pages", [docs_site(""), docs_site("/3.11"), shop_site()], ids=["docs", "versioned", "shop"])
def test_every_page_is_somewhere_and_no_cluster_is_lonely(pages: list[Facts]) -> None:
    clusters = cluster(pages)
    assert all(clusters.values())
    assert all(count >= 2 for one, count in sizes(clusters).items() if one.kind != "rest")
    assert sum(len(found) > 1 for found in clusters.values()) >= len(pages) / 4
    names = [one.title for one in sizes(clusters) if one.kind in {"section", "shape"}]
    assert len(names) == len(set(names)), "no two of a kind are called the same"


def test_subsections_take_their_parents_name_where_needed() -> None:
    paths = [
        f"/{section}/{part}/p{n}x" for section in ("web", "desktop") for part in ("guides", "2.0") for n in range(6)
    ]
    found = titles(cluster([Facts(f"https://e.com{path}") for path in paths]), "section")
    assert found["section:/web"] == "Web"
    assert found["section:/web/guides"] == "Web: Guides"
    assert found["section:/desktop/2.0"] == "Desktop: 2.0"


def test_several_hosts() -> None:
    pages = [Facts(f"https://{host}.e.com/page{letter}") for host in ("docs", "blog") for letter in "abc"]
    assert {"docs.e.com", "blog.e.com"} <= set(titles(cluster(pages), "section").values())


def test_clusters_are_few_however_many_pages() -> None:
    pages = [
        Facts(f"https://e.com/s{n % 300}x/t{n % 7}y/{n}/{n % 11}", f"word{chr(97 + n % 26) * 3} thing", "en")
        for n in range(6000)
    ]
    assert len(sizes(cluster(pages))) <= 200


@pytest.mark.parametrize(
    ("shape", "title"),
    [
        ("/blog/{date}/{slug}", "Blog posts by date"),
        ("/{date}/{slug}", "Posts by date"),
        ("/news/{date}", "News by date"),
        ("/archive/{year}", "Archive by year"),
        ("/items/{n}", "Items by number"),
        ("/{locale}/items/{n}", "Items by number"),
        ("/chapter-{n}", "Chapter by number"),
        ("/user/{uuid}", "User by id"),
        ("/whatsnew/{version}", "What’s new by version"),
        ("/shop?color&size", "Shop, by color and size"),
        ("/shop?page", "Shop, page by page"),
        ("/search?q", "Search results"),
        ("/forum?q", "Forum: search results"),
        ("/products/{slug}/reviews", "Products: reviews"),
        ("/docs/{slug}", ""),
        ("/{version}/library/{slug}", ""),
        ("/about", ""),
        ("/", ""),
        ("/{slug}", ""),
    ],
)
def test_titles_of_shapes(shape: str, title: str) -> None:
    assert title_of_shape(shape) == title


@pytest.mark.parametrize(
    ("segment", "title"),
    [
        ("c-api", "C API"),
        ("getting_started", "Getting started"),
        ("releaseNotes", "Release notes"),
        ("faq", "FAQ"),
        ("rest-api", "REST API"),
        ("it", "IT"),
        ("3.11", "3.11"),
        ("ios", "iOS"),
        ("école", "École"),
        ("--", "--"),
    ],
)
def test_titles_of_segments(segment: str, title: str) -> None:
    assert title_of_segment(segment) == title


PAGES = st.builds(
    Facts,
    url=url_like(),
    title=st.text(max_size=30),
    language=st.sampled_from(["", "en", "de", "pt-br"]) | st.text(max_size=4),
    sources=st.lists(st.sampled_from(SOURCES), max_size=3).map(tuple),
)


@given(st.lists(PAGES, max_size=12))
def test_any_pages_will_do(pages: list[Facts]) -> None:
    assert all(cluster(pages).values())


def test_a_page_never_noted_has_a_cluster() -> None:
    clustering = Clustering()
    clustering.choose()
    assert [one.title for one in clustering.clusters_of(Facts("https://e.com/x"))] == ["Other pages"]
