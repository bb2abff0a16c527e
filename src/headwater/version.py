"""The version, and the User-Agent that Headwater sends."""

from __future__ import annotations

VERSION = "0.1.0"
ROBOTS_NAME = "headwater"
CONTACT_URL = "https://headwater.example/crawler"
USER_AGENT = f"headwater/{VERSION} (+{CONTACT_URL})"
