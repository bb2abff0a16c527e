"""The pages of a scan as a sequence that reads them from the store on access."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from headwater.model import Page

PREVIEW_ROWS = 20
_COLUMNS = ("url", "title", "status", "depth", "sources")


class Pages(Sequence["Page"]):
    """Pages ordered by URL. A notebook shows the first ones as a table."""

    def __init__(self, read: Callable[[], Iterator[Page]]) -> None:
        self._read = read

    def __iter__(self) -> Iterator[Page]:
        """Yield the pages one by one."""
        return self._read()

    @cached_property
    def _count(self) -> int:
        return sum(1 for _ in self._read())

    def __len__(self) -> int:
        """Return the number of pages."""
        return self._count

    @overload
    def __getitem__(self, index: int) -> Page: ...
    @overload
    def __getitem__(self, index: slice) -> list[Page]: ...
    def __getitem__(self, index: int | slice) -> Page | list[Page]:
        """Return the page at an index, or the pages of a slice."""
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step > 0:
                return list(islice(self._read(), start, stop, step))
            return list(self)[index]
        position = index + len(self) if index < 0 else index
        page = next(islice(self._read(), position, None), None) if position >= 0 else None
        if page is None:
            raise IndexError(f"index {index} is out of range: there are {len(self):,} pages")
        return page

    def __repr__(self) -> str:
        """Return `<Pages: 526, from https://example.com/>`."""
        return f"<Pages: {len(self):,}, from {self[0].url}>" if len(self) else "<Pages: 0>"

    def _repr_html_(self) -> str:
        """Return a table of the first pages, as notebooks show it."""
        head = "".join(f"<th>{name}</th>" for name in _COLUMNS)
        rows = "".join(f"<tr>{_format_cells(page)}</tr>" for page in islice(self._read(), PREVIEW_ROWS))
        rest = f"<p>and {len(self) - PREVIEW_ROWS:,} more</p>" if len(self) > PREVIEW_ROWS else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{rest}"


def _format_cells(page: Page) -> str:
    values = (page.url, page.title or "", page.status or "", "" if page.depth is None else page.depth)
    return "".join(f"<td>{escape(str(value))}</td>" for value in (*values, ", ".join(page.sources)))
