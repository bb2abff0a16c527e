"""The table of index parsers: one row a kind of file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.pages.site_indexes.archives import (
    parse_common_crawl_collections,
    parse_common_crawl_list,
    parse_common_crawl_size,
    parse_wayback,
)
from headwater.pages.site_indexes.cms import (
    parse_discourse_site,
    parse_discourse_topics,
    parse_drupal_entry,
    parse_drupal_list,
    parse_ghost_list,
    parse_mediawiki_pages,
    parse_shopify_list,
    parse_wordpress_list,
    parse_wordpress_types,
)
from headwater.pages.site_indexes.documentation import (
    parse_doxygen_menu,
    parse_doxygen_tree,
    parse_doxygen_tree_index,
    parse_javadoc_elements,
    parse_javadoc_packages,
    parse_javadoc_types,
    parse_mdbook_index,
    parse_mkdocs_index,
    parse_rustdoc_crates,
    parse_search_records,
    parse_sphinx_inventory,
    parse_vitepress_hashes,
    parse_vitepress_page,
    parse_vitepress_search,
    parse_vitepress_theme,
)
from headwater.pages.site_indexes.feed_files import parse_feed, parse_opml
from headwater.pages.site_indexes.frameworks import (
    parse_bundle_routes,
    parse_next_manifest,
    parse_nuxt_build,
    parse_nuxt_latest,
    parse_remix_manifest,
    parse_sveltekit_app,
)
from headwater.pages.site_indexes.llms_txt import parse_llms_txt
from headwater.pages.site_indexes.pagefind import (
    parse_pagefind_entry,
    parse_pagefind_fragment,
    parse_pagefind_list,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from headwater.pages.site_indexes.records import IndexFile, ParsedIndex

PARSERS: Mapping[str, Callable[[bytes, str], ParsedIndex]] = {
    "sphinx-inventory": parse_sphinx_inventory,
    "mkdocs-search": parse_mkdocs_index,
    "mdbook-search": parse_mdbook_index,
    "javadoc-packages": parse_javadoc_packages,
    "javadoc-types": parse_javadoc_types,
    "javadoc-elements": parse_javadoc_elements,
    "rustdoc-crates": parse_rustdoc_crates,
    "doxygen-menu": parse_doxygen_menu,
    "doxygen-tree": parse_doxygen_tree,
    "doxygen-tree-index": parse_doxygen_tree_index,
    "vitepress-theme": parse_vitepress_theme,
    "vitepress-search": parse_vitepress_search,
    "vitepress-hashes": parse_vitepress_hashes,
    "vitepress-page": parse_vitepress_page,
    "search-records": parse_search_records,
    "pagefind-entry": parse_pagefind_entry,
    "pagefind-list": parse_pagefind_list,
    "pagefind-fragment": parse_pagefind_fragment,
    "next-manifest": parse_next_manifest,
    "nuxt-latest": parse_nuxt_latest,
    "nuxt-build": parse_nuxt_build,
    "sveltekit-app": parse_sveltekit_app,
    "remix-manifest": parse_remix_manifest,
    "bundle-routes": parse_bundle_routes,
    "wordpress-types": parse_wordpress_types,
    "wordpress-list": parse_wordpress_list,
    "shopify-list": parse_shopify_list,
    "ghost-list": parse_ghost_list,
    "drupal-entry": parse_drupal_entry,
    "drupal-list": parse_drupal_list,
    "discourse-topics": parse_discourse_topics,
    "discourse-site": parse_discourse_site,
    "mediawiki-pages": parse_mediawiki_pages,
    "llms-txt": parse_llms_txt,
    "feed": parse_feed,
    "wayback": parse_wayback,
    "commoncrawl": parse_common_crawl_collections,
    "commoncrawl-size": parse_common_crawl_size,
    "commoncrawl-list": parse_common_crawl_list,
    "opml": parse_opml,
}


API_KINDS = frozenset(kind for kind, parser in PARSERS.items() if parser.__module__.endswith(".cms"))
"""Kinds of files that are answers of an API rather than static files."""

ARCHIVE_KINDS = frozenset(kind for kind, parser in PARSERS.items() if parser.__module__.endswith(".archives"))
"""Kinds of files that are lists of web archives; most of the URLs in them may be gone."""

COMPLETE_KINDS = frozenset(
    {
        "sphinx-inventory", "mkdocs-search", "mdbook-search", "javadoc-packages", "rustdoc-crates", "doxygen-tree",
        "vitepress-hashes", "bundle-routes",
    }
)  # fmt: skip
"""Kinds of generators that list every page in an index, so that opening their pages in a browser adds none."""


LAST_KINDS = frozenset({"vitepress-page", "pagefind-fragment"})
"""Kinds of files that are read after all others: one for each page, needed only for pages that no other file lists."""

COUNTED_KINDS = frozenset({"pagefind-fragment"})
"""Kinds of which there are as many files as pages, and whose names do not tell their pages."""


def parse_index(file: IndexFile, body: bytes) -> ParsedIndex:
    """Return the pages that a file lists, and the files to read next."""
    return PARSERS[file.kind](body, file.url)
