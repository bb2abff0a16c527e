"""The table of index parsers: one row a kind of file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.pages.site_indexes import cms, documentation, frameworks
from headwater.pages.site_indexes.feed_files import parse_feed
from headwater.pages.site_indexes.llms_txt import parse_llms_txt

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from headwater.pages.site_indexes.records import IndexFile, ParsedIndex

PARSERS: Mapping[str, Callable[[bytes, str], ParsedIndex]] = {
    "sphinx-inventory": documentation.parse_sphinx_inventory,
    "mkdocs-search": documentation.parse_mkdocs_index,
    "mdbook-search": documentation.parse_mdbook_index,
    "javadoc-packages": documentation.parse_javadoc_packages,
    "javadoc-types": documentation.parse_javadoc_types,
    "javadoc-elements": documentation.parse_javadoc_elements,
    "rustdoc-crates": documentation.parse_rustdoc_crates,
    "doxygen-menu": documentation.parse_doxygen_menu,
    "doxygen-tree": documentation.parse_doxygen_tree,
    "doxygen-tree-index": documentation.parse_doxygen_tree_index,
    "vitepress-theme": documentation.parse_vitepress_theme,
    "vitepress-search": documentation.parse_vitepress_search,
    "vitepress-hashes": documentation.parse_vitepress_hashes,
    "vitepress-page": documentation.parse_vitepress_page,
    "search-records": documentation.parse_search_records,
    "next-manifest": frameworks.parse_next_manifest,
    "nuxt-latest": frameworks.parse_nuxt_latest,
    "nuxt-build": frameworks.parse_nuxt_build,
    "sveltekit-app": frameworks.parse_sveltekit_app,
    "remix-manifest": frameworks.parse_remix_manifest,
    "bundle-routes": frameworks.parse_bundle_routes,
    "wordpress-types": cms.parse_wordpress_types,
    "wordpress-list": cms.parse_wordpress_list,
    "shopify-list": cms.parse_shopify_list,
    "ghost-list": cms.parse_ghost_list,
    "drupal-entry": cms.parse_drupal_entry,
    "drupal-list": cms.parse_drupal_list,
    "discourse-topics": cms.parse_discourse_topics,
    "discourse-site": cms.parse_discourse_site,
    "mediawiki-pages": cms.parse_mediawiki_pages,
    "llms-txt": parse_llms_txt,
    "feed": parse_feed,
}


API_KINDS = frozenset(kind for kind, parser in PARSERS.items() if parser.__module__ == cms.__name__)
"""Kinds of files that are answers of an API rather than static files."""

COMPLETE_KINDS = frozenset(
    {
        "sphinx-inventory", "mkdocs-search", "mdbook-search", "javadoc-packages", "rustdoc-crates", "doxygen-tree",
        "vitepress-hashes", "bundle-routes",
    }
)  # fmt: skip
"""Kinds of generators that list every page in an index, so that opening their pages in a browser adds none."""


def parse_index(file: IndexFile, body: bytes) -> ParsedIndex:
    """Return the pages that a file lists, and the files to read next."""
    return PARSERS[file.kind](body, file.url)
