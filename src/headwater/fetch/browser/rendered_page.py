"""The result of opening a page in the browser."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from headwater.fetch.browser.page_report import PageReport

FIRST_ERROR_STATUS = 400


@dataclass(slots=True)
class RenderedPage:
    """The documents that a page showed, and the URLs that its scripts led to or requested."""

    url: str
    status: int | None = None
    documents: list[PageReport] = field(default_factory=list)
    routes: dict[tuple[str, str], None] = field(default_factory=dict)
    """(URL, trigger) in the order of discovery."""
    endpoints: dict[tuple[str, str], None] = field(default_factory=dict)
    """(URL, method) of requests that scripts sent."""
    hints: set[str] = field(default_factory=set)
    """URLs that a click led to after one of its requests was answered instead of sent."""
    moved_to: str = ""
    clicks: int = 0
    clicked_elements: list[str] = field(default_factory=list)
    """Signatures of the elements that were clicked, or that looked harmful."""
    skipped_clicks: int = 0
    problem: str = ""
    retry_after: str = ""

    @property
    def is_failure(self) -> bool:
        """True if the server answered with an error page."""
        return self.status is not None and self.status >= FIRST_ERROR_STATUS

    def add(self, document: PageReport) -> None:
        """Add the page's current document unless it is the same as the last one."""
        if not self.documents or self.documents[-1].html != document.html:
            self.documents.append(document)
