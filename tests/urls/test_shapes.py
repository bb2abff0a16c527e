"""Shapes of URLs: values become placeholders, names remain."""

from __future__ import annotations

import pytest
from hypothesis import given

from headwater import shape
from tests.urls.strategies import url_like

ROWS = [
    ("/", "/"),
    ("/about", "/about"),
    ("/about/team", "/about/team"),
    # numbers
    ("/blog/17/hello-world", "/blog/{n}/{slug}"),
    ("/items/26754310", "/items/{n}"),
    ("/page2", "/page{n}"),
    ("/chapter-12", "/chapter-{n}"),
    ("/service-item/26754310", "/service-item/{n}"),
    # dates
    ("/blog/2024/05/01/why-we-crawl", "/blog/{date}/{slug}"),
    ("/blog/2024/05/why-we-crawl", "/blog/{date}/{slug}"),
    ("/news/2024-05-01", "/news/{date}"),
    ("/news/2024-05", "/news/{date}"),
    ("/news/20240501.html", "/news/{date}.html"),
    ("/archive/2024", "/archive/{year}"),
    ("/calendar?month=5&year=2024", "/calendar?month&year"),
    # UUIDs and hashes
    ("/user/123e4567-e89b-12d3-a456-426614174000", "/user/{uuid}"),
    ("/user/123E4567-E89B-12D3-A456-426614174000/edit", "/user/{uuid}/edit"),
    ("/commit/9fceb02", "/commit/{hash}"),
    ("/blob/9fceb02d0ae598e95dc970b74767f19372d61af8", "/blob/{hash}"),
    ("/facade", "/facade"),
    ("/1234567", "/{n}"),
    ("/watch/dQw4w9WgXcQ", "/watch/{id}"),
    ("/s/a1b2c3d4e5f6g7h8", "/s/{id}"),
    # slugs
    ("/docs/getting-started", "/docs/{slug}"),
    ("/getting-started/install", "/getting-started/install"),
    ("/how-to-make-a-very-fast-crawler/comments", "/{slug}/comments"),
    ("/docs/getting_started.html", "/docs/{slug}.html"),
    ("/top-10-crawlers", "/{slug}"),
    ("/install.html", "/install.html"),
    ("/getting-started/", "/{slug}/"),
    ("/getting-started//", "/{slug}//"),
    ("/one-two-three/comments", "/one-two-three/comments"),
    ("/one-two-three-four/comments", "/{slug}/comments"),
    ("/a-1/b", "/a-{n}/b"),
    ("/a-1", "/a-{n}"),
    ("/getting-started.html/x", "/getting-started.html/x"),
    ("/archive.7z", "/archive.7z"),
    ("/setup.10", "/setup.{n}"),
    # versions
    ("/api/v1/users", "/api/{version}/users"),
    ("/v2.0.1/notes", "/{version}/notes"),
    ("/docs/3.11/library", "/docs/{version}/library"),
    ("/docs/2.x/a", "/docs/{version}/a"),
    ("/5.0rc1", "/{version}"),
    ("/latest/a", "/{version}/a"),
    ("/view", "/view"),
    ("/vim", "/vim"),
    # locales
    ("/en/about", "/{locale}/about"),
    ("/pt-br/about", "/{locale}/about"),
    ("/zh_Hant/about", "/{locale}/about"),
    ("/docs/en/about", "/docs/{locale}/about"),
    ("/a/b/c/en-GB/d", "/a/b/c/{locale}/d"),
    ("/a/b/c/it/d", "/a/b/c/it/d"),
    ("/it", "/{locale}"),
    ("/a/it/c", "/a/{locale}/c"),
    ("/a/b/it/c", "/a/b/it/c"),
    ("/a/b/pt-BR/c", "/a/b/{locale}/c"),
    ("/xx/about", "/xx/about"),
    ("/de-dupe", "/{slug}"),
    # queries, session ids, fragments
    ("/shop?size=9&color=red", "/shop?color&size"),
    ("/shop?color=blue&size=10&color=red", "/shop?color&size"),
    ("/shop?filter[0]=a&filter[12]=b", "/shop?filter[{n}]"),
    ("/a;jsessionid=1A2B3C", "/a"),
    ("/a#part", "/a"),
]


@pytest.mark.parametrize(("path", "expected"), ROWS)
def test_shapes_of_paths(path: str, expected: str) -> None:
    assert shape("https://example.com" + path) == expected
    assert shape(path) == expected


def test_a_host_without_path_has_the_shape_of_the_root() -> None:
    assert shape("https://example.com") == "/"


@given(url_like())
def test_shape_never_raises(text: str) -> None:
    assert isinstance(shape(text), str)
