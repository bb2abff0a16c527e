"""What people call the stages."""

from __future__ import annotations

STAGE_NAMES = {"nav": "navigation", "sitemaps": "sitemaps", "crawl": "crawl", "render": "browser", "merge": "classify"}

DEFERRED_MESSAGE = "robots.txt could not be loaded, or the host stopped answering"
"""Why URLs are deferred until `headwater resume`."""
