"""Which pages are worth a browser: by their looks, and by what the browser added to pages of the same shape."""

from __future__ import annotations

from dataclasses import dataclass

PROBES = 2
"""Pages of a shape that are opened to see whether scripts add to them, though they have links and text."""

LOOKS = 3
"""Pages of a shape that are looked at for signs of an application."""

PATIENCE = 3
"""Pages of a shape that looked built by scripts and gained nothing, before the shape is left alone."""

MAX_SHAPES = 10_000


@dataclass(slots=True)
class _Shape:
    looked_at: int = 0
    opened: int = 0
    gained: int = 0
    barren: int = 0
    forgiven: int = 0


class Rendering:
    """What was learned so far; only pages that answered are learned from, never failures."""

    def __init__(self) -> None:
        self._shapes: dict[str, _Shape] = {}

    def is_wanted(self, shape: str, *, looks_scripted: bool, may_gain: bool) -> bool:
        """Whether a page of this shape is opened."""
        known = self._shapes.get(shape)
        if looks_scripted:
            return known is None or bool(known.gained) or known.barren < PATIENCE
        if not may_gain:
            return False
        return known is None or known.opened < PROBES or known.gained > 0

    def is_looked_at(self, shape: str) -> bool:
        """Whether a page of this shape is looked at closely: a few are, and all where that was worth while."""
        if len(self._shapes) >= MAX_SHAPES:
            return False
        known = self._shapes.setdefault(shape, _Shape())
        known.looked_at += 1
        return known.looked_at <= LOOKS or known.gained > 0

    def begin(self, shape: str) -> None:
        """A page of this shape is being opened."""
        if len(self._shapes) < MAX_SHAPES:
            self._shapes.setdefault(shape, _Shape()).opened += 1

    def forgive(self, shape: str) -> None:
        """The opening failed in a way that says nothing of the page, so it was no probe; that holds a few times."""
        known = self._shapes.get(shape)
        if known is not None and known.forgiven < PATIENCE:
            known.forgiven += 1
            known.opened -= 1

    def learn(self, shape: str, added: int) -> None:
        """What came of it: how many URLs that the static page did not have."""
        known = self._shapes.get(shape)
        if known is not None:
            known.gained += added > 0
            known.barren += added == 0
