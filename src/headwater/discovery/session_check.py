"""Find out if the session of the user ended during a scan, and store that as evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.model import Evidence, FetchFailure, Request
from headwater.pages.documents.html_parser import parse_html
from headwater.urls.recognition.access_urls import find_redirect_wall

if TYPE_CHECKING:
    from headwater.discovery.context import ScanContext

REFUSED_STATUSES = frozenset({401, 403})


async def record_lost_session(context: ScanContext) -> None:
    """Store that the session ended: most later pages asked for a login, or the page that showed it does so now."""
    session = context.site.session
    if session is None or not session.refused:
        return
    if session.is_lost or await _is_refused_now(context):
        content = {"accepted": session.accepted + session.accepted_later, "refused": session.refused}
        context.add_evidence(Evidence("session_lost", context.seeds[0], False, content=content))


async def _is_refused_now(context: ScanContext) -> bool:
    """Request the page that showed the success of a login; return True if it asks for a login now."""
    login, url = context.site.login, context.site.login.checked_url
    if not url or context.deadline.is_over:
        return False
    result = await context.stack.fetch(Request(url))
    if isinstance(result, FetchFailure):
        return result.status in REFUSED_STATUSES
    is_redirected = login.is_start(result.url) or find_redirect_wall(url, result.url) == "login-required"
    return is_redirected or login.is_shown_by(parse_html(result.body, result.charset))
