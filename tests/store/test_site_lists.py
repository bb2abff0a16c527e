"""Contract of lists of sites, checked in a file and on a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from headwater.store import open_store
from headwater.store.site_list_store import StateCount

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from headwater.store import Store
    from headwater.store.site_list_store import SiteListStore

SITES = [
    ("b.example", "https://b.example/"),
    ("a.example", "https://a.example/x"),
    ("www.c.example", "https://www.c.example/"),
]


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    is_server = request.param == "postgres"
    opened = open_store(request.getfixturevalue("database") if is_server else str(tmp_path / "x.db"))
    yield opened
    opened.close()


def add_sites(lists: SiteListStore) -> int:
    number = lists.add(SITES, {"max_pages": 3})
    assert number is not None
    return number


def start_next(store: Store, number: int, *busy: str) -> tuple[int, int]:
    """Start the next site, and return it and its scan."""
    site = store.site_lists.next_site(number, busy, 0.0)
    assert site is not None
    return site.number, store.site_lists.start_site(site, {})


def hosts(lists: SiteListStore, number: int) -> list[str]:
    return [site.host for site in lists.sites(number)]


def test_sites_keep_their_order_and_seeds_of_one_host_are_one_site(store: Store) -> None:
    doubled = [*SITES, ("b.example", "https://b.example/more"), *SITES]
    number = store.site_lists.add(iter(doubled), {})
    assert number is not None
    assert [(site.host, site.seeds) for site in store.site_lists.sites(number)] == [
        ("b.example", ("https://b.example/", "https://b.example/more")),
        ("a.example", ("https://a.example/x",)),
        ("www.c.example", ("https://www.c.example/",)),
    ]
    other = add_sites(store.site_lists)
    assert other != number
    assert hosts(store.site_lists, other) == [host for host, _ in SITES]


def test_a_list_is_stored_completely_or_not_at_all(store: Store) -> None:
    def breaking() -> Iterator[tuple[str, str]]:
        yield SITES[0]
        raise ValueError("a line that cannot be read")

    with pytest.raises(ValueError, match="cannot be read"):
        store.site_lists.add(breaking(), {})
    assert store.site_lists.add([], {}) is None
    assert (store.site_lists.last_list(), store.last_scan()) == (None, None)
    last = store.site_lists.last_list() if add_sites(store.site_lists) else None
    assert last is not None
    assert (last.settings, last.after_scan, bool(last.started)) == ({"max_pages": 3}, 0, True)


def test_a_list_is_longer_than_a_batch(store: Store) -> None:
    names = [f"h{number:04}.example" for number in range(1234)]
    number = store.site_lists.add(((name, f"https://{name}/") for name in names), {})
    assert number is not None
    assert hosts(store.site_lists, number) == names


def test_the_next_site_has_waited_longest_and_is_due(store: Store) -> None:
    number = add_sites(store.site_lists)
    first, _ = start_next(store, number)
    second, _ = start_next(store, number, "b.example")
    assert store.site_lists.next_site(number, ["a.example", "c.example"], 0.0) is None  # another name of the third host
    assert store.site_lists.has_waiting_site(number, 0.0)
    store.site_lists.requeue_site(first, 0.0)
    third = store.site_lists.next_site(number, [], 0.0)
    assert third is not None
    assert (third.host, third.scan) == ("www.c.example", None)
    store.site_lists.requeue_site(second, 50.0)
    store.site_lists.finish_site(third.number, "done", 7, 0, "")
    assert store.site_lists.next_due(number) == 0.0
    again = store.site_lists.next_site(number, [], 0.0)
    assert again is not None
    assert (again.number, again.turn, again.scan) == (first, 1, 1)
    store.site_lists.finish_site(first, "done", 3, 1, "")
    assert (store.site_lists.next_site(number, [], 49.0), store.site_lists.has_waiting_site(number, 49.0)) == (
        None,
        False,
    )
    assert (store.site_lists.next_due(number), store.site_lists.has_waiting_site(number, 50.0)) == (50.0, True)
    store.site_lists.finish_site(second, "done", 0, 0, "")
    assert store.site_lists.next_due(number) is None


def test_a_site_keeps_its_scan(store: Store) -> None:
    number = add_sites(store.site_lists)
    site, scan = start_next(store, number)
    found = store.scan(scan)
    assert found is not None
    assert (found.seeds, found.state) == (("https://b.example/",), "running")
    store.site_lists.requeue_site(site, 0.0)
    assert store.site_lists.requeue_unfinished(number) == 3
    assert start_next(store, number) == (site, scan)
    assert (store.site_lists.find_list(scan), store.site_lists.find_list(99)) == (number, None)
    assert (
        store.site_lists.find_scan(number, "www.b.example") == store.site_lists.find_scan(number, "b.example") == scan
    )
    assert (store.site_lists.find_scan(number, "a.example"), store.site_lists.find_scan(number, "d.example")) == (
        None,
        None,
    )


def test_results_are_counted_and_unfinished_sites_requeued(store: Store) -> None:
    number = add_sites(store.site_lists)
    sites = [site.number for site in store.site_lists.sites(number)]
    reason = "it said \x00 and \ue000 and é"
    store.site_lists.finish_site(sites[0], "done", 10, 2, "")
    store.site_lists.finish_site(sites[1], "failed", 0, 1, reason)
    assert store.site_lists.counts(number) == {
        "done": StateCount(1, 10, 2),
        "failed": StateCount(1, 0, 1),
        "waiting": StateCount(1, 0, 0),
    }
    assert [site.reason for site in store.site_lists.sites(number)] == ["", reason, ""]
    assert store.site_lists.requeue_unfinished(number) == 1  # interrupted sites come first
    store.site_lists.finish_site(sites[2], "done", 5, 0, "")
    left = store.site_lists.last_list(unfinished=True)
    assert left is not None
    assert store.site_lists.requeue_unfinished(number) == 1  # then failed ones
    store.site_lists.finish_site(sites[1], "done", 5, 0, "")
    assert (store.site_lists.last_list(unfinished=True), store.site_lists.requeue_unfinished(number)) == (None, 0)
    assert store.site_lists.counts(99) == {}
