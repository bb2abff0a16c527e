"""Priority of pages: examples of the formula, and evidence never lowers it."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.classify import SOURCES, PrioritySignals, compute_priority
from headwater.classify.priority import SOURCE_WEIGHTS, WEIGHTS

SHARES = st.none() | st.floats(0, 1)
SIGNALS = st.builds(
    PrioritySignals,
    is_front_page=st.booleans(),
    importance=SHARES,
    sources=st.lists(st.sampled_from(SOURCES), max_size=5).map(tuple),
    depth=st.none() | st.integers(0, 50),
    inlinks=st.integers(0, 10**7),
    content_inlinks=st.integers(0, 10**7),
    site_pages=st.just(5000),
    sitemap_priority=SHARES,
    age_days=st.none() | st.floats(0, 20_000),
)


def test_weights_sum_to_one() -> None:
    assert math.isclose(sum(WEIGHTS.values()), 1)
    assert set(SOURCE_WEIGHTS) == set(SOURCES)


@pytest.mark.parametrize(
    ("signals", "expected"),
    [
        (PrioritySignals(), 0.0),
        (PrioritySignals(importance=1.0), 0.1),
        (PrioritySignals(depth=0), 0.4),
        (PrioritySignals(depth=1), 0.34),
        (PrioritySignals(is_front_page=True), 0.85),
        (PrioritySignals(depth=2), 0.12),
        (PrioritySignals(depth=3), 0.08),
        (PrioritySignals(depth=6), 0.04),
        (PrioritySignals(inlinks=1000, site_pages=1000), 0.15),
        (PrioritySignals(inlinks=10**9, site_pages=1000), 0.15),
        (PrioritySignals(content_inlinks=1000, site_pages=1000), 0.2),
        (PrioritySignals(content_inlinks=10, site_pages=120), 0.1),
        (PrioritySignals(content_inlinks=1, site_pages=1), 0.0578),
        (PrioritySignals(sitemap_priority=0.5), 0.025),
        (PrioritySignals(age_days=365.0), 0.025),
        (PrioritySignals(age_days=-3.0), 0.05),
        (PrioritySignals(sources=("sitemap",)), 0.025),
        (PrioritySignals(sources=("sitemap", "sitemap")), 0.025),
        (PrioritySignals(sources=("sitemap", "navigation")), 0.045),
        (PrioritySignals(importance=math.nan, sitemap_priority=7.0, age_days=math.inf), 0.05),
    ],
)
def test_priority_of_examples(signals: PrioritySignals, expected: float) -> None:
    assert compute_priority(signals) == pytest.approx(expected, abs=1e-4)


def test_priority_has_four_digits() -> None:
    assert compute_priority(PrioritySignals(depth=7)) == 0.0343


@given(SIGNALS)
def test_priority_is_between_0_and_1(signals: PrioritySignals) -> None:
    assert 0 <= compute_priority(signals) <= 1


@given(SIGNALS, SIGNALS)
def test_more_evidence_never_lowers_the_priority(one: PrioritySignals, other: PrioritySignals) -> None:
    better = PrioritySignals(
        is_front_page=one.is_front_page or other.is_front_page,
        importance=_better(one.importance, other.importance),
        sources=one.sources + other.sources,
        depth=_nearer(one.depth, other.depth),
        inlinks=one.inlinks + other.inlinks,
        content_inlinks=one.content_inlinks + other.content_inlinks,
        site_pages=one.site_pages,
        sitemap_priority=_better(one.sitemap_priority, other.sitemap_priority),
        age_days=_nearer(one.age_days, other.age_days),
    )
    assert compute_priority(better) >= max(compute_priority(one), compute_priority(other))


def _better(one: float | None, other: float | None) -> float | None:
    return max((value for value in (one, other) if value is not None), default=None)


def _nearer(one: float | None, other: float | None) -> Any:
    return min((value for value in (one, other) if value is not None), default=None)
