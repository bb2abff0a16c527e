"""Provide a small site about canoes, a scan of it and a dive into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.commands import headwater
from tests.sites.table_site import Answer

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.sites.table_site import TableSite

TOPICS = {
    "packing": (
        "Packing a canoe",
        "Heavy bags go into the middle of the boat, low down, so that it lies level on the water.",
    ),
    "knots": ("Knots for the shore", "A bowline makes a loop that does not slip; tie the painter to a tree with it."),
    "rapids": ("Running rapids", "Look at white water from the bank before you enter it, and wear a helmet."),
    "weather": ("Wind and thunder", "When lightning is near, leave the lake at once and stay away from tall trees."),
    "repair": ("Mending a hull", "Duct tape closes a crack until the evening; at home use glass fibre and resin."),
}


def article(title: str, text: str, more: str = "", language: str = "en") -> str:
    body = f"<h1 id=top>{title}</h1><p>{text}</p><p>Was this page helpful? Tell us on the forum.</p>{more}"
    return (
        f"<html lang={language}><title>{title} — Canoe</title><nav><a href=/>Home</a></nav><main>{body}</main></html>"
    )


def guides(_: str) -> dict[str, Answer | str]:
    """Return the pages of the site: five guides and one in German, linked from the front page."""
    pages: dict[str, Answer | str] = {
        f"/guides/{name}": Answer(article(*topic), headers={"ETag": f'"{name}"'}) for name, topic in TOPICS.items()
    }
    pages["/guides/knoten"] = article(
        "Knoten am Ufer", "Der Palstek rutscht nicht und löst sich leicht.", language="de"
    )
    pages["/"] = "".join(f'<a href="{path}">{path}</a>' for path in pages)
    return pages


def scan_site(site: TableSite, db: Path) -> None:
    """Scan the site into a store."""
    result = headwater("discover", site.origin, "--db", str(db), "--quiet", "-o", str(db) + ".txt", "--retries", "0")
    assert result.code == 0, result.err


def scan_and_dive(
    site: TableSite,
    db: Path,
    *more: str,
    environment: Mapping[str, str] | None = None,
    chosen: tuple[str, ...] = ("guides",),
) -> None:
    """Scan the site and dive into the guides."""
    scan_site(site, db)
    result = headwater("dive", *chosen, "--db", str(db), *more, environment=environment)
    assert result.code == 0, result.err
