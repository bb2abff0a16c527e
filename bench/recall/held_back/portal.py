"""A site of a public authority: three languages, an atlas in frames, forms, image maps, PDF files and print views."""

from __future__ import annotations

from urllib.parse import quote

from bench.recall.prose import paragraph, title
from bench.recall.site import HTML, Answer, LiveSite, Request, Site
from bench.recall.sites.table_site import TableSite, as_xml

LANGUAGES = ("en", "fr", "de")
SECTIONS = {
    "en": ("permits", "taxes", "schools", "transport"),
    "fr": ("permis", "impôts", "écoles", "transports"),
    "de": ("bewilligungen", "gebühren", "schulen", "verkehr"),
}
LEAVES = {"en": range(1, 6), "fr": range(1, 6), "de": range(1, 4)}
"""Numbers of the pages of each section; German has fewer."""
NUMBERS = {name: 1000 * place for place, name in enumerate(("en", "fr", "de", "atlas", "press", "town"), 1)}
DISTRICTS = ("north", "harbour", "old-town", "hills", "lakeside", "airport")
TOWNS = tuple(range(3101, 3109))
YEARS = (2022, 2023, 2024)
OLD_STYLE = "text/html; charset=iso-8859-1"


def portal() -> LiveSite:
    """Return 113 pages, of which some are named by alternate links, the sitemap, frames or a form only."""
    site = TableSite()
    splash = "".join(f'<a href="/{one}/" hreflang="{one}">{one.upper()}</a> ' for one in LANGUAGES[:2])
    site.pages["/"] = _page("en", "Canton office", splash)
    for language in LANGUAGES:
        _add_language(site, language)
    _add_press(site)
    _add_atlas(site)
    _add_towns(site)
    _add_other_answers(site)
    return site.live()


def _add_language(site: TableSite, language: str) -> None:
    """Add the pages of a language; the menu has the language only if it is English or French."""
    sections = SECTIONS[language]
    menu = "".join(f'<a href="{_path(language, one)}/">{one}</a> ' for one in sections)
    fronts = {one: f"/{one}/" for one in LANGUAGES}
    more = '<a href="/atlas/">Atlas</a> <a href="/en/press/">Press</a> <a href="/en/towns">Towns</a>' * (
        language == "en"
    )
    site.pages[f"/{language}/"] = _page(language, f"Welcome ({language})", menu + more, _alternates(fronts))
    for place, section in enumerate(sections):
        number = NUMBERS[language] + 100 * place
        numbers = LEAVES[language]
        listed = "".join(
            f'<a href="{_leaf(language, place, one)}">{title(number + one)}</a> ' for one in numbers if one < 5
        )
        twins = {one: _path(one, SECTIONS[one][place]) + "/" for one in LANGUAGES}
        body = f'{listed}<a href="/files/{language}-{place}.pdf">PDF (1.2 MB)</a>'
        site.pages[f"{_path(language, section)}/"] = _page(language, section, body, _alternates(twins))
        for one in numbers:
            twins = {other: _leaf(other, place, one) for other in LANGUAGES if one in LEAVES[other]}
            here = _leaf(language, place, one)
            tools = f'<a href="{here}?print=1">Print</a> <a href="{here}?fontsize=large">A+</a> <a href="#top">Top</a>'
            body = f"<p>{paragraph(number + one)}</p>{tools}"
            head = _alternates(twins) + f'<link rel="canonical" href="https://site.example{here}">'
            site.pages[here] = _page(language, title(number + one), body, head)


def _path(language: str, section: str) -> str:
    return f"/{language}/{quote(section)}"


def _leaf(language: str, place: int, number: int) -> str:
    return f"{_path(language, SECTIONS[language][place])}/{number:03}.html"


def _add_press(site: TableSite) -> None:
    """Add press releases by year; releases before the last year are in a list that a select opens."""
    options = "".join(f'<option value="/en/press/{year}.html">{year}</option>' for year in YEARS)
    choice = f'<select onchange="location.href = this.value"><option>Year</option>{options}</select>'
    latest = "".join(_release_link(YEARS[-1], one) for one in range(1, 4))
    site.pages["/en/press/"] = _page("en", "Press releases", latest + choice)
    for year in YEARS:
        numbers = range(1, 6)
        listed = "".join(_release_link(year, one) for one in numbers)
        site.pages[f"/en/press/{year}.html"] = _page("en", f"Press releases of {year}", listed)
        for one in numbers:
            number = NUMBERS["press"] + 10 * (year - YEARS[0]) + one
            attached = f'<a href="/files/release-{number}.pdf">Download</a>'
            site.pages[f"/en/press/{year}/release-{one}.html"] = _page(
                "en", title(number), f"<p>{paragraph(number)}</p>{attached}"
            )


def _release_link(year: int, number: int) -> str:
    return f'<a href="/en/press/{year}/release-{number}.html">Release {number} of {year}</a> '


def _add_atlas(site: TableSite) -> None:
    """Add an atlas of frames in the encoding of its time, with an image map and pages that only buttons open."""
    frames = '<frameset rows="90,*"><frame name="top" src="top.htm"><frame name="map" src="map.htm"></frameset>'
    site.pages["/atlas/"] = _old("Atlas", "", frames)
    site.pages["/atlas/top.htm"] = _old(
        "Bar", '<a href="legend.htm" target="map">Legend</a> <a href="about.htm" target="_top">About</a>'
    )
    areas = "".join(
        f'<area shape="circle" coords="{n},9,9" href="{one}.htm" alt="{one}">' for n, one in enumerate(DISTRICTS)
    )
    site.pages["/atlas/map.htm"] = _old("Map", f'<img src="map.gif" usemap="#m"><map name="m">{areas}</map>')
    for number, name in enumerate(("legend", "about")):
        site.pages[f"/atlas/{name}.htm"] = _old(name.title(), f"<p>{paragraph(NUMBERS['atlas'] + 50 + number)}</p>")
    for number, name in enumerate(DISTRICTS):
        button = f"<input type=button value=Statistics onclick=\"window.open('stat_{name}.htm', 'w', 'width=300')\">"
        site.pages[f"/atlas/{name}.htm"] = _old(
            name, f"<p>Übersicht. {paragraph(NUMBERS['atlas'] + number)}</p>{button}"
        )
        site.pages[f"/atlas/stat_{name}.htm"] = _old(
            f"Statistics of {name}", f"<p>{paragraph(NUMBERS['atlas'] + 20 + number)}</p>"
        )


def _add_towns(site: TableSite) -> None:
    """Add towns that a form with a select opens, and rare ones that only the number typed by hand opens."""
    options = "".join(f'<option value="{one}">Town {one}</option>' for one in TOWNS)
    form = f'<form action="/en/town" method="get"><select name="code">{options}</select><button>Show</button></form>'
    typed = '<form action="/en/town" method="get"><label>Number <input type="text" name="code"></label></form>'
    site.pages["/en/towns"] = _page("en", "Towns", form + typed)
    for one in TOWNS:
        number = NUMBERS["town"] + one
        site.pages[f"/en/town?code={one}"] = _page("en", f"Town {one}", f"<p>{paragraph(number)}</p>")
    for one in (3190, 3191):
        number = NUMBERS["town"] + one
        site.search_only[f"/en/town?code={one}"] = _page("en", f"Town {one}", f"<p>{paragraph(number)}</p>")


def _add_other_answers(site: TableSite) -> None:
    """Add the sitemap, which names French and German pages as alternates only, and a mirror of the front page."""
    listed = "".join(_sitemap_entry(place, one) for place in range(4) for one in LEAVES["en"])
    names = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    site.others["/sitemap_index_gov.xml"] = as_xml(f"<urlset {names}>{listed}</urlset>")
    rules = "User-agent: *\nDisallow: /intranet/\nSitemap: https://site.example/sitemap_index_gov.xml\n"
    site.others["/robots.txt"] = Answer(rules.encode(), "text/plain")
    for target in ("/index.html", "/default.htm"):
        site.others[target] = Answer(b"", status=302, headers=(("Location", "/"),))
    site.compute = lambda request: _computed(site, request)
    site.alias = _without_view


def _sitemap_entry(place: int, number: int) -> str:
    alternates = "".join(
        f'<xhtml:link rel="alternate" hreflang="{one}" href="https://site.example{_leaf(one, place, number)}"/>'
        for one in LANGUAGES
        if number in LEAVES[one]
    )
    return f"<url><loc>https://site.example{_leaf('en', place, number)}</loc>{alternates}</url>"


def _computed(site: TableSite, request: Request) -> Answer | None:
    if request.path.startswith("/files/") and request.path.endswith(".pdf"):
        return Answer(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n", "application/pdf")
    return site.pages.get(request.path) if request.query.keys() <= {"print", "fontsize"} else None


def _without_view(target: str) -> str:
    path, _, query = target.partition("?")
    return path if query.startswith(("print=", "fontsize=")) else target


def _alternates(twins: dict[str, str]) -> str:
    return "".join(
        f'<link rel="alternate" hreflang="{language}" href="https://site.example{target}">'
        for language, target in twins.items()
    )


def _page(language: str, name: str, body: str, head: str = "") -> Answer:
    text = (
        f'<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN"><html lang="{language}"><head>'
        f'<meta charset="utf-8"/><title>{name}</title>{head}</head><body id="top"><div class="crumbs">'
        f'<a href="/{language}/">Home</a></div><h1>{name}</h1>{body}</body></html>'
    )
    return Answer(text.encode(), HTML)


def _old(name: str, body: str, frames: str = "") -> Answer:
    inner = frames or f"<BODY BGCOLOR=#FFFFFF>{body}</BODY>"
    return Answer(f"<HTML><HEAD><TITLE>{name}</TITLE></HEAD>{inner}</HTML>".encode("latin-1"), OLD_STYLE)


SITES = (Site("portal", "authority", portal),)
