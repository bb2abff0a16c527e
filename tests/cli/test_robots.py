"""`headwater robots` prints the verdict and the rule that decides."""

from __future__ import annotations

import json

from sample.serve import sample_site

from tests.commands import headwater
from tests.sites.fault_server import fault_server


def test_paths_are_checked_and_the_deciding_rule_is_shown() -> None:
    with sample_site() as origin:
        done = headwater("robots", origin, "/private/logbook.html", "/guides/", "private/x")
        document = json.loads(headwater("robots", f"{origin}/private/", "--format", "json").out)
    assert done.code == 0
    assert done.out.splitlines() == [
        f"sitemap     {origin}/sitemap_index.xml",
        "disallowed  /private/logbook.html  line 2: Disallow: /private/",
        "allowed     /guides/  no rule matches",
        "disallowed  private/x  line 2: Disallow: /private/",
    ]
    assert done.err.startswith(f"{origin}/robots.txt: 200, ")
    assert document["paths"] == [
        {"url": f"{origin}/private/", "allowed": False, "line": 2, "text": "Disallow: /private/"}
    ]


def test_everything_is_allowed_without_robots_txt() -> None:
    with fault_server() as server:
        done = headwater("robots", server.origin, "/a")
    assert (done.code, done.out) == (0, "allowed     /a  no rule matches\n")
    assert done.err.endswith("http-404; everything is allowed\n")


def test_nothing_is_allowed_if_robots_txt_fails_to_load() -> None:
    done = headwater("robots", "http://127.0.0.1:9", "--retries", "0")
    assert (done.code, done.out) == (1, "")
    assert done.err.endswith("nothing may be fetched until it loads\n")
    private = headwater("robots", "http://10.0.0.1")
    assert (private.code, "private-address 10.0.0.1 is not public" in private.err) == (1, True)


def test_mistakes_exit_with_code_2() -> None:
    assert headwater("robots", "mailto:x").code == 2
    wrong = headwater("robots", "e.com", "--allow-private", "10.0.0.0/99")
    assert (wrong.code, wrong.err.startswith("Error: allow_private (from --allow-private): ")) == (2, True)
