"""Reports of the script that runs in a page; the page may have altered them in any way."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from headwater.model import REGIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from headwater.model import Region


class PageReport(NamedTuple):
    """A document as `scripts/reading.js` reports it; each frame of the same site has its own report."""

    url: str
    base: str
    html: str
    title: str = ""
    language: str = ""
    text: str = ""
    routes: Sequence[tuple[str, str]] = []
    """(URL, trigger) for every URL that scripts led to."""
    fragments: Sequence[tuple[str, bool, str, str]] = []
    """(fragment, has target, text, region) for every link to a fragment of the page."""
    tables: Sequence[tuple[str, str]] = []
    """(path, router) for every entry of a router's table."""
    frames: Sequence[PageReport] = []
    listens_for_hash: bool = False
    has_hidden_roots: bool = False
    reacts_to_scrolling: bool = False


_TYPES: dict[str, type] = {
    **dict.fromkeys(("url", "base", "html"), str),
    **{name: type(default) for name, default in PageReport._field_defaults.items()},
}
_ROW_TYPES: dict[str, tuple[type, ...]] = {
    "routes": (str, str), "fragments": (str, bool, str, str), "tables": (str, str)
}  # fmt: skip
_SURROGATE = re.compile("[\ud800-\udfff]")


def parse_json(text: str) -> Any:  # noqa: ANN401
    """Parse JSON; lone surrogates, which `slice` in a page may create and no encoding permits, become U+FFFD."""
    value = json.loads(text)
    if "\\ud" not in text:
        return value
    return json.loads(_SURROGATE.sub("\ufffd", json.dumps(value, ensure_ascii=False)))


def parse_report(value: Any) -> PageReport | None:  # noqa: ANN401
    """Return the report of a document; None if the page has replaced it with something else."""
    if not isinstance(value, dict) or not all(isinstance(value.get(name), kind) for name, kind in _TYPES.items()):
        return None
    if not all(_is_row(row, types) for name, types in _ROW_TYPES.items() for row in value[name]):
        return None
    frames = [parse_report(frame) for frame in value["frames"]]
    if None in frames:
        return None
    rows = {name: [tuple(row) for row in value[name]] for name in _ROW_TYPES}
    return PageReport(**{**{name: value[name] for name in _TYPES}, **rows, "frames": frames})


def _is_row(row: object, types: tuple[type, ...]) -> bool:
    return isinstance(row, list) and tuple(map(type, row)) == types


def iter_reports(reports: Iterable[PageReport]) -> Iterable[PageReport]:
    """Yield the reports, each followed by those of its frames."""
    for report in reports:
        yield report
        yield from iter_reports(report.frames)


def parse_route_trigger(text: str) -> tuple[str, Region | None]:
    """Split a trigger such as `click in nav` into the event and the region of its element, if any."""
    event, _, region = text.partition(" in ")
    return event, parse_region(region)


def parse_region(text: str) -> Region | None:
    """Return the region with this name; None if the name is unknown."""
    return next((one for one in REGIONS if one == text), None)
