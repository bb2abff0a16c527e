"""The scope of a site: hosts, subdomains, base paths and external hops."""

from __future__ import annotations

import pytest

from headwater import Scope, UrlError, judge, preset
from headwater.model import Verdict
from headwater.urls.normalization import Policy

SITE = Scope("https://example.com/")


@pytest.mark.parametrize(
    ("base", "strict", "url", "allowed"),
    [
        # strict and loose path matching
        ("https://e.com/financial-apis", True, "https://e.com/financial-apis", True),
        ("https://e.com/financial-apis", True, "https://e.com/financial-apis/overview", True),
        ("https://e.com/financial-apis", True, "https://e.com/financial-apis/auth", True),
        ("https://e.com/financial-apis", True, "https://e.com/financial-apis-blog", False),
        ("https://e.com/financial-apis", True, "https://e.com/financial-apis-docs", False),
        ("https://e.com/financial-apis", False, "https://e.com/financial-apis", True),
        ("https://e.com/financial-apis", False, "https://e.com/financial-apis/overview", True),
        ("https://e.com/financial-apis", False, "https://e.com/financial-apis-blog", True),
        ("https://e.com/financial-apis", False, "https://e.com/financial-apis-docs", True),
        ("https://e.com/financial-apis", False, "https://e.com/other", False),
        # characters that sort before and after a slash
        ("https://e.com/api", True, "https://e.com/api2", False),
        ("https://e.com/api", True, "https://e.com/apis", False),
        ("https://e.com/api", True, "https://e.com/api~x", False),
        ("https://e.com/api", True, "https://e.com/api.html", False),
        ("https://e.com/api", False, "https://e.com/api2", True),
        # sitemaps and subdirectories
        ("https://docs.stripe.com/api", True, "https://docs.stripe.com/api/charges", True),
        ("https://docs.stripe.com/api", True, "https://docs.stripe.com/guides", False),
        ("https://docs.example.com/api", True, "https://docs.example.com/api/users", True),
        ("https://docs.example.com/api", True, "https://docs.example.com/guides", False),
        # a trailing slash or an index file of the base makes no difference
        ("https://e.com/api/", True, "https://e.com/api", True),
        ("https://e.com/api/index.html", True, "https://e.com/api/users", True),
        ("https://e.com/api", True, "https://e.com/api?x=1", True),
        ("https://e.com/api", True, "https://e.com/API/users", False),
        # http and https are one site, ports are not
        ("https://e.com/api", True, "https://f.com/api/users", False),
        ("https://e.com/api", True, "http://e.com/api/users", True),
        ("https://e.com/api", True, "https://e.com:8443/api/users", False),
        ("http://e.com:8080/", True, "http://e.com:8080/x", True),
        # hosts of one letter, as in a local network
        ("http://a/", True, "http://a/", True),
        ("http://a/", True, "http://a/x/y", True),
        ("http://a/x", True, "http://a/x/y", True),
        ("http://a/x", True, "http://a/y/x", False),
        ("http://a/", True, "http://b/a/x", False),
        ("https://a/x", True, "https://a/x/y", True),
        # www is significant
        ("https://www.example.com/", True, "https://www.example.com/a", True),
        ("https://www.example.com/", True, "https://example.com/a", False),
        ("https://example.com/", True, "https://example.com/a", True),
        ("https://example.com/", True, "https://www.example.com/a", False),
        # the whole host belongs to the site, subdomains do not
        ("https://example.com/", True, "https://example.com/any/path", True),
        ("https://example.com/", True, "https://sub.example.com/", False),
        ("https://example.com/", True, "https://example.com.evil.org/", False),
        ("https://example.com/", True, "https://notexample.com/", False),
    ],
)
def test_urls_below_a_base_are_in_scope(base: str, strict: bool, url: str, allowed: bool) -> None:
    assert judge(url, Scope([base], strict_paths=strict)).allowed is allowed


def test_a_scope_may_have_several_bases() -> None:
    scope = Scope(["https://example.com/api", "https://example.com/sdk", "https://example.com/guides"])
    assert all(judge(f"https://example.com/{part}/x", scope).allowed for part in ("api", "sdk", "guides"))
    assert judge("https://example.com/blog", scope).reason == "outside-base-path"


def test_external_links_are_followed_up_to_the_maximum_of_hops() -> None:
    scope = Scope("https://docs.example.com/api", max_external_hops=2)
    assert judge("https://docs.example.com/api/users", scope, hops=1) == Verdict(True, "", "page", 0)
    assert judge("https://sdk.example.com/install", scope, hops=0) == Verdict(True, "", "external", 1)
    assert judge("https://github.com/example/repo", scope, hops=1) == Verdict(True, "", "external", 2)
    assert judge("https://github.com/example/repo", scope, hops=2) == Verdict(False, "other-host", "external", 0)


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("https://docs.example.com/", True),
        ("https://a.b.example.com/", True),
        ("https://example.com/", True),
        ("https://www.example.com/", True),
        ("https://badexample.com/", False),
    ],
)
@pytest.mark.parametrize("base", ["https://example.com/", "https://www.example.com/"])
def test_subdomains_are_in_scope_if_enabled(base: str, url: str, allowed: bool) -> None:
    assert judge(url, Scope(base, subdomains=True)).allowed is allowed


@pytest.mark.parametrize("base", ["https://example.com/", "https://www.example.com/"])
@pytest.mark.parametrize("url", ["https://example.com/a", "http://www.example.com/a"])
def test_folded_www_is_one_site(base: str, url: str) -> None:
    assert judge(url, Scope(base, fold_www=True)).allowed
    assert judge(url, Scope(base, policy=Policy(fold_www=True))).allowed


def test_an_invalid_base_raises_an_error() -> None:
    with pytest.raises(UrlError, match="mailto"):
        Scope("mailto:x@example.com")


def test_host_scope_reduces_seeds_to_their_hosts() -> None:
    scope = Scope.from_settings(["example.com/docs/intro"], preset("waterfall"))
    assert judge("https://example.com/blog", scope).allowed
    docs = Scope.from_settings(["example.com/docs"], preset("docs"))
    assert judge("https://example.com/blog", docs).reason == "outside-base-path"
