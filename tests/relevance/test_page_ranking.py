"""Pages are ranked for a question by the words of their URL, title, heading and link text."""

from __future__ import annotations

import pytest

from headwater.model import Page
from headwater.relevance import page_ranking
from headwater.relevance.page_ranking import rank_pages

SITE = "https://example.com"
PAGES = [
    Page(f"{SITE}/", title="Example"),
    Page(f"{SITE}/docs/installation", title="Installation guide"),
    Page(f"{SITE}/docs/getUserName.html", title="API reference"),
    Page(f"{SITE}/blog/we-installed-solar-panels", title="Our office in the sun, and many other news of this year"),
    Page(f"{SITE}/docs/config", title="Configuring the server"),
    Page(f"{SITE}/pricing", title="Prices", text="Buy a licence", heading="What it costs"),
    Page(f"{SITE}/ja/setup", title="インストール方法"),
    Page(f"{SITE}/de/%C3%BCber-uns", title=""),
    Page(f"{SITE}/about_the_team", title=None),
]


def rank(question: str, pages: list[Page] = PAGES) -> list[str]:
    """Return the paths of the pages that match, best first."""
    ranked = list(rank_pages(lambda: iter(pages), question))
    assert sorted(page.url for page in ranked) == sorted(page.url for page in pages)
    scores = [page.score or 0.0 for page in ranked]
    assert scores == sorted(scores, reverse=True)
    return [page.url.removeprefix(SITE) for page in ranked if page.score]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how to install", ["/docs/installation", "/blog/we-installed-solar-panels"]),
        ("INSTALLING?", ["/docs/installation", "/blog/we-installed-solar-panels"]),
        ("configuration", ["/docs/config"]),
        ("user name", ["/docs/getUserName.html"]),
        ("licence", ["/pricing"]),
        ("cost", ["/pricing"]),
        ("インストール", ["/ja/setup"]),
        ("über", ["/de/%C3%BCber-uns"]),
        ("team", ["/about_the_team"]),
        ("solar installation", ["/blog/we-installed-solar-panels", "/docs/installation"]),
        ("nothing matches this", []),
        ("the", ["/about_the_team", "/docs/config", "/blog/we-installed-solar-panels"]),  # no other word to search for
        ("example.com https", ["/"]),  # hosts and schemes are not searched
        ("!?", []),
    ],
)
def test_pages_with_the_words_of_a_question_come_first(question: str, expected: list[str]) -> None:
    assert rank(question) == expected


def test_rare_words_count_more_than_common_ones() -> None:
    pages = [Page(f"{SITE}/guide/{number}", title=f"Guide {number}") for number in range(20)]
    pages.append(Page(f"{SITE}/upgrade", title="Upgrade"))
    assert rank("guide upgrade", pages)[0] == "/upgrade"


def test_equal_pages_and_the_rest_keep_the_order_of_the_list() -> None:
    pages = [Page(f"{SITE}/{name}", title=title) for name, title in zip("cabd", ("x", "tea", "tea", "y"), strict=True)]
    ranked = rank_pages(lambda: iter(pages), "tea")
    assert [page.url[-1] for page in ranked] == ["a", "b", "c", "d"]


def test_further_matches_follow_with_their_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_ranking, "MAX_RANKED", 1)
    ranked = list(rank_pages(lambda: iter(PAGES), "install"))
    assert [page.url.removeprefix(SITE) for page in ranked[:2]] == ["/docs/installation", "/"]
    assert sum(bool(page.score) for page in ranked) == 2
    assert len({page.url for page in ranked}) == len(PAGES)


def test_an_empty_list_is_ranked() -> None:
    assert rank("install", []) == []
