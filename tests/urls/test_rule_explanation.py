"""Explanations of what each skip rule says about a URL."""

from __future__ import annotations

import dataclasses

from headwater import Scope, judge, preset
from headwater.urls import explain
from headwater.urls.skip_rules import SKIP_RULES, get_rule_reason

SITE = Scope("https://example.com/")
SCAN = Scope.from_settings(["https://example.com/"], preset("scan"))


def test_every_rule_can_decide_and_is_explained() -> None:
    narrow = dataclasses.replace(SCAN, base_urls=["https://example.com/in"], include=["/in/*"], exclude=["/in/x"])
    hrefs = [
        "",
        "#a",
        "tel:1",
        "http://[",
        "/" + "a" * 2100,
        "/p",
        "a.pdf",
        "/in/x",
        "https://o.org",
        "/out",
        "/in/a?b",
    ]
    hrefs += ["/in/a#b", "/in"]
    decided = {}
    for href in hrefs:
        steps = explain(href, narrow, page="https://example.com/p")
        deciding = [step for step in steps if step.decides]
        assert [step.rule for step in deciding] == [judge(href, narrow, page="https://example.com/p").reason]
        assert deciding[0].detail
        decided[deciding[0].rule] = href
    in_admin = dataclasses.replace(SCAN, skip_paths=["/in/admin"])
    decided[judge("https://example.com/in/admin/x", in_admin).reason] = "/in/admin/x"
    with_session = dataclasses.replace(SCAN, skip_actions=True)
    (action,) = [step for step in explain("https://example.com/in/logout", with_session) if step.decides]
    assert "/in/logout names an action" in action.detail
    decided[action.rule] = "/in/logout"
    assert set(decided) == {get_rule_reason(rule) for rule in SKIP_RULES}


def test_no_rule_applies_to_an_allowed_url() -> None:
    steps = explain("https://example.com/a", SITE)
    assert [step.applies for step in steps] == [False] * len(SKIP_RULES)


def test_the_host_does_not_decide_on_an_external_url_that_is_followed() -> None:
    steps = {step.rule: step for step in explain("https://o.org/", Scope("https://e.com", max_external_hops=1))}
    assert steps["other-host"].applies
    assert not any(step.decides for step in steps.values())
