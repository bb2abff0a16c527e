"""Clusters of realistic sites: their names, every page in one, no cluster of one page."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.classify import SOURCES, Cluster, Clustering, ClusteringInput
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


def docs_site(prefix: str) -> list[ClusteringInput]:
    """Return the pages of a documentation site; titles end with the name of the site."""
    return [
        ClusteringInput(
            f"https://docs.e.org{prefix}/{name}.html", f"{name.rpartition('/')[2]} — Snake 3.11 documentation", "en"
        )
        for name in _DOCS
    ]


def shop_site() -> list[ClusteringInput]:
    """Return the pages of a shop with a blog, a navigation, a sitemap and some German pages."""
    pages = []
    for path in _SHOP:
        language = "de" if path.startswith("/de/") else "en"
        sources = ["sitemap"] if "?" not in path else ["content-link"]
        if path.count("/") == 1 and "?" not in path:
            sources.append("navigation")
        pages.append(ClusteringInput(f"https://shop.e.com{path}", "", language, tuple(sources)))
    return pages


def cluster(pages: list[ClusteringInput]) -> dict[str, tuple[Cluster, ...]]:
    """Run all passes; return the clusters of each page by its URL."""
    clustering = Clustering()
    for page in pages:
        clustering.note(page)
    clustering.choose()
    for page in pages:
        clustering.count_overlaps(page)
    clustering.drop_duplicates()
    return {page.url: clustering.get_clusters(page) for page in pages}


def sizes(clusters: dict[str, tuple[Cluster, ...]]) -> Counter[Cluster]:
    """Return the number of pages of each cluster."""
    return Counter(one for found in clusters.values() for one in found)


def titles(clusters: dict[str, tuple[Cluster, ...]], kind: str) -> dict[str, str]:
    """Return the titles of all clusters of a kind by name."""
    return {one.name: one.title for one in sizes(clusters) if one.kind == kind}


@pytest.mark.parametrize("prefix", ["", "/3.11", "/3", "/docs/stable"])
def test_sections_of_a_documentation_site(prefix: str) -> None:
    found = titles(cluster(docs_site(prefix)), "section")
    assert found == {
        "section:/": "Top level",
        f"section:{prefix}/library": "library",
        f"section:{prefix}/c-api": "c-api",
        f"section:{prefix}/howto": "howto",
        f"section:{prefix}/tutorial": "tutorial",
        f"section:{prefix}/whatsnew": "whatsnew",
        f"section:{prefix}/reference": "reference",
        f"section:{prefix}/faq": "faq",
    }


def test_other_clusters_of_a_documentation_site() -> None:
    clusters = cluster(docs_site("/3.11"))
    assert not titles(clusters, "topic"), "a single word is not a topic"
    assert titles(clusters, "shape") == {"shape:/{version}/whatsnew/{version}": "whatsnew by version"}
    assert not titles(clusters, "language"), "all pages have the same language"


def test_the_name_of_a_cluster_shows_its_kind() -> None:
    clusters = cluster(shop_site())
    assert titles(clusters, "shape") == {
        "shape:/category/shirts?page": "category/shirts, page by page",
        "shape:/category/boots?color&size": "category/boots, by color and size",
        "shape:/search?q": "Search results",
        "shape:/blog/{date}/{slug}": "blog by date",
    }
    assert titles(clusters, "language") == {"language:en": "English", "language:de": "German"}
    assert set(titles(clusters, "source")) == {"source:navigation", "source:only-sitemap", "source:no-sitemap"}


def test_pages_of_a_documentation_site() -> None:
    clusters = cluster(docs_site("/3.11"))
    base = "https://docs.e.org/3.11/"
    assert [one.title for one in clusters[base + "library/asyncio-task.html"]] == ["library"]
    assert [one.title for one in clusters[base + "library/index.html"]] == ["library"]
    assert [one.title for one in clusters[base + "glossary.html"]] == ["Top level"]
    assert [one.title for one in clusters[base + "whatsnew/3.11.html"]] == ["whatsnew", "whatsnew by version"]
    assert [one.title for one in clusters[base + "extras/wasm.html"]] == ["Other pages"]


def test_a_shop_with_a_blog() -> None:
    clusters = cluster(shop_site())
    assert titles(clusters, "section") == {
        "section:/": "Top level",
        "section:/products": "products",
        "section:/category": "category",
        "section:/blog": "blog",
        "section:/orders": "orders",
    }
    assert set(titles(clusters, "language").values()) == {"English", "German"}
    assert set(titles(clusters, "source").values()) == {
        "In the navigation",
        "Only in the sitemap",
        "Missing from the sitemap",
    }
    german = clusters["https://shop.e.com/de/products/red-shirt"]
    assert {"products", "German", "Only in the sitemap"} <= {one.title for one in german}


@pytest.mark.parametrize("pages", [docs_site(""), docs_site("/3.11"), shop_site()], ids=["docs", "versioned", "shop"])
def test_every_page_is_in_a_cluster_and_no_cluster_has_one_page(pages: list[ClusteringInput]) -> None:
    clusters = cluster(pages)
    assert all(clusters.values())
    assert all(count >= 2 for one, count in sizes(clusters).items() if one.kind != "rest")
    names = [one.title for one in sizes(clusters) if one.kind in {"section", "shape"}]
    assert len(names) == len(set(names)), "no two clusters of a kind have the same title"


NEAR = [
    *(ClusteringInput(f"https://e.com/a/{number}", "", "fr" if number < 18 else "en") for number in range(19)),
    *(ClusteringInput(f"https://e.com/b/page{number}x", "", "en") for number in range(19)),
]
"""Section a has 19 pages, all by number and 18 of them in French; section b and English are 19 and 20 pages."""


def test_of_clusters_with_nearly_the_same_pages_one_is_kept() -> None:
    assert {one.name for one in sizes(cluster(NEAR))} == {"section:/a", "section:/b"}


@pytest.mark.parametrize("pages", [docs_site("/3.11"), shop_site(), NEAR], ids=["docs", "shop", "near"])
def test_no_two_clusters_are_nearly_the_same(pages: list[ClusteringInput]) -> None:
    members: dict[Cluster, set[str]] = {}
    for url, found in cluster(pages).items():
        for one in found:
            members.setdefault(one, set()).add(url)
    for first, second in combinations(members.values(), 2):
        assert len(first & second) < 0.9 * len(first | second)


@pytest.mark.parametrize("pages", [docs_site("/3.11"), shop_site(), NEAR], ids=["docs", "shop", "near"])
def test_the_order_of_the_pages_does_not_matter(pages: list[ClusteringInput]) -> None:
    expected = cluster(pages)
    for seed in range(5):
        assert cluster(Random(seed).sample(pages, len(pages))) == expected


def test_names_keep_the_spelling_of_the_site() -> None:
    paths = [f"/api/{module}/{part}/Class{name}.html"
             for module in ("java.base", "Java_SQL") for part in ("w3c", "x86_64") for name in "abcdef"]  # fmt: skip
    assert set(titles(cluster([ClusteringInput(f"https://e.com{path}") for path in paths]), "section").values()) == {
        "java.base", "java.base/w3c", "java.base/x86_64", "Java_SQL", "Java_SQL/w3c", "Java_SQL/x86_64",
    }  # fmt: skip


def test_subsections_are_named_by_their_path() -> None:
    paths = [
        f"/{section}/{part}/p{n}x" for section in ("web", "desktop") for part in ("guides", "2.0") for n in range(6)
    ]
    found = titles(cluster([ClusteringInput(f"https://e.com{path}") for path in paths]), "section")
    assert found["section:/web"] == "web"
    assert found["section:/web/guides"] == "web/guides"
    assert found["section:/desktop/2.0"] == "desktop/2.0"


def test_hosts_are_clusters_if_there_are_several() -> None:
    pages = [ClusteringInput(f"https://{host}.e.com/page{letter}") for host in ("docs", "blog") for letter in "abc"]
    assert {"docs.e.com", "blog.e.com"} <= set(titles(cluster(pages), "section").values())


def test_large_sites_have_few_clusters() -> None:
    pages = [
        ClusteringInput(f"https://e.com/s{n % 300}x/t{n % 7}y/{n}/{n % 11}", f"word{chr(97 + n % 26) * 3} thing", "en")
        for n in range(6000)
    ]
    assert len(sizes(cluster(pages))) <= 200


PAGES = st.builds(
    ClusteringInput,
    url=url_like(),
    title=st.text(max_size=30),
    language=st.sampled_from(["", "en", "de", "pt-br"]) | st.text(max_size=4),
    sources=st.lists(st.sampled_from(SOURCES), max_size=3).map(tuple),
)


@given(st.lists(PAGES, max_size=12))
def test_any_pages_can_be_clustered(pages: list[ClusteringInput]) -> None:
    assert all(cluster(pages).values())


def test_an_unknown_page_has_a_cluster() -> None:
    clustering = Clustering()
    clustering.choose()
    assert [one.title for one in clustering.get_clusters(ClusteringInput("https://e.com/x"))] == ["Other pages"]
