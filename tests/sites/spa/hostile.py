"""Serve pages that hang, open dialogs and windows, crash, lie or redirect: one per file of `pages/hostile`."""

from __future__ import annotations

from tests.sites.spa.kinds import HERE, Origins, Route, SpaSite
from tests.sites.table_site import Answer, ReceivedRequest

UNTIL_CLOSED = 3600.0
JAVASCRIPT = "text/javascript; charset=utf-8"
# Hostile pages with this link, added by a script or part of the HTML, show it nevertheless, so it must be found.
BEYOND = 'document.body.insertAdjacentHTML("beforeend", `<a href="/beyond${location.pathname}">Beyond</a>`);'
LEAF = "<!doctype html><title>{title}</title><body><h1>{title}</h1>"
FOLDER = HERE / "pages" / "hostile"
PAGES = {f"/{file.stem}": file.read_text() for file in sorted(FOLDER.glob("*.html"))}
FINE = [f"/fine/{number}" for number in range(1, 6)]
POPUPS = [f"/popup/{number}" for number in range(1, 11)]
DOWNLOADS = ["/download", "/download-of-html"]

HEADERS: dict[str, dict[str, str]] = {
    "/csp": {"Content-Security-Policy": "default-src 'none'; script-src 'nonce-n0nce'"},
    "/csp-sandbox": {"Content-Security-Policy": "sandbox"},
}
BYTES = {"Content-Disposition": 'attachment; filename="x.bin"'}
OTHERS: dict[str, Answer] = {
    "/download": Answer(b"\0" * 5000, 200, "application/octet-stream", BYTES),
    "/download-of-html": Answer("<h1>Saved</h1>", headers={"Content-Disposition": 'attachment; filename="x.html"'}),
    "/never.js": Answer(type=JAVASCRIPT, delay=UNTIL_CLOSED),
    "/silent": Answer("<h1>Silent</h1>", delay=UNTIL_CLOSED),
    "/worker.js": Answer((FOLDER / "worker.js").read_text(), type=JAVASCRIPT),
    "/api/poll": Answer("{}", type="application/json"),
}


def title_of(path: str) -> str:
    return path.strip("/").replace("/", " ")


def index() -> str:
    links = "".join(
        f'<li><a href="{path}">{title_of(path)}</a></li>' for path in (*PAGES, *DOWNLOADS, "/to-private", *FINE)
    )
    return f"<!doctype html><title>Hostile</title><h1>Hostile</h1><ul>{links}</ul>"


def beyond(path: str) -> Route | None:
    """Return the page that a hostile page links to, if any."""
    is_made, is_written = "{{beyond}}" in PAGES[path], f"/beyond{path}" in PAGES[path]
    if not is_made and not is_written:
        return None
    return Route(f"/beyond{path}", "link" if is_made else "static", title_of(f"/beyond{path}"), on=path)


ROUTES = (
    Route("/", "start", "Hostile"),
    *(Route(path, "static", title_of(path)) for path in (*PAGES, *FINE)),
    *(route for route in map(beyond, PAGES) if route),
    *(Route(path, "open", title_of(path), on="/popups") for path in POPUPS),
)
LEAVES = {route.path: Answer(LEAF.format(title=route.title)) for route in ROUTES if route.path not in PAGES}


def answer(request: ReceivedRequest, origins: Origins) -> Answer | None:
    """Return a page, with the origins filled in."""
    path = request.path
    if path == "/":
        return Answer(index())
    if path == "/to-private":
        return Answer(status=302, headers={"Location": f"{origins.private}/by-redirect"})
    if path in PAGES:
        text = PAGES[path].replace("{{origin}}", origins.own).replace("{{private}}", origins.private)
        return Answer(text.replace("{{beyond}}", BEYOND), headers=HEADERS.get(path, {}))
    return LEAVES.get(path) or OTHERS.get(path)


HOSTILE = SpaSite(
    "hostile", answer, ROUTES, not_pages=frozenset({"/made-up", "/from-worker", "/to-private", "/silent", *DOWNLOADS})
)
