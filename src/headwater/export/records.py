"""The record of a page: names and values, as JSON and tables write them."""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from headwater.model import EXPORTED_FIELDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from headwater.model import Page

FIELDS = EXPORTED_FIELDS
_ATTRIBUTES = {"list": "list_name"}


@lru_cache(maxsize=64)
def make_reader(fields: tuple[str, ...]) -> Callable[[Page], tuple[Any, ...]]:
    """Return a function that returns the values of these fields of a page, in order."""
    get = attrgetter(*(_ATTRIBUTES.get(name, name) for name in fields))
    return get if len(fields) > 1 else lambda page: (get(page),)


get_values = make_reader(FIELDS)
"""Return the values of the exported fields of a page, in order."""


def make_record(page: Page, fields: tuple[str, ...] = FIELDS) -> dict[str, object]:
    """Return the values of the fields of a page by name."""
    return dict(zip(fields, make_reader(fields)(page), strict=True))
