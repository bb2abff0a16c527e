"""Generate a site with crawler traps and ordinary pages that link into them; a page depends on its path alone."""

from __future__ import annotations

import random
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections import Counter

PAGES = 120
PARTS = 25
FACETS = {
    "brand": ("acme", "globex", "initech"),
    "color": ("red", "green", "blue"),
    "fit": ("wide", "slim"),
    "price": ("10", "20", "50"),
    "size": ("s", "m", "l"),
}
TRAPS = ("/cal/", "/shop?", "/s/", "/feed?")


class TrapSite:
    """A calendar, filters, session ids and an endless list; numbered pages, a finite list, and redirects.

    The links of a page depend on its path and the seed.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._delays: tuple[float, ...] = (0,)
        self._chance = random.Random()
        self._lock = threading.Lock()

    def delay(self, seed: int) -> None:
        """Delay answers by random times from now on."""
        self._chance, self._delays = random.Random(seed), (0, 0, 0.001, 0.004, 0.02)

    def answer(self, path: str) -> str | None:
        """Return the page with this path, or None."""
        with self._lock:
            seconds = self._chance.choice(self._delays)
        time.sleep(seconds)
        bare, _, query = path.partition("?")
        values = dict(part.partition("=")[::2] for part in query.split("&") if part)
        first, _, rest = bare[1:].partition("/")
        maker = getattr(self, f"_{first or 'front'}", None)
        return None if maker is None else maker(rest, values, random.Random(f"{self._seed}{path}"))

    def _front(self, _: str, __: dict[str, str], chance: random.Random) -> str:
        entries = ("/cal/2024/05", "/shop?color=red", "/s/a?sid=1", "/feed?page=1", "/list?page=1", "/go/1")
        return _links([*entries, *(f"/p/{chance.randrange(PAGES)}" for _ in range(8))])

    def _p(self, rest: str, _: dict[str, str], chance: random.Random) -> str | None:
        """Return an ordinary page, which links to other pages and into the traps."""
        if int(rest) >= PAGES:
            return None
        targets = [f"/p/{chance.randrange(PAGES + 5)}" for _ in range(4)]
        if chance.random() < 0.3:
            targets += [f"/cal/{chance.randint(2020, 2028)}/{chance.randint(1, 12):02}"]
            targets += [f"/list?page={chance.randint(1, PARTS)}", f"/feed?page={chance.randint(1, 40)}"]
            targets += [f"/shop?color={chance.choice(FACETS['color'])}&size={chance.choice(FACETS['size'])}"]
            targets += [f"/s/{chance.choice('ab')}?sid={chance.randint(1, 40)}", f"/go/{chance.randrange(20)}"]
        chance.shuffle(targets)
        text = "words of its own " + "abcdefghij"[int(rest) % 10] * int(rest) if chance.random() < 0.7 else "same"
        return f"<p>{text}</p>" + _links(targets)

    def _cal(self, rest: str, _: dict[str, str], chance: random.Random) -> str:
        year, month = map(int, rest.split("/"))
        months = [year * 12 + month - 1 + step for step in (-1, 1, 12)]
        targets = [f"/cal/{1900 + number // 12 % 200}/{number % 12 + 1:02}" for number in months]
        if year in {2023, 2024, 2025} and chance.random() < 0.3:
            targets.append(f"/event-{year}-{month}/")
        return f"<h1>{rest}</h1>" + _links(targets)

    def _shop(self, _: str, values: dict[str, str], chance: random.Random) -> str:
        chosen = [values | {name: one} for name, some in FACETS.items() for one in some]
        targets = ["/shop?" + "&".join(f"{name}={one}" for name, one in sorted(some.items())) for some in chosen]
        if len(values) < 3:
            targets.append(f"/product/{chance.randrange(30)}")
        return _links(targets)

    def _product(self, rest: str, _: dict[str, str], __: random.Random) -> str:
        return f"<p>{'product ' * int(rest)}</p>"

    def _s(self, _: str, values: dict[str, str], __: random.Random) -> str:
        session = int(values["sid"])
        return "<p>Hello</p>" + _links([f"/s/a?sid={session * 2}", f"/s/b?sid={session * 2 + 1}", "/sessions/"])

    def _feed(self, _: str, values: dict[str, str], __: random.Random) -> str:
        page = int(values["page"])
        return f'<a rel=next href="/feed?page={page + 1}">next</a>' + _links(["/about-the-feed"])

    def _list(self, _: str, values: dict[str, str], chance: random.Random) -> str | None:
        page = int(values["page"])
        others = {min(PARTS, max(1, page + step)) for step in (-1, 1, 2)}
        items = [f"/item/{page * 3 + place}" for place in range(3)]
        return _links([*(f"/list?page={other}" for other in sorted(others)), *items, f"/p/{chance.randrange(PAGES)}"])

    def _item(self, rest: str, _: dict[str, str], __: random.Random) -> str:
        return f"<p>{'item ' * int(rest)}</p>"

    def _go(self, rest: str, _: dict[str, str], chance: random.Random) -> str:
        """Return a page that redirects by meta refresh, to ordinary pages and into traps."""
        some = (f"/p/{chance.randrange(PAGES)}", f"/s/a?sid={100 + int(rest)}", f"/go/{int(rest) + 1}", "/cal/2001/01")
        return f'<meta http-equiv="refresh" content="0; url={chance.choice(some)}">'


def trap_hits(hits: Counter[str]) -> dict[str, int]:
    """Return the number of requests into each trap."""
    return {trap: sum(count for path, count in hits.items() if path.startswith(trap)) for trap in TRAPS}


def _links(paths: list[str]) -> str:
    return "".join(f'<a href="{path}">{path}</a>' for path in paths)
