"""The line about a scan that ended before it was complete: what ended it, what is left, and how to go on."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from headwater.settings import SETTINGS, redact_value

if TYPE_CHECKING:
    from headwater.settings import Settings

_OTHER_REASONS = {"host-unresponsive": "the host stopped answering"}


def format_incomplete_notice(limit: str, unvisited: int, settings: Settings) -> str:
    """Return one line that names the limit, how many known URLs were not visited, and the command that goes on."""
    setting = SETTINGS.get(limit)
    is_of_sitemaps = setting is not None and setting.section == "sitemaps"
    what = _OTHER_REASONS.get(limit, f"the scan was {limit}")
    if setting:
        what = f"{setting.flag} {getattr(settings, limit):g} ended {'the sitemaps' if is_of_sitemaps else 'the scan'}"
    left = f"{unvisited:,} known URL{' was' if unvisited == 1 else 's were'} not visited"
    if is_of_sitemaps or (limit == "max_urls_per_source" and not unvisited):
        left = "sitemaps were not read to their end"
    return f"INCOMPLETE: {what}; {left}. Go on with: {format_resume_command(settings, limit if setting else '')}"


def format_resume_command(settings: Settings, limit: str = "") -> str:
    """Return the command that goes on with a scan, without the limit that ended it."""
    db = str(redact_value("db", settings.db))
    words = ["headwater", "resume", *(["--db", db] if db != SETTINGS["db"].default else [])]
    return shlex.join([*words, SETTINGS[limit].flag, "none"] if limit else words)
