"""Notice that a logged-in session has ended: pages loaded at first, and later ones ask for a login."""

from __future__ import annotations

from dataclasses import dataclass

MIN_ACCEPTED = 2
"""Pages that must have loaded first; otherwise the session was never accepted."""

MIN_REFUSED = 3
_MIN_SHARE = 0.5
"""Share of the pages since the first refusal that were refused; single pages may need other rights."""


@dataclass(slots=True)
class SessionWatch:
    """Counts pages in the order in which they answered: accepted, refused, and accepted after the first refusal."""

    accepted: int = 0
    refused: int = 0
    accepted_later: int = 0

    def add(self, *, is_refused: bool) -> None:
        """Count a page."""
        if is_refused:
            self.refused += 1
        elif self.refused:
            self.accepted_later += 1
        else:
            self.accepted += 1

    @property
    def is_lost(self) -> bool:
        """Return True if the session seems to have ended during the scan."""
        later = self.refused + self.accepted_later
        return self.accepted >= MIN_ACCEPTED and self.refused >= MIN_REFUSED and self.refused >= later * _MIN_SHARE
