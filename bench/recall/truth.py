"""Check that every true page of a site answers with HTML under the name it is counted by."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urldefrag

from bench.recall.builds import BuildError
from bench.recall.site import Request

if TYPE_CHECKING:
    from bench.recall.site import LiveSite

ORIGIN = "http://127.0.0.1"


def check_truth(name: str, site: LiveSite) -> None:
    """Raise an error that names the first true page that is wrong."""
    if not site.pages:
        raise BuildError(f"{name} has no pages; delete its folder and build it again")
    for page in sorted(site.pages | site.search_only):
        if problem := _problem(site, page):
            raise BuildError(f"{name}: the true page {page} {problem}")


def _problem(site: LiveSite, page: str) -> str:
    url = site.url_of(page)
    answer = site.answer(Request(urldefrag(url).url, {}))
    counted = site.page_of(ORIGIN + url)
    if answer.status != 200 or not answer.content_type.startswith("text/html"):
        return f"answers {answer.status} {answer.content_type}"
    return "" if counted == page else f"is counted as {counted}"
