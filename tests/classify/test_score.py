"""Priority: the formula by example, and that evidence never lowers it."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.classify import SOURCES, Signals, priority
from headwater.classify.score import SOURCE_WEIGHTS, WEIGHTS

SHARES = st.none() | st.floats(0, 1)
SIGNALS = st.builds(
    Signals,
    is_front=st.booleans(),
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
        (Signals(), 0.0),
        (Signals(importance=1.0), 0.1),
        (Signals(depth=0), 0.4),
        (Signals(depth=1), 0.34),
        (Signals(is_front=True), 0.85),
        (Signals(depth=2), 0.12),
        (Signals(depth=3), 0.08),
        (Signals(depth=6), 0.04),
        (Signals(inlinks=1000, site_pages=1000), 0.15),
        (Signals(inlinks=10**9, site_pages=1000), 0.15),
        (Signals(content_inlinks=1000, site_pages=1000), 0.2),
        (Signals(content_inlinks=10, site_pages=120), 0.1),
        (Signals(content_inlinks=1, site_pages=1), 0.0578),
        (Signals(sitemap_priority=0.5), 0.025),
        (Signals(age_days=365.0), 0.025),
        (Signals(age_days=-3.0), 0.05),
        (Signals(sources=("sitemap",)), 0.025),
        (Signals(sources=("sitemap", "sitemap")), 0.025),
        (Signals(sources=("sitemap", "navigation")), 0.045),
        (Signals(importance=math.nan, sitemap_priority=7.0, age_days=math.inf), 0.05),
    ],
)
def test_priority(signals: Signals, expected: float) -> None:
    assert priority(signals) == pytest.approx(expected, abs=1e-4)


def test_priority_has_four_digits() -> None:
    assert priority(Signals(depth=7)) == 0.0343


@given(SIGNALS)
def test_it_lies_between_0_and_1(signals: Signals) -> None:
    assert 0 <= priority(signals) <= 1


@given(SIGNALS, SIGNALS)
def test_evidence_never_lowers_it(one: Signals, other: Signals) -> None:
    better = Signals(
        is_front=one.is_front or other.is_front,
        importance=_better(one.importance, other.importance),
        sources=one.sources + other.sources,
        depth=_nearer(one.depth, other.depth),
        inlinks=one.inlinks + other.inlinks,
        content_inlinks=one.content_inlinks + other.content_inlinks,
        site_pages=one.site_pages,
        sitemap_priority=_better(one.sitemap_priority, other.sitemap_priority),
        age_days=_nearer(one.age_days, other.age_days),
    )
    assert priority(better) >= max(priority(one), priority(other))


def _better(one: float | None, other: float | None) -> float | None:
    return max((value for value in (one, other) if value is not None), default=None)


def _nearer(one: float | None, other: float | None) -> Any:
    return min((value for value in (one, other) if value is not None), default=None)
