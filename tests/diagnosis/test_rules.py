"""A scan with few pages is explained by facts: each cause has its sentence and what to try."""

from __future__ import annotations

from typing import Any

import pytest

from headwater.diagnosis import ScanFacts, diagnose

SEED = "https://example.com/"
WITH_SITEMAP = {"has_robots": True, "names_sitemap": True, "sitemap_files": 1, "sitemap_urls": 1}


def explain(**facts: Any) -> dict[str, str]:
    """Return message and advice by cause, for a site that has a sitemap unless the facts say otherwise."""
    found = diagnose(ScanFacts(**{"seed": SEED, **WITH_SITEMAP, **facts}))
    return {one.cause: f"{one.message} {one.advice}".strip() for one in found}


@pytest.mark.parametrize(
    ("facts", "cause", "words"),
    [
        ({"start_reason": "robots-disallowed"}, "start-page-disallowed", ["robots.txt disallows", "--robots ignore"]),
        ({"start_reason": "robots-unreachable"}, "robots-unreachable", ["robots.txt could not", "headwater resume"]),
        ({"start_reason": "challenge", "start_status": 200}, "challenge", ["check for robots instead"]),
        (
            {"start_reason": "http-403", "start_status": 403, "protection": "Cloudflare"},
            "challenge",
            ["by Cloudflare", "(status 403)"],
        ),
        ({"start_reason": "http-401", "start_status": 401}, "login-required", ["user name", "--credentials"]),
        (
            {"start_reason": "login-required", "redirected_to": f"{SEED}login"},
            "login-required",
            ["redirects to the login page https://example.com/login", "--cookies FILE"],
        ),
        ({"start_reason": "login-required"}, "login-required", ["is a login form", "--storage-state FILE"]),
        ({"start_reason": "login-required", "has_session": True}, "login-required", ["session has expired"]),
        (
            {"start_reason": "consent-required", "redirected_to": "https://consent.example.org/"},
            "consent-required",
            ["request for consent: https://consent.example.org/", "--cookies FILE"],
        ),
        ({"start_reason": "http-404", "start_status": 404}, "start-page-failed", ["does not exist (404)", "address"]),
        ({"start_reason": "http-403", "start_status": 403}, "start-page-failed", ["refused", "--user-agent"]),
        ({"start_reason": "http-429", "start_status": 429}, "start-page-failed", ["fewer requests", "--delay"]),
        ({"start_reason": "http-500", "start_status": 500}, "start-page-failed", ["answered 500", "resume"]),
        ({"start_reason": "timeout-total"}, "start-page-failed", ["timeout-total"]),
        (
            {"start_reason": "not-html", "start_status": 200, "start_type": "application/json"},
            "start-page-failed",
            ["not an HTML page but application/json"],
        ),
        ({"redirected_to": "https://example.de/"}, "other-host", ["redirects to example.de", "country"]),
        ({"scripted": 1, "render": "never"}, "built-by-scripts", ["1 page is built", "Leave out --render never"]),
        (
            {"scripted": 2, "browser_problem": "Chromium is not installed"},
            "built-by-scripts",
            ["2 pages are built by scripts: Chromium is not installed", "headwater doctor"],
        ),
        ({"posts": 2, "opened": 1, "scripted": 1}, "loaded-by-post", ["2 POST requests"]),
        ({"nofollow": 1}, "links-not-read", ["nofollow", "--meta-robots ignore"]),
        (
            {"link_hosts": {"docs.example.com": 3, "x.com": 1}},
            "links-to-other-hosts",
            ["4 links lead to other hosts, most of them to docs.example.com (3)", "--subdomains"],
        ),
        ({"link_hosts": {"www.example.com": 2}}, "links-to-other-hosts", ["another host", "--fold-www"]),
        (
            {"link_hosts": {"other.org": 1}},
            "links-to-other-hosts",
            ["only other link", "--max-external-hops 1", "headwater https://other.org/"],
        ),
        ({"reasons": {"outside-base-path": 7}}, "outside-path", ["7 URLs", "--scope host"]),
        ({"reasons": {"robots-disallowed": 2}}, "links-disallowed", ["disallows 2 further URLs"]),
        ({"reasons": {"not-included": 5}}, "filtered", ["5 URLs skipped because of --include"]),
        ({"reasons": {"http-500": 5, "http-404": 1}}, "pages-failed", ["5 pages failed: The server answered 500"]),
        ({"reasons": {"login-required": 5}}, "pages-failed", ["login form", "--cookies"]),
        (
            {"sitemap_urls": 0, "sitemap_hosts": {"old.example.org": 4}},
            "sitemap-of-other-host",
            ["only URLs of other hosts, most of old.example.org (4)", "headwater https://old.example.org/"],
        ),
        (
            {"sitemap_files": 0, "blocked_sitemap": f"{SEED}sitemap.xml answered 403"},
            "sitemap-blocked",
            ["sitemap.xml answered 403"],
        ),
        (
            {"sitemap_files": 0, "names_sitemap": False},
            "no-sitemap",
            ["robots.txt names none", "--sitemap-places PATH"],
        ),
        ({"sitemap_files": 0, "names_sitemap": False, "has_robots": False}, "no-sitemap", ["there is no robots.txt"]),
        ({"sitemap_files": 0}, "no-sitemap", ["that robots.txt names could not be read"]),
        ({}, "no-links", ["link to no further pages", "several URLs"]),
    ],
)
def test_each_cause_has_a_sentence_and_advice(facts: dict[str, Any], cause: str, words: list[str]) -> None:
    found = explain(**facts)
    assert all(word in found[cause] for word in words), found


@pytest.mark.parametrize(
    ("facts", "causes"),
    [
        ({"start_reason": "http-404", "start_status": 404, "scripted": 1, "nofollow": 1}, ["start-page-failed"]),
        ({"sitemap_files": 0, "names_sitemap": False}, ["no-links", "no-sitemap"]),
        ({"link_hosts": {"other.org": 2}, "scripted": 1, "opened": 1}, ["links-to-other-hosts"]),
        ({"reads_sitemaps": False, "sitemap_files": 0}, ["no-links"]),
        ({"redirected_to": f"{SEED}en/"}, ["no-links"]),
        ({"start_reason": "http-401", "start_status": 401}, ["login-required"]),
    ],
)
def test_only_causes_that_apply_are_named(facts: dict[str, Any], causes: list[str]) -> None:
    assert list(explain(**facts)) == causes
