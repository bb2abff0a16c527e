"""Detect pages that scripts fill: they have little text and few links, and markup that scripts use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from headwater.pages.documents.html_parser import collapse_whitespace

if TYPE_CHECKING:
    from turbohtml import Document, Element

FEW_LINKS = 10
MANY_LINKS = 200
SHORT_TEXT_LENGTH = 400
MINIMAL_TEXT_LENGTH = 60
_MAX_NOTICES = 20
"""`<noscript>` elements that are read; if they are nested, reading all of them would take quadratic time."""

RENDER_PROBE_REASON = "scripts may add to it"
"""The reason for opening a page that has links and text, to see if it gains more."""

MAX_SCRIPTS = 200
MAX_SCRIPT_CHARS = 20_000
SCRIPT_TYPES = frozenset({"", "module", "text/javascript", "application/javascript", "text/ecmascript"})

_INERT_FILE = re.compile(
    r"googletagmanager|google-analytics|googlesyndication|doubleclick|gstatic|recaptcha|plausible|matomo|piwik|hotjar"
    r"|cloudflareinsights|clarity\.ms|segment\.com|newrelic|sentry|cookiebot|onetrust|cookieconsent|polyfill|mathjax"
    r"|katex|highlight|prism|mermaid|modernizr|html5shiv|respond\.|jquery|bootstrap|popper|underscore|clipboard|lazysiz"
    r"|documentation_options\.js|doctools\.js|sphinx_highlight\.js|searchtools\.js|language_data\.js"
)
"""Scripts that measure visits, colour code, set type or are libraries, which do nothing by themselves."""

_CHANGES_PAGE = re.compile(
    r"fetch\(|XMLHttpRequest|innerHTML|outerHTML|insertAdjacent|append|prepend|document\.write|createElement|import\("
    r"|location|pushState|EventSource|WebSocket|addEventListener|onclick|\$\("
)
_MEASURES = re.compile(r"gtag\(|dataLayer|GoogleAnalyticsObject|\b_gaq\b|\b_paq\b|\bfbq\(|hotjar|clarity\(")

APPLICATION_ROOTS = ",".join(
    "#root #app #__next #__nuxt #___gatsby #svelte #app-root #main-app #react-root #mount #ember-app app-root"
    " astro-island [ng-app] [data-ng-app] [ng-version] [data-reactroot] [data-server-rendered] [data-v-app]"
    " [data-sveltekit-hydrate] [q\\:container] [x-data] [data-turbo] [v-cloak] [data-app] [data-component]".split()
)
_NOT_THIS_SITE = ("#", "http:", "https:", "//", "mailto:", "tel:", "javascript:")
"""Links to other hosts do not make a page complete. Absolute links to the same host are rare in applications."""

_JAVASCRIPT_NOTICES = (
    "enable javascript",
    "requires javascript",
    "javascript is required",
    "javascript is disabled",
    "activate javascript",
    "javascript aktivieren",
    "activer javascript",
)


def list_script_files(document: Document) -> list[str]:
    """Return the URLs of the page's script files, as written, without libraries and scripts that measure visits."""
    sources = (element.attr("src") or "" for element in document.select("script[src]")[:MAX_SCRIPTS])
    return [source for source in dict.fromkeys(sources) if source and not _INERT_FILE.search(source)]


def find_script_reason(document: Document) -> str:
    """Return why a page seems to be filled by its scripts; empty if it does not.

    Few links and little text are not enough, because many pages are short: the page must also have scripts and an
    element that they fill.
    """
    anchors = document.select("a")
    if len(anchors) > MANY_LINKS or not document.select("script"):
        return ""
    hrefs = {element.attr("href") or "" for element in anchors}
    if any(href.startswith(("#/", "#!")) for href in hrefs):
        return "links of the form #/…, which only scripts follow"
    links = sum(not href.startswith(_NOT_THIS_SITE) for href in hrefs)
    if links > FEW_LINKS:
        return ""
    letters = _measure_visible_text(document)
    if letters > SHORT_TEXT_LENGTH:
        return ""
    if (root := document.select_one(APPLICATION_ROOTS)) is not None:
        name = root.attr("id")
        return f"almost empty except for <{root.tag}{f' id={name}' if name else ''}>, which scripts fill"
    if any(
        text in notice.text.lower()
        for notice in document.select("noscript")[:_MAX_NOTICES]
        for text in _JAVASCRIPT_NOTICES
    ):
        return "it asks for JavaScript"
    if letters <= MINIMAL_TEXT_LENGTH and not links:
        return "scripts, and hardly any text"
    return ""


def count_probes(document: Document) -> int:
    """Return how many pages like this one are worth opening to see if their scripts add links.

    Two if the page has the root element of an application, one if it has any script that could change the page,
    none if it has no scripts, or only those that measure, colour code or set type.
    """
    scripts = document.select("script")[:MAX_SCRIPTS]
    if not scripts:
        return 0
    if document.select_one(APPLICATION_ROOTS) is not None:
        return 2
    return int(any(map(_may_change_page, scripts)))


def _may_change_page(script: Element) -> bool:
    """Return True unless a script is data or known to add no links."""
    if (script.attr("type") or "").strip().lower() not in SCRIPT_TYPES:
        return False
    if source := script.attr("src"):
        return not _INERT_FILE.search(source.lower())
    code = script.text[:MAX_SCRIPT_CHARS]
    return bool(_CHANGES_PAGE.search(code)) and not _MEASURES.search(code)


def _measure_visible_text(document: Document) -> int:
    """Return the length of the body's text without scripts, styles and templates."""
    body = document.select_one("body")
    if body is None:
        return 0
    visible = len(collapse_whitespace(body.text))
    for element in body.select("script, style, noscript, template"):
        visible -= len(collapse_whitespace(element.text))
        if visible <= 0:  # nested elements are counted several times; continuing would take quadratic time
            return 0
    return visible
