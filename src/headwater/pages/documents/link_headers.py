"""Links in the headers of a response: `Link`, `Refresh`, `Content-Location`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from headwater.pages.links.link_rules import read_refresh

if TYPE_CHECKING:
    from collections.abc import Mapping

_LINK = re.compile(r"<([^<>\s]{1,2083})>")


def extract_header_links(headers: Mapping[str, str]) -> list[str]:
    """Return the URLs in headers, as written; without `Location`, which is a redirect."""
    found = _LINK.findall(headers["link"]) if "link" in headers else []
    if "refresh" in headers:
        found += read_refresh(headers["refresh"])
    if "content-location" in headers:
        found.append(headers["content-location"])
    return found
