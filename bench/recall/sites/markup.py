"""Sites whose pages are reached by unusual markup: parents, forms, frames, refreshes, data in scripts."""

from __future__ import annotations

import json

from bench.recall.prose import paragraph, title
from bench.recall.site import Answer, LiveSite, Request, Site
from bench.recall.sites.table_site import TableSite, as_script, links, page

SEARCH = """
document.querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const word = new FormData(event.target).get("q");
  const found = await (await fetch("/search.json?q=" + encodeURIComponent(word))).json();
  document.getElementById("found").innerHTML = found.map((one) => `<a href="${one}">${one}</a>`).join(" ");
});
"""


def parents() -> LiveSite:
    """Return a wiki whose pages link tags and sections, while the lists of tags and sections are linked nowhere."""
    site = TableSite()
    tags = [f"/tags/{name}/" for name in ("iron", "wood", "glass", "wool", "clay")]
    pages = [f"/wiki/{('north', 'south', 'west')[number % 3]}/{number}" for number in range(45)]
    site.add("/", links(pages[:15]), name="Wiki")
    for number, target in enumerate(pages):
        site.add_text(target, number, more=links([tags[number % 5], pages[(number * 2) % 45]]))
    for place, tag in enumerate(tags):
        site.add(tag, links(pages[place::5]), name=f"Tag {tag}")
    site.add("/tags/", links(tags), name="All tags")
    for region in ("north", "south", "west"):
        site.add_text(f"/wiki/{region}/", 700 + ord(region[0]), more=links([f"/wiki/{region}/map"]))
        site.add_text(f"/wiki/{region}/map", 900 + ord(region[0]))
    return site.live()


def forms() -> LiveSite:
    """Return a library whose shelves are reached by a form with a select, and some books by a search box only."""
    site = TableSite()
    shelves = ("maps", "letters", "plays", "poems", "songs")
    options = "".join(f'<option value="{one}">{one}</option>' for one in shelves)
    form = f'<form action="/shelf" method="get"><select name="name">{options}</select><button>Show</button></form>'
    search = '<form action="/search"><input name="q"></form><div id="found"></div><script src="/search.js"></script>'
    site.add("/", form + search, name="Library")
    site.others["/search.js"] = as_script(SEARCH)
    for place, shelf in enumerate(shelves):
        books = [f"/books/{shelf}-{number}" for number in range(8)]
        site.add(f"/shelf?name={shelf}", links(books), name=f"Shelf of {shelf}")
        for number, book in enumerate(books):
            site.add_text(book, place * 10 + number)
    hidden = [f"/rare/{number}" for number in range(6)]
    for number, target in enumerate(hidden):
        site.search_only[target] = page(title(number + 900), f"<p>{paragraph(number + 900)}</p>")
    site.compute = _search
    return site.live()


def _search(request: Request) -> Answer | None:
    if request.path not in ("/search.json", "/search"):
        return None
    found = [f"/rare/{number}" for number in range(6)] if request.query.get("q") == "rare" else []
    if request.path == "/search":
        return page("Search", links(found), '<meta name="robots" content="noindex">')
    return Answer(json.dumps(found).encode(), "application/json")


def frames() -> LiveSite:
    """Return an old site of framesets, image maps, refreshes and windows opened by scripts."""
    site = TableSite()
    frameset = '<frameset cols="20%,80%"><frame src="/menu.html"><frame src="/welcome.html"></frameset>'
    site.pages["/"] = Answer(f"<html><head><title>Old site</title></head>{frameset}</html>".encode())
    chapters = [f"/chapter{number}.html" for number in range(1, 13)]
    areas = "".join(f'<area shape="rect" coords="0,0,9,9" href="/place{number}.html" alt="">' for number in range(1, 7))
    windows = "".join(f"<a href=\"javascript:window.open('/note{n}.html')\">Note {n}</a> " for n in range(1, 7))
    clicks = "".join(f"<span onclick=\"location.href='/step{n}.html'\">Step {n}</span> " for n in range(1, 7))
    site.add("/menu.html", links(chapters) + f"<map name=m>{areas}</map>{windows}{clicks}", name="Menu")
    site.add("/welcome.html", '<iframe src="/inner.html"></iframe>', name="Welcome")
    site.add_text("/inner.html", 600, more='<a href="/go">Tour</a>')
    site.others["/go"] = page("One moment", "", '<meta http-equiv="refresh" content="0; url=/tour1.html">')
    for number, chapter in enumerate(chapters):
        site.add_text(chapter, number)
    for place, name in enumerate(("place", "note", "step")):
        for number in range(1, 7):
            site.add_text(f"/{name}{number}.html", 100 + 10 * place + number)
    for number in range(1, 6):
        onward = f"<script>setTimeout(() => location.replace('/tour{number + 1}.html'), 60000)</script>" * (number < 5)
        select = (
            f'<select onchange="location = this.value"><option value="/detail{number}.html">Detail</option></select>'
        )
        site.add_text(f"/tour{number}.html", 650 + number, more=onward + select)
        site.add_text(f"/detail{number}.html", 670 + number)
    return site.live()


def inline_data() -> LiveSite:
    """Return a site whose links stand in JSON inside inline scripts and in data attributes."""
    site = TableSite()
    state = {"routes": [{"path": f"/guides/{n}", "name": title(n)} for n in range(20)], "next": "/more"}
    data = f'<script id="state" type="application/json">{json.dumps(state)}</script>'
    draw = "<script>JSON.parse(document.getElementById('state').textContent)</script>"
    site.add("/", f"<p>{paragraph(950)}</p>{data}{draw}", name="Guides")
    for number in range(20):
        site.add_text(f"/guides/{number}", number)
    rows = "".join(f'<tr data-href="/places/{n}"><td>{title(n)}</td></tr>' for n in range(15))
    assigned = f"<script>window.__STATE__ = {json.dumps({'pages': [f'/topics/{n}' for n in range(15)]})};</script>"
    site.add("/more", f"<table>{rows}</table>{assigned}", name="More")
    for number in range(15):
        site.add_text(f"/places/{number}", 100 + number)
        site.add_text(f"/topics/{number}", 200 + number)
    return site.live()


SITES = (
    Site("parents", "wiki", parents),
    Site("forms", "form", forms),
    Site("frames", "markup", frames),
    Site("inline-data", "markup", inline_data),
)
