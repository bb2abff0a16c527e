"""Titles of the stages, and the message for deferred URLs, for screens and commands."""

from __future__ import annotations

from headwater.settings.choices import STAGES

_TITLES = {"nav": "navigation", "render": "browser", "merge": "classify", "external": "other sites"}
STAGE_NAMES = {name: _TITLES.get(name, name) for name in (*STAGES, "external", "merge")}
"""Titles by stage name; a test compares them with `pipeline.STAGES`."""

OPTIONAL_STAGES = {"external": "check_external"}
"""Stages that a scan has only if the setting named here asks for them."""

DEFERRED_MESSAGE = "robots.txt could not be loaded, or the host stopped answering"
"""Reason why URLs are deferred until `headwater resume`."""
