"""Sentences for the reasons why URLs are skipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from headwater.urls.skip_reasons import CRAWL_REASONS, describe_reason
from headwater.urls.skip_rules import SKIP_RULES, get_rule_reason

if TYPE_CHECKING:
    from collections.abc import Callable

REASONS = [*map(get_rule_reason, SKIP_RULES), *CRAWL_REASONS]


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_has_a_sentence(reason: str) -> None:
    sentence = describe_reason(reason)
    assert len(sentence) > 5
    assert not sentence.endswith(".")


@pytest.mark.parametrize("rule", SKIP_RULES, ids=get_rule_reason)
def test_the_sentence_of_a_rule_is_its_docstring(rule: Callable[..., bool]) -> None:
    sentence = describe_reason(get_rule_reason(rule))
    assert f"{sentence}." == rule.__doc__
    assert sentence[0] == sentence[0].upper()


def test_no_two_reasons_have_the_same_sentence() -> None:
    assert len({describe_reason(reason) for reason in REASONS}) == len(REASONS)


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("http-404", "The server answered 404"),
        ("http-503", "The server answered 503"),
        ("some-other-reason", "Some other reason"),
        ("timeout", "Timeout"),
        ("", ""),
    ],
)
def test_other_reasons_are_their_own_sentence(reason: str, sentence: str) -> None:
    assert describe_reason(reason) == sentence
