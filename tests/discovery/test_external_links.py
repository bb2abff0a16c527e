"""Links to other sites are checked politely after the crawl, and the results are kept for a day."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import headwater
from headwater.frontier.external_selection import select_external_urls
from headwater.store import open_store
from headwater.urls.identity import compute_identity
from tests.sites.table_site import Answer, serve, table_site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from headwater.store import Store
    from tests.sites.table_site import ReceivedRequest, Server

ROBOTS = Answer("User-agent: *\nDisallow: /hidden\n", type="text/plain")


def answer(request: ReceivedRequest) -> Answer | None:
    """Answer as other sites do: with pages, files, redirects, and errors to HEAD."""
    is_head = request.method == "HEAD"
    return {
        "/robots.txt": ROBOTS,
        "/page": Answer("<title>Page</title>"),
        "/file": Answer(b"%PDF", type="application/pdf"),
        "/moved": Answer(status=301, headers={"Location": "/file"}),
        "/get-only": Answer("page", 405 if is_head else 200),
        "/hidden": Answer("page", 405 if is_head else 200),
    }.get(request.path)


@contextmanager
def other_hosts(count: int) -> Iterator[list[Server]]:
    """Serve the same site on several loopback addresses: hosts wait between two requests, but not for each other."""
    with ExitStack() as stack:
        yield [stack.enter_context(serve(answer, f"127.0.0.{number}")) for number in range(2, 2 + count)]


def scan(links: list[str], db: Path | None = None, **settings: Any) -> headwater.Discovery:
    page = "<title>Home</title>" + "".join(f'<a href="{link}">To {link}</a>' for link in links)
    more = {"db": str(db)} if db else {}
    with table_site(lambda _: {"/": page}) as site:
        return headwater.discover(
            f"{site.origin}/", retries=0, render="never", sources=(), check_external=True, **more, **settings
        )


def results(store: Store, number: int) -> dict[str, tuple[int | None, str]]:
    """Return status and reason of every URL that was checked."""
    urls = {compute_identity(page.key): page.url for page in store.pages(number) if page.kind == "external"}
    return {urls[one.identity]: (one.status, one.reason) for one in store.external_checks(number)}


def test_urls_are_checked_by_head_and_by_get_if_head_is_refused() -> None:
    paths = ["/page", "/file", "/moved", "/get-only", "/hidden", "/gone"]
    with other_hosts(len(paths)) as hosts:
        links = [f"{host.origin}{path}" for host, path in zip(hosts, paths, strict=True)]
        done = scan(links, allow_private=["127.0.0.0/8"])
        assert results(done.store, done.scan) == dict(
            zip(
                links,
                [(200, ""), (200, ""), (200, ""), (200, ""), (None, "robots-disallowed"), (404, "http-404")],
                strict=True,
            )
        )
        sent = [[f"{one.method} {one.path}" for one in host.requests] for host in hosts]
    assert sent == [
        ["HEAD /page"],
        ["HEAD /file"],
        ["HEAD /moved", "HEAD /file"],
        ["HEAD /get-only", "GET /robots.txt", "GET /get-only"],
        ["HEAD /hidden", "GET /robots.txt"],
        ["HEAD /gone", "GET /robots.txt", "GET /gone"],
    ]
    statuses = {page.url: page.status for page in done.store.pages(done.scan) if page.kind == "external"}
    assert (statuses[links[0]], statuses[links[-1]]) == (200, 404)


def test_private_addresses_are_not_requested() -> None:
    with other_hosts(1) as hosts:
        link = f"{hosts[0].origin}/page"
        done = scan([link])
        assert results(done.store, done.scan) == {link: (None, "private-address")}
        assert hosts[0].requests == []


def test_results_are_kept_for_a_day_and_the_limit_counts_requests(tmp_path: Path) -> None:
    db = tmp_path / "scan.db"
    with other_hosts(3) as hosts:
        links = [f"{host.origin}/page" for host in hosts]
        for _ in range(2):
            done = scan(links, db, allow_private=["127.0.0.0/8"], max_external=2)
        assert sorted(len(host.requests) for host in hosts) == [1, 1, 1]
        with_results = open_store(str(db))
        assert results(with_results, done.scan) == dict.fromkeys(links, (200, ""))
        with_results.close()


def test_the_limit_is_shared_by_all_hosts() -> None:
    urls = [f"https://{host}.example/{path}" for host in "ab" for path in range(3)]
    assert select_external_urls([*urls, "mailto:x@a.example"], 10) == [urls[:3], urls[3:]]
    assert select_external_urls(urls, 3) == [urls[:2], urls[3:4]]
    assert select_external_urls(urls, 1) == [urls[:1]]
    assert select_external_urls([], 1) == []


def test_many_hosts_and_many_urls_of_one_host_are_chosen_in_linear_time() -> None:
    """Rounds over hosts without further URLs would take hours."""
    hosts = [f"https://{number}.example/" for number in range(100_000)]
    urls = [f"https://one.example/{number}" for number in range(100_000)]
    chosen = select_external_urls([*hosts, *urls], 150_000)
    assert (len(chosen), chosen[-1]) == (100_001, urls[:50_000])
