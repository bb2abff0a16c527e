"""Titles of the stages, and the message for deferred URLs, for screens and commands."""

from __future__ import annotations

STAGE_NAMES = {"nav": "navigation", "sitemaps": "sitemaps", "crawl": "crawl", "render": "browser", "merge": "classify"}
"""Titles by stage name; a test compares them with `pipeline.STAGES`."""

DEFERRED_MESSAGE = "robots.txt could not be loaded, or the host stopped answering"
"""Reason why URLs are deferred until `headwater resume`."""
