"""Small servers of our own: pages in a table, further answers by functions."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bench.recall.prose import paragraph, title
from bench.recall.site import HTML, NOT_FOUND, Answer, LiveSite, Request, target_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


@dataclass(slots=True)
class TableSite:
    """True pages by target, other answers by target, and a function for the rest."""

    pages: dict[str, Answer] = field(default_factory=dict)
    others: dict[str, Answer] = field(default_factory=dict)
    search_only: dict[str, Answer] = field(default_factory=dict)
    compute: Callable[[Request], Answer | None] = lambda _: None
    alias: Callable[[str], str] = lambda target: target

    def add(self, target: str, body: str, *, name: str = "", head: str = "") -> None:
        """Add a true page."""
        self.pages[target] = page(name or title(hash_number(target)), body, head)

    def add_text(self, target: str, number: int, *, more: str = "") -> None:
        """Add a true page with a paragraph of text and perhaps more."""
        self.pages[target] = page(title(number), f"<p>{paragraph(number)}</p>{more}")

    def live(self, start: str = "/") -> LiveSite:
        """Return the site ready to be served; equal pages would count as duplicates."""
        assert len({answer.body for answer in self.pages.values()}) == len(self.pages)
        return LiveSite(frozenset(self.pages), self.answer, self.page_of, frozenset(self.search_only), start)

    def page_of(self, url: str) -> str:
        """Return the target of the page, with or without the slash at its end as the site has it."""
        target = self.alias(target_of(url))
        return next((one for one in (target, other_slash(target)) if one in self.pages), target)

    def answer(self, request: Request) -> Answer:
        """Answer from the tables, then by the function."""
        for table in (self.pages, self.others, self.search_only):
            if request.target in table:
                return table[request.target]
        if other_slash(request.target) in self.pages:
            return Answer(b"", status=301, headers=(("Location", other_slash(request.target)),))
        return self.compute(request) or NOT_FOUND


def other_slash(target: str) -> str:
    """Return a target with a slash at its end if it had none, and without if it had one."""
    return target[:-1] if target.endswith("/") else target + "/"


def hash_number(text: str) -> int:
    """Return a number that depends on the text only."""
    return sum(place * ord(letter) for place, letter in enumerate(text, 1)) % 100_000


def page(name: str, body: str, head: str = "") -> Answer:
    """Return an HTML page."""
    return Answer(
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{name}</title>{head}</head>'
        f"<body><h1>{name}</h1>{body}</body></html>".encode(),
        HTML,
    )


def links(targets: Iterable[str], tag: str = "ul") -> str:
    """Return a list of links."""
    return (
        f"<{tag}>" + "".join(f'<li><a href="{one}">{title(hash_number(one))}</a></li>' for one in targets) + f"</{tag}>"
    )


def as_json(value: object, *headers: tuple[str, str]) -> Answer:
    """Return a JSON answer."""
    return Answer(json.dumps(value).encode(), "application/json", headers=headers)


def as_script(text: str) -> Answer:
    """Return a JavaScript file."""
    return Answer(text.encode(), "text/javascript")


def as_xml(text: str, content_type: str = "application/xml") -> Answer:
    """Return an XML answer."""
    return Answer(f'<?xml version="1.0" encoding="UTF-8"?>{text}'.encode(), content_type)


def sitemap(targets: Iterable[str]) -> Answer:
    """Return a sitemap of the targets."""
    listed = "".join(f"<url><loc>https://site.example{one.replace('&', '&amp;')}</loc></url>" for one in targets)
    return as_xml(f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</urlset>')
