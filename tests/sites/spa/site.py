"""Serve the sites of `SITES`, each at the root of its own origin, and record every request."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.sites.spa.dangerous import CAREFUL
from tests.sites.spa.hostile import HOSTILE
from tests.sites.spa.kinds import Origins, Served, SpaSite
from tests.sites.spa.mixed import MIXED
from tests.sites.spa.next_like import NEXT
from tests.sites.spa.plain import ENDLESS, HASH_PLAIN, MANY_LINKS, MENUS, REVEAL, SCROLL, SHADOW, WAYS
from tests.sites.spa.routers import ANGULAR, HASH, REACT, REACT_DATA, VUE
from tests.sites.table_site import Answer, serve

if TYPE_CHECKING:
    from collections.abc import Iterator

ROUTERS = (REACT, REACT_DATA, VUE, ANGULAR, HASH)
PLAIN = (HASH_PLAIN, NEXT, SCROLL, SHADOW, MENUS, REVEAL, WAYS, CAREFUL, MIXED)
UNFRIENDLY = (HOSTILE, MANY_LINKS, ENDLESS)
SITES: dict[str, SpaSite] = {site.name: site for site in (*ROUTERS, *PLAIN, *UNFRIENDLY)}

PRIVATE = Answer("<!doctype html><title>Private</title><h1>Private</h1>")


@contextmanager
def serving(name: str) -> Iterator[Served]:
    """Serve the site of this name, and a private site on another loopback address that must never be requested."""
    site = SITES[name]
    with (
        serve(lambda _: PRIVATE, "127.0.0.2") as private,
        serve(lambda request: site.answer(request, origins)) as server,
    ):
        origins = Origins(server.origin, private.origin)
        yield Served(site, origins, server.requests, private.requests)
