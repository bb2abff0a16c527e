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
    chosen: list[list[str]] = [[] for _ in hosts]
    groups = list(hosts.values())
    for position in range(max(map(len, groups), default=0)):
        for group, selected in zip(groups, chosen, strict=True):
            if position < len(group):
                if limit <= 0:
                    return list(filter(None, chosen))
                selected.append(group[position])
                limit -= 1
    return list(filter(None, chosen))
