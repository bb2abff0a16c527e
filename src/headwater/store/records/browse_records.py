"""Records that a store returns for browsing scans."""

from __future__ import annotations

from typing import NamedTuple


class PageSummary(NamedTuple):
    """Fields of a page that lists are filtered and sorted by; `state` is a number, a missing `status` is 0."""

    page: int
    key: str
    url: str
    title: str
    kind: str
    state: int
    status: int
    depth: int
    language: str
    region: str
    sources: int
    priority: float
    lastmod: str
    reason: str
    parent: int
    words: int | None
    is_near_duplicate: bool
    extracted: str


class PageDetails(NamedTuple):
    """Fields of a page that only its own screen shows."""

    canonical: str
    etag: str
    last_modified: str
    evidence: int | None
    content_hash: int | None
    parent: int


class LinkedPage(NamedTuple):
    """Page at the other end of a link."""

    page: int
    url: str
    kind: str
    state: str
    title: str
    element: str


class PageVersion(NamedTuple):
    """Page in one of several scans of its site."""

    scan: int
    started: str
    scan_state: str
    page: int
    state: str
    status: int | None
    reason: str
    title: str | None
    content_hash: int | None


class FleetSite(NamedTuple):
    """Fleet site that a scan belongs to; `is_claimed` while a worker has it."""

    number: int
    state: str
    is_claimed: bool


class ClusterRecord(NamedTuple):
    """Cluster with the number that its members refer to."""

    number: int
    name: str
    kind: str
    title: str


class ClusterMember(NamedTuple):
    """Number of a cluster, and of a page in it."""

    cluster: int
    page: int
