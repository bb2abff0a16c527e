"""Sites whose pages have many views: a forum with sessions, a shop whose parameters choose content, a blog."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from zlib import crc32

from bench.recall.prose import paragraph, title
from bench.recall.site import Answer, LiveSite, Request, Site, target_of
from bench.recall.sites.table_site import TableSite, page

if TYPE_CHECKING:
    from collections.abc import Callable

TOPICS, TOPICS_PER_PAGE, POSTS_PER_PAGE = 45, 10, 5
FORUMS = 3
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December")  # fmt: skip


def forum() -> LiveSite:
    """Return a forum like phpBB: sessions in every link, sort orders, parts of topics, print versions, reply forms."""
    site = TableSite()
    targets = ["/index.php", *(f"/viewforum.php?f={forum}" for forum in range(FORUMS))]
    for forum_number in range(FORUMS):
        topics = range(forum_number, TOPICS, FORUMS)
        targets += [
            f"/viewforum.php?f={forum_number}&start={start}" for start in range(10, len(topics), TOPICS_PER_PAGE)
        ]
    for topic in range(TOPICS):
        targets.append(f"/viewtopic.php?t={topic}")
        targets += [
            f"/viewtopic.php?t={topic}&start={start}" for start in range(5, _count_posts(topic), POSTS_PER_PAGE)
        ]
    for target in targets:
        answer = _forum_page(Request(target, {}), session="")
        assert answer is not None
        site.pages[target] = answer
    live = site.live("/index.php")
    site.pages, site.others = {}, {"/": Answer(b"", status=301, headers=(("Location", "/index.php"),))}
    site.compute = lambda request: _forum_page(request, request.query.get("sid") or _new_session(request.target))
    return replace(live, page_of=lambda url: _without(target_of(url), "sid"))


def _without(target: str, name: str) -> str:
    path, _, query = target.partition("?")
    kept = "&".join(one for one in query.split("&") if one and not one.startswith(f"{name}="))
    return f"{path}?{kept}" if kept else path


def _new_session(target: str) -> str:
    return f"{crc32(target.encode()):08x}{crc32(target.encode() + b'x'):08x}"


def _count_posts(topic: int) -> int:
    return 1 + topic % 12


def _forum_page(request: Request, session: str) -> Answer | None:
    query = request.query

    def link(target: str, text: str) -> str:
        mark = "&amp;" if "?" in target else "?"
        sid = f"{mark}sid={session}" if session else ""
        return f'<a href="{target.replace("&", "&amp;")}{sid}">{text}</a> '

    def wrap(name: str, body: str, head: str = "") -> Answer:
        menu = "".join(link(one, one[1:6]) for one in ("/index.php", "/ucp.php?mode=login", "/faq.php"))
        return page(name, f"<nav>{menu}</nav>{body}<footer>Powered by a forum</footer>", head)

    start = int(query.get("start", "0")) if query.get("start", "0").isdecimal() else 0
    number = int(query["f"]) if query.get("f", "").isdecimal() else -1
    topic = int(query["t"]) if query.get("t", "").isdecimal() else -1
    if request.path == "/index.php":
        rows = "".join(f"<li>{link(f'/viewforum.php?f={one}', title(500 + one))}</li>" for one in range(FORUMS))
        return wrap("Board", f"<ul>{rows}</ul>")
    if request.path == "/viewforum.php" and 0 <= number < FORUMS:
        return wrap(title(500 + number), _topic_list(number, start, query.get("sort", ""), link))
    if request.path == "/viewtopic.php" and 0 <= topic < TOPICS and start < _count_posts(topic):
        own = f"/viewtopic.php?t={topic}" + (f"&start={start}" if start else "")
        canonical = f'<link rel="canonical" href="https://site.example{own.replace("&", "&amp;")}">'
        posts = range(start, min(start + POSTS_PER_PAGE, _count_posts(topic)))
        body = "".join(
            f'<div id="p{topic * 100 + one}"><p>{paragraph(topic * 100 + one)}</p>'
            f"{link(f'/posting.php?mode=quote&t={topic}&p={topic * 100 + one}', 'Quote')}"
            f'<a href="#p{topic * 100 + one}">#{one}</a></div>'
            for one in posts
        )
        if query.get("view") == "print":
            return page(title(topic), body, canonical)
        parts = range(0, _count_posts(topic), POSTS_PER_PAGE)
        paging = "".join(
            link(f"/viewtopic.php?t={topic}" + (f"&start={one}" if one else ""), str(1 + one // POSTS_PER_PAGE))
            for one in parts
        )
        tools = link(f"{own}&view=print", "Print view") + link(f"/posting.php?mode=reply&t={topic}", "Reply")
        return wrap(title(topic), body + paging + tools + link(f"/viewforum.php?f={topic % FORUMS}", "Back"), canonical)
    if request.path == "/posting.php" and 0 <= topic < TOPICS:
        noindex = '<meta name="robots" content="noindex">'
        return wrap("Log in", "<p>You need to log in to post in this forum, please do so.</p>", noindex)
    if request.path in {"/ucp.php", "/faq.php"}:
        return Answer(b"", status=302, headers=(("Location", "/index.php"),))
    return None


def _topic_list(forum_number: int, start: int, order: str, link: Callable[[str, str], str]) -> str:
    topics = list(range(forum_number, TOPICS, FORUMS))
    if order:
        topics.sort(key=lambda one: crc32(f"{order} {one}".encode()))
    shown = topics[start : start + TOPICS_PER_PAGE]
    rows = "".join(f"<li>{link(f'/viewtopic.php?t={one}', title(one))} {_count_posts(one)} posts</li>" for one in shown)
    own = f"/viewforum.php?f={forum_number}"
    orders = "".join(link(f"{own}&sort={one}", f"By {one}") for one in ("author", "replies", "views"))
    kept = own + (f"&sort={order}" if order else "")
    paging = "".join(
        link(kept + (f"&start={one}" if one else ""), str(1 + one // TOPICS_PER_PAGE))
        for one in range(0, len(topics), TOPICS_PER_PAGE)
    )
    count = f"<p>{len(topics)} topics, page {1 + start // TOPICS_PER_PAGE}</p>"
    return f"<ul>{rows}</ul>{count}{orders}{paging}"


CATEGORIES = ("hats", "bags", "belts", "scarves")


def parameter_shop() -> LiveSite:
    """Return a shop whose categories and products are chosen by parameters, with views of both."""
    site = TableSite()
    featured = "".join(f'<a href="/item.php?id={one}">{title(one)}</a> ' for one in range(0, 48, 2))
    site.pages["/"] = _shop_page("Shop", f"<p>Welcome.</p>{featured}")
    for place, name in enumerate(CATEGORIES):
        for part in (1, 2):
            target = f"/list.php?category={name}" + ("&page=2" if part == 2 else "")
            site.pages[target] = _category_page(place, part, "")
    for number in range(48):
        site.pages[f"/item.php?id={number}"] = _item_page(number)
    for tab in ("delivery", "returns", "sizes"):
        text = f"<h2>{tab}</h2><p>{paragraph(len(tab) + 800)}</p>"
        site.pages[f"/help.php?topic={tab}"] = _shop_page("Help", text)

    def compute(request: Request) -> Answer | None:
        query, path = request.query, request.path
        if path == "/list.php" and query.get("category") in CATEGORIES:
            part = 2 if query.get("page") == "2" else 1
            return _category_page(CATEGORIES.index(query["category"]), part, query.get("order", ""))
        if path == "/item.php" and query.get("id", "").isdecimal() and int(query["id"]) < 48:
            return _item_page(int(query["id"]), query.get("from", ""))
        return None

    site.compute = compute
    site.alias = lambda target: (
        _without(_without(target, "from"), "print") if target.startswith("/item.php") else target
    )
    return site.live()


def _shop_page(name: str, body: str, head: str = "") -> Answer:
    menu = "".join(f'<a href="/list.php?category={one}">{one}</a> ' for one in CATEGORIES)
    helps = "".join(f'<a href="/help.php?topic={one}">{one}</a> ' for one in ("delivery", "returns", "sizes"))
    return page(name, f"<nav>{menu}</nav>{body}<footer>{helps}</footer>", head)


def _category_page(place: int, part: int, order: str) -> Answer:
    name = CATEGORIES[place]
    numbers = list(range(place * 12, place * 12 + 12))
    if order == "price":
        numbers.reverse()
    shown = numbers[part * 6 - 6 : part * 6]
    rows = "".join(
        f'<li><a href="/item.php?id={one}&amp;from={name}">{title(one)}</a> {one + 5} €</li>' for one in shown
    )
    own = f"/list.php?category={name}"
    tools = "".join(f'<a href="{own}&amp;order={one}">{one}</a> ' for one in ("price", "name"))
    order_part = f"&amp;order={order}" if order else ""
    paging = f'<a href="{own}{order_part}&amp;page=2">2</a>' if part == 1 else f'<a href="{own}{order_part}">1</a>'
    return _shop_page("Catalogue", f"<h2>{name}</h2><p>12 articles</p><ul>{rows}</ul>{tools}{paging}")


def _item_page(number: int, origin: str = "") -> Answer:
    back = f'<a href="/list.php?category={origin}">Back to {origin}</a>' if origin else ""
    views = f'<a href="/item.php?id={number}&amp;print=1">Print</a>'
    return _shop_page(title(number), f"<p>{paragraph(number)}</p><p>{number + 5} €</p>{back}{views}")


def comments_blog() -> LiveSite:
    """Return a blog with reply links on comments, month archives, and an endless calendar of events."""
    site = TableSite()
    posts = {number: f"/2024/{1 + number % 6:02}/post-{number}/" for number in range(30)}
    months = sorted({target[:9] for target in posts.values()})
    front = "".join(f'<a href="{posts[one]}">{title(one)}</a> ' for one in posts)
    archive = "".join(f'<a href="{one}">{one}</a> ' for one in months)
    site.pages["/"] = page("Diary", f'{front}<aside>{archive}</aside><a href="/events/2024-05/">Events</a>')
    for month in months:
        rows = "".join(
            f'<li><a href="{target}">{title(one)}</a></li>' for one, target in posts.items() if target[:9] == month
        )
        site.pages[month] = page(f"Archive of {month}", f"<ul>{rows}</ul>")
    for number, target in posts.items():
        site.pages[target] = _post_page(number, target, "")
    for name in ("2024-04", "2024-05", "2024-07"):
        site.pages[f"/events/{name}/"] = _month_page(name)

    def compute(request: Request) -> Answer | None:
        found = next((one for one, target in posts.items() if target == request.path), None)
        if found is not None:
            return _post_page(found, request.path, request.query.get("replytocom", ""))
        name = request.path.removeprefix("/events/").strip("/")
        year, _, month = name.partition("-")
        is_month = (
            request.path.startswith("/events/") and year.isdecimal() and month.isdecimal() and 1 <= int(month) <= 12
        )
        return _month_page(name) if is_month else None

    site.compute = compute
    return site.live()


def _post_page(number: int, target: str, reply_to: str) -> Answer:
    comments = "".join(
        f'<li id="comment-{number * 10 + one}">{paragraph(number * 10 + one + 2000, 1)}'
        f'<a href="{target}?replytocom={number * 10 + one}#respond">Reply</a></li>'
        for one in range(number % 4)
    )
    heading = f"Leave a reply to visitor {reply_to}" if reply_to else "Leave a reply"
    cancel = f'<a href="{target}#respond">Cancel reply</a>' if reply_to else ""
    head = f'<link rel="canonical" href="https://site.example{target}">'
    form = f'<div id="respond"><h3>{heading}</h3>{cancel}<form method="post"><textarea></textarea></form></div>'
    return page(title(number), f"<p>{paragraph(number)}</p><ol>{comments}</ol>{form}", head)


def _month_page(name: str) -> Answer:
    year, month = int(name[:4]), int(name[5:])
    place = year * 12 + month - 1
    around = "".join(
        f'<a href="/events/{one // 12}-{one % 12 + 1:02}/">{MONTHS[one % 12]}</a> ' for one in (place - 1, place + 1)
    )
    entries = {"2024-04": "Spring fair", "2024-05": "Reading in the garden", "2024-07": "Summer party"}
    event = f"<p>{entries[name]}</p>" if name in entries else "<p>No events</p>"
    days = "".join(f"<td>{day}</td>" for day in range(1, 29 + month % 3))
    label = f"{MONTHS[month - 1]} {year}"
    return page(f"Events in {label}", f"<h2>{label}</h2>{event}<table><tr>{days}</tr></table>{around}")


WIKI_PAGES = 40


def old_wiki() -> LiveSite:
    """Return a wiki like DokuWiki: every page has an edit form, old revisions, an index and a source view."""
    site = TableSite()
    names = ["start", *(f"topic{number}" for number in range(WIKI_PAGES))]
    for place, name in enumerate(names):
        site.pages[f"/doku.php?id={name}"] = _wiki_page(place, names, {})
    site.others["/"] = Answer(b"", status=301, headers=(("Location", "/doku.php?id=start"),))

    def compute(request: Request) -> Answer | None:
        query = request.query
        is_known = request.path == "/doku.php" and query.get("id") in names
        return _wiki_page(names.index(query["id"]), names, query) if is_known else None

    site.compute = compute
    return site.live()


def _wiki_page(place: int, names: list[str], query: dict[str, str]) -> Answer:
    name, own = names[place], f"/doku.php?id={names[place]}"
    tools = "".join(
        f'<a href="{own}&amp;do={one}">{text}</a> '
        for one, text in {
            "edit": "Edit",
            "revisions": "Old revisions",
            "index": "Sitemap",
            "export_raw": "Source",
        }.items()
    )
    near = names[1:9] if not place else [names[(place * 2) % len(names)], names[(place * 3 + 1) % len(names)]]
    seen = "".join(f'<a href="/doku.php?id={one}">{one}</a> ' for one in near)
    canonical = f'<link rel="canonical" href="https://site.example{own}">'
    view = query.get("do", "")
    noindex = '<meta name="robots" content="noindex,nofollow">' if view or "rev" in query else ""
    body = f"<p>{paragraph(place)}</p>{seen}"
    if view == "edit":
        body = f"<form method=post><textarea>{paragraph(place)}</textarea></form>"
    elif view == "revisions":
        rows = "".join(f'<li><a href="{own}&amp;rev={rev}">{rev}</a></li>' for rev in (1700000000 + place, 1710000000))
        body = f"<p>These are the older revisions of the current document.</p><ul>{rows}</ul>"
    elif view == "index":
        body = "".join(f'<li><a href="/doku.php?id={one}">{one}</a></li>' for one in names)
        noindex = '<meta name="robots" content="noindex">'
    elif "rev" in query:
        body = f"<p>This is an old revision of the document!</p><p>{paragraph(place + 600)}</p>"
    elif view == "export_raw":
        return Answer(paragraph(place).encode(), "text/plain")
    return page(f"{name} [wiki]", body + tools, noindex or canonical)


def label_catalogue() -> LiveSite:
    """Return a parts catalogue without sentences: one title for all pages, short labels, currencies and list sizes."""
    site = TableSite()
    parts = range(60)
    site.pages["/"] = _parts_page("<a href='/parts'>All parts</a>")
    site.pages["/parts"] = _parts_list({})
    site.pages |= {f"/parts?offset={start}": _parts_list({"offset": str(start)}) for start in (20, 40)}
    for number in parts:
        site.pages[f"/part?no={number}"] = _part(number, {})

    def compute(request: Request) -> Answer | None:
        if request.path == "/parts":
            return _parts_list(request.query)
        number = request.query.get("no", "")
        return _part(int(number), request.query) if request.path == "/part" and number in map(str, parts) else None

    site.compute = compute
    return site.live()


def _parts_page(body: str) -> Answer:
    menu = "".join(f'<a href="/?skin={one}">{one}</a> ' for one in ("light", "dark"))
    return page("Parts", f"<header>Call 555 0100</header>{body}<footer>{menu}</footer>")


def _parts_list(query: dict[str, str]) -> Answer:
    start = int(query.get("offset", "0")) if query.get("offset", "0").isdecimal() else 0
    numbers = list(range(60))
    if query.get("order") == "weight":
        numbers.sort(key=lambda one: one * 7 % 60)
    rows = "".join(
        f'<tr><td><a href="/part?no={one}">{_name(one)}</a></td></tr>' for one in numbers[start : start + 20]
    )
    kept = f"order={query['order']}&amp;" if "order" in query else ""
    more = f'<a href="/parts?{kept}offset={start + 20}">More</a> ' if start < 40 else ""
    return _parts_page(f'<table>{rows}</table>{more}<a href="/parts?order=weight">By weight</a>')


def _part(number: int, query: dict[str, str]) -> Answer:
    sign = {"usd": "$", "gbp": "£"}.get(query.get("currency", ""), "€")
    switches = "".join(f'<a href="/part?no={number}&amp;currency={one}">{one}</a> ' for one in ("usd", "gbp"))
    return _parts_page(f"<h2>{_name(number)}</h2><b>{number * 3 + 4} {sign}</b> <i>{number % 7} kg</i> {switches}")


def _name(number: int) -> str:
    return f"{title(number).split()[1]} {title(number).split()[4].rstrip(',')} {number}"


SITES = (
    Site("forum", "views", forum),
    Site("parameter-shop", "views", parameter_shop),
    Site("comments-blog", "views", comments_blog),
    Site("old-wiki", "views", old_wiki),
    Site("label-catalogue", "views", label_catalogue),
)
