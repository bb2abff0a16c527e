"""Sites written by hand, a folder in `pages/` for each: what applications do without any known router."""

from __future__ import annotations

from tests.sites.paper_site import Answer
from tests.sites.spa.kinds import HERE, Asked, Origins, Route, SpaSite


def pages_of(name: str) -> dict[str, str]:
    """The pages of a folder by their path; `index.html` is `/`."""
    folder = HERE / "pages" / name
    texts = {"/" + path.relative_to(folder).as_posix(): path.read_text() for path in sorted(folder.rglob("*.html"))}
    return {path.removesuffix(".html").removesuffix("index"): text for path, text in texts.items()}


def folder(name: str, *routes: Route, not_pages: frozenset[str] = frozenset()) -> SpaSite:
    """A site that answers the pages of its folder, and nothing else."""
    pages = pages_of(name)

    def answer(asked: Asked, _: Origins) -> Answer | None:
        text = pages.get(asked.path.partition("?")[0])
        return None if text is None else Answer(text)

    return SpaSite(name, answer, routes, not_pages=not_pages)


HASH_PLAIN = folder(
    "hash-plain",
    Route("/", "start", "Garden"),
    Route("/#/plants", "hash", "Plants"),
    Route("/#/plants/rose", "hash", "Rose", on="/#/plants"),
    Route("/#/plants/fern", "hash", "Fern", on="/#/plants"),
    Route("/#/plants/moss", "click", "Moss", on="/#/plants/fern", at=("#moss",)),
    Route("/#!/calendar", "hash", "Calendar"),
    Route("/#/tools", "click", "Tools", at=("#tools",)),
    not_pages=frozenset({"/#/", "/#/home", "/#prices", "/#where", "/#"}),
)
