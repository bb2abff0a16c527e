"""The order of clusters by importance."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest

from headwater.classify import rank_clusters


class Row(NamedTuple):
    """A cluster with the number of its pages."""

    name: str
    kind: str
    pages: int


# In the expected order.
ORDERS: dict[str, list[Row]] = {
    "Java": [
        Row("section:/api/java.desktop", "section", 3546),
        Row("section:/api/java.base", "section", 2843),
        Row("source:navigation", "source", 4909),
        Row("section:/api/java.desktop/javax", "section", 2556),
        Row("section:/api/java.desktop/javax/swing", "section", 1910),
        Row("section:/api/java.xml", "section", 462),
        Row("topic:class hierarchy", "topic", 225),
        Row("rest", "rest", 18),
    ],
    "a folder in between that is not a section": [
        Row("section:/core", "section", 18015),
        Row("section:/core/arch/x86_64", "section", 5017),
        Row("section:/std", "section", 1530),
    ],
    "languages, shapes and hosts": [
        Row("language:en", "language", 900),
        Row("section://docs.e.com", "section", 600),
        Row("shape:/blog/{date}/{slug}", "shape", 600),
        Row("source:footer", "source", 700),
        Row("section:/", "section", 300),
    ],
    "equal ones by name": [Row("section:/a", "section", 5), Row("section:/b", "section", 5)],
    "none": [],
}


@pytest.mark.parametrize("site", ORDERS)
def test_clusters_are_ranked_by_importance(site: str) -> None:
    expected = ORDERS[site]
    for seed in range(5):
        assert rank_clusters(Random(seed).sample(expected, len(expected))) == expected
