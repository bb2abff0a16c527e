"""What is worth a browser, as it is learned."""

from __future__ import annotations

from headwater.frontier.rendering import LOOKS, MAX_SHAPES, PATIENCE, PROBES, Rendering


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


def test_a_shape_that_gains_is_opened_however_often_it_gained_nothing() -> None:
    rendering = Rendering()
    for added in (1, *[0] * 2 * PATIENCE):
        opened(rendering, "/a", added)
        assert rendering.is_wanted("/a", looks_scripted=True, may_gain=False)
        assert rendering.is_wanted("/a", looks_scripted=False, may_gain=True)


def test_a_page_that_failed_is_not_learned_from() -> None:
    rendering = Rendering()
    for _ in range(2 * PATIENCE):
        rendering.begin("/a")
    assert rendering.is_wanted("/a", looks_scripted=True, may_gain=False)
    rendering.forgive("/unknown")
    rendering.learn("/unknown", 5)
    rendering.begin("/unknown")
    rendering.begin("/unknown")
    assert not rendering.is_wanted("/unknown", looks_scripted=False, may_gain=True)


def test_shapes_are_learned_separately() -> None:
    rendering = Rendering()
    for _ in range(PATIENCE):
        opened(rendering, "/a", 0)
        opened(rendering, "/b", 1)
    assert not rendering.is_wanted("/a", looks_scripted=True, may_gain=True)
    assert rendering.is_wanted("/b", looks_scripted=True, may_gain=True)


def test_only_so_many_shapes_are_looked_at() -> None:
    rendering = Rendering()
    assert all(rendering.is_looked_at(f"/{number}") for number in range(MAX_SHAPES))
    assert not rendering.is_looked_at("/too-many")


def test_known_shapes_are_learned_from_when_no_more_fit() -> None:
    rendering = Rendering()
    for number in range(MAX_SHAPES):
        rendering.begin(f"/{number}")
    for _ in range(PATIENCE):
        assert rendering.is_wanted("/0", looks_scripted=True, may_gain=False)
        rendering.learn("/0", 0)
    assert not rendering.is_wanted("/0", looks_scripted=True, may_gain=False)
