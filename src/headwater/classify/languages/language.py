"""Determine the language of pages. A code in the URL must be confirmed by other facts: `/it/` may be a department.

All pages are counted first. The meaning of a code or language name in a URL is then decided once for all pages that
have it in the same position: languages declared by pages below it count most, then languages detected there, then words
of the paths (`/fr/a-propos`), then siblings (`/de/about` next to `/fr/about` or `/about`). Pages that neither declare a
language nor have it in their URL get the one that was detected in their folder. In case of doubt the language is
unknown, and a page of unknown language is never skipped.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from headwater.classify.languages.language_codes import (
    AMBIGUOUS_CODES,
    CODE_BY_ENGLISH_NAME,
    CODE_BY_NATIVE_NAME,
    COUNTRY_LIKE_CODES,
    ENGLISH_SPEAKING_COUNTRIES,
    MISUSED_COUNTRY_CODES,
    SELF_SUFFICIENT_CODES,
    UNAMBIGUOUS_CODES,
    find_code_by_name,
    get_primary_language,
    parse_language_tag,
    parse_url_code,
)
from headwater.classify.languages.language_votes import LanguageVotes
from headwater.classify.languages.path_language import has_language_words
from headwater.classify.sampled_counts import Sketch, hash_text
from headwater.classify.url_segments import classify_segment, get_host, parse_parameters, split_path
from headwater.model import DETECTED_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterator

LANGUAGE_PARAMETERS = frozenset({"lang", "locale", "hl", "language", "lc"})
DOCUMENTATION_SEGMENTS = frozenset(
    "doc docs documentation help support manual manuals guide guides site web main master current".split()
)
"""Segments that, like versions, may precede a language code in first position."""

CATALOG_SEGMENTS = frozenset(
    """categories category codes countries country currencies flag flags languages locations regions states stores tag
    tags topics user users""".split()
)
"""Segments below which codes are the subject of pages, not their language."""

MAX_POSITIONS = 2000
MIN_TRANSLATION_OVERLAP = 0.3
"""The share of paths that two trees must have in common to be translations of each other."""

_OTHER = "?"
"""Replaces all values of a parameter that are not codes."""

_PositionKey = tuple[int, str, str]
_SUFFIX = re.compile(
    r"/([^/]+)\.([a-z]{2}(?:[-_][a-z]{2,4})?)\.(?:x?html?|php|aspx?|md)\Z|/([^/]+)\.html?\.([a-z]{2}(?:-[a-z]{2})?)\Z",
    re.IGNORECASE,
)


class PageLanguage(NamedTuple):
    """A language, `de` or `pt-br` or empty, and its source.

    Sources are hreflang, segment, suffix (`intro.fr.html`), subdomain, parameter, html (declared by the page), text
    (detected in the page) and folder (detected in pages of the same folder).
    """

    code: str = ""
    source: str = ""


class _Hint(NamedTuple):
    """Text that may name a language.

    `position` is where it is in the URL, `twin` the same URL without it, and `remaining_path` the path after it.
    """

    source: str
    position: str
    text: str
    twin: str
    is_first: bool = True
    remaining_path: tuple[str, ...] = ()


class _Tree:
    """The pages that have the same code or name in the same position."""

    def __init__(self) -> None:
        self.agree = 0
        self.differ = 0
        self.detected = 0
        self.detected_others = 0
        self.has_language_words = False
        self.path_sketch = Sketch(64)

    @property
    def is_declared(self) -> bool:
        return self.agree + self.differ + self.detected + self.detected_others > 0

    @property
    def is_refuted(self) -> bool:
        if self.agree + self.differ:
            return self.agree <= self.differ
        return self.is_declared and self.detected <= self.detected_others

    @property
    def is_confirmed(self) -> bool:
        return self.is_declared and not self.is_refuted

    def learn(self, code: str, declared: str, detected: str) -> None:
        """Count the language that a page of the tree declares, or that was detected in it."""
        if declared:
            self.agree += declared == code
            self.differ += declared != code
        elif detected:
            self.detected += detected == code
            self.detected_others += detected != code


class _Position:
    """All codes and names in one position, and other pairs of letters in the same position."""

    def __init__(self) -> None:
        self.trees: dict[str, _Tree] = {}
        self.unknown_codes: set[str] = set()
        self.verdicts: dict[str, bool] = {}

    def is_country_list(self) -> bool:
        """Return True if the siblings are countries or states rather than languages."""
        known = sum(code in UNAMBIGUOUS_CODES or code in AMBIGUOUS_CODES or "-" in code for code in self.trees)
        return bool(self.unknown_codes & ENGLISH_SPEAKING_COUNTRIES) or 2 * len(self.unknown_codes) > known

    def find_certain_siblings(self, key: str) -> list[_Tree]:
        """Return the siblings that are certainly languages."""
        return [
            tree
            for other, tree in self.trees.items()
            if other != key
            and not tree.is_refuted
            and (
                other in UNAMBIGUOUS_CODES
                or other in CODE_BY_NATIVE_NAME
                or "-" in other
                or tree.is_confirmed
                or tree.has_language_words
            )
        ]


class LanguageClassifier:
    """Learns the meaning of the codes of a site from all pages, then returns the language of each page."""

    def __init__(self) -> None:
        self._positions: tuple[_PositionTable, _PositionTable] = (_PositionTable(), _PositionTable())
        self._all = Sketch(4096)
        self._votes = LanguageVotes()

    def note(self, url: str, html_lang: str = "", hreflang: str = "") -> None:
        """Pass 1: learn from one page, its declared language, and the language that its translations declare for it.

        A language that was detected in the text is passed as `html_lang` and ends in `-x-detected`.
        """
        detected = get_primary_language(parse_language_tag(html_lang)) if html_lang.endswith(DETECTED_SUFFIX) else ""
        declared = get_primary_language(
            parse_language_tag(hreflang) or ("" if detected else parse_language_tag(html_lang))
        )
        self._all.add(_join(get_host(url), split_path(url)))
        if detected:
            self._votes.add(url, detected)
        for hint in _find_hints(url):
            self._learn(hint, declared, detected)

    def determine_language(self, url: str, html_lang: str = "", hreflang: str = "") -> PageLanguage:
        """Pass 2: return the language of one page."""
        if code := parse_language_tag(hreflang):
            return PageLanguage(code, "hreflang")
        for hint in _find_hints(url):
            key = _get_key(hint)
            if key and self._is_language(hint, key):
                return PageLanguage(find_code_by_name(key) or key, hint.source)
        code = parse_language_tag(html_lang)
        if code and not html_lang.endswith(DETECTED_SUFFIX):
            return PageLanguage(code, "html")
        if code:
            is_outlier = self._votes.is_outlier(url, get_primary_language(code))
            return PageLanguage() if is_outlier else PageLanguage(code, "text")
        code = self._votes.find_folder_language(url)
        return PageLanguage(code, "folder") if code else PageLanguage()

    def _learn(self, hint: _Hint, declared: str, detected: str) -> None:
        position = self._positions[hint.is_first].add(hint.source, hint.position)
        if position is None:
            return
        position.verdicts.clear()
        key = _get_key(hint)
        if not key:
            unknown = hint.text.lower() if len(hint.text) == 2 else _OTHER
            if unknown not in MISUSED_COUNTRY_CODES:
                position.unknown_codes.add(unknown)
            return
        tree = position.trees.setdefault(key, _Tree())
        code = get_primary_language(find_code_by_name(key) or key)
        if hint.twin:
            tree.path_sketch.add(hint.twin)
        tree.has_language_words = tree.has_language_words or has_language_words(hint.remaining_path, code)
        tree.learn(code, declared, detected)

    def _is_language(self, hint: _Hint, key: str) -> bool:
        position = self._positions[hint.is_first].get(hint.source, hint.position)
        if position is None or key not in position.trees:
            return "-" in key
        if key not in position.verdicts:
            position.verdicts[key] = self._decide(hint, position, key)
        return position.verdicts[key]

    def _decide(self, hint: _Hint, position: _Position, key: str) -> bool:
        tree = position.trees[key]
        if "-" in key:
            return True
        if tree.is_declared:
            return not tree.is_refuted
        if hint.source == "suffix":
            return key in UNAMBIGUOUS_CODES and self._is_translation(tree, position.find_certain_siblings(key))
        if find_code_by_name(key):
            return hint.is_first and self._is_named(position, key)
        if key not in UNAMBIGUOUS_CODES and key not in AMBIGUOUS_CODES:
            return False
        if hint.source == "parameter":
            return not position.unknown_codes
        if hint.is_first and tree.has_language_words:
            return True
        if position.is_country_list():
            return False
        return (
            self._is_confirmed(hint, position, key)
            if key in UNAMBIGUOUS_CODES
            else _is_confirmed_ambiguous_code(hint, position, key)
        )

    def _is_named(self, position: _Position, name: str) -> bool:
        """Return True if the name of a language marks translations and is not the subject of the pages below it."""
        named = [tree for key, tree in position.trees.items() if key in CODE_BY_ENGLISH_NAME and key != "english"]
        is_sure = name in CODE_BY_NATIVE_NAME or any(tree.has_language_words or tree.is_confirmed for tree in named)
        return is_sure or position.trees[name].path_sketch.overlap_with(self._all) >= MIN_TRANSLATION_OVERLAP

    def _is_translation(self, tree: _Tree, siblings: list[_Tree]) -> bool:
        return tree.path_sketch.overlap_with(self._all) >= MIN_TRANSLATION_OVERLAP or _overlaps_any(tree, siblings)

    def _is_confirmed(self, hint: _Hint, position: _Position, code: str) -> bool:
        """Return True if an unambiguous code has a sibling, or repeats the paths of the site without it."""
        if hint.is_first and (hint.source == "subdomain" or code == "en" or code in SELF_SUFFICIENT_CODES):
            return True
        siblings = position.find_certain_siblings(code)
        tree = position.trees[code]
        if tree.path_sketch.overlap_with(self._all) >= MIN_TRANSLATION_OVERLAP:
            return not _is_catalog(hint)
        return bool(siblings) if hint.is_first else not _is_catalog(hint) and _overlaps_any(tree, siblings)


class _PositionTable:
    """A bounded number of positions: those with the lowest hashes, so that the order of pages does not matter."""

    def __init__(self) -> None:
        self._positions: dict[_PositionKey, _Position] = {}
        self._highest: _PositionKey | None = None

    def __len__(self) -> int:
        return len(self._positions)

    def add(self, source: str, position: str) -> _Position | None:
        """Return the position, which is created if necessary; None if there are too many."""
        key = (hash_text(position), source, position)
        found = self._positions.get(key)
        if found is not None:
            return found
        if len(self._positions) >= MAX_POSITIONS:
            self._highest = self._highest or max(self._positions)
            if key > self._highest:
                return None
            del self._positions[self._highest]
            self._highest = None
        self._positions[key] = found = _Position()
        return found

    def get(self, source: str, position: str) -> _Position | None:
        """Return the position, if it was kept."""
        return self._positions.get((hash_text(position), source, position))


def is_other_language(code: str, wanted: tuple[str, ...] | str) -> bool:
    """Return True if a page of this language is not wanted; pages of unknown language are always wanted."""
    languages = wanted.replace(",", " ").split() if isinstance(wanted, str) else wanted
    names = [language.strip().lower().replace("_", "-") for language in languages if language.strip()]
    if not code or not names or "any" in names:
        return False
    return not any(_covers(name, code.lower().replace("_", "-")) for name in names)


def _covers(wanted: str, code: str) -> bool:
    """Return True if a wanted language includes another: `en` includes `en-gb`, and `pt-br` includes `pt`."""
    if "-" in wanted and "-" in code:
        return wanted == code
    return get_primary_language(wanted) == get_primary_language(code)


def _is_confirmed_ambiguous_code(hint: _Hint, position: _Position, code: str) -> bool:
    """Return True if a code that is also a word is among language codes and has the same paths as they have."""
    if code in COUNTRY_LIKE_CODES and "en" not in position.trees:
        return False
    tree, siblings = position.trees[code], position.find_certain_siblings(code)
    if len(siblings) >= 2 and _overlaps_any(tree, siblings):
        return hint.is_first or not _is_catalog(hint)
    have_own_paths = not any(_overlaps_any(one, [other for other in siblings if other is not one]) for one in siblings)
    return hint.is_first and len(siblings) >= 3 and (have_own_paths or not len(tree.path_sketch))


def _overlaps_any(tree: _Tree, others: list[_Tree]) -> bool:
    return any(tree.path_sketch.overlap_with(other.path_sketch) >= MIN_TRANSLATION_OVERLAP for other in others)


def _is_catalog(hint: _Hint) -> bool:
    return hint.position.rpartition("/")[2].lower() in CATALOG_SEGMENTS


def _find_hints(url: str) -> Iterator[_Hint]:
    """Yield all parts of a URL that may be a language, the most reliable first."""
    host, path = get_host(url), split_path(url)
    yield from _find_segment_hints(host, path)
    if hint := _find_suffix_hint(host, url):
        yield hint
    label, _, site = host.partition(".")
    if "." in site and _looks_like_code(label):
        yield _Hint("subdomain", site, label, _join(site, path) if path else "", remaining_path=path)
    if "?" in url:
        for name, value in parse_parameters(url):
            if name in LANGUAGE_PARAMETERS and value:
                yield _Hint("parameter", f"{host}?{name}", value[:20], "")


def _find_segment_hints(host: str, path: tuple[str, ...]) -> Iterator[_Hint]:
    """Yield the first two segments, and the one after leading versions and words such as `docs`."""
    is_first = True
    for index, segment in enumerate(path[:4]):
        if not (is_first or index < 2):
            return
        if _looks_like_code(segment) or (is_first and find_code_by_name(segment)):
            twin = _join(host, path[:index] + path[index + 1 :]) if len(path) > index + 1 else ""
            yield _Hint("segment", _join(host, path[:index]), segment, twin, is_first, path[index + 1 :])
        is_first = is_first and (
            segment.lower() in DOCUMENTATION_SEGMENTS or classify_segment(segment) == "{version}" or _is_number(segment)
        )


def _find_suffix_hint(host: str, url: str) -> _Hint | None:
    """Return the code before or after a file extension: `intro.fr.html`, `intro.html.fr`."""
    match = _SUFFIX.search(url.partition("#")[0].partition("?")[0])
    if match is None:
        return None
    name, code = match.group(1) or match.group(3), match.group(2) or match.group(4)
    if not parse_url_code(code):
        return None
    folder = split_path(url[: match.start() + 1])
    stem = unquote(name)
    twin = _join(host, folder if stem.lower() == "index" else (*folder, stem))
    return _Hint("suffix", f"{host}/*", code, twin)


def _get_key(hint: _Hint) -> str:
    """Return the code that the text of a hint spells, or the name of a language; empty if it is neither."""
    code = parse_url_code(hint.text)
    if code or hint.source != "segment":
        return code
    return hint.text.lower() if hint.is_first and find_code_by_name(hint.text) else ""


def _looks_like_code(text: str) -> bool:
    """Return True if a text is any two letters, or a code with its region."""
    return (len(text) == 2 and text.isascii() and text.isalpha()) or bool(parse_url_code(text))


def _is_number(text: str) -> bool:
    return len(text) <= 2 and text.isdigit()


def _join(host: str, path: tuple[str, ...]) -> str:
    return "/".join((host, *path))
