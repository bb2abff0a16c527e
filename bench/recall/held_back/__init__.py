"""Sites that are not used for tuning, so that they show how well rules carry over to unseen sites."""

from __future__ import annotations

from bench.recall.held_back import applications, documentation, forum, portal

HELD_BACK = (
    *documentation.SITES,
    *applications.SITES,
    *forum.SITES,
    *portal.SITES,
)
