"""Inspect the scripts of a page with links and text, to judge if opening it in a browser may add links."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

if TYPE_CHECKING:
    from turbohtml import Document, Element

RENDER_PROBE_REASON = "scripts may add to it"
"""The reason for opening a page that has links and text, to see if it gains more."""

PROMISING_PROBES = 2
"""Pages of a shape to open if one of them shows signs that scripts build or operate parts of it."""

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
    "#root #app #__next #__nuxt #___gatsby #__docusaurus #svelte #app-root #main-app #react-root #mount #ember-app"
    " app-root astro-island [ng-app] [data-ng-app] [ng-version] [data-reactroot] [data-server-rendered] [data-v-app]"
    " [data-sveltekit-hydrate] [data-sveltekit-preload-data] [data-sveltekit-preload-code] [q\\:container] [x-data]"
    " [data-turbo] [v-cloak] [data-app] [data-component]".split()
)
_FRAMEWORK_FILE = re.compile(r"/_next/|/_nuxt/|/_app/immutable/|menudata\.js")
_FRAMEWORK_CODE = re.compile(
    r"__next_f|__NEXT_DATA__|__NUXT__|__sveltekit|__remixContext|__reactRouterContext|___gatsby|__APOLLO_STATE__"
    r"|__INITIAL_STATE__|__PRELOADED_STATE__|webpackChunk|webpackJsonp"
)

_FILLED_BY_SCRIPTS = (
    "ul:empty, ol:empty, tbody:empty, nav:empty, main:empty, section:empty, div[id]:empty, div[data-url]:empty"
)
_OPERATED_BY_SCRIPTS = (
    "button:not(form button), [role=button], [role=tab], [onclick], [onmouseover], select[onchange], a[href='#']"
)
_HINTS = (APPLICATION_ROOTS, _FILLED_BY_SCRIPTS, _OPERATED_BY_SCRIPTS)


class ScriptInspection(NamedTuple):
    """The number of pages like this one that are worth opening, and a number that pages of one template share.

    Two if a framework built the page or it has elements that scripts fill or react to, one if it has any script that
    could change the page, none if it has no scripts, or only those that measure, colour code or set type.
    """

    max_probes: int = 0
    template: int = 0


def inspect_scripts(document: Document) -> ScriptInspection:
    """Return how promising it is to open a page in a browser."""
    scripts = document.select("script")[:MAX_SCRIPTS]
    hints = [document.select_one(hint) is not None for hint in _HINTS] if scripts else []
    is_built_by_framework = bool(scripts) and (hints[0] or bool(find_framework_sign(document)))
    if not (is_built_by_framework or any(map(_may_change_page, scripts))):
        return ScriptInspection()
    sources = sorted({(script.attr("src") or "").partition("?")[0] for script in scripts})
    template = crc32(repr((sources, hints)).encode("utf-8", "surrogatepass"))
    return ScriptInspection(PROMISING_PROBES if is_built_by_framework or any(hints) else 1, template)


def find_framework_sign(document: Document) -> str:
    """Return the first trace of a framework in the scripts of a page; empty if there is none."""
    for script in document.select("script")[:MAX_SCRIPTS]:
        source = script.attr("src")
        match = _FRAMEWORK_FILE.search(source) if source else _FRAMEWORK_CODE.search(script.text[:MAX_SCRIPT_CHARS])
        if match:
            return match.group()
    return ""


def _may_change_page(script: Element) -> bool:
    """Return True unless a script is data or known to add no links."""
    if (script.attr("type") or "").strip().lower() not in SCRIPT_TYPES:
        return False
    if source := script.attr("src"):
        return not _INERT_FILE.search(source.lower())
    code = script.text[:MAX_SCRIPT_CHARS]
    return bool(_CHANGES_PAGE.search(code)) and not _MEASURES.search(code)


def list_script_files(document: Document) -> list[str]:
    """Return the URLs of the page's script files, as written, without libraries and scripts that measure visits."""
    sources = (element.attr("src") or "" for element in document.select("script[src]")[:MAX_SCRIPTS])
    return [source for source in dict.fromkeys(sources) if source and not _INERT_FILE.search(source)]
