"""Every reason has a sentence for people."""

from __future__ import annotations

import pytest

from headwater.urls.skip_reasons import CRAWL_REASONS, describe_reason
from headwater.urls.skip_rules import SKIP_RULES, get_rule_reason

REASONS = [*map(get_rule_reason, SKIP_RULES), *CRAWL_REASONS]


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_has_a_sentence(reason: str) -> None:
    sentence = describe_reason(reason)
    assert len(sentence) > 5
    assert not sentence.endswith(".")
    assert not sentence.startswith("Seed")


@pytest.mark.parametrize("number", range(len(SKIP_RULES)))
def test_the_sentence_of_a_rule_is_its_docstring_without_the_prefix(number: int) -> None:
    own = (SKIP_RULES[number].__doc__ or "").strip().rstrip(".")
    sentence = describe_reason(get_rule_reason(SKIP_RULES[number]))
    assert own.lower().endswith(sentence.lower())
    assert own[: -len(sentence)] in {"", own.partition(": ")[0] + ": "}
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
def test_reasons_that_say_it_all(reason: str, sentence: str) -> None:
    assert describe_reason(reason) == sentence
