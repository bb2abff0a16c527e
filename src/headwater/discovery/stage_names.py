"""Titles of the stages, and the message for deferred URLs, for screens and commands."""

from __future__ import annotations

from headwater.settings.choices import STAGES

_TITLES = {"nav": "navigation", "render": "browser", "merge": "classify"}
OPTIONAL_STAGE_NAMES = {"external": "other sites"}
"""Titles of stages that a scan has only if a setting asks for them."""

STAGE_NAMES = {name: _TITLES.get(name, name) for name in (*STAGES, "merge")}
"""Titles by stage name; a test compares them with `pipeline.STAGES`."""

DEFERRED_MESSAGE = "robots.txt could not be loaded, or the host stopped answering"
"""Reason why URLs are deferred until `headwater resume`."""
