"""Crawl with pycurl, turbohtml and can_ada only, without store, robots.txt or rules: the lower bound of a crawl."""

from __future__ import annotations

import sys
from collections import deque
from io import BytesIO
from pathlib import Path
from typing import Any

import can_ada
import pycurl
import turbohtml

SKIPPED = (".pdf", ".zip", ".png", ".jpg", ".svg", ".css", ".js", ".gif", ".ico", ".gz")


def main(start: str, parallel: int, output: str) -> None:  # noqa: C901  (one loop without function calls)
    """Follow all `a[href]` links within the origin."""
    origin = can_ada.parse(start).origin
    multi = pycurl.CurlMulti()
    multi.setopt(pycurl.M_MAX_TOTAL_CONNECTIONS, parallel)
    idle: list[Any] = []
    for _ in range(parallel):
        curl = pycurl.Curl()
        curl.setopt(pycurl.NOSIGNAL, 1)
        curl.setopt(pycurl.ACCEPT_ENCODING, "")
        idle.append(curl)
    seen, queue, pages, running = {start}, deque([start]), list[str](), 0
    memo: dict[str, dict[str, str]] = {}
    while queue or running:
        while queue and idle:
            curl = idle.pop()
            curl.address, curl.body = queue.popleft(), BytesIO()
            curl.setopt(pycurl.URL, curl.address)
            curl.setopt(pycurl.WRITEDATA, curl.body)
            multi.add_handle(curl)
            running += 1
        multi.perform()
        left = 1
        while left:
            left, done, failed = multi.info_read()
            for curl in [*done, *(item[0] for item in failed)]:
                multi.remove_handle(curl)
                running -= 1
                idle.append(curl)
            for curl in done:
                if curl.getinfo(pycurl.RESPONSE_CODE) == 200 and "html" in (curl.getinfo(pycurl.CONTENT_TYPE) or ""):
                    pages.append(curl.address)
                    for url in links(curl.address, curl.body.getvalue(), memo, origin):
                        if url not in seen:
                            seen.add(url)
                            queue.append(url)
        if running:
            multi.select(1.0)
    Path(output).write_text("\n".join(sorted(pages)))


def links(page: str, body: bytes, memo: dict[str, dict[str, str]], origin: str) -> list[str]:
    """Return the page's links within the origin; each spelling is resolved once per folder."""
    known = memo.setdefault(page[: page.rfind("/") + 1], {})
    base, found = None, []
    for anchor in turbohtml.parse(body, positions=False).select("a[href]"):
        href = str(anchor.attrs["href"]).partition("#")[0]
        url = known.get(href)
        if url is None and href:
            base = base or can_ada.parse(page)
            try:
                target = base + href
                target.hash = ""
                url = target.href if target.href.startswith(origin) and not target.href.endswith(SKIPPED) else ""
            except ValueError:
                url = ""
            known[href] = url
        if url:
            found.append(url)
    return found


main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
