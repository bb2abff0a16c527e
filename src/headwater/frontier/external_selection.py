"""Choose which URLs of other sites are checked, if there are more than the limit allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwater.urls.parsing import HTTP_PREFIXES, get_authority

if TYPE_CHECKING:
    from collections.abc import Iterable


def select_external_urls(urls: Iterable[str], limit: int) -> list[list[str]]:
    """Return the URLs of each host; if there are too many, one of each host, then another of each, and so on."""
    hosts: dict[str, list[str]] = {}
    for url in urls:
        if url.startswith(HTTP_PREFIXES):
            hosts.setdefault(get_authority(url), []).append(url)
    groups = list(hosts.values())
    counts = [0] * len(groups)
    left = list(range(len(groups)))
    while left and limit > 0:
        for number in left[:limit]:
            counts[number] += 1
        limit -= len(left)
        left = [number for number in left if counts[number] < len(groups[number])]
    return [group[:count] for group, count in zip(groups, counts, strict=True) if count]
