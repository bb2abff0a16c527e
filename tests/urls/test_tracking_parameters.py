"""Recognition of tracking parameters."""

from __future__ import annotations

import pytest

from headwater.urls.tracking_parameters import is_tracking_parameter


@pytest.mark.parametrize(
    "name", ["utm_source", "UTM_Campaign", "gclid", "fbclid", "mc_eid", "_ga", "hsa_cam", "pk_kwd"]
)
def test_parameters_that_track_visitors(name: str) -> None:
    assert is_tracking_parameter(name)


@pytest.mark.parametrize("name", ["id", "page", "q", "ref", "source", "utm", "xgclid", "ga", ""])
def test_parameters_that_select_content(name: str) -> None:
    assert not is_tracking_parameter(name)
