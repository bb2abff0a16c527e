"""`--per-shape` visits a fixed number of pages of each URL shape."""

from __future__ import annotations

import pytest

from headwater.frontier.shape_quota import ShapeQuota
from headwater.model import Candidate
from headwater.urls.identity import compute_identity

SITE = "https://example.com"
SEED = compute_identity(f"{SITE}/the-seed")


def candidate(url: str, depth: int = 1, redirects: int = 0) -> Candidate:
    url = url if "://" in url else SITE + url
    return Candidate(compute_identity(url), url, url, url, depth, redirects=redirects)


@pytest.mark.parametrize(
    ("limit", "offered", "admitted"),
    [
        (1, ["/blog/a-post", "/blog/b-post", "/blog/c-post"], ["/blog/a-post"]),
        (2, ["/blog/a-post", "/blog/b-post", "/blog/c-post"], ["/blog/a-post", "/blog/b-post"]),
        (1, ["/blog/a-post", "/news/a-post", "/blog/b-post"], ["/blog/a-post", "/news/a-post"]),
        (1, ["/", "/about", "/contact"], ["/", "/about", "/contact"]),  # each has a shape of its own
        (1, ["/item?id=1", "/item?id=2", "/item"], ["/item?id=1", "/item"]),
        (1, ["https://a.example/n/1", "https://b.example/n/2"], ["https://a.example/n/1", "https://b.example/n/2"]),
    ],
)
def test_each_shape_of_a_host_has_its_own_quota(limit: int, offered: list[str], admitted: list[str]) -> None:
    quota = ShapeQuota(limit)
    assert [one for one in offered if quota.admit(candidate(one))] == admitted


def test_seeds_and_their_redirects_are_visited_beyond_the_quota() -> None:
    quota = ShapeQuota(1, [SEED])
    assert quota.admit(candidate("/a-page", 0))
    assert quota.admit(candidate("/the-seed", 0))
    assert quota.admit(candidate("/the-target", 0, redirects=1))
    assert not quota.admit(candidate("/another-target", 1, redirects=1))


def test_visits_before_an_interruption_count() -> None:
    quota = ShapeQuota(2)
    quota.add_visited([f"{SITE}/blog/a-post", SITE])
    assert quota.admit(candidate("/blog/b-post"))
    assert not quota.admit(candidate("/blog/c-post"))
