"""The end of a session is told from single pages that are refused."""

from __future__ import annotations

import pytest

from headwater.frontier.session_watch import SessionWatch


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ("....xxxx", True),
        ("....x.xxx", True),
        ("....xx", False),  # too few to tell
        ("xxxx", False),  # the session was never accepted
        ("....x.........x......x", False),  # pages that need other rights
        ("....", False),
        ("", False),
    ],
)
def test_a_session_ends_when_most_later_pages_are_refused(answers: str, expected: bool) -> None:
    watch = SessionWatch()
    for answer in answers:
        watch.add(is_refused=answer == "x")
    assert watch.is_lost is expected
