"""Recognize responses that are shown instead of a page: login forms, consent requests and checks for robots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.pages.documents.script_detection import measure_visible_text
from headwater.urls.recognition.access_urls import is_consent_url, is_login_url, names_return_address

if TYPE_CHECKING:
    from collections.abc import Mapping

    from turbohtml import Document

    from headwater.model import Response

MAX_WALL_LINKS = 5
MAX_WALL_TEXT = 800
MAX_WALL_BYTES = 200_000
"""A page with more links, text or markup shows content, even if it asks for something as well."""

CHALLENGE_MARKS = (
    b"cf-challenge", b"_cf_chl_opt", b"/cdn-cgi/challenge-platform/h/", b"captcha-delivery.com", b"px-captcha",
    b"_incapsula_resource", b"awswafcookiedomainlist", b"/_sec/cp_challenge", b"sucuri_cloudproxy", b"ddos-guard",
    b"are you a robot", b"verify you are human", b"verify you are a human", b"checking your browser",
    b"enable javascript and cookies to continue",
)  # fmt: skip
_CAPTCHA_WIDGETS = (b"g-recaptcha", b"h-captcha", b"cf-turnstile", b"hcaptcha.com/1/api.js", b"recaptcha/api.js")
"""Widgets that forms use too; they are a challenge only on a page without fields to fill in."""

_TEXT_FIELDS = "textarea, input[type=text], input[type=email], input[type=search], input[type=tel], input:not([type])"
_LOGIN_FIELD = "input[type=password i]"

_PROTECTION_HEADERS: tuple[tuple[str, str, str], ...] = (
    ("cf-mitigated", "", "Cloudflare"),
    ("x-datadome", "", "DataDome"),
    ("x-amzn-waf-action", "", "AWS WAF"),
    ("x-iinfo", "", "Imperva"),
    ("x-sucuri-id", "", "Sucuri"),
    ("x-vercel-mitigated", "", "Vercel"),
    ("server", "cloudflare", "Cloudflare"),
    ("server", "akamaighost", "Akamai"),
    ("server", "ddos-guard", "DDoS-Guard"),
    ("server", "sucuri", "Sucuri"),
    ("server", "datadome", "DataDome"),
)
"""Headers of services that block robots: name, beginning of the value, name of the service."""

BLOCKING_STATUSES = frozenset({403, 429, 503})


def find_wall(document: Document, response: Response, *, is_redirected: bool) -> str:
    """Return why a response is not the page that was asked for: the reason, or an empty string if it is a page.

    A login page that links lead to is a page of the site; one that a redirect leads to, or that has another URL, is
    shown instead of a page.
    """
    has_password = document.select_one(_LOGIN_FIELD) is not None
    if is_redirected and is_login_url(response.url) and (has_password or names_return_address(response.url)):
        return "login-required"
    if is_redirected and is_consent_url(response.url):
        return "consent-required"
    if len(response.body) > MAX_WALL_BYTES:
        return ""
    if has_password:
        return "login-required" if _is_bare(document) and not is_login_url(response.url) else ""
    return "challenge" if _has_challenge(document, response.body) else ""


def identify_protection(status: int | None, headers: Mapping[str, str]) -> str:
    """Return the service that seems to have blocked a request; empty if none is recognized."""
    if status not in BLOCKING_STATUSES:
        return ""
    return next((name for key, start, name in _PROTECTION_HEADERS if _has_header(headers, key, start)), "")


def _has_header(headers: Mapping[str, str], name: str, start: str) -> bool:
    return name in headers and headers[name].lower().startswith(start)


def _has_challenge(document: Document, body: bytes) -> bool:
    """Return True if a page holds a check for robots and little else; scripts of other pages may contain the marks."""
    if len(document.select("a[href]")) > MAX_WALL_LINKS:
        return False
    lowered = body.lower()
    has_mark = any(mark in lowered for mark in CHALLENGE_MARKS) or (
        any(mark in lowered for mark in _CAPTCHA_WIDGETS) and document.select_one(_TEXT_FIELDS) is None
    )
    return has_mark and _is_bare(document)


def _is_bare(document: Document) -> bool:
    """Return True if a page has few links and little text."""
    return len(document.select("a[href]")) <= MAX_WALL_LINKS and measure_visible_text(document) <= MAX_WALL_TEXT
