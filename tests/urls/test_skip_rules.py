"""Which URLs are visited: every example of the seeds, every reason, and no text that raises."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwater import Scope, SettingError, UrlError, judge, preset
from headwater.model import Verdict
from headwater.urls import explain
from headwater.urls.file_types import TYPE_BY_EXTENSION
from headwater.urls.normalization import Policy
from headwater.urls.skip_rules import SKIP_RULES, get_rule_reason
from tests.urls.strategies import url_like

SITE = Scope("https://example.com/")
SCAN = Scope.from_settings(["https://example.com/"], preset("scan"))
PAGE = "https://example.com/docs/intro"


@pytest.mark.parametrize(
    ("base", "strict", "url", "allowed"),
    [
        # Seed 000, strict and loose path matching
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
        # Whatever sorts before or after a slash
        ("https://e.com/api", True, "https://e.com/api2", False),
        ("https://e.com/api", True, "https://e.com/apis", False),
        ("https://e.com/api", True, "https://e.com/api~x", False),
        ("https://e.com/api", True, "https://e.com/api.html", False),
        ("https://e.com/api", False, "https://e.com/api2", True),
        # Seed 000, sitemaps and subdirectories
        ("https://docs.stripe.com/api", True, "https://docs.stripe.com/api/charges", True),
        ("https://docs.stripe.com/api", True, "https://docs.stripe.com/guides", False),
        ("https://docs.example.com/api", True, "https://docs.example.com/api/users", True),
        ("https://docs.example.com/api", True, "https://docs.example.com/guides", False),
        # A trailing slash or an index file on the base says the same
        ("https://e.com/api/", True, "https://e.com/api", True),
        ("https://e.com/api/index.html", True, "https://e.com/api/users", True),
        ("https://e.com/api", True, "https://e.com/api?x=1", True),
        ("https://e.com/api", True, "https://e.com/API/users", False),
        # Seed 000, cross-origin; settled: http and https are one site, ports are not
        ("https://e.com/api", True, "https://f.com/api/users", False),
        ("https://e.com/api", True, "http://e.com/api/users", True),
        ("https://e.com/api", True, "https://e.com:8443/api/users", False),
        ("http://e.com:8080/", True, "http://e.com:8080/x", True),
        # Hosts of one letter, as in a local network
        ("http://a/", True, "http://a/", True),
        ("http://a/", True, "http://a/x/y", True),
        ("http://a/x", True, "http://a/x/y", True),
        ("http://a/x", True, "http://a/y/x", False),
        ("http://a/", True, "http://b/a/x", False),
        ("https://a/x", True, "https://a/x/y", True),
        # Seed 003: www is significant
        ("https://www.example.com/", True, "https://www.example.com/a", True),
        ("https://www.example.com/", True, "https://example.com/a", False),
        ("https://example.com/", True, "https://example.com/a", True),
        ("https://example.com/", True, "https://www.example.com/a", False),
        # Seed 002: the host and everything below it; subdomains are other hosts
        ("https://example.com/", True, "https://example.com/any/path", True),
        ("https://example.com/", True, "https://sub.example.com/", False),
        ("https://example.com/", True, "https://example.com.evil.org/", False),
        ("https://example.com/", True, "https://notexample.com/", False),
    ],
)
def test_scope(base: str, strict: bool, url: str, allowed: bool) -> None:
    assert judge(url, Scope([base], strict_paths=strict)).allowed is allowed


def test_several_bases_of_seed_000() -> None:
    scope = Scope(["https://example.com/api", "https://example.com/sdk", "https://example.com/guides"])
    assert all(judge(f"https://example.com/{part}/x", scope).allowed for part in ("api", "sdk", "guides"))
    assert judge("https://example.com/blog", scope).reason == "outside-base-path"


def test_external_depth_of_seed_000() -> None:
    scope = Scope("https://docs.example.com/api", max_external_hops=2)
    assert judge("https://docs.example.com/api/users", scope, hops=1) == Verdict(True, "", "page", 0)
    assert judge("https://sdk.example.com/install", scope, hops=0) == Verdict(True, "", "external", 1)
    assert judge("https://github.com/example/repo", scope, hops=1) == Verdict(True, "", "external", 2)
    assert judge("https://github.com/example/repo", scope, hops=2) == Verdict(False, "other-host", "external", 0)


def test_external_urls_are_recorded_but_not_crawled() -> None:
    assert judge("https://other.org/", SITE) == Verdict(False, "other-host", "external")


def test_followed_externals_still_meet_the_users_patterns() -> None:
    scope = Scope("https://example.com/", max_external_hops=1, include=["*example*"])
    assert judge("https://other.org/", scope).reason == "not-included"


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
def test_subdomains(base: str, url: str, allowed: bool) -> None:
    assert judge(url, Scope(base, subdomains=True)).allowed is allowed


@pytest.mark.parametrize("base", ["https://example.com/", "https://www.example.com/"])
@pytest.mark.parametrize("url", ["https://example.com/a", "http://www.example.com/a"])
def test_folded_www_is_one_site(base: str, url: str) -> None:
    assert judge(url, Scope(base, fold_www=True)).allowed
    assert judge(url, Scope(base, policy=Policy(fold_www=True))).allowed


@pytest.mark.parametrize(
    ("href", "reason"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("#section", "fragment-only"),
        ("#", "fragment-only"),
        ("mailto:x@example.com", "not-http"),
        ("tel:+123", "not-http"),
        ("javascript:void(0)", "not-http"),
        ("JavaScript:void(0)", "not-http"),
        ("data:text/html,x", "not-http"),
        ("ftp://example.com/", "not-http"),
        ("whatsapp://send", "not-http"),
        ("http://[::1", "invalid-url"),
        ("https://exa mple.com/", "invalid-url"),
        ("/" + "a" * 3000, "too-long"),
        (PAGE, "same-page"),
        (PAGE + "/#top", "same-page"),
        ("http://example.com/docs/intro", "same-page"),
        ("intro?", "same-page"),
        ("guide.PDF", "file-extension"),
        ("https://other.org/x.zip", "file-extension"),
        ("/sitemap.xml?page=2", "file-extension"),
        ("https://other.org/", "other-host"),
        ("/a", ""),
        ("../b?x=1#y", ""),
        ("/archive.zip/", ""),
        ("/.js", ""),
        ("/v1.2/notes", ""),
        ("/download.php?file=a.pdf", ""),
    ],
)
def test_links_on_a_page(href: str, reason: str) -> None:
    verdict = judge(href, SITE, page=PAGE)
    assert (verdict.reason, verdict.allowed) == (reason, not reason)


SEED_000_EXTENSIONS = (
    "pdf doc docx xls xlsx xlsm ppt pptx zip tar gz rar 7z mp4 mp3 avi mov exe dmg apk csv xml json sql"
)
SEED_001_EXTENSIONS = "pdf zip doc jpg png"
SEED_003_EXTENSIONS = "pdf jpg jpeg png gif svg webp css js ico zip tar gz mp4 mov avi mp3 wav"


@pytest.mark.parametrize(
    "extension", sorted({*f"{SEED_000_EXTENSIONS} {SEED_001_EXTENSIONS} {SEED_003_EXTENSIONS}".split()})
)
def test_extensions_of_all_seeds(extension: str) -> None:
    verdict = judge(f"https://example.com/files/Name.{extension.upper()}?v=1", SITE)
    assert verdict == Verdict(False, "file-extension", "resource")
    assert TYPE_BY_EXTENSION[extension]


@pytest.mark.parametrize(
    "path",
    "/admin/x /api/v1 /cart /checkout /account /login /logout /register /signin /signup /_next/a /static/b".split(),
)
def test_skip_patterns_of_seed_001_hold_in_preset_scan_only(path: str) -> None:
    assert judge("https://example.com" + path, SCAN).reason == "skipped-path"
    for name in ("waterfall", "crawl", "docs"):
        assert judge("https://example.com" + path, Scope.from_settings(["https://example.com/"], preset(name))).allowed


@pytest.mark.parametrize("path", ["/administration", "/apis", "/blog/admin", "/cartoons", "/login-help", "/staticky"])
def test_skip_patterns_are_whole_leading_segments(path: str) -> None:
    assert judge("https://example.com" + path, SCAN).allowed


@pytest.mark.parametrize(
    ("url", "scan", "others"),
    [
        ("https://example.com/a?b=1", "query-string", ""),
        ("https://example.com/a#b", "anchor", ""),
        ("https://example.com/a?", "", ""),
        ("https://www.example.com/a", "", "other-host"),
        ("http://example.com/a", "", ""),
    ],
)
def test_queries_anchors_and_www_differ_between_seeds(url: str, scan: str, others: str) -> None:
    assert judge(url, SCAN).reason == scan
    assert judge(url, Scope.from_settings(["https://example.com/"], preset("waterfall"))).reason == others


@pytest.mark.parametrize(
    ("include", "exclude", "url", "reason"),
    [
        ([], ["/blog/*"], "https://example.com/blog/x", "excluded"),
        ([], ["/blog/*"], "https://example.com/en/blog/x", ""),
        ([], ["*/tag/*"], "https://example.com/a/tag/b", "excluded"),
        ([], ["*other.org*"], "https://other.org/", "excluded"),
        ([], ["/*?page=*"], "https://example.com/a?page=2", "excluded"),
        ([], ["/a?b"], "https://example.com/axb", ""),
        ([], [r"re:/\d{4}/"], "https://example.com/2024/x", "excluded"),
        ([], [r"re:/\d{4}/"], "https://example.com/24/x", ""),
        (["/docs/*"], [], "https://example.com/docs/x", ""),
        (["/docs/*"], [], "https://example.com/blog", "not-included"),
        (["https://example.com/docs/*"], ["*/old/*"], "https://example.com/docs/old/x", "excluded"),
        (["re:^https://example.com/d"], [], "https://example.com/docs", ""),
    ],
)
def test_patterns_of_the_user(include: list[str], exclude: list[str], url: str, reason: str) -> None:
    assert judge(url, Scope("https://example.com/", include=include, exclude=exclude)).reason == reason


@pytest.mark.parametrize("pattern", ["re:(", "re:(?=x)", "login"])
def test_patterns_that_cannot_work_are_named(pattern: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SettingError, match="exclude: ") as caught:
        Scope("https://example.com/", exclude=[pattern])
    assert repr(pattern) in str(caught.value)
    assert capfd.readouterr().err == ""


def test_patterns_take_linear_time() -> None:
    """`(a+)+$` takes a backtracking matcher 2^60 steps here."""
    scope = Scope("https://example.com/", exclude=["re:(a+)+$", "*a*a*a*a*a*a*a*a*a*a*b"])
    assert judge("https://example.com/" + "a" * 2000 + "!", scope).allowed


def test_a_base_that_is_no_url_is_the_callers_mistake() -> None:
    with pytest.raises(UrlError, match="mailto"):
        Scope("mailto:x@example.com")


def test_host_scope_reduces_seeds_to_their_hosts() -> None:
    scope = Scope.from_settings(["example.com/docs/intro"], preset("waterfall"))
    assert judge("https://example.com/blog", scope).allowed
    docs = Scope.from_settings(["example.com/docs"], preset("docs"))
    assert judge("https://example.com/blog", docs).reason == "outside-base-path"


def test_every_rule_can_decide_and_is_explained() -> None:
    narrow = dataclasses.replace(SCAN, base_urls=["https://example.com/in"], include=["/in/*"], exclude=["/in/x"])
    hrefs = [
        "",
        "#a",
        "tel:1",
        "http://[",
        "/" + "a" * 2100,
        "/p",
        "a.pdf",
        "/in/x",
        "https://o.org",
        "/out",
        "/in/a?b",
    ]
    hrefs += ["/in/a#b", "/in"]
    decided = {}
    for href in hrefs:
        steps = explain(href, narrow, page="https://example.com/p")
        deciding = [step for step in steps if step.decides]
        assert [step.rule for step in deciding] == [judge(href, narrow, page="https://example.com/p").reason]
        assert deciding[0].detail
        decided[deciding[0].rule] = href
    in_admin = dataclasses.replace(SCAN, skip_paths=["/in/admin"])
    decided[judge("https://example.com/in/admin/x", in_admin).reason] = "/in/admin/x"
    assert set(decided) == {get_rule_reason(rule) for rule in SKIP_RULES}


def test_explain_of_an_allowed_url_shows_every_rule_saying_no() -> None:
    steps = explain("https://example.com/a", SITE)
    assert [step.applies for step in steps] == [False] * len(SKIP_RULES)


def test_explain_shows_that_a_followed_external_was_not_decided_by_its_host() -> None:
    steps = {step.rule: step for step in explain("https://o.org/", Scope("https://e.com", max_external_hops=1))}
    assert steps["other-host"].applies
    assert not any(step.decides for step in steps.values())


@settings(max_examples=400)
@given(url_like(), st.one_of(st.none(), url_like()), st.sampled_from([SITE, SCAN]))
def test_judge_never_raises(text: str, page: str | None, scope: Scope) -> None:
    verdict = judge(text, scope, page=page)
    assert verdict.allowed is not bool(verdict.reason)
    assert [step.rule for step in explain(text, scope, page=page) if step.decides] == [verdict.reason] * (
        not verdict.allowed
    )
