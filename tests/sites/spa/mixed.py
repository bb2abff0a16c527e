"""Build a site of 90 static and 10 script-built pages; only script-built pages link to twenty of the static ones."""

from __future__ import annotations

import json

from tests.sites.spa.kinds import Means, Origins, Route, SpaSite
from tests.sites.table_site import Answer, ReceivedRequest

APPS = [f"/app/{number}" for number in range(1, 9)]
NOTES = [f"/notes/{number}" for number in range(1, 21)]
DOCS = [f"/docs/{number}" for number in range(1, 49)]
POSTS = [f"/blog/{number}" for number in range(1, 18)]
SHORT = ["/imprint", "/contact"]

# The links of each page; script-built pages fetch theirs from the server.
STATIC: dict[str, list[str]] = {
    "/": ["/docs", "/blog", "/imprint", "/contact", "/app/1", "/dashboard"],
    "/docs": DOCS[::4],
    "/blog": POSTS[::3],
    **{path: ["/docs", *DOCS[place + 1 : place + 4]] for place, path in enumerate(DOCS)},
    **{path: ["/blog", *POSTS[place + 1 : place + 3]] for place, path in enumerate(POSTS)},
    **{path: ["/"] for path in (*NOTES, *SHORT)},
}
SCRIPTED: dict[str, list[str]] = {
    **{path: [*NOTES[place * 2 : place * 2 + 2], *APPS[place + 1 : place + 2]] for place, path in enumerate(APPS)},
    "/dashboard": [NOTES[16], NOTES[17], "/explore"],
    "/explore": [NOTES[18], NOTES[19]],
}

PROSE = (
    "This page says what it has to say in plain words, without any script, and it says enough of it to be read. " * 6
)
SHELL = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mixed</title></head>
<body><div id="root"></div><script src="/main.js"></script></body></html>"""
SCRIPT = """fetch("/api/page?path=" + location.pathname).then((answer) => answer.json()).then(({ title, links }) => {
  document.title = title;
  document.querySelector("#root").innerHTML = `<h1>${title}</h1>`;
  for (const path of links) {
    const link = Object.assign(document.createElement("a"), { href: path, textContent: path });
    document.querySelector("#root").append(link, " ");
  }
});"""


def static_page(path: str) -> str:
    """Return a page with a heading, links and prose; some pages have very little prose."""
    links = "".join(f'<li><a href="{target}">{target}</a></li>' for target in STATIC[path])
    prose = "Write to us." if path in SHORT else PROSE
    return f'<!doctype html><html lang="en"><title>{path}</title><h1>{path}</h1><p>{prose}</p><ul>{links}</ul>'


ANSWERS = {
    "/main.js": Answer(SCRIPT, type="text/javascript; charset=utf-8"),
    **{path: Answer(static_page(path)) for path in STATIC},
    **{path: Answer(SHELL) for path in SCRIPTED},
    **{
        f"/api/page?path={path}": Answer(json.dumps({"title": path, "links": links}), type="application/json")
        for path, links in SCRIPTED.items()
    },
}


def answer(request: ReceivedRequest, _: Origins) -> Answer | None:
    return ANSWERS.get(request.path)


def routes() -> tuple[Route, ...]:
    """Return every page with the first page that links to it, static pages first."""
    found: dict[str, Route] = {"/": Route("/", "start", "/")}
    means: Means
    for graph, means in ((STATIC, "static"), (SCRIPTED, "link")):
        for page, links in graph.items():
            for path in links:
                found.setdefault(path, Route(path, means, path, on=page))
    return tuple(found.values())


MIXED = SpaSite("mixed", answer, routes(), endpoints=frozenset(("GET", f"/api/page?path={path}") for path in SCRIPTED))
