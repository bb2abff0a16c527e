"""Settings and state that the pages of one site share while they are examined."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from headwater.frontier.slash_habits import SlashHabits
from headwater.frontier.traps import TrapDetector
from headwater.pages.documents.login_forms import NO_SIGNS, LoginSigns
from headwater.pages.links.link_filter import FOLLOW_ALL_LINKS, LinkFilter
from headwater.pages.links.link_finder import MAX_LINKS

if TYPE_CHECKING:
    from headwater.frontier.render_policy import RenderPolicy
    from headwater.frontier.session_watch import SessionWatch
    from headwater.pages.extraction import Extractor
    from headwater.urls.scope import Scope


@dataclass(slots=True)
class SiteState:
    """The settings for examining pages, and what was learned about the site so far.

    With `keeps_links` every link is stored; otherwise `counts_inlinks` counts how many pages link to each URL.
    `reuses_values` means that an earlier scan extracted the same values from pages that have not changed since.
    """

    scope: Scope
    keeps_links: bool = False
    counts_inlinks: bool = False
    keeps_skipped: bool = False
    obeys_meta_robots: bool = True
    keeps_hashes: bool = False
    merges_views: bool = False
    soft_404s: set[int] = field(default_factory=set)
    rendering: RenderPolicy | None = None
    reads_indexes: bool = False
    reads_scripts: bool = False
    reads_forms: bool = False
    traps: TrapDetector = field(default_factory=TrapDetector)
    slashes: SlashHabits = field(default_factory=SlashHabits)
    link_filter: LinkFilter = FOLLOW_ALL_LINKS
    max_links_per_page: int = MAX_LINKS
    skips_walls: bool = False
    analyzes_text: bool = False
    extractors: tuple[Extractor, ...] = ()
    reuses_values: bool = True
    session: SessionWatch | None = None
    login: LoginSigns = NO_SIGNS
    scripted_pages: int = 0
    nofollow_pages: int = 0
