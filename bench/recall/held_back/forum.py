"""A forum like phpBB: pages are named by query parameters, and every link carries a session id."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode

from bench.recall.prose import day, paragraph, title
from bench.recall.site import NOT_FOUND, Answer, LiveSite, Request, Site
from bench.recall.sites.table_site import TableSite, as_xml, page

FORUMS = {2: "Announcements", 3: "Sailing", 4: "Repairs", 5: "Buy and sell", 6: "Off topic", 9: "Archive of 2009"}
HIDDEN_FORUM = 9
TOPICS = 64
POSTS_A_PAGE, TOPICS_A_PAGE, MEMBERS_A_PAGE = 10, 8, 10
MEMBERS = 20
SESSION = "5f3c1be20d9a47c8a1d0e6b7"
HELD = {"viewtopic.php": ("t", "start"), "viewforum.php": ("f", "start"), "memberlist.php": ("mode", "u", "start")}
"""Parameters that name a page of each script; the others sort, highlight or carry the session."""


def forum_of(topic: int) -> int:
    """Return the forum of a topic; old topics are in the archive."""
    return HIDDEN_FORUM if topic <= 10 else 2 + topic % 5


def posts_of(topic: int) -> int:
    """Return the number of posts of a topic."""
    return 23 if topic % 13 == 0 else 14 if topic % 6 == 0 else 1 + topic % 7


def forum() -> LiveSite:
    """Return 64 topics in six forums; only posts link the forum of the oldest ten topics."""
    site = TableSite()
    listed = [one for one in FORUMS if one != HIDDEN_FORUM]
    front = "".join(f"<li>{_link('viewforum.php', FORUMS[one], f=one)}</li>" for one in listed)
    head = '<link rel="alternate" type="application/atom+xml" title="Feed" href="/feed.php">'
    site.pages["/index.php"] = _framed("Harbour forum", f"<ul>{front}</ul>", head)
    site.others["/"] = site.pages["/index.php"]
    for number in FORUMS:
        _add_forum(site, number)
    for number in range(1, TOPICS + 1):
        _add_topic(site, number)
    _add_members(site)
    questions = "".join(f"<h2>{title(700 + one)}</h2><p>{paragraph(700 + one)}</p>" for one in range(8))
    site.pages["/app.php/help/faq"] = _framed("Frequently asked questions", questions)
    site.others["/feed.php"] = _feed()
    site.others["/robots.txt"] = Answer(b"User-agent: *\nDisallow: /posting.php\n", "text/plain")
    site.alias = _named
    site.compute = lambda request: _computed(site, request)
    return site.live()


def _add_forum(site: TableSite, number: int) -> None:
    topics = [one for one in range(TOPICS, 0, -1) if forum_of(one) == number]
    for start in range(0, len(topics), TOPICS_A_PAGE):
        rows = "".join(_row(topic) for topic in topics[start : start + TOPICS_A_PAGE])
        sorts = "".join(
            _link("viewforum.php", name, f=number, sk=key, sd="a") for key, name in (("a", "Author"), ("v", "Views"))
        )
        paging = _paging("viewforum.php", len(topics), TOPICS_A_PAGE, f=number)
        new = _link("posting.php", "New topic", mode="post", f=number)
        target = _target("viewforum.php", f=number, start=start)
        site.pages[target] = _framed(FORUMS[number], f"<table>{rows}</table>{sorts}{paging}{new}", _canonical(target))


def _row(topic: int) -> str:
    last = _link("viewtopic.php", "Last post", p=topic * 100 + posts_of(topic))
    author = _link("memberlist.php", f"Member {_author(topic, 0)}", mode="viewprofile", u=_author(topic, 0))
    named = _link("viewtopic.php", title(topic), f=forum_of(topic), t=topic)
    return f"<tr><td>{named}</td><td>{author}</td><td>{last}</td></tr>"


def _add_topic(site: TableSite, number: int) -> None:
    for start in range(0, posts_of(number), POSTS_A_PAGE):
        shown = range(start, min(start + POSTS_A_PAGE, posts_of(number)))
        posts = "".join(_post(number, one) for one in shown)
        crumbs = _link("viewforum.php", FORUMS[forum_of(number)], f=forum_of(number))
        tools = _link("viewtopic.php", "Print view", t=number, view="print") + _link(
            "posting.php", "Reply", mode="reply", t=number
        )
        paging = _paging("viewtopic.php", posts_of(number), POSTS_A_PAGE, t=number)
        target = _target("viewtopic.php", t=number, start=start)
        site.pages[target] = _framed(title(number), crumbs + posts + paging + tools, _canonical(target))


def _post(topic: int, place: int) -> str:
    number = topic * 100 + place + 1
    quoted = (
        f" See also {_link('viewtopic.php', 'this old topic', t=topic % 10 + 1)}."
        if topic % 8 == 3 and not place
        else ""
    )
    author = _link("memberlist.php", f"Member {_author(topic, place)}", mode="viewprofile", u=_author(topic, place))
    anchor = _link("viewtopic.php", day(number), p=number) + _link("posting.php", "Quote", mode="quote", p=number)
    return f'<div class="post" id="p{number}">{author} {anchor}<p>{paragraph(number, 3)}{quoted}</p></div>'


def _author(topic: int, place: int) -> int:
    return 2 + (topic * 3 + place) % MEMBERS


def _add_members(site: TableSite) -> None:
    numbers = list(range(2, MEMBERS + 2))
    for number in numbers:
        target = _target("memberlist.php", mode="viewprofile", u=number)
        about = f"<p>{paragraph(900 + number, 2)}</p>" + _link("search.php", "Find posts", author_id=number)
        site.pages[target] = _framed(f"Profile of member {number}", about)
    for start in range(0, len(numbers), MEMBERS_A_PAGE):
        shown = numbers[start : start + MEMBERS_A_PAGE]
        rows = "".join(
            f"<li>{_link('memberlist.php', f'Member {one}', mode='viewprofile', u=one)}</li>" for one in shown
        )
        sorts = _link("memberlist.php", "Joined", sk="c", sd="d")
        paging = _paging("memberlist.php", len(numbers), MEMBERS_A_PAGE)
        target = _target("memberlist.php", start=start)
        site.pages[target] = _framed("Members", f"<ol>{rows}</ol>{sorts}{paging}", _canonical(target))


def _target(script: str, **values: object) -> str:
    """Return a target without a session; the first part of a list has no `start`."""
    given = {name: value for name, value in values.items() if value not in (0, "")}
    return f"/{script}" + (f"?{urlencode(given)}" if given else "")


def _link(script: str, text: str, **values: object) -> str:
    target = _target(script, **values, sid=SESSION).replace("&", "&amp;")
    return f'<a href=".{target}">{text}</a> '


def _canonical(target: str) -> str:
    return f'<link rel="canonical" href="https://site.example{target.replace("&", "&amp;")}">'


def _paging(script: str, count: int, size: int, **values: object) -> str:
    starts = range(0, count, size)
    return (
        "".join(_link(script, str(start // size + 1), **values, start=start) for start in starts)
        if len(starts) > 1
        else ""
    )


def _framed(name: str, body: str, head: str = "") -> Answer:
    menu = (
        _link("index.php", "Board index") + _link("memberlist.php", "Members") + _link("ucp.php", "Login", mode="login")
    )
    menu += _link("app.php/help/faq", "FAQ") + _link("search.php", "Search")
    search = (
        '<form action="./search.php" method="get"><input name="keywords" type="search"><button>Search</button></form>'
    )
    return page(name, menu + search + body, f'<base href="https://site.example/">{head}')


def _feed() -> Answer:
    entries = "".join(
        f"<entry><id>urn:topic:{n}</id><title>{title(n)}</title><updated>{day(n)}T10:00:00Z</updated>"
        f'<link href="https://site.example/viewtopic.php?t={n}"/></entry>'
        for n in range(TOPICS, TOPICS - 15, -1)
    )
    return as_xml(
        f'<feed xmlns="http://www.w3.org/2005/Atom"><title>Forum</title><id>urn:forum</id>{entries}</feed>',
        "application/atom+xml",
    )


def _named(target: str) -> str:
    """Return the target of the page that answers for a target."""
    path, _, query = target.partition("?")
    script = path.lstrip("/") or "index.php"
    given = {name: values[-1] for name, values in parse_qs(query).items()}
    if script == "viewtopic.php" and given.get("p", "").isdecimal():
        topic, place = divmod(int(given["p"]) - 1, 100)
        given |= {"t": str(topic), "start": str(place // POSTS_A_PAGE * POSTS_A_PAGE)}
    kept = {name: given[name] for name in HELD.get(script, ()) if given.get(name, "0") != "0"}
    return _target(script, **kept)


def _computed(site: TableSite, request: Request) -> Answer:
    script, query = request.path.lstrip("/"), request.query
    noindex = '<meta name="robots" content="noindex">'
    if script == "posting.php":
        return Answer(b"", status=302, headers=(("Location", "/ucp.php?mode=login"),))
    if script == "ucp.php":
        return page(
            "Login",
            '<form method="post"><input name="username"><input name="password" type="password"></form>',
            noindex,
        )
    if script == "search.php":
        return page("Search", '<form><input name="keywords"></form><p>No suitable matches were found.</p>', noindex)
    found = site.pages.get(_named(request.target))
    if found and query.get("view") == "print":
        return page("Print view", f"<p>{title(int(query.get('t', '0')))}</p>", noindex)
    return found or NOT_FOUND


SITES = (Site("forum", "forum", forum),)
