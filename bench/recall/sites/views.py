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


SITES = (
    Site("forum", "views", forum),
    Site("parameter-shop", "views", parameter_shop),
    Site("comments-blog", "views", comments_blog),
)
