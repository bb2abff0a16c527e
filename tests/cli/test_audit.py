"""`headwater audit` on a site with one instance of every issue: each is found once, and nothing else."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from headwater.audit import RULES
from headwater.audit.checks import HEAVY_BYTES, SLOW_MS
from tests.commands import headwater
from tests.fetch.certificates import Authority
from tests.sites.table_site import Answer, table_site, urlset

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GONE = "http://127.0.0.2:9/away"
LISTED = (
    "/",
    "/short",
    "/copy",
    "/good",
    "/fr",
    "/slow",
    "/heavy",
    "/plain",
    "/mixed",
    "/one",
    "/two",
    "/other",
    "/linked",
    "/orphan",
)
LINKED = (*LISTED[1:-1], "/unlisted", "/short", "/copy", "/hidden", "/gone", "/moved", "/chain", "/loop")
SHARED = {
    "title": "<title>Shared</title>",
    "h1": "<h1>Shared</h1>",
    "description": "<meta name=description content=Shared>",
}


def make_text(path: str) -> str:
    """Return a text that no other page has."""
    return " ".join(f"{path[1:]}{number}" for number in range(240))


def html(path: str, *, links: str = "", head: str = "", **replaced: str) -> str:
    """Return a page without issues; parts may be replaced."""
    parts = {
        "title": f"<title>Title of {path}</title>",
        "description": f'<meta name=description content="About {path}">',
        "h1": f"<h1>Heading of {path}</h1>",
        "text": make_text(path),
    } | replaced
    anchors = "".join(f'<p><a href="{one}">To {one}</a></p>' for one in links.split())
    body = f"<main>{parts['h1']}<p>{parts['text']}</p>{anchors}"
    return f"<!doctype html><html lang=en><head>{parts['title']}{parts['description']}{head}</head><body>{body}"


def make_site(origin: str) -> dict[str, Answer | str]:
    """Return a site that breaks every rule once."""
    moved = {"/moved": "/good", "/chain": "/hop", "/hop": "/other", "/loop": "/loop-back", "/loop-back": "/loop"}
    return {
        "/": html("/", links=" ".join((*LINKED, GONE)), head="<script src=/private/a.js></script>"),
        "/short": html("/short", text="A short text."),
        "/copy": html("/copy", text=make_text("/good") + " and more"),
        "/robots.txt": Answer("User-agent: *\nDisallow: /private/\n", type="text/plain"),
        "/good": html("/good", head=f'<link rel=alternate hreflang=fr href="{origin}/fr">'),
        "/fr": html("/fr"),
        "/slow": Answer(html("/slow"), delay=SLOW_MS / 1000 + 0.1),
        "/heavy": html("/heavy") + " " * HEAVY_BYTES,
        "/plain": html("/plain", title="", description="", h1=""),
        "/mixed": html("/mixed", head="<script src=http://127.0.0.1/x.js></script>"),
        "/one": html("/one", **SHARED),
        "/two": html("/two", **SHARED),
        "/other": html("/other"),
        "/linked": html("/linked", head=f'<link rel=canonical href="{origin}/moved">'),
        "/unlisted": html("/unlisted"),
        "/hidden": html("/hidden", head="<meta name=robots content=noindex>"),
        "/orphan": html("/orphan"),
        **{path: Answer("", 301, headers={"Location": target}) for path, target in moved.items()},
        "/sitemap.xml": urlset(*(origin + path for path in LISTED if path != "/linked"), f"{origin}/dead"),
    }  # fmt: skip


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path, dict[str, Any]]]:
    """The origin of the site, the store with its scan, and the report of `audit URL` as JSON."""
    folder = tmp_path_factory.mktemp("audit")
    authority = Authority(folder)
    with table_site(make_site, tls=authority.server("127.0.0.1")) as site:
        db, report = folder / "scan.db", folder / "report.json"
        options: tuple[str, ...] = (
            "--db",
            str(db),
            "--ca-file",
            str(authority.file),
            "--retries",
            "0",
            "--render",
            "never",
        )
        options += ("--check-external", "--allow-private", "127.0.0.2")
        result = headwater("audit", site.origin, *options, "-o", str(report), "--fail-on", "error")
        assert result.code == 5, result.err
        yield site.origin, db, json.loads(report.read_text())


def find_paths(report: dict[str, Any], origin: str) -> dict[str, list[str]]:
    return {rule["rule"]: [issue["url"].removeprefix(origin) for issue in rule["issues"]] for rule in report["rules"]}


def test_every_issue_is_found_once_and_nothing_else(audited: tuple[str, Path, dict[str, Any]]) -> None:
    origin, _, report = audited
    assert find_paths(report, origin) == {
        "broken-link": ["/gone"],
        "broken-external-link": [GONE],
        "redirect-loop": ["/loop", "/loop-back"],
        "wrong-in-sitemap": ["/dead"],
        "mixed-content": ["/mixed"],
        "blocked-resource": ["/private/a.js"],
        "canonical-conflict": ["/linked"],
        "redirect-chain": ["/chain"],
        "orphan": ["/orphan"],
        "missing-title": ["/plain"],
        "duplicate-title": ["/one", "/two"],
        "near-duplicate": ["/good"],
        "hreflang-return": ["/good"],
        "missing-in-sitemap": ["/unlisted"],
        "linked-redirect": ["/moved"],
        "linked-noindex": ["/hidden"],
        "slow-page": ["/slow"],
        "heavy-page": ["/heavy"],
        "thin-page": ["/short"],
        "missing-description": ["/plain"],
        "duplicate-description": ["/one", "/two"],
        "missing-h1": ["/plain"],
        "duplicate-h1": ["/one", "/two"],
    }
    assert set(find_paths(report, origin)) == {rule.name for rule in RULES}


def test_a_broken_link_names_the_page_and_its_text(audited: tuple[str, Path, dict[str, Any]]) -> None:
    origin, _, report = audited
    (issue,) = next(rule["issues"] for rule in report["rules"] if rule["rule"] == "broken-link")
    assert issue["linked_from"] == [{"url": f"{origin}/", "text": "To /gone"}]


def test_a_stored_scan_is_audited_again_and_a_baseline_hides_what_is_known(
    audited: tuple[str, Path, dict[str, Any]], tmp_path: Path
) -> None:
    _, db, report = audited
    for rule in report["rules"]:
        rule["issues"] = [one for one in rule["issues"] if not one["url"].endswith("/gone")]
    (tmp_path / "old.json").write_text(json.dumps(report))
    result = headwater("audit", "--db", str(db), "--baseline", str(tmp_path / "old.json"), "--fail-on", "warning")
    assert (result.code, "Broken links (1)" in result.out, "Orphans" in result.out) == (5, True, False)
    hidden = sum(len(rule["issues"]) for rule in report["rules"])
    assert f"1 error (without {hidden} issues of the baseline)\n" in result.out


@pytest.mark.parametrize("style", ["text", "md", "html", "junit", "sarif"])
def test_formats_name_every_issue(style: str, audited: tuple[str, Path, dict[str, Any]], tmp_path: Path) -> None:
    _, db, report = audited
    target = tmp_path / "report"
    result = headwater("audit", "--db", str(db), "--scan", "1", "--format", style, "-o", str(target))
    text = target.read_text()
    assert (result.code, result.err) == (0, "")
    urls = [issue["url"] for rule in report["rules"] for issue in rule["issues"]]
    assert [url for url in urls if url not in text.replace("\\", "")] == []
    if style == "junit":
        suite = ET.fromstring(text)[0]
        assert (suite.get("tests"), suite.get("failures")) == (str(len(RULES)), str(len(RULES)))
    if style == "sarif":
        (run,) = json.loads(text)["runs"]
        levels = Counter(one["level"] for one in run["results"])
        assert levels == {"error": 6, "warning": 9, "note": 12}
        assert {one["ruleId"] for one in run["results"]} == {one["id"] for one in run["tool"]["driver"]["rules"]}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["https://e.com", "--scan", "1"], "either a URL to scan or a stored scan"),
        (["--baseline", "{file}"], "not a report of `headwater audit --format json`"),
        (["--baseline", "old.txt"], "not a report of `headwater audit --format json`"),
        (["--scan", "7"], "holds no scan 7"),
        (["--db", "none.db"], "none.db"),
    ],
)
def test_mistakes(
    arguments: list[str], message: str, audited: tuple[str, Path, dict[str, Any]], tmp_path: Path
) -> None:
    (tmp_path / "old.json").write_text('{"rules": 3}')
    (tmp_path / "old.txt").write_text("https://e.com/: 1 page, no issues")
    given = [one.replace("{file}", str(tmp_path / "old.json")) for one in arguments]
    result = headwater("audit", "--db", str(audited[1]), *given, cwd=tmp_path)
    assert (result.code in {1, 2}, message in result.err) == (True, True), result.err
