"""Shops: pagination, "load more", infinite scroll, menus written by scripts, tabs, hover menus, facets, calendars."""

from __future__ import annotations

from bench.recall.prose import paragraph, title
from bench.recall.site import Answer, LiveSite, Request, Site
from bench.recall.sites.table_site import TableSite, as_json, as_script, links, page

LOAD_MORE = """
let next = 1;
const list = document.getElementById("list"), button = document.getElementById("more");
async function more() {
  const data = await (await fetch("/api/products?page=" + next++)).json();
  for (const one of data.items) {
    const entry = document.createElement("li"), link = document.createElement("a");
    link.href = "/p/" + one.slug; link.textContent = one.name; entry.append(link); list.append(entry);
  }
  button.hidden = !data.more;
}
button.addEventListener("click", more);
more();
"""
SCROLL = """
let next = 1, busy = false;
const list = document.getElementById("list");
async function more() {
  if (busy || !next) return;
  busy = true;
  const data = await (await fetch("/api/stories?after=" + next)).json();
  for (const one of data.items) {
    const entry = document.createElement("article");
    entry.style.height = "300px"; entry.innerHTML = `<a href="${one.path}">${one.name}</a>`; list.append(entry);
  }
  next = data.next; busy = false;
}
new IntersectionObserver((entries) => entries[0].isIntersecting && more()).observe(document.getElementById("end"));
more();
"""
MENU = """
const menu = {Beds: 8, Chairs: 9, Lamps: 7, Rugs: 6};
for (const [name, count] of Object.entries(menu)) {
  const part = document.createElement("div");
  part.innerHTML = `<button>${name}</button><div class="panel" hidden></div>`;
  part.firstChild.addEventListener("mouseenter", () => {
    const panel = part.lastChild;
    if (!panel.childElementCount)
      for (let i = 1; i <= count; i++) {
        const link = document.createElement("a");
        link.href = ["", name.toLowerCase(), "model-" + i].join("/"); link.textContent = name + " " + i;
        panel.append(link);
      }
    panel.hidden = false;
  });
  document.querySelector("nav").append(part);
}
document.querySelectorAll("[data-tab]").forEach((tab) => tab.addEventListener("click", async () => {
  document.getElementById("tab").innerHTML = await (await fetch("/fragments/" + tab.dataset.tab)).text();
}));
"""


def pagination() -> LiveSite:
    """Return a catalogue of 120 products on numbered pages of three categories."""
    site = TableSite()
    categories = {"tools": range(50), "toys": range(50, 90), "books": range(90, 120)}
    site.add("/", links(f"/{name}" for name in categories), name="Catalogue")
    for name, numbers in categories.items():
        pages = _batches(list(numbers), 10)
        for place, batch in enumerate(pages, 1):
            onward = f'<a href="/{name}?page={place + 1}">Next</a>' if place < len(pages) else ""
            back = f'<a href="/{name}?page={place - 1}">Previous</a>' if place > 1 else ""
            body = links(f"/{name}/product-{number}" for number in batch) + back + onward
            site.add(f"/{name}" + (f"?page={place}" if place > 1 else ""), body, name=f"{name}, page {place}")
        site.others[f"/{name}?page=1"] = site.pages[f"/{name}"]
        for number in numbers:
            site.add_text(f"/{name}/product-{number}", number)
    site.alias = lambda target: target.removesuffix("?page=1")
    return site.live()


def _batches(numbers: list[int], size: int) -> list[tuple[int, ...]]:
    return [tuple(numbers[start : start + size]) for start in range(0, len(numbers), size)]


def load_more() -> LiveSite:
    """Return a shop whose products are fetched by a button."""
    site = TableSite()
    body = '<ul id="list"></ul><button id="more">Load more</button><script src="/shop.js"></script>'
    site.add("/", body + '<a href="/about">About</a>', name="Shop")
    site.add_text("/about", 900)
    site.others["/shop.js"] = as_script(LOAD_MORE)
    for number in range(1, 61):
        site.add_text(f"/p/item-{number}", number)

    def compute(request: Request) -> Answer | None:
        if request.path != "/api/products" or not request.query.get("page", "").isdecimal():
            return None
        number = int(request.query["page"])
        shown = range((number - 1) * 12 + 1, min(number * 12, 60) + 1)
        return as_json({"items": [{"slug": f"item-{n}", "name": title(n)} for n in shown], "more": number < 5})

    site.compute = compute
    return site.live()


def infinite_scroll() -> LiveSite:
    """Return a magazine whose stories are appended while the page is scrolled."""
    site = TableSite()
    body = '<div id="list"></div><div id="end">…</div><script src="/scroll.js"></script>'
    site.add("/", body, name="Magazine")
    site.others["/scroll.js"] = as_script(SCROLL)
    for number in range(1, 61):
        site.add_text(f"/stories/{number}", number)

    def compute(request: Request) -> Answer | None:
        if request.path != "/api/stories" or not request.query.get("after", "").isdecimal():
            return None
        first = int(request.query["after"])
        shown = range(first, min(first + 10, 61))
        return as_json(
            {
                "items": [{"path": f"/stories/{n}", "name": title(n)} for n in shown],
                "next": first + 10 if first < 51 else 0,
            }
        )

    site.compute = compute
    return site.live()


def script_menu() -> LiveSite:
    """Return a shop with a menu written by a script on hover, and tabs whose content is fetched."""
    site = TableSite()
    tabs = "".join(f'<button data-tab="{name}">{name}</button>' for name in ("new", "used", "rented"))
    site.add("/", f'<nav></nav>{tabs}<div id="tab"></div><script src="/menu.js"></script>', name="Furniture")
    site.others["/menu.js"] = as_script(MENU)
    for place, (name, count) in enumerate({"beds": 8, "chairs": 9, "lamps": 7, "rugs": 6}.items()):
        for number in range(1, count + 1):
            site.add_text(f"/{name}/model-{number}", number + 10 * place)
    for place, name in enumerate(("new", "used", "rented")):
        targets = [f"/{name}/offer-{number}" for number in range(1, 6)]
        site.others[f"/fragments/{name}"] = Answer(links(targets).encode())
        for number, target in enumerate(targets):
            site.add_text(target, 300 + 10 * place + number)
    return site.live()


FACETS = {
    "colour": ("red", "green", "blue", "black"),
    "size": ("s", "m", "l"),
    "brand": ("arda", "brun", "celo", "dory", "elma"),
}
SORTS = ("price", "name", "newest")


def facets() -> LiveSite:
    """Return a shop with 60 products whose list can be filtered and sorted in any combination."""
    site = TableSite()
    for number in range(60):
        variants = f'<a href="/p/{number}?print=1">Print</a> <a href="/p/{number}?sid=a{number}f">Share</a>'
        site.add_text(f"/p/{number}", number, more=f'<a href="/shop">Shop</a> {variants}')
    site.add("/", '<a href="/shop">Shop</a>', name="Clothes")
    site.pages["/shop"] = _facet_list({})
    site.pages |= {f"/shop?page={number}": _facet_list({"page": str(number)}) for number in (2, 3)}

    def compute(request: Request) -> Answer | None:
        if request.path == "/shop":
            return _facet_list(request.query)
        return site.pages.get(request.path) if request.path.startswith("/p/") else None

    site.compute = compute
    site.alias = lambda target: target.partition("?")[0] if target.startswith("/p/") else target
    return site.live()


def _facet_list(chosen: dict[str, str]) -> Answer:
    number = int(chosen.get("page", "1")) if chosen.get("page", "1").isdecimal() else 1
    shown = [one for one in range(60) if _fits(one, chosen)]
    if chosen.get("sort") == "newest":
        shown.reverse()
    offered = {**FACETS, "sort": SORTS}
    narrowed = [(name, value) for name, values in offered.items() for value in values]
    facet_links = "".join(
        f'<a href="/shop?{_query({**chosen, name: value, "page": ""})}">{value}</a> ' for name, value in narrowed
    )
    onward = (
        f'<a href="/shop?{_query({**chosen, "page": str(number + 1)})}">Next</a>' if number * 20 < len(shown) else ""
    )
    body = links(f"/p/{one}" for one in shown[number * 20 - 20 : number * 20]) + facet_links + onward
    return page("All clothes", body)


def _fits(product: int, chosen: dict[str, str]) -> bool:
    return all(chosen.get(name) in (None, values[product % len(values)]) for name, values in FACETS.items())


def _query(values: dict[str, str]) -> str:
    return "&".join(f"{name}={value}" for name, value in values.items() if value)


def calendar() -> LiveSite:
    """Return a club with 40 events and a calendar that goes on without end."""
    site = TableSite()
    events = [f"/events/{number}" for number in range(40)]
    site.add("/", '<a href="/calendar">Calendar</a> <a href="/events">Events</a>', name="Club")
    site.add("/events", links(events), name="Events")
    for number, target in enumerate(events):
        site.add_text(target, number, more='<a href="/calendar">Calendar</a>')

    def month(request: Request) -> Answer | None:
        if request.path != "/calendar":
            return None
        text = request.query.get("month", "2024-01")
        year, _, number = text.partition("-")
        if not (year.isdecimal() and number.isdecimal() and 1 <= int(number) <= 12):
            return None
        place = int(year) * 12 + int(number) - 1
        names = [f"{one // 12}-{one % 12 + 1:02}" for one in (place - 1, place + 1)]
        around = "".join(f'<a href="/calendar?month={one}">{one}</a> ' for one in names)
        days = "".join(f"<td>{day}</td>" for day in range(1, 29))
        return page(f"Calendar {text}", f"<table><tr>{days}</tr></table>{around}")

    site.compute = month
    first = month(Request("/calendar", {}))
    assert first is not None
    site.pages["/calendar"] = first
    return site.live()


def tracking() -> LiveSite:
    """Return a newspaper whose links carry session ids, referrers and print versions."""
    site = TableSite()
    front = "".join(f'<a href="/news/{n}?PHPSESSID=abc{n}&amp;utm_source=front">{title(n)}</a> ' for n in range(40))
    site.add("/", front, name="News")
    for number in range(40):
        near = [(number + step) % 40 for step in (1, 7)]
        more = "".join(f'<a href="/news/{n}?ref={number}&amp;sessionid={n * 7 + number}">See</a> ' for n in near)
        printed = f'<a href="/news/{number}/print">Print version</a>'
        canonical = f'<link rel="canonical" href="https://site.example/news/{number}">'
        body = f"<p>{paragraph(number, 20)}</p>"
        site.add(f"/news/{number}", body + more + printed, name=title(number), head=canonical)
        site.others[f"/news/{number}/print"] = page(title(number), body, canonical)
    site.compute = lambda request: site.pages.get(request.path)
    site.alias = lambda target: target.partition("?")[0]
    return site.live()


SITES = (
    Site("pagination", "catalogue", pagination),
    Site("load-more", "catalogue", load_more),
    Site("infinite-scroll", "catalogue", infinite_scroll),
    Site("script-menu", "catalogue", script_menu),
    Site("facets", "catalogue", facets),
    Site("calendar", "trap", calendar),
    Site("tracking", "trap", tracking),
)
