"""Parse the route tables that web frameworks publish with their bundles. Routes with parameters are left out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from headwater.pages.site_indexes.js_values import read_json, read_json_after
from headwater.pages.site_indexes.links import get_folder, resolve_pages
from headwater.pages.site_indexes.records import IndexFile, ParsedIndex

if TYPE_CHECKING:
    from collections.abc import Iterable

_PARAMETER = re.compile(r"[\[\]:*()$?+]|^/_|/_(?:app|error|document|layout)\b|^/(?:404|500)$")
_BUNDLE_ROUTE = re.compile(r"""\bpath:\s*["'`](/[^"'`\n]{0,500})["'`]""")
_SVELTEKIT_ROUTE = re.compile(r"""["'](/[^"'\n]{0,500})["']:\s*\[~?-?\d*""")
_MAX_PARENTS = 50


def parse_next_manifest(body: bytes, url: str) -> ParsedIndex:
    """Read `_buildManifest.js` of Next.js: `sortedPages` lists the routes of the pages directory."""
    routes = read_json_after(body.decode("utf-8", "replace"), "sortedPages")
    return ParsedIndex(_resolve_routes(routes if isinstance(routes, list) else [], _mount_point(url, "/_next/")))


def parse_nuxt_latest(body: bytes, url: str) -> ParsedIndex:
    """Read `builds/latest.json` of Nuxt, which names the newest build."""
    data = read_json(body.decode("utf-8", "replace"))
    build = data.get("id") if isinstance(data, dict) else None
    if not isinstance(build, str) or not re.fullmatch(r"[\w-]{1,100}", build):
        return ParsedIndex()
    return ParsedIndex((), (IndexFile("nuxt-build", f"{get_folder(url)}meta/{build}.json"),))


def parse_nuxt_build(body: bytes, url: str) -> ParsedIndex:
    """Read a build's description: `prerendered` lists the pages that were written at build time."""
    data = read_json(body.decode("utf-8", "replace"))
    routes = data.get("prerendered") if isinstance(data, dict) else None
    return ParsedIndex(_resolve_routes(routes if isinstance(routes, list) else [], _mount_point(url, "/_nuxt/")))


def parse_sveltekit_app(body: bytes, url: str) -> ParsedIndex:
    """Read the client's entry script of SvelteKit, whose dictionary maps routes to nodes."""
    routes = _SVELTEKIT_ROUTE.findall(body.decode("utf-8", "replace"))
    return ParsedIndex(_resolve_routes(routes, _mount_point(url, "/_app/")))


def parse_remix_manifest(body: bytes, url: str) -> ParsedIndex:
    """Read the manifest of Remix or React Router: routes with their parents' paths put together."""
    text = body.decode("utf-8", "replace")
    data = read_json_after(text, "Manifest")
    routes = data.get("routes") if isinstance(data, dict) else None
    paths = [_join_route(routes, one) for one in routes.values()] if isinstance(routes, dict) else []
    return ParsedIndex(_resolve_routes(paths, _mount_point(url, "/assets/")))


def _join_route(routes: dict[str, Any], route: object) -> str:
    """Return the whole path of a route, or an empty string if a parent is missing."""
    parts: list[str] = []
    for _ in range(_MAX_PARENTS):
        if not isinstance(route, dict):
            return ""
        parts.insert(0, str(route.get("path") or ""))
        parent = route.get("parentId")
        if parent is None:
            return "/" + "/".join(part.strip("/") for part in parts if part.strip("/"))
        route = routes.get(parent) if isinstance(parent, str) else None
    return ""


def parse_bundle_routes(body: bytes, url: str) -> ParsedIndex:
    """Read `path: "/…"` entries of a bundle, as the routers of Docusaurus, Vue and React write them."""
    routes = _BUNDLE_ROUTE.findall(body.decode("utf-8", "replace"))
    return ParsedIndex(_resolve_routes(routes, url))


def _resolve_routes(routes: Iterable[object], base: str) -> tuple[Any, ...]:
    """Resolve routes against the folder that the application is mounted at."""
    folder = base if base.endswith("/") else f"{base.rpartition('/')[0]}/"
    is_mounted = urlsplit(folder).path != "/" and base.endswith("/")
    texts = [one for one in routes if isinstance(one, str) and one.startswith("/") and not _PARAMETER.search(one)]
    return resolve_pages(((one.lstrip("/") or "." if is_mounted else one, "") for one in texts), folder)


def _mount_point(url: str, marker: str) -> str:
    """Return the part of a URL before a framework's own folder, with a slash."""
    before, found, _ = url.partition(marker)
    return f"{before}/" if found else url
