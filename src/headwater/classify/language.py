"""In which language a page is: its URL says so only where other pages bear it out, for `/it/` may be a department.

All pages are noted first. What two letters in a URL mean is then decided once for all pages that have them in the same
place: declared languages below them count most, then siblings (`/de/about` beside `/fr/about` or `/about`). In doubt
the language is unknown, and a page of unknown language is never skipped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from headwater.classify.codes import (
    ALSO_COUNTRIES,
    DOUBTFUL,
    ENGLISH_COUNTRIES,
    PLAIN,
    USUAL_MISTAKES,
    code_in_url,
    code_of_tag,
    primary_of,
)
from headwater.classify.counting import Sketch
from headwater.classify.segments import class_of, host_of, parameters, segments

if TYPE_CHECKING:
    from collections.abc import Iterator

PARAMETERS = frozenset({"lang", "locale", "hl", "language", "lc"})
DOCS = frozenset("doc docs documentation help support manual manuals guide guides site web main master current".split())
"""Segments before which, and versions, a language still stands in the first place."""

CATALOGUES = frozenset(
    """categories category codes countries country currencies flag flags languages locations regions states stores tag
    tags topics user users""".split()
)
"""Below these, codes are what the pages are about."""

MAX_PLACES = 2000
MAX_STRANGERS = 64
ALIKE = 0.3
"""The share of paths that two trees must have in common to be translations of one another."""


class Spoken(NamedTuple):
    """A language, `de` or `pt-br` or empty, and what told it: hreflang, segment, subdomain, parameter or html."""

    code: str = ""
    source: str = ""


class _Hint(NamedTuple):
    """Two letters that may be a language; `place` is where they stand, `twin` the same URL without them."""

    source: str
    place: str
    text: str
    twin: str
    is_first: bool = True


class _Tree:
    """The pages that have one code in one place."""

    def __init__(self) -> None:
        self.agree = 0
        self.differ = 0
        self.twins = Sketch(64)

    @property
    def is_declared(self) -> bool:
        return self.agree + self.differ > 0

    @property
    def is_refuted(self) -> bool:
        return self.is_declared and self.agree <= self.differ


class _Place:
    """All codes met in one place, and other letters that stand there as codes do."""

    def __init__(self) -> None:
        self.pages = 0
        self.trees: dict[str, _Tree] = {}
        self.strangers: set[str] = set()
        self.verdicts: dict[str, bool] = {}

    def are_countries(self) -> bool:
        """Whether the siblings are countries or states rather than languages."""
        known = sum(code in PLAIN or code in DOUBTFUL or "-" in code for code in self.trees)
        return bool(self.strangers & ENGLISH_COUNTRIES) or 2 * len(self.strangers) > known

    def witnesses(self, code: str) -> list[_Tree]:
        """The siblings that are languages without doubt."""
        return [
            tree
            for other, tree in self.trees.items()
            if other != code and not tree.is_refuted and (other in PLAIN or "-" in other or tree.agree)
        ]


class Languages:
    """Learns from all pages what the codes of a site mean, then tells the language of each."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, str], _Place] = {}
        self._all = Sketch(4096)

    def note(self, url: str, html_lang: str = "", hreflang: str = "") -> None:
        """Pass 1: one page, with the language it declares and the one its translations declare for it."""
        declared = primary_of(code_of_tag(hreflang) or code_of_tag(html_lang))
        self._all.add(_join(host_of(url), segments(url)))
        for hint in _hints(url):
            self._learn(hint, declared)

    def language_of(self, url: str, html_lang: str = "", hreflang: str = "") -> Spoken:
        """Pass 2: the language of one page."""
        if code := code_of_tag(hreflang):
            return Spoken(code, "hreflang")
        for hint in _hints(url):
            code = code_in_url(hint.text)
            if code and self._is_language(hint, code):
                return Spoken(code, hint.source)
        code = code_of_tag(html_lang)
        return Spoken(code, "html") if code else Spoken()

    def _learn(self, hint: _Hint, declared: str) -> None:
        place = self._place(hint)
        place.pages += 1
        place.verdicts.clear()
        code = code_in_url(hint.text)
        if not code:
            if len(place.strangers) < MAX_STRANGERS and hint.text.lower() not in USUAL_MISTAKES:
                place.strangers.add(hint.text.lower()[:20])
            return
        tree = place.trees.setdefault(code, _Tree())
        if hint.twin:
            tree.twins.add(hint.twin)
        if declared:
            is_same = declared == primary_of(code)
            tree.agree += is_same
            tree.differ += not is_same

    def _place(self, hint: _Hint) -> _Place:
        key = (hint.source, hint.place)
        if key not in self._places and len(self._places) >= MAX_PLACES:
            largest = sorted(self._places.items(), key=lambda item: -item[1].pages)
            self._places = dict(largest[: MAX_PLACES // 2])
        return self._places.setdefault(key, _Place())

    def _is_language(self, hint: _Hint, code: str) -> bool:
        place = self._places.get((hint.source, hint.place), _NOWHERE)
        if code not in place.trees:
            return "-" in code
        if code not in place.verdicts:
            place.verdicts[code] = self._decide(hint, place, code)
        return place.verdicts[code]

    def _decide(self, hint: _Hint, place: _Place, code: str) -> bool:
        tree = place.trees[code]
        if "-" in code:
            return True
        if tree.is_declared:
            return not tree.is_refuted
        if code not in PLAIN and code not in DOUBTFUL:
            return False
        if hint.source == "parameter":
            return not place.strangers
        if place.are_countries():
            return False
        return self._is_borne_out(hint, place, code) if code in PLAIN else _is_beyond_doubt(hint, place, code)

    def _is_borne_out(self, hint: _Hint, place: _Place, code: str) -> bool:
        """Whether a code that is seldom anything else has a sibling, or repeats the paths of the site without it."""
        if hint.is_first and (hint.source == "subdomain" or code == "en"):
            return True
        witnesses = place.witnesses(code)
        tree = place.trees[code]
        if tree.twins.likeness(self._all) >= ALIKE:
            return not _is_catalogue(hint)
        return bool(witnesses) if hint.is_first else not _is_catalogue(hint) and _is_alike(tree, witnesses)


_NOWHERE = _Place()


def is_other_language(code: str, wanted: tuple[str, ...] | str) -> bool:
    """Whether a page of this language is left out; nothing is if all are wanted, or its language is unknown."""
    languages = wanted.replace(",", " ").split() if isinstance(wanted, str) else wanted
    names = [language.strip().lower().replace("_", "-") for language in languages if language.strip()]
    if not code or not names or "any" in names:
        return False
    return not any(_covers(name, code.lower().replace("_", "-")) for name in names)


def _covers(wanted: str, code: str) -> bool:
    """`en` covers `en-gb`; `pt-br` covers itself, and `pt`, which may be it."""
    if "-" in wanted and "-" in code:
        return wanted == code
    return primary_of(wanted) == primary_of(code)


def _is_beyond_doubt(hint: _Hint, place: _Place, code: str) -> bool:
    """Whether a code that is also a word stands among languages, and does as they do."""
    if code in ALSO_COUNTRIES and "en" not in place.trees:
        return False
    tree, witnesses = place.trees[code], place.witnesses(code)
    if len(witnesses) >= 2 and _is_alike(tree, witnesses):
        return hint.is_first or not _is_catalogue(hint)
    are_translated = not any(_is_alike(one, [other for other in witnesses if other is not one]) for one in witnesses)
    return hint.is_first and len(witnesses) >= 3 and (are_translated or not len(tree.twins))


def _is_alike(tree: _Tree, others: list[_Tree]) -> bool:
    return any(tree.twins.likeness(other.twins) >= ALIKE for other in others)


def _is_catalogue(hint: _Hint) -> bool:
    return hint.place.rpartition("/")[2].lower() in CATALOGUES


def _hints(url: str) -> Iterator[_Hint]:
    """Everything in a URL that may be a language, the most telling first."""
    host, path = host_of(url), segments(url)
    yield from _segment_hints(host, path)
    label, _, site = host.partition(".")
    if "." in site and _looks_like_code(label):
        yield _Hint("subdomain", site, label, _join(site, path) if path else "")
    if "?" in url:
        for name, value in parameters(url):
            if name in PARAMETERS and value:
                yield _Hint("parameter", f"{host}?{name}", value[:20], "")


def _segment_hints(host: str, path: tuple[str, ...]) -> Iterator[_Hint]:
    """The first segment, the second, and the one after leading versions and words like docs."""
    is_first = True
    for index, segment in enumerate(path[:4]):
        if not (is_first or index < 2):
            return
        if _looks_like_code(segment):
            twin = _join(host, path[:index] + path[index + 1 :]) if len(path) > index + 1 else ""
            yield _Hint("segment", _join(host, path[:index]), segment, twin, is_first)
        is_first = is_first and (segment.lower() in DOCS or class_of(segment) == "{version}" or _is_number(segment))


def _looks_like_code(text: str) -> bool:
    """Two letters, be they a language or not, or a code with its region."""
    return (len(text) == 2 and text.isascii() and text.isalpha()) or bool(code_in_url(text))


def _is_number(text: str) -> bool:
    return len(text) <= 2 and text.isdigit()


def _join(host: str, path: tuple[str, ...]) -> str:
    return "/".join((host, *path))
