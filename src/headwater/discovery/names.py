"""What people call the stages."""

from __future__ import annotations

STAGE_NAMES = {"nav": "navigation", "sitemaps": "sitemaps", "crawl": "crawl", "render": "browser", "merge": "classify"}
