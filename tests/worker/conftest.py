"""Fixtures: a fleet, and sites for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.sites.many_sites import ManySites, many_sites
from tests.worker.fleets import PAGES, TestFleet

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def fleet(database: str, tmp_path: Path) -> TestFleet:
    return TestFleet(database, tmp_path)


@pytest.fixture
def sites(tmp_path: Path) -> Iterator[ManySites]:
    with many_sites(3, PAGES, 0.08, tmp_path) as served:
        yield served
