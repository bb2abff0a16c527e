"""Requests for the data of other pages are not sent."""

from __future__ import annotations

import pytest

from headwater.fetch.browser.network.prefetches import is_data_of_other_page, is_marked_prefetch
from headwater.fetch.browser.rendered_page import RenderedPage
from tests.fetch.browsing import open_all
from tests.sites.table_site import Answer, ReceivedRequest, serve

SITE = "https://example.com"


@pytest.mark.parametrize(
    ("headers", "is_prefetch"),
    [
        ({"Next-Router-Prefetch": "1", "RSC": "1"}, True),
        ({"Purpose": "prefetch"}, True),
        ({"Sec-Purpose": "prefetch;prerender"}, True),
        ({"X-Moz": "prefetch"}, True),
        ({"RSC": "1", "Accept": "*/*"}, False),
        ({"Purpose": "preview"}, False),
    ],
)
def test_requests_that_say_they_are_prefetches(headers: dict[str, str], *, is_prefetch: bool) -> None:
    assert is_marked_prefetch(headers) == is_prefetch


@pytest.mark.parametrize(
    ("path", "page", "is_other"),
    [
        ("/stations/_payload.json?_b=1", "/", True),
        ("/stations/_payload.json", "/stations/", False),
        ("/_payload.json", "/", False),
        ("/_payload.json", "/index.html", False),
        ("/_payload.json", "/stations", True),
        ("/a/__data.json?x=1", "/a", False),
        ("/a/__data.json", "/b", True),
        ("/page-data/a/page-data.json", "/a/", False),
        ("/page-data/index/page-data.json", "/", False),
        ("/page-data/a/page-data.json", "/", True),
        ("/_root.data", "/", False),
        ("/a.data?_routes=a", "/a", False),
        ("/a.data", "/b", True),
        ("/stations.json", "/", False),
        ("/api/page?name=_payload.json", "/", False),
    ],
)
def test_data_files_of_other_pages(path: str, page: str, *, is_other: bool) -> None:
    assert is_data_of_other_page(SITE + path, SITE + page) == is_other


def test_data_of_another_host_is_not_that_of_a_page() -> None:
    assert not is_data_of_other_page("https://api.example/a/_payload.json", f"{SITE}/b")


PAGE = """<title>Links</title><a href=/other>Other</a><button id=go>Go</button><script>
  const load = (path, options) => fetch(path, options).then((answer) => answer.text(), () => "failed");
  const paths = ["/own.json", "/_payload.json", "/other/_payload.json"].map((path) => load(path));
  const marked = load("/marked", { headers: { Purpose: "prefetch" } });
  Promise.all([...paths, marked]).then((texts) => load("/told?" + texts));
  go.onclick = () => load("/clicked/_payload.json").then(() => history.pushState({}, "", "/clicked"));
</script>"""


def test_a_page_gets_its_own_data_and_not_that_of_others_until_a_click_needs_it() -> None:
    def answer(request: ReceivedRequest) -> Answer:
        is_page = request.path in {"/", "/clicked"}
        return Answer(PAGE) if is_page else Answer(request.path.partition("?")[0].strip("/"), type="text/plain")

    with serve(answer) as server:
        (page,) = open_all([f"{server.origin}/"], [server.origin])
        assert isinstance(page, RenderedPage), page
        asked = {one.path for one in server.requests}
        assert "/told?own.json,_payload.json,failed,failed" in asked
        assert "/clicked/_payload.json" in asked
        assert not {"/marked", "/other/_payload.json"} & asked
        assert f"{server.origin}/clicked" in {url for url, _ in page.routes}
        assert f"{server.origin}/other/_payload.json" in {url for url, _ in page.endpoints}
