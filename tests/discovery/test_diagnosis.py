"""A scan that finds few pages says why, and does not list login forms and checks for robots as pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from headwater import discover
from tests.commands import headwater
from tests.sites.table_site import Answer, table_site, urlset

if TYPE_CHECKING:
    from pathlib import Path

SHELL = "<title>App</title><div id=root></div><script src=/app.js></script>"
LOGIN = "<title>Log in</title><form><input name=user><input type=password></form>"
CHALLENGE = "<title>Just a moment...</title><script>_cf_chl_opt={}</script>Checking your browser"
OTHER = "http://other.example"


def redirect(target: str) -> Answer:
    return Answer(status=302, headers={"Location": target})


CASES: list[tuple[dict[str, Answer | str], int, list[str]]] = [
    (
        {"/": f"<title>Home</title><a href={OTHER}/a>a</a><a href={OTHER}/b>b</a>"},
        1,
        ["2 links lead to another host, other.example.", "--max-external-hops 1", "There is no sitemap or feed"],
    ),
    (
        {"/": redirect("/login?next=/"), "/login?next=/": LOGIN},
        0,
        ["redirects to the login page", "/login?next=/", "--cookies FILE"],
    ),
    ({"/": LOGIN}, 0, ["The start page is a login form.", "--storage-state FILE"]),
    (
        {"/": Answer(CHALLENGE, 403, headers={"cf-mitigated": "challenge"})},
        0,
        ["check for robots by Cloudflare instead of the start page (status 403)"],
    ),
    ({"/": CHALLENGE}, 0, ["check for robots instead of the start page."]),
    (
        {"/": "home", "/robots.txt": Answer("User-agent: *\nDisallow: /", type="text/plain")},
        0,
        ["robots.txt disallows the start page.", "--robots ignore"],
    ),
    ({"/": SHELL}, 1, ["1 page is built by scripts, and --render never", "Leave out --render never"]),
    ({"/": "<title>Empty</title>nothing"}, 1, ["link to no further pages", "there is no robots.txt"]),
    ({"/sitemap.xml": "x"}, 0, ["The start page does not exist (404).", "Check the address."]),
    (
        {"/": "<title>x</title>x", "/sitemap.xml": Answer(urlset(f"{OTHER}/1", f"{OTHER}/2").body, type="text/xml")},
        1,
        ["The sitemap lists only URLs of other hosts, most of other.example (2)."],
    ),
    (
        {"/": "<meta name=robots content=nofollow><a href=/a>a</a>", "/a": "a"},
        1,
        ["1 page says nofollow", "--meta-robots ignore"],
    ),
]


@pytest.mark.parametrize(("pages", "count", "words"), CASES)
def test_a_scan_with_few_pages_is_explained(pages: dict[str, Answer | str], count: int, words: list[str]) -> None:
    with table_site(lambda _: pages) as site, discover(f"{site.origin}/", render="never", retries=0) as found:
        text = "\n".join(found.diagnosis)
        assert len(found.urls) == count
    assert all(word in text for word in words), text


def scan_redirect(target: str) -> tuple[list[str], str, str]:
    """Redirect a start page to a target on a second host; return the pages, the first cause and that host's origin."""
    with (
        table_site(lambda _: {"/": "<title>There</title>there"}, host="127.0.0.2") as second,
        table_site(lambda _: {"/": redirect(f"{second.origin}{target}")}) as first,
        discover(first.origin, render="never", allow_private=["127.0.0.1", "127.0.0.2"]) as found,
    ):
        return found.urls, found.diagnosis[0], second.origin


def test_a_redirect_to_another_host_is_named() -> None:
    urls, cause, origin = scan_redirect("/")
    assert urls == [f"{origin}/"]
    assert cause.startswith(f"The start page redirects to {origin[7:]}, and the scan went on there.")


def test_a_login_page_of_another_host_is_not_scanned() -> None:
    urls, cause, origin = scan_redirect("/sso?SAMLRequest=abc")
    assert not urls
    assert cause.startswith(f"The start page redirects to the login page {origin}/sso?SAMLRequest=abc.")


def test_pages_without_a_browser_are_explained(tmp_path: Path) -> None:
    with table_site(lambda _: {"/": SHELL}) as site:
        missing = str(tmp_path / "no-chromium")
        result = headwater(site.origin, "--browser", missing, cwd=tmp_path)
        explained = headwater("explain", "/somewhere", "--db", "headwater.db", cwd=tmp_path)
    assert result.out.split() == [f"{site.origin}/"]
    lines = result.err.partition("Why so few pages?")[2].splitlines()
    assert lines[1].startswith("  - 1 page is built by scripts: ")
    assert "no-chromium" in lines[1]
    assert "1 page is built by scripts" in explained.out


def test_login_pages_behind_redirects_are_failures_and_their_links_are_followed() -> None:
    pages: dict[str, Answer | str] = {
        "/": "".join(f"<a href=/p{number}>p</a>" for number in range(4)) + "<a href=/private>x</a><a href=/login>l</a>",
        **{f"/p{number}": f"<title>{number}</title>{number}" for number in range(4)},
        "/private": redirect("/login?next=/private"),
        "/login?next=/private": LOGIN + "<a href=/help>Help</a>",
        "/login": LOGIN,
        "/help": "<title>Help</title>help",
    }
    with table_site(lambda _: pages) as site, discover(site.origin, render="never", list="all") as found:
        rows = {page.url.removeprefix(site.origin): (page.list_name, page.reason, page.title) for page in found.pages}
        assert found.diagnosis == []
    assert rows["/login?next=/private"][:2] == ("broken", "login-required")
    assert rows["/login"][0] == rows["/help"][0] == "pages"


@pytest.mark.parametrize("settings", [{"max_pages": 1}, {"max_depth": 0}])
def test_a_scan_that_a_limit_ended_is_not_explained(settings: dict[str, int]) -> None:
    pages = {"/": "<a href=/a>a</a>", "/a": "a"}
    with table_site(lambda _: pages) as site, discover(site.origin, render="never", **settings) as found:
        assert found.diagnosis == []
