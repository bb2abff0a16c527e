"""Recognition of tracking parameters."""

from __future__ import annotations

import pytest

from headwater.urls.tracking_parameters import drop_path_session, is_session_parameter, is_tracking_parameter


@pytest.mark.parametrize(
    "name", ["utm_source", "UTM_Campaign", "gclid", "fbclid", "mc_eid", "_ga", "hsa_cam", "pk_kwd"]
)
def test_parameters_that_track_visitors(name: str) -> None:
    assert is_tracking_parameter(name)


@pytest.mark.parametrize("name", ["id", "page", "q", "ref", "source", "utm", "xgclid", "ga", ""])
def test_parameters_that_select_content(name: str) -> None:
    assert not is_tracking_parameter(name)


@pytest.mark.parametrize(
    ("parameter", "is_session"),
    [
        ("PHPSESSID=abc1", True),
        ("jsessionid=", True),
        ("ASPSESSIONIDQQ=x", True),
        ("osCsid=1", True),
        ("sid=0123456789abcdef0123456789abcdef", True),
        ("sid=5f3c1be20d9a47c8a1d0e6b7", True),
        ("session_id=q2W8e-rTy_uIoP,aSdFgHjKlZ12", True),
        ("SID=6f22c8828f05d647", True),
        ("sid=1234567890123456", False),
        ("sid=12", False),
        ("sid=spring-collection", False),
        ("sid=a-long-title-made-of-several-words", False),
        ("session=2024", False),
        ("sessionid=17", False),
        ("id=0123456789abcdef0123456789abcdef", False),
        ("s=0123456789abcdef0123456789abcdef", False),
    ],
)
def test_parameters_that_hold_a_session(parameter: str, *, is_session: bool) -> None:
    assert is_session_parameter(parameter) == is_session


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/a;jsessionid=1F.node1", "/a"),
        ("/a;JSESSIONID=1F/b", "/a/b"),
        ("/a;v=2;sid=3", "/a;v=2"),
        ("/a;b", "/a;b"),
    ],
)
def test_sessions_in_paths(path: str, expected: str) -> None:
    assert drop_path_session(path) == expected
