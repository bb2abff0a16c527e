"""Decisions on links: every skip rule, and no text that raises."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwater import Scope, judge, preset
from headwater.model import Verdict
from headwater.urls import explain
from headwater.urls.recognition.file_types import TYPE_BY_EXTENSION
from tests.urls.strategies import url_like

SITE = Scope("https://example.com/")
SCAN = Scope.from_settings(["https://example.com/"], preset("scan"))
PAGE = "https://example.com/docs/intro"


def test_external_urls_are_recorded_but_not_crawled() -> None:
    assert judge("https://other.org/", SITE) == Verdict(False, "other-host", "external")


def test_patterns_apply_to_external_urls_that_are_followed() -> None:
    scope = Scope("https://example.com/", max_external_hops=1, include=["*example*"])
    assert judge("https://other.org/", scope).reason == "not-included"


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
def test_links_on_a_page_are_judged(href: str, reason: str) -> None:
    verdict = judge(href, SITE, page=PAGE)
    assert (verdict.reason, verdict.allowed) == (reason, not reason)


FILE_EXTENSIONS = (
    "7z apk avi css csv dmg doc docx exe gif gz ico jpeg jpg js json mov mp3 mp4 pdf png ppt pptx rar sql svg tar wav "
    "webp xls xlsm xlsx xml zip"
)


@pytest.mark.parametrize("extension", FILE_EXTENSIONS.split())
def test_files_that_are_not_pages_are_skipped(extension: str) -> None:
    verdict = judge(f"https://example.com/files/Name.{extension.upper()}?v=1", SITE)
    assert verdict == Verdict(False, "file-extension", "resource")
    assert TYPE_BY_EXTENSION[extension]


@pytest.mark.parametrize(
    "path",
    "/admin/x /api/v1 /cart /checkout /account /login /logout /register /signin /signup /_next/a /static/b".split(),
)
def test_skip_paths_are_set_in_preset_scan_only(path: str) -> None:
    assert judge("https://example.com" + path, SCAN).reason == "skipped-path"
    for name in ("waterfall", "crawl", "docs"):
        assert judge("https://example.com" + path, Scope.from_settings(["https://example.com/"], preset(name))).allowed


@pytest.mark.parametrize("path", ["/administration", "/apis", "/blog/admin", "/cartoons", "/login-help", "/staticky"])
def test_skip_paths_match_whole_leading_segments(path: str) -> None:
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
def test_queries_and_anchors_are_skipped_in_preset_scan_only(url: str, scan: str, others: str) -> None:
    assert judge(url, SCAN).reason == scan
    assert judge(url, Scope.from_settings(["https://example.com/"], preset("waterfall"))).reason == others


@settings(max_examples=400)
@given(url_like(), st.one_of(st.none(), url_like()), st.sampled_from([SITE, SCAN]))
def test_judge_never_raises(text: str, page: str | None, scope: Scope) -> None:
    verdict = judge(text, scope, page=page)
    assert verdict.allowed is not bool(verdict.reason)
    assert [step.rule for step in explain(text, scope, page=page) if step.decides] == [verdict.reason] * (
        not verdict.allowed
    )
