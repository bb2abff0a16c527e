"""ultimate-sitemap-parser: prints the URLs of every sitemap it finds."""

from __future__ import annotations

import logging
import sys

from usp.tree import sitemap_tree_for_homepage

logging.disable(logging.CRITICAL)
for page in sitemap_tree_for_homepage(sys.argv[1]).all_pages():
    sys.stdout.write(f"{page.url}\n")
