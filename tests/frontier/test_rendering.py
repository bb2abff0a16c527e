"""What is worth a browser, as it is learned."""

from __future__ import annotations

from headwater.frontier.rendering import LOOKS, PATIENCE, PROBES, Rendering


def opened(rendering: Rendering, shape: str, added: int) -> None:
    rendering.begin(shape)
    rendering.learn(shape, added)


def test_pages_that_look_scripted_are_opened_until_nothing_comes_of_it() -> None:
    rendering = Rendering()
    for _ in range(PATIENCE):
        assert rendering.is_wanted("/a", looks_scripted=True, may_gain=False)
        opened(rendering, "/a", 0)
    assert not rendering.is_wanted("/a", looks_scripted=True, may_gain=False)
    assert rendering.is_wanted("/b", looks_scripted=True, may_gain=False)


def test_a_shape_that_gained_once_is_worth_it() -> None:
    rendering = Rendering()
    for added in (0, 3, 0, 0, 0):
        opened(rendering, "/a", added)
    assert rendering.is_wanted("/a", looks_scripted=True, may_gain=False)


def test_pages_with_content_are_probed() -> None:
    rendering = Rendering()
    for _ in range(PROBES):
        assert rendering.is_wanted("/a", looks_scripted=False, may_gain=True)
        opened(rendering, "/a", 0)
    assert not rendering.is_wanted("/a", looks_scripted=False, may_gain=True)
    opened(rendering, "/a", 1)
    assert rendering.is_wanted("/a", looks_scripted=False, may_gain=True)
    assert not rendering.is_wanted("/a", looks_scripted=False, may_gain=False)


def test_few_pages_of_a_shape_are_looked_at() -> None:
    rendering = Rendering()
    assert [rendering.is_looked_at("/a") for _ in range(LOOKS + 1)] == [True] * LOOKS + [False]
    opened(rendering, "/a", 1)
    assert rendering.is_looked_at("/a")


def test_failures_are_no_probes_until_there_are_many() -> None:
    rendering = Rendering()
    for _ in range(PATIENCE + PROBES):
        assert rendering.is_wanted("/a", looks_scripted=False, may_gain=True)
        rendering.begin("/a")
        rendering.forgive("/a")
    assert not rendering.is_wanted("/a", looks_scripted=False, may_gain=True)
