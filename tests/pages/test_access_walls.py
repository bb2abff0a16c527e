"""Login forms, consent requests and checks for robots are told from pages."""

from __future__ import annotations

import pytest

from headwater.model import Response
from headwater.pages.documents.access_walls import find_wall, identify_protection
from headwater.pages.documents.html_parser import parse_html

LINKS = "".join(f"<a href=/{number}>Page {number}</a>" for number in range(9))
PROSE = "<p>" + "Words about something that people read. " * 30
FORM = "<form><input name=user><input type=password></form>"
CLOUDFLARE = "<title>Just a moment...</title><script>window._cf_chl_opt={}</script>Checking your browser"
CAPTCHA = "<title>Access</title><div class=g-recaptcha></div>"


@pytest.mark.parametrize(
    ("body", "path", "is_redirected", "expected"),
    [
        (FORM, "/", False, "login-required"),
        (FORM, "/members", False, "login-required"),
        (FORM, "/login", False, ""),  # a page of the site that links lead to
        (FORM, "/login", True, "login-required"),
        (FORM + LINKS, "/login", True, "login-required"),
        ("<div id=app></div>", "/login?next=/docs", True, "login-required"),
        (PROSE, "/docs/auth", True, ""),  # documentation of authentication that moved
        (FORM + LINKS, "/", False, ""),  # a page with a login box
        (FORM + PROSE, "/", False, ""),
        ("<INPUT TYPE=PASSWORD>", "/", False, "login-required"),
        ("Please agree", "/cookie-wall", True, "consent-required"),
        ("About walls", "/cookie-wall", False, ""),
        (CLOUDFLARE, "/", False, "challenge"),
        (CLOUDFLARE + LINKS, "/", False, ""),
        (CLOUDFLARE + PROSE, "/", False, ""),
        (CAPTCHA, "/", False, "challenge"),
        (CAPTCHA + "<form><textarea></textarea></form>", "/contact", False, ""),  # a form with a captcha
        (CAPTCHA + PROSE, "/", False, ""),
        ("<p>Short", "/", False, ""),
        ("", "/", False, ""),
        (FORM + " " * 300_000, "/", False, ""),
    ],
)
def test_walls_are_told_from_pages(body: str, path: str, is_redirected: bool, expected: str) -> None:
    response = Response(f"https://example.com{path}", 200, body=body.encode())
    assert find_wall(parse_html(response.body, "utf-8"), response, is_redirected=is_redirected) == expected


@pytest.mark.parametrize(
    ("status", "headers", "expected"),
    [
        (403, {"cf-mitigated": "challenge"}, "Cloudflare"),
        (503, {"server": "cloudflare"}, "Cloudflare"),
        (403, {"server": "AkamaiGHost"}, "Akamai"),
        (429, {"x-datadome": "protected"}, "DataDome"),
        (404, {"server": "cloudflare"}, ""),
        (403, {"server": "nginx"}, ""),
        (None, {}, ""),
    ],
)
def test_services_that_block_robots_are_named(status: int | None, headers: dict[str, str], expected: str) -> None:
    assert identify_protection(status, headers) == expected
