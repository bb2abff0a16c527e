"""Exports to a file or to stdout, filtered by kind."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.errors import SettingError
from headwater.export import EXPORTERS, Output
from headwater.fetch.credentials import origin_of
from headwater.urls.parse import seed_url

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from headwater.model import Page
    from headwater.settings import Settings
    from headwater.store import Scan, Store


def write_scan(store: Store, scan: Scan, settings: Settings) -> None:
    """Write a scan's pages in the chosen format."""
    pages = (page for page in store.pages(scan.number) if is_listed(page, settings))
    title = ", ".join(scan.seeds)
    if settings.output is None:
        EXPORTERS[settings.format](pages, Output(sys.stdout, title=title))
        return
    path = Path(settings.output)
    with _open(path) as main:
        EXPORTERS[settings.format](
            pages, Output(main, lambda name: _open(path.parent / name), title, origin_of(seed_url(scan.seeds[0])))
        )


def is_listed(page: Page, settings: Settings) -> bool:
    """Whether a URL is of a kind that was asked for; refused pages are not, unless they are kept on purpose."""
    if page.state == "skipped" and not settings.keep_skipped:
        return False
    return "all" in settings.kinds or page.kind in settings.kinds


@contextmanager
def _open(path: Path) -> Iterator[TextIO]:
    try:
        stream = path.open("w", encoding="utf-8", newline="")
    except OSError as error:
        raise SettingError("output", f"{path} cannot be written: {error.strerror}") from None
    with stream:
        yield stream
