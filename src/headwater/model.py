"""The values that pass between the parts; they hold data and decide nothing."""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal["page", "external", "resource", "endpoint"]
"""What a URL is listed as: to visit, on another site, an asset, or something only a program calls."""


class Spelling(NamedTuple):
    """One page, three spellings: what is requested, what is listed, what is compared."""

    fetch_url: str
    url: str
    key: str


class Verdict(NamedTuple):
    """Whether a URL is visited; if not, the name of the rule that decided. `hops` counts steps off the site."""

    allowed: bool
    reason: str = ""
    kind: Kind | None = "page"
    hops: int = 0
