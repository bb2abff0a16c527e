"""Sites whose pages are named by feeds, sitemaps or an API rather than by links."""

from __future__ import annotations

from bench.recall.prose import paragraph, title
from bench.recall.site import Answer, LiveSite, Request, Site
from bench.recall.sites.table_site import TableSite, as_json, as_xml, links, page, sitemap


def paged_feed() -> LiveSite:
    """Return a blog whose front page links five posts; an Atom feed with `rel=next` names all 60."""
    site = TableSite()
    feed = '<link rel="alternate" type="application/atom+xml" href="/feed.atom">'
    site.add("/", links(f"/posts/{number}" for number in range(56, 61)), name="Blog", head=feed)
    for number in range(1, 61):
        site.add_text(f"/posts/{number}", number)
    for place in range(1, 7):
        onward = f'<link rel="next" href="https://site.example/feed.atom?page={place + 1}"/>' if place < 6 else ""
        entries = "".join(
            f"<entry><id>urn:post:{n}</id><title>{title(n)}</title><updated>2024-01-01T00:00:00Z</updated>"
            f'<link href="https://site.example/posts/{n}"/></entry>'
            for n in range(61 - place * 10, 71 - place * 10)
        )
        text = f'<feed xmlns="http://www.w3.org/2005/Atom"><title>Blog</title><id>urn:blog</id>{onward}{entries}</feed>'
        answer = as_xml(text, "application/atom+xml")
        site.others[f"/feed.atom?page={place}"] = answer
        site.others.setdefault("/feed.atom", answer)
    return site.live()


def linked_feeds() -> LiveSite:
    """Return a magazine whose sections are named by RSS feeds that only an ordinary link names."""
    site = TableSite()
    sections = ("art", "food", "games")
    site.add("/", links(f"/{one}" for one in sections) + '<a href="/feeds">Subscribe</a>', name="Magazine")
    site.add("/feeds", "".join(f'<a href="/{one}/rss.xml">RSS of {one}</a> ' for one in sections), name="Feeds")
    for place, section in enumerate(sections):
        site.add_text(f"/{section}", 100 + place)
        numbers = range(1, 16)
        listed = "".join(
            f"<item><title>{title(n)}</title><link>https://site.example/{section}/story-{n}</link></item>"
            for n in numbers
        )
        text = f'<rss version="2.0"><channel><title>{section}</title><link>https://site.example/{section}</link>{listed}</channel></rss>'
        site.others[f"/{section}/rss.xml"] = as_xml(text, "application/rss+xml")
        for number in numbers:
            site.add_text(f"/{section}/story-{number}", 20 * place + number)
    return site.live()


def sitemap_orphans() -> LiveSite:
    """Return a site with landing pages in the sitemap only; each links to two further pages."""
    site = TableSite()
    site.add("/", links(["/about", "/help"]), name="Campaigns")
    site.add_text("/about", 500)
    site.add_text("/help", 501)
    landing = [f"/campaign/{number}" for number in range(20)]
    for number, target in enumerate(landing):
        onward = [f"/campaign/{number}/terms", f"/offers/{number}"]
        site.add_text(target, number, more=links(onward))
        for step, other in enumerate(onward):
            site.add_text(other, 100 + 2 * number + step)
    site.others["/robots.txt"] = Answer(b"User-agent: *\nSitemap: https://site.example/maps/all.xml\n", "text/plain")
    site.others["/maps/all.xml"] = sitemap(landing)
    return site.live()


def dead_sitemap() -> LiveSite:
    """Return a site whose sitemap names 40 pages that are gone, some as 404, some as redirects to the front page."""
    site = TableSite()
    living = [f"/articles/{number}" for number in range(30)]
    site.add("/", links(living[:20]), name="Archive")
    for number, target in enumerate(living):
        site.add_text(target, number)
    gone = [f"/articles/old-{number}" for number in range(25)]
    moved = [f"/articles/moved-{number}" for number in range(15)]
    for target in moved:
        site.others[target] = Answer(b"", status=301, headers=(("Location", "/"),))
    site.others["/sitemap.xml"] = sitemap([*living, *gone, *moved])
    return site.live()


def wordpress() -> LiveSite:
    """Return a site like WordPress: the theme links ten posts, the REST API names all posts, pages and books."""
    site = TableSite()
    types = {"posts": ("", 45), "pages": ("", 12), "book": ("books/", 25)}
    head = (
        '<meta name="generator" content="WordPress 6.8"><link rel="https://api.w.org/" '
        'href="https://site.example/wp-json/">'
    )
    api = '</wp-json/>; rel="https://api.w.org/"'
    targets = {
        name: [f"/{prefix}{name.rstrip('s')}-{n}/" for n in range(1, count + 1)]
        for name, (prefix, count) in types.items()
    }
    site.pages["/"] = page("Stories", links(targets["posts"][:10]), head)._replace(headers=(("Link", api),))
    for place, listed in enumerate(targets.values()):
        for number, target in enumerate(listed):
            body = f"<article><p>{paragraph(place * 100 + number)}</p></article>"
            site.pages[target] = page(title(place * 100 + number), body, head)
    site.others["/wp-json/"] = as_json({"name": "Stories", "namespaces": ["wp/v2"], "routes": {"/wp/v2/posts": {}}})
    described = {name: {"slug": name, "rest_base": name, "viewable": True, "rest_namespace": "wp/v2"} for name in types}
    site.others["/wp-json/wp/v2/types"] = as_json(described)

    def compute(request: Request) -> Answer | None:
        name = request.path.removeprefix("/wp-json/wp/v2/").strip("/")
        return _wordpress_list(request, targets[name]) if name in targets and name != request.path.strip("/") else None

    site.compute = compute
    return site.live()


def _wordpress_list(request: Request, listed: list[str]) -> Answer:
    query = request.query
    size, number = (int(query.get(name, default)) for name, default in (("per_page", "10"), ("page", "1")))
    pages = -(-len(listed) // size)
    if not 1 <= number <= pages:
        return as_json({"code": "rest_post_invalid_page_number"})._replace(status=400)
    shown = listed[(number - 1) * size : number * size]
    entries = [
        {"id": n, "link": f"https://site.example{one}", "title": {"rendered": one}} for n, one in enumerate(shown)
    ]
    return as_json(entries, ("X-WP-Total", str(len(listed))), ("X-WP-TotalPages", str(pages)))


def mediawiki() -> LiveSite:
    """Return a site like MediaWiki: articles link a few others, api.php lists all of them."""
    site = TableSite()
    names = [f"Article_{number}" for number in range(1, 71)]
    head = (
        '<meta name="generator" content="MediaWiki 1.43.0">'
        '<link rel="EditURI" type="application/rsd+xml" href="https://site.example/w/api.php?action=rsd">'
    )
    tools = (
        '<a href="/w/index.php?title={0}&amp;action=edit">Edit</a> <a href="/w/index.php?title={0}&amp;action=history">'
        'History</a> <a href="/w/index.php?title=Special:Random">Random</a>'
    )
    front = links(f"/wiki/{name}" for name in names[:15]) + tools.format("Main_Page")
    site.pages["/wiki/Main_Page"] = page("Main Page", front, head)
    for number, name in enumerate(names):
        near = links(f"/wiki/{names[one]}" for one in ((number * 3) % 35, (number * 5) % 35))
        body = f"<p>{paragraph(number)}</p>{near}{tools.format(name)}"
        site.pages[f"/wiki/{name}"] = page(name.replace("_", " "), body, head)
    site.others["/"] = Answer(b"", status=301, headers=(("Location", "/wiki/Main_Page"),))
    site.compute = lambda request: _mediawiki(request, names)
    return site.live()


def _mediawiki(request: Request, names: list[str]) -> Answer | None:
    query = request.query
    if request.path == "/w/index.php":
        name = query.get("title", "")
        if name == "Special:Random":
            return Answer(b"", status=302, headers=(("Location", f"/wiki/{names[0]}"),))
        noindex = '<meta name="robots" content="noindex,nofollow">'
        return page(f"{query.get('action', 'view')} {name}", "<textarea></textarea>", noindex)
    if request.path != "/w/api.php" or query.get("list") != "allpages":
        return None
    listed = ["Main_Page", *names]
    first, size = query.get("apcontinue", ""), min(int(query.get("aplimit", "10").replace("max", "500")), 25)
    begin = listed.index(first) if first in listed else 0
    shown = [
        {"pageid": begin + n, "ns": 0, "title": one.replace("_", " ")}
        for n, one in enumerate(listed[begin : begin + size])
    ]
    onward = {"continue": {"apcontinue": listed[begin + size], "continue": "-||"}} if begin + size < len(listed) else {}
    general = {"general": {"articlepath": "/wiki/$1"}} if query.get("meta") == "siteinfo" else {}
    return as_json({**onward, "query": {**general, "allpages": shown}})


SITES = (
    Site("paged-feed", "feed", paged_feed),
    Site("linked-feeds", "feed", linked_feeds),
    Site("sitemap-orphans", "sitemap", sitemap_orphans),
    Site("dead-sitemap", "sitemap", dead_sitemap),
    Site("wordpress", "CMS", wordpress),
    Site("mediawiki", "CMS", mediawiki),
)
