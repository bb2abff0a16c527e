"""List pages that a generator writes under fixed names on every site, and that its themes may not link to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from turbohtml import Document

USUAL_PAGES: Mapping[str, Sequence[str]] = {
    "pelican": ("archives.html", "categories.html", "tags.html", "authors.html"),
    "hugo": ("tags/", "categories/"),
    "hexo": ("archives/",),
    "nikola": ("archive.html", "categories/"),
    "rustdoc": ("settings.html", "help.html"),
    "pydoctor": ("undoccedSummary.html",),
}
"""Names by the beginning of the generator's name, relative to the root of the generated site."""


def list_usual_pages(document: Document) -> list[str]:
    """Return the pages that the generator of a start page writes, relative to that page."""
    generator = document.select_one("meta[name=generator i]")
    name = (generator.attr("content") or "").lower() if generator is not None else ""
    root = _find_root(document) if name == "rustdoc" else ""
    return [root + page for prefix, pages in USUAL_PAGES.items() if name.startswith(prefix) for page in pages]


def _find_root(document: Document) -> str:
    """Return the path from a page of rustdoc to the root, where the pages that all crates share are."""
    root = document.select_one("meta[name=rustdoc-vars], #rustdoc-vars, [data-root-path]")
    return (root.attr("data-root-path") or "") if root is not None else ""
