"""Results of the checks of `headwater doctor`."""

from __future__ import annotations

from typing import NamedTuple


class CheckResult(NamedTuple):
    """One thing looked at: its state, what it is, and what to do if it is not there."""

    name: str
    state: str
    detail: str
    advice: str = ""
    is_needed: bool = False

    @property
    def is_ok(self) -> bool:
        return self.state == "✓"
