"""The state that examining one page of a site leaves for the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from headwater.frontier.traps import TrapDetector
from headwater.pages.links.link_filter import FOLLOW_ALL_LINKS, LinkFilter
from headwater.pages.links.link_finder import MAX_LINKS

if TYPE_CHECKING:
    from headwater.frontier.render_policy import RenderPolicy
    from headwater.urls.scope import Scope


@dataclass(slots=True)
class SiteState:
    """What a crawl knows of the site it is on.

    `keeps_links` has every link kept; otherwise `counts_inlinks` has it counted how many pages link to each.
    """

    scope: Scope
    keeps_links: bool = False
    counts_inlinks: bool = False
    keeps_skipped: bool = False
    obeys_meta_robots: bool = True
    keeps_hashes: bool = False
    soft_404s: set[int] = field(default_factory=set)
    rendering: RenderPolicy | None = None
    traps: TrapDetector = field(default_factory=TrapDetector)
    link_filter: LinkFilter = FOLLOW_ALL_LINKS
    max_links_per_page: int = MAX_LINKS
